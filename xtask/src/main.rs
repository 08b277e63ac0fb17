//! Developer commands: the same ones for people and for CI, on a machine that has nothing but
//! Rust, C and C++ compilers, make, Java 17, Maven and (as root) a package manager.

mod fuzz;
mod generate;
mod interrupt;
mod packages;
mod places;
mod servers;
mod step;
mod test;

use std::process::ExitCode;

use clap::Parser;

/// Developer commands of msgexchange.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Command {
    /// Sets up the servers that are missing, then checks and tests everything.
    ///
    /// With arguments, only `cargo test --workspace ARGUMENTS` runs, on the same servers.
    Test {
        /// Passed on to `cargo test`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Starts the servers, runs a command that finds them in its environment, stops them.
    #[command(after_help = "Example: cargo xtask servers -- cargo test -p stores")]
    Servers {
        /// The command and its arguments.
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<String>,
    },
    /// Prints the sections of the manual that come from data, such as the dictionary's.
    Gen,
    /// Feeds a fuzz target with made-up input until something is found or time is over.
    #[command(after_help = "Example: nice cargo xtask fuzz decode --minutes 60")]
    Fuzz {
        /// The target: the name of a file in `crates/*/fuzz/targets`.
        target: String,
        /// How long.
        #[arg(long, default_value_t = 10)]
        minutes: u64,
    },
}

fn main() -> ExitCode {
    let result = interrupt::listen().and_then(|()| match Command::parse() {
        Command::Test { arguments } => test::run(&arguments),
        Command::Servers { command } => servers::run(&command),
        Command::Gen => generate::run(),
        Command::Fuzz { target, minutes } => fuzz::run(&target, minutes),
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
