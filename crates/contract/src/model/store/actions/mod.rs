//! What operators do.

mod effects;
mod matching;
mod select;

use engine::ports::{
    AuditEntry, AuditFilter, Batch, Done, FrozenTarget, Operation, Outcome, PauseOrder, Progress,
};

use super::tables::{KeptOperation, Tables};

impl Tables {
    pub(super) fn confirm(&mut self, operation: &Operation, targets: &[FrozenTarget]) -> Progress {
        let targets = targets.iter().map(|target| (target.id, (target.seen.clone(), None)));
        let kept = || KeptOperation { operation: operation.clone(), targets: targets.collect() };
        progress(self.operations.entry(operation.id.clone()).or_insert_with(kept))
    }

    pub(super) fn progress(&self, id: &str) -> Option<Progress> {
        self.operations.get(id).map(progress)
    }

    pub(super) fn open_targets(&self, id: &str, limit: usize) -> Vec<i64> {
        let targets = self.operations.get(id).into_iter().flat_map(|kept| &kept.targets);
        targets.filter(|(_, (_, outcome))| outcome.is_none()).map(|(id, _)| *id).take(limit).collect()
    }

    pub(super) fn carry_out(&mut self, batch: &Batch) -> Vec<Done> {
        let Some(kept) = self.operations.get(&batch.operation).cloned() else { return Vec::new() };
        let act = kept.operation.act;
        let mut all_done = Vec::new();
        for id in &batch.ids {
            let Some((seen, None)) = kept.targets.get(id) else { continue };
            let facts = self.facts(act, *id);
            let (change, mut done) = Done::judged(act, *id, &facts, seen);
            if let Some(change) = change
                && let Err(words) = self.apply(change, *id, &kept.operation, batch)
            {
                done = Done::refused(*id, &words);
            }
            self.note(&kept.operation, batch.at, &done);
            all_done.push(done);
        }
        all_done
    }

    fn note(&mut self, operation: &Operation, at: jiff::Timestamp, done: &Done) {
        if let Some(kept) = self.operations.get_mut(&operation.id)
            && let Some((_, outcome)) = kept.targets.get_mut(&done.id)
        {
            *outcome = Some(done.outcome);
        }
        self.audit.push(AuditEntry {
            at,
            by: operation.by.clone(),
            act: operation.act,
            target_id: done.id.to_string(),
            reason: operation.reason.clone(),
            operation: operation.id.clone(),
            outcome: done.outcome,
            detail: done.detail.clone(),
        });
    }

    pub(super) fn audited(&self, filter: &AuditFilter, limit: usize) -> Vec<AuditEntry> {
        let wanted = |entry: &&AuditEntry| {
            filter
                .target
                .as_ref()
                .is_none_or(|(target, id)| entry.act.target() == *target && entry.target_id == *id)
                && filter.operation.as_ref().is_none_or(|operation| entry.operation == *operation)
                && filter.by.as_ref().is_none_or(|by| entry.by == *by)
                && filter.since.is_none_or(|since| entry.at >= since)
        };
        self.audit.iter().rev().filter(wanted).take(limit).cloned().collect()
    }

    pub(super) fn set_pause(&mut self, order: &PauseOrder) -> bool {
        if self.operations.contains_key(&order.operation) {
            return true;
        }
        let was = self.pauses.remove(&order.room).filter(|pause| pause.holds(order.at));
        let (outcome, detail) = order.outcome(was.is_some());
        self.pauses.extend(order.pause().map(|pause| (order.room, pause)));
        let operation = order.operation();
        self.audit.push(AuditEntry {
            at: order.at,
            by: order.by.clone(),
            act: order.act(),
            target_id: order.room.as_str().to_owned(),
            reason: order.reason.clone(),
            operation: order.operation.clone(),
            outcome,
            detail,
        });
        self.confirm(&operation, &[]);
        outcome == Outcome::Done
    }
}

fn progress(kept: &KeptOperation) -> Progress {
    let count = |wanted| kept.targets.values().filter(|(_, outcome)| *outcome == Some(wanted)).count() as u64;
    Progress {
        operation: kept.operation.clone(),
        targets: kept.targets.len() as u64,
        done: count(Outcome::Done),
        refused: count(Outcome::Refused),
    }
}
