-- Lease, fence and the store's clock. All ages are judged by clock_timestamp(): now() stands still
-- within a transaction.

-- name: now
SELECT clock_timestamp() AS at;

-- name: fence
-- FOR SHARE makes a take-over wait for this transaction's end, and this one for a take-over's.
SELECT epoch FROM pipeline_lease WHERE name = 'pipeline' AND epoch > 0 FOR SHARE;

-- name: lease_is_free
SELECT expires_at <= clock_timestamp() AS free FROM pipeline_heartbeat WHERE name = 'pipeline';

-- name: lock_lease
SELECT epoch FROM pipeline_lease WHERE name = 'pipeline' FOR UPDATE;

-- name: take_lease
WITH heartbeat AS (
    UPDATE pipeline_heartbeat
    SET expires_at = clock_timestamp() + $2::bigint * interval '1 microsecond'
    WHERE name = 'pipeline'
)
UPDATE pipeline_lease SET epoch = epoch + 1, owner = $1 WHERE name = 'pipeline'
RETURNING epoch;

-- name: beat
-- Renewal and release. The lease row is locked and, after a wait, read again, so a deposed owner
-- finds no row here.
WITH lease AS (
    SELECT name FROM pipeline_lease WHERE name = 'pipeline' AND epoch = $1 AND epoch > 0 FOR SHARE
)
UPDATE pipeline_heartbeat AS beat
SET expires_at = clock_timestamp() + $2::bigint * interval '1 microsecond'
FROM lease
WHERE beat.name = lease.name;

-- name: lease
SELECT lease.epoch, lease.owner, beat.expires_at
FROM pipeline_lease AS lease
JOIN pipeline_heartbeat AS beat ON beat.name = lease.name
WHERE lease.name = 'pipeline' AND lease.epoch > 0;

-- name: pipeline_lock
SELECT pg_advisory_xact_lock($1);
