//! What looks at open transactions prove, and what they don't.

use super::*;
use crate::MsgId;

const PATIENCE: Patience =
    Patience { max_commit_delay: Duration::from_secs(300), hold_max: Duration::from_secs(1_800) };

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).expect("small")
}

fn gap(id: i64, seen: i64) -> OpenGap {
    let range = IdRange { first: MsgId(id), last: MsgId(id) };
    OpenGap { range, first_seen: at(seen), server: "a".into() }
}

fn transactions(given: &[(u64, &str)]) -> Vec<OpenTransaction> {
    let one =
        |(thread, started): &(u64, &str)| OpenTransaction { thread: *thread, started: (*started).to_owned() };
    given.iter().map(one).collect()
}

/// Looks at these seconds (each takes no time), and which gaps are dead then.
fn dead_after(open: &[OpenGap], looks: &[(i64, &[(u64, &str)])]) -> Vec<i64> {
    let mut witness = Witness::default();
    for (second, seen) in looks {
        witness.note(open, &transactions(seen), at(*second), at(*second));
    }
    witness.cleared(open, "a").into_iter().map(|range| range.first.0).collect()
}

#[test]
fn dec_05_a_gap_is_dead_when_a_later_look_shows_none_of_its_candidates() {
    let open = [gap(3, 100)];
    let one: &[(u64, &str)] = &[(7, "x")];
    let two: &[(u64, &str)] = &[(7, "x"), (8, "y")];
    for (looks, expected) in [
        (vec![(101, one)], vec![]),                                  // the first only fixes
        (vec![(101, one), (102, one)], vec![]),                      // still open
        (vec![(101, one), (102, &[])], vec![3]),                     // has ended
        (vec![(101, &[]), (102, &[])], vec![3]),                     // nobody was there
        (vec![(100, &[]), (101, one), (102, one)], vec![]),          // the first came too early
        (vec![(101, one), (101, &[])], vec![]),                      // the second came too early
        (vec![(101, two), (102, one)], vec![]),                      // one of two is open
        (vec![(101, two), (102, one), (103, &[(8, "y")])], vec![3]), // what ended stays ended
        (vec![(101, one), (102, &[(9, "z")])], vec![3]),             // began later: owns higher IDs
        (vec![(101, one), (102, &[(7, "later")])], vec![3]),         // the same connection, another one
        (vec![(101, one), (102, &[(0, "x")])], vec![]),              // prepared, and its connection is gone
        (vec![(101, &[(0, "x")]), (102, &[(0, "x")])], vec![]),
    ] {
        assert_eq!(dead_after(&open, &looks), expected, "{looks:?}");
    }
}

#[test]
fn dec_05_each_gap_has_its_own_candidates_and_another_server_proves_nothing() {
    let elsewhere = OpenGap { server: "b".into(), ..gap(9, 100) };
    let open = [gap(3, 100), gap(5, 101), elsewhere];
    let long: &[(u64, &str)] = &[(7, "x")];
    assert_eq!(dead_after(&open, &[(101, &[]), (102, long), (103, long)]), [3]);
    let parts = [OpenGap { range: IdRange { first: MsgId(3), last: MsgId(4) }, ..gap(3, 100) }, gap(6, 100)];
    assert_eq!(dead_after(&parts, &[(101, &[]), (102, long)]), [3, 6]);
}

#[test]
fn dec_05_age_decides_where_nothing_can_be_seen_and_after_the_longest_hold() {
    let open = [gap(3, 0)];
    let blind = |seen: Option<&[(u64, &str)]>| {
        let mut witness = Witness::default();
        if let Some(seen) = seen {
            witness.note(&open, &transactions(seen), at(1), at(1));
        }
        witness.go_blind();
        witness
    };
    let long: &[(u64, &str)] = &[(7, "x")];
    for (witness, second, is_dead) in [
        (Witness::default(), 1_799, false), // no look yet: one will come
        (Witness::default(), 1_800, true),
        (blind(None), 299, false),
        (blind(None), 300, true),
        (blind(Some(long)), 300, false), // was open when last seen
        (blind(Some(long)), 1_799, false),
        (blind(Some(long)), 1_800, true),
    ] {
        let dead = witness.dead(&open, "a", at(second), PATIENCE);
        assert_eq!(!dead.is_empty(), is_dead, "{second} {witness:?}");
        assert_eq!(witness.dead(&open, "b", at(second), PATIENCE), [], "another server");
    }
}

#[test]
fn dec_05_a_candidate_alive_after_the_delay_is_told_once() {
    let open = [gap(3, 100), gap(4, 350)];
    let mut witness = Witness::default();
    let seen = transactions(&[(7, "x")]);
    witness.note(&open, &seen, at(351), at(351));
    assert_eq!(witness.overdue(&open, at(399), PATIENCE), []);
    assert_eq!(witness.overdue(&open, at(400), PATIENCE), [(gap(3, 0).range, 1)]);
    assert_eq!(witness.overdue(&open, at(401), PATIENCE), []);
    witness.note(&open, &[], at(402), at(402));
    assert_eq!(witness.overdue(&open, at(700), PATIENCE), [], "both have ended");
}
