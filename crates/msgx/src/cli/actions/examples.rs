//! Examples of the acts, as `--help` shows them.

pub(super) const REPLAY: &str = "Examples:
  msgx replay 4711 --by ann --reason 'dictionary mended'
  msgx replay --class EXHAUSTED --type FLOP --dry-run
  msgx replay --class EXHAUSTED --reason-like 'CODEC_ERROR%' --by ann --reason 'dictionary mended' --yes
  msgx replay 4712 --by ann --reason 'not in 30 s, now'      a failed head that waits is tried at once

A dead letter gets one attempt; its body comes from the own store. An interrupted command goes on when it is
given again with --operation ID; given twice it changes nothing more.";

pub(super) const SKIP: &str = "Examples:
  msgx skip 4711 --by ann --reason 'agreed with the sender: obsolete'
  msgx skip --first 4000 --last 4999 --by ann --reason 'cut-over' --yes";

pub(super) const RETRY_MARK: &str = "Examples:
  msgx retry-mark 4711 --by ann --reason 'right granted again'
  msgx retry-mark --all --by ann --reason 'right granted again' --yes";

pub(super) const RECONCILE: &str = "Examples:
  msgx reconcile 4711 --by ann --reason 'purged on 1 April, seen in the owner's log'
  msgx reconcile --reason-like MISSING_ROW --until 2026-04-02 --by ann --reason 'purge of 1 April' --yes";

pub(super) const ADMIT: &str = "Examples:
  msgx admit 4711 --by ann --reason 'late commit, still wanted'";

pub(super) const DISMISS: &str = "Examples:
  msgx dismiss 4711 --by ann --reason 'sent again as 4720'
  msgx dismiss --all --by ann --reason 'all sent again' --yes";

pub(super) const RETRY_EVENT: &str = "Examples:
  msgx retry-event 17 --by ann --reason 'limit raised'
  msgx retry-event --target KAFKA:msg --by ann --reason 'limit raised' --yes";

pub(super) const DISCARD_EVENT: &str = "Examples:
  msgx discard-event 17 --by ann --reason 'consumers have the state'";
