//! Standard output that can't be written to. Who reads a pipe may have enough (`msgx params | head`)
//! and nothing is said; any other failure ends the command with one line and exit code 1.

use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

/// From now on a print that fails ends the process as described above. Any other panic is told as
/// usual.
pub(crate) fn end_when_it_fails() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let words = panic.payload().downcast_ref::<String>().map_or("", String::as_str);
        match words.strip_prefix("failed printing to ") {
            Some(words) if words.contains("Broken pipe") => std::process::exit(0),
            Some(words) => {
                tell(words);
                std::process::exit(1);
            }
            None => usual(panic),
        }
    }));
}

/// What a print has left behind must be out too before a command can be called good.
pub(crate) fn finish(code: ExitCode) -> ExitCode {
    match std::io::stdout().flush() {
        Ok(()) => code,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => code,
        Err(error) => {
            tell(&format!("stdout: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn tell(words: &str) {
    // Standard error may be full as well; the exit code still says it.
    let _told = writeln!(std::io::stderr(), "msgx: can't write the output to {words}");
}

/// A text from outside for a terminal: what would act there instead of being read is replaced.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(domain::flight::story::printable).collect()
}
