//! Acts of another process beside the leader.

use super::{act, count, put_unknown};
use crate::support::place::Place;
use crate::support::program::Program;
use crate::support::until;

#[tokio::test(flavor = "multi_thread")]
async fn actions_of_another_process_take_effect_beside_the_leader() {
    let place = Place::fresh("acts").await;
    let patient = vec![
        "--set=msgx.pipeline.retry-backoff-ms=3600000".into(),
        "--set=msgx.pipeline.retry-backoff-cap-ms=3600000".into(),
    ];
    let run = [vec!["run".into()], place.arguments(), patient].concat();
    let service = Program::start(&run);
    until("it leads", async || service.metric("msgx_leader") >= 1.0).await;
    put_unknown(&place, 1, 3).await;
    until("the head has failed", async || count(&place, "proc_state WHERE state = 'FAILED'").await == 1)
        .await;
    let who = ["--by", "ann", "--reason", "agreed"];
    let with = |arguments: &[&'static str]| [arguments, &who[..]].concat();
    // Tried at once although its back-off is an hour (FC-47), and dead of it; the next one fails.
    let (code, _) = act(&place, &with(&["replay", "1"]));
    assert_eq!(code, Some(0));
    until("it is dead and the next one has failed", async || {
        count(&place, "proc_state WHERE msg_id = 1 AND state = 'DEAD'").await == 1
            && count(&place, "proc_state WHERE msg_id = 2 AND state = 'FAILED'").await == 1
    })
    .await;
    let (code, refused) = act(&place, &with(&["replay", "3"]));
    assert_eq!((code, &refused["refused"]), (Some(1), &1.into()), "{refused}");
    let (code, _) = act(&place, &with(&["pause", "pump", "--for", "1h"]));
    assert_eq!(code, Some(0));
    until("it says so", async || {
        service
            .get("health/ready")
            .is_some_and(|(status, words)| status == 200 && words.contains("paused by ann"))
    })
    .await;
    let (_, status) = act(&place, &["status"]);
    assert_eq!(status["paused"][0]["room"], "pump");
    let (code, dry) = act(&place, &["skip", "2", "1", "--dry-run"]);
    assert_eq!((code, dry["allowed"].as_array().map(Vec::len)), (Some(0), Some(2)), "{dry}");
    let (code, _) = act(&place, &with(&["skip", "2", "1"]));
    assert_eq!(code, Some(0));
    assert_eq!(count(&place, "proc_state WHERE state = 'SKIPPED'").await, 2);
    let (code, _) = act(&place, &with(&["resume", "pump"]));
    assert_eq!(code, Some(0));
    until("the queue goes on", async || {
        count(&place, "proc_state WHERE msg_id = 3 AND state = 'FAILED'").await == 1
    })
    .await;
    let (_, log) = act(&place, &["audit", "--message", "1"]);
    let acts: Vec<&str> =
        log.as_array().into_iter().flatten().filter_map(|entry| entry["act"].as_str()).collect();
    assert_eq!(acts, ["skip", "replay"]);
    assert_eq!(service.stop(), Some(0));
}
