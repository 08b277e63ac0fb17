-- What is old enough is forgotten, in small batches. Chosen by the oldest, locked in the order of the
-- primary key, past what others hold: neither the pump nor a second sweep is ever waited for. Each
-- condition stands once more where the row is deleted. MERGE for the reason given with settle: with the
-- conditions in a WHERE, the plan could walk a partial index from end to end.

-- name: forget_events
WITH old AS MATERIALIZED (
    SELECT event_id
    FROM msg_event
    WHERE state = 'SENT' AND sent_at < $1 AND kafka_offset IS NOT NULL
    ORDER BY sent_at, event_id
    LIMIT $2
), held AS MATERIALIZED (
    SELECT event_id
    FROM msg_event
    WHERE event_id = ANY(ARRAY(SELECT event_id FROM old))
    ORDER BY event_id
    FOR UPDATE SKIP LOCKED
)
MERGE INTO msg_event AS event
USING (SELECT unnest(ARRAY(SELECT event_id FROM held ORDER BY event_id)) AS event_id) AS known
ON event.event_id = known.event_id
WHEN MATCHED AND event.state = 'SENT' AND event.sent_at < $1 AND event.kafka_offset IS NOT NULL THEN DELETE;

-- name: forget_discarded
WITH old AS MATERIALIZED (
    SELECT event_id
    FROM msg_event
    WHERE discarded_at IS NOT NULL AND discarded_at < $1 AND state = 'DEAD'
    ORDER BY discarded_at, event_id
    LIMIT $2
), held AS MATERIALIZED (
    SELECT event_id
    FROM msg_event
    WHERE event_id = ANY(ARRAY(SELECT event_id FROM old))
    ORDER BY event_id
    FOR UPDATE SKIP LOCKED
)
MERGE INTO msg_event AS event
USING (SELECT unnest(ARRAY(SELECT event_id FROM held ORDER BY event_id)) AS event_id) AS known
ON event.event_id = known.event_id
WHEN MATCHED AND event.state = 'DEAD' AND event.discarded_at < $1 THEN DELETE;

-- name: forget_archived
-- Nothing is looked for while nothing archived lies below the mailbox: otherwise each sweep would walk
-- all that an owner who doesn't purge keeps alive.
WITH old AS MATERIALIZED (
    SELECT msg_id
    FROM proc_state_hst
    WHERE archived_at < $1 AND msg_id < $2 AND (SELECT min(msg_id) FROM proc_state_hst) < $2
    ORDER BY archived_at, msg_id
    LIMIT $3
    FOR UPDATE SKIP LOCKED
), tries AS (
    DELETE FROM msg_attempt WHERE msg_id = ANY(ARRAY(SELECT msg_id FROM old))
)
DELETE FROM proc_state_hst
WHERE msg_id = ANY(ARRAY(SELECT msg_id FROM old)) AND archived_at < $1 AND msg_id < $2;

-- name: forget_shadows
WITH old AS MATERIALIZED (
    SELECT msg_id
    FROM proc_state
    WHERE state = 'ARCHIVED' AND archived_at < $1 AND msg_id < $2
      AND (SELECT min(msg_id) FROM proc_state) < $2
    ORDER BY archived_at, msg_id
    LIMIT $3
    FOR UPDATE SKIP LOCKED
)
MERGE INTO proc_state AS message
USING (SELECT unnest(ARRAY(SELECT msg_id FROM old)) AS msg_id) AS known
ON message.msg_id = known.msg_id
WHEN MATCHED AND message.state = 'ARCHIVED' AND message.archived_at < $1 AND message.msg_id < $2 THEN DELETE;

-- name: forget_bodies
-- The message is held while its body goes: a replay that comes at the same time waits, and then sees
-- that there is none. A message that was forgotten itself can't be replayed.
WITH old AS MATERIALIZED (
    SELECT raw.msg_id
    FROM msg_raw AS raw
    WHERE raw.enqueued_at < $1
      AND NOT EXISTS (SELECT 1 FROM proc_state AS message
                      WHERE message.msg_id = raw.msg_id AND message.state IN ('PENDING', 'FAILED')
                        AND message.state <> 'ARCHIVED')
    ORDER BY raw.enqueued_at, raw.msg_id
    LIMIT $2
), held AS MATERIALIZED (
    SELECT msg_id, state
    FROM proc_state
    WHERE msg_id = ANY(ARRAY(SELECT msg_id FROM old))
    ORDER BY msg_id
    FOR UPDATE SKIP LOCKED
)
DELETE FROM msg_raw AS raw
WHERE raw.msg_id = ANY(ARRAY(SELECT msg_id FROM old)) AND raw.enqueued_at < $1
  AND (raw.msg_id IN (SELECT msg_id FROM held WHERE state NOT IN ('PENDING', 'FAILED'))
       OR NOT EXISTS (SELECT 1 FROM proc_state AS message WHERE message.msg_id = raw.msg_id));
