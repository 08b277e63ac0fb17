-- name: past
-- The newest life in history of each flight.
SELECT past.flid, past.state_version, past.incarnation, past.last_msg_id
FROM json_each(?1) AS asked
JOIN flight_hist AS past ON past.flid = asked.value
 AND past.incarnation = (SELECT max(incarnation) FROM flight_hist AS life WHERE life.flid = asked.value);

-- name: due_flights
-- A flight stays while its main flight is there and ACTIVE: that one would lose a code-share, which takes a
-- message. So main flights go first, and code-shares with a later call; two that name each other go together.
-- First those of a past day, then those without a day: one range of an index each.
-- CROSS JOIN: SQLite keeps the order written, so the ranges are read first.
WITH due AS (
    SELECT flid FROM flight_schd WHERE operation_day < ?1
    UNION ALL
    SELECT flid FROM flight_schd WHERE operation_day IS NULL AND updated_at < ?2
)
SELECT flight.flid, flight.life, flight.state_version, flight.last_msg_id
FROM due CROSS JOIN flight_schd AS flight ON flight.flid = due.flid
WHERE NOT EXISTS (
      SELECT 1 FROM flight_schd AS main
      WHERE main.flid = flight.main_flid AND main.flid <> flight.flid AND main.life = 'ACTIVE'
        AND (main.main_flid = flight.flid
             AND (main.operation_day < ?1 OR (main.operation_day IS NULL AND main.updated_at < ?2))) IS NOT TRUE)
ORDER BY flight.operation_day NULLS LAST, flight.flid LIMIT ?3;

-- name: keep_in_history
-- The version of a flight that was ACTIVE is that of its tombstone.
INSERT INTO flight_hist
    (flid, life, state_version, incarnation, floor_msg_id, schedule_msg_id, last_msg_id, operation_day, main_flid,
     turn_flid, document, updated_at, swept_at)
SELECT flid, life, state_version + (life = 'ACTIVE'), incarnation, floor_msg_id, schedule_msg_id, last_msg_id,
       operation_day, main_flid, turn_flid, document, updated_at, ?2
FROM flight_schd WHERE flid IN (SELECT value FROM json_each(?1));

-- name: end_flights
DELETE FROM flight_schd WHERE flid IN (SELECT value FROM json_each(?1));

-- name: forget_history
DELETE FROM flight_hist WHERE (flid, incarnation) IN (
    SELECT flid, incarnation FROM flight_hist WHERE swept_at < ?1 ORDER BY swept_at LIMIT ?2);

-- name: forget_changes
DELETE FROM flight_change WHERE (flid, state_version) IN (
    SELECT flid, state_version FROM flight_change WHERE at < ?1 ORDER BY at LIMIT ?2);
