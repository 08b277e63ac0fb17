//! Counts of a comparison.

use std::collections::BTreeMap;

use super::Difference;

/// Exact counts of what was compared.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Rows of the mailbox.
    pub rows: u64,
    /// Of them, those the store knows.
    pub known: u64,
    /// Of them, those that were left out: before the declared start, or dismissed.
    pub left_out: u64,
    /// Of them, those that are marked.
    pub marked: u64,
    /// Messages that wait for their end.
    pub waiting: u64,
    /// Ended messages whose mark is still owed.
    pub owed: u64,
    /// Messages whose mark was given up.
    pub given_up: u64,
    /// Of each kind.
    pub differences: BTreeMap<Difference, u64>,
}

impl Tally {
    /// Adds the counts of another part.
    pub fn add(&mut self, part: &Self) {
        self.rows += part.rows;
        self.known += part.known;
        self.left_out += part.left_out;
        self.marked += part.marked;
        self.waiting += part.waiting;
        self.owed += part.owed;
        self.given_up += part.given_up;
        for (kind, count) in &part.differences {
            *self.differences.entry(*kind).or_default() += count;
        }
    }
}
