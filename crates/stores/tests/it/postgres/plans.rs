//! What is asked many times a second goes by its partial index, whatever the table holds.

use sqlx::{AssertSqlSafe, PgConnection, Row};
use stores::postgres::statements;

use super::subject::Subject;

/// 20,000 messages, each in the state that an expression over `id` gives.
fn messages(states: &str) -> String {
    format!(
        "INSERT INTO proc_state (msg_id, state, updated_at, backfill_next_at, backfill_at) \
         SELECT id, state, now(), now(), CASE WHEN state = 'SUCCEEDED' AND id < 19900 THEN now() END \
         FROM (SELECT id, {states} AS state FROM generate_series(1, 20000) AS id) AS made; \
         INSERT INTO inbox_cursor VALUES ('pipeline', 20000, now()); \
         ANALYZE proc_state"
    )
}

const EVENTS: &str = "INSERT INTO msg_event \
     (target, partition_key, state_version, payload_json, state, created_at, msg_id) \
     SELECT 'KAFKA:msg', id % 500, 1, '{}', CASE WHEN id < 19900 THEN 'SENT' ELSE 'PENDING' END, now(), id \
     FROM generate_series(1, 20000) AS id; \
     ANALYZE msg_event";

/// The plan with `arguments` as they stand between the parentheses of EXECUTE.
pub(super) async fn plan(beside: &mut PgConnection, name: &str, arguments: &str) -> String {
    let statement = statements().find(|statement| statement.name == name).expect("a statement of that name");
    let prepare = format!("DEALLOCATE ALL; PREPARE asked AS {}", statement.sql);
    sqlx::raw_sql(AssertSqlSafe(prepare)).execute(&mut *beside).await.expect("prepares");
    let explain = AssertSqlSafe(format!("EXPLAIN EXECUTE asked {arguments}"));
    let rows = sqlx::raw_sql(explain).fetch_all(&mut *beside).await.expect("explains");
    rows.iter().map(|row| row.get::<String, _>(0)).collect::<Vec<_>>().join("\n")
}

pub(super) fn assert_goes_by(plan: &str, index: &str, table: &str) {
    assert!(plan.contains(index), "{index} is not used:\n{plan}");
    assert!(!plan.contains(&format!("Seq Scan on {table}")), "{table} is scanned:\n{plan}");
}

#[tokio::test]
async fn the_head_goes_by_its_partial_index_in_a_short_queue_and_in_a_backlog() {
    for states in ["CASE WHEN id < 19900 THEN 'SUCCEEDED' ELSE 'PENDING' END", "'PENDING'::text"] {
        let subject = Subject::new().await;
        subject.run(&messages(states)).await;
        let mut beside = subject.beside().await;
        for (name, arguments) in [("head", "(500, 16000000)"), ("first_in_queue", "")] {
            assert_goes_by(&plan(&mut beside, name, arguments).await, "ix_proc_head", "proc_state");
        }
        subject.close().await;
    }
}

#[tokio::test]
async fn due_marks_go_by_their_partial_index() {
    let subject = Subject::new().await;
    subject.run(&messages("'SUCCEEDED'::text")).await;
    let mut beside = subject.beside().await;
    let plan = plan(&mut beside, "due_marks", "(now(), 500)").await;
    assert_goes_by(&plan, "ix_proc_unmarked", "proc_state");
    subject.close().await;
}

#[tokio::test]
async fn due_events_go_by_their_partial_indexes() {
    let subject = Subject::new().await;
    subject.run(EVENTS).await;
    let mut beside = subject.beside().await;
    let plan = plan(&mut beside, "due_events", "('KAFKA:msg', now(), 500)").await;
    assert_goes_by(&plan, "ix_event_pending", "msg_event");
    subject.close().await;
}

#[tokio::test]
async fn outcomes_find_their_rows_by_primary_key_even_without_statistics() {
    let subject = Subject::new().await;
    subject.run(&messages("'SUCCEEDED'::text").replace("ANALYZE proc_state", "")).await;
    let mut beside = subject.beside().await;
    let ids = (1..=200).map(|id: i32| id.to_string()).collect::<Vec<_>>().join(",");
    let arguments = format!("('{{{ids}}}', NULL, NULL, NULL, NULL, NULL, NULL)");
    let plan = plan(&mut beside, "settle_marks", &arguments).await;
    assert!(!plan.contains("ix_proc_unmarked"), "every row that owes a mark is visited:\n{plan}");
    subject.close().await;
}

/// 20,000 flights, of which 200 are due, and as many in history with 20 steps of a timeline for each
/// hundredth.
const FLIGHTS: &str = "INSERT INTO flight_schd \
     (flid, life, state_version, incarnation, floor_msg_id, schedule_msg_id, last_msg_id, operation_day, main_flid, \
      turn_flid, document, updated_at) \
     SELECT id, 'ACTIVE', 1, 1, 0, 1, 1, date '2026-05-01' + id / 200, CASE WHEN id % 10 = 0 THEN id + 1 END, \
            CASE WHEN id % 3 = 0 THEN id + 2 END, '{}', now() \
     FROM generate_series(1, 20000) AS id; \
     INSERT INTO flight_hist \
     SELECT flid, life, state_version, incarnation, floor_msg_id, schedule_msg_id, last_msg_id, operation_day, \
            main_flid, turn_flid, document, updated_at, now() + flid * interval '1 minute' FROM flight_schd; \
     INSERT INTO flight_change \
     SELECT id / 20 * 100, id % 20, 1, 'ACTIVE', id, NULL, NULL, now() + id * interval '1 minute', '[]' \
     FROM generate_series(1, 20000) AS id; \
     ANALYZE flight_schd; ANALYZE flight_hist; ANALYZE flight_change";

#[tokio::test]
async fn looks_at_few_flights_walk_through_no_table_of_flights() {
    let subject = Subject::new().await;
    subject.run(FLIGHTS).await;
    let mut beside = subject.beside().await;
    for (name, arguments) in [
        ("families", "('{7,10}')"),
        ("past", "('{7,10}')"),
        ("due_flights", "('2026-05-02', '2020-01-01', 200)"),
        ("keep_in_history", "('{7,10}', now())"),
        ("end_flights", "('{7,10}')"),
        ("forget_history", "('2020-01-01', 1000)"),
        ("forget_changes", "('2020-01-01', 1000)"),
        ("flights_of", "('2026-05-02', 500)"),
        ("past_flights_of", "('2026-05-02', 500)"),
        ("past_flights", "(7)"),
        ("flight_changes", "(700, 100)"),
        ("relatives", "(7)"),
    ] {
        let plan = plan(&mut beside, name, arguments).await;
        assert!(!plan.contains("Seq Scan on flight"), "{name} walks a table:\n{plan}");
    }
    subject.close().await;
}

#[tokio::test]
async fn flights_are_saved_by_their_key_even_without_statistics() {
    let subject = Subject::new().await;
    subject.run(FLIGHTS.split_once("; INSERT INTO flight_hist").expect("two inserts").0).await;
    let mut beside = subject.beside().await;
    let flids = (1..=200).map(|id: i32| id.to_string()).collect::<Vec<_>>().join(",");
    let arguments =
        format!("('{{{flids}}}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, now(), NULL)");
    assert_goes_by(&plan(&mut beside, "save_flights", &arguments).await, "flight_schd_pkey", "flight_schd");
    subject.close().await;
}

#[tokio::test]
async fn operators_find_dead_letters_and_abandoned_marks_by_index() {
    let subject = Subject::new().await;
    subject.run(&messages("CASE WHEN id % 100 = 0 THEN 'DEAD' ELSE 'SUCCEEDED' END")).await;
    let mut beside = subject.beside().await;
    let anything = "(0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1000)";
    for (name, arguments, index) in [
        ("dead_matching", anything, "ix_proc_dead"),
        ("failed_matching", anything, "ix_proc_failed"),
        ("abandoned_matching", anything, "ix_proc_abandoned"),
        ("messages_by_id", "('{7,9}')", "proc_state_pkey"),
        ("hold_messages", "('{7,9}')", "proc_state_pkey"),
    ] {
        assert_goes_by(&plan(&mut beside, name, arguments).await, index, "proc_state");
    }
    subject.close().await;
}
