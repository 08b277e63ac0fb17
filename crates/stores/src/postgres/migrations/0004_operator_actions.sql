-- What operators do: operations with their frozen targets, the audit log, paused rooms.

CREATE TABLE operation (
    operation  VARCHAR(64)    NOT NULL PRIMARY KEY,
    act        VARCHAR(16)    NOT NULL,
    actor      VARCHAR(100)   NOT NULL,
    reason     VARCHAR(1000)  NOT NULL,
    selection  VARCHAR(1000)  NOT NULL,
    created_at TIMESTAMPTZ(6) NOT NULL
);

-- A target without an outcome is still to be done.
CREATE TABLE operation_target (
    operation VARCHAR(64)    NOT NULL,
    target_id BIGINT         NOT NULL,
    seen      VARCHAR(200)   NOT NULL,
    outcome   VARCHAR(16),
    done_at   TIMESTAMPTZ(6),
    PRIMARY KEY (operation, target_id)
);

CREATE INDEX ix_target_open ON operation_target (operation, target_id) WHERE outcome IS NULL;

CREATE TABLE audit_log (
    audit_id  BIGSERIAL      NOT NULL PRIMARY KEY,
    at        TIMESTAMPTZ(6) NOT NULL,
    actor     VARCHAR(100)   NOT NULL,
    act       VARCHAR(16)    NOT NULL,
    target    VARCHAR(16)    NOT NULL,
    target_id VARCHAR(32)    NOT NULL,
    reason    VARCHAR(1000)  NOT NULL,
    operation VARCHAR(64)    NOT NULL,
    outcome   VARCHAR(16)    NOT NULL,
    detail    VARCHAR(1000)  NOT NULL
);

CREATE INDEX ix_audit_target ON audit_log (target, target_id, audit_id);
CREATE INDEX ix_audit_operation ON audit_log (operation, audit_id);
CREATE INDEX ix_audit_at ON audit_log (at);

CREATE TABLE room_pause (
    room      VARCHAR(16)    NOT NULL PRIMARY KEY,
    paused_at TIMESTAMPTZ(6) NOT NULL,
    paused_by VARCHAR(100)   NOT NULL,
    reason    VARCHAR(1000)  NOT NULL,
    until     TIMESTAMPTZ(6)
);

-- Who decided on a late row, and why.
ALTER TABLE inbox_late
    ADD COLUMN decided_at  TIMESTAMPTZ(6),
    ADD COLUMN decided_by  VARCHAR(100),
    ADD COLUMN decide_note VARCHAR(1000);

-- A dead event that an operator has sent again is said to be late.
ALTER TABLE msg_event ADD COLUMN retried_at TIMESTAMPTZ(6);

-- Marks given up, until they are reconciled.
CREATE INDEX ix_proc_abandoned ON proc_state (msg_id)
    WHERE backfill_abandoned_at IS NOT NULL AND reconciled_at IS NULL;
