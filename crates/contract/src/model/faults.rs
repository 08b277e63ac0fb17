//! Failures on demand, by verb.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;

use super::lock;

/// The failures a model will answer with, and how often each verb was called.
#[derive(Debug)]
pub struct Faults<V, E>(Arc<Mutex<HashMap<V, Plan<E>>>>);

#[derive(Debug)]
struct Plan<E> {
    calls: u64,
    before: VecDeque<E>,
    after: VecDeque<E>,
    gate: Option<Arc<Notify>>,
}

impl<V, E> Clone for Faults<V, E> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<V, E> Default for Faults<V, E> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<V: Copy + Eq + Hash, E> Faults<V, E> {
    /// The next call of `verb` that nothing else is planned for fails and does nothing.
    pub fn fail_next(&self, verb: V, error: E) {
        self.plan(verb, |plan| plan.before.push_back(error));
    }

    /// The next call of `verb` takes effect, and its answer is lost behind `error`.
    pub fn lose_answer(&self, verb: V, error: E) {
        self.plan(verb, |plan| plan.after.push_back(error));
    }

    /// Holds the next call of `verb` before it acts, until the bell given is rung
    /// ([`Notify::notify_one`]).
    pub fn hold_next(&self, verb: V) -> Arc<Notify> {
        let gate = Arc::new(Notify::new());
        self.plan(verb, |plan| plan.gate = Some(Arc::clone(&gate)));
        gate
    }

    /// Calls of `verb` so far, held and failed ones included.
    pub fn calls(&self, verb: V) -> u64 {
        self.plan(verb, |plan| plan.calls)
    }

    /// To be awaited before a verb acts.
    pub(super) async fn before(&self, verb: V) -> Result<(), E> {
        tokio::task::yield_now().await;
        let gate = self.plan(verb, |plan| {
            plan.calls += 1;
            plan.gate.take()
        });
        if let Some(gate) = gate {
            gate.notified().await;
        }
        self.plan(verb, |plan| plan.before.pop_front()).map_or(Ok(()), Err)
    }

    /// To be asked once a verb has acted.
    pub(super) fn after(&self, verb: V) -> Result<(), E> {
        self.plan(verb, |plan| plan.after.pop_front()).map_or(Ok(()), Err)
    }

    fn plan<T>(&self, verb: V, change: impl FnOnce(&mut Plan<E>) -> T) -> T {
        let empty = || Plan { calls: 0, before: VecDeque::new(), after: VecDeque::new(), gate: None };
        change(lock(&self.0).entry(verb).or_insert_with(empty))
    }
}

#[cfg(test)]
mod tests {
    use domain::MsgId;
    use engine::ports::{Mailbox as _, MailboxError};

    use crate::model::{Mailbox, MailboxVerb};
    use crate::sample::letter;

    fn gone() -> MailboxError {
        MailboxError::Unavailable("gone".into())
    }

    #[tokio::test]
    async fn a_planned_failure_happens_once_and_does_nothing() {
        let mailbox = Mailbox::default();
        mailbox.faults().fail_next(MailboxVerb::Insert, gone());
        assert_eq!(mailbox.insert(&[letter("a")]).await, Err(gone()));
        assert_eq!(mailbox.ids(), []);
        assert_eq!(mailbox.insert(&[letter("a")]).await, Ok(vec![MsgId(1)]));
        assert_eq!(mailbox.faults().calls(MailboxVerb::Insert), 2);
    }

    #[tokio::test]
    async fn a_lost_answer_hides_an_effect() {
        let mailbox = Mailbox::default();
        mailbox.faults().lose_answer(MailboxVerb::Insert, gone());
        assert_eq!(mailbox.insert(&[letter("a")]).await, Err(gone()));
        assert_eq!(mailbox.ids(), [MsgId(1)]);
    }

    #[tokio::test]
    async fn a_held_call_acts_when_it_is_let_go() {
        let mailbox = Mailbox::default();
        let gate = mailbox.faults().hold_next(MailboxVerb::Insert);
        let held = tokio::spawn({
            let mailbox = mailbox.clone();
            async move { mailbox.insert(&[letter("held")]).await }
        });
        while mailbox.faults().calls(MailboxVerb::Insert) == 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(mailbox.insert(&[letter("first")]).await, Ok(vec![MsgId(1)]));
        gate.notify_one();
        assert_eq!(held.await.expect("ends"), Ok(vec![MsgId(2)]));
    }
}
