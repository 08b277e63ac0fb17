-- Flights that become history, and what is forgotten (INV-18).

-- name: past
-- The newest life in history of each flight.
SELECT past.flid, past.state_version, past.incarnation, past.last_msg_id
FROM unnest($1::bigint[]) AS asked (flid)
CROSS JOIN LATERAL (SELECT flid, state_version, incarnation, last_msg_id
                    FROM flight_hist
                    WHERE flight_hist.flid = asked.flid
                    ORDER BY incarnation DESC
                    LIMIT 1) AS past;

-- name: due_flights
-- A flight stays while its main flight is there and ACTIVE: that one would lose a code-share, which takes a
-- message. So main flights go first, and code-shares with a later call; two that name each other go together.
-- First those of a past day, then those without a day: one range of an index each.
WITH due AS (
    SELECT flid FROM flight_schd WHERE operation_day < $1
    UNION ALL
    SELECT flid FROM flight_schd WHERE operation_day IS NULL AND updated_at < $2
)
SELECT flight.flid, flight.life, flight.state_version, flight.last_msg_id
FROM due
JOIN flight_schd AS flight ON flight.flid = due.flid
WHERE NOT EXISTS (
      SELECT 1
      FROM flight_schd AS main
      WHERE main.flid = flight.main_flid AND main.flid <> flight.flid AND main.life = 'ACTIVE'
        AND (main.main_flid = flight.flid
             AND (main.operation_day < $1 OR (main.operation_day IS NULL AND main.updated_at < $2))) IS NOT TRUE)
ORDER BY flight.operation_day, flight.flid
LIMIT $3;

-- name: keep_in_history
-- The version of a flight that was ACTIVE is that of its tombstone.
INSERT INTO flight_hist
    (flid, life, state_version, incarnation, floor_msg_id, schedule_msg_id, last_msg_id, operation_day, main_flid,
     turn_flid, document, updated_at, swept_at)
SELECT flid, life, state_version + CASE WHEN life = 'ACTIVE' THEN 1 ELSE 0 END, incarnation, floor_msg_id,
       schedule_msg_id, last_msg_id, operation_day, main_flid, turn_flid, document, updated_at, $2::timestamptz
FROM flight_schd
WHERE flid = ANY($1::bigint[]);

-- name: end_flights
DELETE FROM flight_schd WHERE flid = ANY($1::bigint[]);

-- name: forget_history
DELETE FROM flight_hist AS past
USING (SELECT flid, incarnation FROM flight_hist WHERE swept_at < $1 ORDER BY swept_at LIMIT $2) AS old
WHERE past.flid = old.flid AND past.incarnation = old.incarnation;

-- name: forget_changes
DELETE FROM flight_change AS step
USING (SELECT flid, state_version FROM flight_change WHERE at < $1 ORDER BY at LIMIT $2) AS old
WHERE step.flid = old.flid AND step.state_version = old.state_version;
