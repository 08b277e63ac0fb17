//! Both sides next to each other, and what follows.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::{Account, Difference, MarkKept, Seen, Tally};
use crate::MsgId;
use crate::message::State;

/// Both pictures of a range of IDs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pictures {
    /// Its rows, ascending.
    pub rows: Vec<Seen>,
    /// Its messages, ascending.
    pub accounts: Vec<Account>,
    /// IDs that were left out for good.
    pub left_out: BTreeSet<MsgId>,
}

impl Pictures {
    /// Rows of which the store knows nothing: perhaps they were left out.
    pub fn unknown(&self) -> Vec<MsgId> {
        let known: BTreeSet<MsgId> = self.accounts.iter().map(|account| account.msg_id).collect();
        self.rows.iter().map(|row| row.msg_id).filter(|id| !known.contains(id)).collect()
    }

    /// How they disagree, ascending by ID. Bodies enqueued before `bodies_since` may be forgotten.
    pub fn differences(&self, bodies_since: Timestamp) -> BTreeSet<(MsgId, Difference)> {
        let rows: BTreeMap<MsgId, Seen> = self.rows.iter().map(|row| (row.msg_id, *row)).collect();
        let lost = self.unknown().into_iter().filter(|id| !self.left_out.contains(id));
        let mut found: BTreeSet<_> = lost.map(|id| (id, Difference::NeverTakenUp)).collect();
        for account in &self.accounts {
            let row = rows.get(&account.msg_id);
            found.extend(account.against(row, bodies_since).map(|kind| (account.msg_id, kind)));
        }
        found
    }

    /// Counts, with those of `differences`.
    pub fn tally(&self, differences: &BTreeSet<(MsgId, Difference)>) -> Tally {
        let many = |count: usize| count as u64;
        let (unknown, rows) = (self.unknown(), self.rows.len());
        let accounts = |is: fn(&Account) -> bool| many(self.accounts.iter().filter(|one| is(one)).count());
        let mut tally = Tally {
            rows: many(rows),
            known: many(rows - unknown.len()),
            left_out: many(unknown.iter().filter(|id| self.left_out.contains(id)).count()),
            marked: many(self.rows.iter().filter(|row| row.is_marked).count()),
            waiting: accounts(Account::is_waiting),
            owed: accounts(|one| one.state.is_terminal() && one.mark == MarkKept::Open),
            given_up: accounts(|one| matches!(one.mark, MarkKept::RowMissing | MarkKept::GivenUp)),
            differences: BTreeMap::new(),
        };
        for (_, kind) in differences {
            *tally.differences.entry(*kind).or_default() += 1;
        }
        tally
    }
}

impl Account {
    fn is_waiting(&self) -> bool {
        matches!(self.state, State::Pending | State::Failed)
    }

    /// Of a bare shadow nothing but its being known can be compared.
    fn against(&self, row: Option<&Seen>, bodies_since: Timestamp) -> impl Iterator<Item = Difference> {
        let is_whole = self.state != State::Archived;
        let with_row = match row {
            None => (self.mark != MarkKept::RowMissing).then_some(Difference::RowGone),
            Some(row) => match self.mark {
                MarkKept::Written if !row.is_marked => Some(Difference::MarkMissing),
                // A mark that is written and not yet noted is told by its being owed.
                MarkKept::Open if row.is_marked && self.is_waiting() => Some(Difference::MarkedByAnother),
                MarkKept::Open | MarkKept::Written | MarkKept::RowMissing | MarkKept::GivenUp => None,
            },
        };
        let body = is_whole && !self.has_body && self.enqueued_at >= bodies_since;
        let body = body.then_some(Difference::BodyMissing);
        let untold = (self.untold > 0).then_some(Difference::Untold);
        [with_row, body, untold].into_iter().flatten()
    }
}
