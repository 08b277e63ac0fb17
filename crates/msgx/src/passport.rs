//! Everything known of one message, from its landing to the offsets of its events: what the command
//! line and the API show. Personal data is masked unless the body is asked for as it is stored.

mod body;
mod facts;
mod json;

use domain::MsgId;
use domain::decide::{Policy, read, was_lethal};
use domain::lifecycle::Target;
use domain::message::{Candidate, State};
use engine::ports::{
    Actions, AttemptLog, AuditEntry, AuditFilter, ChangeView, EventView, MailboxRow, MessageRecord, RawBody,
    Sought, StoreError, Views,
};

pub(crate) use body::Shown;
pub(crate) use facts::Facts;
pub(crate) use json::record_json;

/// Most steps and events shown; a schedule of a day has some thousand records.
const SHOWN_MAX: usize = 2_000;

/// One message with everything around it.
pub(crate) struct Passport {
    /// Its row.
    pub(crate) record: MessageRecord,
    /// Its failed tries, oldest first.
    pub(crate) attempts: Vec<AttemptLog>,
    /// Its body; `None` where it isn't kept any longer.
    pub(crate) body: Option<RawBody>,
    /// What it changed.
    pub(crate) steps: Vec<ChangeView>,
    /// What it told.
    pub(crate) events: Vec<EventView>,
    /// Other messages that hold its identity, or hold it as a re-issue.
    pub(crate) holders: Vec<MessageRecord>,
    /// What operators did to it, newest first.
    pub(crate) audit: Vec<AuditEntry>,
    /// Its row in the mailbox, or why it can't be seen; the inner `None` is a row that is gone.
    pub(crate) mailbox: Result<Option<MailboxRow>, String>,
}

impl Passport {
    /// Reads it; `None` if the message was never heard of. `mailbox` is what was seen there.
    pub(crate) async fn read<V: Views + Actions>(
        views: &V,
        msg_id: MsgId,
        policy: &Policy,
        mailbox: Result<Option<MailboxRow>, String>,
    ) -> Result<Option<Self>, StoreError> {
        let Some(record) = views.record(msg_id).await? else { return Ok(None) };
        let body = views.body(msg_id).await?;
        let holders = match &body {
            Some(body) if !was_lethal(record.message.last_error.as_deref()) => {
                holders(views, &record, body, policy).await?
            }
            Some(_) | None => Vec::new(),
        };
        let filter =
            AuditFilter { target: Some((Target::Message, msg_id.to_string())), ..AuditFilter::default() };
        Ok(Some(Self {
            audit: views.audit(&filter, SHOWN_MAX).await?,
            attempts: views.attempts(msg_id).await?,
            steps: views.changes_by(msg_id, SHOWN_MAX).await?,
            events: views.events_by(msg_id, SHOWN_MAX).await?,
            record,
            body,
            holders,
            mailbox,
        }))
    }

    /// The message whose duplicate or re-issue it is, as its end says.
    pub(crate) fn original(&self) -> Option<MsgId> {
        let reason = self.record.message.last_error.as_deref()?;
        let reason = (self.record.message.state == State::Skipped).then_some(reason)?;
        let number = ["duplicate-of:", "reissue-of:"].into_iter().find_map(|why| reason.strip_prefix(why))?;
        number.parse().ok().map(MsgId)
    }
}

/// Who holds the identity that its META gives it, beside itself.
async fn holders<V: Views>(
    views: &V,
    record: &MessageRecord,
    body: &RawBody,
    policy: &Policy,
) -> Result<Vec<MessageRecord>, StoreError> {
    let candidate = Candidate {
        msg_id: record.message.msg_id,
        state: record.message.state,
        attempts: record.message.attempts,
        due: None,
        enqueued_at: record.message.enqueued_at,
        body: body.body.clone(),
    };
    let mut holders = Vec::new();
    for key in read(candidate, policy).keys() {
        let sought = Sought { identity: Some(key), ..Sought::default() };
        let found = views.messages(&sought, MsgId(i64::MAX), 1).await?.messages;
        holders.extend(found.into_iter().filter(|holder| holder.message.msg_id != record.message.msg_id));
    }
    Ok(holders)
}
