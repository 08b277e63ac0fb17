-- name: archivable
SELECT msg_id, state, updated_at FROM proc_state INDEXED BY ix_proc_settled
WHERE state IN ('SUCCEEDED', 'SKIPPED', 'DEAD') AND state <> 'ARCHIVED'
  AND (backfill_at IS NOT NULL OR (backfill_abandoned_at IS NOT NULL AND reconciled_at IS NOT NULL))
  AND updated_at < ?1 AND (updated_at, msg_id) > (?2, ?3)
ORDER BY updated_at, msg_id LIMIT ?4;

-- name: copy_to_archive
-- Takes [[msg_id, state, updated_at], ...]: who changed since stays as it is.
INSERT INTO proc_state_hst
    (msg_id, state, identity_key, attempts, next_attempt_at, error_class, last_error, updated_at, received_at,
     backfill_at, backfill_next_at, backfill_attempts, backfill_error, backfill_abandoned_at,
     backfill_abandoned_reason, enqueued_at, msg_type, msg_styp, sender, seqn, dttm, content_hash, reconciled_at,
     reconciled_by, reconcile_note, archived_at)
SELECT message.msg_id, message.state, identity_key, attempts, next_attempt_at, error_class, last_error,
       message.updated_at, received_at, backfill_at, backfill_next_at, backfill_attempts, backfill_error,
       backfill_abandoned_at, backfill_abandoned_reason, enqueued_at, msg_type, msg_styp, sender, seqn, dttm,
       content_hash, reconciled_at, reconciled_by, reconcile_note, ?2
FROM json_each(?1) AS seen JOIN proc_state AS message ON message.msg_id = seen.value ->> 0
WHERE message.state = seen.value ->> 1 AND message.updated_at = seen.value ->> 2 AND message.state <> 'ARCHIVED'
  AND (backfill_at IS NOT NULL OR (backfill_abandoned_at IS NOT NULL AND reconciled_at IS NOT NULL));

-- name: leave_shadows
-- The same rows, by the same conditions.
UPDATE proc_state AS message SET
    state = 'ARCHIVED', attempts = 0, next_attempt_at = NULL, error_class = NULL, last_error = NULL, updated_at = ?2,
    received_at = NULL, backfill_at = NULL, backfill_next_at = NULL, backfill_attempts = 0, backfill_error = NULL,
    backfill_abandoned_at = NULL, backfill_abandoned_reason = NULL, enqueued_at = ?2, msg_type = NULL,
    msg_styp = NULL, sender = NULL, seqn = NULL, dttm = NULL, content_hash = NULL, reconciled_at = NULL,
    reconciled_by = NULL, reconcile_note = NULL, archived_at = ?2
FROM json_each(?1) AS seen
WHERE message.msg_id = seen.value ->> 0 AND message.state = seen.value ->> 1
  AND message.updated_at = seen.value ->> 2 AND message.state <> 'ARCHIVED'
  AND (message.backfill_at IS NOT NULL
       OR (message.backfill_abandoned_at IS NOT NULL AND message.reconciled_at IS NOT NULL));

-- name: restore
-- All as it was but the identity: who gave it up meanwhile doesn't get it back.
UPDATE proc_state AS message SET
    state = past.state,
    attempts = past.attempts,
    next_attempt_at = past.next_attempt_at,
    error_class = past.error_class,
    last_error = past.last_error,
    updated_at = past.updated_at,
    received_at = past.received_at,
    backfill_at = past.backfill_at,
    backfill_next_at = past.backfill_next_at,
    backfill_attempts = past.backfill_attempts,
    backfill_error = past.backfill_error,
    backfill_abandoned_at = past.backfill_abandoned_at,
    backfill_abandoned_reason = past.backfill_abandoned_reason,
    enqueued_at = past.enqueued_at,
    msg_type = past.msg_type,
    msg_styp = past.msg_styp,
    sender = past.sender,
    seqn = past.seqn,
    dttm = past.dttm,
    content_hash = past.content_hash,
    reconciled_at = past.reconciled_at,
    reconciled_by = past.reconciled_by,
    reconcile_note = past.reconcile_note,
    archived_at = NULL
FROM proc_state_hst AS past
WHERE past.msg_id = message.msg_id AND past.state = 'DEAD' AND message.state = 'ARCHIVED'
  AND message.msg_id IN (SELECT value FROM json_each(?1))
  AND EXISTS (SELECT 1 FROM msg_raw WHERE msg_raw.msg_id = message.msg_id)
RETURNING msg_id;

-- name: leave_archive
DELETE FROM proc_state_hst WHERE msg_id IN (SELECT value FROM json_each(?1));
