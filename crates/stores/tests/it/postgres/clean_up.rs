//! Clean-up beside live work: it waits for nobody, and nobody is touched twice (FC-34, FC-41, FC-66).

use domain::Flid;
use domain::MsgId;
use domain::decide::Effects;
use domain::event::{EventType, NewEvent, Target};
use engine::ports::{Archive, Old, Retention, Store};
use sqlx::Executor;

use super::keeping::time;
use super::subject::{LONG, Subject, at, succeeded};

/// Messages 1 to `last`, succeeded and marked long ago.
async fn over(subject: &Subject, last: i64) -> domain::Epoch {
    let epoch = subject.lead_with(last).await;
    let settled = (1..=last).map(succeeded).collect();
    let run = Effects { settled, ..Effects::default() };
    subject.store.commit_run(epoch, &run, at(2)).await.expect("commits");
    subject.run(&format!("UPDATE proc_state SET backfill_at = {0}, updated_at = {0}", time(at(5)))).await;
    epoch
}

fn state(version: i64) -> NewEvent {
    NewEvent {
        target: Target::Schd,
        flid: Flid(7),
        event_type: EventType::Upsert,
        state_version: version,
        payload: "{}".to_owned(),
        msg_id: MsgId(version),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fc_34_archive_and_retention_pass_by_what_others_hold() {
    let subject = Subject::new().await;
    let epoch = over(&subject, 4).await;
    let seen = subject.store.archivable(at(10), None, 9).await.expect("answers");
    let mut other = subject.beside().await;
    other.execute("BEGIN").await.expect("begins");
    other.execute("SELECT 1 FROM proc_state WHERE msg_id = 2 FOR UPDATE").await.expect("holds a row");
    assert_eq!(subject.store.archive(epoch, &seen, at(20)).await, Ok(3), "without waiting");
    let old = Old { before: at(30), below: MsgId(99) };
    other.execute("SELECT 1 FROM proc_state WHERE msg_id = 1 FOR UPDATE").await.expect("holds a shadow");
    assert_eq!(subject.store.forget_shadows(epoch, old, 9).await, Ok(2));
    assert_eq!(subject.store.forget_bodies(epoch, at(30), 9).await, Ok(2), "of the two that are gone");
    other.execute("COMMIT").await.expect("commits");
    assert_eq!(subject.store.archive(epoch, &seen, at(20)).await, Ok(1), "its turn comes");
    assert_eq!(subject.store.forget_shadows(epoch, old, 9).await, Ok(2));
    assert_eq!(subject.store.forget_bodies(epoch, at(30), 9).await, Ok(2));
    subject.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fc_34_two_sweepers_do_not_fight() {
    let subject = Subject::new().await;
    let epoch = over(&subject, 400).await;
    let sweep = async || {
        let mut moved = 0;
        loop {
            let seen = subject.store.archivable(at(10), None, 50).await.expect("answers");
            if seen.is_empty() {
                return moved;
            }
            moved += subject.store.archive(epoch, &seen, at(20)).await.expect("neither waits nor fails");
        }
    };
    let (first, second) = futures::future::join(sweep(), sweep()).await;
    assert_eq!(first + second, 400);
    let forget = async || {
        let (mut rows, old) = (0, Old { before: at(30), below: MsgId(999) });
        while subject.number("SELECT count(*) FROM proc_state_hst").await > 0 {
            rows += subject.store.forget_archived(epoch, old, 50).await.expect("neither waits nor fails");
        }
        rows
    };
    let (first, second) = futures::future::join(forget(), forget()).await;
    assert_eq!(first + second, 400);
    subject.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn g_event_retention_a_sweep_under_way_and_a_new_generation_do_not_lose_each_other() {
    let subject = Subject::new().await;
    let epoch = subject.lead_with(2).await;
    let run = |version| Effects {
        settled: vec![succeeded(version)],
        events: vec![state(version)],
        ..Effects::default()
    };
    subject.store.commit_run(epoch, &run(1), at(2)).await.expect("commits");
    let sent =
        "UPDATE msg_event SET state = 'SENT', topic = 'x', kafka_partition = 0, kafka_offset = 1, sent_at = ";
    subject.run(&format!("{sent}{}", time(at(5)))).await;

    // The sweep has deleted the row and hasn't committed when the next generation comes.
    let mut sweep = subject.beside().await;
    sweep.execute("BEGIN").await.expect("begins");
    let delete = "DELETE FROM msg_event WHERE state = 'SENT'";
    assert_eq!(sweep.execute(delete).await.expect("deletes").rows_affected(), 1);
    let second = run(2);
    let commit = subject.store.commit_run(epoch, &second, at(9));
    let end = async {
        subject.is_waiting().await;
        sweep.execute("COMMIT").await.expect("commits");
    };
    let (outcome, ()) = futures::future::join(commit, end).await;
    assert_eq!(outcome, Ok(()));
    let waiting = "SELECT count(*) FROM msg_event WHERE state = 'PENDING' AND state_version = 2";
    assert_eq!(subject.number(waiting).await, 1);
    assert_eq!(subject.store.forget_events(epoch, at(1_000), 9).await, Ok(0));
    subject.close().await;
}

#[tokio::test]
async fn fc_66_an_event_whose_acknowledgement_is_not_stored_is_never_forgotten() {
    let subject = Subject::new().await;
    let epoch = subject.store.acquire_lease("leader", LONG).await.expect("answers").expect("is free");
    subject
        .run(&format!(
            "INSERT INTO msg_event (target, partition_key, state_version, payload_json, state, created_at, sent_at, msg_id) \
             VALUES ('KAFKA:msg', '7', 1, '{{}}', 'SENT', {0}, {0}, 1), ('KAFKA:msg', '7', 2, '{{}}', 'SENT', {0}, NULL, 1)",
            time(at(1))
        ))
        .await;
    assert_eq!(subject.store.forget_events(epoch, at(1_000), 9).await, Ok(0));
    subject.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_on_its_way_to_a_replay_keeps_its_body() {
    let subject = Subject::new().await;
    let epoch = over(&subject, 1).await;
    let mut replay = subject.beside().await;
    replay.execute("BEGIN").await.expect("begins");
    let hold = "UPDATE proc_state SET state = 'PENDING' WHERE msg_id = 1";
    replay.execute(hold).await.expect("holds it");
    assert_eq!(
        subject.store.forget_bodies(epoch, at(99), 9).await,
        Ok(0),
        "it may be on its way to a replay"
    );
    replay.execute("COMMIT").await.expect("commits");
    assert_eq!(subject.store.forget_bodies(epoch, at(99), 9).await, Ok(0), "it is");
    assert_eq!(subject.number("SELECT count(*) FROM msg_raw").await, 1);
    subject.close().await;
}
