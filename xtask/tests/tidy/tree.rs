//! The files of the tree as they lie on the disk.

use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

/// A file of the tree.
pub(super) struct File {
    /// From the root, with `/`.
    pub(super) name: String,
    pub(super) text: String,
}

pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

pub(super) fn rust_files() -> Vec<File> {
    files(&["rs"])
}

/// All files with one of these endings, but hidden ones and what is built.
pub(super) fn files(endings: &[&str]) -> Vec<File> {
    let mut found = Vec::new();
    let mut directories = vec![root().to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).expect("a directory") {
            let path = entry.expect("readable").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                let skipped = name.starts_with('.') || ["target", "fuzz", "msgx-data"].contains(&&*name);
                directories.extend((!skipped).then(|| path.clone()));
            } else if path.extension().is_some_and(|ending| endings.iter().any(|known| ending == *known)) {
                found.push(read(path));
            }
        }
    }
    assert!(!found.is_empty(), "no files with the endings {endings:?}: is this the workspace?");
    found.sort_by(|left, right| left.name.cmp(&right.name));
    found
}

fn read(path: PathBuf) -> File {
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let name = path.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
    File { name, text }
}

pub(super) fn read_toml(name: &str) -> Table {
    read(root().join(name)).text.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(super) fn names(manifest: &Table, section: &str) -> Vec<String> {
    manifest
        .get(section)
        .and_then(Value::as_table)
        .map(|table| table.keys().cloned().collect())
        .unwrap_or_default()
}
