//! The jobs go by their indexes on tables of size, with the plan made for the values at hand and with
//! the one made for any.

use sqlx::{AssertSqlSafe, PgConnection};

use super::plans::{assert_goes_by, plan};
use super::subject::Subject;

/// 300,000 messages: shadows, those that may be archived, those that may not, and a few in the queue.
/// As many in the archive, and bodies of all.
const MESSAGES: &str = "
    INSERT INTO proc_state (msg_id, state, updated_at, enqueued_at, backfill_next_at, backfill_at,
                            backfill_abandoned_at, archived_at, identity_key)
    SELECT id, CASE WHEN id <= 200000 THEN 'ARCHIVED' WHEN id > 299900 THEN 'PENDING' ELSE 'SUCCEEDED' END,
           timestamptz '2026-01-01' + id * interval '1 second', now(), now(),
           CASE WHEN id > 200000 AND id % 50 <> 0 AND id <= 299900 THEN now() END,
           CASE WHEN id > 200000 AND id % 50 = 0 AND id <= 299900 THEN now() END,
           CASE WHEN id <= 200000 THEN timestamptz '2026-01-01' + id * interval '1 second' END, 'AODB|FLOP|ESTT|' || id
    FROM generate_series(1, 300000) AS id;
    INSERT INTO proc_state_hst (msg_id, state, updated_at, enqueued_at, archived_at, content_hash)
    SELECT id, CASE WHEN id % 100 = 0 THEN 'DEAD' ELSE 'SUCCEEDED' END, now(), now(),
           timestamptz '2026-01-01' + id * interval '1 second', sha256(id::text::bytea)
    FROM generate_series(1, 200000) AS id;
    INSERT INTO msg_raw (msg_id, length, body, enqueued_at)
    SELECT id, 3, '\\x00', timestamptz '2026-01-01' + id * interval '1 second' FROM generate_series(1, 300000) AS id;
    INSERT INTO msg_attempt SELECT id, 1, now(), 'INFRA', 'x' FROM generate_series(1, 200000, 10) AS id;
    INSERT INTO inbox_cursor VALUES ('pipeline', 300000, now());";

const EVENTS: &str = "
    INSERT INTO msg_event (target, partition_key, state_version, payload_json, state, created_at, sent_at, msg_id,
                           kafka_offset, discarded_at)
    SELECT 'KAFKA:msg', id % 500, 1, '{}', CASE WHEN id % 1000 = 0 THEN 'DEAD' WHEN id < 299900 THEN 'SENT' ELSE 'PENDING' END,
           now(), CASE WHEN id % 1000 <> 0 AND id < 299900 THEN timestamptz '2026-01-01' + id * interval '1 second' END,
           id, 1, CASE WHEN id % 2000 = 0 THEN now() END
    FROM generate_series(1, 300000) AS id;
    INSERT INTO flight_change (flid, state_version, incarnation, life, msg_id, at, changes)
    SELECT id % 500, id, 1, 'ACTIVE', id, now(), '[]' FROM generate_series(1, 300000) AS id;";

/// Statement, arguments, and the index (or one of two) by which each of its tables is found.
type Case = (&'static str, String, &'static [&'static str]);

fn cases() -> Vec<Case> {
    let ids = (250_001..=250_500).map(|id: i32| id.to_string()).collect::<Vec<_>>().join(",");
    let shadows = (1_001..=1_100).map(|id: i32| id.to_string()).collect::<Vec<_>>().join(",");
    let old = |below: i32| format!("('2026-01-02', {below}, 500)");
    vec![
        ("archivable", "('2026-01-04', '2026-01-01', 0, 500)".to_owned(), &["ix_proc_settled"]),
        ("hold_for_archive", format!("('{{{ids}}}')"), &["proc_state_pkey"]),
        ("copy_to_archive", format!("('{{{ids}}}', now())"), &["proc_state_pkey"]),
        ("leave_shadows", format!("('{{{ids}}}', NULL, NULL, now())"), &["proc_state_pkey"]),
        ("hold_shadows", format!("('{{{shadows}}}')"), &["proc_state_pkey"]),
        (
            "restore",
            format!("('{{{shadows}}}')"),
            &["ix_proc_hst_dead|proc_state_hst_pkey", "proc_state_pkey"],
        ),
        ("leave_archive", format!("('{{{shadows}}}')"), &["proc_state_hst_pkey"]),
        (
            "holders",
            "('{AODB|FLOP|ESTT|7,AODB|FLOP|ESTT|9}')".to_owned(),
            &["uk_proc_identity", "proc_state_hst_pkey"],
        ),
        ("forget_archived", old(1_000), &["ix_proc_hst_archived|proc_state_hst_pkey", "msg_attempt_pkey"]),
        ("forget_shadows", old(1_000), &["ix_proc_shadow|proc_state_pkey"]),
        ("forget_bodies", "('2026-01-02', 500)".to_owned(), &["ix_raw_enqueued", "msg_raw_pkey"]),
        ("forget_events", "('2026-01-02', 500)".to_owned(), &["ix_event_sent", "msg_event_pkey"]),
        ("forget_discarded", "('2026-01-02', 500)".to_owned(), &["ix_event_discarded", "msg_event_pkey"]),
        ("message", "(7)".to_owned(), &["proc_state_pkey", "proc_state_hst_pkey"]),
        ("head", "(500, 16000000)".to_owned(), &["ix_proc_head"]),
        ("due_marks", "(now(), 500)".to_owned(), &["ix_proc_unmarked"]),
    ]
}

/// The comparison with the mailbox, which comes once a day: by then the tables have been analysed.
fn comparison() -> Case {
    let indexes =
        &["proc_state_pkey", "proc_state_hst_pkey", "msg_raw_pkey", "ix_change_msg", "ix_event_msg"];
    ("accounts", "(199500, 200500, '2026-01-01', 1000)".to_owned(), indexes)
}

async fn set(beside: &mut PgConnection, setting: &str) {
    sqlx::raw_sql(AssertSqlSafe(setting.to_owned())).execute(beside).await.expect("a setting");
}

#[tokio::test]
async fn fc_35_jobs_go_by_their_indexes_whatever_the_tables_hold() {
    let subject = Subject::new().await;
    subject.run(MESSAGES).await;
    subject.run(EVENTS).await;
    let mut beside = subject.beside().await;
    for statistics in ["none", "fresh"] {
        if statistics == "fresh" {
            set(
                &mut beside,
                "ANALYZE proc_state, proc_state_hst, msg_raw, msg_event, msg_attempt, flight_change",
            )
            .await;
        }
        for plans in ["force_custom_plan", "force_generic_plan"] {
            set(&mut beside, &format!("SET plan_cache_mode = {plans}")).await;
            let compared = (statistics == "fresh").then(comparison);
            for (name, arguments, indexes) in cases().into_iter().chain(compared) {
                let plan = plan(&mut beside, name, &arguments).await;
                for index in indexes {
                    let found = index.split('|').any(|index| plan.contains(index));
                    assert!(found, "{name} ({statistics}, {plans}) without {index}:\n{plan}");
                }
                for table in
                    ["proc_state", "proc_state_hst", "msg_raw", "msg_event", "msg_attempt", "flight_change"]
                {
                    assert_goes_by(&plan, "", table);
                }
            }
        }
    }
    subject.close().await;
}
