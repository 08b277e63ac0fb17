//! What a caller may choose: seed, size, first day, and how much goes wrong.

use jiff::civil::{self, date};

/// What traffic to invent. Equal options give equal letters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Any number; another one is another airport year.
    pub seed: u64,
    /// Operating flights a day, arrivals and departures together, at least 2. Code-share
    /// flights and extra flights come on top. Memory grows with it: about 25 kB a flight and
    /// day, two days at most.
    pub flights: u32,
    /// The first operating day, 2000 to 2099 (a SIS time has two digits for the year). Its
    /// messages begin on the evening before.
    pub day: civil::Date,
    /// What goes wrong, and how often.
    pub trouble: Trouble,
}

impl Default for Options {
    fn default() -> Self {
        Self { seed: 1, flights: 300, day: date(2026, 4, 7), trouble: Trouble::default() }
    }
}

/// How often each kind of trouble happens: rates per ordinary message, 0 to 1.
///
/// Trouble never loses a flight's story: a message that is broken or rolled back is sent again,
/// as a sender would do, and the others are added between the ordinary ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trouble {
    /// Messages of the types nobody here wants: LDM, REGN, RSTA, EROR, in any letter case.
    pub ignored: f64,
    /// Exact re-sends of an earlier message.
    pub duplicate: f64,
    /// Bodies that can't be read: NULL, truncated, noise, `<MSG>` alone, a DTD with entities.
    pub malformed: f64,
    /// Transactions that are rolled back: their ID is used up, their row never appears.
    pub rolled_back: f64,
    /// Transactions that commit after later ones.
    pub late_commit: f64,
    /// Messages of a TYPE nobody knows. Each keeps a pipeline's head for a back-off, so that
    /// a high rate is a slow pipeline.
    pub unknown_type: f64,
}

impl Trouble {
    /// A mailbox in which nothing ever goes wrong.
    pub const fn none() -> Self {
        Self {
            ignored: 0.0,
            duplicate: 0.0,
            malformed: 0.0,
            rolled_back: 0.0,
            late_commit: 0.0,
            unknown_type: 0.0,
        }
    }
}

impl Default for Trouble {
    /// A usual day: five of a thousand messages bring each trouble that costs a reader nothing,
    /// one of a thousand the ones that hold the queue up for a while.
    fn default() -> Self {
        Self {
            ignored: 0.005,
            duplicate: 0.005,
            malformed: 0.005,
            rolled_back: 0.001,
            late_commit: 0.005,
            unknown_type: 0.001,
        }
    }
}
