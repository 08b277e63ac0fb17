-- Messages that are over, and what the clean-up jobs look for (INV-9, C-8, C-16).

-- As proc_state. A message is here or there; what is left there is its shadow. No other unique key:
-- identities are held by the shadows.
CREATE TABLE proc_state_hst (
    msg_id                    INTEGER PRIMARY KEY,
    state                     TEXT    NOT NULL CHECK (length(state) <= 16),
    identity_key              TEXT    CHECK (length(identity_key) <= 200 AND instr(identity_key, char(0)) = 0),
    attempts                  INTEGER NOT NULL DEFAULT 0,
    next_attempt_at           INTEGER,
    error_class               TEXT    CHECK (length(error_class) <= 20),
    last_error                TEXT    CHECK (length(last_error) <= 1000 AND instr(last_error, char(0)) = 0),
    updated_at                INTEGER NOT NULL,
    received_at               INTEGER,
    backfill_at               INTEGER,
    backfill_next_at          INTEGER,
    backfill_attempts         INTEGER NOT NULL DEFAULT 0,
    backfill_error            TEXT    CHECK (length(backfill_error) <= 512 AND instr(backfill_error, char(0)) = 0),
    backfill_abandoned_at     INTEGER,
    backfill_abandoned_reason TEXT    CHECK (length(backfill_abandoned_reason) <= 64),
    enqueued_at               INTEGER NOT NULL,
    msg_type                  TEXT    CHECK (length(msg_type) <= 16 AND instr(msg_type, char(0)) = 0),
    msg_styp                  TEXT    CHECK (length(msg_styp) <= 32 AND instr(msg_styp, char(0)) = 0),
    sender                    TEXT    CHECK (length(sender) <= 32 AND instr(sender, char(0)) = 0),
    seqn                      TEXT    CHECK (length(seqn) <= 32 AND instr(seqn, char(0)) = 0),
    dttm                      TEXT    CHECK (length(dttm) <= 32 AND instr(dttm, char(0)) = 0),
    content_hash              BLOB    CHECK (length(content_hash) = 32),
    reconciled_at             INTEGER,
    reconciled_by             TEXT    CHECK (length(reconciled_by) <= 100 AND instr(reconciled_by, char(0)) = 0),
    reconcile_note            TEXT    CHECK (length(reconcile_note) <= 1000 AND instr(reconcile_note, char(0)) = 0),
    archived_at               INTEGER NOT NULL
) STRICT;

-- What is to be forgotten, oldest first; the ID is there too, so that what the mailbox still holds is
-- passed without a look at the row.
CREATE INDEX ix_proc_hst_archived ON proc_state_hst (archived_at, msg_id);

-- Lists and counts for people: dead letters and given-up marks of both tables (C-16).
CREATE INDEX ix_proc_hst_dead ON proc_state_hst (msg_id) WHERE state = 'DEAD';
CREATE INDEX ix_proc_hst_abandoned ON proc_state_hst (msg_id) WHERE backfill_abandoned_at IS NOT NULL;

-- What may be archived, oldest first. A row enters when its mark is settled and leaves when it is
-- archived; one that isn't eligible is never in the way.
CREATE INDEX ix_proc_settled ON proc_state (updated_at, msg_id)
    WHERE state IN ('SUCCEEDED', 'SKIPPED', 'DEAD')
      AND (backfill_at IS NOT NULL OR (backfill_abandoned_at IS NOT NULL AND reconciled_at IS NOT NULL));

CREATE INDEX ix_proc_shadow ON proc_state (archived_at, msg_id) WHERE state = 'ARCHIVED';

CREATE INDEX ix_event_sent ON msg_event (sent_at, event_id) WHERE state = 'SENT';
CREATE INDEX ix_event_discarded ON msg_event (discarded_at, event_id) WHERE discarded_at IS NOT NULL;

-- Since when a body is kept.
ALTER TABLE msg_raw ADD COLUMN enqueued_at INTEGER;
UPDATE msg_raw SET enqueued_at = (SELECT enqueued_at FROM proc_state WHERE proc_state.msg_id = msg_raw.msg_id);
CREATE INDEX ix_raw_enqueued ON msg_raw (enqueued_at, msg_id);
