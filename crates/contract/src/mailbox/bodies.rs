//! Bodies as they landed, within limits: one bad row never stops discovery.

use domain::message::StoredBody;
use engine::ports::{BodyLimits, Mailbox, NewLetter, PollRequest};
use sha2::{Digest, Sha256};

use super::{all_above, land, landed, poll, rows, visible};
use crate::sample::{letter, whole};

fn limits(poll_max: u64, body_max: u64) -> PollRequest {
    PollRequest { bodies: BodyLimits { poll_max, body_max }, ..all_above(0) }
}

fn bytes(text: &str) -> StoredBody {
    StoredBody::Bytes(text.as_bytes().to_vec())
}

async fn with_bodies(mailbox: &impl Mailbox, bodies: &[&str]) {
    let letters: Vec<_> = bodies.iter().map(|body| letter(body)).collect();
    land(mailbox, &letters).await;
}

cases! { $ mailbox_bodies_cases: MailboxHarness in mailbox::bodies;
    async fn texts_come_back_as_they_were_put_in(subject) {
        let mailbox = subject.mailbox();
        let long = "国航 ✈ ".repeat(20_000);
        let texts = [
            "<MSG><REMK>因天气原因延误</REMK></MSG>",
            "emoji 🛫🛬, 𠮷野家, naïve, ﷽",
            "line\r\nline\n\ttab 'quote' \"double\" \\ % _ ; --",
            " spaces around ",
            "",
            &long,
        ];
        with_bodies(mailbox, &texts).await;
        let read: Vec<_> = rows(mailbox).await.into_iter().map(|row| row.body).collect();
        assert_eq!(read, texts.map(bytes));
    }

    async fn lengths_are_in_bytes(subject) {
        let mailbox = subject.mailbox();
        let null = NewLetter { body: None, ..letter("") };
        land(mailbox, &[letter("abc"), letter("𠮷野"), null, letter("")]).await;
        let poll = poll(mailbox, &all_above(0)).await;
        let lengths: Vec<_> = poll.visible.iter().map(|row| row.length).collect();
        assert_eq!(lengths, [Some(3), Some(7), None, Some(0)]);
    }

    async fn a_null_body_is_a_row_like_any_other(subject) {
        let mailbox = subject.mailbox();
        let null = NewLetter { body: None, ..letter("") };
        land(mailbox, &[letter("a"), null, letter("c")]).await;
        let read: Vec<_> = rows(mailbox).await.into_iter().map(|row| row.body).collect();
        assert_eq!(read, [bytes("a"), StoredBody::Missing, bytes("c")]);
    }

    async fn a_body_over_the_limit_is_not_fetched_but_known(subject) {
        let mailbox = subject.mailbox();
        let (fits, long) = ("é".repeat(50), "é".repeat(51));
        with_bodies(mailbox, &["a", &long, &fits]).await;
        let poll = poll(mailbox, &limits(1 << 20, 100)).await;
        let read: Vec<_> = poll.landed.into_iter().map(|row| row.body).collect();
        let sha256 = Sha256::digest(long.as_bytes()).into();
        assert_eq!(read, [bytes("a"), StoredBody::Oversized { length: 102, sha256 }, bytes(&fits)]);
        assert_eq!(poll.visible[1].length, Some(102));
    }

    async fn bodies_are_cut_at_the_polls_limit_and_one_row_always_fits(subject) {
        let mailbox = subject.mailbox();
        with_bodies(mailbox, &["0123456789"; 3]).await;
        for (poll_max, expected) in [(1, 1), (19, 1), (20, 2), (29, 2), (30, 3)] {
            let poll = poll(mailbox, &limits(poll_max, 100)).await;
            assert_eq!(landed(&poll).len(), expected, "at most {poll_max} bytes");
            assert_eq!(visible(&poll), [1, 2, 3]);
        }
    }

    async fn what_is_not_fetched_takes_no_room(subject) {
        let mailbox = subject.mailbox();
        let long = "x".repeat(200);
        with_bodies(mailbox, &["0123456789", &long, "0123456789"]).await;
        assert_eq!(landed(&poll(mailbox, &limits(20, 100)).await), [1, 2, 3]);
    }

    async fn the_receive_time_is_read_as_written(subject) {
        let mailbox = subject.mailbox();
        let times = [whole(0), whole(-86_400 * 200), whole(3_600 * 8 + 59)];
        let letters = times.map(|received_at| NewLetter { received_at, ..letter("x") });
        land(mailbox, &letters).await;
        let read: Vec<_> = rows(mailbox).await.into_iter().map(|row| row.received_at).collect();
        assert_eq!(read, times.map(Some));
    }
}
