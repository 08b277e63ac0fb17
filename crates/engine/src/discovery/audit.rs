//! Late-row audit: released gaps are looked at again, so that a row that was committed after all
//! is found and never lost. It lies below W and is not processed (INV-3); an operator decides.

use std::sync::Arc;
use std::time::Duration;

use domain::MsgId;
use domain::mailbox::{ClosedGap, IdRange};

use crate::happened::LateRowFound;
use crate::ports::{Clock, Mailbox, Store};
use crate::pulse::Room;
use crate::room::{Next, Trouble, Work};
use crate::settings::DiscoverySettings;
use crate::term::Term;

/// Most recent ranges read in one look, newest first; the rest waits for the look at older ones.
const RECENT_MAX: usize = 10_000;

/// Older ranges read in one step: there may be years of them.
const PAGE: usize = 1_000;

/// Most late rows noted at once.
const LATE_MAX: usize = 1_000;

/// Looks for late rows, as long as its term lasts.
pub(crate) struct Audit<M, S, C> {
    mailbox: Arc<M>,
    store: Arc<S>,
    term: Arc<Term<C>>,
    settings: DiscoverySettings,
    /// Monotonic time of the next look at older ranges.
    older_due: Duration,
    /// Where that look goes on, while it is under way.
    older_from: Option<MsgId>,
}

impl<M: Mailbox, S: Store, C: Clock> Work for Audit<M, S, C> {
    async fn step(&mut self) -> Result<Next, Trouble> {
        if self.older_from.is_none() {
            self.look_at_recent().await?;
        }
        if self.older_from.is_some() || self.term.monotonic() >= self.older_due {
            return self.look_at_older().await;
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
        Self { mailbox, store, term, settings, older_due: Duration::ZERO, older_from: None }
    }

    async fn look_at_recent(&self) -> Result<(), Trouble> {
        let since = self.term.now() - self.settings.audit_interval_older;
        let closed = self.store.closed_gaps(since, RECENT_MAX).await?;
        if closed.is_empty() {
            return Ok(());
        }
        let smallest = self.mailbox.extent().await?.first;
        self.look(worth_a_look(&closed, smallest)).await
    }

    /// One page of every released range that the mailbox's smallest ID has not passed.
    async fn look_at_older(&mut self) -> Result<Next, Trouble> {
        let smallest = self.mailbox.extent().await?.first;
        let ranges = match smallest {
            None => Vec::new(),
            Some(smallest) => {
                let from = self.older_from.map_or(smallest, |from| from.max(smallest));
                self.store.released_gaps(from, PAGE).await?
            }
        };
        let more = ranges.last().filter(|_| ranges.len() == PAGE).map(|last| after(last.last));
        self.look(ranges).await?;
        self.older_from = more;
        if more.is_some() {
            return Ok(Next::Again);
        }
        self.older_due = self.term.monotonic() + self.settings.audit_interval_older;
        Ok(Next::Pause(self.settings.audit_interval))
    }

    /// Notes every row found in `ranges` (ascending), so many at a time.
    async fn look(&self, mut ranges: Vec<IdRange>) -> Result<(), Trouble> {
        self.term.pulse.selected(Room::Audit, ranges.len());
        while !ranges.is_empty() {
            let present = self.mailbox.present(&ranges, LATE_MAX).await?;
            let Some(last) = present.last().copied().filter(|_| self.term.goes_on()) else { return Ok(()) };
            for msg_id in self.store.record_late(&present, self.term.now()).await? {
                LateRowFound { msg_id }.emit();
            }
            if present.len() < LATE_MAX {
                return Ok(());
            }
            ranges.retain(|range| range.last > last);
            if let Some(range) = ranges.first_mut() {
                range.first = range.first.max(after(last));
            }
        }
        Ok(())
    }
}

fn after(id: MsgId) -> MsgId {
    MsgId(id.0.saturating_add(1))
}

/// Released ranges that the mailbox's smallest ID has not passed yet, ascending. What lies before
/// the start is full of rows that were left out on purpose.
fn worth_a_look(closed: &[ClosedGap], smallest: Option<MsgId>) -> Vec<IdRange> {
    let mut ranges: Vec<IdRange> = closed
        .iter()
        .filter(|gap| gap.verdict.is_audited())
        .map(|gap| gap.range)
        .filter(|range| smallest.is_some_and(|smallest| range.last >= smallest))
        .collect();
    ranges.sort_unstable();
    ranges
}

#[cfg(test)]
mod tests {
    use domain::mailbox::GapVerdict;
    use jiff::Timestamp;

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
