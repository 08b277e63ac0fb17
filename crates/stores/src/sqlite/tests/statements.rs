//! Statements against the schema they are written for.

use sqlx::{Executor, SqlSafeStr};

use super::super::{
    actions, bodies, discovery, events, flights, gaps, history, leadership, marks, outbox, past, pump,
    settle, timeline, views, world,
};
use super::{jobs::JOBS, messages::MESSAGES, store};

/// Every statement of the own store.
const STATEMENTS: [&str; 61] = [
    leadership::LEASE,
    leadership::EPOCH,
    leadership::TAKE_LEASE,
    leadership::BEAT,
    discovery::CURSOR,
    discovery::START_AT,
    discovery::ADVANCE,
    bodies::INSERT_RAW,
    bodies::RAW_IS,
    discovery::INSERT_PENDING,
    gaps::OPEN_GAPS,
    gaps::CLOSED_GAPS,
    gaps::FORGET_OPEN_GAPS,
    gaps::INSERT_OPEN_GAP,
    gaps::INSERT_CLOSED_GAP,
    gaps::RECORD_LATE,
    past::NEWEST_BODIES,
    past::RELEASED_GAPS,
    pump::HEAD,
    world::HOLDERS,
    world::FAMILIES,
    settle::YIELD_IDENTITY,
    settle::SETTLE,
    settle::LOG_ATTEMPT,
    flights::ADD_FLIGHTS,
    flights::UPDATE_FLIGHTS,
    timeline::APPEND_CHANGES,
    timeline::COUNT_KINDS,
    history::PAST,
    history::DUE_FLIGHTS,
    history::KEEP_IN_HISTORY,
    history::END_FLIGHTS,
    history::FORGET_HISTORY,
    history::FORGET_CHANGES,
    pump::ATTEMPTS,
    events::INSERT_CHANGE,
    events::REPLACE_STATE,
    outbox::DUE_EVENTS,
    outbox::EVENTS_SENT,
    outbox::EVENT_FAILED,
    outbox::EVENT_DEAD,
    marks::DUE_MARKS,
    marks::MARKS_DONE,
    marks::MARK_RETRY,
    marks::MARK_ABANDONED,
    views::FACTS,
    views::DELIVERED,
    views::OUTCOMES,
    views::BACKLOG,
    views::FIRST_IN_QUEUE,
    views::GAP_COUNT,
    views::OUTBOX,
    views::FLIGHTS,
    views::FLIGHT,
    views::MESSAGE,
    views::FLIGHTS_OF,
    views::PAST_FLIGHTS_OF,
    views::PAST_FLIGHTS,
    views::FLIGHT_CHANGES,
    views::RELATIVES,
    views::MESSAGE_KINDS,
];

/// Statements of the loops, and looks at one flight or day: none may walk a table that grows with the
/// years.
const IN_LOOPS: [&str; 18] = [
    pump::HEAD,
    world::HOLDERS,
    world::FAMILIES,
    outbox::DUE_EVENTS,
    marks::DUE_MARKS,
    gaps::OPEN_GAPS,
    flights::UPDATE_FLIGHTS,
    history::PAST,
    history::DUE_FLIGHTS,
    history::KEEP_IN_HISTORY,
    history::END_FLIGHTS,
    history::FORGET_HISTORY,
    history::FORGET_CHANGES,
    views::FLIGHTS_OF,
    views::PAST_FLIGHTS_OF,
    views::PAST_FLIGHTS,
    views::FLIGHT_CHANGES,
    views::RELATIVES,
];

#[tokio::test]
async fn every_statement_fits_the_schema() {
    let (_directory, store) = store().await;
    let mut connection = store.database.readers().acquire().await.expect("a connection");
    let of_actions = [
        actions::ADD_OPERATION,
        actions::ADD_TARGETS,
        actions::OPERATION,
        actions::OPEN_TARGETS,
        actions::SEEN,
        actions::SETTLE_TARGETS,
        actions::NOTE,
        actions::AUDIT,
    ];
    let of_actions =
        of_actions.into_iter().chain(actions::EFFECTS).chain(actions::PAUSES).chain(actions::MATCHING);
    for statement in
        STATEMENTS.into_iter().chain(JOBS).chain(MESSAGES).chain(of_actions).chain(actions::SELECTIONS)
    {
        let prepared = (&mut *connection).prepare(statement.into_sql_str()).await;
        assert!(prepared.is_ok(), "{statement}\n{:?}", prepared.err());
    }
}

#[tokio::test]
async fn no_statement_of_a_loop_walks_a_growing_table() {
    let (_directory, store) = store().await;
    for statement in IN_LOOPS.into_iter().chain(JOBS).chain(MESSAGES) {
        let explain = sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}"));
        let plan: Vec<(i64, i64, i64, String)> =
            sqlx::query_as(explain).fetch_all(store.database.readers()).await.expect("a plan");
        for (.., step) in &plan {
            let growing = [
                "proc_state",
                "msg_raw",
                "msg_event",
                "flight_schd",
                "flight_hist",
                "flight_change",
                "flight",
                "past",
                "proc_state_hst",
                "raw",
                "life",
                "stored",
                "r",
                "f",
                "e",
                "main",
                "child",
                "message",
                "event",
                "msg_attempt",
            ];
            let walked = step.strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next());
            let partial = ["ix_proc_head", "ix_proc_unmarked", "ix_proc_settled"]
                .iter()
                .any(|index| step.contains(index));
            assert!(partial || !walked.is_some_and(|table| growing.contains(&table)), "{step}\n{statement}");
        }
    }
}
