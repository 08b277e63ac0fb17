-- Flights in history, the steps of each flight's timeline, how messages of each kind end (INV-18).

-- The turnaround partner of a flight. Documents written so far name it in their field.
ALTER TABLE flight_schd ADD COLUMN turn_flid BIGINT;
UPDATE flight_schd
SET turn_flid = (document::json #>> '{turnaround,1,flid}')::bigint
WHERE document LIKE '%"turnaround"%';

CREATE INDEX ix_flight_turn ON flight_schd (turn_flid) WHERE turn_flid IS NOT NULL;

-- What the sweep looks for, and lists by day.
CREATE INDEX ix_flight_day ON flight_schd (operation_day, flid);

CREATE TABLE flight_hist (
    flid            BIGINT         NOT NULL,
    life            VARCHAR(16)    NOT NULL,
    state_version   BIGINT         NOT NULL,
    incarnation     INT            NOT NULL,
    floor_msg_id    BIGINT         NOT NULL,
    schedule_msg_id BIGINT         NOT NULL,
    last_msg_id     BIGINT         NOT NULL,
    operation_day   DATE,
    main_flid       BIGINT,
    turn_flid       BIGINT,
    document        TEXT           NOT NULL,
    updated_at      TIMESTAMPTZ(6) NOT NULL,
    swept_at        TIMESTAMPTZ(6) NOT NULL,
    PRIMARY KEY (flid, incarnation)
);

CREATE INDEX ix_hist_day ON flight_hist (operation_day, flid);

-- What is to be forgotten.
CREATE INDEX ix_hist_swept ON flight_hist (swept_at);

CREATE TABLE flight_change (
    flid          BIGINT         NOT NULL,
    state_version BIGINT         NOT NULL,
    incarnation   INT            NOT NULL,
    life          VARCHAR(16)    NOT NULL,
    msg_id        BIGINT         NOT NULL,
    msg_type      VARCHAR(16),
    msg_styp      VARCHAR(32),
    at            TIMESTAMPTZ(6) NOT NULL,
    changes       TEXT           NOT NULL,
    PRIMARY KEY (flid, state_version)
);

CREATE INDEX ix_change_at ON flight_change (at);

-- A few hundred rows that every run rewrites: room for the new version on the same page.
CREATE TABLE message_kind (
    msg_type     VARCHAR(16)    NOT NULL,
    msg_styp     VARCHAR(32)    NOT NULL,
    state        VARCHAR(16)    NOT NULL,
    error_class  VARCHAR(20)    NOT NULL,
    count        BIGINT         NOT NULL,
    first_at     TIMESTAMPTZ(6) NOT NULL,
    last_at      TIMESTAMPTZ(6) NOT NULL,
    first_msg_id BIGINT         NOT NULL,
    last_msg_id  BIGINT         NOT NULL,
    PRIMARY KEY (msg_type, msg_styp, state, error_class)
) WITH (
    fillfactor = 10,
    autovacuum_vacuum_scale_factor = 0.1,
    autovacuum_vacuum_threshold = 1000
);

DO $$
BEGIN
    ALTER TABLE flight_hist ALTER COLUMN document SET COMPRESSION lz4;
    ALTER TABLE flight_change ALTER COLUMN changes SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
    RAISE NOTICE 'this server was built without LZ4: the default compression is used';
END
$$;
