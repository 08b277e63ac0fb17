//! Which rows a poll sees and which it may take up (C-13, INV-2, INV-5).

use domain::MsgId;
use engine::ports::{Extent, Mailbox, PollRequest};

use super::{all_above, land, landed, over, poll, visible};
use crate::Mark;
use crate::sample::{ids, letter, letter_at, range, whole};

async fn with_rows(mailbox: &impl Mailbox, rows: &[i64]) {
    let letters: Vec<_> = rows.iter().map(|id| letter_at(*id, &format!("<MSG>{id}</MSG>"))).collect();
    land(mailbox, &letters).await;
}

cases! { $ mailbox_poll_cases: MailboxHarness in mailbox::poll;
    async fn an_empty_mailbox_shows_nothing(subject) {
        let poll = poll(subject.mailbox(), &all_above(0)).await;
        assert_eq!((poll.visible, poll.landed), (vec![], vec![]));
        assert_eq!(subject.mailbox().extent().await, Ok(Extent::default()));
        assert_eq!(subject.mailbox().present(&[range(1, 9)], 10).await, Ok(vec![]));
    }

    async fn c_13_a_poll_sees_only_rows_above_the_watermark_ascending(subject) {
        let mailbox = subject.mailbox();
        with_rows(mailbox, &[4, 2, 1, 3]).await;
        for (after, expected) in [(0, &[1, 2, 3, 4][..]), (2, &[3, 4]), (4, &[])] {
            let poll = poll(mailbox, &all_above(after)).await;
            assert_eq!((visible(&poll), landed(&poll)), (expected.to_vec(), expected.to_vec()));
        }
    }

    async fn inv_05_marks_do_not_change_what_a_poll_sees(subject) {
        let mailbox = subject.mailbox();
        with_rows(mailbox, &[1, 2, 3]).await;
        let before = poll(mailbox, &all_above(0)).await;
        mailbox.mark(&ids([1, 3]), whole(9)).await.expect("marks");
        let other = Mark { status: Some("OTHER".into()), processed_at: Some(whole(5)) };
        subject.mark_by_other(MsgId(2), other).await;
        assert_eq!(poll(mailbox, &all_above(0)).await, before);
    }

    async fn a_poll_changes_nothing(subject) {
        let mailbox = subject.mailbox();
        with_rows(mailbox, &[1, 2]).await;
        let first = poll(mailbox, &all_above(0)).await;
        assert_eq!(poll(mailbox, &all_above(0)).await, first);
        assert_eq!(subject.mark_of(MsgId(1)).await, Some(Mark::default()));
    }

    async fn inv_02_bodies_stop_at_the_first_gap_and_ids_go_on(subject) {
        let mailbox = subject.mailbox();
        with_rows(mailbox, &[1, 2, 4, 5, 9]).await;
        let poll = poll(mailbox, &all_above(0)).await;
        assert_eq!((visible(&poll), landed(&poll)), (vec![1, 2, 4, 5, 9], vec![1, 2]));
    }

    async fn inv_02_a_gap_before_the_first_row_stops_everything(subject) {
        let mailbox = subject.mailbox();
        with_rows(mailbox, &[3, 4]).await;
        let poll = poll(mailbox, &all_above(1)).await;
        assert_eq!((visible(&poll), landed(&poll)), (vec![3, 4], vec![]));
    }

    async fn inv_02_a_dead_range_is_passed_over_only_where_it_is_empty(subject) {
        let mailbox = subject.mailbox();
        with_rows(mailbox, &[1, 3, 6, 10]).await;
        for (dead, expected) in [
            (&[range(2, 2)][..], &[1, 3][..]),
            (&[range(2, 2), range(4, 5)], &[1, 3, 6]),
            (&[range(2, 5)], &[1, 3, 6]),
            (&[range(4, 5)], &[1]),
            (&[range(2, 2), range(5, 5)], &[1, 3]),
            (&[range(2, 9)], &[1, 3, 6, 10]),
        ] {
            let poll = poll(mailbox, &over(0, dead)).await;
            assert_eq!(landed(&poll), expected, "dead: {dead:?}");
            assert_eq!(visible(&poll), [1, 3, 6, 10]);
        }
    }

    async fn a_gap_that_fills_is_taken_up_in_order(subject) {
        let mailbox = subject.mailbox();
        with_rows(mailbox, &[1, 3]).await;
        assert_eq!(landed(&poll(mailbox, &all_above(0)).await), [1]);
        with_rows(mailbox, &[2]).await;
        assert_eq!(landed(&poll(mailbox, &over(1, &[range(2, 2)])).await), [2, 3], "dead, but there");
    }

    async fn ids_are_consecutive_at_the_declared_step(subject) {
        let mailbox = subject.mailbox();
        with_rows(mailbox, &[2, 4, 6, 10]).await;
        let request = PollRequest { step: 2, ..all_above(2) };
        assert_eq!(landed(&poll(mailbox, &request).await), [4, 6]);
    }

    async fn ids_and_rows_are_cut_at_their_limits(subject) {
        let mailbox = subject.mailbox();
        with_rows(mailbox, &[1, 2, 3, 4, 5]).await;
        let few_ids = poll(mailbox, &PollRequest { ids_max: 3, ..all_above(1) }).await;
        assert_eq!((visible(&few_ids), landed(&few_ids)), (vec![2, 3, 4], vec![2, 3, 4]));
        let few_rows = poll(mailbox, &PollRequest { rows_max: 2, ..all_above(1) }).await;
        assert_eq!((visible(&few_rows), landed(&few_rows)), (vec![2, 3, 4, 5], vec![2, 3]));
    }

    async fn the_server_says_who_it_is(subject) {
        let first = poll(subject.mailbox(), &all_above(0)).await.server;
        assert!(!first.is_empty());
        assert_eq!(poll(subject.mailbox(), &all_above(0)).await.server, first);
    }

    async fn rows_within_ranges_are_found_ascending_up_to_a_limit(subject) {
        let mailbox = subject.mailbox();
        with_rows(mailbox, &[2, 4, 5, 9, 20]).await;
        for (ranges, limit, expected) in [
            (&[range(1, 4), range(9, 20)][..], 10, ids([2, 4, 9, 20])),
            (&[range(1, 4), range(9, 20)], 3, ids([2, 4, 9])),
            (&[range(5, 5)], 10, ids([5])),
            (&[range(6, 8), range(21, 1_000_000_000)], 10, vec![]),
            (&[], 10, vec![]),
        ] {
            assert_eq!(mailbox.present(ranges, limit).await, Ok(expected), "{ranges:?}");
        }
    }

    async fn the_extent_follows_arrivals_and_purges(subject) {
        let mailbox = subject.mailbox();
        with_rows(mailbox, &[7, 8, 9]).await;
        let extent = |first, last| Ok(Extent { first: Some(MsgId(first)), last: Some(MsgId(last)) });
        assert_eq!(mailbox.extent().await, extent(7, 9));
        subject.delete(MsgId(7)).await;
        assert_eq!(mailbox.extent().await, extent(8, 9));
        land(mailbox, &[letter("x")]).await;
        assert_eq!(mailbox.extent().await, extent(8, 10));
        assert_eq!(mailbox.present(&[range(1, 7)], 10).await, Ok(vec![]));
    }

    async fn a_purged_row_leaves_a_hole(subject) {
        let mailbox = subject.mailbox();
        with_rows(mailbox, &[1, 2, 3]).await;
        subject.delete(MsgId(2)).await;
        let poll = poll(mailbox, &all_above(0)).await;
        assert_eq!((visible(&poll), landed(&poll)), (vec![1, 3], vec![1]));
    }
}
