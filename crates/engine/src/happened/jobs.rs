//! What the jobs tell.

use jiff::civil::Date;
use metrics::counter;
use tracing::info;

use super::catalogue::{FLIGHTS_SWEPT, FORGOTTEN};

/// Flights became history.
pub struct FlightsSwept {
    /// How many.
    pub flights: u64,
    /// First operation day that stays.
    pub before: Date,
}

impl FlightsSwept {
    /// Tells it.
    pub fn emit(self) {
        let Self { flights, before } = self;
        counter!(FLIGHTS_SWEPT).increment(flights);
        info!(flights, %before, "flights became history");
    }
}

/// A look at what is older than it is kept.
pub struct Forgotten {
    /// Flights in history.
    pub flights: u64,
    /// Steps of timelines.
    pub changes: u64,
}

impl Forgotten {
    /// Tells it.
    pub fn emit(self) {
        let Self { flights, changes } = self;
        counter!(FORGOTTEN, "kind" => "flight-history").increment(flights);
        counter!(FORGOTTEN, "kind" => "flight-change").increment(changes);
        if flights + changes > 0 {
            info!(flights, changes, "what was older than it is kept is forgotten");
        }
    }
}
