//! Is the mailbox still the one that was read (PRE-3)? Asked at the start, on every new connection, and
//! the numbering again every few seconds: a table can be emptied under an open connection. Where it
//! isn't, discovery stops and says so; the watermark stays.

use std::time::Duration;

use domain::MsgId;
use domain::mailbox::{KeptBody, NEWEST, Shown, continuity};
use jiff::Timestamp;

use crate::happened::{ContinuityBroken, ContinuityRestored, ServerChanged};
use crate::ports::{Mailbox, Poll, Session, Store};
use crate::room::Trouble;

/// How often the numbering is looked at again over the same connection.
const NUMBERING_EVERY: Duration = Duration::from_secs(10);

/// So many answers in a row from other connections than the one asked for, and it is no connection.
const STRAYS_MAX: u32 = 10;

/// What is known of the mailbox's identity in this term.
#[derive(Debug, Default)]
pub(super) struct Continuity {
    /// The connection over which it was found to be the one that was read.
    session: Option<Session>,
    /// The server that answered last.
    server: Option<String>,
    /// Monotonic time of the next look at the numbering.
    due: Duration,
    strays: u32,
    broken: Option<String>,
}

impl Continuity {
    /// Who answers, as long as nothing has changed.
    pub(super) fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// Makes sure that the mailbox is the one that was read, if it is time to; an error that waits
    /// if it isn't. `numbering_counts` is false while W lies where nothing was ever numbered.
    pub(super) async fn assure(
        &mut self,
        (mailbox, store): (&impl Mailbox, &impl Store),
        watermark: MsgId,
        numbering_counts: bool,
        now: Timestamp,
        monotonic: Duration,
    ) -> Result<(), Trouble> {
        if self.session.is_some() && monotonic < self.due {
            return Ok(());
        }
        if self.session.is_some() {
            let (session, shown) = mailbox.shown(&[]).await?;
            if self.session.as_ref() == Some(&session) {
                return self.judge(
                    session,
                    watermark,
                    &[],
                    &masked(shown, numbering_counts),
                    (now, monotonic),
                );
            }
        }
        let (kept, session, shown) = look(mailbox, store).await?;
        self.judge(session, watermark, &kept, &masked(shown, numbering_counts), (now, monotonic))
    }

    fn judge(
        &mut self,
        session: Session,
        watermark: MsgId,
        kept: &[KeptBody],
        shown: &Shown,
        (now, monotonic): (Timestamp, Duration),
    ) -> Result<(), Trouble> {
        self.note_server(&session);
        if let Some(found) = continuity(watermark, kept, shown, now) {
            let words = found.to_string();
            self.session = None;
            if self.broken.as_ref() != Some(&words) {
                ContinuityBroken { words: words.clone() }.emit();
            }
            self.broken = Some(words.clone());
            return Err(Trouble::Wait(words));
        }
        if self.broken.take().is_some() || self.session.is_none() {
            ContinuityRestored.emit();
        }
        self.session = Some(session);
        self.due = monotonic + NUMBERING_EVERY;
        Ok(())
    }

    /// Did this answer come over the connection that was looked at? One that didn't is worth nothing:
    /// it may be another server's. An error when that never ends.
    pub(super) fn is_same(&mut self, poll: &Poll) -> Result<bool, Trouble> {
        let same = self
            .session
            .as_ref()
            .is_some_and(|session| session.server == poll.server && session.connection == poll.connection);
        if same {
            self.strays = 0;
            return Ok(true);
        }
        self.session = None;
        self.strays += 1;
        if self.strays < STRAYS_MAX {
            return Ok(false);
        }
        self.strays = 0;
        Err(Trouble::Wait(
            "the mailbox answers over another connection each time: connect to the server itself".to_owned(),
        ))
    }

    /// Everything is to be looked at again.
    pub(super) fn doubt(&mut self) {
        self.session = None;
    }

    fn note_server(&mut self, session: &Session) {
        if self.server.as_ref() == Some(&session.server) {
            return;
        }
        if let Some(from) = self.server.replace(session.server.clone()) {
            ServerChanged { from, to: session.server.clone() }.emit();
        }
    }
}

fn masked(shown: Shown, numbering_counts: bool) -> Shown {
    if numbering_counts { shown } else { Shown { next: None, ..shown } }
}

async fn look(
    mailbox: &impl Mailbox,
    store: &impl Store,
) -> Result<(Vec<KeptBody>, Session, Shown), Trouble> {
    let kept = store.newest_bodies(NEWEST).await?;
    let ids: Vec<MsgId> = kept.iter().map(|body| body.msg_id).collect();
    let (session, shown) = mailbox.shown(&ids).await?;
    Ok((kept, session, shown))
}
