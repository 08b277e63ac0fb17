-- Flights in history, the steps of each flight's timeline, how messages of each kind end (INV-18).

-- The turnaround partner of a flight. Documents written so far name it in their field.
ALTER TABLE flight_schd ADD COLUMN turn_flid INTEGER;
UPDATE flight_schd SET turn_flid = document ->> '$.turnaround[1].flid' WHERE document LIKE '%"turnaround"%';

CREATE INDEX ix_flight_turn ON flight_schd (turn_flid) WHERE turn_flid IS NOT NULL;

-- What the sweep looks for, and lists by day.
CREATE INDEX ix_flight_day ON flight_schd (operation_day, flid);

CREATE TABLE flight_hist (
    flid            INTEGER NOT NULL,
    life            TEXT    NOT NULL CHECK (length(life) <= 16),
    state_version   INTEGER NOT NULL,
    incarnation     INTEGER NOT NULL,
    floor_msg_id    INTEGER NOT NULL,
    schedule_msg_id INTEGER NOT NULL,
    last_msg_id     INTEGER NOT NULL,
    operation_day   TEXT    CHECK (length(operation_day) = 10),
    main_flid       INTEGER,
    turn_flid       INTEGER,
    document        TEXT    NOT NULL CHECK (instr(document, char(0)) = 0),
    updated_at      INTEGER NOT NULL,
    swept_at        INTEGER NOT NULL,
    PRIMARY KEY (flid, incarnation)
) STRICT;

CREATE INDEX ix_hist_day ON flight_hist (operation_day, flid);

-- What is to be forgotten.
CREATE INDEX ix_hist_swept ON flight_hist (swept_at);

CREATE TABLE flight_change (
    flid          INTEGER NOT NULL,
    state_version INTEGER NOT NULL,
    incarnation   INTEGER NOT NULL,
    life          TEXT    NOT NULL CHECK (length(life) <= 16),
    msg_id        INTEGER NOT NULL,
    msg_type      TEXT    CHECK (length(msg_type) <= 16 AND instr(msg_type, char(0)) = 0),
    msg_styp      TEXT    CHECK (length(msg_styp) <= 32 AND instr(msg_styp, char(0)) = 0),
    at            INTEGER NOT NULL,
    changes       TEXT    NOT NULL CHECK (instr(changes, char(0)) = 0),
    PRIMARY KEY (flid, state_version)
) STRICT;

CREATE INDEX ix_change_at ON flight_change (at);

CREATE TABLE message_kind (
    msg_type     TEXT    NOT NULL CHECK (length(msg_type) <= 16 AND instr(msg_type, char(0)) = 0),
    msg_styp     TEXT    NOT NULL CHECK (length(msg_styp) <= 32 AND instr(msg_styp, char(0)) = 0),
    state        TEXT    NOT NULL CHECK (length(state) <= 16),
    error_class  TEXT    NOT NULL CHECK (length(error_class) <= 20),
    count        INTEGER NOT NULL,
    first_at     INTEGER NOT NULL,
    last_at      INTEGER NOT NULL,
    first_msg_id INTEGER NOT NULL,
    last_msg_id  INTEGER NOT NULL,
    PRIMARY KEY (msg_type, msg_styp, state, error_class)
) STRICT, WITHOUT ROWID;
