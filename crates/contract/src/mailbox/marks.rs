//! The processed mark: four outcomes, never overwritten (INV-7).

use domain::MsgId;
use engine::ports::{Mailbox, MarkOutcome};

use super::land;
use crate::Mark;
use crate::sample::{ids, letter, whole};

async fn with_rows(mailbox: &impl Mailbox, count: usize) {
    land(mailbox, &vec![letter("x"); count]).await;
}

fn ours(seconds: i64) -> Option<Mark> {
    Some(Mark { status: Some("PROCESSED".into()), processed_at: Some(whole(seconds)) })
}

cases! { $ mailbox_marks_cases: MailboxHarness in mailbox::marks;
    async fn an_empty_mark_is_written_with_its_time(subject) {
        let mailbox = subject.mailbox();
        with_rows(mailbox, 2).await;
        let outcome = mailbox.mark(&ids([1]), whole(90)).await;
        assert_eq!(outcome, Ok(vec![(MsgId(1), MarkOutcome::Written)]));
        assert_eq!(subject.mark_of(MsgId(1)).await, ours(90));
        assert_eq!(subject.mark_of(MsgId(2)).await, Some(Mark::default()), "no other row");
    }

    async fn inv_07_mark_is_never_overwritten(subject) {
        let mailbox = subject.mailbox();
        with_rows(mailbox, 3).await;
        let other = Mark { status: Some("OTHER".into()), processed_at: Some(whole(5)) };
        subject.mark_by_other(MsgId(2), other.clone()).await;
        let time_alone = Mark { status: None, processed_at: Some(whole(6)) };
        subject.mark_by_other(MsgId(3), time_alone.clone()).await;
        mailbox.mark(&ids([1]), whole(90)).await.expect("marks");
        let again = mailbox.mark(&ids([1, 2, 3]), whole(99)).await.expect("marks");
        assert_eq!(again, ids([1, 2, 3]).into_iter().map(|id| (id, MarkOutcome::AlreadyMarked)).collect::<Vec<_>>());
        assert_eq!(subject.mark_of(MsgId(1)).await, ours(90));
        assert_eq!(subject.mark_of(MsgId(2)).await, Some(other));
        assert_eq!(subject.mark_of(MsgId(3)).await, Some(time_alone));
    }

    async fn inv_07_of_two_markers_at_once_one_writes(subject) {
        let mailbox = subject.mailbox();
        with_rows(mailbox, 1).await;
        let id = ids([1]);
        let outcomes = tokio::join!(mailbox.mark(&id, whole(90)), mailbox.mark(&id, whole(91)));
        let written = Ok(vec![(MsgId(1), MarkOutcome::Written)]);
        assert_ne!(outcomes.0 == written, outcomes.1 == written, "{outcomes:?}");
        assert_eq!(subject.mark_of(MsgId(1)).await, ours(if outcomes.0 == written { 90 } else { 91 }));
    }

    async fn emptiness_is_judged_by_the_time_alone(subject) {
        let mailbox = subject.mailbox();
        with_rows(mailbox, 1).await;
        subject.mark_by_other(MsgId(1), Mark { status: Some("NEW".into()), processed_at: None }).await;
        let outcome = mailbox.mark(&ids([1]), whole(90)).await;
        assert_eq!(outcome, Ok(vec![(MsgId(1), MarkOutcome::Written)]));
        assert_eq!(subject.mark_of(MsgId(1)).await, ours(90));
    }

    async fn a_missing_row_is_said_to_be_missing_and_not_made(subject) {
        let mailbox = subject.mailbox();
        with_rows(mailbox, 2).await;
        subject.delete(MsgId(1)).await;
        let outcome = mailbox.mark(&ids([1, 77]), whole(90)).await;
        let missing = |id| (MsgId(id), MarkOutcome::Missing);
        assert_eq!(outcome, Ok(vec![missing(1), missing(77)]));
        assert_eq!(subject.mark_of(MsgId(77)).await, None);
    }

    async fn a_mixed_batch_is_answered_in_the_order_given(subject) {
        let mailbox = subject.mailbox();
        with_rows(mailbox, 4).await;
        mailbox.mark(&ids([3]), whole(80)).await.expect("marks");
        let outcome = mailbox.mark(&ids([4, 99, 3, 1]), whole(90)).await;
        let expected = [
            (4, MarkOutcome::Written),
            (99, MarkOutcome::Missing),
            (3, MarkOutcome::AlreadyMarked),
            (1, MarkOutcome::Written),
        ];
        assert_eq!(outcome, Ok(expected.map(|(id, outcome)| (MsgId(id), outcome)).to_vec()));
        assert_eq!(subject.mark_of(MsgId(2)).await, Some(Mark::default()));
        assert_eq!(mailbox.mark(&[], whole(90)).await, Ok(vec![]));
    }

    async fn a_large_batch_is_marked_whole(subject) {
        let mailbox = subject.mailbox();
        with_rows(mailbox, 700).await;
        let all: Vec<MsgId> = (1..=700).map(MsgId).collect();
        let outcome = mailbox.mark(&all, whole(90)).await.expect("marks");
        assert!(outcome.iter().map(|(id, _)| *id).eq(all));
        assert!(outcome.iter().all(|(_, outcome)| *outcome == MarkOutcome::Written));
        assert_eq!(subject.mark_of(MsgId(700)).await, ours(90));
    }
}
