//! The mailbox as witness of its own past (PRE-3, DEC-5).

use std::collections::BTreeMap;

use domain::MsgId;
use domain::mailbox::Shown;
use engine::ports::{Mailbox, MailboxPast, Session};
use sha2::{Digest, Sha256};

use super::{all_above, land, poll};
use crate::sample::{ids, letter, letter_at};

async fn shown(mailbox: &impl Mailbox, of: &[MsgId]) -> Shown {
    mailbox.shown(of).await.expect("the mailbox answers").1
}

cases! { $ mailbox_past_cases: MailboxHarness in mailbox::past;
    async fn pre_03_the_next_number_is_behind_every_row_ever_there(subject) {
        let mailbox = subject.mailbox();
        let next = async || shown(mailbox, &[]).await.next;
        assert_eq!(next().await, Some(MsgId(1)));
        land(mailbox, &[letter("a"), letter("b")]).await;
        assert_eq!(next().await, Some(MsgId(3)));
        land(mailbox, &[letter_at(10, "c")]).await;
        assert_eq!(next().await, Some(MsgId(11)));
        for id in [1, 2, 10] {
            subject.delete(MsgId(id)).await;
        }
        assert_eq!(next().await, Some(MsgId(11)), "a purge");
    }

    async fn pre_03_rows_show_the_hash_of_the_body_a_poll_fetches(subject) {
        let mailbox = subject.mailbox();
        let body = "<MSG>延误</MSG>";
        let none = engine::ports::NewLetter { body: None, ..letter("") };
        land(mailbox, &[letter(body), none, letter("")]).await;
        let hash = |body: &str| Some(Sha256::digest(body.as_bytes()).into());
        let expected = BTreeMap::from([(MsgId(1), hash(body)), (MsgId(2), None), (MsgId(3), hash(""))]);
        assert_eq!(shown(mailbox, &ids([3, 1, 2, 77])).await.bodies, expected);
        assert_eq!(shown(mailbox, &[]).await.bodies, BTreeMap::new());
    }

    async fn what_polls_and_what_is_shown_comes_over_one_connection(subject) {
        let mailbox = subject.mailbox();
        let first = poll(mailbox, &all_above(0)).await;
        let session = Session { server: first.server, connection: first.connection };
        assert_eq!(mailbox.shown(&ids([1])).await.expect("answers").0, session);
        assert_eq!(mailbox.transactions().await.expect("answers").0, session);
        assert_eq!(poll(mailbox, &all_above(0)).await.connection, session.connection);
    }
}
