//! What an action would be done to, and the frozen selection.

use domain::lifecycle::{Act, judge};

use super::ActionError;
use crate::ports::{FrozenTarget, Operation, Progress, Selected, Selection, Store};

/// Most targets of one operation.
pub const SELECTION_MAX: usize = 100_000;

/// Targets read at a time.
const PAGE: usize = 1_000;

/// A selection and the gate's verdict on each target as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The act.
    pub act: Act,
    /// Allowed, by ID.
    pub allowed: Vec<Selected>,
    /// Refused, with the reason, by ID.
    pub refused: Vec<(Selected, String)>,
    /// The targets were named: a refusal of one is an answer, and is audited.
    pub is_by_id: bool,
}

/// Selects, and asks the gate. Changes nothing.
///
/// # Errors
/// The store's, and [`ActionError::TooMany`].
pub async fn plan<S: Store>(store: &S, act: Act, selection: &Selection) -> Result<Plan, ActionError> {
    let is_by_id = matches!(selection, Selection::Ids(_));
    let mut plan = Plan { act, allowed: Vec::new(), refused: Vec::new(), is_by_id };
    let mut after = i64::MIN;
    loop {
        let page = store.select(act, selection, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(plan) };
        after = last.id;
        let is_last = page.len() < PAGE;
        for target in page {
            match judge(act, &target.facts, &target.facts.seen(act)) {
                Ok(_) => plan.allowed.push(target),
                Err(refusal) => plan.refused.push((target, refusal.0)),
            }
        }
        if plan.allowed.len() > SELECTION_MAX {
            return Err(ActionError::TooMany);
        }
        if is_last {
            return Ok(plan);
        }
    }
}

/// Freezes a plan under the operation's ID, or finds it frozen: the first selection stays.
///
/// # Errors
/// The store's, and [`ActionError::OtherOperation`] where the ID stands for another act or selection.
pub async fn freeze<S: Store>(
    store: &S,
    operation: &Operation,
    plan: &Plan,
) -> Result<Progress, ActionError> {
    let mut targets: Vec<FrozenTarget> = plan.allowed.iter().map(|target| frozen(plan.act, target)).collect();
    if plan.is_by_id {
        targets.extend(plan.refused.iter().map(|(target, _)| frozen(plan.act, target)));
    }
    let kept = store.confirm(operation, &targets).await?;
    same(operation, &kept.operation)?;
    Ok(kept)
}

/// Is `kept` the operation asked for?
pub(super) fn same(asked: &Operation, kept: &Operation) -> Result<(), ActionError> {
    if (kept.act, &kept.selection) == (asked.act, &asked.selection) {
        return Ok(());
    }
    let words = format!("{} {} by {}", kept.act.as_str(), kept.selection, kept.by);
    Err(ActionError::OtherOperation { id: asked.id.clone(), words })
}

fn frozen(act: Act, target: &Selected) -> FrozenTarget {
    FrozenTarget { id: target.id, seen: target.facts.seen(act) }
}
