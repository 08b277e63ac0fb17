//! Which changes of a mailbox are a purge, and which a reset.

use super::*;

fn kept(msg_id: i64, enqueued: i64, body: u8) -> KeptBody {
    let enqueued_at = Timestamp::from_second(enqueued).expect("small");
    KeptBody { msg_id: MsgId(msg_id), enqueued_at, sha256: Some([body; 32]) }
}

fn look(next: Option<i64>, bodies: &[(i64, u8)]) -> Shown {
    let bodies = bodies.iter().map(|(id, body)| (MsgId(*id), Some([*body; 32]))).collect();
    Shown { next: next.map(MsgId), bodies }
}

/// IDs 8 to 10 were enqueued at 1000, 2000 and 3000; now it is 3100, and W = 10.
#[test]
fn pre_03_what_breaks_continuity_and_what_is_a_purge() {
    let all = [kept(10, 3_000, 3), kept(9, 2_000, 2), kept(8, 1_000, 1)];
    type Case = (&'static str, Shown, Option<[&'static [i64]; 3]>);
    let cases: [Case; 10] = [
        ("as it was", look(Some(11), &[(8, 1), (9, 2), (10, 3)]), None),
        ("numbered by its owner", look(None, &[(8, 1), (9, 2), (10, 3)]), None),
        ("older rows purged", look(Some(11), &[(10, 3)]), None),
        ("truncated: the counter is at 1", look(Some(1), &[]), Some([&[1], &[], &[10]])),
        ("emptied in an hour of silence", look(Some(11), &[]), Some([&[], &[], &[10]])),
        ("the counter at the watermark", look(Some(10), &[(10, 3)]), Some([&[10], &[], &[]])),
        ("restored from a backup", look(Some(9), &[(8, 1)]), Some([&[9], &[], &[10]])),
        ("restored, and used again", look(Some(12), &[(8, 1), (9, 2), (10, 9)]), Some([&[], &[10], &[]])),
        ("restored, counter raised", look(Some(11), &[(8, 1)]), Some([&[], &[], &[10]])),
        ("another table", look(Some(99), &[(8, 7), (9, 7), (10, 7)]), Some([&[], &[8, 9, 10], &[]])),
    ];
    let now = Timestamp::from_second(3_100).expect("small");
    for (what, shown, expected) in cases {
        let found = continuity(MsgId(10), &all, &shown, now);
        let numbers = |ids: &[MsgId]| ids.iter().map(|id| id.0).collect::<Vec<_>>();
        let found = found.map(|found| {
            [found.counter.iter().map(|id| id.0).collect(), numbers(&found.other), numbers(&found.missing)]
        });
        assert_eq!(found, expected.map(|lists| lists.map(<[i64]>::to_vec)), "{what}");
    }
}

#[test]
fn pre_03_an_emptied_table_with_its_counter_intact_is_a_purge() {
    let now = Timestamp::from_second(9_000).expect("small");
    assert_eq!(continuity(MsgId(10), &[kept(10, 3_000, 3)], &look(Some(11), &[]), now), None);
}

#[test]
fn pre_03_the_words_name_ids_and_what_the_owner_must_do() {
    let now = Timestamp::from_second(100).expect("small");
    let kept: Vec<KeptBody> = (1..=12).map(|id| kept(id, 0, 1)).collect();
    let bodies: Vec<(i64, u8)> = (1..=11).map(|id| (id, 2)).collect();
    let found = continuity(MsgId(12), &kept, &look(Some(5), &bodies), now).expect("broken");
    let words = found.to_string();
    for part in [
        "next row would get ID 5",
        "AUTO_INCREMENT above 12",
        "11 row(s) (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...)",
        "1 row(s) (12) were taken up within 10 minutes",
        "1970-01-01T00:10:00Z",
    ] {
        assert!(words.contains(part), "{part}: {words}");
    }
}
