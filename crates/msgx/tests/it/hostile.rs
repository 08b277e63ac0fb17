//! Bodies that make no sense, in the middle of good ones: each ends DEAD(MALFORMED) with a reason,
//! everything else is processed in order, everything is marked.

use sqlx::Row;

use crate::support::place::Place;
use crate::support::program::Program;
use crate::support::until;
use crate::support::upstream::letters;

const BOMB: &str = "<?xml version=\"1.0\"?><!DOCTYPE MSG [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\">]>\
                    <MSG><META><SNDR>&b;</SNDR></META></MSG>";

#[tokio::test(flavor = "multi_thread")]
async fn hostile_bodies_end_dead_with_a_reason_and_hold_up_nobody() {
    let place = Place::fresh("hostile").await;
    let huge = format!("<MSG>{}</MSG>", " ".repeat(11 * 1024 * 1024));
    let noise: String = (0..4_000u32).filter_map(|n| char::from_u32(n * 7_919 % 0xD7FF)).collect();
    let hostile: [(&str, Option<&str>); 5] = [
        ("NULL", None),
        ("11 MB", Some(&huge)),
        ("noise", Some(&noise)),
        ("<MSG> only", Some("<MSG>")),
        ("DTD", Some(BOMB)),
    ];
    let good: Vec<Vec<u8>> = letters(13, 200)
        .into_iter()
        .filter(|l| l.expect == airport::Expect::Succeeded)
        .filter_map(|l| l.body)
        .take(60)
        .collect();
    let mut dead = Vec::new();
    for (index, body) in good.iter().enumerate() {
        if index % 10 == 5
            && let Some((name, body)) = hostile.get(index / 10)
        {
            dead.push((put(&place, body.map(str::as_bytes)).await, *name));
        }
        put(&place, Some(body)).await;
    }
    let program = Program::start(&[vec!["run".into()], place.arguments()].concat());
    let unmarked = "SELECT COUNT(*) FROM CMINMSGS WHERE CMINMSGS_DATE_PROCESSED IS NULL";
    until("all are marked", async || place.mailbox_count(unmarked).await == 0).await;
    for (id, state, class, error) in place.states().await {
        match dead.iter().find(|(dead, _)| *dead == id.0) {
            Some((_, name)) => {
                assert_eq!((state.as_str(), class.as_deref()), ("DEAD", Some("MALFORMED")), "{name}");
                let error = error.unwrap_or_default();
                println!("{name}: {error}");
                assert!(error.len() > 10, "{name}: no reason");
            }
            None => assert_eq!(state, "SUCCEEDED", "message {id}: {error:?}"),
        }
    }
    assert_eq!(dead.len(), hostile.len());
    assert_eq!(program.stop(), Some(0));
}

async fn put(place: &Place, body: Option<&[u8]>) -> i64 {
    let mut connection = place.mailbox.acquire().await.expect("a connection");
    let text = body.map(|body| std::str::from_utf8(body).expect("UTF-8"));
    sqlx::query("INSERT INTO CMINMSGS (CMINMSGS_CLOB_MSG) VALUES (?)")
        .bind(text)
        .execute(&mut *connection)
        .await
        .expect("inserted");
    sqlx::query("SELECT CAST(LAST_INSERT_ID() AS SIGNED)")
        .fetch_one(&mut *connection)
        .await
        .expect("an ID")
        .get(0)
}
