-- name: cursor
SELECT watermark FROM inbox_cursor WHERE name = 'pipeline';

-- name: start_at
INSERT INTO inbox_cursor (name, watermark, updated_at) VALUES ('pipeline', ?1, ?2)
ON CONFLICT (name) DO NOTHING;

-- name: advance
-- Conditional on the watermark the plan was made on: two plans can't both apply.
UPDATE inbox_cursor SET watermark = ?2, updated_at = ?3 WHERE name = 'pipeline' AND watermark = ?1;

-- name: insert_raw
INSERT INTO msg_raw (msg_id, sha256, length, absence, body, enqueued_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (msg_id) DO NOTHING;

-- name: raw_is
SELECT sha256 IS ?2 FROM msg_raw WHERE msg_id = ?1;

-- name: insert_pending
-- Takes [[msg_id, received_at], ...]: numbers alone, so that one statement serves a whole poll.
INSERT INTO proc_state (msg_id, state, attempts, received_at, enqueued_at, updated_at)
SELECT value ->> 0, 'PENDING', 0, value ->> 1, ?2, ?2 FROM json_each(?1) WHERE true
ON CONFLICT (msg_id) DO NOTHING;

-- name: open_gaps
SELECT gap_id, first_id, last_id, first_seen, server_id, verdict, closed_at
FROM inbox_gap WHERE state = 'OPEN' ORDER BY first_id;

-- name: closed_gaps
SELECT gap_id, first_id, last_id, first_seen, server_id, verdict, closed_at
FROM inbox_gap WHERE state = 'CLOSED' AND closed_at >= ?1
ORDER BY closed_at DESC, first_id DESC LIMIT ?2;

-- name: forget_open_gaps
DELETE FROM inbox_gap WHERE state = 'OPEN';

-- name: insert_open_gap
INSERT INTO inbox_gap (first_id, last_id, state, first_seen, server_id) VALUES (?1, ?2, 'OPEN', ?3, ?4)
ON CONFLICT (state, first_id, last_id) DO NOTHING;

-- name: insert_closed_gap
INSERT INTO inbox_gap (first_id, last_id, state, first_seen, server_id, verdict, closed_at)
VALUES (?1, ?2, 'CLOSED', ?3, '', ?4, ?5)
ON CONFLICT (state, first_id, last_id) DO NOTHING;

-- name: record_late
INSERT INTO inbox_late (msg_id, found_at, state) VALUES (?1, ?2, 'FOUND') ON CONFLICT (msg_id) DO NOTHING;
