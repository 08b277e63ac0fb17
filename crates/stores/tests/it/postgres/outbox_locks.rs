//! The pump and delivery write the same rows of the outbox at once.

use domain::decide::Effects;
use domain::event::{EventType, NewEvent, Target};
use domain::{Flid, MsgId};
use engine::ports::Store;
use sqlx::Executor;

use super::subject::{Subject, at, succeeded};

fn state(flid: i64, version: i64) -> NewEvent {
    NewEvent {
        target: Target::Schd,
        flid: Flid(flid),
        event_type: EventType::Upsert,
        state_version: version,
        payload: "{}".to_owned(),
        msg_id: MsgId(version),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn states_are_replaced_in_event_order_so_that_no_confirmation_can_deadlock_with_a_run() {
    let subject = Subject::new().await;
    let epoch = subject.lead_with(2).await;
    let first =
        Effects { settled: vec![succeeded(1)], events: vec![state(1, 1), state(2, 1)], ..Effects::default() };
    assert_eq!(subject.store.commit_run(epoch, &first, at(2)).await, Ok(()));

    // A confirmation under way has the first row and still wants the second.
    let mut confirming = subject.beside().await;
    confirming.execute("BEGIN").await.expect("begins");
    let row = |flid: i64| format!("UPDATE msg_event SET attempts = 0 WHERE partition_key = '{flid}'");
    confirming.execute(sqlx::AssertSqlSafe(row(1))).await.expect("the first row");

    // The run meets the flights the other way round.
    let second =
        Effects { settled: vec![succeeded(2)], events: vec![state(2, 2), state(1, 2)], ..Effects::default() };
    let run = subject.store.commit_run(epoch, &second, at(3));
    let confirm = async {
        subject.is_waiting().await;
        confirming.execute(sqlx::AssertSqlSafe(row(2))).await.expect("the run doesn't hold the second row");
        confirming.execute("COMMIT").await.expect("commits");
    };
    let (outcome, ()) = futures::future::join(run, confirm).await;
    assert_eq!(outcome, Ok(()));
    assert_eq!(subject.number("SELECT count(*) FROM msg_event WHERE state_version = 2").await, 2);
    subject.close().await;
}
