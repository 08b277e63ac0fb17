//! `check` on real servers: a verdict per item, nothing changed, nothing hidden by another's fault.

use crate::support::place::Place;
use crate::support::program::msgx;

/// Exit code and what was printed.
fn check(place: &Place, more: &[&str]) -> (Option<i32>, String) {
    let arguments = place.arguments();
    let mut all = vec!["check"];
    all.extend(arguments.iter().map(String::as_str));
    all.extend(more);
    let output = msgx(&all);
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

fn verdict<'a>(text: &'a str, item: &str) -> &'a str {
    let line = text.lines().find(|line| line.starts_with(item)).expect("a line per item");
    line.split_whitespace().last().expect("a verdict")
}

#[tokio::test(flavor = "multi_thread")]
async fn check_tells_each_item_by_itself_and_changes_nothing() {
    let place = Place::fresh("check").await;
    let (code, text) = check(&place, &[]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("msgx migrate"), "{text}");
    let items = ["configuration", "dictionary", "mailbox", "sink", "own store"];
    assert_eq!(items.map(|item| verdict(&text, item)), ["good", "good", "good", "good", "BAD"], "{text}");

    let arguments = place.arguments();
    let migrate: Vec<&str> = std::iter::once("migrate").chain(arguments.iter().map(String::as_str)).collect();
    assert_eq!(msgx(&migrate).status.code(), Some(0));
    let (code, text) = check(&place, &[]);
    assert_eq!(code, Some(0), "{text}");

    let (code, text) =
        check(&place, &["--set=mailbox.body-column=NO_SUCH", "--set=kafka.topics.msg=no.such"]);
    assert_eq!(code, Some(1), "{text}");
    assert_eq!(items.map(|item| verdict(&text, item)), ["good", "good", "BAD", "BAD", "good"], "{text}");
    assert!(text.contains("NO_SUCH") && text.contains("no.such"), "{text}");
}
