//! A dry run: what would be done, and for a replay what it would change of each flight.

use std::collections::BTreeMap;

use domain::MsgId;
use domain::decide::{Effects, Policy};
use domain::lifecycle::Facts;
use domain::message::{Conclusion, Settled};
use engine::lifecycle::{AHEAD_MAX, Plan, look_ahead};
use engine::ports::{Selected, Store};
use serde_json::{Value, json};
use sis::Dictionary;

/// Targets told one by one; of more, the number is told.
const TOLD_MAX: usize = 100;

/// What replays would do.
pub(super) struct Ahead(Effects);

impl Ahead {
    /// Decides on the world as it is now; writes nothing.
    pub(super) async fn look<S: Store>(store: &S, plan: &Plan, policy: &Policy) -> anyhow::Result<Self> {
        let ids: Vec<MsgId> = plan.allowed.iter().take(AHEAD_MAX).map(|target| MsgId(target.id)).collect();
        Ok(Self(look_ahead(store, &ids, policy, store.now().await?).await?))
    }

    fn ends(&self) -> BTreeMap<i64, String> {
        let settled = self.0.settled.iter().chain(&self.0.blocked);
        settled.map(|settled| (settled.msg_id.0, end(settled))).collect()
    }

    /// Changes of flights by message, for programs.
    fn changes(&self, id: i64, dictionary: &Dictionary) -> Vec<Value> {
        let steps = self.0.changes.iter().filter(|step| step.msg_id.0 == id);
        steps
            .map(|step| {
                json!({
                    "flid": step.flid.0, "stateVersion": step.state_version, "life": step.life.as_str(),
                    "changes": step.public_changes(dictionary).unwrap_or_default(),
                })
            })
            .collect()
    }
}

/// Prints a plan.
pub(super) fn told(
    plan: &Plan,
    ahead: Option<&Ahead>,
    dictionary: &Dictionary,
    json: bool,
) -> anyhow::Result<()> {
    if json {
        println!("{}", serde_json::to_string_pretty(&as_json(plan, ahead, dictionary))?);
    } else {
        print!("{}", as_text(plan, ahead, dictionary));
    }
    Ok(())
}

fn as_json(plan: &Plan, ahead: Option<&Ahead>, dictionary: &Dictionary) -> Value {
    let ends = ahead.map(Ahead::ends).unwrap_or_default();
    let allowed: Vec<Value> = plan
        .allowed
        .iter()
        .map(|target| {
            json!({
                "id": target.id, "is": facts(plan, target), "kind": label(target), "error": target.error,
                "wouldEnd": ends.get(&target.id),
                "flights": ahead.map(|ahead| ahead.changes(target.id, dictionary)),
            })
        })
        .collect();
    let refused: Vec<Value> =
        plan.refused.iter().map(|(target, words)| json!({ "id": target.id, "why": words })).collect();
    json!({ "act": plan.act.as_str(), "dryRun": true, "allowed": allowed, "refused": refused })
}

fn as_text(plan: &Plan, ahead: Option<&Ahead>, dictionary: &Dictionary) -> String {
    let ends = ahead.map(Ahead::ends).unwrap_or_default();
    let mut text =
        format!("would {} {}, {} refused\n", plan.act.as_str(), plan.allowed.len(), plan.refused.len());
    for target in plan.allowed.iter().take(TOLD_MAX) {
        text += &format!("{} {} {}", target.id, label(target), facts(plan, target));
        if let Some(end) = ends.get(&target.id) {
            text += &format!(" -> {end}");
        }
        text += "\n";
        for step in ahead.map(|ahead| ahead.changes(target.id, dictionary)).unwrap_or_default() {
            text += &flight(&step);
        }
    }
    if plan.allowed.len() > TOLD_MAX {
        text += &format!("… and {} more\n", plan.allowed.len() - TOLD_MAX);
    }
    for (target, words) in plan.refused.iter().take(TOLD_MAX) {
        text += &format!("{} refused: {words}\n", target.id);
    }
    text
}

/// One flight with each field from what to what.
fn flight(step: &Value) -> String {
    let mut text = format!("    flight {}, version {}:", step["flid"], step["stateVersion"]);
    for change in step["changes"].as_array().into_iter().flatten() {
        let field = change["field"].as_str().unwrap_or("?");
        text += &format!("\n      {field}: {} -> {}", change["from"], change["to"]);
    }
    text + "\n"
}

fn facts(plan: &Plan, target: &Selected) -> String {
    match &target.facts {
        Facts::Missing => "not there".to_owned(),
        Facts::Message(_) | Facts::Late(_) | Facts::Event(_) => target.facts.seen(plan.act),
    }
}

fn label(target: &Selected) -> String {
    let parts = [&target.kind, &target.subtype];
    parts.into_iter().flatten().cloned().collect::<Vec<_>>().join("-")
}

fn end(settled: &Settled) -> String {
    let state = settled.conclusion.state().as_str();
    match &settled.conclusion {
        Conclusion::Succeeded => state.to_owned(),
        Conclusion::Skipped { reason } => format!("{state}({reason})"),
        Conclusion::Dead { class, error } | Conclusion::Failed { class, error, .. } => {
            format!("{state}({class}): {error}")
        }
    }
}
