//! Mailbox and own store compared by the command, on real servers (FC-17).

use serde_json::{Value, json};

use crate::support::place::Place;
use crate::support::program::{Program, msgx};
use crate::support::until;

const LANDED: [i64; 6] = [3, 4, 5, 1_000, 1_001, 1_002];

fn compared(place: &Place, more: &[&str]) -> (Option<i32>, Value) {
    let mut arguments = vec!["reconcile-report".to_owned(), "--output=json".to_owned()];
    arguments.extend(place.arguments());
    arguments.extend(more.iter().map(|&word| word.to_owned()));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = msgx(&arguments);
    let told = serde_json::from_slice(&output.stdout);
    (output.status.code(), told.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr))))
}

async fn in_mailbox(place: &Place, sql: String) {
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&place.mailbox).await.expect("done");
}

async fn land(place: &Place, ids: &[i64]) {
    for id in ids {
        let sql = format!("INSERT INTO CMINMSGS (CMINMSGS_ID, CMINMSGS_CLOB_MSG) VALUES ({id}, 'no letter')");
        in_mailbox(place, sql).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fc_17_what_others_did_to_the_mailbox_is_listed_row_by_row() {
    let place = Place::fresh("reconcile").await;
    land(&place, &LANDED).await;
    let mut arguments = [vec!["run".into()], place.arguments()].concat();
    arguments.push("--set=mailbox.max-commit-delay=1 s".to_owned());
    let program = Program::start(&arguments);
    let marked = "SELECT COUNT(*) FROM CMINMSGS WHERE CMINMSGS_DATE_PROCESSED IS NOT NULL";
    until("all are marked", async || place.mailbox_count(marked).await == 6).await;
    let (code, told) = compared(&place, &[]);
    assert_eq!(
        (code, &told["rows"], &told["known"], &told["marked"]),
        (Some(0), &6.into(), &6.into(), &6.into())
    );
    assert_eq!((&told["from"], &told["to"], &told["differences"]), (&3.into(), &1_002.into(), &json!([])));

    land(&place, &[44, 45]).await;
    in_mailbox(&place, "DELETE FROM CMINMSGS WHERE CMINMSGS_ID IN (3, 1000)".to_owned()).await;
    let unmark = "UPDATE CMINMSGS SET CMINMSGS_DATE_PROCESSED = NULL WHERE CMINMSGS_ID = 5";
    in_mailbox(&place, unmark.to_owned()).await;
    let body = sqlx::AssertSqlSafe(format!("DELETE FROM {}.msg_raw WHERE msg_id = 4", place.name));
    sqlx::raw_sql(body).execute(&place.store).await.expect("done");
    let (code, told) = compared(&place, &[]);
    let difference = |id: i64, kind: &str| json!({ "msgId": id, "kind": kind });
    let expected = json!([
        difference(4, "body-missing"),
        difference(5, "mark-missing"),
        difference(44, "never-taken-up"),
        difference(45, "never-taken-up"),
        difference(1_000, "row-gone"),
    ]);
    assert_eq!((code, &told["differences"]), (Some(1), &expected), "{told}");
    let (_, part) = compared(&place, &["--from=44", "--to=999", "--limit=1"]);
    assert_eq!(part["differences"], json!([difference(44, "never-taken-up")]), "{part}");
    assert_eq!(
        (&part["counts"]["never-taken-up"], &part["rows"]),
        (&2.into(), &2.into()),
        "counted beyond the list"
    );
    assert_eq!(program.stop(), Some(0));
}
