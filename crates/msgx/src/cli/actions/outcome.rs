//! What came of an action, told.

use std::process::ExitCode;

use engine::ports::{Done, Outcome, Progress};
use serde_json::json;

use super::acting::Told;

/// Refusals told one by one; of more, the number is told.
const REFUSALS_TOLD: usize = 20;

/// Prints the summary; exit code 1 where something was refused.
pub(super) fn tell(told: Told, ended: &Progress, results: &[Done]) -> anyhow::Result<ExitCode> {
    if told.json {
        let results: Vec<_> = results
            .iter()
            .map(|done| json!({ "id": done.id, "outcome": done.outcome.as_str(), "detail": done.detail }))
            .collect();
        let summary = json!({
            "operation": ended.operation.id, "act": ended.operation.act.as_str(),
            "targets": ended.targets, "done": ended.done, "refused": ended.refused,
            "now": results.len(), "results": results,
        });
        println!("{}", serde_json::to_string_pretty(&summary)?);
    } else {
        let refusals: Vec<&Done> = results.iter().filter(|done| done.outcome == Outcome::Refused).collect();
        for done in refusals.iter().take(REFUSALS_TOLD) {
            println!("{} refused: {}", done.id, done.detail);
        }
        if refusals.len() > REFUSALS_TOLD {
            println!("… and {} more", refusals.len() - REFUSALS_TOLD);
        }
        if let [only] = results
            && only.outcome == Outcome::Done
        {
            println!("{}: {}", only.id, only.detail);
        }
        let now = if results.is_empty() { " (nothing was left to do)" } else { "" };
        println!(
            "{}: {} done, {} refused of {}{now}; operation {}",
            ended.operation.act.as_str(),
            ended.done,
            ended.refused,
            ended.targets,
            ended.operation.id
        );
    }
    Ok(if ended.refused == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
