//! Flights by day, in history, and their kin; the steps of timelines and the kinds of messages.

use domain::flight::{Flight, FlightChange, Life};
use domain::{Flid, MsgId};
use engine::ports::{ChangeView, KindCount, PastView, StoreError};
use jiff::civil::Date;

use super::super::database::Database;
use super::super::errors::Failure;
use super::super::flights::FlightRow;
use super::super::limit;
use super::super::rows::Place;
use super::{FLIGHT_CHANGES, FLIGHTS_OF, MESSAGE_KINDS, PAST_FLIGHTS, PAST_FLIGHTS_OF, RELATIVES};

pub(super) async fn flights_of(
    database: &Database,
    day: Date,
    most: usize,
) -> Result<Vec<Flight>, StoreError> {
    let query = sqlx::query_as(FLIGHTS_OF).bind(day.to_string()).bind(limit(most));
    let rows: Vec<FlightRow> = query.fetch_all(database.readers()).await.map_err(StoreError::of)?;
    rows.into_iter().map(Flight::try_from).collect()
}

pub(super) async fn past_flights_of(
    database: &Database,
    day: Date,
    most: usize,
) -> Result<Vec<PastView>, StoreError> {
    let query = sqlx::query_as(PAST_FLIGHTS_OF).bind(day.to_string()).bind(limit(most));
    let rows: Vec<PastRow> = query.fetch_all(database.readers()).await.map_err(StoreError::of)?;
    rows.into_iter().map(PastView::try_from).collect()
}

pub(super) async fn past_flights(database: &Database, flid: Flid) -> Result<Vec<PastView>, StoreError> {
    let query = sqlx::query_as(PAST_FLIGHTS).bind(flid.0);
    let rows: Vec<PastRow> = query.fetch_all(database.readers()).await.map_err(StoreError::of)?;
    rows.into_iter().map(PastView::try_from).collect()
}

pub(super) async fn flight_changes(
    database: &Database,
    flid: Flid,
    most: usize,
) -> Result<Vec<ChangeView>, StoreError> {
    let query = sqlx::query_as(FLIGHT_CHANGES).bind(flid.0).bind(limit(most));
    let rows: Vec<ChangeRow> = query.fetch_all(database.readers()).await.map_err(StoreError::of)?;
    rows.into_iter().map(ChangeView::try_from).collect()
}

pub(super) async fn relatives(database: &Database, flid: Flid) -> Result<Vec<Flight>, StoreError> {
    let query = sqlx::query_as(RELATIVES).bind(flid.0);
    let rows: Vec<FlightRow> = query.fetch_all(database.readers()).await.map_err(StoreError::of)?;
    rows.into_iter().map(Flight::try_from).collect()
}

pub(super) async fn message_kinds(database: &Database) -> Result<Vec<KindCount>, StoreError> {
    let query = sqlx::query_as(MESSAGE_KINDS).bind(limit(KindCount::SHOWN_MAX));
    let rows: Vec<KindRow> = query.fetch_all(database.readers()).await.map_err(StoreError::of)?;
    rows.into_iter().map(KindCount::try_from).collect()
}

#[derive(sqlx::FromRow)]
struct PastRow {
    #[sqlx(flatten)]
    flight: FlightRow,
    swept_at: i64,
}

impl TryFrom<PastRow> for PastView {
    type Error = StoreError;

    fn try_from(row: PastRow) -> Result<Self, StoreError> {
        let flight = row.flight.flight_of("flight_hist")?;
        let swept_at = Place::new("flight_hist", flight.flid).time("swept_at", row.swept_at)?;
        Ok(Self { flight, swept_at })
    }
}

#[derive(sqlx::FromRow)]
pub(in super::super) struct ChangeRow {
    flid: i64,
    state_version: i64,
    incarnation: i64,
    life: String,
    msg_id: i64,
    msg_type: Option<String>,
    msg_styp: Option<String>,
    at: i64,
    changes: String,
}

impl TryFrom<ChangeRow> for ChangeView {
    type Error = StoreError;

    fn try_from(row: ChangeRow) -> Result<Self, StoreError> {
        let place = Place::new("flight_change", row.flid);
        let change = FlightChange {
            flid: Flid(row.flid),
            state_version: row.state_version,
            incarnation: place.count("incarnation", row.incarnation)?,
            life: Life::parse(&row.life).ok_or_else(|| place.unknown("life", &row.life))?,
            msg_id: MsgId(row.msg_id),
            kind: row.msg_type,
            subtype: row.msg_styp,
            changes: row.changes,
        };
        Ok(Self { change, at: place.time("at", row.at)? })
    }
}

#[derive(sqlx::FromRow)]
struct KindRow {
    msg_type: String,
    msg_styp: String,
    state: String,
    error_class: String,
    count: i64,
    first_at: i64,
    last_at: i64,
    first_msg_id: i64,
    last_msg_id: i64,
}

impl TryFrom<KindRow> for KindCount {
    type Error = StoreError;

    fn try_from(row: KindRow) -> Result<Self, StoreError> {
        let place = Place::new("message_kind", row.msg_type.clone());
        let class = Some(row.error_class.as_str()).filter(|class| !class.is_empty());
        Ok(Self {
            state: place.state(&row.state)?,
            class: place.class_if_any(class)?,
            count: place.count("count", row.count)?,
            first_at: place.time("first_at", row.first_at)?,
            last_at: place.time("last_at", row.last_at)?,
            first_msg_id: MsgId(row.first_msg_id),
            last_msg_id: MsgId(row.last_msg_id),
            kind: row.msg_type,
            subtype: row.msg_styp,
        })
    }
}
