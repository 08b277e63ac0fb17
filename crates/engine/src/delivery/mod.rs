//! Delivery: sends events to consumers at least once (INV-10), in order per flight, and flights
//! never wait for each other (CLM-7). One room per target; the pump never waits for any (INV-16).

mod plan;
mod record;
mod run;

pub(crate) use run::Delivery;
