//! Every way to weaken the producer, and what librdkafka would only find later.

use super::*;

const TTL: Duration = Duration::from_secs(10);

fn with(extra: &[(&str, &str)]) -> KafkaConfig {
    let extra = extra.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    KafkaConfig { extra: extra.collect(), ..KafkaConfig::new("127.0.0.1:9092") }
}

#[test]
fn d3_the_defaults_and_their_synonyms_pass() {
    assert_eq!(with(&[]).self_check(TTL), Ok(()));
    let minus_one = KafkaConfig { acks: "-1".to_owned(), ..with(&[]) };
    assert_eq!(minus_one.self_check(TTL), Ok(()));
    assert_eq!(with(&[("request.required.acks", "all"), ("max.in.flight", "1")]).self_check(TTL), Ok(()));
}

#[test]
fn d3_a_weaker_producer_is_refused_under_every_name() {
    for extra in [
        ("acks", "1"),
        ("acks", "0"),
        ("request.required.acks", "1"),
        ("enable.idempotence", "false"),
        ("max.in.flight", "5"),
        ("max.in.flight.requests.per.connection", "2"),
        ("delivery.timeout.ms", "10001"),
        ("message.timeout.ms", "0"),
        ("partitioner", "random"),
        ("delivery.report.only.error", "true"),
    ] {
        let lines = with(&[extra]).self_check(TTL).expect_err("must be refused");
        assert_eq!(lines.len(), 1, "{lines:?}");
        let given = format!("kafka.properties: {} must be", extra.0);
        assert!(lines[0].starts_with(&given) && lines[0].contains("D3"), "{lines:?}");
    }
}

#[test]
fn d3_every_weakness_is_told_at_once() {
    let weak = KafkaConfig {
        acks: "1".to_owned(),
        enable_idempotence: false,
        max_in_flight: 5,
        message_timeout: Duration::from_secs(60),
        ..with(&[])
    };
    let lines = weak.self_check(TTL).expect_err("must be refused");
    assert_eq!(lines.len(), 4);
    assert!(lines.iter().all(|line| line.starts_with("kafka.producers.default.")), "{lines:?}");
}

#[test]
fn one_property_under_two_names_with_two_values_is_refused() {
    let lines = with(&[("acks", "all"), ("request.required.acks", "1")])
        .self_check(TTL)
        .expect_err("must be refused");
    assert!(lines[0].contains("request.required.acks and acks"), "{lines:?}");
}

#[test]
fn what_librdkafka_refuses_is_one_line() {
    for (extra, expected) in [
        (("no.such.property", "1"), "no.such.property"),
        (("security.protocol", "ssl"), "kafka-tls"),
        (("acks", "many"), "acks"),
        (("transactional.id", "x"), "kafka.properties: transactional.id must not be set"),
        // Each for itself is fine, and librdkafka finds the contradiction when it is too late.
        (("retries", "0"), "retries"),
        (("message.send.max.retries", "0"), "retries"),
        (("enable.gapless.guarantee", "perhaps"), "enable.gapless.guarantee"),
    ] {
        let lines = with(&[extra]).self_check(TTL).expect_err("must be refused");
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].contains(expected), "{lines:?}");
    }
}

#[test]
fn passwords_are_not_in_debug_output() {
    assert!(!format!("{:?}", with(&[("sasl.password", "secret")])).contains("secret"));
}
