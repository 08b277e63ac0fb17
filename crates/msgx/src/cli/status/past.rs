//! Is the mailbox the one that was read (PRE-3)? Asked of both stores, whoever leads.

use domain::mailbox::{NEWEST, continuity};
use engine::ports::{Mailbox, Store, StoreError, Views};

/// Why discovery is stopped; `None` when it isn't, was never started, or the mailbox doesn't answer.
pub(super) async fn stopped(
    mailbox: &impl Mailbox,
    store: &(impl Store + Views),
) -> Result<Option<String>, StoreError> {
    let Some(watermark) = store.queue().await?.watermark else { return Ok(None) };
    let kept = store.newest_bodies(NEWEST).await?;
    let ids: Vec<_> = kept.iter().map(|body| body.msg_id).collect();
    let Ok((_, mut shown)) = mailbox.shown(&ids).await else { return Ok(None) };
    if kept.is_empty() {
        // Begun at an ID that may not be numbered yet.
        shown.next = None;
    }
    Ok(continuity(watermark, &kept, &shown, store.now().await?).map(|found| found.to_string()))
}
