//! Page, stream, health and metrics of a running service, over HTTP.

use std::io::{BufRead as _, BufReader};

use crate::support::program::Program;

fn running_demo(directory: &std::path::Path) -> Program {
    let arguments = ["demo", "--rate", "200", "--flights", "20", "--port", "0", "--data-dir"];
    let mut arguments: Vec<String> = arguments.map(str::to_owned).into();
    arguments.push(directory.display().to_string());
    Program::start(&arguments)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_answers_and_what_it_shows_changes() {
    let place = tempfile::tempdir().expect("a directory");
    let program = running_demo(place.path());
    let (status, page) = program.get("?lang=en").expect("the page answers");
    assert!(status == 200 && page.contains("Landed") && page.contains("/assets/console.js"));
    for file in ["console.css", "console.js", "facts.js", "board.js", "words.js", "icon.svg"] {
        assert_eq!(program.get(&format!("assets/{file}")).map(|(status, _)| status), Some(200), "{file}");
    }
    let address = format!("{}api/v1/stream", program.address);
    let events = tokio::task::spawn_blocking(move || {
        let response = ureq::get(address).call().expect("the stream answers");
        let lines = BufReader::new(response.into_body().into_reader()).lines().map_while(Result::ok);
        lines
            .filter_map(|line| {
                line.strip_prefix("event: ")
                    .or(line.strip_prefix("event:"))
                    .map(|name| name.trim().to_owned())
            })
            .take(12)
            .collect::<Vec<_>>()
    });
    let events = events.await.expect("events");
    for name in ["past", "board", "facts", "flights"] {
        assert!(events.iter().any(|event| event == name), "{name} missing in {events:?}");
    }
    assert_eq!(program.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn health_and_metrics_come_from_progress() {
    let place = tempfile::tempdir().expect("a directory");
    let program = running_demo(place.path());
    crate::support::until("ready", async || {
        program.get("health/ready").is_some_and(|(status, _)| status == 200)
    })
    .await;
    assert_eq!(program.get("health/live").map(|(status, _)| status), Some(200));
    crate::support::until("messages are processed", async || {
        program.metric("msgx_messages_processed_total") > 10.0
    })
    .await;
    for metric in ["msgx_watermark", "msgx_leader", "msgx_messages_enqueued_total"] {
        assert!(program.metric(metric) >= 1.0, "{metric}");
    }
}
