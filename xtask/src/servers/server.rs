//! A server that we started: asked until it answers, stopped when dropped.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::place::Place;
use crate::interrupt;

const ASK_EVERY: Duration = Duration::from_millis(50);
/// 60 s: a slow machine, never a server that works.
const ASKS_MAX: u32 = 1200;

/// A running server.
pub(crate) struct Server {
    pub(crate) name: &'static str,
    /// What tests find it by.
    pub(crate) environment: Vec<(String, String)>,
    child: Child,
    log: PathBuf,
    stop: Stop,
    answers: Box<dyn Fn() -> bool>,
}

/// How it is ended: its data is thrown away, so at once.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stop {
    /// One process.
    Kill,
    /// It ends its own children on this signal.
    Signal(&'static str),
}

impl Server {
    /// Starts the command, its output going to the log of `name`.
    pub(crate) fn start(
        name: &'static str,
        command: &mut Command,
        place: &Place,
        stop: Stop,
        answers: impl Fn() -> bool + 'static,
    ) -> Result<Self> {
        use std::os::unix::process::CommandExt;
        let (log, file) = place.log(name)?;
        let child = command
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file)
            // A group of its own: Ctrl-C at the terminal is for us, who stop it in order.
            .process_group(0)
            .spawn()
            .with_context(|| format!("can't run {}", command.get_program().display()))?;
        Ok(Self { name, environment: Vec::new(), child, log, stop, answers: Box::new(answers) })
    }

    /// Adds a variable for the tests.
    pub(crate) fn export(mut self, variable: &str, value: String) -> Self {
        self.environment.push((variable.to_owned(), value));
        self
    }

    /// Asks until it answers; an error when it ends or doesn't answer in time.
    pub(crate) fn wait_ready(&mut self) -> Result<()> {
        for _ in 0..ASKS_MAX {
            interrupt::check()?;
            if let Some(status) = self.child.try_wait()? {
                bail!("{} ended at start ({status}), see {}", self.name, self.log.display());
            }
            if (self.answers)() {
                return Ok(());
            }
            thread::sleep(ASK_EVERY);
        }
        bail!("{} doesn't answer after {:?}, see {}", self.name, ASK_EVERY * ASKS_MAX, self.log.display())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        match self.stop {
            Stop::Kill => {
                if let Err(error) = self.child.kill() {
                    eprintln!("xtask: can't end {}: {error}", self.name);
                }
            }
            Stop::Signal(name) => interrupt::signal(name, i64::from(self.child.id())),
        }
        if let Err(error) = self.child.wait() {
            eprintln!("xtask: can't wait for {}: {error}", self.name);
        }
    }
}
