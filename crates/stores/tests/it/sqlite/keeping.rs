//! The store as a subject of archive and retention.

use contract::{KeepingHarness, Shadow};
use domain::message::IdentityKey;
use domain::{EventId, MsgId};
use jiff::Timestamp;
use sqlx::AssertSqlSafe;

use super::store_subject::StoreSubject;

impl StoreSubject {
    /// One row is changed.
    async fn change(&self, sql: String) {
        let changed = sqlx::query(AssertSqlSafe(sql)).execute(&mut self.beside().await).await;
        assert_eq!(changed.expect("valid SQL").rows_affected(), 1);
    }

    async fn ids(&self, table: &str) -> Vec<i64> {
        let query = AssertSqlSafe(format!("SELECT msg_id FROM {table} ORDER BY msg_id"));
        sqlx::query_scalar(query).fetch_all(&mut self.beside().await).await.expect("IDs")
    }
}

impl KeepingHarness for StoreSubject {
    async fn reconcile(&self, msg_id: MsgId, at: Timestamp) {
        self.change(format!(
            "UPDATE proc_state SET reconciled_at = {}, reconciled_by = 'ops', reconcile_note = 'seen' \
             WHERE msg_id = {msg_id} AND backfill_abandoned_at IS NOT NULL",
            at.as_microsecond()
        ))
        .await;
    }

    async fn replay(&self, msg_id: MsgId, at: Timestamp) {
        self.change(format!(
            "UPDATE proc_state SET state = 'PENDING', attempts = 0, error_class = NULL, last_error = NULL, \
             updated_at = {} WHERE msg_id = {msg_id} AND state = 'DEAD'",
            at.as_microsecond()
        ))
        .await;
    }

    async fn discard(&self, event_id: EventId, at: Timestamp) {
        let (at, event) = (at.as_microsecond(), event_id.0);
        self.change(format!(
            "UPDATE msg_event SET discarded_at = {at} WHERE event_id = {event} AND state = 'DEAD'"
        ))
        .await;
    }

    async fn occupy_archive(&self, msg_id: MsgId) {
        self.change(format!(
            "INSERT INTO proc_state_hst (msg_id, state, updated_at, enqueued_at, archived_at) \
             SELECT msg_id, state, updated_at, enqueued_at, updated_at FROM proc_state WHERE msg_id = {msg_id}"
        ))
        .await;
    }

    async fn shadow(&self, msg_id: MsgId) -> Option<Shadow> {
        let query = "SELECT identity_key, archived_at,
                            attempts = 0 AND backfill_attempts = 0 AND updated_at = archived_at
                            AND enqueued_at = archived_at
                            AND coalesce(next_attempt_at, error_class, last_error, received_at, backfill_at,
                                         backfill_next_at, backfill_error, backfill_abandoned_at,
                                         backfill_abandoned_reason, msg_type, msg_styp, sender, seqn, dttm,
                                         content_hash, reconciled_at, reconciled_by, reconcile_note) IS NULL
                     FROM proc_state WHERE msg_id = ?1 AND state = 'ARCHIVED'";
        let query = sqlx::query_as(query).bind(msg_id.0);
        let row: Option<(Option<String>, i64, bool)> =
            query.fetch_optional(&mut self.beside().await).await.expect("a row");
        let (identity, archived_at, says_no_more) = row?;
        assert!(says_no_more, "all else is NULL");
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
