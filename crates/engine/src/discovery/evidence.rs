//! What proves that a missing ID will never come (DEC-5): age, or the end of every transaction that
//! may own it. A verdict is complete before the poll begins that may rely on it.

use std::time::Duration;

use domain::mailbox::{IdRange, LOOKS_APART, OpenGap, Patience, Witness, dead};
use jiff::Timestamp;

use crate::happened::{EvidenceUnusable, GapHeld};
use crate::ports::{Clock, Mailbox, Session, Transactions};
use crate::room::Trouble;
use crate::settings::{DiscoverySettings, GapEvidence};
use crate::term::Term;

/// The evidence of one term.
#[derive(Debug)]
pub(super) struct Evidence {
    kind: GapEvidence,
    patience: Patience,
    witness: Witness,
    /// Over which connection the witness has looked.
    session: Option<Session>,
    /// Monotonic time of the next look.
    due: Duration,
    /// What was said of transactions that prove nothing.
    said: Option<String>,
}

/// Ranges that a poll which begins now may pass over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) dead: Vec<IdRange>,
    /// Those of them that no open transaction can own any more.
    pub(super) cleared: Vec<IdRange>,
}

impl Evidence {
    pub(super) fn new(settings: &DiscoverySettings) -> Self {
        Self {
            kind: settings.gap_evidence,
            patience: Patience {
                max_commit_delay: settings.max_commit_delay,
                hold_max: settings.gap_hold_max,
            },
            witness: Witness::default(),
            session: None,
            due: Duration::ZERO,
            said: None,
        }
    }

    /// Looks at open transactions where a gap is open and it is time to. `session` is who was found
    /// to be the mailbox that was read.
    pub(super) async fn look<C: Clock>(
        &mut self,
        mailbox: &impl Mailbox,
        open: &[OpenGap],
        session: Option<&Session>,
        term: &Term<C>,
    ) -> Result<(), Trouble> {
        if self.session.as_ref() != session {
            self.session = session.cloned();
            self.witness = Witness::default();
        }
        match self.kind {
            GapEvidence::Age => return Ok(()),
            GapEvidence::Transactions if open.is_empty() || term.monotonic() < self.due => return Ok(()),
            GapEvidence::Transactions => {}
        }
        let began = term.now();
        let (answered, seen) = mailbox.transactions().await?;
        self.due = term.monotonic() + LOOKS_APART;
        if Some(&answered) != session {
            // The poll will come over that connection too, and is told apart there.
            self.witness = Witness::default();
            return Ok(());
        }
        match seen {
            Transactions::Open(seen) => self.witness.note(open, &seen, began, term.now()),
            Transactions::Unusable(why) => self.go_blind(why),
        }
        for (range, transactions) in self.witness.overdue(open, term.now(), self.patience) {
            GapHeld { range, transactions, hold_max: self.patience.hold_max }.emit();
        }
        Ok(())
    }

    /// What a poll that begins `now` may pass over, if that server answers it.
    pub(super) fn verdict(&self, open: &[OpenGap], now: Timestamp) -> Verdict {
        let Some(Session { server, .. }) = &self.session else { return Verdict::default() };
        match self.kind {
            GapEvidence::Age => {
                let dead = dead(open, server, now, self.patience.max_commit_delay);
                Verdict { dead, cleared: Vec::new() }
            }
            GapEvidence::Transactions => Verdict {
                dead: self.witness.dead(open, server, now, self.patience),
                cleared: self.witness.cleared(open, server),
            },
        }
    }

    fn go_blind(&mut self, why: String) {
        self.witness.go_blind();
        if self.said.as_ref() != Some(&why) {
            EvidenceUnusable { why: why.clone() }.emit();
            self.said = Some(why);
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::MsgId;

    use super::*;

    #[test]
    fn nothing_is_dead_before_the_server_is_known() {
        let seen = Timestamp::constant(1_000, 0);
        let range = IdRange { first: MsgId(3), last: MsgId(4) };
        let open = [OpenGap { range, first_seen: seen, server: "a".to_owned() }];
        let settings = DiscoverySettings::default();
        let later = seen + settings.max_commit_delay;
        let dead = |server: Option<&str>| {
            let session = server.map(|server| Session { server: server.to_owned(), connection: 1 });
            Evidence { session, ..Evidence::new(&settings) }.verdict(&open, later).dead
        };
        assert_eq!(dead(None), []);
        assert_eq!(dead(Some("b")), []);
        assert_eq!(dead(Some("a")), [range]);
    }
}
