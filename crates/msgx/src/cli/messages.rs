//! `msgx messages`: messages that are as sought, newest first.

use std::process::ExitCode;

use domain::message::ErrorClass;
use engine::ports::{Mailbox, MessagePage, MessageRecord, Sink, Sought, Store, Views};

use super::{Global, Refused, runtime};
use crate::register::{Filters, page_json};
use crate::wiring::{Job, Stack, with_present_stack};

pub(super) const EXAMPLE: &str = "Examples:
  msgx messages
  msgx messages --state dead --class unsupported
  msgx messages --type FLOP --styp GTDT --since 2026-05-01T00:00:00+08:00
  msgx messages --flid 7304412
  msgx messages --before 48213       goes on where a list ended
  msgx messages --output json | jq '.messages[].msgId'";

#[derive(Debug, clap::Args)]
pub(crate) struct Messages {
    #[command(flatten)]
    filters: Filters,
}

impl Messages {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        let sought = self.filters.sought().map_err(|words| Refused(vec![words]))?;
        let config = global.load()?;
        let asking = Asking { filters: self.filters.clone(), sought };
        let page = runtime()?.block_on(with_present_stack(&config, asking))?;
        if global.json() {
            println!("{}", serde_json::to_string_pretty(&page_json(&page))?);
        } else {
            print!("{}", as_text(&page));
        }
        Ok(ExitCode::SUCCESS)
    }
}

struct Asking {
    filters: Filters,
    sought: Sought,
}

impl Job for Asking {
    type Output = MessagePage;

    async fn run<M: Mailbox, S: Store + Views, K: Sink>(
        self,
        stack: Stack<M, S, K>,
    ) -> anyhow::Result<MessagePage> {
        Ok(self.filters.read(&self.sought, &*stack.store).await?)
    }
}

fn as_text(page: &MessagePage) -> String {
    let mut text = String::new();
    if page.messages.is_empty() {
        text += "no message is as sought\n";
    } else {
        text += &format!(
            "{:>10}  {:<24} {:<6} {:<10} {:<20}  {}\n",
            "ID", "state", "TYPE", "STYP", "enqueued", "identity, errors"
        );
    }
    page.messages.iter().for_each(|record| text += &line(record));
    if let Some(next) = page.next {
        text += &format!("more below: --before {next}\n");
    }
    text
}

fn line(record: &MessageRecord) -> String {
    let message = &record.message;
    let state = match message.class {
        Some(class) => format!("{}({class})", message.state.as_str()),
        None => message.state.as_str().to_owned(),
    };
    let label = |label: &Option<String>| label.clone().unwrap_or_else(|| "-".to_owned());
    let mut words: Vec<String> = Vec::new();
    words.extend(record.identity.as_ref().map(|key| key.0.clone()));
    words.extend(message.last_error.clone());
    words.extend(first_error(record).map(|(class, error)| format!("first: {class} {error}")));
    format!(
        "{:>10}  {:<24} {:<6} {:<10} {:<20}  {}\n",
        message.msg_id.0,
        state,
        label(&message.labels.kind),
        label(&message.labels.subtype),
        message.enqueued_at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        words.join("; ").replace('\n', " "),
    )
}

/// The first error, where it isn't told by the last one.
pub(super) fn first_error(record: &MessageRecord) -> Option<(ErrorClass, &str)> {
    let (class, error) = record.first_failure.as_ref()?;
    let told = record.message.last_error.as_deref().is_some_and(|last| last.contains(error.as_str()));
    (!told).then_some((*class, error.as_str()))
}
