//! The ledger poll by poll, and what holds whatever the polls show.

use super::*;
use crate::mailbox::takeable;

const DELAY: Duration = Duration::from_secs(300);

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).expect("small")
}

fn ids(ids: &[i64]) -> Vec<MsgId> {
    ids.iter().copied().map(MsgId).collect()
}

fn range(first: i64, last: i64) -> IdRange {
    IdRange { first: MsgId(first), last: MsgId(last) }
}

fn gap(first: i64, last: i64, seen: i64) -> OpenGap {
    OpenGap { range: range(first, last), first_seen: at(seen), server: "a".into() }
}

/// A poll at `second` that asked for the verdict just before, with all bodies that may be taken.
fn poll(watermark: i64, visible: &[i64], open: &[OpenGap], second: i64) -> Plan {
    poll_on("a", watermark, visible, open, second)
}

fn poll_on(server: &str, watermark: i64, visible: &[i64], open: &[OpenGap], second: i64) -> Plan {
    let visible = ids(visible);
    let dead = dead(open, "a", at(second), DELAY);
    let count = takeable(MsgId(watermark), &visible, &dead, 1);
    plan(&Look {
        watermark: MsgId(watermark),
        visible: &visible,
        taken: &visible[..count],
        open,
        dead: &dead,
        cleared: &[],
        server,
        now: at(second),
        step: 1,
    })
}

#[test]
fn inv_02_stops_at_the_first_hole_and_ages_all_at_once() {
    let seen = poll(0, &[1, 2, 4, 7], &[], 100);
    assert_eq!(seen.to, MsgId(2));
    assert_eq!(seen.open, [gap(3, 3, 100), gap(5, 6, 100)]);
    assert!(seen.closed.is_empty() && seen.changed);
    let waiting = poll(2, &[4, 7], &seen.open, 399);
    assert!(!waiting.changed, "{waiting:?}");
    let released = poll(2, &[4, 7], &seen.open, 400);
    assert_eq!(released.to, MsgId(7));
    assert_eq!(released.open, []);
    assert_eq!(released.closed.iter().map(|gap| gap.range).collect::<Vec<_>>(), [range(3, 3), range(5, 6)]);
    assert_eq!(released.closed[0].closed_at, at(400));
}

#[test]
fn dec_05_a_hole_that_fills_is_consumed_in_order() {
    let plan = poll(2, &[3, 4, 7], &[gap(3, 3, 100), gap(5, 6, 100)], 900);
    assert_eq!(plan.to, MsgId(7));
    assert_eq!(plan.closed.iter().map(|gap| gap.range).collect::<Vec<_>>(), [range(5, 6)]);
}

#[test]
fn dec_05_a_partly_filled_hole_splits_and_keeps_its_time() {
    let plan = poll(2, &[5, 9], &[gap(3, 8, 100)], 200);
    assert_eq!(plan.to, MsgId(2));
    assert_eq!(plan.open, [gap(3, 4, 100), gap(6, 8, 100)]);
}

#[test]
fn dec_05_another_server_starts_the_window_anew() {
    let plan = poll_on("b", 2, &[4], &[gap(3, 3, 100)], 500);
    assert_eq!(plan.to, MsgId(2), "the verdict was another server's");
    assert_eq!(plan.open, [OpenGap { server: "b".into(), ..gap(3, 3, 500) }]);
}

#[test]
fn dec_05_a_verdict_needs_the_whole_window_on_one_server() {
    let open = [gap(3, 3, 100), gap(5, 6, 200)];
    for (server, second, ranges) in [
        ("a", 399, vec![]),
        ("a", 400, vec![range(3, 3)]),
        ("a", 500, vec![range(3, 3), range(5, 6)]),
        ("b", 900, vec![]),
        ("a", 0, vec![]),
    ] {
        assert_eq!(dead(&open, server, at(second), DELAY), ranges, "{server} {second}");
    }
}

#[test]
fn dec_05_a_verdict_about_a_range_not_in_the_ledger_releases_nothing() {
    let visible = ids(&[4]);
    let plan = plan(&Look {
        watermark: MsgId(2),
        visible: &visible,
        taken: &visible,
        open: &[],
        dead: &[range(3, 3)],
        cleared: &[],
        server: "a",
        now: at(500),
        step: 1,
    });
    assert_eq!((plan.to, plan.closed.len()), (MsgId(2), 0));
}

#[test]
fn dec_05_a_grown_hole_waits_for_its_youngest_part() {
    let open = [gap(3, 4, 100), gap(5, 8, 200)];
    let early = poll(2, &[9], &open, 450);
    assert_eq!((early.to, early.changed), (MsgId(2), false));
    let late = poll(2, &[9], &open, 500);
    assert_eq!(late.to, MsgId(9));
    assert_eq!(late.closed.len(), 2);
}

#[test]
fn a_gap_beyond_a_truncated_look_stays_as_it_was() {
    let open = [gap(3, 3, 100), gap(5, 900, 150)];
    let plan = poll(2, &[4], &open, 200);
    assert_eq!(plan.open, open);
    assert!(!plan.changed);
    let nothing = poll(2, &[], &open, 200);
    assert_eq!(nothing.open, open);
}

#[test]
fn a_jump_of_a_million_is_one_range() {
    assert_eq!(poll(2, &[1_000_003], &[], 100).open, [gap(3, 1_000_002, 100)]);
}

#[test]
fn a_hole_is_passed_only_with_the_row_behind_it() {
    let visible = ids(&[3, 5]);
    let open = [gap(4, 4, 100)];
    let plan = plan(&Look {
        watermark: MsgId(2),
        visible: &visible,
        taken: &visible[..1],
        open: &open,
        dead: &[range(4, 4)],
        cleared: &[],
        server: "a",
        now: at(900),
        step: 1,
    });
    assert_eq!((plan.to, plan.open.as_slice(), plan.closed.len()), (MsgId(3), open.as_slice(), 0));
}

#[test]
fn fc_07_every_second_id_missing_costs_one_window() {
    let visible: Vec<i64> = (10..=60).step_by(2).collect();
    let seen = poll(9, &visible, &[], 100);
    assert_eq!((seen.to, seen.open.len()), (MsgId(10), 25));
    let released = poll(10, &visible[1..], &seen.open, 400);
    assert_eq!((released.to, released.closed.len()), (MsgId(60), 25));
}

#[test]
fn a_row_outside_the_declared_series_is_noted() {
    for (visible, to, off_series) in
        [(vec![12, 14], 14, false), (vec![12, 13], 13, true), (vec![14], 10, false)]
    {
        let visible = ids(&visible);
        let count = takeable(MsgId(10), &visible, &[], 2);
        let look = Look {
            watermark: MsgId(10),
            visible: &visible,
            taken: &visible[..count],
            open: &[],
            dead: &[],
            cleared: &[],
            server: "a",
            now: at(1),
            step: 2,
        };
        let plan = plan(&look);
        assert_eq!((plan.to, plan.off_series), (MsgId(to), off_series), "{visible:?}");
    }
}

mod properties {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// A mailbox over time: which IDs exist at each poll, how long after the last one it is,
    /// how many IDs and bodies it may bring, and which server answers.
    fn histories() -> impl Strategy<Value = Vec<(BTreeSet<i64>, i64, usize, usize, bool)>> {
        let arrivals = proptest::collection::btree_set(1_i64..40, 0..12);
        proptest::collection::vec(
            (arrivals, 0_i64..400, 1_usize..20, 0_usize..20, proptest::bool::weighted(0.9)),
            1..8,
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn inv_02_the_watermark_is_safe(history in histories()) {
            let (mut rows, mut watermark, mut open) = (BTreeSet::new(), MsgId(0), Vec::<OpenGap>::new());
            let (mut enqueued, mut closed, mut now) = (BTreeSet::new(), BTreeSet::new(), 0);
            let mut server = "a";
            for (arrivals, wait, ids_max, rows_max, same_server) in history {
                let verdict = dead(&open, server, at(now), DELAY);
                rows.extend(arrivals.into_iter().filter(|id| *id > watermark.0));
                now += wait;
                if !same_server { server = if server == "a" { "b" } else { "a" } }
                let visible: Vec<MsgId> =
                    rows.iter().copied().filter(|id| *id > watermark.0).take(ids_max).map(MsgId).collect();
                let count = takeable(watermark, &visible, &verdict, 1).min(rows_max);
                let plan = plan(&Look {
                    watermark, visible: &visible, taken: &visible[..count], open: &open, dead: &verdict, cleared: &[],
                    server, now: at(now), step: 1,
                });
                prop_assert!(plan.to >= watermark);
                enqueued.extend(visible[..count].iter().filter(|id| **id <= plan.to).map(|id| id.0));
                for gap in &plan.closed {
                    prop_assert!(gap.closed_at.duration_since(gap.first_seen) >= SignedDuration::from_secs(300));
                    closed.extend(gap.range.first.0..=gap.range.last.0);
                }
                for id in 1..=plan.to.0 {
                    prop_assert!(enqueued.contains(&id) != closed.contains(&id), "{id} once and only once");
                    prop_assert!(!rows.contains(&id) || enqueued.contains(&id), "row {id} was passed over");
                }
                for pair in plan.open.windows(2) {
                    prop_assert!(pair[0].range.last < pair[1].range.first);
                }
                for gap in &plan.open {
                    prop_assert!(gap.range.first > plan.to && gap.range.first <= gap.range.last);
                }
                (watermark, open) = (plan.to, plan.open);
            }
        }
    }
}
