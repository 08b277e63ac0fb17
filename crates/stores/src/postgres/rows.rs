//! Rows become the domain's types here. A cell that can't be read is `Corrupt` with table, column
//! and row, never a default.

use chrono::{DateTime, NaiveDate, Utc};
use domain::flight::{Flight, Life};
use domain::message::{Candidate, State, StoredBody};
use domain::{Flid, MsgId};
use engine::ports::StoreError;
use jiff::Timestamp;
use sqlx::postgres::PgRow;
use sqlx::{Decode, Postgres, Row, Type};

use super::times;
use crate::raw;

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
        let at: DateTime<Utc> = self.get(column)?;
        times::read(at).map_err(|text| self.corrupt(column, text))
    }

    /// A time that may be absent.
    pub(super) fn maybe_time(&self, column: &'static str) -> Result<Option<Timestamp>, StoreError> {
        match self.get::<Option<DateTime<Utc>>>(column)? {
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

/// A row of `head`.
pub(super) fn candidate(row: &PgRow) -> Result<Candidate, StoreError> {
    let cells = Cells::new(row, "proc_state", "msg_id");
    Ok(Candidate {
        msg_id: MsgId(cells.get("msg_id")?),
        state: cells.name("state", State::parse)?,
        attempts: cells.small_count("attempts")?,
        due: cells.maybe_time("next_attempt_at")?,
        enqueued_at: cells.time("enqueued_at")?,
        body: body(&Cells::new(row, "msg_raw", "msg_id"))?,
    })
}

fn body(cells: &Cells<'_>) -> Result<StoredBody, StoreError> {
    let Some(length) = cells.get::<Option<i64>>("length")? else {
        return Err(cells.corrupt("msg_id", "the message has no row here"));
    };
    let bad_length = || cells.corrupt("length", format!("{length} is no length"));
    match cells.get::<Option<&str>>("absence")? {
        None => {
            let Some(packed) = cells.get::<Option<&[u8]>>("body")? else {
                return Err(cells.corrupt("body", "NULL without a reason in absence"));
            };
            let length = usize::try_from(length).map_err(|_| bad_length())?;
            let body =
                raw::unpack(packed, length).map_err(|error| cells.corrupt("body", error.to_string()))?;
            Ok(StoredBody::Bytes(body))
        }
        Some("MISSING") => Ok(StoredBody::Missing),
        Some("OVERSIZED") => Ok(StoredBody::Oversized {
            length: u64::try_from(length).map_err(|_| bad_length())?,
            sha256: cells.maybe_hash("sha256")?.ok_or_else(|| cells.corrupt("sha256", "NULL"))?,
        }),
        Some(name) => Err(cells.corrupt("absence", format!("unknown name {name:?}"))),
    }
}

/// A row of `flight_schd`.
pub(super) fn flight(row: &PgRow) -> Result<Flight, StoreError> {
    let cells = Cells::new(row, "flight_schd", "flid");
    let day = cells.get::<Option<NaiveDate>>("operation_day")?.map(times::read_day).transpose();
    let document: &str = cells.get("document")?;
    Ok(Flight {
        flid: Flid(cells.get("flid")?),
        life: cells.name("life", Life::parse)?,
        state_version: cells.get("state_version")?,
        incarnation: cells.get("incarnation")?,
        floor: MsgId(cells.get("floor_msg_id")?),
        schedule_by: MsgId(cells.get("schedule_msg_id")?),
        last_by: MsgId(cells.get("last_msg_id")?),
        operation_day: day.map_err(|text| cells.corrupt("operation_day", text))?,
        fields: Flight::parse_document(document).map_err(|text| cells.corrupt("document", text))?,
    })
}
