-- Released ranges are looked into again until the mailbox's smallest ID has passed them (DEC-5).
CREATE INDEX ix_gap_released ON inbox_gap (last_id, first_id)
    WHERE state = 'CLOSED' AND verdict <> 'released:before-start';
