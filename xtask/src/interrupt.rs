//! Ctrl-C and SIGTERM: the command in hand is ended, the main thread then unwinds as after any
//! failure, and what was started is stopped on the way.

use std::process::{Child, Command, ExitStatus};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// What a signal ends: the target of `kill`, a process or (negative) a process group.
static IN_HAND: Mutex<Option<i64>> = Mutex::new(None);

/// Whom an interruption ends.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Whom {
    /// The child alone: it shares our terminal, which tells its children itself.
    Child,
    /// The child, which leads a process group, and all its descendants in that group.
    Group,
}

/// Begins to listen; called once.
pub(crate) fn listen() -> Result<()> {
    ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::SeqCst);
        if let Some(target) = in_hand().as_ref() {
            signal("TERM", *target);
        }
    })
    .context("can't listen for Ctrl-C")
}

/// An error once an interruption has come.
pub(crate) fn check() -> Result<()> {
    if INTERRUPTED.load(Ordering::SeqCst) {
        bail!("interrupted");
    }
    Ok(())
}

/// Waits for a child, which an interruption ends.
pub(crate) fn wait(child: &mut Child, whom: Whom) -> Result<ExitStatus> {
    let id = i64::from(child.id());
    *in_hand() = Some(match whom {
        Whom::Child => id,
        Whom::Group => -id,
    });
    let status = child.wait();
    *in_hand() = None;
    check()?;
    status.context("can't wait for the command")
}

/// Sends a signal to a process, or to a group (negative). That it is gone already is no error.
pub(crate) fn signal(name: &str, target: i64) {
    // The shell's own `kill`: small images have no other.
    let sent = Command::new("sh")
        .args(["-c", "kill -s \"$1\" -- \"$2\" 2>/dev/null", "kill", name, &target.to_string()])
        .status();
    if let Err(error) = sent {
        eprintln!("xtask: can't send SIG{name} to {target}: {error}");
    }
}

fn in_hand() -> std::sync::MutexGuard<'static, Option<i64>> {
    // Only a number is kept under the lock: a panic elsewhere leaves nothing half-done in it.
    IN_HAND.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
