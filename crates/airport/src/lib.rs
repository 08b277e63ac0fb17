//! Make-believe SIS traffic of one airport: seeded, believable, endless.
//!
//! The demo, the benchmark and the tests need messages that behave as an airport's do. This
//! crate invents them: carriers, flight numbers, registrations and people don't exist; only the
//! airports' codes are real, because routes between unknown places would help no reader.
//!
//! # The model
//!
//! A day is planned as a whole, the evening before, and then told message by message:
//!
//! 1. `timetable` invents the day's **turnarounds**: one aircraft that arrives, stays and leaves
//!    again (or only one of the two: night stops), with stands, gates, belts and counters taken
//!    from what is free, and code-share flights hung on some of the legs.
//! 2. `story` decides when each aircraft really lands and leaves. `arrival`, `departure`,
//!    `services` and `occasions` tell it as **events** at simulated times: estimates before
//!    actuals, chocks after the landing, boarding before the door closes. `turn` makes some
//!    stories unlike the plan: cancelled, diverted, sent back, deleted, another aircraft.
//! 3. `traffic` merges all events by time, writes each as a message with the next SEQN, and
//!    starts the next day with its evening download. Two days at most are in memory.
//! 4. `trouble` adds what really happens between a sender and a mailbox: see [`Trouble`].
//!
//! # The same again
//!
//! Equal [`Options`] give equal letters, byte for byte, on every machine: there is no clock, and
//! all chance comes from ChaCha8 (`dice`). What a day brings depends on seed, date and number
//! of flights alone, so that other rates of trouble leave the flights' stories as they were.
//!
//! # Why it doesn't use the encoder of `sis`
//!
//! The messages are written by a small writer of their own (`xml`), from element names and not
//! from the dictionary. A generator that shared the encoder with the reader under test could
//! never show that both are wrong in the same way.

mod allotment;
mod arrival;
mod departure;
mod dice;
mod event;
mod flight;
mod letter;
mod nonsense;
mod occasions;
mod options;
mod pen;
mod places;
mod programme;
mod reference;
mod register;
mod services;
mod stops;
mod story;
mod times;
mod timetable;
mod traffic;
mod trouble;
mod turn;
mod world;
mod xml;

pub use letter::{Expect, Fate, Letter};
pub use options::{Options, Trouble};
pub use traffic::{Traffic, traffic};
