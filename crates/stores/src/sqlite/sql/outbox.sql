-- name: insert_change
INSERT INTO msg_event (target, partition_key, event_type, state_version, payload_json, state, created_at, msg_id)
VALUES (?1, ?2, ?3, ?4, ?5, 'PENDING', ?6, ?7);

-- name: replace_state
-- One row per FLID: a newer version takes the place of an older one, sent or not.
INSERT INTO msg_event (target, partition_key, event_type, state_version, payload_json, state, created_at, msg_id)
VALUES (?1, ?2, ?3, ?4, ?5, 'PENDING', ?6, ?7)
ON CONFLICT (partition_key) WHERE target = 'KAFKA:schd' DO UPDATE SET
    event_type = excluded.event_type, state_version = excluded.state_version,
    payload_json = excluded.payload_json, state = 'PENDING', attempts = 0, next_attempt_at = NULL,
    error_class = NULL, last_error = NULL, created_at = excluded.created_at, sent_at = NULL,
    msg_id = excluded.msg_id, topic = NULL, kafka_partition = NULL, kafka_offset = NULL, discarded_at = NULL
WHERE excluded.state_version > msg_event.state_version;

-- name: due_events
SELECT event_id, partition_key, event_type, state_version, payload_json, msg_id, attempts, created_at
FROM msg_event e INDEXED BY ix_event_pending
WHERE target = ?1 AND state = 'PENDING' AND (next_attempt_at IS NULL OR next_attempt_at <= ?2)
  AND NOT EXISTS (
      SELECT 1 FROM msg_event earlier
      WHERE earlier.target = e.target AND earlier.partition_key = e.partition_key
        AND earlier.state = 'PENDING' AND earlier.event_id < e.event_id
        AND earlier.next_attempt_at IS NOT NULL AND earlier.next_attempt_at > ?2)
ORDER BY event_id LIMIT ?3;

-- name: event_sent
UPDATE msg_event SET state = 'SENT', sent_at = ?3, topic = ?4, kafka_partition = ?5, kafka_offset = ?6,
    next_attempt_at = NULL, error_class = NULL, last_error = NULL
WHERE event_id = ?1 AND state_version = ?2 AND state = 'PENDING';

-- name: event_failed
UPDATE msg_event SET attempts = ?3, next_attempt_at = ?4, error_class = 'INFRA', last_error = ?5
WHERE event_id = ?1 AND state_version = ?2 AND state = 'PENDING';

-- name: event_dead
UPDATE msg_event SET state = 'DEAD', attempts = ?3, next_attempt_at = NULL, error_class = 'EXHAUSTED',
    last_error = ?4
WHERE event_id = ?1 AND state_version = ?2 AND state = 'PENDING';
