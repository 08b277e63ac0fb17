//! What a replay would do, decided on the world as it is now. Nothing is written.

use domain::decide::{Effects, Policy, Reading, decide_run, read};
use domain::message::{Candidate, State};
use domain::{Flid, MsgId};
use jiff::Timestamp;

use crate::ports::{Store, StoreError};

/// Most messages looked at ahead together.
pub const AHEAD_MAX: usize = 100;

/// The effects that replaying `ids` would have, in the order in which they would be processed:
/// ends, and the steps of each flight's timeline.
pub async fn look_ahead<S: Store>(
    store: &S,
    ids: &[MsgId],
    policy: &Policy,
    at: Timestamp,
) -> Result<Effects, StoreError> {
    let candidates = store.bodies(ids).await?;
    let readings: Vec<Reading> =
        candidates.into_iter().map(|candidate| read(replayed(candidate), policy)).collect();
    let mut keys: Vec<_> = readings.iter().flat_map(Reading::keys).collect();
    let mut flids: Vec<Flid> = readings.iter().flat_map(Reading::flids).collect();
    keys.sort_unstable();
    keys.dedup();
    flids.sort_unstable();
    flids.dedup();
    let world = store.world(&keys, &flids).await?;
    Ok(decide_run(readings, world, at, policy))
}

/// A dead letter gets its one attempt; a failed head is tried as often as it may.
fn replayed(candidate: Candidate) -> Candidate {
    match candidate.state {
        State::Failed | State::Pending => candidate,
        State::Dead | State::Succeeded | State::Skipped | State::Archived => candidate.replayed(),
    }
}
