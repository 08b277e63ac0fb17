//! How terms end, and the message that is tried alone after an unclean end.

use domain::{Epoch, MsgId};
use engine::ports::{LastEnd, LoneTries, StoreError};

use super::{Store, StoreVerb};

/// `pipeline_term`.
#[derive(Debug, Clone, Default)]
pub(super) struct Term {
    epoch: Option<Epoch>,
    is_open: bool,
    follows_unclean: bool,
    lone: Option<(MsgId, u32)>,
}

impl LoneTries for Store {
    async fn open_term(&self, epoch: Epoch) -> Result<LastEnd, StoreError> {
        self.write_as(epoch, StoreVerb::OpenTerm, |tables| {
            let term = &mut tables.term;
            if term.epoch.replace(epoch) != Some(epoch) {
                term.follows_unclean = term.is_open;
            }
            term.is_open = true;
            Ok(if term.follows_unclean { LastEnd::Unclean } else { LastEnd::Clean })
        })
        .await
    }

    async fn close_term(&self, epoch: Epoch) -> Result<(), StoreError> {
        self.write_as(epoch, StoreVerb::CloseTerm, |tables| {
            if tables.term.epoch == Some(epoch) {
                (tables.term.is_open, tables.term.lone) = (false, None);
            }
            Ok(())
        })
        .await
    }

    async fn note_lone_try(&self, epoch: Epoch, msg_id: MsgId) -> Result<u32, StoreError> {
        self.write_as(epoch, StoreVerb::NoteLoneTry, |tables| {
            let before = tables.term.lone.filter(|(id, _)| *id == msg_id).map_or(0, |(_, tries)| tries);
            tables.term.lone = Some((msg_id, before + 1));
            Ok(before + 1)
        })
        .await
    }

    async fn lone_try(&self) -> Result<Option<(MsgId, u32)>, StoreError> {
        self.read(StoreVerb::LoneTry, |tables| tables.term.lone).await
    }

    async fn forget_lone_try(&self, epoch: Epoch) -> Result<(), StoreError> {
        self.write_as(epoch, StoreVerb::ForgetLoneTry, |tables| {
            tables.term.lone = None;
            Ok(())
        })
        .await
    }
}
