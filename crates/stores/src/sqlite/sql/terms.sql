-- How terms end, and the message that is tried alone after an unclean end. The epoch is checked in
-- the same transaction before each of these.

-- name: open_term
-- Asked again in the same term it changes nothing.
UPDATE pipeline_term
SET follows_unclean = CASE WHEN epoch = ?1 THEN follows_unclean ELSE is_open END, is_open = TRUE, epoch = ?1
WHERE name = 'pipeline'
RETURNING follows_unclean;

-- name: close_term
UPDATE pipeline_term
SET is_open = FALSE, lone_msg_id = NULL, lone_tries = 0
WHERE name = 'pipeline' AND epoch = ?1;

-- name: note_lone_try
UPDATE pipeline_term
SET lone_tries = CASE WHEN lone_msg_id = ?1 THEN lone_tries + 1 ELSE 1 END, lone_msg_id = ?1
WHERE name = 'pipeline'
RETURNING lone_tries;

-- name: lone_try
SELECT lone_msg_id, lone_tries FROM pipeline_term WHERE name = 'pipeline' AND lone_msg_id IS NOT NULL;

-- name: forget_lone_try
UPDATE pipeline_term SET lone_msg_id = NULL, lone_tries = 0 WHERE name = 'pipeline';
