//! Texts that a column can't hold: the message's own fault, nothing is written.

use domain::MsgId;
use domain::message::{Conclusion, ErrorClass, IdentityKey, Labels, Settled};
use engine::ports::{Store, StoreError, Views};

use super::{head_ids, queued, run};
use crate::sample::{at, succeeded, tried};

cases! { $ store_strict_text_cases: StoreHarness in store::strict_text;
    async fn texts_a_column_cannot_hold_are_refused_as_data(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        let dead = |error: String| tried(2, Conclusion::Dead { class: ErrorClass::Malformed, error });
        let kind = Labels { kind: Some("K".repeat(17)), ..Labels::default() };
        for (why, last) in [
            ("NUL", dead("a\0b".into())),
            ("error too long", dead("x".repeat(1_001))),
            ("key too long", Settled { identity: Some(IdentityKey("x".repeat(201))), ..succeeded(2) }),
            ("label too long", Settled { labels: kind, ..succeeded(2) }),
        ] {
            let refused = store.commit_run(epoch, &run([succeeded(1), last]), at(5)).await;
            assert!(matches!(refused, Err(StoreError::Data(_))), "{why}: {refused:?}");
            assert_eq!(head_ids(store).await, [1, 2], "{why}");
        }
        store.commit_run(epoch, &run([succeeded(1)]), at(5)).await.expect("the others may go on");
        assert_eq!(store.message(MsgId(2)).await.expect("answers").expect("is there").attempts, 0);
    }
}
