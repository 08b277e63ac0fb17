-- How terms end. One row: the epoch of the term that is under way or was never closed, how the one
-- before it ended, and the message that is tried alone because of that, with how often in a row.
CREATE TABLE pipeline_term (
    name             VARCHAR(32) NOT NULL PRIMARY KEY,
    epoch            BIGINT      NOT NULL,
    is_open          BOOLEAN     NOT NULL,
    follows_unclean  BOOLEAN     NOT NULL,
    lone_msg_id      BIGINT,
    lone_tries       INT         NOT NULL DEFAULT 0
);

INSERT INTO pipeline_term (name, epoch, is_open, follows_unclean) VALUES ('pipeline', 0, FALSE, FALSE);
