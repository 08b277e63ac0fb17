-- name: lease
SELECT l.epoch, l.owner, h.expires_at
FROM pipeline_lease l JOIN pipeline_heartbeat h ON h.name = l.name
WHERE l.name = 'pipeline';

-- name: epoch
SELECT epoch FROM pipeline_lease WHERE name = 'pipeline';

-- name: take_lease
INSERT INTO pipeline_lease (name, epoch, owner) VALUES ('pipeline', 1, ?1)
ON CONFLICT (name) DO UPDATE SET epoch = epoch + 1, owner = excluded.owner
RETURNING epoch;

-- name: beat
INSERT INTO pipeline_heartbeat (name, expires_at) VALUES ('pipeline', ?1)
ON CONFLICT (name) DO UPDATE SET expires_at = excluded.expires_at;
