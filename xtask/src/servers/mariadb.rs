//! MariaDB for the mailbox.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::Kind;
use super::place::{Place, free_port};
use super::server::{Server, Stop};
use crate::{places, step};

pub(super) const KIND: Kind = Kind {
    name: "mariadb",
    variable: "MSGX_TEST_MYSQL_URL",
    packages: &["mariadb-server"],
    installed: || program("mariadbd").is_some() && program("mariadb-install-db").is_some(),
    start,
};

const ACCOUNT: &str = "mysql";

/// Run at each start: an account that may create databases, reachable by TCP.
const INIT: &str = "CREATE DATABASE IF NOT EXISTS msgx CHARACTER SET utf8mb4;
CREATE USER IF NOT EXISTS 'msgx'@'127.0.0.1' IDENTIFIED BY 'msgx';
GRANT ALL ON *.* TO 'msgx'@'127.0.0.1' WITH GRANT OPTION;
";

fn start(place: &Place) -> Result<Server> {
    let directory = place.directory("mariadb", ACCOUNT)?;
    let data = directory.join("data");
    let init = directory.join("init.sql");
    fs::write(&init, INIT).with_context(|| format!("can't write {}", init.display()))?;
    step::quietly(
        place
            .command(&found("mariadb-install-db")?, ACCOUNT, "KILL")
            .args(["--no-defaults", "--skip-test-db", "--auth-root-authentication-method=normal"])
            .arg(format!("--datadir={}", data.display())),
    )?;
    let port = free_port()?;
    let mut command = place.command(&found("mariadbd")?, ACCOUNT, "KILL");
    command.args([
        "--no-defaults".to_owned(),
        format!("--datadir={}", data.display()),
        format!("--socket={}", directory.join("socket").display()),
        format!("--pid-file={}", directory.join("pid").display()),
        format!("--init-file={}", init.display()),
        format!("--port={port}"),
        "--bind-address=127.0.0.1".to_owned(),
        "--skip-name-resolve".to_owned(),
        "--character-set-server=utf8mb4".to_owned(),
        // An oversized body of the tests is 11 MB; the default takes 16 MB with little to spare.
        "--max-allowed-packet=64M".to_owned(),
        "--max-connections=300".to_owned(),
        // The machine doesn't lose power during a test.
        "--innodb-flush-log-at-trx-commit=2".to_owned(),
    ]);
    let asker = found("mariadb-admin")?;
    let answers = move || {
        let ask = Command::new(&asker)
            .args(["--no-defaults", "--host=127.0.0.1", "--user=msgx", "--password=msgx", "--silent"])
            .arg(format!("--port={port}"))
            .arg("ping")
            .output();
        ask.is_ok_and(|output| output.status.success())
    };
    let server = Server::start(KIND.name, &mut command, place, Stop::Kill, answers)?;
    Ok(server.export(KIND.variable, format!("mysql://msgx:msgx@127.0.0.1:{port}/msgx")))
}

fn found(name: &str) -> Result<PathBuf> {
    program(name).with_context(|| format!("{name} not found"))
}

fn program(name: &str) -> Option<PathBuf> {
    places::program(name, &[])
}
