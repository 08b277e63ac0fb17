//! Parameters of the pipeline: leadership, attempts, marks, how long what is kept.

use super::{duration, param};
use crate::params::Basis::{Assumption, Contract};
use crate::params::{Kind, Param};

/// In the order of the reference.
pub(super) static PIPELINE: &[Param] = &[
    param(
        "msgx.lease-ttl",
        Kind::Duration,
        "10 s",
        Assumption,
        "A leader that has not renewed for so long is replaced.",
    ),
    param(
        "msgx.shutdown-timeout",
        Kind::Duration,
        "20 s",
        Assumption,
        "Longest wait for the work in hand at a stop; nothing is lost when it is cut short.",
    ),
    param(
        "msgx.pipeline.batch",
        Kind::Integer(1, 10_000),
        "2000",
        Assumption,
        "Most messages in one run of the pump, marks in one batch; 1 handles everything one by one.",
    ),
    param(
        "msgx.pipeline.max-attempts",
        Kind::Integer(1, 1_000),
        "5",
        Assumption,
        "Attempts before DEAD(EXHAUSTED), for messages and for deliveries.",
    ),
    param(
        "msgx.pipeline.decode-max-attempts",
        Kind::Integer(1, 1_000),
        "2",
        Assumption,
        "The same for CODEC_ERROR and UNSUPPORTED.",
    ),
    param(
        "msgx.pipeline.retry-backoff-ms",
        Kind::Millis,
        "1000",
        Assumption,
        "First wait after a failure; doubles.",
    ),
    param("msgx.pipeline.retry-backoff-cap-ms", Kind::Millis, "30000", Assumption, "Longest such wait."),
    param(
        "msgx.pipeline.backfill-backoff-ms",
        Kind::Millis,
        "30000",
        Assumption,
        "First wait after a mark could not be written; doubles (G-BACKFILL-BACKOFF).",
    ),
    param("msgx.pipeline.backfill-backoff-cap-ms", Kind::Millis, "900000", Assumption, "Longest such wait."),
    param(
        "msgx.pipeline.overdue-backfill",
        Kind::Duration,
        "30 d",
        Contract,
        "R: a mark owed for longer is tried once more and abandoned (C-7: R <= R_keep).",
    ),
    param(
        "msgx.retention.keep",
        Kind::Duration,
        "45 d",
        Contract,
        "R_keep: the mailbox owner keeps rows at least this long (C-7).",
    ),
    duration("msgx.retention.replay-window", "14 d", "How long a dead letter may be replayed (Q6)."),
    duration("msgx.retention.handling-window", "7 d", "How long handling one may take (Q6)."),
    param("msgx.retention.audit-window", Kind::Duration, "30 d", Assumption, "How far back audits look."),
    duration(
        "msgx.pipeline.event-retention",
        "7 d",
        "Events in the own store, from when they were sent, or discarded (G-EVENT-RETENTION).",
    ),
    duration(
        "msgx.proc-state.archive-after",
        "1 d",
        "A message whose mark is settled goes to the archive so long after its last change; 1 d to 7 d (G-PROC-HST).",
    ),
    duration(
        "msgx.retention.raw",
        "45 d",
        "Bodies of messages that are over, from when they were enqueued; at least as long as dead letters may be replayed and handled (DEC-1).",
    ),
    duration(
        "msgx.retention.hst",
        "60 d",
        "Archived messages, and never less than the mailbox holds the row: abandonments stay visible so long, at least R_keep (C-16).",
    ),
    duration(
        "msgx.retention.shadow",
        "60 d",
        "De-duplication memory, and never less than the mailbox holds the row; at least R_keep (INV-9).",
    ),
    duration(
        "msgx.retention.flight-history",
        "400 d",
        "Flights in history, from when they became it; at least R_keep: a message that comes after it makes the flight anew.",
    ),
    param(
        "msgx.reconcile-hour",
        Kind::Integer(0, 23),
        "3",
        Contract,
        "Hour of the airport's clocks from which mailbox and own store are compared every night (FC-17).",
    ),
    duration("msgx.retention.flight-change", "400 d", "Timelines of flights: what each message changed."),
];
