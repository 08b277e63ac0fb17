-- Watermark, arrivals and the gap ledger (INV-2).

-- name: cursor
SELECT watermark FROM inbox_cursor WHERE name = 'pipeline';

-- name: start_at
INSERT INTO inbox_cursor (name, watermark, updated_at) VALUES ('pipeline', $1, $2)
ON CONFLICT (name) DO NOTHING;

-- name: advance
UPDATE inbox_cursor SET watermark = $2, updated_at = $3 WHERE name = 'pipeline' AND watermark = $1;

-- name: insert_pending
INSERT INTO proc_state (msg_id, state, updated_at, received_at, enqueued_at)
SELECT given.msg_id, 'PENDING', $3::timestamptz, given.received_at, $3::timestamptz
FROM unnest($1::bigint[], $2::timestamptz[]) AS given (msg_id, received_at)
ON CONFLICT (msg_id) DO NOTHING;

-- name: insert_raw
INSERT INTO msg_raw (msg_id, sha256, length, body, absence, enqueued_at)
SELECT given.*, $6::timestamptz
FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::bytea[], $5::text[])
     AS given (msg_id, sha256, length, body, absence)
ON CONFLICT (msg_id) DO NOTHING;

-- name: other_bodies
-- Sent only when insert_raw met rows that were there already (PRE-3).
SELECT raw.msg_id
FROM unnest($1::bigint[], $2::bytea[], $3::bigint[]) AS given (msg_id, sha256, length)
JOIN msg_raw AS raw ON raw.msg_id = given.msg_id
WHERE raw.sha256 IS DISTINCT FROM given.sha256 OR raw.length <> given.length
ORDER BY raw.msg_id;

-- name: forget_open_gaps
DELETE FROM inbox_gap WHERE state = 'OPEN';

-- name: insert_gaps
INSERT INTO inbox_gap (state, first_id, last_id, first_seen, server_id, verdict, closed_at)
SELECT *
FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::text[], $6::text[], $7::timestamptz[])
ON CONFLICT (state, first_id, last_id) DO NOTHING;

-- name: open_gaps
SELECT gap_id, first_id, last_id, first_seen, server_id FROM inbox_gap WHERE state = 'OPEN' ORDER BY first_id;

-- name: closed_gaps
SELECT gap_id, first_id, last_id, first_seen, closed_at, verdict
FROM inbox_gap
WHERE state = 'CLOSED' AND closed_at >= $1
ORDER BY closed_at DESC, first_id DESC
LIMIT $2;

-- name: record_late
INSERT INTO inbox_late (msg_id, found_at, state)
SELECT DISTINCT given.msg_id, $2::timestamptz, 'FOUND' FROM unnest($1::bigint[]) AS given (msg_id)
ON CONFLICT (msg_id) DO NOTHING
RETURNING msg_id;
