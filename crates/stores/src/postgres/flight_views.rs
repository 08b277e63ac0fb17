//! Flights by day, in history, and their kin; the steps of timelines and the kinds of messages.

use domain::flight::{Flight, FlightChange, Life};
use domain::message::{ErrorClass, State};
use domain::{Flid, MsgId};
use engine::ports::{ChangeView, KindCount, PastView, StoreError};
use jiff::civil::Date;
use sqlx::PgPool;
use sqlx::postgres::PgRow;

use super::cells::Cells;
use super::errors::failed;
use super::numbers::limit;
use super::rows;
use super::sql::named;
use super::times::stored_day;

const SQL: &str = include_str!("sql/views.sql");

pub(super) async fn flights_of(pool: &PgPool, day: Date, most: usize) -> Result<Vec<Flight>, StoreError> {
    const FLIGHTS_OF: &str = named(SQL, "flights_of");
    let query = sqlx::query(FLIGHTS_OF).bind(stored_day(day)).bind(limit(most));
    query.fetch_all(pool).await.map_err(failed)?.iter().map(rows::flight).collect()
}

pub(super) async fn past_flights_of(
    pool: &PgPool,
    day: Date,
    most: usize,
) -> Result<Vec<PastView>, StoreError> {
    const PAST_FLIGHTS_OF: &str = named(SQL, "past_flights_of");
    let query = sqlx::query(PAST_FLIGHTS_OF).bind(stored_day(day)).bind(limit(most));
    query.fetch_all(pool).await.map_err(failed)?.iter().map(past).collect()
}

pub(super) async fn past_flights(pool: &PgPool, flid: Flid) -> Result<Vec<PastView>, StoreError> {
    const PAST_FLIGHTS: &str = named(SQL, "past_flights");
    let query = sqlx::query(PAST_FLIGHTS).bind(flid.0);
    query.fetch_all(pool).await.map_err(failed)?.iter().map(past).collect()
}

fn past(row: &PgRow) -> Result<PastView, StoreError> {
    let swept_at = Cells::new(row, "flight_hist", "flid").time("swept_at")?;
    Ok(PastView { flight: rows::flight_in(row, "flight_hist")?, swept_at })
}

pub(super) async fn flight_changes(
    pool: &PgPool,
    flid: Flid,
    most: usize,
) -> Result<Vec<ChangeView>, StoreError> {
    const FLIGHT_CHANGES: &str = named(SQL, "flight_changes");
    let query = sqlx::query(FLIGHT_CHANGES).bind(flid.0).bind(limit(most));
    query.fetch_all(pool).await.map_err(failed)?.iter().map(change).collect()
}

pub(super) fn change(row: &PgRow) -> Result<ChangeView, StoreError> {
    let cells = Cells::new(row, "flight_change", "flid");
    let change = FlightChange {
        flid: Flid(cells.get("flid")?),
        state_version: cells.get("state_version")?,
        incarnation: cells.get("incarnation")?,
        life: cells.name("life", Life::parse)?,
        msg_id: MsgId(cells.get("msg_id")?),
        kind: cells.get("msg_type")?,
        subtype: cells.get("msg_styp")?,
        changes: cells.get("changes")?,
    };
    Ok(ChangeView { change, at: cells.time("at")? })
}

pub(super) async fn relatives(pool: &PgPool, flid: Flid) -> Result<Vec<Flight>, StoreError> {
    const RELATIVES: &str = named(SQL, "relatives");
    let query = sqlx::query(RELATIVES).bind(flid.0);
    query.fetch_all(pool).await.map_err(failed)?.iter().map(rows::flight).collect()
}

pub(super) async fn message_kinds(pool: &PgPool) -> Result<Vec<KindCount>, StoreError> {
    const MESSAGE_KINDS: &str = named(SQL, "message_kinds");
    let query = sqlx::query(MESSAGE_KINDS).bind(limit(KindCount::SHOWN_MAX));
    query.fetch_all(pool).await.map_err(failed)?.iter().map(kind).collect()
}

fn kind(row: &PgRow) -> Result<KindCount, StoreError> {
    let cells = Cells::new(row, "message_kind", "msg_type");
    let class = match cells.get::<&str>("error_class")? {
        "" => None,
        _ => Some(cells.name("error_class", ErrorClass::parse)?),
    };
    Ok(KindCount {
        kind: cells.get("msg_type")?,
        subtype: cells.get("msg_styp")?,
        state: cells.name("state", State::parse)?,
        class,
        count: cells.count("count")?,
        first_at: cells.time("first_at")?,
        last_at: cells.time("last_at")?,
        first_msg_id: MsgId(cells.get("first_msg_id")?),
        last_msg_id: MsgId(cells.get("last_msg_id")?),
    })
}
