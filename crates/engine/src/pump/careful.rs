//! After an unclean end: one of the messages that were in hand may be what ends the process. Each is
//! tried alone, noted durably before it is tried; the one during whose lone tries the process has
//! died three times in a row is given up. A process that is killed from outside again and again
//! blames nobody: before a message is tried alone anew, the pump waits, and a kill hits the wait, while
//! a message that kills does so within its try.

use std::time::Duration;

use domain::MsgId;
use domain::decide::{LONE_DEATHS_MAX, ended_the_process};
use domain::message::Candidate;
use jiff::Timestamp;

use super::commit::alone;
use super::run::{Pump, Ran};
use crate::happened::{DiesAgain, GivenUpAsLethal, UncleanEnd};
use crate::ports::{Clock, LastEnd, Store};
use crate::room::Trouble;

/// Wait for each death that is held against a message, before it is tried again.
const WAIT_PER_DEATH: Duration = Duration::from_secs(1);

/// How careful the pump has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    /// Not asked yet how the term before ended.
    Unknown,
    /// So many messages from the head on are tried alone.
    Alone(usize),
    /// None: runs are whole.
    Over,
}

/// What the pump knows of lone tries.
#[derive(Debug)]
pub(super) struct Careful {
    care: Care,
    /// The message this process has noted, and not forgotten.
    noted: Option<MsgId>,
    /// Has this process looked at what the one before it has noted?
    looked: bool,
}

impl Default for Careful {
    fn default() -> Self {
        Self { care: Care::Unknown, noted: None, looked: false }
    }
}

impl Careful {
    /// Is the next message tried alone?
    pub(super) fn is_on(&self) -> bool {
        matches!(self.care, Care::Alone(_))
    }

    /// Most messages of the next run.
    pub(super) fn limit(&self, run_max: usize) -> usize {
        match self.care {
            Care::Alone(_) => 1,
            Care::Unknown | Care::Over => run_max,
        }
    }

    /// A message that was tried alone has ended.
    fn passed(&mut self) {
        if let Care::Alone(left) = self.care {
            self.care = Care::Alone(left.saturating_sub(1));
        }
    }
}

impl<S: Store, C: Clock> Pump<S, C> {
    /// Asks once in a term how the one before ended.
    pub(super) async fn learn_last_end(&mut self) -> Result<(), Trouble> {
        if self.careful.care != Care::Unknown {
            return Ok(());
        }
        self.careful.care = match self.store.open_term(self.term.epoch).await? {
            LastEnd::Clean => Care::Over,
            LastEnd::Unclean => {
                let messages = self.settings.run_messages_max;
                UncleanEnd { messages }.emit();
                Care::Alone(messages)
            }
        };
        Ok(())
    }

    /// Ends the careful time when all that may have been in hand has ended, or nothing waits.
    pub(super) async fn relax(&mut self, nothing_waits: bool) -> Result<(), Trouble> {
        if matches!(self.careful.care, Care::Alone(0)) || (nothing_waits && self.careful.is_on()) {
            self.forget().await?;
            self.careful.care = Care::Over;
        }
        Ok(())
    }

    /// Tries one message alone.
    pub(super) async fn try_alone(&mut self, row: Candidate, now: Timestamp) -> Result<(), Trouble> {
        let msg_id = row.msg_id;
        if self.careful.noted != Some(msg_id) {
            let deaths = self.deaths(msg_id).await?;
            if deaths >= LONE_DEATHS_MAX {
                return self.give_up(&row, deaths, now).await;
            }
            if deaths > 0 {
                let wait = WAIT_PER_DEATH * deaths;
                DiesAgain { msg_id, deaths, wait }.emit();
                let bell = self.term.bells.pump.clone();
                self.term.rest(&bell, wait).await;
                if !self.term.goes_on() {
                    return Ok(());
                }
            }
            self.store.note_lone_try(self.term.epoch, msg_id).await?;
            self.careful.noted = Some(msg_id);
        }
        match self.run(vec![row], now).await {
            Ok(Ran::Ended) => {
                self.careful.passed();
                Ok(())
            }
            // The process lives, whatever it was: nothing is held against the message.
            Ok(Ran::GoesOn) => self.forget().await,
            Err(trouble) => {
                if let Err(silent) = self.forget().await {
                    tracing::debug!("a lone try is still noted: {silent:?}");
                }
                Err(trouble)
            }
        }
    }

    /// How often the process has died while this message was tried alone, in a row.
    async fn deaths(&mut self, msg_id: MsgId) -> Result<u32, Trouble> {
        if self.careful.looked {
            return Ok(0);
        }
        let noted = self.store.lone_try().await?;
        let deaths = noted.filter(|(noted, _)| *noted == msg_id).map_or(0, |(_, tries)| tries);
        // As long as it is this message that was noted, the answer stands.
        self.careful.looked = deaths == 0;
        Ok(deaths)
    }

    async fn give_up(&mut self, row: &Candidate, deaths: u32, now: Timestamp) -> Result<(), Trouble> {
        GivenUpAsLethal { msg_id: row.msg_id, deaths }.emit();
        self.commit(alone(ended_the_process(row, deaths)), now).await?;
        self.careful.looked = true;
        self.careful.passed();
        self.store.forget_lone_try(self.term.epoch).await?;
        Ok(())
    }

    async fn forget(&mut self) -> Result<(), Trouble> {
        if self.careful.noted.is_some() {
            self.store.forget_lone_try(self.term.epoch).await?;
            (self.careful.noted, self.careful.looked) = (None, true);
        }
        Ok(())
    }
}
