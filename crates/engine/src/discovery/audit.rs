//! Late-row audit: released gaps are looked at again, so that a row that was committed after all
//! is found and never lost. It lies below W and is not processed (INV-3); an operator decides.

use std::sync::Arc;
use std::time::Duration;

use domain::mailbox::{ClosedGap, GapVerdict, IdRange};
use jiff::Timestamp;

use crate::happened::LateRowFound;
use crate::ports::{Clock, Mailbox, Store};
use crate::pulse::Room;
use crate::room::{Next, Trouble, Work};
use crate::settings::DiscoverySettings;
use crate::term::Term;

/// Most released ranges read in one look, newest first.
const RANGES_MAX: usize = 10_000;

/// Most late rows noted in one look; the rest is found by the next.
const LATE_MAX: usize = 1_000;

/// Looks for late rows, as long as its term lasts.
pub(crate) struct Audit<M, S, C> {
    mailbox: Arc<M>,
    store: Arc<S>,
    term: Arc<Term<C>>,
    settings: DiscoverySettings,
    /// Monotonic time of the next look at older ranges.
    older_due: Duration,
}

impl<M: Mailbox, S: Store, C: Clock> Work for Audit<M, S, C> {
    async fn step(&mut self) -> Result<Next, Trouble> {
        let older = self.term.monotonic() >= self.older_due;
        let since =
            if older { Timestamp::UNIX_EPOCH } else { self.term.now() - self.settings.audit_interval_older };
        self.look(since).await?;
        if older {
            self.older_due = self.term.monotonic() + self.settings.audit_interval_older;
        }
        Ok(Next::Pause(self.settings.audit_interval))
    }
}

impl<M: Mailbox, S: Store, C: Clock> Audit<M, S, C> {
    /// The audit for one term.
    pub(crate) fn new(
        mailbox: Arc<M>,
        store: Arc<S>,
        term: Arc<Term<C>>,
        settings: DiscoverySettings,
    ) -> Self {
        Self { mailbox, store, term, settings, older_due: Duration::ZERO }
    }

    async fn look(&self, since: Timestamp) -> Result<(), Trouble> {
        let closed = self.store.closed_gaps(since, RANGES_MAX).await?;
        if closed.is_empty() {
            return Ok(());
        }
        let ranges = worth_a_look(&closed, self.mailbox.extent().await?.first);
        if ranges.is_empty() {
            return Ok(());
        }
        let present = self.mailbox.present(&ranges, LATE_MAX).await?;
        self.term.pulse.selected(Room::Audit, ranges.len());
        if present.is_empty() || !self.term.goes_on() {
            return Ok(());
        }
        for msg_id in self.store.record_late(&present, self.term.now()).await? {
            LateRowFound { msg_id }.emit();
        }
        Ok(())
    }
}

/// Released ranges that the mailbox's smallest ID has not passed yet, ascending. What lies before
/// the start is full of rows that were left out on purpose.
fn worth_a_look(closed: &[ClosedGap], smallest: Option<domain::MsgId>) -> Vec<IdRange> {
    let mut ranges: Vec<IdRange> = closed
        .iter()
        .filter(|gap| match gap.verdict {
            GapVerdict::ReleasedByAge | GapVerdict::MissingAtStart => true,
            GapVerdict::BeforeStart => false,
        })
        .map(|gap| gap.range)
        .filter(|range| smallest.is_some_and(|smallest| range.last >= smallest))
        .collect();
    ranges.sort_unstable();
    ranges
}

#[cfg(test)]
mod tests {
    use domain::MsgId;

    use super::*;

    #[test]
    fn ranges_before_the_start_and_purged_ones_are_left_alone() {
        let gap = |first, last, verdict| ClosedGap {
            range: IdRange { first: MsgId(first), last: MsgId(last) },
            first_seen: Timestamp::UNIX_EPOCH,
            closed_at: Timestamp::UNIX_EPOCH,
            verdict,
        };
        let closed = [
            gap(30, 31, GapVerdict::ReleasedByAge),
            gap(20, 24, GapVerdict::ReleasedByAge),
            gap(15, 16, GapVerdict::ReleasedByAge),
            gap(1, 10, GapVerdict::BeforeStart),
        ];
        let firsts = |smallest: Option<i64>| -> Vec<i64> {
            worth_a_look(&closed, smallest.map(MsgId)).iter().map(|range| range.first.0).collect()
        };
        assert_eq!(firsts(Some(1)), [15, 20, 30]);
        assert_eq!(firsts(Some(22)), [20, 30]);
        assert_eq!(firsts(None), [0; 0]);
    }
}
