//! The lease: one process leads at a time (PRE-5), and what a deposed one still writes is refused
//! by the epoch inside the store's transactions. Here it is taken, renewed and given back.

use std::sync::Arc;
use std::time::Duration;

use domain::Epoch;

use crate::happened::{LeaseReleased, LeaseTaken, StandsBy};
use crate::ports::{Clock, Store, StoreError, Wake};
use crate::pulse::{Pulse, Role, Room};
use crate::room::{Next, Trouble, Work};
use crate::settings::Settings;
use crate::stop::Stop;
use crate::term::{Beginning, Lost, Term};

/// Asks for the lease until it is ours; `None` when asked to stop before.
pub(crate) async fn acquire<S: Store, C: Clock>(
    store: &S,
    clock: &C,
    settings: &Settings,
    pulse: &Pulse,
    bell: &Wake,
    stop: &Stop,
) -> Option<Beginning> {
    let mut failures = 0;
    let mut known = None;
    while !stop.is_stopped() {
        pulse.tick(Room::Lease);
        let wait = match ask(store, clock, settings).await {
            Ok(Some(beginning)) => {
                pulse.take_role(Role::Leader(beginning.epoch));
                LeaseTaken { epoch: beginning.epoch }.emit();
                return Some(beginning);
            }
            Ok(None) => {
                failures = 0;
                pulse.well(Room::Lease);
                tell_leader(store, &mut known).await;
                settings.lease_ttl / 3
            }
            Err(error) => {
                failures += 1;
                pulse.trouble(Room::Lease, &error.to_string());
                tracing::warn!(failures, "can't ask for the lease and tries again: {error}");
                settings.patience.after(failures)
            }
        };
        clock.pause(bell, wait).await;
    }
    None
}

/// Says once for each leader who it is. Not knowing it is no trouble: the next request will tell.
async fn tell_leader<S: Store>(store: &S, known: &mut Option<Epoch>) {
    let Ok(Some(lease)) = store.lease().await else { return };
    if known.replace(lease.epoch) != Some(lease.epoch) {
        StandsBy { owner: lease.owner, epoch: lease.epoch, until: lease.expires_at }.emit();
    }
}

/// One request. Pauses and the store's time are asked first: once the lease is ours nothing may fail that would
/// leave it held by nobody who knows. The deadline counts from before the request, so that it never
/// lies behind the store's.
async fn ask<S: Store, C: Clock>(
    store: &S,
    clock: &C,
    settings: &Settings,
) -> Result<Option<Beginning>, StoreError> {
    let pauses = store.pauses().await?;
    let at = store.now().await?;
    let monotonic = clock.monotonic();
    let taken = store.acquire_lease(&settings.owner, settings.lease_ttl).await?;
    let deadline = monotonic + settings.lease_ttl;
    Ok(taken.map(|epoch| Beginning { epoch, at, monotonic, deadline, pauses }))
}

/// Gives the lease back, so that a standby need not wait for it to run out. Failing is harmless.
pub(crate) async fn release<S: Store, C>(store: &S, term: &Term<C>) {
    match store.release_lease(term.epoch).await {
        Ok(()) => LeaseReleased { epoch: term.epoch }.emit(),
        Err(error) => tracing::warn!("the lease was not given back and will run out by itself: {error}"),
    }
}

/// Renews the lease, apart from all work, as long as the term lasts.
pub(crate) struct Renewal<S, C> {
    store: Arc<S>,
    term: Arc<Term<C>>,
    ttl: Duration,
    /// The lease was renewed at the last step: a third of its time may pass.
    renewed: bool,
}

impl<S: Store, C: Clock> Renewal<S, C> {
    /// Renewal for one term.
    pub(crate) fn new(store: Arc<S>, term: Arc<Term<C>>, ttl: Duration) -> Self {
        Self { store, term, ttl, renewed: true }
    }

    async fn renew(&self) -> Result<(), StoreError> {
        let before = self.term.monotonic();
        self.store.renew_lease(self.term.epoch, self.ttl).await?;
        self.term.prolong(before + self.ttl);
        let at = self.store.now().await?;
        self.term.anchor(at, self.term.monotonic());
        Ok(())
    }
}

impl<S: Store, C: Clock> Work for Renewal<S, C> {
    async fn step(&mut self) -> Result<Next, Trouble> {
        if std::mem::take(&mut self.renewed) {
            return Ok(Next::Pause(self.ttl / 3));
        }
        match self.renew().await {
            Ok(()) => self.renewed = true,
            Err(error) => return Err(error.into()),
        }
        Ok(Next::Again)
    }
}

impl Lost {
    /// Its name in logs and metrics.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fenced => "fenced",
            Self::Expired => "expired",
        }
    }
}
