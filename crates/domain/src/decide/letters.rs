//! Messages as texts, for tests that begin where the mailbox ends.

use super::reading::Reading;
use super::testing::*;
use super::{Effects, read};
use crate::MsgId;
use crate::message::{Candidate, State, StoredBody};

pub(crate) fn letter(msg_id: i64, body: &[u8]) -> Reading {
    let candidate = Candidate {
        msg_id: MsgId(msg_id),
        state: State::Pending,
        attempts: 0,
        due: None,
        enqueued_at: at(0),
        body: StoredBody::Bytes(body.to_vec()),
    };
    read(candidate, &policy())
}

pub(crate) fn meta(kind: &str, subtype: &str, seqn: &str) -> String {
    format!(
        "<META><SNDR>AODB</SNDR><SEQN>{seqn}</SEQN><DTTM>20260407081530</DTTM><TYPE>{kind}</TYPE><STYP>{subtype}</STYP></META>"
    )
}

pub(crate) fn send(office: &mut Office, msg_id: i64, kind: &str, subtype: &str, body: &str) -> Effects {
    let text = format!("<MSG>{}{body}</MSG>", meta(kind, subtype, &msg_id.to_string()));
    office.one(letter(msg_id, text.as_bytes()))
}
