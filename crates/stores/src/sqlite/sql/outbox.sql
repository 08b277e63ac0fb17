-- name: insert_change
-- In the order of the array, so that event_id rises in processing order.
INSERT INTO msg_event (target, partition_key, event_type, state_version, payload_json, state, created_at, msg_id)
SELECT value ->> 'target', value ->> 'key', value ->> 'event_type', value ->> 'state_version', value ->> 'payload',
       'PENDING', ?2, value ->> 'msg_id'
FROM json_each(?1) ORDER BY key;

-- name: replace_state
-- One row per FLID: a newer version takes the place of an older one, sent or not.
INSERT INTO msg_event (target, partition_key, event_type, state_version, payload_json, state, created_at, msg_id)
SELECT value ->> 'target', value ->> 'key', value ->> 'event_type', value ->> 'state_version', value ->> 'payload',
       'PENDING', ?2, value ->> 'msg_id'
FROM json_each(?1) WHERE true ORDER BY key
ON CONFLICT (partition_key) WHERE target = 'KAFKA:schd' DO UPDATE SET
    event_type = excluded.event_type, state_version = excluded.state_version,
    payload_json = excluded.payload_json, state = 'PENDING', attempts = 0, next_attempt_at = NULL,
    error_class = NULL, last_error = NULL, created_at = excluded.created_at, sent_at = NULL,
    msg_id = excluded.msg_id, topic = NULL, kafka_partition = NULL, kafka_offset = NULL, discarded_at = NULL,
    retried_at = NULL
WHERE excluded.state_version > msg_event.state_version;

-- name: due_events
SELECT event_id, partition_key, event_type, state_version, payload_json, msg_id, attempts, created_at,
       retried_at IS NOT NULL AS is_late
FROM msg_event e INDEXED BY ix_event_pending
WHERE target = ?1 AND state = 'PENDING' AND (next_attempt_at IS NULL OR next_attempt_at <= ?2)
  AND NOT EXISTS (
      SELECT 1 FROM msg_event earlier
      WHERE earlier.target = e.target AND earlier.partition_key = e.partition_key
        AND earlier.state = 'PENDING' AND earlier.event_id < e.event_id
        AND earlier.next_attempt_at IS NOT NULL AND earlier.next_attempt_at > ?2)
ORDER BY event_id LIMIT ?3;

-- name: events_sent
-- All of a batch at once: nearly every event ends so.
UPDATE msg_event AS event SET
    state = 'SENT', sent_at = ?2, topic = given.value ->> 'topic', kafka_partition = given.value ->> 'partition',
    kafka_offset = given.value ->> 'offset', next_attempt_at = NULL, error_class = NULL, last_error = NULL
FROM json_each(?1) AS given
WHERE event.event_id = given.value ->> 'event_id' AND event.state_version = given.value ->> 'state_version'
  AND event.state = 'PENDING';

-- name: event_failed
UPDATE msg_event SET attempts = ?3, error_class = 'INFRA', last_error = ?4, next_attempt_at = ?5
WHERE event_id = ?1 AND state_version = ?2 AND state = 'PENDING';

-- name: event_dead
UPDATE msg_event SET state = 'DEAD', attempts = ?3, next_attempt_at = NULL, error_class = 'EXHAUSTED',
    last_error = ?4
WHERE event_id = ?1 AND state_version = ?2 AND state = 'PENDING';
