//! The SIS wire format: bytes to messages and back.
//!
//! Reading has two steps, because a message must be judged by its META alone before its
//! body is understood (ignore rules, identity, duplicates):
//!
//! 1. [`read`] turns bytes into an [`Envelope`]: text, well-formed element tree, META.
//! 2. [`Envelope::body`] interprets the tree with a [`Dictionary`] into a [`Body`].
//!
//! [`encode`] is the way back. This crate knows nothing of flights, stores or clocks: a bad
//! message is a value ([`Problem`]: class, position, words), never a panic.

mod body;
mod charset;
mod decode;
mod dictionary;
mod encode;
mod envelope;
mod form;
mod hash;
pub mod json;
pub mod json_schema;
pub mod personal;
mod problem;
mod value;
pub mod vocabulary;
mod wrapper;
mod xml;

pub use body::{Body, Entry, FieldWrite, Record, Reference, Request, Schedule, ScheduleKind, Unknown, Write};
pub use decode::decode;
pub use dictionary::{
    Absent, Dictionary, DictionaryError, Evidence, Field, FieldKind, Incomplete, Member, ReferenceChild,
    ReferenceList, Subtype, ValueKind,
};
pub use encode::encode;
pub use envelope::{Carrier, Envelope, Limits, Meta, read};
pub use problem::{Position, Problem, ProblemKind};
pub use value::Value;

/// A whole message: what [`decode`] gives and [`encode`] takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// The META block.
    pub meta: Meta,
    /// The interpreted body.
    pub body: Body,
}
