-- Reads for people. Counts that are looked at every second stop at 100,000.

-- name: facts
-- An archived message was marked, or its mark was given up: which, the archive says.
SELECT live.enqueued,
       live.processed + live.archived AS processed,
       live.marked + live.archived - past.abandoned AS marked,
       live.abandoned + past.abandoned AS abandoned,
       (SELECT count(*) FROM msg_event WHERE state = 'SENT' AND target = 'KAFKA:msg') AS delivered_msg,
       (SELECT count(*) FROM msg_event WHERE state = 'SENT' AND target = 'KAFKA:schd') AS delivered_schd
FROM (SELECT count(*) AS enqueued,
             count(*) FILTER (WHERE state = 'ARCHIVED') AS archived,
             count(*) FILTER (WHERE state IN ('SUCCEEDED', 'SKIPPED', 'DEAD') AND state <> 'ARCHIVED') AS processed,
             count(*) FILTER (WHERE state <> 'ARCHIVED' AND backfill_at IS NOT NULL) AS marked,
             count(*) FILTER (WHERE state <> 'ARCHIVED' AND backfill_abandoned_at IS NOT NULL) AS abandoned
      FROM proc_state) AS live
CROSS JOIN (SELECT count(*) AS abandoned
            FROM proc_state_hst
            JOIN proc_state ON proc_state.msg_id = proc_state_hst.msg_id AND proc_state.state = 'ARCHIVED'
            WHERE proc_state_hst.backfill_abandoned_at IS NOT NULL AND proc_state_hst.backfill_at IS NULL) AS past;

-- name: outcomes
-- Of both tables: a message is in one of them, its shadow counts nowhere.
SELECT msg_type, msg_styp, state, error_class, sum(messages)::bigint AS messages
FROM (SELECT msg_type, msg_styp, state, error_class, count(*) AS messages
      FROM proc_state
      WHERE state IN ('SUCCEEDED', 'SKIPPED', 'DEAD') AND state <> 'ARCHIVED'
      GROUP BY msg_type, msg_styp, state, error_class
      UNION ALL
      SELECT msg_type, msg_styp, state, error_class, count(*)
      FROM proc_state_hst
      GROUP BY msg_type, msg_styp, state, error_class) AS ended
GROUP BY msg_type, msg_styp, state, error_class
ORDER BY messages DESC, msg_type NULLS FIRST, msg_styp NULLS FIRST, state, error_class NULLS FIRST;

-- name: backlog
SELECT (SELECT watermark FROM inbox_cursor WHERE name = 'pipeline') AS watermark,
       (SELECT count(*) FROM (SELECT 1 FROM proc_state
                              WHERE state = 'PENDING' AND state <> 'ARCHIVED'
                              LIMIT 100000) AS bounded) AS pending,
       (SELECT count(*) FROM (SELECT 1 FROM proc_state
                              WHERE state = 'FAILED' AND state <> 'ARCHIVED'
                              LIMIT 100000) AS bounded) AS failed,
       (SELECT count(*) FROM (SELECT 1 FROM proc_state
                              WHERE state = 'DEAD' AND state <> 'ARCHIVED'
                              LIMIT 100000) AS bounded) AS dead,
       unmarked.messages AS unmarked,
       unmarked.oldest AS oldest_unmarked
FROM (SELECT count(*) AS messages, min(updated_at) AS oldest
      FROM (SELECT updated_at
            FROM proc_state
            WHERE backfill_next_at IS NOT NULL AND backfill_at IS NULL AND backfill_abandoned_at IS NULL
              AND state IN ('SUCCEEDED', 'SKIPPED', 'DEAD') AND state <> 'ARCHIVED'
            ORDER BY msg_id
            LIMIT 100000) AS bounded) AS unmarked;

-- name: first_in_queue
SELECT msg_id, state, attempts, next_attempt_at, error_class, last_error, enqueued_at
FROM proc_state
WHERE state IN ('PENDING', 'FAILED') AND state <> 'ARCHIVED'
  AND msg_id <= (SELECT watermark FROM inbox_cursor WHERE name = 'pipeline')
ORDER BY msg_id
LIMIT 1;

-- name: gap_count
SELECT count(*) FILTER (WHERE state = 'OPEN') AS open,
       COALESCE(sum(last_id - first_id + 1) FILTER (WHERE state = 'OPEN'), 0)::bigint AS open_ids,
       min(first_seen) FILTER (WHERE state = 'OPEN') AS oldest,
       COALESCE(sum(last_id - first_id + 1)
                FILTER (WHERE state = 'CLOSED' AND verdict IN ('released:age', 'released:transactions')), 0)::bigint AS released_ids,
       (SELECT count(*) FROM inbox_late WHERE state = 'FOUND') AS late
FROM inbox_gap;

-- name: outbox
SELECT wanted.target AS target,
       waiting.events AS pending,
       waiting.oldest AS oldest,
       (SELECT count(*) FROM (SELECT 1 FROM msg_event
                              WHERE state = 'DEAD' AND msg_event.target = wanted.target AND discarded_at IS NULL
                              LIMIT 100000) AS bounded) AS dead
FROM unnest($1::text[]) AS wanted (target)
CROSS JOIN LATERAL (
    SELECT count(*) AS events, min(created_at) AS oldest
    FROM (SELECT event.created_at
          FROM msg_event AS event
          WHERE event.state = 'PENDING' AND event.target = wanted.target
          ORDER BY event.event_id
          LIMIT 100000) AS bounded) AS waiting;

-- name: flights
SELECT flid, life, state_version, incarnation, floor_msg_id, schedule_msg_id, last_msg_id, operation_day, document
FROM (SELECT * FROM flight_schd ORDER BY last_msg_id DESC, flid LIMIT $1) AS newest
ORDER BY operation_day NULLS LAST, flid;

-- name: flight
SELECT flid, life, state_version, incarnation, floor_msg_id, schedule_msg_id, last_msg_id, operation_day, document
FROM flight_schd
WHERE flid = $1;

-- name: message
-- From the queue's table, or from the archive; the bare shadow where the archive has forgotten it.
SELECT msg_id, state, msg_type, msg_styp, sender, seqn, dttm, attempts, error_class, last_error, received_at,
       enqueued_at, updated_at, backfill_at, backfill_abandoned_reason
FROM proc_state
WHERE msg_id = $1 AND (state <> 'ARCHIVED' OR NOT EXISTS (SELECT 1 FROM proc_state_hst WHERE msg_id = $1))
UNION ALL
SELECT msg_id, state, msg_type, msg_styp, sender, seqn, dttm, attempts, error_class, last_error, received_at,
       enqueued_at, updated_at, backfill_at, backfill_abandoned_reason
FROM proc_state_hst
WHERE msg_id = $1 AND NOT EXISTS (SELECT 1 FROM proc_state WHERE msg_id = $1 AND state <> 'ARCHIVED');

-- name: flights_of
SELECT flid, life, state_version, incarnation, floor_msg_id, schedule_msg_id, last_msg_id, operation_day, document
FROM flight_schd
WHERE operation_day = $1
ORDER BY flid
LIMIT $2;

-- name: past_flights_of
SELECT flid, life, state_version, incarnation, floor_msg_id, schedule_msg_id, last_msg_id, operation_day, document,
       swept_at
FROM flight_hist
WHERE operation_day = $1
ORDER BY flid, incarnation
LIMIT $2;

-- name: past_flights
SELECT flid, life, state_version, incarnation, floor_msg_id, schedule_msg_id, last_msg_id, operation_day, document,
       swept_at
FROM flight_hist
WHERE flid = $1
ORDER BY incarnation DESC;

-- name: flight_changes
SELECT flid, state_version, incarnation, life, msg_id, msg_type, msg_styp, at, changes
FROM (SELECT * FROM flight_change WHERE flid = $1 ORDER BY state_version DESC LIMIT $2) AS newest
ORDER BY state_version;

-- name: relatives
SELECT flid, life, state_version, incarnation, floor_msg_id, schedule_msg_id, last_msg_id, operation_day, document
FROM flight_schd
WHERE flid IN (SELECT main_flid FROM flight_schd WHERE flid = $1
               UNION
               SELECT turn_flid FROM flight_schd WHERE flid = $1
               UNION
               SELECT flid FROM flight_schd WHERE main_flid = $1
               UNION
               SELECT flid FROM flight_schd WHERE turn_flid = $1)
  AND flid <> $1
ORDER BY flid;

-- name: message_kinds
SELECT msg_type, msg_styp, state, error_class, count, first_at, last_at, first_msg_id, last_msg_id
FROM message_kind
ORDER BY count DESC, msg_type, msg_styp, state, error_class
LIMIT $1;
