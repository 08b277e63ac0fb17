//! A transaction that holds an ID open (C-2, INV-2, DEC-5), on a real mailbox.

use sqlx::{Connection, MySqlConnection};

use crate::support::place::Place;
use crate::support::program::Program;
use crate::support::until;
use crate::support::upstream::execute;

const INSERT: &str = "INSERT INTO CMINMSGS (CMINMSGS_CLOB_MSG) VALUES ('<MSG/>')";
const ENQUEUED: &str = "SELECT COUNT(*) FROM {s}.proc_state";

/// The service on an empty mailbox, one connection with ID 1 open, and 2 to 51 committed.
async fn held(test: &str, max_commit_delay: &str) -> (Place, Program, MySqlConnection) {
    let place = Place::fresh(test).await;
    let mut arguments = [vec!["run".into()], place.arguments()].concat();
    arguments.push(format!("--set=mailbox.max-commit-delay={max_commit_delay}"));
    let program = Program::start(&arguments);
    let mut holder = MySqlConnection::connect(&place.mailbox_url).await.expect("the mailbox answers");
    execute(&mut holder, "BEGIN").await;
    execute(&mut holder, INSERT).await;
    for _ in 0..50 {
        sqlx::raw_sql(INSERT).execute(&place.mailbox).await.expect("inserted");
    }
    (place, program, holder)
}

/// Several polls have seen the rows above the gap.
async fn seen_by_polls(program: &Program) {
    until("the gap is in view", async || program.metric("msgx_gaps_open") >= 1.0).await;
    let ticks = || {
        let text = program.get("metrics").map(|(_, body)| body).unwrap_or_default();
        let line = text.lines().find(|l| l.starts_with("msgx_pipeline_job_ticks_total{job=\"discovery\"}"));
        line.and_then(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).unwrap_or(0.0)
    };
    let before = ticks();
    until("three more polls", async || ticks() >= before + 3.0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn inv_02_nothing_above_an_open_id_is_enqueued_before_it_commits() {
    let (place, program, mut holder) = held("gap_commit", "10 min").await;
    seen_by_polls(&program).await;
    assert_eq!(place.store_count(ENQUEUED).await, 0, "rows above the open ID");
    execute(&mut holder, "COMMIT").await;
    until("all 51 are enqueued", async || place.store_count(ENQUEUED).await == 51).await;
    assert_eq!(place.store_count("SELECT COUNT(*) FROM {s}.inbox_gap").await, 0, "a filled gap is no gap");
}

#[tokio::test(flavor = "multi_thread")]
async fn dec_05_a_rolled_back_id_is_released_after_max_commit_delay_with_ledger_and_metric() {
    let (place, program, mut holder) = held("gap_rollback", "2 s").await;
    seen_by_polls(&program).await;
    execute(&mut holder, "ROLLBACK").await;
    until("the 50 above it are enqueued", async || place.store_count(ENQUEUED).await == 50).await;
    let released = "SELECT COUNT(*) FROM {s}.inbox_gap WHERE first_id = 1 AND last_id = 1 \
                    AND state = 'CLOSED' AND verdict = 'released:age' \
                    AND closed_at >= first_seen + INTERVAL '2 seconds'";
    assert_eq!(place.store_count(released).await, 1, "the ledger has it, closed when its window was over");
    assert!(program.metric("msgx_gap_ids_released_total") >= 1.0);
}
