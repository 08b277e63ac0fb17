-- Messages for people. First a bounded number of IDs by one index, newest first, then their rows.

-- name: newest_ids
-- Every message has a row here, be it its shadow.
SELECT msg_id
FROM proc_state
WHERE msg_id < ?1 AND msg_id >= ?2
ORDER BY msg_id DESC
LIMIT ?3;

-- name: dead_ids
SELECT msg_id
FROM (SELECT msg_id FROM proc_state WHERE state = 'DEAD' AND state <> 'ARCHIVED'
      UNION ALL
      SELECT msg_id FROM proc_state_hst WHERE state = 'DEAD') AS dead
WHERE msg_id < ?1 AND msg_id >= ?2
ORDER BY msg_id DESC
LIMIT ?3;

-- name: unfinished_ids
SELECT msg_id
FROM proc_state
WHERE state IN ('PENDING', 'FAILED') AND state <> 'ARCHIVED' AND msg_id < ?1 AND msg_id >= ?2
ORDER BY msg_id DESC
LIMIT ?3;

-- name: failed_ids
SELECT msg_id
FROM proc_state
WHERE state = 'FAILED' AND state <> 'ARCHIVED' AND msg_id < ?1 AND msg_id >= ?2
ORDER BY msg_id DESC
LIMIT ?3;

-- name: ids_of_identity
-- A shadow holds it as well.
SELECT msg_id
FROM proc_state
WHERE identity_key = ?4 AND msg_id < ?1 AND msg_id >= ?2
LIMIT ?3;

-- name: ids_of_flight
SELECT msg_id
FROM (SELECT DISTINCT msg_id FROM flight_change WHERE flid = ?4) AS changed
WHERE msg_id < ?1 AND msg_id >= ?2
ORDER BY msg_id DESC
LIMIT ?3;

-- name: id_bounds
-- Which IDs were enqueued in a time, by the bodies that are kept. A row that was admitted late has
-- a small ID and a late time, so several rows are asked for. NULL where no body reaches so far back.
SELECT CASE WHEN EXISTS (SELECT 1 FROM msg_raw WHERE enqueued_at < ?1)
            THEN (SELECT min(msg_id) FROM (SELECT msg_id FROM msg_raw WHERE enqueued_at >= ?1
                                           ORDER BY enqueued_at, msg_id LIMIT 1000) AS first)
       END AS lowest,
       (SELECT max(msg_id) FROM (SELECT msg_id FROM msg_raw WHERE enqueued_at < ?2
                                 ORDER BY enqueued_at DESC, msg_id DESC LIMIT 1000) AS last) AS highest;

-- name: records
SELECT message.*,
       (SELECT error_class FROM msg_attempt WHERE msg_attempt.msg_id = message.msg_id ORDER BY attempt LIMIT 1)
       AS first_class,
       (SELECT error FROM msg_attempt WHERE msg_attempt.msg_id = message.msg_id ORDER BY attempt LIMIT 1) AS first_error
FROM message_seen AS message
WHERE message.msg_id IN (SELECT value FROM json_each(?1))
  AND (?2 IS NULL OR message.state = ?2)
  AND (?3 IS NULL OR message.error_class = ?3)
  AND (?4 IS NULL OR message.msg_type = ?4)
  AND (?5 IS NULL OR message.msg_styp = ?5)
  AND (?6 IS NULL OR message.sender = ?6)
  AND (?7 IS NULL OR message.enqueued_at >= ?7)
  AND (?8 IS NULL OR message.enqueued_at < ?8)
ORDER BY message.msg_id DESC
LIMIT ?9;

-- name: shadow
SELECT msg_id, state, identity_key, attempts, next_attempt_at, error_class, last_error, updated_at, received_at,
       backfill_at, backfill_next_at, backfill_attempts, backfill_error, backfill_abandoned_at,
       backfill_abandoned_reason, enqueued_at, msg_type, msg_styp, sender, seqn, dttm, content_hash, reconciled_at,
       reconciled_by, reconcile_note, archived_at, NULL AS first_class, NULL AS first_error
FROM proc_state
WHERE msg_id = ?1 AND state = 'ARCHIVED';

-- name: raw
SELECT msg_id, sha256, length, absence, body FROM msg_raw WHERE msg_id = ?1;

-- name: changes_by
SELECT flid, state_version, incarnation, life, msg_id, msg_type, msg_styp, at, changes
FROM flight_change
WHERE msg_id = ?1
ORDER BY flid, state_version
LIMIT ?2;

-- name: events_by
SELECT event_id, target, partition_key, event_type, state_version, state, attempts, next_attempt_at, last_error,
       created_at, sent_at, topic, kafka_partition, kafka_offset, discarded_at
FROM msg_event
WHERE msg_id = ?1
ORDER BY event_id
LIMIT ?2;
