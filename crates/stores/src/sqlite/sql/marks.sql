-- name: due_marks
SELECT msg_id, enqueued_at, backfill_attempts FROM proc_state INDEXED BY ix_proc_unmarked
WHERE backfill_next_at IS NOT NULL AND backfill_at IS NULL AND backfill_abandoned_at IS NULL
  AND backfill_next_at <= ?1
  AND state IN ('SUCCEEDED', 'SKIPPED', 'DEAD')
ORDER BY msg_id LIMIT ?2;

-- name: marks_done
-- updated_at moves when the mark is settled for good, not with a try that failed: archiving counts
-- from it. backfill_next_at stays, as on PostgreSQL: a passport shows it as the time the mark was due.
-- Takes [msg_id, ...]: nearly every mark ends so, hence one statement for all of them.
UPDATE proc_state SET backfill_at = ?2, backfill_error = NULL, updated_at = ?2
WHERE msg_id IN (SELECT value FROM json_each(?1))
  AND backfill_next_at IS NOT NULL AND backfill_at IS NULL AND backfill_abandoned_at IS NULL
  AND state IN ('SUCCEEDED', 'SKIPPED', 'DEAD');

-- name: mark_retry
UPDATE proc_state SET backfill_attempts = ?2, backfill_next_at = ?3, backfill_error = ?4
WHERE msg_id = ?1
  AND backfill_next_at IS NOT NULL AND backfill_at IS NULL AND backfill_abandoned_at IS NULL
  AND state IN ('SUCCEEDED', 'SKIPPED', 'DEAD');

-- name: mark_abandoned
UPDATE proc_state SET backfill_abandoned_at = ?2, backfill_abandoned_reason = ?3,
    backfill_error = coalesce(nullif(?4, ''), backfill_error), updated_at = ?2
WHERE msg_id = ?1
  AND backfill_next_at IS NOT NULL AND backfill_at IS NULL AND backfill_abandoned_at IS NULL
  AND state IN ('SUCCEEDED', 'SKIPPED', 'DEAD');
