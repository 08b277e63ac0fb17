-- What operators do. The write lock of the file is the lock of all of it.

-- name: dead_matching
-- A statement per state: each has its index, whatever else is asked for.
SELECT msg_id, state, error_class, attempts, backfill_at, backfill_abandoned_at, backfill_abandoned_reason,
       reconciled_at, msg_type, msg_styp, last_error,
       EXISTS (SELECT 1 FROM msg_raw AS raw WHERE raw.msg_id = proc_state.msg_id) AS has_body
FROM proc_state INDEXED BY ix_proc_dead
WHERE state = 'DEAD'
  AND msg_id > ?1
  AND (?2 IS NULL OR msg_id >= ?2) AND (?3 IS NULL OR msg_id <= ?3)
  AND (?4 IS NULL OR error_class = ?4)
  AND (?5 IS NULL OR msg_type = ?5) AND (?6 IS NULL OR msg_styp = ?6)
  AND (?7 IS NULL OR sender = ?7)
  AND (?8 IS NULL OR enqueued_at >= ?8) AND (?9 IS NULL OR enqueued_at < ?9)
  AND (?10 IS NULL OR last_error LIKE ?10)
ORDER BY msg_id
LIMIT ?11;

-- name: archived_matching
-- Dead letters are replayed from the archive too, as long as their shadow and their body are kept.
SELECT msg_id, state, error_class, attempts, backfill_at, backfill_abandoned_at, backfill_abandoned_reason,
       reconciled_at, msg_type, msg_styp, last_error, TRUE AS has_body
FROM proc_state_hst INDEXED BY ix_proc_hst_dead
WHERE state = 'DEAD'
  AND EXISTS (SELECT 1 FROM proc_state AS shadow
              WHERE shadow.msg_id = proc_state_hst.msg_id AND shadow.state = 'ARCHIVED')
  AND EXISTS (SELECT 1 FROM msg_raw AS raw WHERE raw.msg_id = proc_state_hst.msg_id)
  AND msg_id > ?1
  AND (?2 IS NULL OR msg_id >= ?2) AND (?3 IS NULL OR msg_id <= ?3)
  AND (?4 IS NULL OR error_class = ?4)
  AND (?5 IS NULL OR msg_type = ?5) AND (?6 IS NULL OR msg_styp = ?6)
  AND (?7 IS NULL OR sender = ?7)
  AND (?8 IS NULL OR enqueued_at >= ?8) AND (?9 IS NULL OR enqueued_at < ?9)
  AND (?10 IS NULL OR last_error LIKE ?10)
ORDER BY msg_id
LIMIT ?11;

-- name: archived_by_id
SELECT msg_id, state, error_class, attempts, backfill_at, backfill_abandoned_at, backfill_abandoned_reason,
       reconciled_at, msg_type, msg_styp, last_error, TRUE AS has_body
FROM proc_state_hst
WHERE msg_id IN (SELECT value FROM json_each(?1)) AND state = 'DEAD'
  AND EXISTS (SELECT 1 FROM msg_raw AS raw WHERE raw.msg_id = proc_state_hst.msg_id)
ORDER BY msg_id;

-- name: failed_matching
SELECT msg_id, state, error_class, attempts, backfill_at, backfill_abandoned_at, backfill_abandoned_reason,
       reconciled_at, msg_type, msg_styp, last_error,
       EXISTS (SELECT 1 FROM msg_raw AS raw WHERE raw.msg_id = proc_state.msg_id) AS has_body
FROM proc_state INDEXED BY ix_proc_failed
WHERE state = 'FAILED'
  AND msg_id > ?1
  AND (?2 IS NULL OR msg_id >= ?2) AND (?3 IS NULL OR msg_id <= ?3)
  AND (?4 IS NULL OR error_class = ?4)
  AND (?5 IS NULL OR msg_type = ?5) AND (?6 IS NULL OR msg_styp = ?6)
  AND (?7 IS NULL OR sender = ?7)
  AND (?8 IS NULL OR enqueued_at >= ?8) AND (?9 IS NULL OR enqueued_at < ?9)
  AND (?10 IS NULL OR last_error LIKE ?10)
ORDER BY msg_id
LIMIT ?11;

-- name: abandoned_matching
SELECT msg_id, state, error_class, attempts, backfill_at, backfill_abandoned_at, backfill_abandoned_reason,
       reconciled_at, msg_type, msg_styp, last_error,
       EXISTS (SELECT 1 FROM msg_raw AS raw WHERE raw.msg_id = proc_state.msg_id) AS has_body
FROM proc_state INDEXED BY ix_proc_abandoned
WHERE backfill_abandoned_at IS NOT NULL AND reconciled_at IS NULL
  AND msg_id > ?1
  AND (?2 IS NULL OR msg_id >= ?2) AND (?3 IS NULL OR msg_id <= ?3)
  AND (?4 IS NULL OR error_class = ?4)
  AND (?5 IS NULL OR msg_type = ?5) AND (?6 IS NULL OR msg_styp = ?6)
  AND (?7 IS NULL OR sender = ?7)
  AND (?8 IS NULL OR enqueued_at >= ?8) AND (?9 IS NULL OR enqueued_at < ?9)
  AND (?10 IS NULL OR backfill_abandoned_reason LIKE ?10)
ORDER BY msg_id
LIMIT ?11;

-- name: messages_by_id
SELECT msg_id, state, error_class, attempts, backfill_at, backfill_abandoned_at, backfill_abandoned_reason,
       reconciled_at, msg_type, msg_styp, last_error,
       EXISTS (SELECT 1 FROM msg_raw AS raw WHERE raw.msg_id = proc_state.msg_id) AS has_body
FROM proc_state
WHERE msg_id IN (SELECT value FROM json_each(?1))
ORDER BY msg_id;

-- name: late_matching
SELECT msg_id, state
FROM inbox_late
WHERE state = 'FOUND'
  AND msg_id > ?1
  AND (?2 IS NULL OR msg_id >= ?2) AND (?3 IS NULL OR msg_id <= ?3)
  AND (?4 IS NULL OR found_at >= ?4) AND (?5 IS NULL OR found_at < ?5)
ORDER BY msg_id
LIMIT ?6;

-- name: late_by_id
SELECT msg_id, state FROM inbox_late WHERE msg_id IN (SELECT value FROM json_each(?1)) ORDER BY msg_id;

-- name: events_matching
SELECT event_id, target, partition_key, state, attempts, discarded_at, last_error
FROM msg_event
WHERE state = 'DEAD' AND discarded_at IS NULL
  AND event_id > ?1
  AND (?2 IS NULL OR event_id >= ?2) AND (?3 IS NULL OR event_id <= ?3)
  AND (?4 IS NULL OR target = ?4)
  AND (?5 IS NULL OR created_at >= ?5) AND (?6 IS NULL OR created_at < ?6)
  AND (?7 IS NULL OR last_error LIKE ?7)
ORDER BY event_id
LIMIT ?8;

-- name: events_by_id
SELECT event_id, target, partition_key, state, attempts, discarded_at, last_error
FROM msg_event
WHERE event_id IN (SELECT value FROM json_each(?1))
ORDER BY event_id;

-- name: bodies
SELECT message.msg_id, COALESCE(past.state, message.state) AS state,
       COALESCE(past.attempts, message.attempts) AS attempts, message.next_attempt_at, message.enqueued_at,
       raw.sha256, raw.length, raw.body, raw.absence
FROM proc_state AS message
JOIN msg_raw AS raw ON raw.msg_id = message.msg_id
LEFT JOIN proc_state_hst AS past ON past.msg_id = message.msg_id AND message.state = 'ARCHIVED'
WHERE message.msg_id IN (SELECT value FROM json_each(?1))
ORDER BY message.msg_id;

-- name: add_operation
INSERT INTO operation (operation, act, actor, reason, selection, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (operation) DO NOTHING;

-- name: add_targets
-- Takes [[target_id, seen], ...].
INSERT INTO operation_target (operation, target_id, seen)
SELECT ?1, value ->> 0, value ->> 1 FROM json_each(?2) WHERE true;

-- name: operation
SELECT operation, act, actor, reason, selection, created_at,
       (SELECT count(*) FROM operation_target WHERE operation_target.operation = operation.operation) AS targets,
       (SELECT count(*) FROM operation_target
        WHERE operation_target.operation = operation.operation AND outcome = 'DONE') AS done,
       (SELECT count(*) FROM operation_target
        WHERE operation_target.operation = operation.operation AND outcome = 'REFUSED') AS refused
FROM operation
WHERE operation = ?1;

-- name: open_targets
SELECT target_id FROM operation_target WHERE operation = ?1 AND outcome IS NULL ORDER BY target_id LIMIT ?2;

-- name: seen
SELECT target_id, seen FROM operation_target
WHERE operation = ?1 AND target_id IN (SELECT value FROM json_each(?2)) AND outcome IS NULL
ORDER BY target_id;

-- name: replay
UPDATE proc_state SET state = 'PENDING', next_attempt_at = NULL, updated_at = ?2
WHERE msg_id IN (SELECT value FROM json_each(?1)) AND state = 'DEAD' AND state <> 'ARCHIVED';

-- name: try_now
UPDATE proc_state SET next_attempt_at = ?2 WHERE msg_id IN (SELECT value FROM json_each(?1)) AND state = 'FAILED';

-- name: skip
-- The identity is given up: what comes with it later is no duplicate of something without effect.
UPDATE proc_state
SET state = 'SKIPPED', error_class = NULL, last_error = ?3, next_attempt_at = NULL, identity_key = NULL,
    backfill_next_at = COALESCE(backfill_next_at, ?2), updated_at = ?2
WHERE msg_id IN (SELECT value FROM json_each(?1)) AND state IN ('DEAD', 'FAILED');

-- name: owe_mark
UPDATE proc_state
SET backfill_abandoned_at = NULL, backfill_abandoned_reason = NULL, backfill_next_at = ?2
WHERE msg_id IN (SELECT value FROM json_each(?1)) AND backfill_abandoned_at IS NOT NULL AND backfill_at IS NULL;

-- name: reconcile
UPDATE proc_state SET reconciled_at = ?2, reconciled_by = ?3, reconcile_note = ?4
WHERE msg_id IN (SELECT value FROM json_each(?1)) AND backfill_abandoned_at IS NOT NULL AND reconciled_at IS NULL;

-- name: decide_late
UPDATE inbox_late SET state = ?2, decided_at = ?3, decided_by = ?4, decide_note = ?5
WHERE msg_id IN (SELECT value FROM json_each(?1)) AND state = 'FOUND';

-- name: send_late
-- Attempts are kept: refused once more, it is dead again.
UPDATE msg_event SET state = 'PENDING', next_attempt_at = NULL, retried_at = ?2
WHERE event_id IN (SELECT value FROM json_each(?1)) AND state = 'DEAD' AND discarded_at IS NULL;

-- name: discard
UPDATE msg_event SET discarded_at = ?2
WHERE event_id IN (SELECT value FROM json_each(?1)) AND state = 'DEAD' AND discarded_at IS NULL;

-- name: settle_targets
-- Takes [[target_id, outcome, detail], ...].
UPDATE operation_target AS target SET outcome = given.value ->> 1, done_at = ?3
FROM json_each(?2) AS given
WHERE target.operation = ?1 AND target.target_id = given.value ->> 0;

-- name: note
-- Takes [[target_id, outcome, detail], ...].
INSERT INTO audit_log (at, actor, act, target, target_id, reason, operation, outcome, detail)
SELECT ?1, ?2, ?3, ?4, CAST(value ->> 0 AS TEXT), ?5, ?6, value ->> 1, value ->> 2 FROM json_each(?7) WHERE true;

-- name: audit
SELECT audit_id, at, actor, act, target_id, reason, operation, outcome, detail
FROM audit_log
WHERE (?1 IS NULL OR target = ?1) AND (?2 IS NULL OR target_id = ?2)
  AND (?3 IS NULL OR operation = ?3) AND (?4 IS NULL OR actor = ?4)
  AND (?5 IS NULL OR at >= ?5)
ORDER BY audit_id DESC
LIMIT ?6;

-- name: pauses
SELECT room, paused_at, paused_by, reason, until FROM room_pause ORDER BY room;

-- name: pause
INSERT INTO room_pause (room, paused_at, paused_by, reason, until) VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT (room) DO UPDATE
SET paused_at = excluded.paused_at,
    paused_by = excluded.paused_by,
    reason = excluded.reason,
    until = excluded.until;

-- name: resume
DELETE FROM room_pause WHERE room = ?1;
