//! A run of messages against the state it meets: one verdict each, in order, in memory.
//!
//! The engine reads the candidates ([`read`]), asks the store for the [`World`] they touch,
//! lets [`decide_run`] turn both into [`Effects`], and commits these in one transaction.

mod failure;
mod flights;
mod holders;
mod lethal;
mod outgoing;
mod reading;
mod run;

use std::time::Duration;

use jiff::tz::TimeZone;
use sis::{Carrier, Dictionary, Limits};

use crate::backoff::Backoff;
use crate::event::NewEvent;
use crate::flight::{Flight, FlightChange, PastFlight};
use crate::message::{Holder, IdentityPolicy, IgnoreRules, Settled};

pub use lethal::{LONE_DEATHS_MAX, ended_the_process, was_lethal};
pub use reading::{Reading, read};
pub use run::{decide_run, refused_by_store};

/// What a site may choose about processing; each field is a parameter.
#[derive(Debug, Clone)]
pub struct Policy {
    /// `sis.dictionary`.
    pub dictionary: &'static Dictionary,
    /// How the mailbox carries bodies.
    pub carrier: Carrier,
    /// What a message may cost.
    pub limits: Limits,
    /// `airport.time-zone`.
    pub zone: TimeZone,
    /// `ignore.rules`.
    pub ignore: IgnoreRules,
    /// `identity.*`.
    pub identity: IdentityPolicy,
    /// `msgx.pipeline.max-attempts`, at least 1.
    pub max_attempts: u32,
    /// `msgx.pipeline.decode-max-attempts`, at least 1.
    pub decode_max_attempts: u32,
    /// `msgx.pipeline.retry-backoff-ms` and its cap.
    pub backoff: Backoff,
    /// `flight.*`.
    pub flight: FlightPolicy,
}

/// Parameters `flight.*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlightPolicy {
    /// `flight.absent-optional = clear`: a schedule clears what it could carry and doesn't.
    pub clear_absent_optional: bool,
    /// `flight.on-unknown = skip`: a FLOP for an unknown FLID ends SKIPPED instead of PARTIAL.
    pub skip_unknown: bool,
    /// `flight.day-conflict = keep-day`: take the new SODT, leave the operation day.
    pub keep_day: bool,
    /// `flight.delete-main = reject-with-eror`: an FDEL of a main flight with active children
    /// is refused instead of cascading.
    pub reject_delete_of_main: bool,
    /// `flight.history-after`: how long after its operation day a flight stays current.
    pub history_after: Duration,
}

impl Default for FlightPolicy {
    fn default() -> Self {
        Self {
            clear_absent_optional: false,
            skip_unknown: false,
            keep_day: false,
            reject_delete_of_main: false,
            history_after: Duration::from_secs(3 * 86_400),
        }
    }
}

/// What the store knows of everything a run touches. `flights` holds the flights asked for and
/// their families: for every flight of the result, its main flight, and all children
/// (`main_flid` = it) of every flight of the result that is asked for or is a main.
#[derive(Debug, Clone, Default)]
pub struct World {
    /// Holders of the keys asked for.
    pub holders: Vec<Holder>,
    /// Flights of the families.
    pub flights: Vec<Flight>,
    /// Of the flights asked for, those that have no current life but one in history.
    pub past: Vec<PastFlight>,
}

/// What a run does, to be written in one transaction (INV-17).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Effects {
    /// One per message, in order.
    pub settled: Vec<Settled>,
    /// Flights the store doesn't have: refused if it has them by then.
    pub new_flights: Vec<Flight>,
    /// Flights the store has, as they are afterwards, each once, only those that differ
    /// (provenance alone counts as different): refused if it has them no longer, because they
    /// became history meanwhile.
    pub flights: Vec<Flight>,
    /// Steps of timelines, one per message and flight changed.
    pub changes: Vec<FlightChange>,
    /// Events in order: for [`crate::event::Target::Msg`] one per message and flight changed,
    /// for [`crate::event::Target::Schd`] at most one per flight, the last state.
    pub events: Vec<NewEvent>,
    /// A message that ended FAILED: recorded alone, after the others, and the run ends there.
    pub blocked: Option<Settled>,
    /// What of the messages found nothing to act on.
    pub passed: Passed,
}

/// Records and elements without effect, to be counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Passed {
    /// Known elements that the message's subtype doesn't carry.
    pub not_applied: u64,
    /// Records of deleted flights.
    pub deleted_flight: u64,
    /// Records of unknown flights (`flight.on-unknown = skip`).
    pub unknown_flight: u64,
    /// Records of flights in history (INV-18).
    pub in_history: u64,
}

impl Effects {
    /// Every flight that is written: new ones, then changed ones.
    pub fn written(&self) -> impl Iterator<Item = &Flight> {
        self.new_flights.iter().chain(&self.flights)
    }

    /// Does the run write flight tables (and so need `PIPELINE_LOCK`)?
    pub fn touches_flights(&self) -> bool {
        !self.new_flights.is_empty() || !self.flights.is_empty() || !self.events.is_empty()
    }
}

impl std::ops::AddAssign for Passed {
    fn add_assign(&mut self, other: Self) {
        self.not_applied += other.not_applied;
        self.deleted_flight += other.deleted_flight;
        self.unknown_flight += other.unknown_flight;
        self.in_history += other.in_history;
    }
}

#[cfg(test)]
mod acts;
#[cfg(test)]
mod code_share_tests;
#[cfg(test)]
mod event_tests;
#[cfg(test)]
mod family_tests;
#[cfg(test)]
mod flight_tests;
#[cfg(test)]
mod history_tests;
#[cfg(test)]
mod letters;
#[cfg(test)]
mod message_tests;
#[cfg(test)]
mod noise_properties;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod replay_properties;
#[cfg(test)]
mod schema_tests;
#[cfg(test)]
mod specimens;
#[cfg(test)]
mod subtype_tests;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod view_tests;
#[cfg(test)]
mod wire_tests;
