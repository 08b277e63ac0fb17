//! The own store on a real PostgreSQL server, which `cargo xtask test` starts.

mod clean_up;
mod commits;
mod keeping;
mod leases;
mod migrations;
mod outbox_locks;
mod plans;
mod plans_of_jobs;
mod poolers;
mod subject;
mod suite;

contract::store_suite!(subject::Subject);
