//! `msgx status`: the five facts, head, gaps, backlog, outbox and leader, as the stores have them.

mod leader;
mod past;

use std::process::ExitCode;

use domain::lifecycle::Pause;
use engine::ports::{
    Extent, FiveFacts, GapCount, LeaseState, Mailbox, OutboxCount, QueueView, Sink, Store, StoreError, Views,
};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Global, runtime};
use crate::params::format_duration;
use crate::wiring::{Job, Stack, with_present_stack};

pub(super) const EXAMPLE: &str = "Examples:
  msgx status
  msgx status --set msgx.data-dir=msgx-data/demo
  msgx status --output json";

#[derive(Debug, clap::Args)]
pub(crate) struct Status {}

impl Status {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        let config = global.load()?;
        let report = runtime()?.block_on(with_present_stack(&config, Asking))?;
        if global.json() {
            println!("{}", serde_json::to_string_pretty(&report.json())?);
        } else {
            print!("{}", report.text());
        }
        Ok(ExitCode::SUCCESS)
    }
}

struct Asking;

struct Report {
    at: Timestamp,
    extent: Result<Extent, String>,
    facts: FiveFacts,
    queue: QueueView,
    gaps: GapCount,
    outbox: Vec<OutboxCount>,
    /// Why discovery is stopped, if the mailbox is not the one that was read.
    stopped: Option<String>,
    /// Or why it can't be read.
    lease: Result<Option<LeaseState>, StoreError>,
    pauses: Vec<Pause>,
}

impl Job for Asking {
    type Output = Report;

    async fn run<M: Mailbox, S: Store + Views, K: Sink>(
        self,
        stack: Stack<M, S, K>,
    ) -> anyhow::Result<Report> {
        let store = &stack.store;
        Ok(Report {
            at: store.now().await?,
            extent: stack.mailbox.extent().await.map_err(|error| error.to_string()),
            stopped: past::stopped(&*stack.mailbox, &**store).await?,
            facts: store.five_facts().await?,
            queue: store.queue().await?,
            gaps: store.gaps().await?,
            outbox: store.outbox().await?,
            lease: store.lease().await,
            pauses: store.pauses().await?,
        })
    }
}

impl Report {
    fn last_landed(&self) -> Option<i64> {
        self.extent.as_ref().ok().and_then(|extent| extent.last).map(|id| id.0)
    }

    fn age(&self, since: Timestamp) -> String {
        let age = self.at.duration_since(since).unsigned_abs();
        format_duration(std::time::Duration::from_secs(age.as_secs().max(1)))
    }

    fn text(&self) -> String {
        let facts = &self.facts;
        let mailbox = match (&self.extent, self.last_landed()) {
            (Err(error), _) => error.clone(),
            (Ok(_), Some(last)) => format!("largest ID {last}"),
            (Ok(_), None) => "mailbox empty".into(),
        };
        let watermark = self.queue.watermark.map_or("not started".into(), |id| format!("W = {id}"));
        let delivered: Vec<String> =
            facts.delivered.iter().map(|(target, count)| format!("{} {count}", target.as_str())).collect();
        let mut lines = vec![
            format!("landed     {mailbox}"),
            format!("enqueued   {:<12} {watermark}", facts.enqueued),
            format!(
                "processed  {:<12} {} pending, {} failed, {} dead",
                facts.processed, self.queue.pending, self.queue.failed, self.queue.dead
            ),
            format!("delivered  {}", delivered.join(", ")),
            format!(
                "marked     {:<12} {} owed, {} abandoned",
                facts.marked, self.queue.unmarked, facts.abandoned
            ),
            format!("head       {}", self.head()),
            format!(
                "gaps       {} open ({} IDs), {} IDs released, {} late",
                self.gaps.open, self.gaps.open_ids, self.gaps.released_ids, self.gaps.late
            ),
        ];
        lines.extend(self.outbox.iter().map(|target| {
            let oldest = target.oldest.map_or(String::new(), |since| format!(", oldest {}", self.age(since)));
            format!(
                "outbox     {} {} pending{oldest}, {} dead",
                target.target.as_str(),
                target.pending,
                target.dead
            )
        }));
        lines.push(format!("leader     {}", self.leader()));
        let pauses = self.pauses();
        lines.extend(pauses.map(|pause| format!("paused     {} {pause}", pause.room.as_str())));
        lines.extend(self.stopped.iter().map(|words| format!("STOPPED    {words}")));
        lines.join("\n") + "\n"
    }

    fn head(&self) -> String {
        let Some(head) = &self.queue.head else { return "none: nothing waits".into() };
        let class = head.class.map_or("", domain::message::ErrorClass::as_str);
        let error = head.error.as_deref().unwrap_or("");
        format!(
            "message {} {} for {}, {} attempt(s) {class} {error}",
            head.msg_id,
            head.state.as_str(),
            self.age(head.enqueued_at),
            head.attempts
        )
        .trim_end()
        .to_owned()
    }

    /// Those in force.
    fn pauses(&self) -> impl Iterator<Item = &Pause> {
        self.pauses.iter().filter(|pause| pause.holds(self.at))
    }

    fn leader(&self) -> String {
        leader::told(self.lease.as_ref().map(Option::as_ref), self.at)
    }

    fn json(&self) -> Value {
        let facts = &self.facts;
        json!({
            "at": self.at.to_string(),
            "mailbox": { "lastId": self.last_landed(), "problem": self.extent.as_ref().err(), "stopped": self.stopped },
            "watermark": self.queue.watermark.map(|id| id.0),
            "enqueued": facts.enqueued,
            "processed": facts.processed,
            "marked": facts.marked,
            "abandoned": facts.abandoned,
            "delivered": facts.delivered.iter().map(|(t, n)| (t.as_str().to_owned(), json!(n))).collect::<serde_json::Map<_, _>>(),
            "backlog": { "pending": self.queue.pending, "failed": self.queue.failed, "dead": self.queue.dead, "unmarked": self.queue.unmarked },
            "head": self.queue.head.as_ref().map(|head| json!({
                "msgId": head.msg_id.0, "state": head.state.as_str(), "attempts": head.attempts,
                "class": head.class.map(domain::message::ErrorClass::as_str), "error": head.error,
                "due": head.due.map(|due| due.to_string()),
            })),
            "gaps": { "open": self.gaps.open, "openIds": self.gaps.open_ids, "releasedIds": self.gaps.released_ids, "late": self.gaps.late },
            "outbox": self.outbox.iter().map(|o| json!({ "target": o.target.as_str(), "pending": o.pending, "dead": o.dead })).collect::<Vec<_>>(),
            "paused": self.pauses().map(|pause| json!({
                "room": pause.room.as_str(), "by": pause.by, "reason": pause.reason,
                "since": pause.at.to_string(), "until": pause.until.map(|until| until.to_string()),
            })).collect::<Vec<_>>(),
            "leader": match &self.lease {
                Ok(lease) => json!(lease.as_ref().map(|lease| json!({
                    "owner": lease.owner, "epoch": lease.epoch.0, "expiresAt": lease.expires_at.to_string(),
                    "alive": lease.expires_at > self.at,
                }))),
                Err(error) => json!({ "problem": error.to_string() }),
            },
        })
    }
}
