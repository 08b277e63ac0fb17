//! The store as a subject of archive and retention.

use contract::{KeepingHarness, Shadow};
use domain::message::IdentityKey;
use domain::{EventId, MsgId};
use jiff::Timestamp;
use sqlx::AssertSqlSafe;

use super::subject::Subject;

/// A time in SQL.
pub(super) fn time(at: Timestamp) -> String {
    format!("('epoch'::timestamptz + {} * interval '1 microsecond')", at.as_microsecond())
}

impl Subject {
    async fn ids(&self, table: &str) -> Vec<i64> {
        let mut beside = self.beside().await;
        let query = AssertSqlSafe(format!("SELECT msg_id FROM {table} ORDER BY msg_id"));
        sqlx::query_scalar(query).fetch_all(&mut beside).await.expect("IDs")
    }
}

impl KeepingHarness for Subject {
    async fn reconcile(&self, msg_id: MsgId, at: Timestamp) {
        self.run(&format!(
            "UPDATE proc_state SET reconciled_at = {}, reconciled_by = 'ops', reconcile_note = 'seen' \
             WHERE msg_id = {msg_id} AND backfill_abandoned_at IS NOT NULL",
            time(at)
        ))
        .await;
    }

    async fn replay(&self, msg_id: MsgId, at: Timestamp) {
        self.run(&format!(
            "UPDATE proc_state SET state = 'PENDING', attempts = 0, error_class = NULL, last_error = NULL, \
             updated_at = {} WHERE msg_id = {msg_id} AND state = 'DEAD'",
            time(at)
        ))
        .await;
    }

    async fn discard(&self, event_id: EventId, at: Timestamp) {
        let at = time(at);
        let event = event_id.0;
        self.run(&format!(
            "UPDATE msg_event SET discarded_at = {at} WHERE event_id = {event} AND state = 'DEAD'"
        ))
        .await;
    }

    async fn occupy_archive(&self, msg_id: MsgId) {
        self.run(&format!(
            "INSERT INTO proc_state_hst (msg_id, state, updated_at, enqueued_at, archived_at) \
             SELECT msg_id, state, updated_at, enqueued_at, updated_at FROM proc_state WHERE msg_id = {msg_id}"
        ))
        .await;
    }

    async fn shadow(&self, msg_id: MsgId) -> Option<Shadow> {
        let mut beside = self.beside().await;
        let query = "SELECT identity_key, (extract(epoch FROM archived_at) * 1000000)::bigint, \
                            json_strip_nulls(row_to_json(proc_state))::text \
                     FROM proc_state \
                     WHERE msg_id = $1 AND state = 'ARCHIVED'";
        let query = sqlx::query_as(query).bind(msg_id.0);
        let row: Option<(Option<String>, i64, String)> =
            query.fetch_optional(&mut beside).await.expect("a row");
        let (identity, archived_at, document) = row?;
        let document: serde_json::Value = serde_json::from_str(&document).expect("a document");
        let mut cells = document.as_object().expect("a row").clone();
        let archived = cells.remove("archived_at").expect("its time");
        for same in ["updated_at", "enqueued_at"] {
            assert_eq!(cells.remove(same).as_ref(), Some(&archived), "{same}");
        }
        for none in ["attempts", "backfill_attempts"] {
            assert_eq!(cells.remove(none), Some(0.into()), "{none}");
        }
        cells.remove("identity_key");
        let left: Vec<&str> = cells.keys().map(String::as_str).collect();
        assert_eq!(left, ["msg_id", "state"], "all else is NULL");
        let archived_at = Timestamp::from_microsecond(archived_at).expect("a time");
        Some(Shadow { identity: identity.map(IdentityKey), archived_at })
    }

    async fn archived(&self) -> Vec<i64> {
        self.ids("proc_state_hst").await
    }

    async fn bodies(&self) -> Vec<i64> {
        self.ids("msg_raw").await
    }
}
