-- The pipeline's tables; docs/schema.md describes them. Forward-only: a later change is a new file.
-- Times are microseconds since 1970 (UTC).
-- STRICT and the CHECKs make SQLite refuse what PostgreSQL refuses: texts longer than their
-- column and texts with NUL. A NULL passes a CHECK.

CREATE TABLE proc_state (
    msg_id                    INTEGER PRIMARY KEY,
    state                     TEXT    NOT NULL CHECK (length(state) <= 16),
    identity_key              TEXT    CONSTRAINT uk_proc_identity UNIQUE
                                      CHECK (length(identity_key) <= 200 AND instr(identity_key, char(0)) = 0),
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
    archived_at               INTEGER
) STRICT;

-- The queue (INV-3): whatever the number of finished rows, the head is one look-up away.
CREATE INDEX ix_proc_head ON proc_state (msg_id, state) WHERE state IN ('PENDING', 'FAILED');

-- Terminal rows that owe a mark (INV-8).
CREATE INDEX ix_proc_unmarked ON proc_state (msg_id)
    WHERE backfill_next_at IS NOT NULL AND backfill_at IS NULL AND backfill_abandoned_at IS NULL;

-- Lists and counts for people.
CREATE INDEX ix_proc_dead ON proc_state (msg_id) WHERE state = 'DEAD';
CREATE INDEX ix_proc_failed ON proc_state (msg_id) WHERE state = 'FAILED';

CREATE TABLE msg_raw (
    msg_id  INTEGER PRIMARY KEY,
    sha256  BLOB    CHECK (length(sha256) = 32),
    length  INTEGER NOT NULL,
    absence TEXT    CHECK (length(absence) <= 16),
    body    BLOB
) STRICT;

CREATE TABLE msg_attempt (
    msg_id      INTEGER NOT NULL,
    attempt     INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    error_class TEXT    NOT NULL CHECK (length(error_class) <= 20),
    error       TEXT    NOT NULL CHECK (length(error) <= 1000 AND instr(error, char(0)) = 0),
    PRIMARY KEY (msg_id, attempt)
) STRICT, WITHOUT ROWID;

-- AUTOINCREMENT: an ID is never given twice, so that event_id rises for good.
CREATE TABLE msg_event (
    event_id        INTEGER PRIMARY KEY AUTOINCREMENT,
    target          TEXT    NOT NULL CHECK (length(target) <= 30),
    partition_key   TEXT    NOT NULL CHECK (length(partition_key) <= 32),
    event_type      TEXT    NOT NULL DEFAULT 'UPSERT' CHECK (length(event_type) <= 16),
    state_version   INTEGER NOT NULL,
    payload_json    TEXT    NOT NULL CHECK (instr(payload_json, char(0)) = 0),
    state           TEXT    NOT NULL CHECK (length(state) <= 16),
    attempts        INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER,
    error_class     TEXT    CHECK (length(error_class) <= 20),
    last_error      TEXT    CHECK (length(last_error) <= 1000 AND instr(last_error, char(0)) = 0),
    created_at      INTEGER NOT NULL,
    sent_at         INTEGER,
    msg_id          INTEGER NOT NULL,
    topic           TEXT    CHECK (length(topic) <= 249 AND instr(topic, char(0)) = 0),
    kafka_partition INTEGER,
    kafka_offset    INTEGER,
    discarded_at    INTEGER
) STRICT;

-- One row per FLID for the target that carries whole states.
CREATE UNIQUE INDEX uk_event_schd ON msg_event (partition_key) WHERE target = 'KAFKA:schd';

CREATE INDEX ix_event_pending ON msg_event (target, event_id) WHERE state = 'PENDING';

-- Keys held back by an event that waits for its next try (CLM-7); all but empty.
CREATE INDEX ix_event_held ON msg_event (target, partition_key, event_id)
    WHERE state = 'PENDING' AND next_attempt_at IS NOT NULL;

CREATE INDEX ix_event_dead ON msg_event (target, event_id) WHERE state = 'DEAD';

CREATE TABLE flight_schd (
    flid            INTEGER PRIMARY KEY,
    life            TEXT    NOT NULL CHECK (length(life) <= 16),
    state_version   INTEGER NOT NULL,
    incarnation     INTEGER NOT NULL,
    floor_msg_id    INTEGER NOT NULL,
    schedule_msg_id INTEGER NOT NULL,
    last_msg_id     INTEGER NOT NULL,
    operation_day   TEXT    CHECK (length(operation_day) = 10),
    main_flid       INTEGER,
    document        TEXT    NOT NULL CHECK (instr(document, char(0)) = 0),
    updated_at      INTEGER NOT NULL
) STRICT;

CREATE INDEX ix_flight_main ON flight_schd (main_flid) WHERE main_flid IS NOT NULL;

CREATE INDEX ix_flight_last ON flight_schd (last_msg_id);

CREATE TABLE inbox_cursor (
    name       TEXT    PRIMARY KEY,
    watermark  INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE inbox_gap (
    gap_id     INTEGER PRIMARY KEY AUTOINCREMENT,
    first_id   INTEGER NOT NULL,
    last_id    INTEGER NOT NULL CHECK (last_id >= first_id),
    state      TEXT    NOT NULL CHECK (state IN ('OPEN', 'CLOSED')),
    first_seen INTEGER NOT NULL,
    server_id  TEXT    NOT NULL CHECK (length(server_id) <= 200 AND instr(server_id, char(0)) = 0),
    verdict    TEXT    CHECK (length(verdict) <= 32),
    closed_at  INTEGER
) STRICT;

-- A range is open once and closed once, also when a commit whose answer was lost is repeated.
CREATE UNIQUE INDEX uk_gap_range ON inbox_gap (state, first_id, last_id);

CREATE INDEX ix_gap_closed ON inbox_gap (closed_at) WHERE state = 'CLOSED';

CREATE TABLE inbox_late (
    msg_id   INTEGER PRIMARY KEY,
    found_at INTEGER NOT NULL,
    state    TEXT    NOT NULL CHECK (length(state) <= 16)
) STRICT;

CREATE TABLE pipeline_lease (
    name  TEXT    PRIMARY KEY,
    epoch INTEGER NOT NULL,
    owner TEXT    NOT NULL CHECK (length(owner) <= 200 AND instr(owner, char(0)) = 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE pipeline_heartbeat (
    name       TEXT    PRIMARY KEY,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
