//! The comparison of mailbox and store (FC-17): part by part, reading only, both sides by primary key.
//!
//! What differs is looked at a second time before it counts: a mark may have been written, a row
//! purged between the two reads. A difference is what both looks show.

mod error;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use domain::MsgId;
use domain::mailbox::IdRange;
use domain::reconcile::{Account, Difference, Pictures, Seen, Tally};
use jiff::Timestamp;

pub use self::error::ReconcileError;
use crate::ports::{Mailbox, Store};
use crate::time::before;

/// Most rows of one part.
const PART: usize = 1_000;

/// What was forgotten in this time before now is not missed: jobs read their clock before they work.
const MARGIN: Duration = Duration::from_secs(60 * 60);

/// How long what is compared is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptFor {
    /// Bodies, from being enqueued.
    pub bodies: Duration,
    /// Events, from being sent.
    pub events: Duration,
}

/// A comparison under way.
#[derive(Debug)]
pub struct Reconciliation<M, S> {
    mailbox: Arc<M>,
    store: Arc<S>,
    kept_for: KeptFor,
    range: Option<IdRange>,
    next: MsgId,
}

/// What a part of the comparison showed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Part {
    /// Its counts.
    pub tally: Tally,
    /// How the two disagree, ascending.
    pub differences: Vec<(MsgId, Difference)>,
}

impl<M: Mailbox, S: Store> Reconciliation<M, S> {
    /// Begins one over the IDs of `wanted` that the mailbox still has and the watermark has passed.
    ///
    /// # Errors
    /// If mailbox or store can't be asked.
    pub async fn begin(
        mailbox: Arc<M>,
        store: Arc<S>,
        kept_for: KeptFor,
        wanted: IdRange,
    ) -> Result<Self, ReconcileError> {
        let cursor = store.cursor().await?;
        let (oldest, watermark) = (mailbox.extent().await?.first, cursor.map(|cursor| cursor.watermark));
        let range = oldest.zip(watermark).and_then(|(oldest, watermark)| {
            let (first, last) = (wanted.first.max(oldest), wanted.last.min(watermark));
            (first <= last).then_some(IdRange { first, last })
        });
        let next = range.map_or(MsgId(0), |range| range.first);
        Ok(Self { mailbox, store, kept_for, range, next })
    }

    /// What is compared; `None`: nothing, the mailbox has no row that was taken up.
    pub fn range(&self) -> Option<IdRange> {
        self.range
    }

    /// The first ID that is still to be compared.
    pub fn next(&self) -> MsgId {
        self.next
    }

    /// The next part; `None` when all is compared.
    ///
    /// # Errors
    /// If mailbox or store can't be asked; the same part may be asked for again.
    pub async fn part(&mut self) -> Result<Option<Part>, ReconcileError> {
        let Some(whole) = self.range.filter(|range| self.next <= range.last) else { return Ok(None) };
        let rest = IdRange { first: self.next, last: whole.last };
        let now = self.store.now().await?;
        let (range, pictures) = self.look(rest, now).await?;
        let mut differences = pictures.differences(self.bodies_since(now));
        if !differences.is_empty() {
            differences = self.again(range, now, &differences).await?;
        }
        self.next = MsgId(range.last.0.saturating_add(1));
        let tally = pictures.tally(&differences);
        Ok(Some(Part { tally, differences: differences.into_iter().collect() }))
    }

    /// What a second look shows as well.
    async fn again(
        &self,
        range: IdRange,
        now: Timestamp,
        first: &BTreeSet<(MsgId, Difference)>,
    ) -> Result<BTreeSet<(MsgId, Difference)>, ReconcileError> {
        let (seen, pictures) = self.look(range, now).await?;
        let mut second = pictures.differences(self.bodies_since(now));
        // More rows than before are more than one part has: the end of the range has the first look only.
        second.extend(first.iter().filter(|(id, _)| *id > seen.last));
        let oldest = self.mailbox.extent().await?.first;
        let is_purged = |id: MsgId| oldest.is_none_or(|oldest| id < oldest);
        let lawful = |kind| kind == Difference::RowGone;
        let stays = |(id, kind): &&(MsgId, Difference)| !(lawful(*kind) && is_purged(*id));
        Ok(first.intersection(&second).filter(stays).copied().collect())
    }

    /// Both pictures of as much of `rest` as one part takes. The mailbox is asked first: what it shows
    /// at or below the watermark the store has known before.
    async fn look(&self, rest: IdRange, now: Timestamp) -> Result<(IdRange, Pictures), ReconcileError> {
        let rows = self.mailbox.rows(rest, PART).await?;
        let told_since = before(now, self.kept_for.events.saturating_sub(MARGIN));
        let accounts = self.store.accounts(rest, told_since, PART).await?;
        let ends = [ends_at(&rows, |row| row.id), ends_at(&accounts, |one| one.msg_id)];
        let last = ends.into_iter().flatten().fold(rest.last, MsgId::min);
        let rows = rows.into_iter().filter(|row| row.id <= last);
        let rows = rows.map(|row| Seen { msg_id: row.id, is_marked: row.is_marked }).collect();
        let accounts: Vec<Account> = accounts.into_iter().filter(|one| one.msg_id <= last).collect();
        let mut pictures = Pictures { rows, accounts, left_out: BTreeSet::new() };
        let unknown = pictures.unknown();
        if !unknown.is_empty() {
            pictures.left_out.extend(self.store.left_out(&unknown).await?);
        }
        Ok((IdRange { first: rest.first, last }, pictures))
    }

    fn bodies_since(&self, now: Timestamp) -> Timestamp {
        before(now, self.kept_for.bodies.saturating_sub(MARGIN))
    }
}

/// A full answer ends with its last ID; behind it nothing was seen.
fn ends_at<T>(answer: &[T], id: impl Fn(&T) -> MsgId) -> Option<MsgId> {
    answer.last().filter(|_| answer.len() >= PART).map(id)
}
