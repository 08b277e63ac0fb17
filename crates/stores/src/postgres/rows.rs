//! Rows that become the domain's types in more than one room.

use domain::flight::{Flight, Life};
use domain::message::{Candidate, State, StoredBody};
use domain::{Flid, MsgId};
use engine::ports::StoreError;
use sqlx::postgres::PgRow;

use super::cells::Cells;
use super::times;
use crate::raw;

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

pub(super) fn body(cells: &Cells<'_>) -> Result<StoredBody, StoreError> {
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
    flight_in(row, "flight_schd")
}

/// A row of a table that keeps flights.
pub(super) fn flight_in(row: &PgRow, table: &'static str) -> Result<Flight, StoreError> {
    let cells = Cells::new(row, table, "flid");
    let day = cells.get::<Option<times::Day>>("operation_day")?.map(times::read_day).transpose();
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
