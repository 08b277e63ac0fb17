-- Messages that are over become shadows of themselves, and dead letters come back (INV-9).

-- name: archivable
SELECT msg_id, state, updated_at
FROM proc_state
WHERE state IN ('SUCCEEDED', 'SKIPPED', 'DEAD') AND state <> 'ARCHIVED'
  AND (backfill_at IS NOT NULL OR (backfill_abandoned_at IS NOT NULL AND reconciled_at IS NOT NULL))
  AND updated_at < $1
  AND (updated_at, msg_id) > ($2::timestamptz, $3::bigint)
ORDER BY updated_at, msg_id
LIMIT $4;

-- name: hold_for_archive
-- By key alone, so that no plan can walk another index; whether each is as it was seen is looked at
-- afterwards, on rows that can't change any more. A row that somebody else holds is passed by.
SELECT msg_id, state, updated_at,
       (backfill_at IS NOT NULL OR (backfill_abandoned_at IS NOT NULL AND reconciled_at IS NOT NULL)) AS settled
FROM proc_state
WHERE msg_id = ANY($1::bigint[]) AND state <> 'ARCHIVED'
ORDER BY msg_id
FOR UPDATE SKIP LOCKED;

-- name: copy_to_archive
INSERT INTO proc_state_hst
    (msg_id, state, identity_key, attempts, next_attempt_at, error_class, last_error, updated_at, received_at,
     backfill_at, backfill_next_at, backfill_attempts, backfill_error, backfill_abandoned_at,
     backfill_abandoned_reason, enqueued_at, msg_type, msg_styp, sender, seqn, dttm, content_hash, reconciled_at,
     reconciled_by, reconcile_note, archived_at)
SELECT msg_id, state, identity_key, attempts, next_attempt_at, error_class, last_error, updated_at, received_at,
       backfill_at, backfill_next_at, backfill_attempts, backfill_error, backfill_abandoned_at,
       backfill_abandoned_reason, enqueued_at, msg_type, msg_styp, sender, seqn, dttm, content_hash, reconciled_at,
       reconciled_by, reconcile_note, $2::timestamptz
FROM proc_state
WHERE msg_id = ANY($1::bigint[]) AND state <> 'ARCHIVED';

-- name: leave_shadows
-- Conditional on state and time seen. MERGE for the reason given with settle.
MERGE INTO proc_state AS message
USING unnest($1::bigint[], $2::text[], $3::timestamptz[]) AS seen (msg_id, state, updated_at)
ON message.msg_id = seen.msg_id
WHEN MATCHED AND message.state = seen.state AND message.updated_at = seen.updated_at THEN
    UPDATE SET state = 'ARCHIVED',
               attempts = 0,
               next_attempt_at = NULL,
               error_class = NULL,
               last_error = NULL,
               updated_at = $4::timestamptz,
               received_at = NULL,
               backfill_at = NULL,
               backfill_next_at = NULL,
               backfill_attempts = 0,
               backfill_error = NULL,
               backfill_abandoned_at = NULL,
               backfill_abandoned_reason = NULL,
               enqueued_at = $4::timestamptz,
               msg_type = NULL,
               msg_styp = NULL,
               sender = NULL,
               seqn = NULL,
               dttm = NULL,
               content_hash = NULL,
               reconciled_at = NULL,
               reconciled_by = NULL,
               reconcile_note = NULL,
               archived_at = $4::timestamptz;

-- name: hold_shadows
-- By key alone, like hold_for_archive.
SELECT msg_id, state FROM proc_state WHERE msg_id = ANY($1::bigint[]) ORDER BY msg_id FOR UPDATE;

-- name: restore
-- All as it was but the identity: who gave it up meanwhile doesn't get it back.
MERGE INTO proc_state AS message
USING (SELECT * FROM proc_state_hst AS kept
       WHERE kept.msg_id = ANY($1::bigint[]) AND kept.state = 'DEAD'
         AND EXISTS (SELECT 1 FROM msg_raw AS raw WHERE raw.msg_id = kept.msg_id)) AS past
ON message.msg_id = past.msg_id
WHEN MATCHED AND message.state = 'ARCHIVED' THEN
    UPDATE SET state = past.state,
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
               archived_at = NULL;

-- name: leave_archive
-- What is in the queue's table again is here no more.
DELETE FROM proc_state_hst AS past
WHERE past.msg_id = ANY($1::bigint[])
  AND EXISTS (SELECT 1 FROM proc_state AS message WHERE message.msg_id = past.msg_id AND message.state = 'DEAD')
RETURNING past.msg_id;
