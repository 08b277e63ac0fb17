//! `msgx`: the message exchange of an airport. Parses the command line, runs one command, ends
//! with 0 (good), 1 (failed) or 2 (used or configured wrongly).

mod bench;
mod cli;
mod clock;
mod config;
mod console;
mod demo;
mod door;
mod http;
mod params;
mod serve;
mod settings;
mod telemetry;
mod wiring;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    match cli.run() {
        Ok(code) => code,
        Err(error) => cli::report(&error),
    }
}
