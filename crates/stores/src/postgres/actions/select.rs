//! What a selection means, which targets can be had now, and the bodies for a look ahead.

use std::collections::BTreeMap;

use domain::MsgId;
use domain::lifecycle::{Act, Facts, Target};
use domain::message::{Candidate, State};
use engine::ports::{Selected, Selection, StoreError};
use sqlx::{PgExecutor, PgPool, PgTransaction};

use super::super::errors::failed;
use super::super::rows;
use super::super::sql::named;
use super::SQL;
use super::matching::{dead_letters, events, late_rows, messages};
use super::targets::{event, late_row, message};

const MESSAGES_BY_ID: &str = named(SQL, "messages_by_id");
const LATE_BY_ID: &str = named(SQL, "late_by_id");
const EVENTS_BY_ID: &str = named(SQL, "events_by_id");

pub(super) async fn select(
    pool: &PgPool,
    act: Act,
    selection: &Selection,
    after: i64,
    limit: usize,
) -> Result<Vec<Selected>, StoreError> {
    match selection {
        Selection::Ids(ids) => {
            let mut ids: Vec<i64> = ids.iter().copied().filter(|id| *id > after).collect();
            ids.sort_unstable();
            ids.dedup();
            ids.truncate(limit);
            let mut found = by_id(pool, act.target(), &ids).await?;
            if act == Act::Replay {
                let shadows = shadows(&found);
                found.extend(archived(pool, &shadows).await?);
            }
            Ok(ids.into_iter().map(|id| found.remove(&id).unwrap_or_else(|| Selected::missing(id))).collect())
        }
        Selection::Filter(filter) => match act.target() {
            Target::Message if act == Act::Replay => dead_letters(pool, filter, after, limit).await,
            Target::Message => messages(pool, act, filter, after, limit).await,
            Target::LateRow => late_rows(pool, filter, after, limit).await,
            Target::Event => events(pool, filter, after, limit).await,
            Target::Room => Ok(Vec::new()),
        },
    }
}

/// Those whose rest lies in the archive.
fn shadows(found: &BTreeMap<i64, Selected>) -> Vec<i64> {
    let is_shadow = |selected: &&Selected| match &selected.facts {
        Facts::Message(message) => message.state == State::Archived,
        Facts::Late(_) | Facts::Event(_) | Facts::Missing => false,
    };
    found.values().filter(is_shadow).map(|selected| selected.id).collect()
}

/// Of these shadows, the dead letters as the archive has them.
async fn archived(
    executor: impl PgExecutor<'_>,
    shadows: &[i64],
) -> Result<BTreeMap<i64, Selected>, StoreError> {
    const ARCHIVED_BY_ID: &str = named(SQL, "archived_by_id");
    if shadows.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut found = fetch(executor, Target::Message, ARCHIVED_BY_ID, shadows).await?;
    found.values_mut().for_each(|selected| selected.is_archived = true);
    Ok(found)
}

/// The targets that nobody else holds, locked; those that aren't there at all come too.
pub(super) async fn hold(
    transaction: &mut PgTransaction<'_>,
    act: Act,
    ids: &[i64],
) -> Result<BTreeMap<i64, Selected>, StoreError> {
    const HOLD_MESSAGES: &str = named(SQL, "hold_messages");
    const HOLD_LATE: &str = named(SQL, "hold_late");
    const HOLD_EVENTS: &str = named(SQL, "hold_events");
    let target = act.target();
    let statement = match target {
        Target::Message => HOLD_MESSAGES,
        Target::LateRow => HOLD_LATE,
        Target::Event => HOLD_EVENTS,
        Target::Room => return Ok(BTreeMap::new()),
    };
    let mut held = fetch(&mut **transaction, target, statement, ids).await?;
    let others: Vec<i64> = ids.iter().copied().filter(|id| !held.contains_key(id)).collect();
    if !others.is_empty() {
        let there = by_id(&mut **transaction, target, &others).await?;
        let gone = others.into_iter().filter(|id| !there.contains_key(id));
        held.extend(gone.map(|id| (id, Selected::missing(id))));
    }
    if act == Act::Replay {
        let shadows = shadows(&held);
        held.extend(archived(&mut **transaction, &shadows).await?);
    }
    Ok(held)
}

async fn by_id(
    executor: impl PgExecutor<'_>,
    target: Target,
    ids: &[i64],
) -> Result<BTreeMap<i64, Selected>, StoreError> {
    let statement = match target {
        Target::Message => MESSAGES_BY_ID,
        Target::LateRow => LATE_BY_ID,
        Target::Event => EVENTS_BY_ID,
        Target::Room => return Ok(BTreeMap::new()),
    };
    fetch(executor, target, statement, ids).await
}

async fn fetch(
    executor: impl PgExecutor<'_>,
    target: Target,
    statement: &'static str,
    ids: &[i64],
) -> Result<BTreeMap<i64, Selected>, StoreError> {
    let rows = sqlx::query(statement).bind(ids).fetch_all(executor).await.map_err(failed)?;
    let read = match target {
        Target::Message => message,
        Target::LateRow => late_row,
        Target::Event | Target::Room => event,
    };
    rows.iter().map(|row| read(row).map(|selected| (selected.id, selected))).collect()
}

pub(super) async fn bodies(pool: &PgPool, ids: &[MsgId]) -> Result<Vec<Candidate>, StoreError> {
    const BODIES: &str = named(SQL, "bodies");
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let found = sqlx::query(BODIES).bind(ids).fetch_all(pool).await.map_err(failed)?;
    found.iter().map(rows::candidate).collect()
}

/// Which of these are in `proc_state`.
pub(super) async fn enqueued(
    transaction: &mut PgTransaction<'_>,
    ids: &[i64],
) -> Result<BTreeMap<i64, Selected>, StoreError> {
    by_id(&mut **transaction, Target::Message, ids).await
}
