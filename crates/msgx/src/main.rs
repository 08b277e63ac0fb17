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
    end_quietly_on_a_closed_pipe();
    let cli = cli::Cli::parse();
    match cli.run() {
        Ok(code) => code,
        Err(error) => cli::report(&error),
    }
}

/// `msgx params | head`: whoever reads has enough. Any other panic is told as usual.
fn end_quietly_on_a_closed_pipe() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let words = panic.payload().downcast_ref::<String>().map_or("", String::as_str);
        if words.starts_with("failed printing to stdout") && words.contains("Broken pipe") {
            std::process::exit(0);
        }
        usual(panic);
    }));
}
