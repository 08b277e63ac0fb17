//! Commands that need no server.

use std::path::PathBuf;

use crate::support::program::{msgx, msgx_into};

fn fixtures() -> Vec<PathBuf> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../sis/fixtures");
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory)
        .expect("the fixtures")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "xml"))
        .collect();
    files.sort();
    files
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn d3_run_refuses_a_weak_producer_names_the_key_and_ends_with_2() {
    for (key, value) in [
        ("kafka.producers.default.acks", "1"),
        ("kafka.producers.default.max-in-flight-requests-per-connection", "5"),
        ("kafka.producers.default.enable-idempotence", "false"),
    ] {
        let output = msgx(&["run", "--set", &format!("{key}={value}")]);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(key) && error.contains("D3"), "{error}");
    }
}

#[test]
fn decode_prints_each_sample_as_json() {
    let files = fixtures();
    assert!(files.len() >= 13, "samples of every kind, found {}", files.len());
    for file in files {
        let output = msgx(&["decode", &file.display().to_string()]);
        assert_eq!(output.status.code(), Some(0), "{}: {}", file.display(), text(&output.stderr));
        serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON");
    }
}

#[test]
fn decode_of_a_truncated_message_ends_with_1_class_line_and_column() {
    let directory = tempfile::tempdir().expect("a directory");
    for file in fixtures() {
        let whole = std::fs::read(&file).expect("a sample");
        let truncated = directory.path().join("truncated.xml");
        std::fs::write(&truncated, &whole[..whole.len() * 2 / 3]).expect("written");
        let output = msgx(&["decode", &truncated.display().to_string()]);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        let place = error.strip_prefix(&format!("{}:", truncated.display())).expect("the file's name first");
        let mut parts = place.splitn(3, ':');
        let numbers = [parts.next(), parts.next()].map(|part| part.and_then(|p| p.parse::<u32>().ok()));
        assert!(numbers.iter().all(Option::is_some), "line and column: {error}");
        assert!(parts.next().is_some_and(|rest| rest.trim_start().starts_with("MALFORMED")), "{error}");
    }
}

#[test]
fn a_mistake_is_told_with_key_source_and_form_and_ends_with_2() {
    let output = msgx(&["params", "--set", "mailbox.poll-interval=soon"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains(
            "mailbox.poll-interval (from command line): 'soon' is not accepted; expected: duration"
        )
    );
}

/// Runs a command with a standard output that takes nothing.
#[test]
fn output_that_can_t_be_written_ends_every_command_with_a_line_and_1() {
    let sample = fixtures()[0].display().to_string();
    let directory = tempfile::tempdir().expect("a directory");
    let data = format!("--set=msgx.data-dir={}", directory.path().display());
    assert_eq!(msgx(&["send", &data, &sample]).status.code(), Some(0));
    assert_eq!(msgx(&["migrate", &data]).status.code(), Some(0));
    for arguments in [
        &["params"][..],
        &["params", "--markdown"],
        &["params", "--output", "json"],
        &["decode", &sample],
        &["check", &data],
        &["status", &data],
        &["status", "--output", "json", &data],
        &["migrate", &data],
        &["send", &data, &sample],
        &["run", &data, "--set=http.port=0"],
        &["completions", "bash"],
        &["--help"],
        &["--version"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("/dev/full");
        let output = msgx_into(arguments, full.into());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
        assert!(error.contains("msgx: can't write the output to stdout"), "{arguments:?}: {error}");
        assert!(!error.contains("panicked"), "{arguments:?}: {error}");
    }
}

#[test]
fn the_reference_and_the_examples_are_as_the_registry_prints_them() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    for (option, file) in
        [("--markdown", "docs/reference.md"), ("--toml", "msgx.example.toml"), ("--env", ".env.example")]
    {
        let printed = text(&msgx(&["params", option]).stdout);
        let kept = std::fs::read_to_string(format!("{root}/{file}")).unwrap_or_default();
        assert!(printed == kept, "{file} is stale: run `msgx params {option} > {file}`");
    }
}
