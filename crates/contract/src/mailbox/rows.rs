//! A second look at rows: what is there, and the mark as anybody sees it.

use domain::MsgId;
use engine::ports::{Mailbox, MailboxRow, MailboxRows};

use super::land;
use crate::Mark;
use crate::sample::{ids, letter, range, whole};

cases! { $ mailbox_rows_cases: MailboxHarness in mailbox::rows;
    async fn rows_are_seen_again_with_their_marks(subject) {
        let mailbox = subject.mailbox();
        land(mailbox, &vec![letter("x"); 4]).await;
        mailbox.mark(&ids([1]), whole(90)).await.expect("marks");
        let other = Mark { status: Some("OTHER".into()), processed_at: Some(whole(5)) };
        subject.mark_by_other(MsgId(2), other).await;
        subject.delete(MsgId(3)).await;
        let row = |id, at: Option<i64>, status: Option<&str>| MailboxRow {
            id: MsgId(id),
            is_marked: at.is_some(),
            marked_at: at.map(whole),
            status: status.map(Into::into),
        };
        let all = [row(1, Some(90), Some("PROCESSED")), row(2, Some(5), Some("OTHER")), row(4, None, None)];
        assert_eq!(mailbox.rows(range(0, 9), 10).await, Ok(all.to_vec()));
        assert_eq!(mailbox.rows(range(0, 9), 1).await, Ok(all[..1].to_vec()));
        assert_eq!(mailbox.rows(range(2, 3), 10).await, Ok(all[1..2].to_vec()));
        assert_eq!(mailbox.rows(range(5, 9), 10).await, Ok(vec![]));
    }
}
