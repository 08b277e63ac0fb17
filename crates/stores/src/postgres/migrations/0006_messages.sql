-- Messages for people: what one message led to, and the queue's table and the archive read alike.

CREATE INDEX ix_change_msg ON flight_change (msg_id);
CREATE INDEX ix_event_msg ON msg_event (msg_id);

-- Every message once, with what is kept of it; bare shadows are left out.
CREATE VIEW message_seen AS
SELECT msg_id, state, identity_key, attempts, next_attempt_at, error_class, last_error, updated_at, received_at,
       backfill_at, backfill_next_at, backfill_attempts, backfill_error, backfill_abandoned_at,
       backfill_abandoned_reason, enqueued_at, msg_type, msg_styp, sender, seqn, dttm, content_hash, reconciled_at,
       reconciled_by, reconcile_note, archived_at
FROM proc_state
WHERE state <> 'ARCHIVED'
UNION ALL
SELECT msg_id, state, identity_key, attempts, next_attempt_at, error_class, last_error, updated_at, received_at,
       backfill_at, backfill_next_at, backfill_attempts, backfill_error, backfill_abandoned_at,
       backfill_abandoned_reason, enqueued_at, msg_type, msg_styp, sender, seqn, dttm, content_hash, reconciled_at,
       reconciled_by, reconcile_note, archived_at
FROM proc_state_hst;
