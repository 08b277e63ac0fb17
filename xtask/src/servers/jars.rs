//! The broker's jars: resolved by Maven once, kept as long as the list of them is the same.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::{places, step};

/// The directory of the jars.
pub(super) fn fetch() -> Result<PathBuf> {
    let list = places::workspace().join("xtask/kafka/pom.xml");
    let wanted = fs::read(&list).with_context(|| format!("can't read {}", list.display()))?;
    let kept = places::kept().join("kafka-jars");
    let stamp = kept.join("pom.xml");
    if fs::read(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(kept);
    }
    println!("xtask: fetching the broker's jars by Maven");
    // Made aside and moved into place when whole, so that an interrupted run leaves no half.
    let aside = places::kept().join(format!("kafka-jars.{}", std::process::id()));
    let resolve = ["-q", "-B", "dependency:copy-dependencies", "-DincludeScope=runtime"];
    step::quietly(
        Command::new("mvn")
            .args(resolve)
            .arg(format!("-DoutputDirectory={}", aside.display()))
            .arg("-f")
            .arg(&list),
    )?;
    fs::write(aside.join("pom.xml"), wanted)?;
    if kept.exists() {
        fs::remove_dir_all(&kept).with_context(|| format!("can't remove {}", kept.display()))?;
    }
    fs::rename(&aside, &kept).with_context(|| format!("can't move {} into place", aside.display()))?;
    Ok(kept)
}
