//! Where things lie: the workspace, and what these commands keep in its target directory.

use std::env;
use std::path::{Path, PathBuf};

/// Root of the workspace.
pub(crate) fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

/// Files kept between runs: the broker's jars, and logs of servers that failed.
pub(crate) fn kept() -> PathBuf {
    target().join("xtask")
}

/// Where cargo builds.
pub(crate) fn target() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), PathBuf::from);
    workspace().join(target)
}

/// An executable in `PATH`, or newest first in one of `more`.
pub(crate) fn program(name: &str, more: &[PathBuf]) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let system = ["/usr/sbin", "/usr/local/sbin"].map(PathBuf::from);
    more.iter()
        .cloned()
        .chain(env::split_paths(&path))
        .chain(system)
        .map(|dir| dir.join(name))
        .find(|path| path.is_file())
}
