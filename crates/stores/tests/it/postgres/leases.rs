//! Take-overs that meet transactions under way.

use std::time::Duration;

use domain::Epoch;
use domain::decide::Effects;
use engine::ports::{Store, StoreError};
use futures::future::join_all;
use sqlx::Connection;

use super::subject::{LONG, Subject, at, succeeded};

#[tokio::test]
async fn of_many_that_take_the_lease_at_once_one_wins() {
    let subject = Subject::new().await;
    let owners = ["a", "b", "c", "d", "e", "f"];
    let outcomes = join_all(owners.map(|owner| subject.store.acquire_lease(owner, LONG))).await;
    let winners: Vec<_> = outcomes.into_iter().filter_map(|outcome| outcome.expect("answers")).collect();
    assert_eq!(winners, [Epoch(1)]);
    subject.close().await;
}

#[tokio::test]
async fn inv_17_a_run_that_meets_a_take_over_waits_and_writes_nothing() {
    let subject = Subject::new().await;
    let epoch = subject.lead_with(2).await;
    let mut beside = subject.beside().await;
    let mut take_over = beside.begin().await.expect("begins");
    let update = sqlx::query("UPDATE pipeline_lease SET epoch = epoch + 1, owner = 'other'");
    update.execute(&mut *take_over).await.expect("takes over");

    let store = subject.store.clone();
    let run = Effects { settled: vec![succeeded(1), succeeded(2)], ..Effects::default() };
    let commit = tokio::spawn(async move { store.commit_run(epoch, &run, at(2)).await });
    subject.is_waiting().await;
    take_over.commit().await.expect("commits");

    assert_eq!(commit.await.expect("no panic"), Err(StoreError::Fenced(epoch)));
    assert_eq!(subject.number("SELECT count(*) FROM proc_state WHERE state = 'PENDING'").await, 2);
    subject.close().await;
}

#[tokio::test]
async fn a_take_over_waits_for_a_transaction_that_holds_the_fence() {
    let subject = Subject::new().await;
    let first = subject.store.acquire_lease("first", Duration::ZERO).await;
    assert_eq!(first, Ok(Some(Epoch(1))));
    let mut beside = subject.beside().await;
    let mut run = beside.begin().await.expect("begins");
    sqlx::query("SELECT epoch FROM pipeline_lease FOR SHARE")
        .execute(&mut *run)
        .await
        .expect("holds the fence");

    let store = subject.store.clone();
    let take_over = tokio::spawn(async move { store.acquire_lease("second", LONG).await });
    subject.is_waiting().await;
    run.commit().await.expect("commits");

    assert_eq!(take_over.await.expect("no panic"), Ok(Some(Epoch(2))));
    subject.close().await;
}

#[tokio::test]
async fn a_doubt_is_settled_only_when_runs_without_flights_have_ended_too() {
    let subject = Subject::new().await;
    subject.lead_with(1).await;
    let mut beside = subject.beside().await;
    let mut run = beside.begin().await.expect("begins");
    sqlx::query("SELECT epoch FROM pipeline_lease FOR SHARE")
        .execute(&mut *run)
        .await
        .expect("holds the fence");

    let store = subject.store.clone();
    let settle = tokio::spawn(async move { store.settle_doubt().await });
    subject.is_waiting().await;
    run.rollback().await.expect("rolls back");

    assert_eq!(settle.await.expect("no panic"), Ok(()));
    subject.close().await;
}

#[tokio::test]
async fn a_lease_that_ends_beyond_our_calendar_is_told_as_corrupt() {
    let subject = Subject::new().await;
    subject.store.acquire_lease("first", LONG).await.expect("answers");
    for end in ["infinity", "-infinity", "294276-12-31", "4713-01-01 BC", "9999-12-30", "0001-01-01"] {
        subject.run(&format!("UPDATE pipeline_heartbeat SET expires_at = '{end}'")).await;
        let lease = subject.store.lease().await;
        let ours = matches!(end, "9999-12-30" | "0001-01-01" | "4713-01-01 BC");
        match lease {
            Ok(_) => assert!(ours, "{end}"),
            Err(StoreError::Corrupt { column, .. }) => assert!(!ours && column == "expires_at", "{end}"),
            Err(other) => panic!("{end}: {other}"),
        }
    }
    subject.close().await;
}
