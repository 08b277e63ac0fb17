//! Verdicts: identity and duplicates, ignore rules, classes and tries.

use sis::{Body, Reference, Request, Unknown};

use super::reading::{Finding, Reading};
use super::testing::*;
use super::{read, refused_by_store};
use crate::event::Target;
use crate::message::{
    Candidate, Conclusion, ErrorClass, Holder, IdentityKey, Reissue, Settled, State, StoredBody,
};
use crate::{MsgId, decide::World, decide::decide_run};

/// A FLOP that puts flight 1 on a stand; content is `hash`.
fn stand(msg_id: i64, seqn: &str, hash: u8) -> Reading {
    let body = Body::Flop(vec![record(1).set("stand", text(&hash.to_string()))]);
    identified(msg_id, seqn, hash, "FLOP", "STND", Ok(body))
}

fn broken(msg_id: i64, seqn: &str, hash: u8) -> Reading {
    identified(msg_id, seqn, hash, "FLOP", "STND", Err(failure(ErrorClass::Malformed, "no FLOP")))
}

fn again(reading: Reading, attempts: u32) -> Reading {
    Reading { attempts, ..reading }
}

fn ends(settled: &[Settled]) -> Vec<String> {
    settled.iter().map(end).collect()
}

fn keys(settled: &[Settled]) -> Vec<Option<&str>> {
    settled.iter().map(|settled| settled.identity.as_ref().map(|key| key.0.as_str())).collect()
}

#[test]
fn inv_09_duplicates_are_found_within_and_across_runs() {
    let mut office = Office::new();
    let first = office.run(vec![stand(1, "A", 1), stand(2, "A", 1), stand(3, "B", 1)]);
    assert_eq!(ends(&first.settled), ["SUCCEEDED", "SKIPPED duplicate-of:1", "SUCCEEDED"]);
    assert_eq!(keys(&first.settled), [Some("AODB|FLOP|STND|A"), None, Some("AODB|FLOP|STND|B")]);
    assert!(first.settled.iter().all(|settled| settled.content_hash.is_some()));
    assert_eq!(office.one(stand(4, "A", 1)).end(), "SKIPPED duplicate-of:1");
}

#[test]
fn inv_09_a_reissue_is_processed_and_its_own_repeats_are_found() {
    let mut office = Office::new();
    let effects = office.run(vec![
        stand(1, "A", 1),
        stand(2, "A", 2),
        stand(3, "A", 2),
        stand(4, "A", 1),
        stand(5, "A", 3),
    ]);
    assert_eq!(
        ends(&effects.settled),
        ["SUCCEEDED", "SUCCEEDED", "SKIPPED duplicate-of:2", "SKIPPED duplicate-of:1", "SUCCEEDED"]
    );
    assert_eq!(keys(&effects.settled)[1], Some("AODB|FLOP|STND|A~0202020202020202"));
    assert_eq!(office.one(stand(6, "A", 3)).end(), "SKIPPED duplicate-of:5");
    office.policy.identity.on_reissue = Reissue::Skip;
    assert_eq!(office.one(stand(7, "A", 9)).end(), "SKIPPED reissue-of:1");
}

#[test]
fn inv_09_a_dead_holder_yields_and_its_replay_is_a_duplicate() {
    let mut office = Office::new();
    assert_eq!(office.one(broken(1, "A", 1)).end(), "DEAD MALFORMED");
    let newcomer = office.one(stand(2, "A", 1));
    assert_eq!((newcomer.end().as_str(), newcomer.settled[0].yields), ("SUCCEEDED", Some(MsgId(1))));
    assert_eq!(office.one(stand(1, "A", 1)).end(), "SKIPPED duplicate-of:2");
}

#[test]
fn inv_09_a_dead_holder_of_the_same_run_never_gets_the_key() {
    let mut office = Office::new();
    office.one(broken(1, "A", 1));
    let effects = office.run(vec![broken(2, "A", 2), broken(3, "A", 3), stand(4, "A", 4), stand(5, "A", 4)]);
    assert_eq!(
        ends(&effects.settled),
        ["DEAD MALFORMED", "DEAD MALFORMED", "SUCCEEDED", "SKIPPED duplicate-of:4"]
    );
    assert_eq!(keys(&effects.settled), [None, None, Some("AODB|FLOP|STND|A"), None]);
    let yields: Vec<_> = effects.settled.iter().map(|settled| settled.yields).collect();
    assert_eq!(yields, [None, None, Some(MsgId(1)), None]);
}

#[test]
fn inv_09_a_retry_is_never_its_own_duplicate() {
    let mut office = Office::new();
    let codec =
        |msg_id| identified(msg_id, "A", 1, "FLOP", "STND", Err(failure(ErrorClass::CodecError, "odd time")));
    let failed = office.one(codec(1)).blocked.expect("FAILED");
    assert_eq!((end(&failed).as_str(), failed.identity.is_some()), ("FAILED CODEC_ERROR", true));
    let retried = office.one(again(stand(1, "A", 1), 1));
    assert_eq!(retried.end(), "SUCCEEDED");
    assert_eq!((retried.settled[0].attempts_seen, retried.settled[0].attempts), (1, 1));
    office.run(vec![stand(2, "B", 1), stand(3, "B", 2)]);
    let reissue_again = office.one(stand(3, "B", 2));
    assert_eq!((reissue_again.end().as_str(), reissue_again.settled[0].yields), ("SUCCEEDED", None));
}

#[test]
fn inv_09_a_shadow_alone_never_proves_a_duplicate() {
    for (content_hash, expected) in
        [(None, "SUCCEEDED"), (Some([2; 32]), "SUCCEEDED"), (Some([1; 32]), "SKIPPED duplicate-of:1")]
    {
        let holder = Holder {
            key: IdentityKey("AODB|FLOP|STND|A".into()),
            msg_id: MsgId(1),
            state: State::Archived,
            content_hash,
        };
        let world = World { holders: vec![holder], ..World::default() };
        let effects = decide_run(vec![stand(9, "A", 1)], world, at(0), &policy());
        assert_eq!(end(&effects.settled[0]), expected);
        assert_eq!(effects.settled[0].yields, None);
    }
}

#[test]
fn g_ignore_an_ignored_message_has_no_identity_and_no_effect() {
    let ignored = Reading { finding: Finding::Ignored { rule: "LDM-*".into() }, ..stand(1, "A", 1) };
    let effects = Office::new().one(ignored);
    assert_eq!(effects.end(), "SKIPPED ignored:LDM-*");
    assert!(!effects.touches_flights());
    assert_eq!(
        (effects.settled[0].identity.as_ref(), effects.settled[0].content_hash.is_some()),
        (None, true)
    );
}

#[test]
fn reference_data_is_skipped_without_identity() {
    let body =
        Body::Reference(Reference { list: "GLST".into(), declared_records: None, records: Vec::new() });
    let effects = Office::new().one(message(1, "GLST", "DNLD", Ok(body)));
    assert_eq!(
        (effects.end().as_str(), effects.settled[0].identity.as_ref()),
        ("SKIPPED reference:GLST-DNLD", None)
    );
}

#[test]
fn unknown_and_request_bodies_have_no_handler() {
    for body in [
        Body::Unknown(Unknown { elements: vec!["NEWS".into(), "ITEM".into()] }),
        Body::Request(Request::ReferenceList { list: "GLST".into() }),
    ] {
        let mut office = Office::new();
        let unknown = |attempts| again(message(1, "NEWS", "X", Ok(body.clone())), attempts);
        let first = office.one(unknown(0));
        let failed = first.blocked.expect("FAILED");
        assert_eq!(end(&failed), "FAILED UNSUPPORTED");
        assert!(error(&failed).contains("TYPE NEWS, STYP X"), "{}", error(&failed));
        assert_eq!(
            (failed.attempts, &failed.conclusion),
            (
                1,
                &Conclusion::Failed {
                    class: ErrorClass::Unsupported,
                    error: error(&failed).into(),
                    due: at(1_001)
                }
            )
        );
        let second = office.one(unknown(1));
        assert_eq!(second.end(), "DEAD EXHAUSTED");
        assert_eq!(second.settled[0].attempts, 2);
        assert!(error(&second.settled[0]).starts_with("UNSUPPORTED at attempt 2 of 2: no handler"));
        assert_eq!(
            second.settled[0].attempt_failure.as_ref().map(|(class, _)| *class),
            Some(ErrorClass::Unsupported)
        );
        assert_eq!(office.one(unknown(2)).end(), "DEAD EXHAUSTED", "a replay has one try");
    }
}

#[test]
fn inv_03_a_failed_message_ends_the_run() {
    let mut office = Office::new();
    let codec = message(2, "FLOP", "STND", Err(failure(ErrorClass::CodecError, "odd time")));
    let effects = office.run(vec![stand(1, "A", 1), codec, stand(3, "C", 3)]);
    assert_eq!(ends(&effects.settled), ["SUCCEEDED"]);
    assert_eq!(effects.blocked.as_ref().map(|blocked| blocked.msg_id), Some(MsgId(2)));
    assert_eq!(effects.written().count(), 1);
}

#[test]
fn dead_and_skipped_are_verdicts_and_the_run_goes_on() {
    let mut office = Office::new();
    let effects = office.run(vec![broken(1, "A", 1), stand(2, "B", 1), stand(3, "B", 1), stand(4, "C", 2)]);
    assert_eq!(
        ends(&effects.settled),
        ["DEAD MALFORMED", "SUCCEEDED", "SKIPPED duplicate-of:2", "SUCCEEDED"]
    );
    assert!(effects.blocked.is_none() && effects.told(Target::Msg).is_empty());
}

#[test]
fn infra_counts_to_its_own_limit() {
    for (attempts, expected) in [(0, "FAILED INFRA"), (3, "FAILED INFRA"), (4, "DEAD EXHAUSTED")] {
        let settled =
            refused_by_store(&again(stand(1, "A", 1), attempts), "value too long", at(0), &policy());
        assert_eq!(end(&settled), expected);
        assert_eq!((settled.attempts, settled.identity.as_ref()), (attempts + 1, None));
        assert!(error(&settled).contains("value too long"));
    }
}

#[test]
fn a_replay_has_one_attempt_whatever_the_class_and_says_so() {
    for (class, attempts) in
        [(ErrorClass::Infra, 1), (ErrorClass::CodecError, 2), (ErrorClass::Unsupported, 9)]
    {
        let broken = message(1, "FLOP", "STND", Err(failure(class, "odd time")));
        let again = Reading { attempts, is_replay: true, ..broken };
        let effects = Office::new().one(again);
        assert_eq!(effects.end(), "DEAD EXHAUSTED");
        let settled = &effects.settled[0];
        assert_eq!((settled.attempts_seen, settled.attempts), (attempts, attempts + 1));
        assert_eq!(settled.attempt_failure, Some((class, "odd time".into())));
        assert!(error(settled).contains("its one attempt of a replay: odd time"), "{}", error(settled));
    }
}

#[test]
fn what_waits_although_it_was_tried_is_a_replay() {
    for (state, attempts, expected) in
        [(State::Pending, 0, false), (State::Pending, 1, true), (State::Failed, 1, false)]
    {
        let body = StoredBody::Missing;
        let candidate = Candidate { msg_id: MsgId(1), state, attempts, due: None, enqueued_at: at(0), body };
        assert_eq!(read(candidate.clone(), &policy()).is_replay, expected);
        assert_eq!(read(candidate.replayed(), &policy()).is_replay, attempts > 0);
    }
}

#[test]
fn a_body_that_was_not_fetched_is_malformed() {
    for (body, part) in [
        (StoredBody::Missing, "NULL"),
        (StoredBody::Oversized { length: 11_534_336, sha256: [0; 32] }, "11534336 bytes"),
    ] {
        let candidate = Candidate {
            msg_id: MsgId(1),
            state: State::Pending,
            attempts: 0,
            due: None,
            enqueued_at: at(0),
            body,
        };
        let reading = read(candidate, &policy());
        assert!(reading.keys().is_empty() && reading.flids().is_empty());
        let effects = Office::new().one(reading);
        assert_eq!(effects.end(), "DEAD MALFORMED");
        assert!(error(&effects.settled[0]).contains(part));
    }
}

#[test]
fn a_reading_names_its_flights_and_the_mains_it_links_to() {
    let reading = schedule(1, vec![flight(5, "XX5", 7).main(1), flight(3, "ZZ3", 7)]);
    assert_eq!(reading.flids().iter().map(|flid| flid.0).collect::<Vec<_>>(), [1, 3, 5]);
    assert_eq!(reading.keys().len(), 2);
}
