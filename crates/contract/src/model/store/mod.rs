//! The own store in memory. A transaction works on a copy of the tables that replaces them when
//! all of it went well.

mod accounts;
mod actions;
mod actions_port;
mod archive;
mod beside;
mod commit;
mod discovery;
mod history;
mod keeping_port;
mod leadership;
mod marks;
mod messages;
mod outbox;
mod past;
mod port;
mod pump;
mod retention;
mod tables;
mod terms;
mod timeline;
mod views;
mod views_port;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::event::Target;
use domain::{Epoch, Flid};
use engine::ports::{Clock, StoreError};

use super::{Faults, lock};
use crate::clock::TestClock;
use tables::Tables;

/// An in-memory store; clones are the same store. Its clock is a [`TestClock`]'s wall time.
#[derive(Debug, Clone, Default)]
pub struct Store {
    clock: TestClock,
    tables: Arc<Mutex<Tables>>,
    faults: Faults<StoreVerb, StoreError>,
}

/// The verbs of the store port, for [`Store::faults`]. Reads for people are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the port's method of the same name")]
pub enum StoreVerb {
    Now,
    AcquireLease,
    RenewLease,
    ReleaseLease,
    Lease,
    Cursor,
    StartAt,
    OpenGaps,
    ClosedGaps,
    Enqueue,
    RecordLate,
    NewestBodies,
    ReleasedGaps,
    Accounts,
    LeftOut,
    Head,
    World,
    CommitRun,
    SettleDoubt,
    Attempts,
    DueEvents,
    SettleEvents,
    DueMarks,
    SettleMarks,
    SweepFlights,
    ForgetHistory,
    ForgetChanges,
    Archivable,
    Archive,
    Restore,
    ForgetArchived,
    ForgetShadows,
    ForgetEvents,
    ForgetBodies,
    Actions,
    CarryOut,
    Pauses,
    SetPause,
    OpenTerm,
    CloseTerm,
    NoteLoneTry,
    LoneTry,
    ForgetLoneTry,
    Views,
}

impl Store {
    /// An empty store whose time is `clock`'s.
    pub fn new(clock: TestClock) -> Self {
        Self { clock, ..Self::default() }
    }

    /// Failures to answer with.
    pub fn faults(&self) -> &Faults<StoreVerb, StoreError> {
        &self.faults
    }

    /// Another process takes the lease over, whoever holds it; returns the new epoch.
    pub fn seize_lease(&self, owner: &str) -> Epoch {
        lock(&self.tables).seize_lease(owner, self.clock.wall(), Duration::from_secs(3_600))
    }

    /// Topic, partition and offset of the SENT events of a key, in event order.
    pub fn receipts(&self, target: Target, flid: Flid) -> Vec<(String, i32, i64)> {
        lock(&self.tables).receipts(target, flid)
    }

    async fn read<T>(&self, verb: StoreVerb, look: impl FnOnce(&Tables) -> T) -> Result<T, StoreError> {
        self.faults.before(verb).await?;
        let answer = look(&lock(&self.tables));
        self.faults.after(verb)?;
        Ok(answer)
    }

    async fn write<T>(
        &self,
        verb: StoreVerb,
        change: impl FnOnce(&mut Tables) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.faults.before(verb).await?;
        let answer = transaction(&self.tables, change)?;
        self.faults.after(verb)?;
        Ok(answer)
    }

    async fn write_as<T>(
        &self,
        epoch: Epoch,
        verb: StoreVerb,
        change: impl FnOnce(&mut Tables) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.write(verb, |tables| {
            tables.check_epoch(epoch)?;
            change(tables)
        })
        .await
    }
}

/// All of `change`, or nothing.
fn transaction<T>(
    tables: &Mutex<Tables>,
    change: impl FnOnce(&mut Tables) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let mut tables = lock(tables);
    let mut copy = tables.clone();
    let answer = change(&mut copy)?;
    *tables = copy;
    Ok(answer)
}
