//! Reading one message as far as it can be without any state.
//!
//! The order is fixed: body present, well-formed with META, ignore rules (which need TYPE and
//! STYP alone), identity, kind.

use std::collections::BTreeSet;

use sis::{Body, Envelope, FieldWrite, Meta, Problem, ProblemKind, Record, Value, Write};

use super::Policy;
use crate::flight::{CODE_SHARE, MAIN_FLID};
use crate::message::{Candidate, ErrorClass, IdentityKey, Labels, State, StoredBody};
use crate::{Flid, MsgId};

/// A candidate, read as far as it can be without any state.
#[derive(Debug, Clone)]
pub struct Reading {
    pub(super) msg_id: MsgId,
    pub(super) attempts: u32,
    /// An operator has replayed it: PENDING although it was tried before. It has this one attempt.
    pub(super) is_replay: bool,
    pub(super) labels: Labels,
    pub(super) content_hash: Option<[u8; 32]>,
    pub(super) finding: Finding,
}

/// How far reading came.
#[derive(Debug, Clone)]
pub(super) enum Finding {
    /// Not readable, or without identity.
    Bad(Failure),
    /// Meant for others.
    Ignored {
        /// The rule as written.
        rule: String,
    },
    /// Readable, with identity.
    Named(Box<Named>),
}

/// A message that may go on to a handler.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub(super) key: IdentityKey,
    /// The key it binds if it is a re-issue.
    pub(super) reissue_key: IdentityKey,
    pub(super) content_hash: [u8; 32],
    pub(super) meta: Meta,
    pub(super) body: Result<Body, Failure>,
}

/// A class and words.
#[derive(Debug, Clone)]
pub(super) struct Failure {
    pub(super) class: ErrorClass,
    pub(super) error: String,
}

/// Reads one candidate: body present, well-formed, META, ignore rules, identity, kind.
/// Never fails: what is wrong becomes part of the reading.
pub fn read(candidate: Candidate, policy: &Policy) -> Reading {
    let envelope = open(&candidate.body, policy);
    let mut reading = Reading {
        msg_id: candidate.msg_id,
        attempts: candidate.attempts,
        is_replay: candidate.state == State::Pending && candidate.attempts > 0,
        labels: Labels::default(),
        content_hash: None,
        finding: Finding::Ignored { rule: String::new() },
    };
    reading.finding = match envelope {
        Err(failure) => Finding::Bad(failure),
        Ok(envelope) => {
            let content_hash = envelope.content_hash();
            reading.labels = Labels::of(envelope.meta());
            reading.content_hash = Some(content_hash);
            interpret(&envelope, content_hash, policy)
        }
    };
    reading
}

fn open(body: &StoredBody, policy: &Policy) -> Result<Envelope, Failure> {
    let malformed = |error| Failure { class: ErrorClass::Malformed, error };
    match body {
        StoredBody::Bytes(bytes) => {
            sis::read(bytes, policy.carrier, &policy.limits).map_err(|problem| Failure::of(&problem))
        }
        StoredBody::Missing => {
            Err(malformed("the body column is NULL: ask the mailbox's owner who inserts such rows".into()))
        }
        StoredBody::Oversized { length, .. } => Err(malformed(format!(
            "the body has {length} bytes, more than mailbox.max-body-bytes allows, and was not fetched: ask the sender for smaller messages, or raise the limit"
        ))),
    }
}

fn interpret(envelope: &Envelope, content_hash: [u8; 32], policy: &Policy) -> Finding {
    let meta = envelope.meta();
    if let Some(rule) = policy.ignore.matching(&meta.kind, &meta.subtype) {
        return Finding::Ignored { rule };
    }
    match IdentityKey::of(meta, policy.identity) {
        Err(error) => Finding::Bad(Failure { class: ErrorClass::Malformed, error }),
        Ok(key) => Finding::Named(Box::new(Named {
            reissue_key: key.of_reissue(&content_hash),
            key,
            content_hash,
            meta: meta.clone(),
            body: envelope.body(policy.dictionary).map_err(|problem| Failure::of(&problem)),
        })),
    }
}

impl Failure {
    fn of(problem: &Problem) -> Self {
        let class = match problem.kind {
            ProblemKind::Malformed => ErrorClass::Malformed,
            ProblemKind::Codec => ErrorClass::CodecError,
        };
        Self { class, error: problem.to_string() }
    }
}

impl Reading {
    /// The message.
    pub fn msg_id(&self) -> MsgId {
        self.msg_id
    }

    /// Identity keys whose holders must be known (the plain one, and the one a re-issue would
    /// bind).
    pub fn keys(&self) -> Vec<IdentityKey> {
        match &self.finding {
            Finding::Named(named) => vec![named.key.clone(), named.reissue_key.clone()],
            Finding::Bad(_) | Finding::Ignored { .. } => Vec::new(),
        }
    }

    /// Flights that must be known: its own and the main flights it names. The store adds
    /// their families (see [`super::World`]).
    pub fn flids(&self) -> Vec<Flid> {
        let records = match &self.finding {
            Finding::Named(named) => named.body.as_ref().map_or(&[][..], records),
            Finding::Bad(_) | Finding::Ignored { .. } => &[],
        };
        let named =
            records.iter().flat_map(|record| record.writes.iter().filter_map(main_flid).chain([record.flid]));
        named.map(Flid).collect::<BTreeSet<Flid>>().into_iter().collect()
    }
}

fn records(body: &Body) -> &[Record] {
    match body {
        Body::Schedule(schedule) => &schedule.records,
        Body::Flop(records) | Body::Delete(records) => records,
        Body::Reference(_) | Body::Request(_) | Body::Unknown(_) => &[],
    }
}

/// The main flight that a code-share link names.
fn main_flid(write: &FieldWrite) -> Option<i64> {
    match &write.write {
        Write::Set(Value::Object(members)) if write.field.name == CODE_SHARE => {
            members.iter().find_map(|(name, value)| {
                if let Value::Integer(flid) = value { (*name == MAIN_FLID).then_some(*flid) } else { None }
            })
        }
        Write::Set(_) | Write::Clear | Write::Merge { .. } => None,
    }
}
