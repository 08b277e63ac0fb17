//! The demo: one command, embedded, the same counts for the same seed, and it goes on after a stop.

use std::process::Output;

use crate::support::program::msgx;

fn demo(directory: &std::path::Path, seed: &str, duration: &str) -> Output {
    let data = directory.display().to_string();
    msgx(&[
        "demo",
        "--rate",
        "400",
        "--flights",
        "40",
        "--seed",
        seed,
        "--duration",
        duration,
        "--port",
        "0",
        "--data-dir",
        &data,
    ])
}

/// What the demo printed after its address.
fn summary(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let start = text.find("  landed").expect("a summary");
    text[start..].to_owned()
}

fn landed(summary: &str) -> u64 {
    let line = summary.lines().find(|line| line.trim_start().starts_with("landed ")).expect("a line");
    line.split_whitespace().nth(1).and_then(|count| count.parse().ok()).expect("a count")
}

#[test]
fn inv_01_the_demo_ends_with_equal_facts_and_the_same_seed_gives_the_same_counts() {
    let places = [(); 2].map(|()| tempfile::tempdir().expect("a directory"));
    let [first, second] = places.each_ref().map(|place| summary(&demo(place.path(), "7", "3s")));
    println!("{first}");
    assert!(first.contains("landed = enqueued = processed = marked"));
    assert!(landed(&first) > 1_000, "{first}");
    assert_eq!(first, second);
}

#[test]
fn a_demo_goes_on_where_it_stopped() {
    let place = tempfile::tempdir().expect("a directory");
    let first = landed(&summary(&demo(place.path(), "8", "1s")));
    let second = landed(&summary(&demo(place.path(), "8", "1s")));
    assert!(second > first + 300, "{first} and then {second}");
}

#[test]
fn letters_sent_by_others_meanwhile_are_taken_up_and_counted_apart() {
    let place = tempfile::tempdir().expect("a directory");
    let data = place.path().display().to_string();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../sis/fixtures/flop-gate.xml");
    let output = std::thread::scope(|scope| {
        let demo = scope.spawn(|| demo(place.path(), "8", "4s"));
        let mut sent = 0;
        while sent < 5 {
            // Before the demo has made the mailbox, this makes it.
            let set = format!("--set=msgx.data-dir={data}");
            sent += u32::from(msgx(&["send", &set, sample, sample]).status.success());
        }
        demo.join().expect("the demo ends")
    });
    let summary = summary(&output);
    assert!(summary.contains("landed = enqueued = processed = marked"), "{summary}");
}

#[test]
fn a_directory_of_another_airport_is_refused() {
    let place = tempfile::tempdir().expect("a directory");
    summary(&demo(place.path(), "8", "1s"));
    let output = demo(place.path(), "9", "1s");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("holds another airport"));
}
