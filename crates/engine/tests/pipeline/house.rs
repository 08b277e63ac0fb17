//! The engine among its models, and what a test asks of them.

use std::sync::Arc;
use std::time::Duration;

use contract::clock::TestClock;
use contract::model::{Mailbox, Sink, Store};
use domain::backoff::Backoff;
use domain::decide::{FlightPolicy, Policy};
use domain::event::Target;
use domain::message::{ErrorClass, IdentityPolicy, IgnoreRules, State};
use domain::{Flid, MsgId};
use engine::ports::{MessageView, NewLetter, QueueView, Views};
use engine::{Ended, Engine, Pulse, Settings, Stop};
use jiff::tz::{Offset, TimeZone};
use tokio::task::JoinHandle;

/// Rooms of a leader: each pauses when it has nothing to do.
pub(crate) const ROOMS: usize = 15;

pub(crate) const SECOND: Duration = Duration::from_secs(1);
pub(crate) const MINUTE: Duration = Duration::from_secs(60);

/// Everything outside the engine; it outlives every engine that works on it.
pub(crate) struct House {
    pub(crate) clock: TestClock,
    pub(crate) mailbox: Mailbox,
    pub(crate) store: Store,
    pub(crate) sink: Sink,
    pub(crate) settings: Settings,
}

/// An engine under way.
pub(crate) struct Running {
    pub(crate) pulse: Arc<Pulse>,
    pub(crate) stop: Stop,
    task: JoinHandle<Ended>,
}

impl House {
    pub(crate) fn new() -> Self {
        let clock = TestClock::default();
        Self {
            mailbox: Mailbox::default(),
            store: Store::new(clock.clone()),
            sink: Sink::default(),
            settings: Settings::new("test", policy()),
            clock,
        }
    }

    /// Starts an engine, without waiting for anything.
    pub(crate) fn launch(&self) -> Running {
        let (mailbox, store) = (Arc::new(self.mailbox.clone()), Arc::new(self.store.clone()));
        let (sink, clock) = (Arc::new(self.sink.clone()), Arc::new(self.clock.clone()));
        let engine = Engine::new(mailbox, store, sink, clock, self.settings.clone());
        let (pulse, stop) = (engine.pulse(), Stop::new());
        let task = tokio::spawn({
            let stop = stop.clone();
            async move { engine.run(&stop).await }
        });
        Running { pulse, stop, task }
    }

    /// Starts an engine that becomes the leader, and waits until it has done what there is to do.
    pub(crate) async fn start(&self) -> Running {
        let running = self.launch();
        self.clock.settled(ROOMS).await;
        running
    }

    /// Lets time pass, with everything that is due in it.
    pub(crate) async fn pass(&self, length: Duration) {
        self.clock.pass(length, ROOMS).await;
    }

    /// Puts letters into the mailbox and lets the engine find them.
    pub(crate) async fn post(&self, letters: impl IntoIterator<Item = NewLetter>) {
        for letter in letters {
            self.mailbox.land(letter);
        }
        self.pass(SECOND).await;
    }

    pub(crate) async fn message(&self, id: i64) -> Option<MessageView> {
        self.store.message(MsgId(id)).await.expect("the model answers")
    }

    /// State, failed attempts and class of a message.
    pub(crate) async fn fate(&self, id: i64) -> (State, u32, Option<ErrorClass>) {
        let message = self.message(id).await.expect("the message is enqueued");
        (message.state, message.attempts, message.class)
    }

    pub(crate) async fn states<const N: usize>(&self, ids: [i64; N]) -> Vec<Option<State>> {
        let mut states = Vec::new();
        for id in ids {
            let message = self.message(id).await;
            if let Some(error) = message.as_ref().and_then(|message| message.last_error.as_ref()) {
                println!("message {id}: {error}");
            }
            states.push(message.map(|message| message.state));
        }
        states
    }

    pub(crate) async fn queue(&self) -> QueueView {
        self.store.queue().await.expect("the model answers")
    }

    pub(crate) async fn watermark(&self) -> Option<i64> {
        self.queue().await.watermark.map(|id| id.0)
    }

    pub(crate) async fn version(&self, flid: i64) -> Option<i64> {
        let flight = self.store.flight(Flid(flid)).await.expect("the model answers");
        flight.map(|flight| flight.state_version)
    }

    /// Is the row marked in the mailbox?
    pub(crate) fn marked(&self, id: i64) -> bool {
        self.mailbox.mark_of(MsgId(id)).is_some_and(|mark| mark.processed_at.is_some())
    }

    /// `ce_id` of the records of a target, oldest first.
    pub(crate) fn sent(&self, target: Target) -> Vec<String> {
        let topic = match target {
            Target::Msg => "msgx.msg",
            Target::Schd => "msgx.schd",
        };
        let id = |(name, value): &(String, String)| (name == "ce_id").then(|| value.clone());
        self.sink.records(topic).iter().filter_map(|record| record.headers.iter().find_map(id)).collect()
    }
}

impl Running {
    /// Asks the engine to stop and waits until it has.
    pub(crate) async fn end(self) -> Ended {
        self.stop.stop();
        self.ended().await
    }

    /// Ends the engine where it stands, as `kill -9` does: no step is finished.
    pub(crate) async fn kill(self) {
        self.task.abort();
        assert!(self.task.await.is_err_and(|error| error.is_cancelled()), "killed");
    }

    /// Waits for an engine that ends by itself.
    pub(crate) async fn ended(self) -> Ended {
        self.task.await.expect("run returns")
    }
}

/// Gives way to the engine until something is so that it does by itself, without time passing.
pub(crate) async fn until(mut so: impl FnMut() -> bool) {
    while !so() {
        tokio::task::yield_now().await;
    }
}

pub(crate) fn policy() -> Policy {
    Policy {
        dictionary: sis::Dictionary::baseline(),
        carrier: sis::Carrier::Text,
        limits: sis::Limits::default(),
        zone: TimeZone::fixed(Offset::constant(8)),
        ignore: IgnoreRules::baseline(),
        identity: IdentityPolicy::default(),
        max_attempts: 5,
        decode_max_attempts: 2,
        backoff: Backoff { first: SECOND, cap: 30 * SECOND },
        flight: FlightPolicy::default(),
    }
}
