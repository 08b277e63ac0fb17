-- name: head
-- INDEXED BY: without statistics the planner may walk all finished rows instead; an error is
-- better than a queue that slows down with its history.
WITH queue AS (
    SELECT msg_id, state, attempts, next_attempt_at, enqueued_at
    FROM proc_state INDEXED BY ix_proc_head
    WHERE state IN ('PENDING', 'FAILED')
      AND msg_id <= (SELECT watermark FROM inbox_cursor WHERE name = 'pipeline')
    ORDER BY msg_id LIMIT ?1
), measured AS (
    SELECT q.*, row_number() OVER place AS number,
           sum(CASE WHEN r.absence IS NULL THEN r.length ELSE 0 END) OVER place AS reach
    FROM queue q LEFT JOIN msg_raw r ON r.msg_id = q.msg_id
    WINDOW place AS (ORDER BY q.msg_id)
)
SELECT m.msg_id, m.state, m.attempts, m.next_attempt_at, m.enqueued_at, r.sha256, r.length, r.absence, r.body
FROM measured m LEFT JOIN msg_raw r ON r.msg_id = m.msg_id
WHERE m.number = 1 OR m.reach <= ?2
ORDER BY m.msg_id;

-- name: holders
SELECT msg_id, state, identity_key, content_hash FROM proc_state
WHERE identity_key IN (SELECT value FROM json_each(?1));

-- name: families
-- The flights asked for, and from each flight on to its main flight and its children.
WITH RECURSIVE family (flid) AS (
    SELECT value FROM json_each(?1)
    UNION
    SELECT main.flid FROM family
    JOIN flight_schd f ON f.flid = family.flid JOIN flight_schd main ON main.flid = f.main_flid
    UNION
    SELECT child.flid FROM family JOIN flight_schd child ON child.main_flid = family.flid
)
SELECT f.flid, f.life, f.state_version, f.incarnation, f.floor_msg_id, f.schedule_msg_id, f.last_msg_id,
       f.operation_day, f.document
FROM family JOIN flight_schd f ON f.flid = family.flid ORDER BY f.flid;

-- name: yield_identity
UPDATE proc_state SET identity_key = NULL WHERE msg_id IN (SELECT value FROM json_each(?1)) AND state = 'DEAD';

-- name: settle
-- The statement that writes a terminal state writes the intent to mark (INV-8), unless the row
-- was marked or abandoned before (a replay owes no second mark).
UPDATE proc_state AS message SET
    state = given.value ->> 'state',
    attempts = given.value ->> 'attempts',
    next_attempt_at = given.value ->> 'due',
    error_class = given.value ->> 'class',
    last_error = given.value ->> 'words',
    updated_at = ?2,
    backfill_next_at = CASE WHEN given.value ->> 'terminal'
                             AND message.backfill_at IS NULL AND message.backfill_abandoned_at IS NULL
                            THEN ?2 ELSE message.backfill_next_at END,
    msg_type = given.value ->> 'kind',
    msg_styp = given.value ->> 'subtype',
    sender = given.value ->> 'sender',
    seqn = given.value ->> 'seqn',
    dttm = given.value ->> 'dttm',
    identity_key = given.value ->> 'identity',
    content_hash = unhex(given.value ->> 'content_hash')
FROM json_each(?1) AS given
WHERE message.msg_id = given.value ->> 'msg_id'
  AND message.attempts = given.value ->> 'attempts_seen'
  AND message.state IN ('PENDING', 'FAILED');

-- name: log_attempt
-- A message that is replayed may count from a lower number again: its earlier tries are kept.
INSERT INTO msg_attempt (msg_id, attempt, at, error_class, error)
VALUES (?1, max(?2, (SELECT coalesce(max(attempt), 0) + 1 FROM msg_attempt WHERE msg_id = ?1)), ?3, ?4, ?5);

-- name: save_flight
-- A version never goes back (INV-13): where it would, the row is left alone and the run is refused.
INSERT INTO flight_schd (flid, life, state_version, incarnation, floor_msg_id, schedule_msg_id, last_msg_id,
                         operation_day, main_flid, document, updated_at)
SELECT value ->> 'flid', value ->> 'life', value ->> 'state_version', value ->> 'incarnation', value ->> 'floor',
       value ->> 'schedule_by', value ->> 'last_by', value ->> 'operation_day', value ->> 'main_flid',
       value ->> 'document', ?2
FROM json_each(?1) WHERE true
ON CONFLICT (flid) DO UPDATE SET
    life = excluded.life, state_version = excluded.state_version, incarnation = excluded.incarnation,
    floor_msg_id = excluded.floor_msg_id, schedule_msg_id = excluded.schedule_msg_id,
    last_msg_id = excluded.last_msg_id, operation_day = excluded.operation_day, main_flid = excluded.main_flid,
    document = excluded.document, updated_at = excluded.updated_at
WHERE flight_schd.state_version <= excluded.state_version AND flight_schd.incarnation <= excluded.incarnation;

-- name: attempts
SELECT attempt, at, error_class, error FROM msg_attempt WHERE msg_id = ?1 ORDER BY attempt;
