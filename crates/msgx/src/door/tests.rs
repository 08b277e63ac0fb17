//! What is refused, by which key.

use super::*;
use crate::config::Sources;

fn refusals(sets: &[&str]) -> String {
    let sources = Sources { sets: sets.iter().map(|set| (*set).into()).collect(), ..Sources::default() };
    refuse(&Config::load(&sources).expect("well-formed")).err().unwrap_or_default().join("\n")
}

#[test]
fn the_defaults_are_let_in() {
    assert_eq!(refusals(&[]), "");
}

#[test]
fn d3_a_weak_producer_is_refused_by_its_key() {
    let cases = [
        ("kafka.producers.default.acks", "1"),
        ("kafka.producers.default.enable-idempotence", "false"),
        ("kafka.producers.default.max-in-flight-requests-per-connection", "5"),
    ];
    for (key, value) in cases {
        let words = refusals(&[&format!("{key}={value}")]);
        assert!(words.contains(key) && words.contains("D3"), "{words}");
    }
}

#[test]
fn c_05_a_mark_is_never_written_into_another_column() {
    for key in ["mailbox.mark.status-column", "mailbox.mark.column"] {
        let words = refusals(&[&format!("{key}=cminmsgs_clob_msg")]);
        assert!(words.contains(key) && words.contains("mailbox.body-column"), "{words}");
    }
    assert_eq!(refusals(&["mailbox.mark.status-column="]), "", "no status column is fine");
}

#[test]
fn the_two_topics_differ() {
    assert!(refusals(&["kafka.topics.msg=x", "kafka.topics.schd=x"]).contains("kafka.topics.schd"));
}

#[test]
fn c_07_r_above_r_keep_is_refused_by_its_key() {
    assert!(refusals(&["msgx.pipeline.overdue-backfill=60 d"]).contains("msgx.pipeline.overdue-backfill"));
}

#[test]
fn a_log_filter_that_would_log_nothing_is_refused() {
    for level in ["verbose", "info,engine=loud", "info,[", "=", "info,,sqlx", "engine"] {
        assert!(refusals(&[&format!("log.level={level}")]).contains("log.level"), "{level}");
    }
    for level in ["info", "WARN", "off", "info,sqlx=warn", "info, engine=debug", "error,[span]=debug"] {
        assert_eq!(refusals(&[&format!("log.level={level}")]), "", "{level}");
    }
}

#[test]
fn what_the_producer_never_takes_is_refused_by_its_key() {
    assert!(
        refusals(&["kafka.properties=transactional.id=x"]).contains("kafka.properties: transactional.id")
    );
    assert!(refusals(&["kafka.properties=acks=0"]).starts_with("kafka.properties: acks"));
}

#[test]
fn a_url_is_no_host_name() {
    assert!(
        refusals(&["http.allowed-hosts=good.example, https://msgx.example/"])
            .contains("https://msgx.example/")
    );
    assert_eq!(refusals(&["http.allowed-hosts=good.example, better.example:443"]), "");
}

#[test]
fn production_refuses_everything_embedded() {
    let words = refusals(&["profile=production"]);
    for key in ["store.url", "mailbox.url", "kafka.bootstrap-servers"] {
        assert!(words.contains(key), "{key} missing in:\n{words}");
    }
}
