//! Every metric of the engine: name, kind, labels, meaning. The reference and the exporter's
//! descriptions are printed from it, and nothing is recorded under a name that isn't here.

/// What kind of metric it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricKind {
    /// Only rises.
    Counter,
    /// Rises and falls.
    Gauge,
    /// Distribution.
    Histogram,
}

/// A metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// Name in Prometheus.
    pub name: &'static str,
    /// Kind.
    pub kind: MetricKind,
    /// Labels.
    pub labels: &'static [&'static str],
    /// Meaning and unit.
    pub help: &'static str,
}

macro_rules! metrics {
    ($($constant:ident $kind:ident $name:literal [$($label:literal)*] $help:literal;)*) => {
        $(pub(super) const $constant: &str = $name;)*

        /// Every metric, in reading order.
        pub const METRICS: &[Metric] = &[
            $(Metric { name: $name, kind: MetricKind::$kind, labels: &[$($label),*], help: $help },)*
        ];
    };
}

metrics! {
    LEADER Gauge "msgx_leader" [] "1 while this process leads, 0 as standby";
    EPOCH Gauge "msgx_lease_epoch" [] "Fencing epoch of the present term";
    LEASE_LOST Counter "msgx_lease_lost_total" ["reason"] "Terms ended by a take-over or a lease that ran out";

    HEARTBEAT_AGE Gauge "msgx_pipeline_job_heartbeat_age_seconds" ["job"] "Time since a room's last step began";
    TICKS Counter "msgx_pipeline_job_ticks_total" ["job"] "Steps a room has begun";
    FAILURES Counter "msgx_pipeline_job_failures_total" ["job"] "Steps that failed for reasons outside";

    SELECTED Gauge "msgx_pipeline_job_last_sweep_selected" ["job"] "Rows a room's last step worked on";

    LANDED Gauge "msgx_messages_landed" [] "Rows seen in the mailbox since the start: enqueued, or waiting above the watermark";
    ENQUEUED Counter "msgx_messages_enqueued_total" [] "Rows enqueued";
    WATERMARK Gauge "msgx_watermark" [] "Watermark W";
    MAILBOX_LAST Gauge "msgx_mailbox_max_id" [] "Largest mailbox ID seen";
    GAPS_OPEN Gauge "msgx_gaps_open" [] "Open gaps";
    GAP_OLDEST Gauge "msgx_gap_oldest_age_seconds" [] "Age of the oldest open gap";
    GAP_IDS_RELEASED Counter "msgx_gap_ids_released_total" [] "IDs passed over as permanent gaps";
    GAPS_HELD Counter "msgx_gaps_held_total" [] "Gaps older than mailbox.max-commit-delay whose transactions were still open";
    STOPPED Gauge "msgx_discovery_stopped" [] "1 while discovery is stopped because the mailbox is not the one that was read (PRE-3)";
    LATE_UNDECIDED Gauge "msgx_late_rows_undecided" [] "Late rows nobody has decided on";
    LATE_ROWS Counter "msgx_late_rows_total" [] "Rows found in released gaps; an operator decides on each";
    PREMISE Counter "msgx_premise_violations_total" ["premise"] "Evidence against a premise";

    PROCESSED Counter "msgx_messages_processed_total" [] "Messages that reached a terminal state";
    OUTCOMES Counter "msgx_message_outcomes_total" ["type" "styp" "state" "class"] "Ends of tries, FAILED included";
    WITHOUT_EFFECT Counter "msgx_flight_records_without_effect_total" ["why"] "Records of deleted-flight, unknown-flight or in-history, and known elements a subtype doesn't carry: not-applied";
    IGNORED Counter "msgx_pipeline_codec_ignored_total" ["rule"] "Messages skipped by an ignore rule";
    RUN_MESSAGES Histogram "msgx_run_messages" [] "Messages of a committed run";
    RUN_SPLITS Counter "msgx_run_splits_total" [] "Runs cut in half because the store refused their data";
    UNCLEAN_ENDS Counter "msgx_unclean_ends_total" [] "Terms begun after a process that ended with work in hand";
    LETHAL Counter "msgx_messages_lethal_total" [] "Messages given up because the process died of them three times";
    IN_DOUBT Counter "msgx_commits_in_doubt_total" [] "Commits whose answer was lost";
    HEAD_AGE Gauge "msgx_head_age_seconds" [] "Time since the head was enqueued; 0 without one";
    HEAD_ATTEMPTS Gauge "msgx_head_attempts" [] "Failed attempts of the head";
    HEAD_BLOCKED Gauge "msgx_head_blocked" [] "1 while a failed head holds up those behind it";

    BACKLOG Gauge "msgx_backlog" ["state"] "Messages in PENDING, FAILED, DEAD (not archived), or UNMARKED: finished and owing a mark";

    OUTBOX_PENDING Gauge "msgx_outbox_pending" ["target"] "Events waiting";
    OUTBOX_OLDEST Gauge "msgx_outbox_oldest_age_seconds" ["target"] "Age of the oldest waiting event";
    DELIVERED Counter "msgx_events_delivered_total" ["target"] "Events acknowledged";
    EVENTS_REFUSED Counter "msgx_events_refused_total" ["target"] "Records the broker refused for their own fault";
    EVENTS_DEAD Counter "msgx_events_dead_total" ["target"] "Events given up";
    DELIVERY_WAITS Counter "msgx_delivery_waits_total" ["target"] "Times a target was paused because the sink could not be used";
    DELIVERY_LATENCY Histogram "msgx_delivery_seconds" ["target"] "From an event's commit to its acknowledgement";
    LANDED_TO_DELIVERED Histogram "msgx_landed_to_delivered_seconds" ["target"] "From the poll that saw a message to the acknowledgement of its event";

    UNMARKED_OLDEST Gauge "msgx_pipeline_backfill_oldest_unmarked_seconds" [] "Time since the oldest message that owes a mark was finished";
    MARKED Counter "msgx_messages_marked_total" [] "Marks written or found there";
    MARKS_FOREIGN Counter "msgx_marks_foreign_total" [] "Marks found that another program wrote";
    MARK_RETRIES Counter "msgx_mark_retries_total" [] "Tries of a mark that failed and will be repeated";
    MARKS_ABANDONED Counter "msgx_marks_abandoned_total" ["reason"] "Marks given up";
    MARK_DELAY Histogram "msgx_mark_delay_seconds" [] "From enqueued to marked";

    FLIGHTS_SWEPT Counter "msgx_flights_swept_total" [] "Flights that became history";
    FORGOTTEN Counter "msgx_forgotten_total" ["kind"] "Rows deleted because they were older than they are kept: flight-history, flight-change, events, bodies, archive, shadows";
    ARCHIVED Counter "msgx_archived_total" [] "Messages moved to the archive";
    ARCHIVE_PASSED Counter "msgx_archive_passed_total" [] "Messages that were to be archived and stayed, because they changed meanwhile or somebody held them";
    RECONCILE_DIFFERENCES Gauge "msgx_reconcile_differences" ["kind"] "Differences between mailbox and own store that the last nightly comparison found";
    RECONCILED_ROWS Gauge "msgx_reconcile_rows" [] "Rows of the mailbox in that comparison";
    RECONCILED_AT Gauge "msgx_reconcile_finished_seconds" [] "When it ended, in seconds since 1970";
    ARCHIVE_REFUSED Counter "msgx_archive_refused_total" [] "Messages the archive refused: a row of theirs is there already";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_of_one_form() {
        let mut names: Vec<_> = METRICS.iter().map(|metric| metric.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), METRICS.len());
        for metric in METRICS {
            assert!(metric.name.starts_with("msgx_"), "{}", metric.name);
            assert_eq!(
                metric.kind == MetricKind::Counter,
                metric.name.ends_with("_total"),
                "{}",
                metric.name
            );
        }
    }
}
