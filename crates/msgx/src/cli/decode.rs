//! `msgx decode`: one SIS message to JSON, or its problem with class, line and column.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use sis::{Carrier, Limits, Problem, ProblemKind};

use super::Global;
use crate::settings;

pub(super) const EXAMPLE: &str = "Examples:
  msgx decode message.xml
  cat message.xml | msgx decode -";

#[derive(Debug, clap::Args)]
pub(crate) struct Decode {
    /// File with one message, or - for standard input
    file: PathBuf,
}

impl Decode {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        let config = global.load()?;
        let dictionary = settings::dictionary(&config)?;
        let bytes = read(&self.file)?;
        match sis::decode(&bytes, Carrier::Bytes, &Limits::default(), dictionary) {
            Ok(message) => {
                let json = sis::json::message(&message, &config.zone("airport.time-zone"));
                println!("{}", serde_json::to_string_pretty(&json)?);
                Ok(ExitCode::SUCCESS)
            }
            Err(problem) => {
                explain(&problem, &self.file, global.json())?;
                Ok(ExitCode::FAILURE)
            }
        }
    }
}

/// The bytes of a file, or of standard input for `-`.
pub(super) fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    if file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).context("can't read standard input")?;
        return Ok(bytes);
    }
    std::fs::read(file).with_context(|| format!("can't read {}", file.display()))
}

fn explain(problem: &Problem, file: &Path, json: bool) -> anyhow::Result<()> {
    let class = match problem.kind {
        ProblemKind::Malformed => "MALFORMED",
        ProblemKind::Codec => "CODEC_ERROR",
    };
    let (line, column) = (problem.position.line, problem.position.column);
    if json {
        let value = serde_json::json!({
            "class": class, "line": line, "column": column, "offset": problem.position.offset,
            "path": problem.path, "problem": problem.text,
        });
        println!("{}", serde_json::to_string_pretty(&value)?);
    } else {
        let path = if problem.path.is_empty() { String::new() } else { format!(" at {}", problem.path) };
        eprintln!("{}:{line}:{column}: {class}{path}: {}", file.display(), problem.text);
    }
    Ok(())
}
