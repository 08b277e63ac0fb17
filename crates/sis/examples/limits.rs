//! What refusing a hostile message costs: CPU time and peak memory of each, in a process of
//! its own, so that one's memory isn't another's.
//!
//! `cargo run --release -p sis --example limits`

use std::fmt::Write as _;
use std::process::{Command, ExitCode};

use sis::{Carrier, Dictionary, Limits};

/// Most a refusal may cost.
const CPU_MILLISECONDS_MAX: u64 = 100;
const MEMORY_KIB_MAX: u64 = 64 * 1024;

const MEBIBYTE: usize = 1024 * 1024;

/// A name and how the message is made.
type Bomb = (&'static str, fn() -> String);

const BOMBS: [Bomb; 9] = [
    ("entity bomb in a DTD", entities),
    ("100,000 nested elements", || "<A>".repeat(100_000)),
    ("a million attributes", || numbered("<MSG", " a", "=''", "/>")),
    ("a million siblings", || numbered("<MSG>", "<a", "/>", "</MSG>")),
    ("9 MB of one text", || format!("<MSG>{}</MSG>", "a".repeat(9 * MEBIBYTE))),
    ("9 MB of references", || format!("<MSG>{}</MSG>", "&lt;".repeat(9 * MEBIBYTE / 4))),
    ("9 MB of open brackets", || "<".repeat(9 * MEBIBYTE)),
    ("9 MB of a comment", || format!("<MSG><!--{}", "-".repeat(9 * MEBIBYTE))),
    ("50 MB text", || format!("<MSG>{}</MSG>", "a".repeat(50 * MEBIBYTE))),
];

fn main() -> ExitCode {
    match std::env::args().nth(1) {
        Some(name) => measure_one(&name),
        None => measure_all(),
    }
}

fn measure_all() -> ExitCode {
    let own = std::env::current_exe().expect("the path of this program");
    println!(
        "| message | MB | refused at | CPU, ms | memory beyond the message, MB |\n|---|---|---|---|---|"
    );
    let failed = BOMBS.iter().filter(|(name, _)| {
        let child = Command::new(&own).arg(name).status().expect("this program runs again");
        !child.success()
    });
    ExitCode::from(u8::try_from(failed.count()).unwrap_or(u8::MAX))
}

fn measure_one(name: &str) -> ExitCode {
    let make = BOMBS.iter().find(|(other, _)| *other == name).expect("a known name").1;
    let text = make();
    // A first message pays for what is made once: the dictionary and the pages of the code.
    let _ = decode("<MSG><META><TYPE>FLOP</TYPE></META></MSG>");
    forget_peak();
    let (cpu_before, memory_before) = (cpu_ticks(), peak_kib());
    let problem = decode(&text).expect_err("a hostile message is refused");
    let milliseconds = (cpu_ticks() - cpu_before) / 1_000_000;
    let kib = peak_kib() - memory_before;
    let megabytes = text.len() / 1_000_000;
    println!(
        "| {name} | {megabytes} | {}: {} | {milliseconds} | {} |",
        problem.position.offset,
        problem.text,
        kib / 1024
    );
    let good = milliseconds < CPU_MILLISECONDS_MAX && kib < MEMORY_KIB_MAX;
    ExitCode::from(u8::from(!good))
}

fn decode(text: &str) -> Result<sis::Message, sis::Problem> {
    sis::decode(text.as_bytes(), Carrier::Bytes, &Limits::default(), Dictionary::baseline())
}

/// CPU time of this process in nanoseconds, as Linux counts it.
fn cpu_ticks() -> u64 {
    let line = std::fs::read_to_string("/proc/self/schedstat").expect("Linux tells it");
    line.split(' ').next().and_then(|ticks| ticks.parse().ok()).expect("a number")
}

/// Forgets the peak so far: making the message took more than the message.
fn forget_peak() {
    std::fs::write("/proc/self/clear_refs", "5").expect("Linux lets a process do this");
}

/// Most memory this process had since the peak was forgotten, in KiB.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells it");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

fn entities() -> String {
    let mut text = "<!DOCTYPE MSG [<!ENTITY e0 'ha'>".to_owned();
    for number in 1..30 {
        let before = number - 1;
        write!(text, "<!ENTITY e{number} '&e{before};&e{before};'>").expect("a string takes all");
    }
    text + "]><MSG>&e29;</MSG>"
}

fn numbered(start: &str, before: &str, after: &str, end: &str) -> String {
    let mut text = start.to_owned();
    for number in 0..1_000_000 {
        write!(text, "{before}{number:x}{after}").expect("a string takes all");
    }
    text + end
}
