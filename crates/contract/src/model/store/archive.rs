//! Messages that are over, and dead letters that come back.

use domain::MsgId;
use domain::message::{Holder, IdentityKey, Labels, State};
use engine::ports::{Archivable, ArchivePlace, Old, StoreError};
use jiff::Timestamp;

use super::tables::{MarkColumns, Row, Tables};

impl Tables {
    pub(super) fn archivable(
        &self,
        before: Timestamp,
        after: Option<ArchivePlace>,
        limit: usize,
    ) -> Vec<Archivable> {
        let old = self.rows.iter().filter(|(_, row)| may_go(row) && row.updated_at < before);
        let mut found: Vec<Archivable> = old
            .map(|(id, row)| Archivable { msg_id: *id, state: row.state, updated_at: row.updated_at })
            .filter(|one| Some(one.place()) > after)
            .collect();
        found.sort_by_key(|one| one.place());
        found.truncate(limit);
        found
    }

    pub(super) fn archive(&mut self, seen: &[Archivable], at: Timestamp) -> Result<u64, StoreError> {
        let mut moved = 0;
        for one in seen {
            let as_seen =
                |row: &&Row| may_go(row) && (row.state, row.updated_at) == (one.state, one.updated_at);
            let Some(row) = self.rows.get(&one.msg_id).filter(as_seen).cloned() else { continue };
            if self.archive.insert(one.msg_id, (row, at)).is_some() {
                return Err(StoreError::Data(format!("proc_state_hst: {} is there already", one.msg_id)));
            }
            self.leave_shadow(one.msg_id, at);
            moved += 1;
        }
        Ok(moved)
    }

    pub(super) fn leave_shadow(&mut self, msg_id: MsgId, at: Timestamp) {
        let row = self.rows.get_mut(&msg_id).expect("a row to archive");
        assert!(row.state.is_terminal(), "only terminal rows are archived");
        *row = Row {
            state: State::Archived,
            identity: row.identity.take(),
            attempts: 0,
            due: None,
            class: None,
            last_error: None,
            labels: Labels::default(),
            content_hash: None,
            received_at: None,
            enqueued_at: at,
            updated_at: at,
            mark: MarkColumns::default(),
            archived_at: Some(at),
        };
    }

    pub(super) fn restore(&mut self, ids: &[MsgId]) -> Vec<MsgId> {
        let mut restored: Vec<MsgId> = ids
            .iter()
            .copied()
            .filter(|id| self.archived_dead(*id) && self.raw.contains_key(id) && self.is_shadow(*id))
            .collect();
        restored.sort_unstable();
        restored.dedup();
        for id in &restored {
            let (past, _) = self.archive.remove(id).expect("found above");
            let shadow = self.rows.get_mut(id).expect("found above");
            *shadow = Row { identity: shadow.identity.take(), ..past };
        }
        restored
    }

    pub(super) fn forget_archived(&mut self, old: Old, limit: usize) -> u64 {
        let gone = oldest(self.archive.iter().map(|(id, (_, at))| (*at, *id)), old, limit);
        for id in &gone {
            self.archive.remove(id);
            self.attempts.remove(id);
        }
        gone.len() as u64
    }

    pub(super) fn forget_shadows(&mut self, old: Old, limit: usize) -> u64 {
        let shadows = self.rows.iter().filter_map(|(id, row)| Some((row.archived_at?, *id)));
        let gone = oldest(shadows, old, limit);
        for id in &gone {
            self.rows.remove(id);
        }
        gone.len() as u64
    }

    pub(super) fn holder(&self, msg_id: MsgId, row: &Row, key: IdentityKey) -> Holder {
        let past = self.archive.get(&msg_id).filter(|_| row.state == State::Archived);
        let state = if self.archived_dead(msg_id) { State::Dead } else { row.state };
        let content_hash = past.map_or(row.content_hash, |(past, _)| past.content_hash);
        Holder { key, msg_id, state, content_hash }
    }

    pub(super) fn archived_dead(&self, msg_id: MsgId) -> bool {
        self.is_shadow(msg_id) && self.archive.get(&msg_id).is_some_and(|(past, _)| past.state == State::Dead)
    }

    pub(super) fn is_shadow(&self, msg_id: MsgId) -> bool {
        self.rows.get(&msg_id).is_some_and(|row| row.state == State::Archived)
    }
}

fn may_go(row: &Row) -> bool {
    row.state.is_terminal() && row.mark.settled()
}

fn oldest(rows: impl Iterator<Item = (Timestamp, MsgId)>, old: Old, limit: usize) -> Vec<MsgId> {
    let mut gone: Vec<_> = rows.filter(|(at, id)| *at < old.before && *id < old.below).collect();
    gone.sort_unstable();
    gone.truncate(limit);
    gone.into_iter().map(|(_, id)| id).collect()
}
