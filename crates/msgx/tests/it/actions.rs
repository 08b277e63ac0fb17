//! Operator actions by the command line, beside a running service.

mod beside;

use serde_json::Value;
use sqlx::Connection as _;

use crate::support::place::Place;
use crate::support::program::{MSGX, Program, msgx};
use crate::support::until;
use crate::support::upstream::execute;

const DEAD: i64 = 500;

/// Kinds that nobody knows yet: each ends DEAD(EXHAUSTED) after two tries.
async fn put_unknown(place: &Place, from: i64, count: i64) {
    let mut connection = sqlx::MySqlConnection::connect(&place.mailbox_url).await.expect("the mailbox");
    execute(&mut connection, "BEGIN").await;
    for seqn in from..from + count {
        let body = format!(
            "<MSG><META><SNDR>AODB</SNDR><SEQN>{seqn}</SEQN><DTTM>20260501080000</DTTM><TYPE>WHAT</TYPE>\
             <STYP>NONE</STYP></META><WHAT/></MSG>"
        );
        let insert = "INSERT INTO CMINMSGS (CMINMSGS_DATE_RECEIVED, CMINMSGS_STATUS, CMINMSGS_CLOB_MSG) \
                      VALUES (NOW(6), 'VALID', ?)";
        sqlx::query(insert).bind(body).execute(&mut connection).await.expect("inserted");
    }
    execute(&mut connection, "COMMIT").await;
}

async fn count(place: &Place, condition: &str) -> i64 {
    place.store_count(&format!("SELECT COUNT(*) FROM {{s}}.{condition}")).await
}

/// Runs `msgx` with the place's configuration; the exit code and what it printed as JSON.
fn act(place: &Place, arguments: &[&str]) -> (Option<i32>, Value) {
    let configured = place.arguments();
    let all: Vec<&str> = arguments
        .iter()
        .copied()
        .chain(configured.iter().map(String::as_str))
        .chain(["--output", "json"])
        .collect();
    let output = msgx(&all);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    let json = serde_json::from_str(&text).unwrap_or(Value::String(text + &error));
    (output.status.code(), json)
}

/// Must-have of every bulk action: the frozen selection, each target once, however often it is
/// interrupted and given again.
#[tokio::test(flavor = "multi_thread")]
async fn us_11_five_hundred_dead_letters_are_replayed_once_each_although_the_command_is_killed() {
    let place = Place::fresh("bulk").await;
    let fast = vec!["--set=msgx.pipeline.retry-backoff-ms=1".into()];
    let run = [vec!["run".into()], place.arguments(), fast].concat();
    let service = Program::start(&run);
    until("it leads", async || service.metric("msgx_leader") >= 1.0).await;
    put_unknown(&place, 1, DEAD).await;
    until("all are dead", async || count(&place, "proc_state WHERE state = 'DEAD'").await == DEAD).await;
    let replay =
        ["replay", "--type", "WHAT", "--by", "ann", "--reason", "test", "--yes", "--operation", "bulk"];
    let configured = place.arguments();
    until("all are marked", async || count(&place, "proc_state WHERE backfill_at IS NOT NULL").await == DEAD)
        .await;
    // Somebody holds the second half: the command does the first one and can't end.
    let mut other = sqlx::PgConnection::connect(&place.store_url).await.expect("the store answers");
    let hold = format!(
        "BEGIN; SELECT 1 FROM {}.proc_state WHERE msg_id > 250 ORDER BY msg_id FOR UPDATE",
        place.name
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(hold)).execute(&mut other).await.expect("held");
    let mut child = std::process::Command::new(MSGX)
        .args(replay.iter().copied().chain(configured.iter().map(String::as_str)))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("msgx starts");
    until("half of it is done", async || {
        count(&place, "operation_target WHERE outcome = 'DONE'").await == 250
    })
    .await;
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.expect("let go");
    // What matches from now on is not meant.
    put_unknown(&place, 10_001, 20).await;
    until("more of them are dead", async || {
        count(&place, "proc_state WHERE state = 'DEAD' AND attempts = 2").await == 250 + 20
    })
    .await;
    let (code, summary) = act(&place, &replay);
    assert_eq!((code, &summary["now"]), (Some(0), &250.into()), "{summary}");
    let (code, summary) = act(&place, &replay);
    assert_eq!(code, Some(0), "{summary}");
    assert_eq!(
        (&summary["targets"], &summary["done"], &summary["now"]),
        (&DEAD.into(), &DEAD.into(), &0.into())
    );
    until("all are dead again", async || count(&place, "proc_state WHERE state = 'DEAD'").await == DEAD + 20)
        .await;
    let replayed = "proc_state WHERE state = 'DEAD' AND attempts = 3";
    assert_eq!(count(&place, replayed).await, DEAD, "one attempt each");
    assert_eq!(count(&place, "proc_state WHERE attempts = 2").await, 20, "new ones are untouched");
    assert_eq!(count(&place, "audit_log WHERE act = 'replay' AND outcome = 'DONE'").await, DEAD);
    let twice = "(SELECT target_id FROM {s}.audit_log GROUP BY target_id HAVING count(*) > 1) AS twice";
    let twice = twice.replace("{s}", &place.name);
    assert_eq!(place.store_count(&format!("SELECT COUNT(*) FROM {twice}")).await, 0);
    assert_eq!(service.stop(), Some(0));
}

#[test]
fn what_is_asked_wrongly_is_refused_before_anything_is_touched() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = format!("--set=msgx.data-dir={}", directory.path().display());
    assert_eq!(msgx(&["migrate", &data]).status.code(), Some(0));
    let empty = directory.path().join("mailbox.db");
    assert_eq!(
        msgx(&["send", &data, concat!(env!("CARGO_MANIFEST_DIR"), "/../sis/fixtures/flop-gate.xml")])
            .status
            .code(),
        Some(0)
    );
    assert!(empty.exists());
    let who = ["--by", "ann", "--reason", "why"];
    for (arguments, words) in [
        (vec!["replay", "1"], "--by"),
        (vec!["replay", "--by", "ann", "--reason", " ", "1"], "--reason"),
        ([&["replay"], &who[..]].concat(), "name targets by ID"),
        ([&["replay", "1", "--all"], &who[..]].concat(), "exclude each other"),
        ([&["replay", "--class", "ODD"], &who[..]].concat(), "MALFORMED"),
        ([&["replay", "--since", "soon"], &who[..]].concat(), "--since"),
        ([&["skip", "--state", "PENDING"], &who[..]].concat(), "DEAD or FAILED"),
        ([&["pause", "lease"], &who[..]].concat(), "discovery, pump, delivery, marks"),
        ([&["pause", "pump", "--until", "2020-01-01"], &who[..]].concat(), "before it begins"),
    ] {
        let output = msgx(&[arguments.as_slice(), &[data.as_str()]].concat());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
    let output = msgx(&[&["resume", "pump", data.as_str()], &who[..]].concat());
    assert_eq!(output.status.code(), Some(1), "it isn't paused");
    let output = msgx(&[&["replay", "--all", data.as_str()], &who[..]].concat());
    assert_eq!(output.status.code(), Some(0), "nothing matches, nothing is done");
}
