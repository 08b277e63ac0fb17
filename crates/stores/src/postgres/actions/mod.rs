//! What operators do: frozen selections, carried out beside the pipeline. Rows are locked in the order
//! of their IDs and only where nobody else holds them (`SKIP LOCKED`): this side never waits for a row,
//! so that it can't be part of a deadlock.

mod effects;
mod matching;
mod pauses;
mod progress;
mod select;
mod targets;

use domain::MsgId;
use domain::lifecycle::{Act, Change};
use domain::message::Candidate;
use engine::ports::{
    Actions, AuditEntry, AuditFilter, Batch, Done, FrozenTarget, Operation, Progress, Selected, Selection,
    StoreError,
};
use sqlx::{PgTransaction, Row};

use super::PostgresStore;
use super::errors::failed;
use super::sql::named;
use super::transaction::{begin, end};

const SQL: &str = include_str!("../sql/actions.sql");

impl Actions for PostgresStore {
    async fn select(
        &self,
        act: Act,
        selection: &Selection,
        after: i64,
        limit: usize,
    ) -> Result<Vec<Selected>, StoreError> {
        select::select(&self.pool, act, selection, after, limit).await
    }

    async fn bodies(&self, ids: &[MsgId]) -> Result<Vec<Candidate>, StoreError> {
        select::bodies(&self.pool, ids).await
    }

    async fn confirm(&self, operation: &Operation, targets: &[FrozenTarget]) -> Result<Progress, StoreError> {
        let mut transaction = begin(&self.pool).await?;
        let outcome = progress::freeze(&mut transaction, operation, targets).await;
        end(transaction, outcome).await
    }

    async fn operation(&self, id: &str) -> Result<Option<Progress>, StoreError> {
        progress::progress(&self.pool, id).await
    }

    async fn open_targets(&self, operation: &str, limit: usize) -> Result<Vec<i64>, StoreError> {
        const OPEN_TARGETS: &str = named(SQL, "open_targets");
        let query = sqlx::query_scalar(OPEN_TARGETS).bind(operation).bind(super::numbers::limit(limit));
        query.fetch_all(&self.pool).await.map_err(failed)
    }

    async fn carry_out(&self, batch: &Batch) -> Result<Vec<Done>, StoreError> {
        let Some(Progress { operation, .. }) = progress::progress(&self.pool, &batch.operation).await? else {
            return Ok(Vec::new());
        };
        let mut transaction = begin(&self.pool).await?;
        let outcome = carry_out(&mut transaction, &operation, batch).await;
        end(transaction, outcome).await
    }

    async fn audit(&self, filter: &AuditFilter, limit: usize) -> Result<Vec<AuditEntry>, StoreError> {
        progress::audit(&self.pool, filter, limit).await
    }
}

async fn carry_out(
    transaction: &mut PgTransaction<'_>,
    operation: &Operation,
    batch: &Batch,
) -> Result<Vec<Done>, StoreError> {
    const HOLD_TARGETS: &str = named(SQL, "hold_targets");
    let query = sqlx::query(HOLD_TARGETS).bind(&operation.id).bind(&batch.ids);
    let open = query.fetch_all(&mut **transaction).await.map_err(failed)?;
    let ids: Vec<i64> = open.iter().map(|row| row.get(0)).collect();
    let held = select::hold(transaction, operation.act, &ids).await?;
    let (mut all_done, mut changes) = (Vec::new(), Vec::<(Change, Selected)>::new());
    for (row, id) in open.iter().zip(&ids) {
        let Some(target) = held.get(id) else { continue };
        let seen: &str = row.get(1);
        let (change, done) = Done::judged(operation.act, *id, &target.facts, seen);
        changes.extend(change.map(|change| (change, target.clone())));
        all_done.push(done);
    }
    for refused in effects::apply(transaction, operation, &changes, batch).await? {
        if let Some(done) = all_done.iter_mut().find(|done| done.id == refused.id) {
            *done = refused;
        }
    }
    progress::note(transaction, operation, batch.at, &all_done).await?;
    Ok(all_done)
}
