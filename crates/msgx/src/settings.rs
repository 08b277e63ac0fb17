//! Configuration to the settings of the inner rooms, and what is refused before anything starts.

use domain::MsgId;
use domain::backoff::Backoff;
use domain::decide::{FlightPolicy, Policy};
use domain::message::{IdentityPolicy, IgnoreRules, Reissue};
use engine::ports::BodyLimits;
use engine::settings::{
    ArchiveSettings, DeliverySettings, DiscoverySettings, GapEvidence, HistorySettings, MarkSettings,
    PumpSettings, RetentionSettings, Settings, StartAt,
};
use sis::{Carrier, Dictionary, Limits};

use crate::cli::Refused;
use crate::config::Config;

/// The dictionary in use: the one compiled in, with the site's file `sis.dictionary` laid over it.
pub(crate) fn dictionary(config: &Config) -> anyhow::Result<&'static Dictionary> {
    let Some(path) = config.optional("sis.dictionary") else {
        return Ok(Dictionary::baseline());
    };
    let text = std::fs::read_to_string(path)
        .map_err(|error| Refused(vec![format!("sis.dictionary: can't read {path}: {error}")]))?;
    let overlaid = Dictionary::overlaid(&text)
        .map_err(|error| Refused(vec![format!("sis.dictionary: {path}: {error}")]))?;
    Ok(overlaid.leak())
}

/// All settings of the engine for a process called `owner`.
pub(crate) fn engine(config: &Config, owner: String) -> anyhow::Result<Settings> {
    let batch = config.count("msgx.pipeline.batch");
    let settings = Settings {
        lease_ttl: config.duration("msgx.lease-ttl"),
        discovery: discovery(config),
        pump: PumpSettings { run_messages_max: batch, ..PumpSettings::default() },
        delivery: DeliverySettings {
            max_attempts: attempts(config, "msgx.pipeline.max-attempts"),
            backoff: retry(config),
            source: config.text("kafka.source").to_owned(),
            ..DeliverySettings::default()
        },
        marks: MarkSettings {
            batch,
            backoff: Backoff {
                first: config.duration("msgx.pipeline.backfill-backoff-ms"),
                cap: config.duration("msgx.pipeline.backfill-backoff-cap-ms"),
            },
            overdue: config.duration("msgx.pipeline.overdue-backfill"),
            ..MarkSettings::default()
        },
        history: HistorySettings {
            interval: config.duration("flight.history-sweep-interval"),
            ..HistorySettings::default()
        },
        archive: ArchiveSettings {
            after: config.duration("msgx.proc-state.archive-after"),
            ..ArchiveSettings::default()
        },
        retention: RetentionSettings {
            events: config.duration("msgx.pipeline.event-retention"),
            raw: config.duration("msgx.retention.raw"),
            archive: config.duration("msgx.retention.hst"),
            shadow: config.duration("msgx.retention.shadow"),
            flight_history: config.duration("msgx.retention.flight-history"),
            flight_change: config.duration("msgx.retention.flight-change"),
            ..RetentionSettings::default()
        },
        reconcile_hour: i8::try_from(config.integer("msgx.reconcile-hour")).unwrap_or_default(),
        ..Settings::new(owner, policy(config)?)
    };
    Ok(if batch == 1 { settings.with_batch(1) } else { settings })
}

fn discovery(config: &Config) -> DiscoverySettings {
    DiscoverySettings {
        start_at: match config.text("mailbox.start-at") {
            "earliest" => StartAt::Earliest,
            "latest" => StartAt::Latest,
            _ => StartAt::Id(MsgId(config.integer("mailbox.start-at"))),
        },
        poll_interval: config.duration("mailbox.poll-interval"),
        max_commit_delay: config.duration("mailbox.max-commit-delay"),
        gap_evidence: match config.text("mailbox.gap-evidence") {
            "transactions" => GapEvidence::Transactions,
            _ => GapEvidence::Age,
        },
        gap_hold_max: config.duration("mailbox.gap-hold-max"),
        id_step: config.integer("mailbox.id-step"),
        rows_max: config.count("mailbox.poll-rows-max"),
        bodies: bodies(config),
        ..DiscoverySettings::default()
    }
}

/// Limits on bodies.
pub(crate) fn bodies(config: &Config) -> BodyLimits {
    BodyLimits {
        poll_max: config.bytes("mailbox.poll-bytes-max"),
        body_max: config.bytes("mailbox.max-body-bytes"),
    }
}

/// What decides about messages.
pub(crate) fn policy(config: &Config) -> anyhow::Result<Policy> {
    let dictionary = dictionary(config)?;
    let rules = config.list("ignore.rules").into_iter().chain(dictionary.ignored().iter().copied());
    let ignore = IgnoreRules::parse(rules).map_err(|error| anyhow::anyhow!("ignore.rules: {error}"))?;
    Ok(Policy {
        dictionary,
        carrier: if config.flag("mailbox.body-is-bytes") { Carrier::Bytes } else { Carrier::Text },
        limits: limits(config),
        zone: config.zone("airport.time-zone"),
        ignore,
        identity: IdentityPolicy {
            on_reissue: if config.text("identity.on-reissue") == "skip" {
                Reissue::Skip
            } else {
                Reissue::Process
            },
            dttm_day: config.text("identity.date-boundary") == "dttm-day",
        },
        max_attempts: attempts(config, "msgx.pipeline.max-attempts"),
        decode_max_attempts: attempts(config, "msgx.pipeline.decode-max-attempts"),
        backoff: retry(config),
        flight: FlightPolicy {
            clear_absent_optional: config.text("flight.absent-optional") == "clear",
            skip_unknown: config.text("flight.on-unknown") == "skip",
            keep_day: config.text("flight.day-conflict") == "keep-day",
            reject_delete_of_main: config.text("flight.delete-main") == "reject-with-eror",
            history_after: config.duration("flight.history-after"),
        },
    })
}

/// A body that was fetched is also read: the decoder's size limit follows the mailbox's.
fn limits(config: &Config) -> Limits {
    let bytes_max = usize::try_from(config.bytes("mailbox.max-body-bytes")).unwrap_or(usize::MAX);
    Limits { bytes_max, ..Limits::default() }
}

fn attempts(config: &Config, key: &str) -> u32 {
    u32::try_from(config.integer(key)).unwrap_or(u32::MAX)
}

fn retry(config: &Config) -> Backoff {
    Backoff {
        first: config.duration("msgx.pipeline.retry-backoff-ms"),
        cap: config.duration("msgx.pipeline.retry-backoff-cap-ms"),
    }
}
