-- name: forget_events
DELETE FROM msg_event
WHERE event_id IN (SELECT event_id FROM msg_event INDEXED BY ix_event_sent
                   WHERE state = 'SENT' AND sent_at < ?1 AND kafka_offset IS NOT NULL
                   ORDER BY sent_at, event_id LIMIT ?2)
  AND state = 'SENT' AND sent_at < ?1 AND kafka_offset IS NOT NULL;

-- name: forget_discarded
DELETE FROM msg_event
WHERE event_id IN (SELECT event_id FROM msg_event INDEXED BY ix_event_discarded
                   WHERE discarded_at IS NOT NULL AND discarded_at < ?1 AND state = 'DEAD'
                   ORDER BY discarded_at, event_id LIMIT ?2)
  AND state = 'DEAD' AND discarded_at < ?1;

-- name: old_archived
-- Nothing is looked for while nothing archived lies below the mailbox: otherwise each sweep would walk
-- all that an owner who doesn't purge keeps alive.
SELECT msg_id FROM proc_state_hst INDEXED BY ix_proc_hst_archived
WHERE archived_at < ?1 AND msg_id < ?2 AND (SELECT min(msg_id) FROM proc_state_hst) < ?2
ORDER BY archived_at, msg_id LIMIT ?3;

-- name: forget_attempts
DELETE FROM msg_attempt WHERE msg_id IN (SELECT value FROM json_each(?1));

-- name: forget_archived
DELETE FROM proc_state_hst WHERE msg_id IN (SELECT value FROM json_each(?1));

-- name: forget_shadows
DELETE FROM proc_state
WHERE msg_id IN (SELECT msg_id FROM proc_state INDEXED BY ix_proc_shadow
                 WHERE state = 'ARCHIVED' AND archived_at < ?1 AND msg_id < ?2
                   AND (SELECT min(msg_id) FROM proc_state) < ?2
                 ORDER BY archived_at, msg_id LIMIT ?3)
  AND state = 'ARCHIVED' AND archived_at < ?1 AND msg_id < ?2;

-- name: forget_bodies
DELETE FROM msg_raw
WHERE msg_id IN (SELECT raw.msg_id FROM msg_raw AS raw INDEXED BY ix_raw_enqueued
                 WHERE raw.enqueued_at < ?1
                   AND NOT EXISTS (SELECT 1 FROM proc_state AS message
                                   WHERE message.msg_id = raw.msg_id AND message.state IN ('PENDING', 'FAILED')
                                     AND message.state <> 'ARCHIVED')
                 ORDER BY raw.enqueued_at, raw.msg_id LIMIT ?2);
