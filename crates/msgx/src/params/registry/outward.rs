//! Parameters of what others see: Kafka, HTTP, logs.

use super::{POSITIVE, param};
use crate::params::Basis::{Assumption, Contract};
use crate::params::{Kind, Param};

/// In the order of the reference.
pub(super) static OUTWARD: &[Param] = &[
    param(
        "kafka.bootstrap-servers",
        Kind::Text,
        "",
        Assumption,
        "Brokers, `host:port,host:port`; empty: JSON lines in `msgx.data-dir`.",
    ),
    param("kafka.topics.msg", Kind::Text, "msgx.msg", Contract, "Topic of changes."),
    param("kafka.topics.schd", Kind::Text, "msgx.schd", Contract, "Topic of whole flights, compacted."),
    param("kafka.source", Kind::Text, "msgexchange", Assumption, "CloudEvents source of every record."),
    param(
        "kafka.producers.default.acks",
        Kind::OneOf(&["all", "-1", "1", "0"]),
        "all",
        Contract,
        "Anything weaker than `all` is refused (D3).",
    ),
    param(
        "kafka.producers.default.enable-idempotence",
        Kind::Bool,
        "true",
        Contract,
        "`false` is refused (D3).",
    ),
    param(
        "kafka.producers.default.max-in-flight-requests-per-connection",
        POSITIVE,
        "1",
        Contract,
        "Anything above 1 is refused (D3).",
    ),
    param(
        "kafka.producers.default.message-timeout",
        Kind::Duration,
        "8 s",
        Assumption,
        "Longest wait for an acknowledgement, at most `msgx.lease-ttl`.",
    ),
    param(
        "kafka.properties",
        Kind::List,
        "",
        Assumption,
        "Further librdkafka properties, `name=value, name=value`.",
    ),
    param("http.bind", Kind::Text, "127.0.0.1", Assumption, "Address of console, API and metrics."),
    param("http.port", Kind::Integer(0, 65_535), "8390", Assumption, "Its port; 0 takes a free one."),
    param(
        "http.allowed-hosts",
        Kind::List,
        "",
        Assumption,
        "Further host names to serve. On a loopback address only its own names are served, so that no page from \
         elsewhere reads it through a visitor's browser; elsewhere every name, unless some are given here.",
    ),
    param(
        "log.level",
        Kind::Text,
        "info,sqlx=warn",
        Assumption,
        "Log filter, such as `info` or `info,engine=debug`.",
    ),
    param("log.format", Kind::OneOf(&["text", "json"]), "text", Assumption, "Form of log lines."),
];
