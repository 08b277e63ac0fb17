//! The command line: one file per command.

pub(crate) mod actions;
mod bench;
mod check;
mod decode;
mod demo;
mod flight;
mod flights;
mod message;
mod messages;
mod migrate;
mod params;
mod reconcile_report;
mod run;
mod send;
mod sets;
mod status;
mod types;

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::config::{Config, ConfigErrors, Sources};

/// msgexchange: takes up SIS messages exactly once and in order, keeps flight state, publishes it.
#[derive(Debug, Parser)]
#[command(name = "msgx", version, propagate_version = true, max_term_width = 100)]
#[command(
    after_help = "Example:\n  msgx demo            everything in one process, with simulated traffic and a live page"
)]
pub(crate) struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Args)]
pub(crate) struct Global {
    /// Configuration file (default: msgx.toml, if it is there)
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Set one parameter; may be repeated (see `msgx params`)
    #[arg(long = "set", global = true, value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Form of what is printed
    #[arg(long, global = true, value_enum, default_value_t = Output::Human)]
    pub(crate) output: Output,
}

/// For people or for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// Text for people
    Human,
    /// JSON for programs
    Json,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run everything in one process with simulated airport traffic
    #[command(after_help = demo::EXAMPLE)]
    Demo(demo::Demo),
    /// Run the service from its configuration
    #[command(after_help = run::EXAMPLE)]
    Run(run::Run),
    /// Create or update the tables of the own store
    #[command(after_help = migrate::EXAMPLE)]
    Migrate(migrate::Migrate),
    /// Validate the configuration and reach every dependency
    #[command(after_help = check::EXAMPLE)]
    Check(check::Check),
    /// Put messages into the mailbox
    #[command(after_help = send::EXAMPLE)]
    Send(send::Send),
    /// Decode one SIS message to JSON
    #[command(after_help = decode::EXAMPLE)]
    Decode(decode::Decode),
    /// Show the five facts, head, gaps, backlog, outbox and leader
    #[command(after_help = status::EXAMPLE)]
    Status(status::Status),
    #[command(flatten)]
    Act(Box<actions::Acts>),
    /// List messages, newest first, by state, class, kind, identity, flight or time
    #[command(after_help = messages::EXAMPLE)]
    Messages(messages::Messages),
    /// Show one message whole: its facts, tries, body, effects and events
    #[command(after_help = message::EXAMPLE)]
    Message(message::One),
    /// Compare the rows of the mailbox with what the own store keeps of them
    #[command(after_help = reconcile_report::EXAMPLE)]
    ReconcileReport(reconcile_report::ReconcileReport),
    /// List the flights of an operation day
    #[command(after_help = flights::EXAMPLE)]
    Flights(flights::Flights),
    /// Show one flight, where each value comes from, and its story
    #[command(after_help = flight::EXAMPLE)]
    Flight(flight::One),
    /// List the kinds of messages that arrived and how they ended
    #[command(after_help = types::EXAMPLE)]
    Types(types::Types),
    /// List every parameter with its effective value and where it came from
    #[command(after_help = params::EXAMPLE)]
    Params(params::Params),
    /// Measure messages per second and the floor on the configured stores
    #[command(after_help = bench::EXAMPLE)]
    Bench(bench::Bench),
    /// Print shell completions
    #[command(after_help = "Example:\n  msgx completions bash > /etc/bash_completion.d/msgx")]
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

impl Cli {
    /// Runs the command.
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let global = self.global;
        match self.command {
            Command::Demo(demo) => demo.run(&global),
            Command::Run(run) => run.run(&global),
            Command::Migrate(migrate) => migrate.run(&global),
            Command::Check(check) => check.run(&global),
            Command::Send(send) => send.run(&global),
            Command::Decode(decode) => decode.run(&global),
            Command::Status(status) => status.run(&global),
            Command::Act(act) => act.run(&global),
            Command::Messages(messages) => messages.run(&global),
            Command::Message(message) => message.run(&global),
            Command::ReconcileReport(report) => report.run(&global),
            Command::Flights(flights) => flights.run(&global),
            Command::Flight(flight) => flight.run(&global),
            Command::Types(types) => types.run(&global),
            Command::Params(params) => params.run(&global),
            Command::Bench(bench) => bench.run(&global),
            Command::Completions { shell } => {
                let mut script = Vec::new();
                clap_complete::generate(shell, &mut Self::command(), "msgx", &mut script);
                print!("{}", String::from_utf8_lossy(&script));
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}

impl Global {
    /// The effective configuration.
    pub(crate) fn load(&self) -> Result<Config, ConfigErrors> {
        Config::load(&Sources {
            file: self.config.clone(),
            environment: std::env::vars().collect(),
            sets: sets::every_set(std::env::args()),
        })
    }

    /// Is JSON wanted?
    pub(crate) fn json(&self) -> bool {
        self.output == Output::Json
    }
}

/// Refused at the door: how something was used or configured, for exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub(crate) struct Refused(pub(crate) Vec<String>);

/// Prints what the parser has to say, help and version among it, and gives its exit code.
pub(crate) fn usage(words: &clap::Error) -> ExitCode {
    let text = words.render();
    if words.use_stderr() {
        let coloured = std::io::stderr().is_terminal();
        eprint!("{}", if coloured { text.ansi().to_string() } else { text.to_string() });
    } else {
        let coloured = std::io::stdout().is_terminal();
        print!("{}", if coloured { text.ansi().to_string() } else { text.to_string() });
    }
    u8::try_from(words.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Prints an error and gives its exit code.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    eprintln!("msgx: {error:#}");
    if error.is::<ConfigErrors>() || error.is::<Refused>() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// A runtime for one command.
pub(crate) fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread().enable_all().build()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed_and_every_command_has_an_example() {
        let command = Cli::command();
        command.clone().debug_assert();
        for sub in command.get_subcommands() {
            let help = sub.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Example"), "{} has no example", sub.get_name());
        }
    }
}
