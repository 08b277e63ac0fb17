//! Rows of transactions that are still open: unseen, waited for, never jumped over (INV-2).

use domain::MsgId;
use engine::ports::Mailbox;
use engine::ports::MarkOutcome;

use super::{all_above, land, landed, over, poll, visible};
use crate::sample::{ids, letter, range, whole};

cases! { $ mailbox_open_transactions_cases: OpenTransactions in mailbox::open_transactions;
    async fn inv_02_a_row_held_open_is_a_gap_until_it_commits(subject) {
        let mailbox = subject.mailbox();
        land(mailbox, &[letter("1")]).await;
        let (held, open) = subject.open(letter("2")).await;
        assert_eq!(held, MsgId(2));
        assert_eq!(land(mailbox, &[letter("3"), letter("4")]).await, [3, 4]);
        let before = poll(mailbox, &all_above(0)).await;
        assert_eq!((visible(&before), landed(&before)), (vec![1, 3, 4], vec![1]));
        subject.commit(open).await;
        let after = poll(mailbox, &all_above(1)).await;
        assert_eq!((visible(&after), landed(&after)), (vec![2, 3, 4], vec![2, 3, 4]));
    }

    async fn inv_02_a_row_that_commits_after_the_verdict_is_not_lost(subject) {
        let mailbox = subject.mailbox();
        let (_, open) = subject.open(letter("1")).await;
        land(mailbox, &[letter("2")]).await;
        let verdict = [range(1, 1)];
        subject.commit(open).await;
        assert_eq!(landed(&poll(mailbox, &over(0, &verdict)).await), [1, 2]);
    }

    async fn a_row_rolled_back_is_a_hole_for_good(subject) {
        let mailbox = subject.mailbox();
        land(mailbox, &[letter("1")]).await;
        let (held, open) = subject.open(letter("2")).await;
        subject.roll_back(open).await;
        assert_eq!(land(mailbox, &[letter("3")]).await, [3], "{held} isn't used again");
        let stopped = poll(mailbox, &all_above(0)).await;
        assert_eq!((visible(&stopped), landed(&stopped)), (vec![1, 3], vec![1]));
        let released = poll(mailbox, &over(1, &[range(2, 2)])).await;
        assert_eq!(landed(&released), [3]);
    }

    async fn an_uncommitted_row_is_not_there_for_anyone(subject) {
        let mailbox = subject.mailbox();
        let (held, open) = subject.open(letter("1")).await;
        assert_eq!(mailbox.present(&[range(1, 9)], 10).await, Ok(vec![]));
        assert_eq!(mailbox.extent().await.expect("answers").last, None);
        assert_eq!(mailbox.mark(&[held], whole(9)).await, Ok(vec![(held, MarkOutcome::Missing)]));
        subject.commit(open).await;
        assert_eq!(mailbox.present(&[range(1, 9)], 10).await, Ok(ids([1])));
    }

    async fn several_open_rows_commit_in_any_order(subject) {
        let mailbox = subject.mailbox();
        let (_, first) = subject.open(letter("1")).await;
        let (_, second) = subject.open(letter("2")).await;
        subject.commit(second).await;
        let poll_now = poll(mailbox, &all_above(0)).await;
        assert_eq!((visible(&poll_now), landed(&poll_now)), (vec![2], vec![]));
        subject.commit(first).await;
        assert_eq!(landed(&poll(mailbox, &all_above(0)).await), [1, 2]);
    }
}
