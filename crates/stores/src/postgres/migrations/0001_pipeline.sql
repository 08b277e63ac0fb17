-- The pipeline's tables; docs/schema.md describes them. Forward-only: a later change is a new file.
--
-- Rows of the hot tables are rewritten two or three times within seconds and then rest. A low
-- fillfactor leaves room for the new version on the same page, and eager autovacuum keeps the
-- partial indexes free of the dead entries that every scan of the head would have to step over.

CREATE TABLE proc_state (
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
    enqueued_at               TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    msg_type                  VARCHAR(16),
    msg_styp                  VARCHAR(32),
    sender                    VARCHAR(32),
    seqn                      VARCHAR(32),
    dttm                      VARCHAR(32),
    content_hash              BYTEA,
    reconciled_at             TIMESTAMPTZ(6),
    reconciled_by             VARCHAR(100),
    reconcile_note            VARCHAR(1000),
    archived_at               TIMESTAMPTZ(6),
    CONSTRAINT uk_proc_identity UNIQUE (identity_key)
) WITH (
    fillfactor = 60,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 5000,
    autovacuum_analyze_scale_factor = 0.02,
    autovacuum_analyze_threshold = 5000
);

-- The head of the queue (INV-3): small whatever the size of the table.
CREATE INDEX ix_proc_head ON proc_state (msg_id) WHERE state IN ('PENDING', 'FAILED');

-- Messages that owe a mark (INV-8).
CREATE INDEX ix_proc_unmarked ON proc_state (msg_id)
    WHERE backfill_next_at IS NOT NULL AND backfill_at IS NULL AND backfill_abandoned_at IS NULL;

-- Lists and counts for people.
CREATE INDEX ix_proc_dead ON proc_state (msg_id) WHERE state = 'DEAD';
CREATE INDEX ix_proc_failed ON proc_state (msg_id) WHERE state = 'FAILED';

CREATE TABLE msg_raw (
    msg_id  BIGINT NOT NULL PRIMARY KEY,
    sha256  BYTEA,
    length  BIGINT NOT NULL,
    body    BYTEA,
    absence VARCHAR(16)
);

-- Bodies are compressed before they come here: PostgreSQL need not try again.
ALTER TABLE msg_raw ALTER COLUMN body SET STORAGE EXTERNAL;

CREATE TABLE msg_attempt (
    msg_id      BIGINT         NOT NULL,
    attempt     INT            NOT NULL,
    at          TIMESTAMPTZ(6) NOT NULL,
    error_class VARCHAR(20)    NOT NULL,
    error       VARCHAR(1000)  NOT NULL,
    PRIMARY KEY (msg_id, attempt)
);

CREATE TABLE msg_event (
    event_id        BIGSERIAL      NOT NULL PRIMARY KEY,
    target          VARCHAR(30)    NOT NULL,
    partition_key   VARCHAR(32)    NOT NULL,
    event_type      VARCHAR(16)    NOT NULL DEFAULT 'UPSERT',
    state_version   BIGINT         NOT NULL,
    payload_json    TEXT           NOT NULL,
    state           VARCHAR(16)    NOT NULL,
    attempts        INT            NOT NULL DEFAULT 0,
    next_attempt_at TIMESTAMPTZ(6),
    error_class     VARCHAR(20),
    last_error      VARCHAR(1000),
    created_at      TIMESTAMPTZ(6) NOT NULL,
    sent_at         TIMESTAMPTZ(6),
    msg_id          BIGINT         NOT NULL,
    topic           VARCHAR(249),
    kafka_partition INT,
    kafka_offset    BIGINT,
    discarded_at    TIMESTAMPTZ(6)
) WITH (
    fillfactor = 60,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 5000,
    autovacuum_analyze_scale_factor = 0.02,
    autovacuum_analyze_threshold = 5000
);

-- One row per flight for the compacted topic.
CREATE UNIQUE INDEX uk_event_schd ON msg_event (partition_key) WHERE target = 'KAFKA:schd';

-- What is to be sent, in order.
CREATE INDEX ix_event_pending ON msg_event (target, event_id) WHERE state = 'PENDING';

-- Keys held back by an event that waits for its next try (CLM-7); all but empty.
CREATE INDEX ix_event_held ON msg_event (target, partition_key, event_id)
    WHERE state = 'PENDING' AND next_attempt_at IS NOT NULL;

CREATE INDEX ix_event_dead ON msg_event (target, event_id) WHERE state = 'DEAD';

CREATE TABLE flight_schd (
    flid            BIGINT         NOT NULL PRIMARY KEY,
    life            VARCHAR(16)    NOT NULL,
    state_version   BIGINT         NOT NULL,
    incarnation     INT            NOT NULL,
    floor_msg_id    BIGINT         NOT NULL,
    schedule_msg_id BIGINT         NOT NULL,
    last_msg_id     BIGINT         NOT NULL,
    operation_day   DATE,
    main_flid       BIGINT,
    document        TEXT           NOT NULL,
    updated_at      TIMESTAMPTZ(6) NOT NULL
) WITH (
    fillfactor = 40,
    autovacuum_vacuum_scale_factor = 0.1,
    autovacuum_vacuum_threshold = 1000
);

-- Documents and payloads outgrow their row and are rewritten all the time: LZ4 costs a tenth of the
-- default method.
DO $$
BEGIN
    ALTER TABLE flight_schd ALTER COLUMN document SET COMPRESSION lz4;
    ALTER TABLE msg_event ALTER COLUMN payload_json SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
    RAISE NOTICE 'this server was built without LZ4: the default compression is used';
END
$$;

-- Children of a main flight (INV-21).
CREATE INDEX ix_flight_main ON flight_schd (main_flid) WHERE main_flid IS NOT NULL;

CREATE TABLE inbox_cursor (
    name       VARCHAR(32)    NOT NULL PRIMARY KEY,
    watermark  BIGINT         NOT NULL,
    updated_at TIMESTAMPTZ(6) NOT NULL
) WITH (fillfactor = 10);

CREATE TABLE inbox_gap (
    gap_id     BIGSERIAL      NOT NULL PRIMARY KEY,
    first_id   BIGINT         NOT NULL,
    last_id    BIGINT         NOT NULL,
    state      VARCHAR(16)    NOT NULL,
    first_seen TIMESTAMPTZ(6) NOT NULL,
    server_id  VARCHAR(200)   NOT NULL,
    verdict    VARCHAR(32),
    closed_at  TIMESTAMPTZ(6)
);

-- A range is open once and closed once, also when a commit whose answer was lost is repeated.
CREATE UNIQUE INDEX uk_gap_range ON inbox_gap (state, first_id, last_id);
CREATE INDEX ix_gap_closed ON inbox_gap (closed_at) WHERE state = 'CLOSED';

CREATE TABLE inbox_late (
    msg_id   BIGINT         NOT NULL PRIMARY KEY,
    found_at TIMESTAMPTZ(6) NOT NULL,
    state    VARCHAR(16)    NOT NULL
);

CREATE TABLE pipeline_lease (
    name  VARCHAR(32)  NOT NULL PRIMARY KEY,
    epoch BIGINT       NOT NULL,
    owner VARCHAR(200) NOT NULL
);

CREATE TABLE pipeline_heartbeat (
    name       VARCHAR(32)    NOT NULL PRIMARY KEY,
    expires_at TIMESTAMPTZ(6) NOT NULL
) WITH (fillfactor = 10);

-- The rows exist from the start, so that a take-over always has a row to lock. Epoch 0: never held.
INSERT INTO pipeline_lease (name, epoch, owner) VALUES ('pipeline', 0, '');
INSERT INTO pipeline_heartbeat (name, expires_at) VALUES ('pipeline', 'epoch');
