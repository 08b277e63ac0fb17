//! What was: flights in history and the steps of a flight's timeline, for people.

use domain::flight::{Flight, FlightChange};
use jiff::Timestamp;

/// A step of a timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeView {
    /// The step.
    pub change: FlightChange,
    /// When it was committed.
    pub at: Timestamp,
}

/// One life of a flight in history.
#[derive(Debug, Clone, PartialEq)]
pub struct PastView {
    /// The flight as it was; its version is that of its tombstone.
    pub flight: Flight,
    /// When it became history.
    pub swept_at: Timestamp,
}
