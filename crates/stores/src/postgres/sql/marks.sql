-- Marks owed to the mailbox and what became of them (INV-7, INV-8).

-- name: due_marks
SELECT msg_id, enqueued_at, backfill_attempts
FROM proc_state
WHERE backfill_next_at IS NOT NULL AND backfill_at IS NULL AND backfill_abandoned_at IS NULL
  AND backfill_next_at <= $1
  AND state IN ('SUCCEEDED', 'SKIPPED', 'DEAD') AND state <> 'ARCHIVED'
ORDER BY msg_id
LIMIT $2;

-- name: settle_marks
-- updated_at moves when the mark is settled, for good, and not with a try that failed: archiving
-- and the age of the oldest unmarked message are counted from it. MERGE for the reason given with
-- settle.
MERGE INTO proc_state AS message
USING unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[], $4::int[], $5::text[], $6::timestamptz[],
             $7::text[])
      AS given (msg_id, marked_at, next_at, attempts, error, abandoned_at, abandoned_reason)
ON message.msg_id = given.msg_id
WHEN MATCHED AND message.backfill_at IS NULL AND message.backfill_abandoned_at IS NULL
             AND message.state IN ('SUCCEEDED', 'SKIPPED', 'DEAD') AND message.state <> 'ARCHIVED' THEN
    UPDATE SET backfill_at = given.marked_at,
               backfill_next_at = COALESCE(given.next_at, message.backfill_next_at),
               backfill_attempts = COALESCE(given.attempts, message.backfill_attempts),
               backfill_error = given.error,
               backfill_abandoned_at = given.abandoned_at,
               backfill_abandoned_reason = given.abandoned_reason,
               updated_at = COALESCE(given.marked_at, given.abandoned_at, message.updated_at);
