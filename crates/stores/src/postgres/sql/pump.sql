-- The head of the queue, what a run touches, and what it writes (INV-3, INV-8, INV-17).

-- name: head
-- Bodies are summed before they are fetched: a long one stays where it is until it is chosen.
WITH head AS (
    SELECT msg_id, state, attempts, next_attempt_at, enqueued_at
    FROM proc_state
    WHERE state IN ('PENDING', 'FAILED') AND state <> 'ARCHIVED'
      AND msg_id <= (SELECT watermark FROM inbox_cursor WHERE name = 'pipeline')
    ORDER BY msg_id
    LIMIT $1
), sized AS (
    SELECT head.*, raw.sha256, raw.length, raw.body, raw.absence,
           row_number() OVER (ORDER BY head.msg_id) AS place,
           sum(CASE WHEN raw.absence IS NULL THEN raw.length ELSE 0 END) OVER (ORDER BY head.msg_id) AS total
    FROM head
    LEFT JOIN msg_raw AS raw ON raw.msg_id = head.msg_id
)
SELECT msg_id, state, attempts, next_attempt_at, enqueued_at, sha256, length, body, absence
FROM sized
WHERE place = 1 OR total <= $2::bigint
ORDER BY msg_id;

-- name: holders
-- What a shadow held is in the archive: without it nothing is proved. An archived dead letter is dead
-- here, and yields like any other. OFFSET 0 for the reason given with families.
SELECT message.identity_key, message.msg_id,
       CASE WHEN past.state = 'DEAD' THEN past.state ELSE message.state END AS state,
       COALESCE(past.content_hash, message.content_hash) AS content_hash
FROM proc_state AS message
LEFT JOIN LATERAL (SELECT state, content_hash
                   FROM proc_state_hst
                   WHERE proc_state_hst.msg_id = message.msg_id AND message.state = 'ARCHIVED'
                   OFFSET 0) AS past ON true
WHERE message.identity_key = ANY($1::text[]);

-- name: families
-- The flights asked for and their main flights, however many steps up; then the children of these.
-- OFFSET 0 keeps each look-up one by key: the planner can't guess how many rows a recursion yields.
WITH RECURSIVE elder (flid) AS (
    SELECT unnest($1::bigint[])
    UNION
    SELECT main.flid
    FROM elder
    CROSS JOIN LATERAL (SELECT flight.main_flid AS flid
                        FROM flight_schd AS flight
                        WHERE flight.flid = elder.flid
                        OFFSET 0) AS main
    WHERE main.flid IS NOT NULL
), family (flid) AS (
    SELECT flid FROM elder
    UNION
    SELECT child.flid
    FROM elder
    CROSS JOIN LATERAL (SELECT flight.flid
                        FROM flight_schd AS flight
                        WHERE flight.main_flid = elder.flid
                        OFFSET 0) AS child
)
SELECT flight.*
FROM family
CROSS JOIN LATERAL (SELECT flid, life, state_version, incarnation, floor_msg_id, schedule_msg_id, last_msg_id,
                           operation_day, document
                    FROM flight_schd
                    WHERE flight_schd.flid = family.flid
                    OFFSET 0) AS flight
ORDER BY flight.flid;

-- name: yield_identity
-- An archived dead letter yields too: its shadow holds the key.
UPDATE proc_state AS message
SET identity_key = NULL
WHERE message.msg_id = ANY($1::bigint[])
  AND (message.state = 'DEAD'
       OR (message.state = 'ARCHIVED'
           AND EXISTS (SELECT 1 FROM proc_state_hst AS past
                       WHERE past.msg_id = message.msg_id AND past.state = 'DEAD')));

-- name: settle
-- One statement writes the end of a try and the intent to mark (INV-8): a terminal row owes a mark
-- from now on, unless it owed one, was marked or was given up before.
-- MERGE and not UPDATE .. FROM: what stands behind WHEN is no part of the plan, so that rows are
-- always found by their primary key, however wrong the statistics are.
MERGE INTO proc_state AS message
USING unnest($1::bigint[], $2::int[], $3::text[], $4::int[], $5::timestamptz[], $6::text[], $7::text[],
             $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::bytea[],
             $16::bool[])
      AS given (msg_id, attempts_seen, state, attempts, next_attempt_at, error_class, last_error,
                identity_key, msg_type, msg_styp, sender, seqn, dttm, content_hash, terminal)
ON message.msg_id = given.msg_id
WHEN MATCHED AND message.attempts = given.attempts_seen AND message.state IN ('PENDING', 'FAILED')
             AND message.state <> 'ARCHIVED' THEN
    UPDATE SET state = given.state,
               attempts = given.attempts,
               next_attempt_at = given.next_attempt_at,
               error_class = given.error_class,
               last_error = given.last_error,
               identity_key = given.identity_key,
               msg_type = given.msg_type,
               msg_styp = given.msg_styp,
               sender = given.sender,
               seqn = given.seqn,
               dttm = given.dttm,
               content_hash = given.content_hash,
               backfill_next_at = CASE WHEN given.terminal
                                       THEN COALESCE(message.backfill_next_at, $15::timestamptz)
                                       ELSE message.backfill_next_at END,
               updated_at = $15::timestamptz;

-- name: log_attempt
-- A message that is replayed may count from a lower number again: its earlier tries are kept.
INSERT INTO msg_attempt (msg_id, attempt, at, error_class, error)
SELECT given.msg_id,
       GREATEST(given.attempt, 1, (SELECT max(old.attempt) + 1 FROM msg_attempt AS old WHERE old.msg_id = given.msg_id)),
       $5::timestamptz, given.error_class, given.error
FROM unnest($1::bigint[], $2::int[], $3::text[], $4::text[]) AS given (msg_id, attempt, error_class, error);

-- name: attempts
SELECT msg_id, attempt, at, error_class, error FROM msg_attempt WHERE msg_id = $1 ORDER BY attempt;

-- name: save_flights
-- A new flight must not be there; one that was there must be there still, and no newer: a version
-- never goes back (INV-13), and what became history meanwhile stays there (INV-18). Where it isn't so,
-- the row is left alone and the run is refused. MERGE: both in one statement, rows found by their key.
MERGE INTO flight_schd AS stored
USING unnest($1::bigint[], $2::text[], $3::bigint[], $4::int[], $5::bigint[], $6::bigint[], $7::bigint[],
             $8::date[], $9::bigint[], $10::bigint[], $11::text[], $13::bool[])
      AS given (flid, life, state_version, incarnation, floor_msg_id, schedule_msg_id, last_msg_id,
                operation_day, main_flid, turn_flid, document, is_new)
ON stored.flid = given.flid
WHEN MATCHED AND NOT given.is_new AND stored.state_version <= given.state_version
             AND stored.incarnation <= given.incarnation THEN
    UPDATE SET life = given.life,
               state_version = given.state_version,
               incarnation = given.incarnation,
               floor_msg_id = given.floor_msg_id,
               schedule_msg_id = given.schedule_msg_id,
               last_msg_id = given.last_msg_id,
               operation_day = given.operation_day,
               main_flid = given.main_flid,
               turn_flid = given.turn_flid,
               document = given.document,
               updated_at = $12::timestamptz
WHEN NOT MATCHED AND given.is_new THEN
    INSERT (flid, life, state_version, incarnation, floor_msg_id, schedule_msg_id, last_msg_id, operation_day,
            main_flid, turn_flid, document, updated_at)
    VALUES (given.flid, given.life, given.state_version, given.incarnation, given.floor_msg_id,
            given.schedule_msg_id, given.last_msg_id, given.operation_day, given.main_flid, given.turn_flid,
            given.document, $12::timestamptz);

-- name: append_changes
-- A version is there only where a FLID is used anew after its history was forgotten: the old timeline
-- gives way.
INSERT INTO flight_change (flid, state_version, incarnation, life, msg_id, msg_type, msg_styp, changes, at)
SELECT given.*, $9::timestamptz
FROM unnest($1::bigint[], $2::bigint[], $3::int[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::text[])
     AS given (flid, state_version, incarnation, life, msg_id, msg_type, msg_styp, changes)
ON CONFLICT (flid, state_version) DO UPDATE
SET incarnation = EXCLUDED.incarnation,
    life = EXCLUDED.life,
    msg_id = EXCLUDED.msg_id,
    msg_type = EXCLUDED.msg_type,
    msg_styp = EXCLUDED.msg_styp,
    at = EXCLUDED.at,
    changes = EXCLUDED.changes;

-- name: count_kinds
INSERT INTO message_kind AS known
    (msg_type, msg_styp, state, error_class, count, first_at, last_at, first_msg_id, last_msg_id)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::timestamptz[],
                     $7::timestamptz[], $8::bigint[], $9::bigint[])
ON CONFLICT (msg_type, msg_styp, state, error_class) DO UPDATE
SET count = known.count + EXCLUDED.count,
    first_at = LEAST(known.first_at, EXCLUDED.first_at),
    last_at = GREATEST(known.last_at, EXCLUDED.last_at),
    first_msg_id = LEAST(known.first_msg_id, EXCLUDED.first_msg_id),
    last_msg_id = GREATEST(known.last_msg_id, EXCLUDED.last_msg_id);

-- name: insert_change
-- Sorted before the numbers are drawn, so that event_id rises in processing order.
INSERT INTO msg_event (target, partition_key, event_type, state_version, payload_json, state, created_at, msg_id)
SELECT given.target, given.partition_key, given.event_type, given.state_version, given.payload_json, 'PENDING', $7, given.msg_id
FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::bigint[]) WITH ORDINALITY
     AS given (target, partition_key, event_type, state_version, payload_json, msg_id, place)
ORDER BY given.place;

-- name: replace_state
-- The one row of a flight takes the newer state and is to be sent again. Rows that are there are locked
-- in event order first, as settle_events does: otherwise the two could wait for each other.
WITH held AS MATERIALIZED (
    SELECT event_id
    FROM msg_event
    WHERE target = 'KAFKA:schd' AND partition_key = ANY($2::text[])
    ORDER BY event_id
    FOR UPDATE
)
INSERT INTO msg_event AS stored
    (target, partition_key, event_type, state_version, payload_json, state, created_at, msg_id)
SELECT given.target, given.partition_key, given.event_type, given.state_version, given.payload_json, 'PENDING', $7, given.msg_id
FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::bigint[]) WITH ORDINALITY
     AS given (target, partition_key, event_type, state_version, payload_json, msg_id, place)
CROSS JOIN (SELECT count(*) FROM held) AS all_held
ORDER BY given.place
ON CONFLICT (partition_key) WHERE target = 'KAFKA:schd' DO UPDATE
SET event_type = EXCLUDED.event_type,
    state_version = EXCLUDED.state_version,
    payload_json = EXCLUDED.payload_json,
    state = 'PENDING',
    attempts = 0,
    next_attempt_at = NULL,
    error_class = NULL,
    last_error = NULL,
    created_at = EXCLUDED.created_at,
    sent_at = NULL,
    msg_id = EXCLUDED.msg_id,
    topic = NULL,
    kafka_partition = NULL,
    kafka_offset = NULL,
    discarded_at = NULL,
    retried_at = NULL
WHERE stored.state_version < EXCLUDED.state_version;
