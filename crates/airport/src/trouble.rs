//! What goes wrong between the sender and the mailbox.

use std::collections::VecDeque;

use jiff::civil::DateTime;

use crate::{
    Expect, Fate, Letter, Trouble,
    dice::Dice,
    nonsense::{self, Spoilt},
    pen::Pen,
};

/// How many sent messages may still be sent again.
const REMEMBERED_MAX: usize = 64;

/// Most letters that commit before a late one.
const LATE_MAX: i32 = 40;

#[derive(Debug)]
pub(crate) struct Mischief {
    rates: Trouble,
    dice: Dice,
    /// The last messages that have certainly been processed.
    sent: VecDeque<Vec<u8>>,
}

impl Mischief {
    pub(crate) fn new(rates: Trouble, dice: Dice) -> Self {
        Self { rates, dice, sent: VecDeque::new() }
    }

    /// Messages of their own, with their own SEQN.
    pub(crate) fn before(&mut self, at: DateTime, pen: &mut Pen, out: &mut VecDeque<Letter>) {
        let mut push = |body, label, expect| {
            out.push_back(Letter { body: Some(body), fate: Fate::Commit, sent_at: at, label, expect });
        };
        if self.dice.chance(self.rates.ignored) {
            push(nonsense::unwanted(at, pen, &mut self.dice), "unwanted type", Expect::Ignored);
        }
        if self.dice.chance(self.rates.unknown_type) {
            push(nonsense::unknown(at, pen, &mut self.dice), "unknown type", Expect::Unsupported);
        }
    }

    /// The letter itself, perhaps after a broken or rolled-back try, perhaps late, perhaps
    /// followed by an old one.
    pub(crate) fn around(&mut self, mut letter: Letter, out: &mut VecDeque<Letter>) {
        if self.dice.chance(self.rates.malformed) {
            out.push_back(self.spoilt(&letter));
        }
        if self.dice.chance(self.rates.rolled_back) {
            out.push_back(Letter { fate: Fate::RolledBack, ..letter.clone() });
        }
        if self.dice.chance(self.rates.late_commit) {
            letter.fate = Fate::CommitLate { after: self.dice.between(1, LATE_MAX) as u32 };
        }
        let at = letter.sent_at;
        self.remember(&letter);
        out.push_back(letter);
        if self.dice.chance(self.rates.duplicate) && !self.sent.is_empty() {
            let body = self.sent[self.dice.below(self.sent.len() as u32) as usize].clone();
            out.push_back(Letter {
                body: Some(body),
                fate: Fate::Commit,
                sent_at: at,
                label: "sent again",
                expect: Expect::Duplicate,
            });
        }
    }

    /// The letter as it arrives when it breaks on the way.
    fn spoilt(&mut self, letter: &Letter) -> Letter {
        let whole = letter.body.as_deref().unwrap_or_default();
        let Spoilt { body, label } = nonsense::spoil(whole, &mut self.dice);
        Letter { body, fate: Fate::Commit, sent_at: letter.sent_at, label, expect: Expect::Malformed }
    }

    /// A late one is no certain first: its gap may be given up before it commits.
    fn remember(&mut self, letter: &Letter) {
        if self.rates.duplicate > 0.0
            && letter.fate == Fate::Commit
            && letter.expect == Expect::Succeeded
            && let Some(body) = &letter.body
        {
            if self.sent.len() == REMEMBERED_MAX {
                self.sent.pop_front();
            }
            self.sent.push_back(body.clone());
        }
    }
}
