-- Messages that are over, and what the clean-up jobs look for (INV-9, C-8, C-16).

-- As proc_state. A message is here or there; what is left there is its shadow. No other unique key:
-- identities are held by the shadows.
CREATE TABLE proc_state_hst (
    msg_id                    BIGINT         NOT NULL PRIMARY KEY,
    state                     VARCHAR(16)    NOT NULL,
    identity_key              VARCHAR(200),
    attempts                  INT            NOT NULL DEFAULT 0,
    next_attempt_at           TIMESTAMPTZ(6),
    error_class               VARCHAR(20),
    last_error                VARCHAR(1000),
    updated_at                TIMESTAMPTZ(6) NOT NULL,
    received_at               TIMESTAMPTZ(6),
    backfill_at               TIMESTAMPTZ(6),
    backfill_next_at          TIMESTAMPTZ(6),
    backfill_attempts         INT            NOT NULL DEFAULT 0,
    backfill_error            VARCHAR(512),
    backfill_abandoned_at     TIMESTAMPTZ(6),
    backfill_abandoned_reason VARCHAR(64),
    enqueued_at               TIMESTAMPTZ(6) NOT NULL,
    msg_type                  VARCHAR(16),
    msg_styp                  VARCHAR(32),
    sender                    VARCHAR(32),
    seqn                      VARCHAR(32),
    dttm                      VARCHAR(32),
    content_hash              BYTEA,
    reconciled_at             TIMESTAMPTZ(6),
    reconciled_by             VARCHAR(100),
    reconcile_note            VARCHAR(1000),
    archived_at               TIMESTAMPTZ(6) NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

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
ALTER TABLE msg_raw ADD COLUMN enqueued_at TIMESTAMPTZ(6) NOT NULL DEFAULT now();
UPDATE msg_raw SET enqueued_at = message.enqueued_at FROM proc_state AS message WHERE message.msg_id = msg_raw.msg_id;
CREATE INDEX ix_raw_enqueued ON msg_raw (enqueued_at, msg_id);
