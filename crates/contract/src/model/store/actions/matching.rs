//! What a filter matches.

use domain::lifecycle::{Act, EventState};
use domain::message::State;
use engine::ports::Filter;
use jiff::Timestamp;

use super::super::tables::{EventRow, Row};
use super::select::event_state;

pub(super) fn message_matches(act: Act, filter: &Filter, id: i64, row: &Row) -> bool {
    let marks = act == Act::RetryMark || act == Act::Reconcile;
    let in_state = if marks {
        row.mark.abandoned_at.is_some() && row.mark.reconciled_at.is_none()
    } else {
        let state = filter.state.unwrap_or(State::Dead);
        matches!(state, State::Dead | State::Failed) && row.state == state
    };
    let words = if marks { row.mark.abandoned_reason } else { row.last_error.as_deref() };
    in_state
        && in_range(filter, id)
        && in_time(filter, row.enqueued_at)
        && filter.class.is_none_or(|class| row.class == Some(class))
        && is(filter.kind.as_deref(), row.labels.kind.as_deref())
        && is(filter.subtype.as_deref(), row.labels.subtype.as_deref())
        && is(filter.sender.as_deref(), row.labels.sender.as_deref())
        && like(filter, words)
}

pub(super) fn event_matches(filter: &Filter, id: i64, row: &EventRow) -> bool {
    event_state(row) == EventState::Dead
        && in_range(filter, id)
        && in_time(filter, row.created_at)
        && is(filter.kind.as_deref(), Some(row.event.target.as_str()))
        && like(filter, row.error.as_deref())
}

pub(super) fn in_range(filter: &Filter, id: i64) -> bool {
    filter.first.is_none_or(|first| id >= first) && filter.last.is_none_or(|last| id <= last)
}

pub(super) fn in_time(filter: &Filter, at: Timestamp) -> bool {
    filter.since.is_none_or(|since| at >= since) && filter.until.is_none_or(|until| at < until)
}

fn is(wanted: Option<&str>, found: Option<&str>) -> bool {
    wanted.is_none_or(|wanted| found == Some(wanted))
}

/// SQL's LIKE without `_`, whatever the case: parts between `%` in order, the first and the last at the ends.
fn like(filter: &Filter, text: Option<&str>) -> bool {
    let Some(pattern) = filter.reason_like.as_deref() else { return true };
    let Some(text) = text.map(str::to_lowercase) else { return false };
    let (text, pattern) = (text.as_str(), pattern.to_lowercase());
    let parts: Vec<&str> = pattern.split('%').collect();
    let [first, middle @ .., last] = parts.as_slice() else { return text == pattern };
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}
