//! Flight state: what a flight is, and what a legal change of it is.
//!
//! A message becomes [`update`]s, one per FLID; [`life`] says whether and how they apply,
//! [`merge`] writes them with provenance, [`fleet`] moves versions and main flights,
//! [`difference`] says what consumers are told, [`timeline`] what is kept, and [`history`] when a
//! flight belongs to the past.

mod audience;
mod board;
mod difference;
mod document;
mod fleet;
mod history;
mod life;
mod merge;
mod model;
mod names;
mod side_by_side;
mod stands;
pub mod story;
mod timeline;
mod turnaround;
mod update;
mod view;

pub(crate) use audience::Audience;
pub(crate) use difference::Difference;
pub(crate) use fleet::{Change, CodeShare, Draft, Fleet, code_shares};
pub use history::{DueFlight, HistoryDue, PastFlight};
pub(crate) use life::OnDayConflict;
pub use model::{EntryState, FieldState, Flight, Life, Stamped};
pub(crate) use names::{CODE_SHARE, MAIN_FLID};
pub use stands::StandUse;
pub use timeline::FlightChange;
pub use turnaround::{Partner, Turnaround, turnaround};
pub(crate) use update::fold;
