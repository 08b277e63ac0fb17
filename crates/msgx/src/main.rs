//! `msgx`: the message exchange of an airport. Parses the command line, runs one command, ends
//! with 0 (good), 1 (failed) or 2 (used or configured wrongly).

mod address;
mod bench;
mod cli;
mod clock;
mod config;
mod console;
mod demo;
mod door;
mod dossier;
mod http;
mod kinds;
mod origins;
mod output;
mod params;
mod passport;
mod register;
mod roster;
mod serve;
mod settings;
mod signals;
mod telemetry;
mod wiring;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    output::end_when_it_fails();
    let code = match cli::Cli::try_parse() {
        Ok(cli) => cli.run().unwrap_or_else(|error| cli::report(&error)),
        Err(words) => cli::usage(&words),
    };
    output::finish(code)
}
