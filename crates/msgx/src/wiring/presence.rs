//! Where data lies, and what of the embedded parts is there already: commands that only look must
//! create nothing.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::Embedded;
use crate::config::Config;

/// The directory of everything embedded, created if it isn't there.
pub(crate) fn data_dir(config: &Config) -> anyhow::Result<PathBuf> {
    let directory = PathBuf::from(config.text("msgx.data-dir"));
    std::fs::create_dir_all(&directory)
        .with_context(|| format!("msgx.data-dir: can't create {}", directory.display()))?;
    std::path::absolute(&directory).context("msgx.data-dir")
}

/// Where data lies, for people; without credentials.
pub(crate) fn places(config: &Config, directory: &Path) -> String {
    let embedded = Embedded::of(config);
    if embedded.all() {
        return directory.display().to_string();
    }
    let name = |url: &str| url.rsplit_once('@').map_or(url, |(_, place)| place).to_owned();
    let or_here = |key: &str, file: &str| {
        config.optional(key).map_or_else(|| directory.join(file).display().to_string(), name)
    };
    format!(
        "mailbox {} · store {} · sink {}",
        or_here("mailbox.url", "mailbox.db"),
        or_here("store.url", "store.db"),
        or_here("kafka.bootstrap-servers", "sink"),
    )
}

/// Files of embedded parts that are not there yet.
pub(crate) fn not_there_yet(config: &Config) -> Vec<PathBuf> {
    let embedded = Embedded::of(config);
    [(embedded.store, store(config)), (embedded.mailbox, mailbox(config)), (embedded.sink, sink(config))]
        .into_iter()
        .filter_map(|(used, path)| (used && !path.exists()).then_some(path))
        .collect()
}

pub(super) fn store(config: &Config) -> PathBuf {
    Path::new(config.text("msgx.data-dir")).join("store.db")
}

pub(super) fn mailbox(config: &Config) -> PathBuf {
    Path::new(config.text("msgx.data-dir")).join("mailbox.db")
}

pub(super) fn sink(config: &Config) -> PathBuf {
    Path::new(config.text("msgx.data-dir")).join("sink")
}

/// Why `path` couldn't be created, as far as looking tells: something on the way is no directory, or
/// takes no new files.
pub(super) fn obstacle(path: &Path) -> Option<String> {
    let existing =
        path.ancestors().skip(1).find(|ancestor| ancestor.as_os_str().is_empty() || ancestor.exists())?;
    let existing = if existing.as_os_str().is_empty() { Path::new(".") } else { existing };
    match std::fs::metadata(existing) {
        Ok(found) if !found.is_dir() => {
            Some(format!("msgx.data-dir: {} is no directory", existing.display()))
        }
        Ok(found) if found.permissions().readonly() => {
            Some(format!("msgx.data-dir: {} may not be written to", existing.display()))
        }
        Ok(_) => None,
        Err(error) => Some(format!("msgx.data-dir: {}: {error}", existing.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::obstacle;

    #[test]
    fn a_file_on_the_way_is_found_without_creating_anything() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("file");
        assert_eq!(obstacle(&file.join("store.db")), None);
        std::fs::write(&file, "").expect("written");
        assert!(
            obstacle(&file.join("deeper").join("store.db"))
                .is_some_and(|words| words.contains("no directory"))
        );
    }
}
