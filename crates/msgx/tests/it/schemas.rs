//! What the demo publishes, held against the published schemas.

use serde_json::Value;

use crate::support::program::msgx;

fn schema(name: &str) -> jsonschema::Validator {
    let path = format!("{}/../../docs/schemas/{name}.schema.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema")
}

#[test]
fn every_event_of_a_demo_fits_its_schema() {
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path().join("demo").display().to_string();
    let demo = msgx(&[
        "demo",
        "--duration",
        "10s",
        "--rate",
        "200",
        "--flights",
        "60",
        "--port",
        "0",
        "--data-dir",
        &place,
    ]);
    assert_eq!(demo.status.code(), Some(0), "{}", String::from_utf8_lossy(&demo.stderr));
    for (topic, least) in [("msgx.msg", 1_000), ("msgx.schd", 100)] {
        let schema = schema(topic);
        let records = std::fs::read_to_string(format!("{place}/sink/{topic}.jsonl")).expect("records");
        let mut seen = 0;
        for line in records.lines() {
            let mut record: Value = serde_json::from_str(line).expect("JSON");
            let event = record["value"].take();
            if topic == "msgx.schd" && event.is_null() {
                continue;
            }
            let problems: Vec<String> =
                schema.iter_errors(&event).map(|problem| problem.to_string()).collect();
            assert!(problems.is_empty(), "{topic}: {problems:?} in {event}");
            seen += 1;
        }
        assert!(seen >= least, "{topic}: {seen} events");
    }
}
