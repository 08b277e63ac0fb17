-- Events on their way out (CLM-7, INV-10).

-- name: due_events
SELECT event.event_id, event.target, event.partition_key, event.event_type, event.state_version,
       event.payload_json, event.msg_id, event.attempts, event.created_at,
       event.retried_at IS NOT NULL AS is_late
FROM msg_event AS event
WHERE event.target = $1
  AND event.state = 'PENDING'
  AND (event.next_attempt_at IS NULL OR event.next_attempt_at <= $2)
  AND NOT EXISTS (
      SELECT 1
      FROM msg_event AS earlier
      WHERE earlier.target = event.target
        AND earlier.partition_key = event.partition_key
        AND earlier.event_id < event.event_id
        AND earlier.state = 'PENDING'
        AND earlier.next_attempt_at IS NOT NULL
        AND earlier.next_attempt_at > $2)
ORDER BY event.event_id
LIMIT $3;

-- name: settle_events
-- Conditional on the version sent: a newer generation stays PENDING. MERGE for the reason given
-- with settle.
MERGE INTO msg_event AS event
USING unnest($1::bigint[], $2::bigint[], $3::text[], $4::int[], $5::timestamptz[], $6::text[], $7::text[],
             $8::timestamptz[], $9::text[], $10::int[], $11::bigint[])
      AS given (event_id, state_version, state, attempts, next_attempt_at, error_class, last_error,
                sent_at, topic, kafka_partition, kafka_offset)
ON event.event_id = given.event_id
WHEN MATCHED AND event.state_version = given.state_version AND event.state = 'PENDING' THEN
    UPDATE SET state = given.state,
               attempts = COALESCE(given.attempts, event.attempts),
               next_attempt_at = given.next_attempt_at,
               error_class = given.error_class,
               last_error = given.last_error,
               sent_at = given.sent_at,
               topic = given.topic,
               kafka_partition = given.kafka_partition,
               kafka_offset = given.kafka_offset;
