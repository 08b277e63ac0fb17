//! Single changes in words: lists, structures, personal data, what can't be read.

use jiff::tz::{Offset, TimeZone};
use serde_json::{Value, json};

use super::{step, teller};
use crate::flight::Life;
use crate::flight::story::Language;

/// One field's change in English, the day being 7 April.
fn change(field: &str, from: Value, to: Value) -> String {
    let zone = TimeZone::fixed(Offset::constant(8));
    let step = step(1, Life::Active, "TEST", json!([{"field": field, "from": from, "to": to}]));
    let story = teller(Language::English, &zone).story(&[step], &[]);
    let line = story.lines().nth(1).expect("a line");
    line.split("v1    ").nth(1).and_then(|rest| rest.split("  (").next()).expect("a sentence").to_owned()
}

#[test]
fn lists_tell_what_changed_within() {
    let gate = |sequence: i64, name: &str| json!({"sequence": sequence, "gate": name});
    let opened =
        |sequence: i64, name: &str, at: &str| json!({"sequence": sequence, "gate": name, "actualOpen": at});
    let nine = "2026-04-07T09:20:00+08:00";
    let late = "2026-04-08T00:10:00+08:00";
    for (from, to, words) in [
        (json!([gate(1, "A1")]), json!([gate(1, "A2")]), "Gates A1 → A2"),
        (json!([gate(1, "A1"), gate(2, "A2")]), json!([gate(1, "A2")]), "Gates −A1"),
        (
            json!([gate(1, "A1"), gate(2, "A2")]),
            json!([gate(1, "A2"), gate(2, "A1")]),
            "Gates now in the order A2, A1",
        ),
        (json!([gate(1, "A1")]), json!([opened(1, "A1", nine)]), "Gates A1: Actual opening 09:20"),
        (
            json!([opened(1, "A1", nine)]),
            json!([opened(1, "A1", late)]),
            "Gates A1: Actual opening 09:20 → 04-08 00:10",
        ),
        (json!([gate(1, "A1")]), json!([opened(1, "A2", nine)]), "Gates A1 → A2 (Actual opening 09:20)"),
        (json!([gate(1, "A1"), gate(2, "A2")]), Value::Null, "Gates cleared (was A1, A2)"),
        (Value::Null, json!([opened(1, "A1", nine), gate(2, "A2")]), "Gates A1 (Actual opening 09:20), A2"),
        (json!([{"gate": "A1"}]), json!([{"gate": "A2"}, {"gate": "A3"}]), "Gates A1 → A2, +A3"),
        (json!([{"sequence": 1}]), json!([{"sequence": 1, "gate": "A3"}]), "Gates ? → A3"),
    ] {
        assert_eq!(change("gates", from.clone(), to.clone()), words, "{from} to {to}");
    }
    let service = |code: &str, quantity: i64| json!({"code": code, "quantity": quantity});
    assert_eq!(
        change(
            "services",
            json!([service("GPU", 1), service("BUS", 2)]),
            json!([service("BUS", 3), service("CLN", 1)])
        ),
        "Services BUS: Quantity 2 → 3, +CLN (Quantity 1), −GPU"
    );
    assert_eq!(
        change("diversion", Value::Null, json!({"airport": "PEK", "direction": "TO", "reason": "雷雨"})),
        "Diversion PEK (TO, 雷雨)"
    );
    assert_eq!(change("extra.NEWX", json!("a"), json!(["a", "b"])), "NEWX a → a b");
    assert_eq!(
        change("remarks", Value::Null, json!("a\u{1b}[2J\u{9b}b\u{202e}c\nd")),
        "Remarks a\u{fffd}[2J\u{fffd}b\u{fffd}c\u{fffd}d"
    );
    assert_eq!(change("wasOnceThere", json!("a"), json!("b")), "wasOnceThere changed (not shown)");
}

#[test]
fn personal_data_is_told_only_to_those_who_may_know() {
    let party = |entourage: i64| json!([{"person": "P77", "entourage": entourage, "services": [{"service": "CAR", "quantity": 1}]}]);
    let steps = [
        step(1, Life::Active, "VIPF", json!([{"field": "vips", "from": null, "to": party(2)}])),
        step(2, Life::Active, "VIPF", json!([{"field": "vips", "from": party(2), "to": party(3)}])),
        step(3, Life::Active, "VIPF", json!([{"field": "vips", "from": party(3), "to": null}])),
    ];
    let zone = TimeZone::fixed(Offset::constant(8));
    let hidden = teller(Language::English, &zone).story(&steps, &[]);
    assert!(!hidden.contains("P77") && !hidden.contains("CAR"), "{hidden}");
    let shown = teller(Language::English, &zone).story_with_personal(&steps, &[]);
    for words in [
        "VIP parties P77 (Entourage size 2, CAR (Quantity 1))  (",
        "VIP parties P77: Entourage size 2 → 3  (",
        "VIP parties cleared (was P77)  (",
    ] {
        assert!(shown.contains(words), "{words} in\n{shown}");
    }
}

#[test]
fn a_step_that_cannot_be_read_says_so() {
    let mut broken = step(1, Life::Active, "VIPF", json!([]));
    broken.0.changes.push('x');
    let steps = [broken, step(2, Life::Active, "VIPF", json!([]))];
    let zone = TimeZone::fixed(Offset::constant(8));
    let story = teller(Language::English, &zone).story(&steps, &[]);
    assert!(
        story.contains("this step can't be read") && story.contains("changed nothing that is shown"),
        "{story}"
    );
}

#[test]
fn what_little_is_known_of_a_flight_without_schedule_is_told_and_that_it_became_history() {
    let cancelled = json!({"field": "cancelledTime", "from": null, "to": "2026-04-07T09:20:00+08:00"});
    let partial =
        step(1, Life::Partial, "CNCL", json!([{"field": "life", "from": null, "to": "PARTIAL"}, cancelled]));
    let bare = step(
        2,
        Life::Active,
        "ADD",
        json!([{"field": "life", "from": "PARTIAL", "to": "ACTIVE"}, {"field": "terminal", "from": null, "to": "T1"}]),
    );
    let gone = (3, bare.1 + std::time::Duration::from_secs(60));
    let zone = TimeZone::fixed(Offset::constant(8));
    let story = teller(Language::English, &zone).story(&[partial, bare], &[gone]);
    for words in [
        "first heard of, before its schedule; cancelled at 09:20  (",
        "its schedule arrives; Terminal T1  (",
        "v3    its day is over: it becomes history\n",
    ] {
        assert!(story.contains(words), "{words} in\n{story}");
    }
}
