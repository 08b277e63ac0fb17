//! The first start on a mailbox that was never read: sets the watermark, once.

use domain::Epoch;
use jiff::Timestamp;

use super::plan;
use crate::happened::StartedAt;
use crate::ports::{Extent, Mailbox, Store};
use crate::room::Trouble;
use crate::settings::DiscoverySettings;

/// Sets the watermark where `settings.start_at` says. Does nothing when there is one already.
pub(super) async fn first_start(
    mailbox: &impl Mailbox,
    store: &impl Store,
    epoch: Epoch,
    at: Timestamp,
    settings: &DiscoverySettings,
) -> Result<(), Trouble> {
    let Extent { first, last } = mailbox.extent().await?;
    let watermark = plan::start(settings.start_at, first, last, settings.id_step);
    store.start_at(epoch, watermark, at).await?;
    StartedAt { watermark }.emit();
    Ok(())
}
