//! The main job, with `kill -9` and restart at random moments: the same end state.

use std::collections::BTreeMap;

use crate::pipeline::{assert_end_state, drained};
use crate::support::place::Place;
use crate::support::program::Program;
use crate::support::until;
use crate::support::upstream::{insert, letters};

const MESSAGES: usize = 10_000;
const KILLS: usize = 20;

#[tokio::test(flavor = "multi_thread")]
async fn inv_17_twenty_kills_change_nothing_and_no_mark_precedes_its_terminal_state() {
    let place = Place::fresh("crash").await;
    let arguments = [vec!["run".into()], place.arguments()].concat();
    let mut program = Program::start(&arguments);
    let mut moments = moments();
    let landed = insert(&place.mailbox_url, &letters(12, MESSAGES), async |index| {
        if moments.contains(&index) {
            moments.retain(|moment| *moment != index);
            program.kill();
            assert_marks_follow_states(&place).await;
            program = Program::start(&arguments);
            // Killed in the middle of its work, not while it waits for the lease.
            until("it leads again", async || program.metric("msgx_leader") >= 1.0).await;
        }
    })
    .await;
    assert_eq!(moments, Vec::<usize>::new(), "every kill happened");
    drained(&place, &landed).await;
    assert_end_state(&place, &landed).await;
}

/// Twenty letters after which to kill, spread unevenly: each is another moment of the pipeline.
fn moments() -> Vec<usize> {
    (1..=KILLS).map(|kill| (kill * MESSAGES / (KILLS + 1)) + (kill * kill * 37) % 251).collect()
}

/// INV-8: a mark without a committed terminal state never exists.
async fn assert_marks_follow_states(place: &Place) {
    let states: BTreeMap<_, _> =
        place.states().await.into_iter().map(|(id, state, _, _)| (id, state)).collect();
    for (id, marked) in place.marks().await {
        let terminal =
            states.get(&id).is_some_and(|state| matches!(state.as_str(), "SUCCEEDED" | "SKIPPED" | "DEAD"));
        assert!(!marked || terminal, "row {id} is marked and its state is {:?}", states.get(&id));
    }
}
