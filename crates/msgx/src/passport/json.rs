//! A message for programs: the command line and the API give the same.

use domain::decide::Policy;
use domain::message::{ErrorClass, IdentityKey, StoredBody};
use engine::ports::{AttemptLog, EventView, MailboxRow, MessageRecord};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Facts, Passport, Shown};
use crate::cli::actions::audit::as_json;
use crate::dossier::steps_json;

impl Passport {
    /// Everything, personal data masked; the body as `shown`.
    pub(crate) fn json(&self, shown: Shown, policy: &Policy) -> Value {
        let mut told = record_json(&self.record);
        told["facts"] = self.facts_json();
        told["attempts"] = self.attempts.iter().map(attempt_json).collect();
        told["identity"] = json!({
            "key": self.record.identity.as_ref().map(|IdentityKey(key)| key),
            "original": self.original().map(|id| id.0),
            "heldBy": self.holders.iter().map(|holder| json!({
                "msgId": holder.message.msg_id.0, "state": holder.message.state.as_str(),
                "key": holder.identity.as_ref().map(|IdentityKey(key)| key),
            })).collect::<Vec<_>>(),
        });
        told["contentHash"] = json!(self.record.content_hash.as_ref().map(|hash| hex(hash)));
        told["body"] = self.body_json(shown, policy);
        told["decoded"] = match self.decoded(policy) {
            Ok(decoded) => decoded,
            Err(why) => json!({ "unreadable": why }),
        };
        told["changed"] = self
            .steps
            .iter()
            .zip(steps_json(&self.steps, policy.dictionary))
            .map(|(step, mut told)| {
                told["flid"] = step.change.flid.0.into();
                told
            })
            .collect();
        told["events"] = self.events.iter().map(event_json).collect();
        told["audit"] = self.audit.iter().map(as_json).collect();
        told["mailbox"] = mailbox_json(&self.mailbox);
        told
    }

    fn facts_json(&self) -> Value {
        let facts = Facts::of(self);
        let mut told = json!({});
        for (name, at, took) in facts.steps() {
            told[name] = json!({ "at": at.map(time), "seconds": took.map(|took| took.as_secs_f64()) });
        }
        let mark = &self.record.mark;
        told["delivered"]["sent"] = facts.events.0.into();
        told["delivered"]["events"] = facts.events.1.into();
        told["marked"]["dueAt"] = json!(mark.due.filter(|_| self.owes_mark()).map(time));
        told["marked"]["attempts"] = mark.attempts.into();
        told["marked"]["error"] = json!(mark.error);
        told["marked"]["abandonedAt"] = json!(mark.abandoned_at.map(time));
        told["marked"]["abandonedReason"] = json!(self.record.message.abandoned_reason);
        told["marked"]["reconciled"] = json!(mark.reconciled.as_ref().map(|(at, by, note)| json!({
            "at": time(*at), "by": by, "note": note,
        })));
        told
    }

    fn owes_mark(&self) -> bool {
        self.record.message.marked_at.is_none() && self.record.mark.abandoned_at.is_none()
    }

    fn body_json(&self, shown: Shown, policy: &Policy) -> Value {
        let Some(body) = &self.body else { return Value::Null };
        let absence = match &body.body {
            StoredBody::Bytes(_) => None,
            StoredBody::Missing => Some("MISSING"),
            StoredBody::Oversized { .. } => Some("OVERSIZED"),
        };
        let (text, kept_back) = match self.text(shown, policy) {
            Ok(text) => (Some(text), None),
            Err(why) => (None, Some(why)),
        };
        json!({
            "length": body.length, "sha256": body.sha256.as_ref().map(|hash| hex(hash)), "absence": absence,
            "masked": shown == Shown::Masked, "text": text, "keptBack": kept_back,
        })
    }
}

/// The row of a message, as lists show it.
pub(crate) fn record_json(record: &MessageRecord) -> Value {
    let message = &record.message;
    let labels = &message.labels;
    let first = record.first_failure.as_ref();
    json!({
        "msgId": message.msg_id.0, "state": message.state.as_str(), "type": labels.kind, "styp": labels.subtype,
        "sender": labels.sender, "seqn": labels.seqn, "dttm": labels.dttm,
        "identityKey": record.identity.as_ref().map(|IdentityKey(key)| key),
        "attemptsCounted": message.attempts, "class": message.class.map(ErrorClass::as_str),
        "lastError": message.last_error,
        "firstError": first.map(|(class, error)| json!({ "class": class.as_str(), "error": error })),
        "receivedAt": message.received_at.map(time), "enqueuedAt": time(message.enqueued_at),
        "processedAt": record.processed_at().map(time), "updatedAt": time(message.updated_at),
        "markedAt": message.marked_at.map(time), "abandonedReason": message.abandoned_reason,
        "nextAttemptAt": record.due.map(time), "archivedAt": record.archived_at.map(time),
    })
}

fn attempt_json(attempt: &AttemptLog) -> Value {
    json!({
        "attempt": attempt.attempt, "at": time(attempt.at), "class": attempt.class.as_str(), "error": attempt.error,
    })
}

fn event_json(event: &EventView) -> Value {
    let receipt = event.receipt.as_ref();
    json!({
        "eventId": event.event_id.0, "target": event.target.as_str(), "flid": event.flid.0,
        "eventType": event.event_type.as_str(), "stateVersion": event.state_version,
        "state": event.state.as_str(), "attempts": event.attempts, "dueAt": event.due.map(time),
        "lastError": event.last_error, "createdAt": time(event.created_at), "sentAt": event.sent_at.map(time),
        "topic": receipt.map(|(topic, ..)| topic), "partition": receipt.map(|(_, partition, _)| partition),
        "offset": receipt.map(|(.., offset)| offset),
    })
}

fn mailbox_json(seen: &Result<Option<MailboxRow>, String>) -> Value {
    match seen {
        Err(why) => json!({ "problem": why }),
        Ok(None) => json!({ "row": "gone" }),
        Ok(Some(row)) => json!({
            "row": "there", "marked": row.is_marked, "markedAt": row.marked_at.map(time), "status": row.status,
        }),
    }
}

fn time(at: Timestamp) -> String {
    at.to_string()
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a String can't fail");
        text
    })
}
