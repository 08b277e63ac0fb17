//! Everything worth telling, one type each: its log line and its metrics in one place, so that
//! they can't drift apart. A line can be read alone. Bodies and personal data are in none of them.

mod catalogue;
mod comparison;
mod delivery;
mod discovery;
mod gauges;
mod jobs;
mod lease;
mod lone_tries;
mod marks;
mod premises;
mod pump;
mod rooms;

pub use catalogue::{METRICS, Metric, MetricKind};
pub use comparison::Compared;
pub use delivery::{EventDead, EventRefused, EventsDelivered, TargetWaits};
pub use discovery::{
    GapOpened, GapReleased, IdsReused, LateRowFound, OffSeries, RowsEnqueued, ServerChanged, StartedAt,
};
pub use gauges::{publish_backlog, publish_gauges};
pub use jobs::{ArchiveRefused, Archived, FlightsSwept, Forgotten, Kept, SweepSkipped};
pub use lease::{LeaseLost, LeaseReleased, LeaseTaken, StandsBy};
pub use lone_tries::{DiesAgain, GivenUpAsLethal, UncleanEnd};
pub use marks::{MarkAbandoned, MarkFoundForeign, MarkRefused, MarksSettled};
pub use premises::{ContinuityBroken, ContinuityRestored, EvidenceUnusable, GapHeld};
pub use pump::{CommitInDoubt, MessageSettled, RunCommitted, RunSplit};
pub use rooms::{RoomPaused, RoomRecovered, RoomResumed, RoomWaits};
