//! Cells of a row. One that can't be read is `Corrupt` with table, column and row, never a default.

use engine::ports::StoreError;
use jiff::Timestamp;
use sqlx::postgres::PgRow;
use sqlx::{Decode, Postgres, Row, Type};

use super::times::{self, Moment};

/// One row with the words to complain about it.
pub(super) struct Cells<'r> {
    row: &'r PgRow,
    table: &'static str,
    key: &'static str,
}

impl<'r> Cells<'r> {
    /// A row of `table`, known by its column `key`.
    pub(super) fn new(row: &'r PgRow, table: &'static str, key: &'static str) -> Self {
        Self { row, table, key }
    }

    /// The error for a bad cell.
    pub(super) fn corrupt(&self, column: &'static str, text: impl Into<String>) -> StoreError {
        let number = self.row.try_get::<i64, _>(self.key).map(|key| key.to_string());
        let row = number.or_else(|_| self.row.try_get::<String, _>(self.key));
        StoreError::Corrupt {
            table: self.table,
            column,
            row: row.unwrap_or_else(|_| "unknown".to_owned()),
            text: text.into(),
        }
    }

    /// A cell as the driver reads it.
    pub(super) fn get<T: Decode<'r, Postgres> + Type<Postgres>>(
        &self,
        column: &'static str,
    ) -> Result<T, StoreError> {
        self.row.try_get(column).map_err(|error| self.corrupt(column, error.to_string()))
    }

    /// A stored name, by its `parse` function.
    pub(super) fn name<T>(
        &self,
        column: &'static str,
        parse: fn(&str) -> Option<T>,
    ) -> Result<T, StoreError> {
        let name: &str = self.get(column)?;
        parse(name).ok_or_else(|| self.corrupt(column, format!("unknown name {name:?}")))
    }

    /// A stored name that may be absent.
    pub(super) fn maybe_name<T>(
        &self,
        column: &'static str,
        parse: fn(&str) -> Option<T>,
    ) -> Result<Option<T>, StoreError> {
        match self.get::<Option<&str>>(column)? {
            Some(_) => self.name(column, parse).map(Some),
            None => Ok(None),
        }
    }

    /// An INT that counts.
    pub(super) fn small_count(&self, column: &'static str) -> Result<u32, StoreError> {
        let count: i32 = self.get(column)?;
        u32::try_from(count).map_err(|error| self.corrupt(column, format!("{count}: {error}")))
    }

    /// A BIGINT that counts.
    pub(super) fn count(&self, column: &'static str) -> Result<u64, StoreError> {
        let count: i64 = self.get(column)?;
        u64::try_from(count).map_err(|error| self.corrupt(column, format!("{count}: {error}")))
    }

    /// A time.
    pub(super) fn time(&self, column: &'static str) -> Result<Timestamp, StoreError> {
        let at: Moment = self.get(column)?;
        times::read(at).map_err(|text| self.corrupt(column, text))
    }

    /// A time that may be absent.
    pub(super) fn maybe_time(&self, column: &'static str) -> Result<Option<Timestamp>, StoreError> {
        match self.get::<Option<Moment>>(column)? {
            Some(at) => times::read(at).map(Some).map_err(|text| self.corrupt(column, text)),
            None => Ok(None),
        }
    }

    /// A SHA-256 that may be absent.
    pub(super) fn maybe_hash(&self, column: &'static str) -> Result<Option<[u8; 32]>, StoreError> {
        let Some(bytes) = self.get::<Option<&[u8]>>(column)? else { return Ok(None) };
        let hash = bytes.try_into().map_err(|_| self.corrupt(column, format!("{} bytes", bytes.len())))?;
        Ok(Some(hash))
    }
}
