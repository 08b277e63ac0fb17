//! What is forgotten, and what not as long as the mailbox holds its row (C-8, INV-9).

use contract::model::MailboxVerb;
use domain::MsgId;
use domain::event::Target;
use engine::ports::{Archive, MailboxError, Views};
use engine::pulse::Room;

use crate::archive::tidy_house;
use crate::house::{House, MINUTE, SECOND};
use crate::letters;

/// Archive and retention of events come every second, so that everything meets a shadow.
pub(crate) fn hurry_jobs(house: &mut House) {
    house.settings.archive.after = SECOND;
    house.settings.archive.interval = SECOND;
    house.settings.archive.batch = 3;
    house.settings.retention.events = SECOND;
    house.settings.retention.interval = SECOND;
    house.settings.retention.batch = 3;
}

impl House {
    async fn enqueued(&self) -> u64 {
        self.store.five_facts().await.expect("the model answers").enqueued
    }

    async fn events_kept(&self, target: Target) -> u64 {
        let facts = self.store.five_facts().await.expect("the model answers");
        facts.delivered.into_iter().find(|(one, _)| *one == target).map_or(0, |(_, count)| count)
    }
}

#[tokio::test]
async fn c_08_archive_and_shadows_last_as_long_as_the_mailbox_holds_the_row() {
    let mut house = tidy_house();
    (house.settings.retention.archive, house.settings.retention.shadow) = (MINUTE, 2 * MINUTE);
    let running = house.start().await;
    house.post((1..=3).map(|seqn| letters::schedule(seqn, seqn))).await;
    house.pass(10 * MINUTE).await;
    assert_eq!((house.store.archived(), house.enqueued().await), (vec![1, 2, 3], 3), "however old");
    house.mailbox.delete(MsgId(1));
    house.pass(10 * SECOND).await;
    assert_eq!((house.store.archived(), house.enqueued().await), (vec![2, 3], 2));
    house.post([letters::schedule(2, 2)]).await;
    let duplicate = house.message(4).await.expect("enqueued").last_error;
    assert_eq!(duplicate.as_deref(), Some("duplicate-of:2"));
    running.end().await;
}

#[tokio::test]
async fn c_08_an_empty_mailbox_holds_nothing_at_or_below_the_watermark() {
    let mut house = tidy_house();
    (house.settings.retention.archive, house.settings.retention.shadow) = (MINUTE, 2 * MINUTE);
    let running = house.start().await;
    house.post((1..=3).map(|seqn| letters::schedule(seqn, seqn))).await;
    (1..=3).for_each(|id| house.mailbox.delete(MsgId(id)));
    house.pass(MINUTE + 30 * SECOND).await;
    assert_eq!((house.store.archived(), house.enqueued().await), (vec![], 3), "each has its own time");
    house.pass(2 * MINUTE).await;
    assert_eq!(house.enqueued().await, 0);
    running.end().await;
}

#[tokio::test]
async fn c_08_nothing_is_forgotten_while_the_mailbox_cannot_be_asked() {
    let mut house = tidy_house();
    (house.settings.retention.archive, house.settings.retention.shadow) = (MINUTE, MINUTE);
    let running = house.start().await;
    house.post([letters::schedule(1, 7)]).await;
    house.pass(30 * SECOND).await;
    house.mailbox.delete(MsgId(1));
    for _ in 0..12 {
        house.mailbox.faults().fail_next(MailboxVerb::Extent, MailboxError::Unavailable("gone".to_owned()));
    }
    house.pass(55 * SECOND).await;
    assert_eq!((house.store.archived(), house.enqueued().await), (vec![1], 1));
    house.pass(MINUTE).await;
    assert_eq!((house.store.archived(), house.enqueued().await), (vec![], 0));
    running.end().await;
}

#[tokio::test]
async fn g_event_retention_events_go_some_time_after_they_were_sent() {
    let mut house = tidy_house();
    house.settings.retention.events = MINUTE;
    house.settings.retention.batch = 2;
    let running = house.start().await;
    house.post((1..=5).map(|seqn| letters::schedule(seqn, seqn))).await;
    assert_eq!(house.events_kept(Target::Schd).await, 5);
    house.pass(30 * SECOND).await;
    house.post([letters::flight(6, 3, "B02")]).await;
    house.pass(36 * SECOND).await;
    assert_eq!(house.events_kept(Target::Schd).await, 1, "a flight told anew is kept anew");
    house.post([letters::flight(7, 1, "B02")]).await;
    assert_eq!(house.events_kept(Target::Schd).await, 2, "and one that was forgotten is told again");
    assert_eq!(house.sent(Target::Schd).len(), 7);
    house.pass(2 * MINUTE).await;
    assert_eq!((house.events_kept(Target::Schd).await, house.events_kept(Target::Msg).await), (0, 0));
    running.end().await;
}

#[tokio::test]
async fn c_12_an_early_purge_leaves_dead_letters_as_they_are() {
    let house = tidy_house();
    let running = house.start().await;
    house.post([letters::empty(), letters::unknown(2)]).await;
    house.pass(5 * SECOND).await;
    let before = [house.fate(1).await, house.fate(2).await];
    (1..=2).for_each(|id| house.mailbox.delete(MsgId(id)));
    house.pass(MINUTE).await;
    assert_eq!([house.fate(1).await, house.fate(2).await], before);
    assert_eq!(house.store.archived(), [1, 2], "and they are archived, not dropped");
    assert_eq!(house.store.restore(&[MsgId(2)]).await, Ok(vec![MsgId(2)]), "and can be replayed");
    running.end().await;
}

#[tokio::test]
async fn bodies_go_by_their_own_time_and_never_before_their_message_has_ended() {
    let mut house = tidy_house();
    house.settings.retention.raw = MINUTE;
    house.settings.policy.decode_max_attempts = 1_000;
    let running = house.start().await;
    house.post([letters::schedule(1, 7), letters::unknown(2), letters::schedule(3, 7)]).await;
    house.pass(30 * SECOND).await;
    assert_eq!(house.store.bodies(), [1, 2, 3]);
    house.pass(MINUTE).await;
    assert_eq!(house.store.bodies(), [2, 3], "a failed head and what waits behind it");
    running.end().await;
}

#[tokio::test]
async fn each_job_shows_its_heartbeat_ticks_and_last_sweep() {
    let house = tidy_house();
    let running = house.start().await;
    house.post((1..=3).map(|seqn| letters::schedule(seqn, seqn))).await;
    house.pass(15 * SECOND).await;
    let rooms = running.pulse.snapshot().rooms;
    for job in [Room::Archive, Room::ArchiveRetention, Room::EventRetention, Room::RawRetention] {
        let view = rooms.iter().find(|view| view.room == job).expect("every room is shown");
        assert!(view.ticks > 1 && view.since_tick <= 30 * SECOND, "{view:?}");
        assert_eq!((view.failures, view.trouble.clone()), (0, None), "{view:?}");
    }
    running.end().await;
}
