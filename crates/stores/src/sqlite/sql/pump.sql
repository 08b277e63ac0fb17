-- name: head
-- INDEXED BY: without statistics the planner may walk all finished rows instead; an error is
-- better than a queue that slows down with its history.
WITH queue AS (
    SELECT msg_id, state, attempts, next_attempt_at, enqueued_at
    FROM proc_state INDEXED BY ix_proc_head
    WHERE state IN ('PENDING', 'FAILED') AND state <> 'ARCHIVED'
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
-- What a shadow held is in the archive: without it nothing is proved. An archived dead letter is dead
-- here, and yields like any other.
SELECT message.msg_id, CASE WHEN past.state = 'DEAD' THEN past.state ELSE message.state END AS state,
       message.identity_key, coalesce(past.content_hash, message.content_hash) AS content_hash
FROM proc_state AS message
LEFT JOIN proc_state_hst AS past ON past.msg_id = message.msg_id AND message.state = 'ARCHIVED'
WHERE message.identity_key IN (SELECT value FROM json_each(?1));

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
-- An archived dead letter yields too: its shadow holds the key.
UPDATE proc_state AS message SET identity_key = NULL
WHERE message.msg_id IN (SELECT value FROM json_each(?1))
  AND (message.state = 'DEAD'
       OR (message.state = 'ARCHIVED' AND EXISTS (SELECT 1 FROM proc_state_hst AS past
                                                  WHERE past.msg_id = message.msg_id AND past.state = 'DEAD')));

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
  AND message.state IN ('PENDING', 'FAILED') AND message.state <> 'ARCHIVED';

-- name: log_attempt
-- A message that is replayed may count from a lower number again: its earlier tries are kept.
INSERT INTO msg_attempt (msg_id, attempt, at, error_class, error)
VALUES (?1, max(?2, (SELECT coalesce(max(attempt), 0) + 1 FROM msg_attempt WHERE msg_id = ?1)), ?3, ?4, ?5);

-- name: add_flights
-- One that is there already is left alone, and the run is refused.
INSERT INTO flight_schd (flid, life, state_version, incarnation, floor_msg_id, schedule_msg_id, last_msg_id,
                         operation_day, main_flid, turn_flid, document, updated_at)
SELECT value ->> 'flid', value ->> 'life', value ->> 'state_version', value ->> 'incarnation', value ->> 'floor',
       value ->> 'schedule_by', value ->> 'last_by', value ->> 'operation_day', value ->> 'main_flid',
       value ->> 'turn_flid', value ->> 'document', ?2
FROM json_each(?1) WHERE true
ON CONFLICT (flid) DO NOTHING;

-- name: update_flights
-- A version never goes back (INV-13), and what became history meanwhile stays there (INV-18): where it
-- isn't so, the row is left alone and the run is refused.
UPDATE flight_schd AS stored SET
    life = given.value ->> 'life',
    state_version = given.value ->> 'state_version',
    incarnation = given.value ->> 'incarnation',
    floor_msg_id = given.value ->> 'floor',
    schedule_msg_id = given.value ->> 'schedule_by',
    last_msg_id = given.value ->> 'last_by',
    operation_day = given.value ->> 'operation_day',
    main_flid = given.value ->> 'main_flid',
    turn_flid = given.value ->> 'turn_flid',
    document = given.value ->> 'document',
    updated_at = ?2
FROM json_each(?1) AS given
WHERE stored.flid = given.value ->> 'flid'
  AND stored.state_version <= given.value ->> 'state_version'
  AND stored.incarnation <= given.value ->> 'incarnation';

-- name: append_changes
-- A version is there only where a FLID is used anew after its history was forgotten: the old timeline
-- gives way.
INSERT INTO flight_change (flid, state_version, incarnation, life, msg_id, msg_type, msg_styp, at, changes)
SELECT value ->> 'flid', value ->> 'state_version', value ->> 'incarnation', value ->> 'life', value ->> 'msg_id',
       value ->> 'kind', value ->> 'subtype', ?2, value ->> 'changes'
FROM json_each(?1) WHERE true
ON CONFLICT (flid, state_version) DO UPDATE SET
    incarnation = excluded.incarnation, life = excluded.life, msg_id = excluded.msg_id,
    msg_type = excluded.msg_type, msg_styp = excluded.msg_styp, at = excluded.at, changes = excluded.changes;

-- name: count_kinds
INSERT INTO message_kind (msg_type, msg_styp, state, error_class, count, first_at, last_at, first_msg_id, last_msg_id)
SELECT value ->> 'kind', value ->> 'subtype', value ->> 'state', value ->> 'class', value ->> 'count',
       value ->> 'first_at', value ->> 'last_at', value ->> 'first_msg_id', value ->> 'last_msg_id'
FROM json_each(?1) WHERE true
ON CONFLICT (msg_type, msg_styp, state, error_class) DO UPDATE SET
    count = message_kind.count + excluded.count,
    first_at = min(message_kind.first_at, excluded.first_at),
    last_at = max(message_kind.last_at, excluded.last_at),
    first_msg_id = min(message_kind.first_msg_id, excluded.first_msg_id),
    last_msg_id = max(message_kind.last_msg_id, excluded.last_msg_id);

-- name: attempts
SELECT attempt, at, error_class, error FROM msg_attempt WHERE msg_id = ?1 ORDER BY attempt;
