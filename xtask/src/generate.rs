//! `cargo xtask gen`: sections of the manual that are printed from data. They stand between two
//! marks; a test of the crate that prints a section says when it is stale.

use std::fs;

use anyhow::{Context, Result};

use crate::{places, step};

/// One generated section.
struct Section {
    page: &'static str,
    name: &'static str,
    command: &'static [&'static str],
}

const SECTIONS: [Section; 1] = [Section {
    page: "docs/wire-format.md",
    name: "vocabulary",
    command: &["cargo", "run", "--quiet", "--package", "sis", "--example", "vocabulary"],
}];

/// Prints every section again.
pub(crate) fn run() -> Result<()> {
    SECTIONS.iter().try_for_each(write)
}

fn write(section: &Section) -> Result<()> {
    let path = places::workspace().join(section.page);
    let page = fs::read_to_string(&path).with_context(|| section.page.to_owned())?;
    let begin = format!("<!-- begin {} -->\n", section.name);
    let end = format!("<!-- end {} -->\n", section.name);
    let (before, rest) = cut(&page, &begin, section)?;
    let (_, after) = cut(rest, &end, section)?;
    let mut command = std::process::Command::new(section.command[0]);
    let printed = step::quietly(command.args(&section.command[1..]).current_dir(places::workspace()))?;
    let whole = [before, &begin, &printed, &end, after].concat();
    fs::write(&path, whole).with_context(|| section.page.to_owned())?;
    println!("xtask: {}: {} printed", section.page, section.name);
    Ok(())
}

fn cut<'p>(text: &'p str, mark: &str, section: &Section) -> Result<(&'p str, &'p str)> {
    text.split_once(mark).with_context(|| format!("{} has no line {}", section.page, mark.trim_end()))
}
