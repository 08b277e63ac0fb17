//! The real servers the tests run against: those named by environment variables, else our own
//! on free loopback ports with throw-away data, stopped when the command ends.

mod jars;
mod kafka;
mod mariadb;
mod place;
mod postgres;
mod server;

use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail};

use self::place::Place;
use self::server::Server;
use crate::interrupt::{self, Whom};
use crate::packages::{self, Missing};
use crate::places;
use crate::step::Stopwatch;

/// One kind of server.
struct Kind {
    /// Its name, also of its log file.
    name: &'static str,
    /// The variable by which tests find it.
    variable: &'static str,
    /// Debian packages that hold its programs.
    packages: &'static [&'static str],
    /// Are its programs there?
    installed: fn() -> bool,
    /// Prepares its data and starts it.
    start: fn(&Place) -> Result<Server>,
}

/// The broker first: it takes longest to come up.
const KINDS: [Kind; 3] = [kafka::KIND, postgres::KIND, mariadb::KIND];

/// What is to be started.
pub(crate) struct Plan(Vec<Kind>);

/// `cargo xtask servers -- COMMAND`.
pub(crate) fn run(command: &[String]) -> Result<()> {
    with(plan()?, |environment| {
        let mut child = Command::new(&command[0])
            .args(&command[1..])
            .envs(environment.iter().cloned())
            .spawn()
            .with_context(|| format!("can't run {}", command[0]))?;
        let status = interrupt::wait(&mut child, Whom::Child)?;
        if status.success() { Ok(()) } else { bail!("{} ended with {status}", command[0]) }
    })
}

/// Sees which servers are given and installs what the others need.
pub(crate) fn plan() -> Result<Plan> {
    let kinds: Vec<Kind> = KINDS.into_iter().filter(|kind| env::var_os(kind.variable).is_none()).collect();
    let missing = |kind: &&Kind| !(kind.installed)();
    let found: Vec<Missing> = kinds.iter().filter(missing).map(Kind::missing).collect();
    packages::install(&found)?;
    if let Some(kind) = kinds.iter().find(missing) {
        bail!("{} is still not there after installing {}", kind.name, kind.packages.join(" "));
    }
    Ok(Plan(kinds))
}

/// Starts the servers, does the work with their variables, stops them. Logs are kept and named
/// when the work fails.
pub(crate) fn with(plan: Plan, work: impl FnOnce(&[(String, String)]) -> Result<()>) -> Result<()> {
    let logs = places::kept().join("logs").join(std::process::id().to_string());
    fs::create_dir_all(&logs).with_context(|| format!("can't create {}", logs.display()))?;
    let result = start(plan, &logs).and_then(|(_place, servers)| {
        let environment: Vec<_> = servers.iter().flat_map(|server| server.environment.clone()).collect();
        work(&environment)
    });
    match result {
        Ok(()) => fs::remove_dir_all(&logs).with_context(|| format!("can't remove {}", logs.display())),
        Err(error) => {
            eprintln!("xtask: the servers' logs are in {}", logs.display());
            Err(error)
        }
    }
}

/// Starts all, then waits for all. The place outlives the servers: it is dropped after them.
fn start(plan: Plan, logs: &std::path::Path) -> Result<(Place, Vec<Server>)> {
    let place = Place::create(logs)?;
    let watch = Stopwatch::start();
    let mut servers = Vec::new();
    for kind in plan.0 {
        println!("xtask: starting {}", kind.name);
        servers.push((kind.start)(&place).with_context(|| format!("can't start {}", kind.name))?);
    }
    for server in &mut servers {
        server.wait_ready()?;
        println!("xtask: {} is ready, {}", server.name, watch.read());
    }
    Ok((place, servers))
}

impl Kind {
    fn missing(&self) -> Missing {
        Missing { server: self.name, variable: self.variable, packages: self.packages }
    }
}
