-- Messages as the comparison with the mailbox wants them (FC-17). By primary key; what the archive keeps
-- of a message stands for its shadow.

-- name: accounts
-- A step is told by the event of its change, which is written with it and not forgotten sooner. LATERAL
-- with a LIMIT is one look by index per row: joined freely, a part would cost a walk through a whole table.
SELECT part.msg_id,
       COALESCE(kept.state, part.state) AS state,
       COALESCE(kept.enqueued_at, part.enqueued_at) AS enqueued_at,
       COALESCE(kept.backfill_at, part.backfill_at) IS NOT NULL AS is_marked,
       COALESCE(kept.backfill_abandoned_reason, part.backfill_abandoned_reason) AS reason,
       body.msg_id IS NOT NULL AS has_body,
       steps.untold
FROM (SELECT msg_id, state, enqueued_at, backfill_at, backfill_abandoned_reason
      FROM proc_state
      WHERE msg_id >= $1 AND msg_id <= $2
      ORDER BY msg_id
      LIMIT $4) AS part
LEFT JOIN LATERAL (SELECT state, enqueued_at, backfill_at, backfill_abandoned_reason
                   FROM proc_state_hst
                   WHERE proc_state_hst.msg_id = part.msg_id AND part.state = 'ARCHIVED'
                   LIMIT 1) AS kept ON true
LEFT JOIN LATERAL (SELECT msg_id FROM msg_raw WHERE msg_raw.msg_id = part.msg_id LIMIT 1) AS body ON true
CROSS JOIN LATERAL (SELECT count(*) AS untold
                    FROM flight_change AS step
                    WHERE step.msg_id = part.msg_id AND step.life = 'ACTIVE' AND step.at >= $3
                      AND NOT EXISTS (SELECT 1 FROM msg_event AS event
                                      WHERE event.msg_id = part.msg_id AND event.target = 'KAFKA:msg'
                                        AND event.partition_key = step.flid::text)) AS steps
ORDER BY part.msg_id;

-- name: left_out
WITH before_start AS MATERIALIZED (
    SELECT first_id, last_id FROM inbox_gap WHERE state = 'CLOSED' AND verdict = 'released:before-start'
)
SELECT id
FROM unnest($1::bigint[]) AS id
WHERE EXISTS (SELECT 1 FROM inbox_late WHERE msg_id = id AND state = 'DISMISSED')
   OR EXISTS (SELECT 1 FROM before_start WHERE first_id <= id AND last_id >= id)
ORDER BY id;
