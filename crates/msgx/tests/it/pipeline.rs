//! The main job on real servers: 10,000 messages put in by SQL while the service works.

use domain::event::newest_record;
use domain::flight::Flight;

use crate::support::expected::expected;
use crate::support::place::Place;
use crate::support::program::Program;
use crate::support::records::{all, assert_versions_rise, deduplicated, last_by_key};
use crate::support::until;
use crate::support::upstream::{Landed, insert, letters};

const MESSAGES: usize = 10_000;

#[tokio::test(flavor = "multi_thread")]
async fn inv_01_ten_thousand_messages_are_enqueued_processed_delivered_and_marked() {
    let place = Place::fresh("main_job").await;
    let program = Program::start(&[vec!["run".into()], place.arguments()].concat());
    let landed = insert(&place.mailbox_url, &letters(11, MESSAGES), async |_| {}).await;
    drained(&place, &landed).await;
    assert_end_state(&place, &landed).await;
    assert_eq!(program.stop(), Some(0), "a graceful stop");
}

/// Waits until every row that landed is marked and no event waits.
pub(crate) async fn drained(place: &Place, landed: &Landed) {
    let rows = i64::try_from(landed.len()).expect("a count");
    until("every row is marked and nothing waits", async || {
        let unmarked = "SELECT COUNT(*) FROM CMINMSGS WHERE CMINMSGS_DATE_PROCESSED IS NULL";
        place.mailbox_count(unmarked).await == 0
            && place.store_count("SELECT COUNT(*) FROM {s}.proc_state WHERE backfill_at IS NOT NULL").await
                == rows
            && place.store_count("SELECT COUNT(*) FROM {s}.msg_event WHERE state <> 'SENT'").await == 0
    })
    .await;
}

/// What must hold at the end, however often the service was killed on the way.
pub(crate) async fn assert_end_state(place: &Place, landed: &Landed) {
    let expected = expected(landed);
    for (id, marked) in place.marks().await {
        assert!(marked, "row {id} has no mark");
    }
    let states = place.states().await;
    assert_eq!(states.len(), landed.len(), "rows in proc_state");
    for (id, state, class, error) in states {
        assert_eq!(state, expected.states[&id].as_str(), "message {id}: {class:?} {error:?}");
    }
    let flights = place.flights().await;
    assert_eq!(flights.len(), expected.flights.len(), "flights");
    for flight in &flights {
        // No message twice in effect: version, provenance and values are those of doing it once.
        assert_eq!(flight, &expected.flights[&flight.flid]);
    }
    assert_topics(place, &flights);
}

fn assert_topics(place: &Place, flights: &[Flight]) {
    for short in ["msg", "schd"] {
        let topic = place.topic(short);
        let records = deduplicated(all(&place.kafka, &topic));
        assert!(!records.is_empty(), "{topic} is empty");
        assert_versions_rise(&topic, &records);
    }
    let last = last_by_key(&deduplicated(all(&place.kafka, &place.topic("schd"))));
    for flight in flights {
        let newest = newest_record(flight, flights, sis::Dictionary::baseline());
        let seen = last.get(&flight.flid.0);
        match (newest, seen) {
            // A flight that was deleted before any schedule brought it was never told of.
            (None, None) | (Some(None), None) => {}
            (Some(value), Some(record)) => {
                assert_eq!(record.value, value, "flight {}", flight.flid);
                assert_eq!(record.state_version, flight.state_version, "flight {}", flight.flid);
            }
            (newest, seen) => panic!("flight {}: expected {newest:?}, saw {seen:?}", flight.flid),
        }
    }
}
