//! Parameters of the mailbox: where it is, what its columns are called, how it is read.

use super::{POSITIVE, duration, param, secret};
use crate::params::Basis::{Assumption, Contract};
use crate::params::{Kind, Param};

/// In the order of the reference.
pub(super) static MAILBOX: &[Param] = &[
    secret(
        "mailbox.url",
        "mysql",
        "Mailbox: `mysql://user:password@host:port/database`; empty: SQLite in `msgx.data-dir`.",
    ),
    param("mailbox.table", Kind::Text, "CMINMSGS", Contract, "Inbound table."),
    param("mailbox.id-column", Kind::Text, "CMINMSGS_ID", Contract, "Its primary key (C-1, C-3)."),
    param(
        "mailbox.received-column",
        Kind::Text,
        "CMINMSGS_DATE_RECEIVED",
        Contract,
        "Receive time, written by the mailbox owner.",
    ),
    param("mailbox.body-column", Kind::Text, "CMINMSGS_CLOB_MSG", Contract, "The XML."),
    param(
        "mailbox.mark.column",
        Kind::Text,
        "CMINMSGS_DATE_PROCESSED",
        Contract,
        "Time of the processed mark: the mark is empty when this is NULL (C-5).",
    ),
    param(
        "mailbox.mark.status-column",
        Kind::Text,
        "CMINMSGS_STATUS",
        Contract,
        "Status column written with the mark; empty: only the time is written.",
    ),
    param(
        "mailbox.processed-value",
        Kind::Text,
        "PROCESSED",
        Contract,
        "What the status column is set to (C-5, Q7).",
    ),
    param(
        "mailbox.time-zone",
        Kind::TimeZone,
        "Asia/Shanghai",
        Contract,
        "Zone of the mailbox's local times (C-10).",
    ),
    duration(
        "mailbox.poll-interval",
        "200 ms",
        "Wait between polls when nothing is waiting; there is none while there is backlog.",
    ),
    param(
        "mailbox.poll-rows-max",
        Kind::Integer(1, 100_000),
        "2000",
        Assumption,
        "Most rows taken up in one poll.",
    ),
    param(
        "mailbox.poll-bytes-max",
        Kind::Bytes,
        "16 MB",
        Assumption,
        "Most bytes of bodies read in one poll.",
    ),
    param(
        "mailbox.max-body-bytes",
        Kind::Bytes,
        "10 MB",
        Contract,
        "A longer body is not fetched; its message ends DEAD(MALFORMED).",
    ),
    duration(
        "mailbox.max-commit-delay",
        "5 min",
        "Longest time from taking an ID to seeing its row (C-2, Q2): a gap older than this is released.",
    ),
    param(
        "mailbox.gap-evidence",
        Kind::OneOf(&["age", "transactions"]),
        "age",
        Assumption,
        "What proves that a missing ID will never come: its `age`, or that every one of the `transactions` that may own it has ended (InnoDB, PROCESS right, no replica or cluster; else age).",
    ),
    duration(
        "mailbox.gap-hold-max",
        "30 min",
        "Longest time an open transaction holds a gap (`mailbox.gap-evidence = transactions`); then age decides.",
    ),
    duration(
        "mailbox.silence-max",
        "30 s",
        "A connection over which the mailbox's server says nothing for so long is cut, and made anew.",
    ),
    param("mailbox.id-step", POSITIVE, "1", Assumption, "Distance of consecutive IDs."),
    param(
        "mailbox.start-at",
        Kind::StartAt,
        "earliest",
        Assumption,
        "Where the very first start begins; without effect afterwards.",
    ),
    param(
        "mailbox.body-is-bytes",
        Kind::Bool,
        "false",
        Assumption,
        "`true` when the body column is binary: byte order mark and XML declaration then decide the charset.",
    ),
];
