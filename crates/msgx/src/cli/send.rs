//! `msgx send`: puts messages into the mailbox, one per file.

use std::path::PathBuf;
use std::process::ExitCode;

use engine::ports::{Mailbox, NewLetter};
use indicatif::ProgressBar;
use jiff::Timestamp;

use super::{Global, runtime};
use crate::clock::now;
use crate::wiring::{MailboxJob, with_mailbox_alone};

pub(super) const EXAMPLE: &str = "Examples:
  msgx send message.xml another.xml
  cat message.xml | msgx send -
  msgx send --mailbox mysql://user:password@127.0.0.1:3306/exchange *.xml";

/// Letters per transaction.
const BATCH: usize = 500;

#[derive(Debug, clap::Args)]
pub(crate) struct Send {
    /// Files with one message each, or - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Mailbox to use instead of the configured one
    #[arg(long, value_name = "URL")]
    mailbox: Option<String>,
}

impl Send {
    pub(super) fn run(self, global: &Global) -> anyhow::Result<ExitCode> {
        let mut config = global.load()?;
        if let Some(url) = &self.mailbox {
            config.set("mailbox.url", url)?;
        }
        let json = global.json();
        let ids =
            runtime()?.block_on(with_mailbox_alone(&config, Sending { files: self.files, at: now() }))?;
        if json {
            println!("{}", serde_json::json!({ "sent": ids.len(), "ids": ids }));
        } else {
            let range = match (ids.first(), ids.last()) {
                (Some(first), Some(last)) if first != last => format!(", IDs {first} to {last}"),
                (Some(first), _) => format!(", ID {first}"),
                (None, _) => String::new(),
            };
            println!("{} message(s) in the mailbox{range}", ids.len());
        }
        Ok(ExitCode::SUCCESS)
    }
}

struct Sending {
    files: Vec<PathBuf>,
    at: Timestamp,
}

impl MailboxJob for Sending {
    type Output = Vec<i64>;

    async fn run<M: Mailbox>(self, mailbox: &M) -> anyhow::Result<Vec<i64>> {
        let bar = ProgressBar::new(self.files.len() as u64);
        let mut ids = Vec::with_capacity(self.files.len());
        for files in self.files.chunks(BATCH) {
            let mut letters = Vec::with_capacity(files.len());
            for file in files {
                let body = super::decode::read(file)?;
                letters.push(NewLetter { body: Some(body), received_at: self.at, id: None });
            }
            let written = mailbox.insert(&letters).await?;
            ids.extend(written.into_iter().map(|id| id.0));
            bar.inc(files.len() as u64);
        }
        bar.finish_and_clear();
        Ok(ids)
    }
}
