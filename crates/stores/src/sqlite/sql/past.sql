-- name: newest_bodies
SELECT msg_id, enqueued_at, sha256 FROM msg_raw ORDER BY msg_id DESC LIMIT ?1;

-- name: released_gaps
-- Released ranges don't overlap: ordered by their ends they are ordered by their beginnings.
SELECT first_id, last_id FROM inbox_gap
WHERE state = 'CLOSED' AND verdict <> 'released:before-start' AND last_id >= ?1
ORDER BY last_id LIMIT ?2;
