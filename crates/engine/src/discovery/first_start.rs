//! The first start on a mailbox that was never read: sets the watermark, once.

use domain::Epoch;
use jiff::Timestamp;

use super::beginning;
use crate::happened::StartedAt;
use crate::ports::{Extent, Mailbox, Store};
use crate::room::Trouble;
use crate::settings::DiscoverySettings;

/// Sets the watermark where `settings.start_at` says, and remembers which IDs just below it were
/// missing then: a row that appears there later is found by the audit. Does nothing when there is a
/// watermark already.
pub(super) async fn first_start(
    mailbox: &impl Mailbox,
    store: &impl Store,
    epoch: Epoch,
    at: Timestamp,
    settings: &DiscoverySettings,
) -> Result<(), Trouble> {
    let Extent { first, last } = mailbox.extent().await?;
    let watermark = beginning::start(settings.start_at, first, last, settings.id_step);
    let present = match beginning::doubtful(settings.start_at, watermark) {
        Some(range) => mailbox.present(&[range], beginning::IN_FLIGHT_MAX).await?,
        None => Vec::new(),
    };
    let closed = beginning::closed_at_start(settings.start_at, watermark, &present, at);
    store.start_at(epoch, watermark, &closed, at).await?;
    StartedAt { watermark }.emit();
    Ok(())
}
