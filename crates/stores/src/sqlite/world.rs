//! The world a run meets: holders of its keys, flights and their families.

use std::collections::HashSet;

use domain::decide::World;
use domain::flight::Flight;
use domain::message::{Holder, IdentityKey};
use domain::{Flid, MsgId};
use engine::ports::StoreError;
use sqlx::SqliteConnection;

use super::database::{Database, leave};
use super::errors::Failure;
use super::flights::FlightRow;
use super::history::past;
use super::pump::FILE;
use super::rows::Place;
use super::statement::named;

pub(super) const HOLDERS: &str = named(FILE, "holders");
pub(super) const FAMILIES: &str = named(FILE, "families");

pub(super) async fn world(
    database: &Database,
    keys: &[IdentityKey],
    flids: &[Flid],
) -> Result<World, StoreError> {
    let mut transaction = database.read().await?;
    let result = look(&mut transaction, keys, flids).await;
    leave(transaction).await;
    result
}

async fn look(
    connection: &mut SqliteConnection,
    keys: &[IdentityKey],
    flids: &[Flid],
) -> Result<World, StoreError> {
    // A key with NUL is never stored, and SQLite would cut it there when it reads the JSON.
    let keys: Vec<_> = keys.iter().map(|key| &key.0).filter(|key| !key.contains('\0')).collect();
    let holders: Vec<HolderRow> = sqlx::query_as(HOLDERS)
        .bind(serde_json::json!(keys).to_string())
        .fetch_all(&mut *connection)
        .await
        .map_err(StoreError::of)?;
    let flids: Vec<_> = flids.iter().map(|flid| flid.0).collect();
    let flights: Vec<FlightRow> = sqlx::query_as(FAMILIES)
        .bind(serde_json::json!(flids).to_string())
        .fetch_all(&mut *connection)
        .await
        .map_err(StoreError::of)?;
    let flights: Vec<Flight> = flights.into_iter().map(Flight::try_from).collect::<Result<_, _>>()?;
    let current: HashSet<i64> = flights.iter().map(|flight| flight.flid.0).collect();
    let gone: Vec<i64> = flids.into_iter().filter(|flid| !current.contains(flid)).collect();
    Ok(World {
        holders: holders.into_iter().map(Holder::try_from).collect::<Result<_, _>>()?,
        flights,
        past: past(connection, &gone).await?,
    })
}

#[derive(sqlx::FromRow)]
struct HolderRow {
    msg_id: i64,
    state: String,
    identity_key: String,
    content_hash: Option<Vec<u8>>,
}

impl TryFrom<HolderRow> for Holder {
    type Error = StoreError;

    fn try_from(row: HolderRow) -> Result<Self, StoreError> {
        let place = Place::new("proc_state", row.msg_id);
        Ok(Self {
            msg_id: MsgId(row.msg_id),
            state: place.state(&row.state)?,
            content_hash: place.hash_if_any("content_hash", row.content_hash.as_deref())?,
            key: IdentityKey(row.identity_key),
        })
    }
}
