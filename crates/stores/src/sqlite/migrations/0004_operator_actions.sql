-- What operators do: operations with their frozen targets, the audit log, paused rooms.

CREATE TABLE operation (
    operation  TEXT    PRIMARY KEY CHECK (length(operation) <= 64 AND instr(operation, char(0)) = 0),
    act        TEXT    NOT NULL CHECK (length(act) <= 16),
    actor      TEXT    NOT NULL CHECK (length(actor) <= 100 AND instr(actor, char(0)) = 0),
    reason     TEXT    NOT NULL CHECK (length(reason) <= 1000 AND instr(reason, char(0)) = 0),
    selection  TEXT    NOT NULL CHECK (length(selection) <= 1000 AND instr(selection, char(0)) = 0),
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A target without an outcome is still to be done.
CREATE TABLE operation_target (
    operation TEXT    NOT NULL,
    target_id INTEGER NOT NULL,
    seen      TEXT    NOT NULL CHECK (length(seen) <= 200 AND instr(seen, char(0)) = 0),
    outcome   TEXT    CHECK (length(outcome) <= 16),
    done_at   INTEGER,
    PRIMARY KEY (operation, target_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX ix_target_open ON operation_target (operation, target_id) WHERE outcome IS NULL;

CREATE TABLE audit_log (
    audit_id  INTEGER PRIMARY KEY AUTOINCREMENT,
    at        INTEGER NOT NULL,
    actor     TEXT    NOT NULL CHECK (length(actor) <= 100 AND instr(actor, char(0)) = 0),
    act       TEXT    NOT NULL CHECK (length(act) <= 16),
    target    TEXT    NOT NULL CHECK (length(target) <= 16),
    target_id TEXT    NOT NULL CHECK (length(target_id) <= 32 AND instr(target_id, char(0)) = 0),
    reason    TEXT    NOT NULL CHECK (length(reason) <= 1000 AND instr(reason, char(0)) = 0),
    operation TEXT    NOT NULL CHECK (length(operation) <= 64 AND instr(operation, char(0)) = 0),
    outcome   TEXT    NOT NULL CHECK (length(outcome) <= 16),
    detail    TEXT    NOT NULL CHECK (length(detail) <= 1000 AND instr(detail, char(0)) = 0)
) STRICT;

CREATE INDEX ix_audit_target ON audit_log (target, target_id, audit_id);
CREATE INDEX ix_audit_operation ON audit_log (operation, audit_id);
CREATE INDEX ix_audit_at ON audit_log (at);

CREATE TABLE room_pause (
    room      TEXT    PRIMARY KEY CHECK (length(room) <= 16),
    paused_at INTEGER NOT NULL,
    paused_by TEXT    NOT NULL CHECK (length(paused_by) <= 100 AND instr(paused_by, char(0)) = 0),
    reason    TEXT    NOT NULL CHECK (length(reason) <= 1000 AND instr(reason, char(0)) = 0),
    until     INTEGER
) STRICT, WITHOUT ROWID;

-- Who decided on a late row, and why.
ALTER TABLE inbox_late ADD COLUMN decided_at INTEGER;
ALTER TABLE inbox_late ADD COLUMN decided_by TEXT CHECK (length(decided_by) <= 100 AND instr(decided_by, char(0)) = 0);
ALTER TABLE inbox_late ADD COLUMN decide_note TEXT
    CHECK (length(decide_note) <= 1000 AND instr(decide_note, char(0)) = 0);

-- A dead event that an operator has sent again is said to be late.
ALTER TABLE msg_event ADD COLUMN retried_at INTEGER;

-- Marks given up, until they are reconciled.
CREATE INDEX ix_proc_abandoned ON proc_state (msg_id)
    WHERE backfill_abandoned_at IS NOT NULL AND reconciled_at IS NULL;
