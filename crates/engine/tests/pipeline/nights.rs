//! What is done every night (FC-17).

use contract::model::{MailboxVerb, StoreVerb};
use engine::ports::{MailboxError, Store};

use crate::house::{House, MINUTE};
use crate::letters;

#[tokio::test]
async fn fc_17_mailbox_and_store_are_compared_every_night() {
    let mut house = House::new();
    let now = house.store.now().await.expect("the model answers");
    house.settings.reconcile_hour = (house.settings.policy.zone.to_datetime(now).hour() + 1) % 24;
    let running = house.start().await;
    house.post([letters::schedule(1, 1)]).await;
    let looks = || house.store.faults().calls(StoreVerb::Accounts);
    assert_eq!(looks(), 0);
    house.mailbox.faults().fail_next(MailboxVerb::Rows, MailboxError::Unavailable("gone".to_owned()));
    house.pass(61 * MINUTE).await;
    assert_eq!(looks(), 1, "once the mailbox is back");
    house.pass(61 * MINUTE).await;
    assert_eq!(looks(), 1, "once a night");
    assert_eq!(running.pulse.ready(), Ok(()));
    running.end().await;
}
