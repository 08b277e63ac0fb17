//! `cargo xtask fuzz`: a fuzz target of any crate, on the stable compiler.
//!
//! A target is `crates/CRATE/fuzz/targets/NAME.rs`, in a package of its own. What it begins with
//! lies beside it (`corpus/NAME`); what it learns and what it finds goes to `target/fuzz/NAME`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::{places, step};

/// What LLVM must add for the fuzzer to see which branches were taken and what was compared.
/// Without the unstable sanitizers; the code it looks at has no `unsafe`.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

/// Longest input tried, in bytes: room for a schedule of two flights.
const BYTES_MAX: u32 = 4096;

/// Builds a target and runs it for so long, or until it finds something.
pub(crate) fn run(name: &str, minutes: u64) -> Result<()> {
    let package = package_of(name)?;
    let own = places::target().join("fuzz").join(name);
    let (learned, findings) = (own.join("corpus"), own.join("findings"));
    for directory in [&learned, &findings] {
        fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
    }
    let program = build(name, &package)?;
    let seeds = package.join("corpus").join(name);
    let findings = format!("-artifact_prefix={}/", findings.display());
    let seconds = format!("-max_total_time={}", minutes * 60);
    let longest = format!("-max_len={BYTES_MAX}");
    let (program, learned, seeds) = (text(&program)?, text(&learned)?, text(&seeds)?);
    step::run(&[program, learned, seeds, &findings, &seconds, &longest, "-print_final_stats=1"], &[])
}

fn build(name: &str, package: &Path) -> Result<PathBuf> {
    let target = host()?;
    let manifest = package.join("Cargo.toml");
    let directory = places::target().join("fuzz/build");
    let command = ["cargo", "build", "--release", "--quiet", "--manifest-path", text(&manifest)?];
    let rest = ["--target", &target, "--target-dir", text(&directory)?, "--bin", name];
    // With a target named, build scripts and macros are built without these flags.
    step::run(&[&command[..], &rest[..]].concat(), &[("RUSTFLAGS".to_owned(), FLAGS.to_owned())])?;
    Ok(directory.join(target).join("release").join(name))
}

fn package_of(name: &str) -> Result<PathBuf> {
    let crates = places::workspace().join("crates");
    let mut known = Vec::new();
    for entry in fs::read_dir(&crates).context("crates")? {
        let package = entry?.path().join("fuzz");
        let Ok(targets) = fs::read_dir(package.join("targets")) else { continue };
        for target in targets {
            let stem = target?.path().file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if stem == name {
                return Ok(package);
            }
            known.push(stem);
        }
    }
    bail!("there is no fuzz target {name}; there are: {}", known.join(", "))
}

/// The machine's own target, as the compiler calls it.
fn host() -> Result<String> {
    let said = step::quietly(std::process::Command::new("rustc").arg("-vV"))?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("`rustc -vV` doesn't tell its host")
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().with_context(|| format!("{} is not UTF-8", path.display()))
}
