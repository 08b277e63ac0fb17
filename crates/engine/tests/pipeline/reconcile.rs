//! The comparison of mailbox and store (FC-17).

use std::sync::Arc;
use std::time::Duration;

use contract::Mark;
use contract::model::{Mailbox, MailboxVerb, Store, StoreVerb};
use contract::sample::{row, whole};
use domain::MsgId;
use domain::mailbox::IdRange;
use domain::reconcile::{Difference, Tally};
use engine::ports::{Enqueue, MailboxError, Store as _, StoreError};
use engine::reconcile::{KeptFor, ReconcileError, Reconciliation};

use crate::house::{House, SECOND};
use crate::letters;

const DAY: Duration = Duration::from_secs(86_400);
const KEPT_FOR: KeptFor = KeptFor { bodies: DAY, events: DAY };
const ALL: IdRange = IdRange { first: MsgId(1), last: MsgId(i64::MAX) };

impl House {
    async fn reconciliation(
        &self,
        wanted: IdRange,
    ) -> Result<Reconciliation<Mailbox, Store>, ReconcileError> {
        let (mailbox, store) = (Arc::new(self.mailbox.clone()), Arc::new(self.store.clone()));
        Reconciliation::begin(mailbox, store, KEPT_FOR, wanted).await
    }

    async fn compared(&self, wanted: IdRange) -> Result<(Tally, Vec<(i64, Difference)>), ReconcileError> {
        let mut reconciliation = self.reconciliation(wanted).await?;
        let (mut tally, mut found) = (Tally::default(), Vec::new());
        while let Some(part) = reconciliation.part().await? {
            tally.add(&part.tally);
            found.extend(part.differences.into_iter().map(|(id, kind)| (id.0, kind)));
        }
        Ok((tally, found))
    }

    async fn differences(&self) -> Vec<(i64, Difference)> {
        self.compared(ALL).await.expect("both answer").1
    }
}

/// Flights 1 to `last` by the messages 1 to `last`, all ended and marked.
async fn done(house: &House, last: i64) {
    let running = house.start().await;
    house.post((1..=last).map(|id| letters::schedule(id, id))).await;
    house.pass(5 * SECOND).await;
    running.end().await;
}

#[tokio::test]
async fn fc_17_after_a_day_like_any_other_both_agree() {
    let house = House::new();
    assert_eq!(house.differences().await, [], "before the first start");
    let running = house.start().await;
    house.post((1..=5).map(|id| letters::schedule(id, id))).await;
    house.post([letters::unknown(6), letters::ignored(7), letters::empty(), letters::schedule(8, 8)]).await;
    let (tally, found) = house.compared(ALL).await.expect("both answer");
    assert_eq!(found, []);
    assert_eq!((tally.rows, tally.known, tally.waiting), (9, 9, 4), "the head is tried again");
    running.end().await;
}

#[tokio::test]
async fn fc_17_rows_put_in_by_hand_below_the_watermark_are_listed_as_never_taken_up() {
    let house = House::new();
    let running = house.start().await;
    house.post([letters::at(40, letters::schedule(1, 1)), letters::at(1_000, letters::schedule(2, 2))]).await;
    house.pass(Duration::from_secs(3_600)).await;
    let watermark = house.store.cursor().await.map(|cursor| cursor.map(|one| one.watermark));
    assert_eq!(watermark, Ok(Some(MsgId(1_000))), "the gap was released");
    house.mailbox.land(letters::at(44, letters::schedule(3, 3)));
    house.mailbox.land(letters::at(45, letters::schedule(4, 4)));
    let lost = [(44, Difference::NeverTakenUp), (45, Difference::NeverTakenUp)];
    assert_eq!(house.differences().await, lost);
    house.pass(Duration::from_secs(7_200)).await;
    assert_eq!(house.differences().await, lost, "found by the audit, and not decided yet");
    running.end().await;
}

#[tokio::test]
async fn what_others_did_to_rows_is_told() {
    let house = House::new();
    done(&house, 5).await;
    assert_eq!(house.differences().await, []);
    house.mailbox.delete(MsgId(1));
    house.mailbox.delete(MsgId(3));
    house.mailbox.mark_by_other(MsgId(4), Mark::default());
    let told = [(3, Difference::RowGone), (4, Difference::MarkMissing)];
    assert_eq!(house.differences().await, told, "1 is purged, 3 is a hole");
    let (tally, _) = house.compared(IdRange { first: MsgId(2), last: MsgId(4) }).await.expect("both answer");
    assert_eq!((tally.rows, tally.known, tally.marked), (2, 2, 1));
}

#[tokio::test]
async fn a_row_that_another_marked_before_its_end_is_told() {
    let house = House::new();
    let running = house.start().await;
    house.post([letters::unknown(1), letters::schedule(2, 2)]).await;
    house.mailbox.mark_by_other(MsgId(2), Mark { status: None, processed_at: Some(whole(9)) });
    assert_eq!(house.differences().await, [(2, Difference::MarkedByAnother)]);
    running.end().await;
}

#[tokio::test]
async fn a_purge_between_the_looks_is_no_difference() {
    let house = House::new();
    done(&house, 3).await;
    let mut reconciliation = house.reconciliation(ALL).await.expect("both answer");
    house.mailbox.delete(MsgId(1));
    let part = reconciliation.part().await.expect("both answer").expect("a part");
    assert_eq!(part.differences, []);
    assert_eq!(reconciliation.part().await, Ok(None));
}

#[tokio::test]
async fn more_rows_than_a_part_takes_are_all_compared() {
    let house = House::new();
    let epoch = house.store.seize_lease("somebody");
    house.store.start_at(epoch, MsgId(0), &[], whole(0)).await.expect("starts");
    let (rows, to) = ((1..=2_500).map(row).collect(), MsgId(2_500));
    let taken = Enqueue { from: MsgId(0), to, rows, ledger: None, at: whole(1) };
    house.store.enqueue(epoch, &taken).await.expect("enqueues");
    for id in 1..=2_501 {
        house.mailbox.land(letters::at(id, letters::empty()));
    }
    for id in [1_000, 1_001, 2_500] {
        house.mailbox.delete(MsgId(id));
    }
    let (tally, found) = house.compared(ALL).await.expect("both answer");
    assert_eq!((tally.rows, tally.known, tally.waiting), (2_497, 2_497, 2_500));
    assert_eq!(found, [1_000, 1_001, 2_500].map(|id| (id, Difference::RowGone)));
}

#[tokio::test]
async fn a_side_that_can_not_be_asked_ends_the_comparison_without_a_verdict() {
    let house = House::new();
    done(&house, 1).await;
    house.mailbox.faults().fail_next(MailboxVerb::Rows, MailboxError::Unavailable("gone".to_owned()));
    assert_eq!(house.compared(ALL).await, Err(MailboxError::Unavailable("gone".to_owned()).into()));
    house.store.faults().fail_next(StoreVerb::Accounts, StoreError::Unavailable("gone".to_owned()));
    assert_eq!(house.compared(ALL).await, Err(StoreError::Unavailable("gone".to_owned()).into()));
    assert_eq!(house.differences().await, []);
}
