//! One message as text for people.

use domain::decide::Policy;
use engine::ports::{EventView, MessageRecord};
use jiff::Timestamp;

use super::super::messages::first_error;
use super::trail::{audit, changed};
use crate::params::format_duration;
use crate::passport::{Facts, Passport, Shown};

/// Everything, section by section.
pub(super) fn as_text(passport: &Passport, shown: Shown, policy: &Policy) -> anyhow::Result<String> {
    let mut text = head(&passport.record);
    text += &facts(passport);
    text += &identity(passport);
    text += &attempts(passport);
    text += &events(passport);
    text += &mailbox(passport);
    text += &audit(passport);
    text += &changed(passport, policy);
    text += "\nbody\n";
    text += &match passport.text(shown, policy) {
        Ok(body) => format!("{}\n", body.trim_end()),
        Err(why) => format!("  not shown: {why}\n"),
    };
    text += "\ndecoded\n";
    text += &match passport.decoded(policy) {
        Ok(decoded) => format!("{}\n", serde_json::to_string_pretty(&decoded)?),
        Err(why) => format!("  not decoded: {why}\n"),
    };
    Ok(text)
}

fn head(record: &MessageRecord) -> String {
    let message = &record.message;
    let labels = &message.labels;
    let label = |label: &Option<String>| label.clone().unwrap_or_else(|| "-".to_owned());
    let class = message.class.map_or(String::new(), |class| format!("({class})"));
    let mut text = format!(
        "message {}  {}{class}  TYPE {}  STYP {}  SNDR {}  SEQN {}  DTTM {}\n",
        message.msg_id,
        message.state.as_str(),
        label(&labels.kind),
        label(&labels.subtype),
        label(&labels.sender),
        label(&labels.seqn),
        label(&labels.dttm),
    );
    if let Some(error) = &message.last_error {
        text += &format!("  {error}\n");
    }
    if let Some((class, error)) = first_error(record) {
        text += &format!("  first error: {class} {error}\n");
    }
    if let Some(due) = record.due {
        text += &format!("  tried again at {due}\n");
    }
    if let Some(at) = record.archived_at {
        text += &format!("  in the archive since {at}\n");
    }
    text
}

fn facts(passport: &Passport) -> String {
    let facts = Facts::of(passport);
    let mut text = String::from("\n");
    for (name, at, took) in facts.steps() {
        let at = at.map_or_else(|| "-".to_owned(), |at: Timestamp| at.to_string());
        let took = took.map_or(String::new(), |took| format!("after {}", format_duration(took)));
        let more = match name {
            "delivered" => format!("{} of {} event(s) acknowledged", facts.events.0, facts.events.1),
            "marked" => mark(&passport.record),
            _ => String::new(),
        };
        let line = format!("{name:<10} {at:<30} {took:<16} {more}");
        text += line.trim_end();
        text += "\n";
    }
    text
}

fn mark(record: &MessageRecord) -> String {
    let (message, mark) = (&record.message, &record.mark);
    let reason = message.abandoned_reason.as_deref().unwrap_or("");
    let error = mark.error.as_deref().unwrap_or("");
    match (message.marked_at, mark.abandoned_at, &mark.reconciled, mark.due) {
        (Some(_), ..) => String::new(),
        (None, Some(at), Some((_, by, note)), _) => {
            format!("given up {at} ({reason}), reconciled by {by}: {note}")
        }
        (None, Some(at), None, _) => format!("given up {at} ({reason}) {error}"),
        (None, None, _, Some(due)) if mark.attempts > 0 => {
            format!("owed, {} try(s) failed ({error}), next at {due}", mark.attempts)
        }
        (None, None, _, Some(_)) => "owed".to_owned(),
        (None, None, _, None) => String::new(),
    }
}

fn identity(passport: &Passport) -> String {
    let key = passport.record.identity.as_ref().map_or("none", |key| key.0.as_str());
    let mut text = format!("\nidentity   {key}\n");
    if let Some(original) = passport.original() {
        text += &format!("  the same was message {original}\n");
    }
    for holder in &passport.holders {
        let key = holder.identity.as_ref().map_or("", |key| key.0.as_str());
        text += &format!(
            "  held by message {} {} ({key})\n",
            holder.message.msg_id,
            holder.message.state.as_str()
        );
    }
    text
}

fn attempts(passport: &Passport) -> String {
    let mut text = format!("\nfailed tries  {}\n", passport.attempts.len());
    for attempt in &passport.attempts {
        text += &format!("  {}  {}  {}  {}\n", attempt.attempt, attempt.at, attempt.class, attempt.error);
    }
    text
}

fn events(passport: &Passport) -> String {
    let mut text = format!("\nevents  {}\n", passport.events.len());
    passport.events.iter().for_each(|event| text += &event_line(event));
    text
}

fn event_line(event: &EventView) -> String {
    let place = match (&event.receipt, event.sent_at) {
        (Some((topic, partition, offset)), Some(at)) => {
            format!("topic {topic}, partition {partition}, offset {offset}, at {at}")
        }
        (Some(_) | None, _) => event.last_error.clone().unwrap_or_default(),
    };
    format!(
        "  {}  FLID {}  version {}  {}  {}  {place}\n",
        event.target.as_str(),
        event.flid,
        event.state_version,
        event.event_type.as_str(),
        event.state.as_str(),
    )
}

fn mailbox(passport: &Passport) -> String {
    let seen = match &passport.mailbox {
        Err(why) => format!("can't be asked: {why}"),
        Ok(None) => "the row is gone".to_owned(),
        Ok(Some(row)) => {
            let status = row.status.as_deref().unwrap_or("-");
            match (row.is_marked, row.marked_at) {
                (true, Some(at)) => format!("marked at {at}, status {status}"),
                (true, None) => format!("marked with what is no time, status {status}"),
                (false, _) => format!("not marked, status {status}"),
            }
        }
    };
    format!("\nmailbox    {seen}\n")
}
