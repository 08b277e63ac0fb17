//! `cargo xtask gen`: what of the manual is printed from data. A section stands between two marks,
//! a schema is a file of its own; a test of the crate that prints one says when it is stale.

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

/// Files that are printed as a whole: where, and what of `domain`'s example `schemas` it is.
const SCHEMAS: [(&str, &str); 2] =
    [("docs/schemas/msgx.msg.schema.json", "msg"), ("docs/schemas/msgx.schd.schema.json", "schd")];

/// Prints everything again.
pub(crate) fn run() -> Result<()> {
    SECTIONS.iter().try_for_each(write)?;
    SCHEMAS.iter().try_for_each(|(path, which)| write_schema(path, which))
}

fn write_schema(path: &str, which: &str) -> Result<()> {
    let command = ["cargo", "run", "--quiet", "--package", "domain", "--example", "schemas", which];
    fs::write(places::workspace().join(path), print(&command)?).with_context(|| path.to_owned())?;
    println!("xtask: {path} printed");
    Ok(())
}

fn print(command: &[&str]) -> Result<String> {
    let mut program = std::process::Command::new(command[0]);
    step::quietly(program.args(&command[1..]).current_dir(places::workspace()))
}

fn write(section: &Section) -> Result<()> {
    let path = places::workspace().join(section.page);
    let page = fs::read_to_string(&path).with_context(|| section.page.to_owned())?;
    let begin = format!("<!-- begin {} -->\n", section.name);
    let end = format!("<!-- end {} -->\n", section.name);
    let (before, rest) = cut(&page, &begin, section)?;
    let (_, after) = cut(rest, &end, section)?;
    let printed = print(section.command)?;
    let whole = [before, &begin, &printed, &end, after].concat();
    fs::write(&path, whole).with_context(|| section.page.to_owned())?;
    println!("xtask: {}: {} printed", section.page, section.name);
    Ok(())
}

fn cut<'p>(text: &'p str, mark: &str, section: &Section) -> Result<(&'p str, &'p str)> {
    text.split_once(mark).with_context(|| format!("{} has no line {}", section.page, mark.trim_end()))
}
