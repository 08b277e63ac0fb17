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
async fn plan(beside: &mut PgConnection, name: &str, arguments: &str) -> String {
    let statement = statements().find(|statement| statement.name == name).expect("a statement of that name");
    let prepare = format!("DEALLOCATE ALL; PREPARE asked AS {}", statement.sql);
    sqlx::raw_sql(AssertSqlSafe(prepare)).execute(&mut *beside).await.expect("prepares");
    let explain = AssertSqlSafe(format!("EXPLAIN EXECUTE asked {arguments}"));
    let rows = sqlx::raw_sql(explain).fetch_all(&mut *beside).await.expect("explains");
    rows.iter().map(|row| row.get::<String, _>(0)).collect::<Vec<_>>().join("\n")
}

fn assert_goes_by(plan: &str, index: &str, table: &str) {
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
