//! The start while the own store is away, and whose requests are answered.

use crate::support::place::Place;
use crate::support::program::{Program, msgx};
use crate::support::until;

#[tokio::test(flavor = "multi_thread")]
async fn run_waits_for_its_own_store_alive_but_not_ready_and_stops_when_asked() {
    let directory = tempfile::tempdir().expect("a directory");
    // A port that was free a moment ago: nobody listens there.
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = free.local_addr().expect("an address").port();
    drop(free);
    let arguments = [
        "run".to_owned(),
        "--set=http.port=0".to_owned(),
        format!("--set=msgx.data-dir={}", directory.path().display()),
        format!("--set=store.url=postgres://nobody:secret@127.0.0.1:{port}/nothing"),
    ];
    let program = Program::start(&arguments);
    until("it says what it waits for", async || {
        program
            .get("health/ready")
            .is_some_and(|(status, words)| status == 503 && words.contains("store.url"))
    })
    .await;
    let (_, words) = program.get("health/ready").expect("an answer");
    assert!(words.contains(&port.to_string()) && !words.contains("secret"), "{words}");
    assert_eq!(program.get("health/live"), Some((200, "ok\n".to_owned())));
    assert_eq!(program.stop(), Some(0));
}

#[test]
fn run_ends_at_once_on_a_store_that_waiting_cannot_heal() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = format!("--set=msgx.data-dir={}", directory.path().display());
    let server = crate::support::server("MSGX_TEST_POSTGRES_URL");
    let (base, _) = server.rsplit_once('/').expect("postgres://user:password@host:port/database");
    let url = format!("--set=store.url={base}/no_such_database");
    let output = msgx(&["run", &data, "--set=http.port=0", &url]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("store.url") && error.contains("no_such_database"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_under_a_foreign_name_are_not_answered() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = format!("--set=msgx.data-dir={}", directory.path().display());
    let program = Program::start(&["run".to_owned(), "--set=http.port=0".to_owned(), data]);
    until("it serves", async || program.get("health/live").is_some_and(|(status, _)| status == 200)).await;
    for path in ["", "api/v1/status", "api/v1/flights", "metrics", "health/live"] {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let request = agent.get(format!("{}{path}", program.address)).header("host", "evil.example");
        assert_eq!(request.call().expect("an answer").status().as_u16(), 421, "{path}");
    }
    assert_eq!(program.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_topic_is_told_by_name_and_the_process_is_not_ready() {
    let place = Place::fresh("topics").await;
    let mut arguments = vec!["run".to_owned()];
    arguments.extend(place.arguments());
    arguments.push("--set=kafka.topics.schd=no.such.topic".to_owned());
    let program = Program::start(&arguments);
    until("the topic is named although no event waits", async || {
        program.get("health/ready").is_some_and(|(status, words)| {
            status == 503
                && words.contains("delivery-schd")
                && words.contains("no.such.topic")
                && words.contains("create it")
        })
    })
    .await;
    let (_, words) = program.get("health/ready").expect("an answer");
    assert!(!words.contains("delivery-msg"), "the other topic is there: {words}");
    assert_eq!(program.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_standby_says_who_leads() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = format!("--set=msgx.data-dir={}", directory.path().display());
    let arguments = ["run".to_owned(), "--set=http.port=0".to_owned(), data];
    let leader = Program::start(&arguments);
    let leads = |(_, page): (u16, String)| page.lines().any(|line| line == "msgx_leader 1");
    until("it leads", async || leader.get("metrics").is_some_and(leads)).await;
    let standby = Program::start_and_read(&arguments, "stands by");
    assert!(standby.contains("leads the pipeline in epoch 1"), "{standby}");
    assert_eq!(leader.stop(), Some(0));
}
