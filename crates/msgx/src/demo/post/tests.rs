//! Pace, late letters, restarts, and letters of others in between.

use std::collections::BTreeSet;

use airport::{Options, Trouble};
use jiff::tz::TimeZone;
use stores::sqlite::{SqliteMailbox, SqliteMailboxOptions};

use super::*;

fn post(late_commit: f64) -> Post {
    let trouble = Trouble { late_commit, rolled_back: 0.1, ..Trouble::none() };
    let options = Options { flights: 10, trouble, ..Options::default() };
    Post::new(airport::traffic(&options), 100.0, Some(Duration::from_secs(3)), Duration::from_secs(1))
}

fn all(post: &mut Post, steps: &[u64]) -> Vec<MsgId> {
    let mut ids = Vec::new();
    for step in steps {
        ids.extend(post.due(Duration::from_millis(*step), usize::MAX).into_iter().map(|(id, _)| id));
    }
    ids
}

#[test]
fn the_same_letters_are_posted_in_one_step_or_in_many() {
    let once: BTreeSet<_> = all(&mut post(0.2), &[9_999]).into_iter().collect();
    let often: BTreeSet<_> = all(&mut post(0.2), &[10, 500, 501, 2_000, 9_999]).into_iter().collect();
    assert_eq!(once, often);
    assert!(once.len() < 300 && once.len() > 200, "{} of 300 land", once.len());
}

#[test]
fn late_letters_come_after_higher_ids_and_none_is_left_at_the_end() {
    let mut post = post(0.5);
    let ids = all(&mut post, &[9_999]);
    assert!(ids.windows(2).any(|pair| pair[0] > pair[1]));
    assert!(post.is_done());
}

#[test]
fn a_restart_goes_on_where_the_mailbox_ends() {
    let whole = all(&mut post(0.0), &[9_999]);
    let mut second = post(0.0);
    second.resume_after(whole[99]);
    second.count = second.count.map(|count| count - second.next);
    assert_eq!(all(&mut second, &[9_999]), whole[100..]);
}

#[tokio::test]
async fn others_may_put_letters_in_and_ours_make_room_in_order() {
    let directory = tempfile::tempdir().expect("a directory");
    let options = SqliteMailboxOptions { zone: TimeZone::UTC, processed_value: "PROCESSED".into() };
    let mailbox =
        SqliteMailbox::open(&directory.path().join("mailbox.db"), options).await.expect("a mailbox");
    let at = Timestamp::UNIX_EPOCH;
    let foreign = NewLetter { body: None, received_at: at, id: None };
    let (mut post, mut others) = (post(0.3), 0);
    while !post.is_done() {
        let elapsed = Duration::from_millis(100 + others * 20);
        post.deliver(&mailbox, elapsed, at, usize::MAX).await.expect("room is made");
        let many = vec![foreign.clone(); usize::try_from(others % 4 + 1).expect("a few")];
        others += mailbox.insert(&many).await.expect("inserted").len() as u64;
    }
    let last = mailbox.extent().await.expect("an extent").last.expect("rows");
    let everything = IdRange { first: MsgId(1), last };
    let present = mailbox.present(&[everything], usize::MAX).await.expect("IDs").len() as u64;
    assert_eq!(present, post.posted() + others);
    let alone = all(&mut self::post(0.3), &[9_999]).len() as u64;
    assert_eq!(post.posted(), alone, "no letter is lost for another's");
    assert!(last.0.unsigned_abs() > present, "planned gaps are still gaps");
}

#[test]
fn letters_keep_their_distances_when_they_make_room() {
    let mut post = post(0.5);
    let mut due = post.due(Duration::from_millis(400), usize::MAX);
    due.sort_by_key(|(id, _)| *id);
    let before: Vec<i64> = due.iter().map(|(id, _)| id.0).collect();
    post.make_room(&mut due, &[MsgId(before[0])], MsgId(1_000));
    let by = 1_001 - before[0];
    assert_eq!(
        due.iter().map(|(id, _)| id.0).collect::<Vec<_>>(),
        before.iter().map(|id| id + by).collect::<Vec<_>>()
    );
    let later = all(&mut post, &[9_999]);
    assert!(later.iter().all(|id| id.0 > 1_000 && due.iter().all(|(taken, _)| taken != id)));
}
