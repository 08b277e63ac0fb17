//! One command of a sequence: shown, run to its end, ended by an interruption.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::interrupt::{self, Whom};
use crate::places;

/// Runs a command in the workspace; an error unless it succeeds.
pub(crate) fn run(command: &[&str], environment: &[(String, String)]) -> Result<()> {
    interrupt::check()?;
    let shown = command.join(" ");
    println!("xtask: {shown}");
    let watch = Stopwatch::start();
    let mut child = Command::new(command[0])
        .args(&command[1..])
        .envs(environment.iter().cloned())
        .current_dir(places::workspace())
        .process_group(0)
        .spawn()
        .with_context(|| format!("can't run {}", command[0]))?;
    let status = interrupt::wait(&mut child, Whom::Group)?;
    if !status.success() {
        bail!("failed: {shown} ({status})");
    }
    println!("xtask: {shown}: good, {}", watch.read());
    Ok(())
}

/// Runs a command of preparation quietly; its output is shown only in the error.
pub(crate) fn quietly(command: &mut Command) -> Result<String> {
    interrupt::check()?;
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("can't run {name}"))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        bail!("{name} failed ({}):\n{said}{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(said)
}

/// Time taken, for the terminal.
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "times shown to a person; nothing is decided by them")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn read(&self) -> String {
        format!("{:.1} s", self.0.elapsed().as_secs_f64())
    }
}
