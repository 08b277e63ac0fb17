//! Lists of messages: the same for the command line and for programs.

use domain::Flid;
use domain::MsgId;
use domain::message::{ErrorClass, IdentityKey, State};
use engine::ports::{MessagePage, Sought, StoreError, Views};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::passport::record_json;

/// Most messages of one list.
pub(crate) const MESSAGES_MAX: usize = 1_000;

/// Answers of the store that one list is made of, at most; each looks at a bounded number of rows.
const LOOKS_MAX: usize = 20;

/// Filters of a list, as they are given by people and programs.
#[derive(Debug, Clone, Default, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub(crate) struct Filters {
    /// PENDING, FAILED, SUCCEEDED, SKIPPED or DEAD; archived messages have the state they ended in
    #[arg(long)]
    state: Option<String>,
    /// Class of the failure, such as UNSUPPORTED
    #[arg(long)]
    class: Option<String>,
    /// TYPE
    #[arg(long = "type", value_name = "TYPE")]
    r#type: Option<String>,
    /// STYP
    #[arg(long)]
    styp: Option<String>,
    /// SNDR
    #[arg(long)]
    sender: Option<String>,
    /// The identity held, such as "AODB|FLOP|GTDT|604411"
    #[arg(long)]
    identity: Option<String>,
    /// A flight that was changed, by FLID
    #[arg(long)]
    flid: Option<i64>,
    /// Enqueued at or after, such as 2026-05-01T00:00:00+08:00
    #[arg(long, value_name = "TIME")]
    since: Option<Timestamp>,
    /// Enqueued before
    #[arg(long, value_name = "TIME")]
    until: Option<Timestamp>,
    /// Most messages listed, up to 1000
    #[arg(long, default_value_t = 50)]
    #[serde(default = "fifty")]
    limit: usize,
    /// Messages with smaller IDs only: where the list before ended
    #[arg(long, value_name = "ID")]
    before: Option<i64>,
}

fn fifty() -> usize {
    50
}

impl Filters {
    /// What is sought; the error names the filter and what it takes.
    pub(crate) fn sought(&self) -> Result<Sought, String> {
        let state = self.state.as_deref().map(|name| {
            State::parse(&name.to_uppercase()).filter(|state| *state != State::Archived).ok_or_else(|| {
                format!("state: '{name}' is none of PENDING, FAILED, SUCCEEDED, SKIPPED, DEAD")
            })
        });
        let class = self.class.as_deref().map(|name| {
            let accepted = || ErrorClass::ALL.map(ErrorClass::as_str).join(", ");
            ErrorClass::parse(&name.to_uppercase())
                .ok_or_else(|| format!("class: '{name}' is none of {}", accepted()))
        });
        Ok(Sought {
            state: state.transpose()?,
            class: class.transpose()?,
            kind: self.r#type.clone(),
            subtype: self.styp.clone(),
            sender: self.sender.clone(),
            identity: self.identity.clone().map(IdentityKey),
            flid: self.flid.map(Flid),
            since: self.since,
            until: self.until,
        })
    }

    /// The messages, newest first. Where few are as sought, it looks on for a while and then says
    /// where to go on.
    pub(crate) async fn read<V: Views>(&self, sought: &Sought, views: &V) -> Result<MessagePage, StoreError> {
        let limit = self.limit.clamp(1, MESSAGES_MAX);
        let mut before = self.before.map_or(MsgId(i64::MAX), MsgId);
        let mut found = MessagePage::default();
        for _ in 0..LOOKS_MAX {
            let page = views.messages(sought, before, limit - found.messages.len()).await?;
            found.messages.extend(page.messages);
            found.next = page.next;
            match page.next {
                Some(next) if found.messages.len() < limit => before = next,
                Some(_) | None => break,
            }
        }
        Ok(found)
    }
}

/// A list for programs; `next` is the cursor of the one after it.
pub(crate) fn page_json(page: &MessagePage) -> Value {
    json!({
        "messages": page.messages.iter().map(record_json).collect::<Vec<_>>(),
        "next": page.next.map(|id| id.0),
    })
}
