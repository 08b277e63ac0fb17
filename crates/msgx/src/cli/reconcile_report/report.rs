//! What a comparison shows, for people and for programs.

use domain::MsgId;
use domain::mailbox::IdRange;
use domain::reconcile::{Difference, Tally};
use serde_json::{Value, json};

pub(super) struct Report {
    pub(super) range: Option<IdRange>,
    pub(super) tally: Tally,
    pub(super) listed: Vec<(MsgId, Difference)>,
}

impl Report {
    pub(super) fn as_json(&self) -> Value {
        let Tally { rows, known, left_out, marked, waiting, owed, given_up, differences } = &self.tally;
        let counts: serde_json::Map<_, _> =
            differences.iter().map(|(kind, count)| (kind.as_str().to_owned(), json!(count))).collect();
        let listed = self.listed.iter().map(|(id, kind)| json!({ "msgId": id.0, "kind": kind.as_str() }));
        json!({
            "from": self.range.map(|range| range.first.0),
            "to": self.range.map(|range| range.last.0),
            "rows": rows,
            "known": known,
            "leftOut": left_out,
            "marked": marked,
            "waiting": waiting,
            "owed": owed,
            "givenUp": given_up,
            "counts": counts,
            "differences": listed.collect::<Vec<_>>(),
        })
    }

    pub(super) fn as_text(&self) -> String {
        let Some(range) = self.range else {
            return "nothing to compare: the mailbox has no row that was taken up\n".to_owned();
        };
        let tally = &self.tally;
        let mut text = format!("IDs {} to {}\n", range.first, range.last);
        for (name, count, words) in [
            ("rows", tally.rows, "in the mailbox"),
            ("known", tally.known, "have a message in the own store"),
            ("left out", tally.left_out, "before the declared start, or dismissed"),
            ("marked", tally.marked, "carry the processed mark"),
            ("waiting", tally.waiting, "messages without an end yet"),
            ("owed", tally.owed, "ended, the mark is still to be written"),
            ("given up", tally.given_up, "marks given up (abandonment list)"),
        ] {
            text += &format!("  {name:<10}{count:>12}  {words}\n");
        }
        if tally.differences.is_empty() {
            return text + "no difference\n";
        }
        text += "differences\n";
        for (kind, count) in &tally.differences {
            text += &format!("  {:<18}{count:>12}  {}\n", kind.as_str(), advice(*kind));
        }
        self.listed.iter().for_each(|(id, kind)| text += &format!("{:>12}  {}\n", id.0, kind.as_str()));
        let all: u64 = tally.differences.values().sum();
        let more = all.saturating_sub(self.listed.len() as u64);
        if more > 0 {
            text += &format!("and {more} more: --limit, or --from a later ID\n");
        }
        text
    }
}

fn advice(kind: Difference) -> &'static str {
    match kind {
        Difference::NeverTakenUp => "nothing is known of the row: `msgx admit` or `msgx dismiss` it",
        Difference::RowGone => "the row was deleted out of turn: ask the mailbox's owner",
        Difference::MarkMissing => "the mark we wrote was taken away: ask the mailbox's owner",
        Difference::MarkedByAnother => "marked before its end, not by msgx: who else marks?",
        Difference::BodyMissing => "the body is gone before its time (msgx.retention.raw): who deleted it?",
        Difference::Untold => "a flight's step has no event: `msgx message` shows it",
    }
}
