//! PostgreSQL for the own store.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::Kind;
use super::place::{Place, free_port};
use super::server::{Server, Stop};
use crate::{places, step};

pub(super) const KIND: Kind = Kind {
    name: "postgresql",
    variable: "MSGX_TEST_POSTGRES_URL",
    // The pooler is what a test shows to be refused.
    packages: &["postgresql", "pgbouncer"],
    installed: || ["initdb", "postgres", "pgbouncer"].iter().all(|name| program(name).is_some()),
    start,
};

const ACCOUNT: &str = "postgres";

fn start(place: &Place) -> Result<Server> {
    let data = place.directory("postgresql", ACCOUNT)?;
    step::quietly(
        place
            .command(&found("initdb")?, ACCOUNT, "KILL")
            .args([
                "--auth=trust",
                "--username=postgres",
                "--encoding=UTF8",
                "--locale=C.UTF-8",
                "--no-sync",
                "-D",
            ])
            .arg(&data),
    )?;
    let port = free_port()?;
    let settings = [
        format!("port={port}"),
        "listen_addresses=127.0.0.1".to_owned(),
        "unix_socket_directories=".to_owned(),
        "max_connections=300".to_owned(),
        // The machine doesn't lose power during a test.
        "fsync=off".to_owned(),
    ];
    let mut command = place.command(&found("postgres")?, ACCOUNT, "QUIT");
    command.arg("-D").arg(&data).current_dir(&data);
    for setting in settings {
        command.arg("-c").arg(setting);
    }
    let asker = found("pg_isready")?;
    let answers = move || {
        let ask = Command::new(&asker).args(["-q", "-h", "127.0.0.1", "-p", &port.to_string()]).status();
        ask.is_ok_and(|status| status.success())
    };
    let server = Server::start(KIND.name, &mut command, place, Stop::Signal("QUIT"), answers)?;
    Ok(server.export(KIND.variable, format!("postgres://postgres@127.0.0.1:{port}/postgres")))
}

fn found(name: &str) -> Result<PathBuf> {
    program(name).with_context(|| format!("{name} not found"))
}

/// Debian keeps the programs of each version apart, the newest of which is taken.
fn program(name: &str) -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut numbered: Vec<(u32, PathBuf)> = versions
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .collect();
    numbered.sort_by(|left, right| right.cmp(left));
    let sbin = PathBuf::from("/usr/sbin");
    let directories: Vec<PathBuf> = numbered.into_iter().map(|(_, path)| path).chain([sbin]).collect();
    places::program(name, &directories)
}
