//! What a process leaves behind: an orderly end or none, and the message it tried alone.

use domain::MsgId;
use engine::ports::{LastEnd, LoneTries, Store, StoreError};

use super::lead;

cases! { $ store_terms_cases: StoreHarness in store::terms;
    async fn a_term_that_was_closed_leaves_nothing_behind(subject) {
        let store = subject.store();
        let first = lead(store).await;
        assert_eq!(store.open_term(first).await, Ok(LastEnd::Clean), "there was none before");
        store.note_lone_try(first, MsgId(7)).await.expect("notes");
        store.close_term(first).await.expect("closes");
        assert_eq!(store.lone_try().await, Ok(None));
        store.release_lease(first).await.expect("releases");
        let second = lead(store).await;
        assert_eq!(store.open_term(second).await, Ok(LastEnd::Clean));
    }

    async fn a_term_that_was_not_closed_is_known_by_the_next_one_however_often_it_asks(subject) {
        let store = subject.store();
        let first = lead(store).await;
        store.open_term(first).await.expect("opens");
        store.release_lease(first).await.expect("releases");
        let second = lead(store).await;
        for _ in 0..2 {
            assert_eq!(store.open_term(second).await, Ok(LastEnd::Unclean));
        }
        store.close_term(second).await.expect("closes");
        store.release_lease(second).await.expect("releases");
        let third = lead(store).await;
        assert_eq!(store.open_term(third).await, Ok(LastEnd::Clean));
    }

    async fn lone_tries_of_one_message_in_a_row_are_counted_and_forgotten(subject) {
        let store = subject.store();
        let epoch = lead(store).await;
        store.open_term(epoch).await.expect("opens");
        assert_eq!(store.lone_try().await, Ok(None));
        assert_eq!(store.note_lone_try(epoch, MsgId(7)).await, Ok(1));
        assert_eq!(store.note_lone_try(epoch, MsgId(7)).await, Ok(2));
        assert_eq!(store.lone_try().await, Ok(Some((MsgId(7), 2))));
        assert_eq!(store.note_lone_try(epoch, MsgId(8)).await, Ok(1), "another message begins anew");
        assert_eq!(store.note_lone_try(epoch, MsgId(7)).await, Ok(1));
        store.forget_lone_try(epoch).await.expect("forgets");
        assert_eq!(store.lone_try().await, Ok(None));
        assert_eq!(store.note_lone_try(epoch, MsgId(7)).await, Ok(1));
    }

    async fn a_deposed_leader_notes_nothing(subject) {
        let store = subject.store();
        let old = lead(store).await;
        store.open_term(old).await.expect("opens");
        store.release_lease(old).await.expect("releases");
        let new = lead(store).await;
        assert_eq!(store.open_term(old).await, Err(StoreError::Fenced(old)));
        assert_eq!(store.close_term(old).await, Err(StoreError::Fenced(old)));
        assert_eq!(store.note_lone_try(old, MsgId(7)).await, Err(StoreError::Fenced(old)));
        assert_eq!(store.forget_lone_try(old).await, Err(StoreError::Fenced(old)));
        assert_eq!(store.open_term(new).await, Ok(LastEnd::Unclean));
    }
}
