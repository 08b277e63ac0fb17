//! From cells to the domain's types. A cell that can't be read is reported with its place and
//! never replaced by a default.

use std::fmt::Display;

use domain::event::{EventType, Target};
use domain::message::{ErrorClass, State};
use engine::ports::StoreError;
use jiff::Timestamp;

/// A row, for error messages: its table and key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<K> {
    table: &'static str,
    key: K,
}

impl<K: Display> Place<K> {
    pub(super) fn new(table: &'static str, key: K) -> Self {
        Self { table, key }
    }

    /// The error for a cell of this row.
    pub(super) fn corrupt(&self, column: &'static str, text: impl Display) -> StoreError {
        let row = self.key.to_string();
        StoreError::Corrupt { table: self.table, column, row, text: text.to_string() }
    }

    pub(super) fn time(&self, column: &'static str, micros: i64) -> Result<Timestamp, StoreError> {
        Timestamp::from_microsecond(micros).map_err(|error| self.corrupt(column, error))
    }

    pub(super) fn time_if_any(
        &self,
        column: &'static str,
        micros: Option<i64>,
    ) -> Result<Option<Timestamp>, StoreError> {
        micros.map(|micros| self.time(column, micros)).transpose()
    }

    /// A number that can't be negative.
    pub(super) fn count<N: TryFrom<i64>>(&self, column: &'static str, number: i64) -> Result<N, StoreError> {
        N::try_from(number).map_err(|_| self.corrupt(column, format_args!("{number} is out of range")))
    }

    pub(super) fn state(&self, name: &str) -> Result<State, StoreError> {
        State::parse(name).ok_or_else(|| self.unknown("state", name))
    }

    pub(super) fn class(&self, name: &str) -> Result<ErrorClass, StoreError> {
        ErrorClass::parse(name).ok_or_else(|| self.unknown("error_class", name))
    }

    pub(super) fn class_if_any(&self, name: Option<&str>) -> Result<Option<ErrorClass>, StoreError> {
        name.map(|name| self.class(name)).transpose()
    }

    pub(super) fn target(&self, name: &str) -> Result<Target, StoreError> {
        Target::parse(name).ok_or_else(|| self.unknown("target", name))
    }

    pub(super) fn event_type(&self, name: &str) -> Result<EventType, StoreError> {
        EventType::parse(name).ok_or_else(|| self.unknown("event_type", name))
    }

    pub(super) fn hash(&self, column: &'static str, bytes: &[u8]) -> Result<[u8; 32], StoreError> {
        bytes
            .try_into()
            .map_err(|_| self.corrupt(column, format_args!("{} bytes instead of 32", bytes.len())))
    }

    pub(super) fn hash_if_any(
        &self,
        column: &'static str,
        bytes: Option<&[u8]>,
    ) -> Result<Option<[u8; 32]>, StoreError> {
        bytes.map(|bytes| self.hash(column, bytes)).transpose()
    }

    pub(super) fn unknown(&self, column: &'static str, name: &str) -> StoreError {
        self.corrupt(column, format_args!("{name:?} is unknown"))
    }
}
