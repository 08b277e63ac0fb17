//! The address of page, API and metrics: opened before anything else, and every failure told with
//! the key that mends it.

use std::io::{Error, ErrorKind};

use tokio::net::TcpListener;

use crate::cli::Refused;
use crate::config::Config;
use crate::wiring::Findings;

/// Opens the address; the demo takes a free port when its own is taken and nobody asked for it.
pub(crate) async fn open(config: &Config, demo: bool) -> anyhow::Result<TcpListener> {
    let (bind, port) = place(config);
    let error = match TcpListener::bind((bind, port)).await {
        Ok(listener) => return Ok(listener),
        Err(error) => error,
    };
    if demo && error.kind() == ErrorKind::AddrInUse && !config.is_set("http.port") {
        return Ok(TcpListener::bind((bind, 0)).await?);
    }
    let words = words(bind, port, &error);
    // Another's port may be free later; a name that isn't ours stays wrong.
    Err(if error.kind() == ErrorKind::AddrInUse {
        anyhow::Error::msg(words)
    } else {
        Refused(vec![words]).into()
    })
}

/// Could it be opened? A port in use is only worth a note: this very service may have it.
pub(crate) async fn look(config: &Config) -> Findings {
    let (bind, port) = place(config);
    match TcpListener::bind((bind, port)).await {
        Ok(_) => Findings::default(),
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            Findings { problems: Vec::new(), notes: vec![words(bind, port, &error)] }
        }
        Err(error) => vec![words(bind, port, &error)].into(),
    }
}

fn place(config: &Config) -> (&str, u16) {
    (config.text("http.bind"), u16::try_from(config.integer("http.port")).unwrap_or(0))
}

fn words(bind: &str, port: u16, error: &Error) -> String {
    if error.kind() == ErrorKind::AddrInUse {
        return format!(
            "http.port: {port} on {bind} is in use, by a running msgx or another program; choose another with --set http.port=…"
        );
    }
    if error.kind() == ErrorKind::PermissionDenied {
        return format!("http.port: {port} may not be opened by this user ({error}); ports from 1024 on may");
    }
    format!(
        "http.bind: can't open {bind} ({error}); expected: an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Sources;

    fn config(bind: &str, port: u16) -> Config {
        let sets = vec![format!("http.bind={bind}"), format!("http.port={port}")];
        Config::load(&Sources { sets, ..Sources::default() }).expect("well-formed")
    }

    #[tokio::test]
    async fn what_is_no_address_of_this_machine_is_found_by_check_and_refused_by_run() {
        for bind in ["no.such.host.invalid", "203.0.113.7", "127.0.0.1:80", "[::1]"] {
            let config = config(bind, 0);
            let problems = look(&config).await.problems;
            assert!(problems[0].starts_with(&format!("http.bind: can't open {bind}")), "{problems:?}");
            assert!(open(&config, true).await.expect_err("refused").is::<Refused>(), "{bind}");
        }
    }

    #[tokio::test]
    async fn a_port_in_use_is_a_note_to_check_and_the_end_of_run_but_not_of_a_demo_that_chose_it() {
        let taken = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let config = config("127.0.0.1", taken.local_addr().expect("an address").port());
        let Findings { problems, notes } = look(&config).await;
        assert!(problems.is_empty() && notes[0].starts_with("http.port"), "{problems:?} {notes:?}");
        let error = open(&config, true).await.expect_err("it was asked for");
        assert!(!error.is::<Refused>() && error.to_string().starts_with("http.port"), "{error}");
    }
}
