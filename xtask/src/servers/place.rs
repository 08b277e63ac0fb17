//! Where servers of one run live: a throw-away directory, free ports, log files, and the
//! account each may run as.

use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::{packages, places, step};

/// Place of one run; its directory goes with it.
pub(crate) struct Place {
    directory: TempDir,
    logs: PathBuf,
    root: bool,
}

impl Place {
    pub(crate) fn create(logs: &Path) -> Result<Self> {
        let directory = tempfile::Builder::new()
            .prefix("msgx-servers-")
            .permissions(fs::Permissions::from_mode(0o755))
            .tempdir()
            .context("can't create a directory for the servers' data")?;
        Ok(Self { directory, logs: logs.to_owned(), root: packages::is_root()? })
    }

    /// A new directory that belongs to `account` when we are root.
    pub(crate) fn directory(&self, name: &str, account: &str) -> Result<PathBuf> {
        let path = self.directory.path().join(name);
        fs::create_dir(&path).with_context(|| format!("can't create {}", path.display()))?;
        if self.root {
            step::quietly(Command::new("chown").arg(account).arg(&path))?;
        }
        Ok(path)
    }

    /// The log file of a server, for both its outputs.
    pub(crate) fn log(&self, name: &str) -> Result<(PathBuf, File)> {
        let path = self.logs.join(format!("{name}.log"));
        let file = File::create(&path).with_context(|| format!("can't create {}", path.display()))?;
        Ok((path, file))
    }

    /// A command run as `account` when we are root: database servers refuse root. Where the
    /// system can, it gets `death` when we die, however that happens.
    pub(crate) fn command(&self, program: &Path, account: &str, death: &str) -> Command {
        let Some(setpriv) = places::program("setpriv", &[]) else { return Command::new(program) };
        let mut command = Command::new(setpriv);
        if self.root {
            command.args(["--reuid", account, "--regid", account, "--init-groups"]);
        }
        command.args(["--pdeathsig", death, "--"]).arg(program);
        command
    }
}

/// A port nobody listens on now.
pub(crate) fn free_port() -> Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0").context("no free loopback port")?;
    Ok(listener.local_addr()?.port())
}
