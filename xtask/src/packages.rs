//! Programs the tests need, and their installation from Debian packages by root.

use std::fs;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::step;

/// A program that was looked for and not found.
pub(crate) struct Missing {
    /// What needs it, for the message.
    pub(crate) server: &'static str,
    /// Variable that names a running server instead.
    pub(crate) variable: &'static str,
    /// The Debian packages that hold it.
    pub(crate) packages: &'static [&'static str],
}

/// Installs what is missing; one line and an error where that can't be done.
pub(crate) fn install(missing: &[Missing]) -> Result<()> {
    if missing.is_empty() {
        return Ok(());
    }
    let packages: Vec<&str> = missing.iter().flat_map(|one| one.packages.iter().copied()).collect();
    if !is_root()? || !Path::new("/usr/bin/apt-get").is_file() {
        let servers: Vec<String> =
            missing.iter().map(|one| format!("{} (or set {})", one.server, one.variable)).collect();
        bail!("missing: {}; install the packages: {}", servers.join(", "), packages.join(" "));
    }
    let _policy = NoServices::declare()?;
    println!("xtask: installing {}", packages.join(" "));
    apt(&["update"])?;
    apt(&[&["install", "--yes", "--no-install-recommends"], packages.as_slice()].concat())
}

/// Is this root?
pub(crate) fn is_root() -> Result<bool> {
    Ok(step::quietly(Command::new("id").arg("-u"))?.trim() == "0")
}

fn apt(arguments: &[&str]) -> Result<()> {
    step::quietly(Command::new("apt-get").arg("-qq").args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
        .map(|_| ())
}

/// While it lives, installed packages don't start their services: we start our own.
struct NoServices(bool);

impl NoServices {
    const POLICY: &str = "/usr/sbin/policy-rc.d";

    fn declare() -> Result<Self> {
        let mut options = fs::OpenOptions::new();
        let ours = options.write(true).create_new(true).mode(0o755).open(Self::POLICY).is_ok();
        if ours {
            fs::write(Self::POLICY, "#!/bin/sh\nexit 101\n")?;
        }
        Ok(Self(ours))
    }
}

impl Drop for NoServices {
    fn drop(&mut self) {
        if self.0
            && let Err(error) = fs::remove_file(Self::POLICY)
        {
            eprintln!("xtask: can't remove {}: {error}", Self::POLICY);
        }
    }
}
