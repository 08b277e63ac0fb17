//! Every parameter, in the order of the reference.

mod mailbox;
mod meaning;
mod outward;
mod pipeline;

use super::Basis::Assumption;
use super::{Basis, Kind, Param};

/// The registry.
pub(crate) fn all() -> impl Iterator<Item = &'static Param> {
    let groups = [PLACES, mailbox::MAILBOX, meaning::MEANING, pipeline::PIPELINE, outward::OUTWARD];
    groups.into_iter().flatten()
}

/// What sort of installation this is, and where its own data lies.
static PLACES: &[Param] = &[
    param(
        "profile",
        Kind::OneOf(&["development", "production"]),
        "development",
        Assumption,
        "`production` refuses the embedded store, the embedded mailbox and the file sink.",
    ),
    param(
        "msgx.data-dir",
        Kind::Text,
        "msgx-data",
        Assumption,
        "Directory of everything embedded: store, mailbox, sink files.",
    ),
    secret(
        "store.url",
        "postgres",
        "Own store: `postgres://user:password@host:port/database`; empty: SQLite in `msgx.data-dir`.",
    ),
    param(
        "store.schema",
        Kind::Text,
        "msgx",
        Assumption,
        "PostgreSQL schema of this pipeline; one per mailbox.",
    ),
];

const fn param(
    key: &'static str,
    kind: Kind,
    default: &'static str,
    basis: Basis,
    meaning: &'static str,
) -> Param {
    Param { key, kind, default, basis, meaning, secret: false }
}

const fn secret(key: &'static str, scheme: &'static str, meaning: &'static str) -> Param {
    Param { key, kind: Kind::Url(scheme), default: "", basis: Basis::Assumption, meaning, secret: true }
}

/// A length of time that we chose.
const fn duration(key: &'static str, default: &'static str, meaning: &'static str) -> Param {
    param(key, Kind::Duration, default, Assumption, meaning)
}

const POSITIVE: Kind = Kind::Integer(1, i64::MAX);
