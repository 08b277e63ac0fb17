//! Prints what an airport day says: one line per letter, with its simulated time.
//!
//! `cargo run -p airport --example day -- --seed 7 | head`; `--bodies` prints the messages too,
//! `--flights 20` makes the airport smaller, `--count 500` ends after so many letters.

use std::{
    env,
    io::{self, Write},
    process::ExitCode,
};

use airport::{Options, traffic};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of a pipe has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("day: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> io::Result<()> {
    let mut options = Options::default();
    let mut count = usize::MAX;
    let mut bodies = false;
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bodies" => bodies = true,
            "--seed" => options.seed = number(&argument, arguments.next())?,
            "--flights" => options.flights = number(&argument, arguments.next())?,
            "--count" => count = number(&argument, arguments.next())?,
            other => {
                return Err(refused(&format!(
                    "{other} is not known; use --seed, --flights, --count, --bodies"
                )));
            }
        }
    }
    let mut out = io::stdout().lock();
    for letter in traffic(&options).take(count) {
        writeln!(out, "{}  {:?}  {:?}  {}", letter.sent_at, letter.expect, letter.fate, letter.label)?;
        if bodies && let Some(body) = &letter.body {
            writeln!(out, "{}", String::from_utf8_lossy(body))?;
        }
    }
    Ok(())
}

fn number<N: std::str::FromStr>(option: &str, value: Option<String>) -> io::Result<N> {
    let value = value.unwrap_or_default();
    value.parse().map_err(|_| refused(&format!("{option} takes a number, not '{value}'")))
}

fn refused(text: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, text)
}
