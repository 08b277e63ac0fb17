-- Messages as the comparison with the mailbox wants them (FC-17). By primary key; what the archive keeps
-- of a message stands for its shadow.

-- name: accounts
-- A step is told by the event of its change, which is written with it and not forgotten sooner.
SELECT message.msg_id,
       COALESCE(kept.state, message.state) AS state,
       COALESCE(kept.enqueued_at, message.enqueued_at) AS enqueued_at,
       COALESCE(kept.backfill_at, message.backfill_at) IS NOT NULL AS is_marked,
       COALESCE(kept.backfill_abandoned_reason, message.backfill_abandoned_reason) AS reason,
       EXISTS (SELECT 1 FROM msg_raw WHERE msg_raw.msg_id = message.msg_id) AS has_body,
       (SELECT count(*)
        FROM flight_change AS step
        WHERE step.msg_id = message.msg_id AND step.life = 'ACTIVE' AND step.at >= ?3
          AND NOT EXISTS (SELECT 1 FROM msg_event AS event
                          WHERE event.msg_id = message.msg_id AND event.target = 'KAFKA:msg'
                            AND event.partition_key = CAST(step.flid AS TEXT))) AS untold
FROM proc_state AS message
LEFT JOIN proc_state_hst AS kept ON kept.msg_id = message.msg_id AND message.state = 'ARCHIVED'
WHERE message.msg_id >= ?1 AND message.msg_id <= ?2
ORDER BY message.msg_id
LIMIT ?4;

-- name: left_out
WITH before_start AS MATERIALIZED (
    SELECT first_id, last_id FROM inbox_gap WHERE state = 'CLOSED' AND verdict = 'released:before-start'
)
SELECT id
FROM (SELECT value AS id FROM json_each(?1))
WHERE EXISTS (SELECT 1 FROM inbox_late WHERE msg_id = id AND state = 'DISMISSED')
   OR EXISTS (SELECT 1 FROM before_start WHERE first_id <= id AND last_id >= id)
ORDER BY id;
