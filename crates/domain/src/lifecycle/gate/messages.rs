//! Which act is allowed on a message, and on its mark.

use super::{Change, Refusal, refuse};
use crate::lifecycle::facts::{Abandonment, MarkFacts, MessageFacts};
use crate::lifecycle::{Act, BodyFacts};
use crate::message::{ErrorClass, State};

pub(super) fn on_message(act: Act, message: &MessageFacts) -> Result<Change, Refusal> {
    match act {
        Act::Replay => replay(message),
        Act::Skip => skip(message),
        Act::RetryMark => retry_mark(&message.mark),
        Act::Reconcile => reconcile(&message.mark),
        Act::Admit | Act::Dismiss | Act::RetryEvent | Act::DiscardEvent | Act::Pause | Act::Resume => {
            refuse(format!("{} is no act for a message", act.as_str()))
        }
    }
}

fn replay(message: &MessageFacts) -> Result<Change, Refusal> {
    match message.state {
        State::Failed => Ok(Change::TryNow),
        State::Dead => match message.class {
            Some(class) if class.is_replayable() => match message.body {
                BodyFacts::Kept => Ok(Change::Replay),
                BodyFacts::Forgotten => refuse(
                    "its body is no longer kept (msgx.retention.raw): the sender must send it again, or skip it"
                        .to_owned(),
                ),
            },
            Some(class @ (ErrorClass::Malformed | ErrorClass::Protocol)) => {
                refuse(format!("{class} can't be replayed: the sender must send it again"))
            }
            Some(
                ErrorClass::CodecError | ErrorClass::Unsupported | ErrorClass::Infra | ErrorClass::Exhausted,
            )
            | None => refuse("it died without a class that can be replayed".to_owned()),
        },
        State::Pending => refuse("it waits for its turn already".to_owned()),
        State::Succeeded | State::Skipped => {
            refuse(format!("it is {message}: only dead letters are replayed"))
        }
        State::Archived => refuse("it is archived: only dead letters whose body is kept are replayed from there".to_owned()),
    }
}

fn skip(message: &MessageFacts) -> Result<Change, Refusal> {
    match message.state {
        State::Failed | State::Dead => Ok(Change::Skip),
        State::Pending => {
            refuse("it waits for its turn and has not failed: it isn't skipped unread".to_owned())
        }
        State::Succeeded | State::Skipped => refuse(format!("it has ended: {message}")),
        State::Archived => refuse("it is archived".to_owned()),
    }
}

fn retry_mark(mark: &MarkFacts) -> Result<Change, Refusal> {
    match mark {
        MarkFacts::Abandoned(Abandonment { reason, .. }) if reason == "OVERDUE" => Ok(Change::OweMark),
        MarkFacts::Abandoned(Abandonment { reason, .. }) => {
            refuse(format!("its mark was given up for {reason}: there is nothing to mark; reconcile it"))
        }
        MarkFacts::Open => refuse("its mark was not given up".to_owned()),
        MarkFacts::Done => refuse("it is marked".to_owned()),
        MarkFacts::Reconciled => refuse("its mark is reconciled".to_owned()),
    }
}

fn reconcile(mark: &MarkFacts) -> Result<Change, Refusal> {
    match mark {
        MarkFacts::Abandoned(_) => Ok(Change::Reconcile),
        MarkFacts::Open => refuse("its mark was not given up: there is nothing to reconcile".to_owned()),
        MarkFacts::Done => refuse("it is marked: there is nothing to reconcile".to_owned()),
        MarkFacts::Reconciled => refuse("it is reconciled already".to_owned()),
    }
}
