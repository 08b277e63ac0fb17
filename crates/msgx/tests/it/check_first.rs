//! What `check` and `status` promise without a server: they create nothing, and find what would stop `run`.

use crate::support::program::msgx;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn commands_that_only_look_create_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    for place in [directory.path().to_owned(), directory.path().join("deeper").join("still")] {
        let data = format!("--set=msgx.data-dir={}", place.display());
        let output = msgx(&["status", &data]);
        assert_eq!(output.status.code(), Some(1));
        let error = text(&output.stderr);
        assert!(error.contains(&format!("no data yet in {}", place.display())), "{error}");
        let output = msgx(&["check", &data]);
        let told = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{told}");
        assert_eq!(told.matches("would be created").count(), 3, "{told}");
    }
    assert_eq!(std::fs::read_dir(directory.path()).expect("readable").count(), 0);
}

#[test]
fn what_run_refuses_check_has_found_before() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = format!("--set=msgx.data-dir={}", directory.path().display());
    for set in [
        "http.bind=no.such.host.invalid",
        "http.bind=203.0.113.7",
        "http.allowed-hosts=http://x/",
        "log.level=verbose",
        "kafka.properties=transactional.id=x",
        "kafka.properties=acks=0",
        "kafka.properties=retries=0",
        "kafka.topics.schd=msgx.msg",
    ] {
        let (key, value) = set.split_once('=').expect("key=value");
        for command in ["check", "run"] {
            let output = msgx(&[command, &data, "--set", set]);
            let told = text(&output.stdout) + &text(&output.stderr);
            assert_eq!(output.status.code(), Some(if command == "check" { 1 } else { 2 }), "{set}: {told}");
            let name = value.split('=').next().expect("a name");
            assert!(told.contains(key) && told.contains(name), "{command} {set}: {told}");
            assert!(!told.contains("panicked"), "{told}");
        }
    }
}
