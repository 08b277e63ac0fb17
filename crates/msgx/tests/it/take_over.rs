//! Two processes on one store: however the leader falls, the other takes over, never do both write,
//! and the end state is that of one.

use sqlx::{AssertSqlSafe, PgConnection, raw_sql};

use crate::pipeline::{assert_end_state, drained};
use crate::support::place::Place;
use crate::support::program::Program;
use crate::support::until;
use crate::support::upstream::{insert, letters};

const MESSAGES: usize = 4_000;
/// Three leases of [`Place::arguments`].
const THREE_LEASES: &str = "6 seconds";

/// What happens to the leader.
#[derive(Debug, Clone, Copy)]
enum Fall {
    /// `kill -9`; another process is started.
    Killed,
    /// SIGSTOP with a run in hand and its transaction open, for three leases; then SIGCONT.
    Stopped,
    /// Every session of both is ended by the server.
    SessionsEnded,
}

#[tokio::test(flavor = "multi_thread")]
async fn pre_05_inv_17_however_a_leader_falls_the_end_state_is_that_of_one() {
    let place = Place::fresh("take_over").await;
    let mut pair = Pair::start(&place).await;
    let falls = [Fall::Killed, Fall::Stopped, Fall::SessionsEnded, Fall::Stopped, Fall::Killed];
    let every = MESSAGES / (falls.len() + 1);
    let landed = insert(&place.mailbox_url, &letters(13, MESSAGES), async |index| {
        if index > 0
            && index % every == 0
            && let Some(fall) = falls.get(index / every - 1)
        {
            pair.meets(*fall, &place).await;
        }
    })
    .await;
    drained(&place, &landed).await;
    assert_end_state(&place, &landed).await;
    let epochs = place.store_count("SELECT epoch FROM {s}.pipeline_lease").await;
    assert!(epochs >= 5, "the first, and one after each kill and stop: {epochs}");
    assert_eq!((pair.leader.stop(), pair.standby.stop()), (Some(0), Some(0)));
}

struct Pair {
    arguments: Vec<String>,
    leader: Program,
    standby: Program,
}

impl Pair {
    async fn start(place: &Place) -> Self {
        let arguments = [vec!["run".into()], place.arguments()].concat();
        let leader = Program::start(&arguments);
        until("the first leads", async || leads(&leader)).await;
        let standby = Program::start(&arguments);
        Self { arguments, leader, standby }
    }

    async fn meets(&mut self, fall: Fall, place: &Place) {
        match fall {
            Fall::Killed => {
                self.leader.kill();
                self.standby_leads().await;
                self.standby = Program::start(&self.arguments);
            }
            Fall::Stopped => {
                self.stop_with_a_run_in_hand(place).await;
                let stopped = now(place).await;
                self.standby_leads().await;
                let passed = format!(
                    "SELECT (now() >= '{stopped}'::timestamptz + interval '{THREE_LEASES}')::int::bigint"
                );
                until("three leases have passed", async || place.store_count(&passed).await == 1).await;
                self.standby.signal("-CONT");
                until("who was stopped stands by", async || !leads(&self.standby)).await;
            }
            Fall::SessionsEnded => {
                let all = format!(
                    "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'msgx/{}'",
                    place.name
                );
                assert!(place.store_count(&all).await > 0, "both have sessions");
                until("one of them leads", async || leads(&self.leader) || leads(&self.standby)).await;
                if leads(&self.standby) {
                    std::mem::swap(&mut self.leader, &mut self.standby);
                }
            }
        }
    }

    async fn standby_leads(&mut self) {
        until("the other leads", async || leads(&self.standby)).await;
        std::mem::swap(&mut self.leader, &mut self.standby);
    }

    /// Holds up the leader within its commit, stops it there, and lets the server go on: the transaction
    /// stays open, with its share of the lease's row.
    async fn stop_with_a_run_in_hand(&self, place: &Place) {
        let mut lock = place.store.begin().await.expect("a transaction");
        execute(&mut lock, format!("LOCK TABLE {}.msg_event IN SHARE MODE", place.name)).await;
        let waiting = format!(
            "SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = 'msgx/{}' AND wait_event_type = 'Lock'",
            place.name
        );
        until("a run waits within its commit", async || place.store_count(&waiting).await > 0).await;
        self.leader.signal("-STOP");
        lock.rollback().await.expect("is let go");
    }
}

fn leads(program: &Program) -> bool {
    program.metric("msgx_leader") >= 1.0
}

async fn now(place: &Place) -> String {
    sqlx::query_scalar("SELECT now()::text").fetch_one(&place.store).await.expect("the store answers")
}

async fn execute(connection: &mut PgConnection, sql: String) {
    raw_sql(AssertSqlSafe(sql)).execute(connection).await.expect("executed");
}
