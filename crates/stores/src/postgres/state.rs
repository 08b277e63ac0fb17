//! Flights and the events that speak of them, written with the run that changed them (INV-17).

use domain::decide::Effects;
use domain::event::{NewEvent, Target};
use domain::flight::Flight;
use engine::ports::StoreError;
use jiff::Timestamp;
use sqlx::PgTransaction;

use super::errors::failed;
use super::settle::all_or_conflict;
use super::sql::named;
use super::times::{stored, stored_day};

const SQL: &str = include_str!("sql/pump.sql");

pub(super) async fn write_flights(
    transaction: &mut PgTransaction<'_>,
    effects: &Effects,
    at: Timestamp,
) -> Result<(), StoreError> {
    const SAVE_FLIGHTS: &str = named(SQL, "save_flights");
    let flights: Vec<&Flight> = effects.written().collect();
    if flights.is_empty() {
        return Ok(());
    }
    let column = |cell: fn(&Flight) -> i64| flights.iter().map(|flight| cell(flight)).collect::<Vec<_>>();
    let write = sqlx::query(SAVE_FLIGHTS)
        .bind(column(|flight| flight.flid.0))
        .bind(flights.iter().map(|flight| flight.life.as_str()).collect::<Vec<_>>())
        .bind(column(|flight| flight.state_version))
        .bind(flights.iter().map(|flight| flight.incarnation).collect::<Vec<_>>())
        .bind(column(|flight| flight.floor.0))
        .bind(column(|flight| flight.schedule_by.0))
        .bind(column(|flight| flight.last_by.0))
        .bind(flights.iter().map(|flight| flight.operation_day.map(stored_day)).collect::<Vec<_>>())
        .bind(flights.iter().map(|flight| flight.main_flid().map(|main| main.0)).collect::<Vec<_>>())
        .bind(flights.iter().map(|flight| flight.turn_flid().map(|turn| turn.0)).collect::<Vec<_>>())
        .bind(flights.iter().map(|flight| flight.document()).collect::<Vec<_>>())
        .bind(stored(at))
        .bind((0..flights.len()).map(|place| place < effects.new_flights.len()).collect::<Vec<_>>());
    let written = write.execute(&mut **transaction).await.map_err(failed)?.rows_affected();
    all_or_conflict(
        written,
        flights.len(),
        "flights are not as the run read them: new ones are there, or others gone or newer",
    )
}

pub(super) async fn write_events(
    transaction: &mut PgTransaction<'_>,
    events: &[NewEvent],
    at: Timestamp,
) -> Result<(), StoreError> {
    const INSERT_CHANGE: &str = named(SQL, "insert_change");
    const REPLACE_STATE: &str = named(SQL, "replace_state");
    for (target, statement) in [(Target::Msg, INSERT_CHANGE), (Target::Schd, REPLACE_STATE)] {
        let events: Vec<&NewEvent> = events.iter().filter(|event| event.target == target).collect();
        if events.is_empty() {
            continue;
        }
        let write = sqlx::query(statement)
            .bind(vec![target.as_str(); events.len()])
            .bind(events.iter().map(|event| event.flid.to_string()).collect::<Vec<_>>())
            .bind(events.iter().map(|event| event.event_type.as_str()).collect::<Vec<_>>())
            .bind(events.iter().map(|event| event.state_version).collect::<Vec<_>>())
            .bind(events.iter().map(|event| event.payload.as_str()).collect::<Vec<_>>())
            .bind(events.iter().map(|event| event.msg_id.0).collect::<Vec<_>>())
            .bind(stored(at));
        write.execute(&mut **transaction).await.map_err(failed)?;
    }
    Ok(())
}
