//! Mailbox and store side by side.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

fn at(second: i64) -> Timestamp {
    Timestamp::constant(second, 0)
}

fn row(id: i64, is_marked: bool) -> Seen {
    Seen { msg_id: MsgId(id), is_marked }
}

fn account(id: i64, state: State, mark: MarkKept) -> Account {
    Account { msg_id: MsgId(id), state, mark, enqueued_at: at(100), has_body: true, untold: 0 }
}

fn found(rows: &[Seen], accounts: &[Account], left_out: &[i64]) -> Vec<(i64, &'static str)> {
    let left_out = left_out.iter().copied().map(MsgId).collect();
    let pictures = Pictures { rows: rows.to_vec(), accounts: accounts.to_vec(), left_out };
    pictures.differences(at(50)).into_iter().map(|(id, kind)| (id.0, kind.as_str())).collect()
}

#[test]
fn each_way_to_disagree_is_told_once_and_nothing_else_is() {
    use MarkKept::{GivenUp, Open, RowMissing, Written};
    let done = |mark| vec![account(1, State::Succeeded, mark)];
    let with = |change: fn(&mut Account)| {
        let mut account = account(1, State::Succeeded, Written);
        change(&mut account);
        vec![account]
    };
    let (marked, unmarked, none) = (vec![row(1, true)], vec![row(1, false)], vec![]);
    for (rows, accounts, expected, why) in [
        (&marked, done(Written), None, "marked on both sides"),
        (&unmarked, done(Open), None, "owed"),
        (&marked, done(Open), None, "written, not yet noted"),
        (&unmarked, done(GivenUp), None, "on the abandonment list"),
        (&marked, done(GivenUp), None, "somebody marked it by hand"),
        (&none, done(RowMissing), None, "known to be gone"),
        (&marked, vec![account(1, State::Pending, Written)], None, "replayed after its mark"),
        (&unmarked, vec![account(1, State::Failed, Open)], None, "waiting"),
        (&marked, with(|one| (one.state, one.has_body) = (State::Archived, false)), None, "a bare shadow"),
        (&marked, with(|one| (one.enqueued_at, one.has_body) = (at(49), false)), None, "forgotten by age"),
        (&unmarked, vec![], Some("never-taken-up"), "nothing is known of it"),
        (&none, done(Written), Some("row-gone"), "deleted from the mailbox"),
        (&none, done(Open), Some("row-gone"), "deleted before its mark"),
        (&unmarked, done(Written), Some("mark-missing"), "the mark was taken away"),
        (&marked, vec![account(1, State::Pending, Open)], Some("marked-by-another"), "not by us"),
        (&marked, with(|one| one.has_body = false), Some("body-missing"), "its time is not over"),
        (&marked, with(|one| one.untold = 2), Some("untold"), "a step without its event"),
    ] {
        let expected: Vec<_> = expected.into_iter().map(|kind| (1, kind)).collect();
        assert_eq!(found(rows, &accounts, &[]), expected, "{why}");
    }
}

#[test]
fn fc_17_rows_below_the_watermark_are_lost_unless_they_are_known_or_were_left_out() {
    let rows: Vec<Seen> = (40..=45).map(|id| row(id, false)).collect();
    let known: Vec<Account> = (40..=42).map(|id| account(id, State::Dead, MarkKept::Open)).collect();
    assert_eq!(found(&rows, &known, &[43]), [(44, "never-taken-up"), (45, "never-taken-up")]);
}

#[test]
fn counts_are_exact_and_add_up_over_parts() {
    let rows = vec![row(1, true), row(2, false), row(3, true), row(4, false)];
    let accounts = vec![
        account(1, State::Succeeded, MarkKept::Written),
        account(2, State::Pending, MarkKept::Open),
        account(5, State::Dead, MarkKept::RowMissing),
    ];
    let pictures = Pictures { rows, accounts, left_out: BTreeSet::from([MsgId(3)]) };
    let tally = pictures.tally(&pictures.differences(at(0)));
    let lost = BTreeMap::from([(Difference::NeverTakenUp, 1)]);
    let expected = Tally {
        rows: 4,
        known: 2,
        left_out: 1,
        marked: 2,
        waiting: 1,
        owed: 0,
        given_up: 1,
        differences: lost,
    };
    assert_eq!(tally, expected);
    let mut sum = tally.clone();
    sum.add(&tally);
    assert_eq!((sum.rows, sum.marked, sum.differences[&Difference::NeverTakenUp]), (8, 4, 2));
}
