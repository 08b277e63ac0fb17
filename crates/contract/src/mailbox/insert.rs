//! Letters put in by the ingress and `msgx send`.

use domain::message::StoredBody;
use engine::ports::{Mailbox, NewLetter};

use super::{all_above, land, poll, rows, visible};
use crate::sample::{ids, letter, letter_at};

cases! { $ mailbox_insert_cases: MailboxHarness in mailbox::insert;
    async fn letters_are_numbered_in_order(subject) {
        let mailbox = subject.mailbox();
        assert_eq!(land(mailbox, &[letter("a"), letter("b"), letter("c")]).await, [1, 2, 3]);
        assert_eq!(land(mailbox, &[letter("d")]).await, [4]);
        let read: Vec<_> = rows(mailbox).await.into_iter().map(|row| (row.id.0, row.body)).collect();
        let expected = [(1, "a"), (2, "b"), (3, "c"), (4, "d")]
            .map(|(id, body)| (id, StoredBody::Bytes(body.into())));
        assert_eq!(read, expected);
    }

    async fn nothing_to_insert_is_no_error(subject) {
        assert_eq!(subject.mailbox().insert(&[]).await, Ok(vec![]));
    }

    async fn an_explicit_id_is_taken_and_numbering_goes_on_behind_it(subject) {
        let mailbox = subject.mailbox();
        assert_eq!(land(mailbox, &[letter("a"), letter_at(10, "b"), letter("c")]).await, [1, 10, 11]);
        assert_eq!(visible(&poll(mailbox, &all_above(0)).await), [1, 10, 11]);
    }

    async fn letters_of_one_call_land_together_or_not_at_all(subject) {
        let mailbox = subject.mailbox();
        land(mailbox, &[letter_at(5, "five")]).await;
        let refused = mailbox.insert(&[letter("a"), letter_at(5, "again"), letter("b")]).await;
        assert!(refused.is_err(), "{refused:?}");
        assert_eq!(visible(&poll(mailbox, &all_above(0)).await), [5]);
    }

    async fn many_letters_land_in_order(subject) {
        let mailbox = subject.mailbox();
        let letters: Vec<NewLetter> = (1..=500).map(|n| letter(&n.to_string())).collect();
        let numbered = land(mailbox, &letters).await;
        assert!(numbered.is_sorted_by(|a, b| a < b));
        let read: Vec<_> = rows(mailbox).await.into_iter().map(|row| row.body).collect();
        assert!((1..=500).map(|n: i32| StoredBody::Bytes(n.to_string().into())).eq(read));
    }

    async fn a_new_row_has_no_mark(subject) {
        land(subject.mailbox(), &[letter("a")]).await;
        let mark = subject.mark_of(ids([1])[0]).await.expect("the row is there");
        assert_eq!(mark.processed_at, None);
    }
}
