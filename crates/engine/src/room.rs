//! How every room works: a step, then the next one, a pause or a back-off, until the term ends.

use std::sync::Arc;
use std::time::Duration;

use domain::backoff::Backoff;

use crate::happened::{RoomRecovered, RoomWaits};
use crate::pauses::LOOK;
use crate::ports::{Clock, MailboxError, StoreError, Wake};
use crate::pulse::Room;
use crate::reconcile::ReconcileError;
use crate::term::{Lost, Term};
use crate::time::age;

/// Shortest rest: store times have microseconds.
const TICK: Duration = Duration::from_micros(1);

/// What comes after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// More to do.
    Again,
    /// Nothing to do until the bell rings, or for this long.
    Pause(Duration),
}

/// Why a step could not be done. Nobody's message is to blame: nothing is counted against one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Another process has taken over.
    Fenced,
    /// Wait and do it again.
    Wait(String),
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Fenced(_) => Self::Fenced,
            StoreError::Unavailable(_)
            | StoreError::InDoubt(_)
            | StoreError::Conflict(_)
            | StoreError::Data(_)
            | StoreError::Corrupt { .. } => Self::Wait(error.to_string()),
        }
    }
}

impl From<MailboxError> for Trouble {
    fn from(error: MailboxError) -> Self {
        Self::Wait(error.to_string())
    }
}

impl From<ReconcileError> for Trouble {
    fn from(error: ReconcileError) -> Self {
        match error {
            ReconcileError::Mailbox(error) => error.into(),
            ReconcileError::Store(error) => error.into(),
        }
    }
}

/// A room's work, one step at a time.
pub(crate) trait Work: Send {
    /// One step. It must not lose anything by being done again after an error.
    fn step(&mut self) -> impl Future<Output = Result<Next, Trouble>> + Send;
}

/// Works until the term ends.
pub(crate) async fn work<C: Clock>(
    room: Room,
    bell: Wake,
    term: Arc<Term<C>>,
    patience: Backoff,
    mut work: impl Work,
) {
    let mut failures = 0;
    while term.goes_on() {
        term.pulse.tick(room);
        if let Some(pause) = term.pauses.of(room, term.now()) {
            let left = pause.until.map_or(LOOK, |until| age(term.now(), until).min(LOOK));
            term.pulse.rests(room, &pause);
            term.rest(&bell, left.max(TICK)).await;
            continue;
        }
        term.pulse.resumed(room);
        match work.step().await {
            Ok(next) => {
                if failures > 0 {
                    RoomRecovered { room, failures }.emit();
                    failures = 0;
                }
                term.pulse.well(room);
                match next {
                    // Rooms share threads: one with much to do must let others have theirs.
                    Next::Again => tokio::task::yield_now().await,
                    Next::Pause(longest) => term.pause(&bell, longest).await,
                }
            }
            Err(Trouble::Fenced) => term.lose(Lost::Fenced),
            Err(Trouble::Wait(words)) => {
                failures += 1;
                let wait = patience.after(failures);
                term.pulse.trouble(room, &words);
                RoomWaits { room, failures, wait, words }.emit();
                term.rest(&bell, wait).await;
            }
        }
    }
}
