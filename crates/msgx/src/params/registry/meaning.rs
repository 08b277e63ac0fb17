//! Parameters of what messages mean: dictionary, what is ignored, identity, flights.

use super::param;
use crate::params::Basis::{Assumption, Contract};
use crate::params::{Kind, Param};

/// In the order of the reference.
pub(super) static MEANING: &[Param] = &[
    param(
        "airport.time-zone",
        Kind::TimeZone,
        "Asia/Shanghai",
        Contract,
        "Zone of all times in messages, and of the operation day.",
    ),
    param(
        "sis.dictionary",
        Kind::Text,
        "",
        Assumption,
        "A site's own elements, groups, subtypes, names and ignored types, laid over the built-in dictionary.",
    ),
    param(
        "ignore.rules",
        Kind::List,
        "LDM-*, REGN-*, RSTA-*, EROR-*",
        Contract,
        "Messages known and meant for others: `TYPE-STYP` or `TYPE-*` (US-04).",
    ),
    param(
        "identity.on-reissue",
        Kind::OneOf(&["process", "skip"]),
        "process",
        Assumption,
        "Same identity, other content (Q11, Q15).",
    ),
    param(
        "identity.date-boundary",
        Kind::OneOf(&["none", "dttm-day"]),
        "none",
        Assumption,
        "`dttm-day` makes the day of DTTM part of the identity (Q11).",
    ),
    param(
        "flight.absent-optional",
        Kind::OneOf(&["keep", "clear"]),
        "keep",
        Assumption,
        "What a schedule means by leaving out an optional field (Q13).",
    ),
    param(
        "flight.on-unknown",
        Kind::OneOf(&["partial", "skip"]),
        "partial",
        Assumption,
        "Operational message for a flight no schedule has brought (DEC-3).",
    ),
    param(
        "flight.day-conflict",
        Kind::OneOf(&["reject", "keep-day"]),
        "reject",
        Contract,
        "A schedule that moves a flight to another operation day (INV-12, INV-19).",
    ),
    param(
        "flight.delete-main",
        Kind::OneOf(&["cascade", "reject-with-eror"]),
        "cascade",
        Assumption,
        "Deletion of a main flight with active code-shares (Q14, C-25).",
    ),
    param(
        "flight.history-after",
        Kind::Duration,
        "3 d",
        Contract,
        "How long after its operation day a flight stays current; afterwards it is history (INV-18).",
    ),
    param(
        "flight.history-sweep-interval",
        Kind::Duration,
        "10 min",
        Assumption,
        "How often flights that are over are made history.",
    ),
];
