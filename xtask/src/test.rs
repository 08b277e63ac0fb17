//! `cargo xtask test`: everything a change must pass, cheapest first.

use std::process::Command;

use anyhow::Result;

use crate::{servers, step};

/// Runs all checks and tests, or with arguments just `cargo test` with them.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    // What can't work at all is said before anything takes time.
    let plan = servers::plan()?;
    if arguments.is_empty() {
        check()?;
    }
    servers::with(plan, |environment| {
        let filter = arguments.iter().map(String::as_str);
        let command: Vec<&str> = ["cargo", "test", "--workspace"].into_iter().chain(filter).collect();
        step::run(&command, environment)
    })
}

/// Form, lints, house rules, dependencies.
fn check() -> Result<()> {
    step::run(&["cargo", "fmt", "--all", "--check"], &[])?;
    step::run(&["cargo", "test", "--quiet", "--package", "xtask", "--test", "tidy"], &[])?;
    step::run(
        &["cargo", "clippy", "--quiet", "--workspace", "--all-targets", "--", "--deny", "warnings"],
        &[],
    )?;
    let deny = Command::new("cargo").args(["deny", "--version"]).output();
    if deny.is_ok_and(|output| output.status.success()) {
        step::run(&["cargo", "deny", "check"], &[])
    } else {
        println!("xtask: cargo deny check: NOT RUN, cargo-deny is not installed (cargo install cargo-deny)");
        Ok(())
    }
}
