//! The upstream system: inserts an airport's letters by plain SQL, each in its own transaction
//! that commits, is rolled back, or commits late.

use airport::{Fate, Letter, Options, Trouble, traffic};
use sqlx::{Connection, MySqlConnection};

const INSERT: &str = "INSERT INTO CMINMSGS (CMINMSGS_DATE_RECEIVED, CMINMSGS_STATUS, CMINMSGS_CLOB_MSG) \
                      VALUES (NOW(6), 'VALID', ?)";

/// Letters with every kind of trouble, few of those that block the queue.
pub(crate) fn letters(seed: u64, count: usize) -> Vec<Letter> {
    let trouble = Trouble { unknown_type: 0.000_3, ..Trouble::default() };
    let options = Options { seed, flights: 120, trouble, ..Options::default() };
    traffic(&options).take(count).collect()
}

/// Rows that landed, in ID order: `(id, body)`.
pub(crate) type Landed = Vec<(i64, Option<Vec<u8>>)>;

/// Inserts letters from `skip` on; returns what landed. `between` is called after each letter.
pub(crate) async fn insert(url: &str, letters: &[Letter], mut between: impl AsyncFnMut(usize)) -> Landed {
    let mut connection = MySqlConnection::connect(url).await.expect("the mailbox answers");
    let mut late: Vec<(usize, MySqlConnection)> = Vec::new();
    let mut landed = Vec::new();
    for (index, letter) in letters.iter().enumerate() {
        match letter.fate {
            Fate::Commit => landed.push((put(&mut connection, letter).await, letter.body.clone())),
            Fate::RolledBack => {
                execute(&mut connection, "BEGIN").await;
                put(&mut connection, letter).await;
                execute(&mut connection, "ROLLBACK").await;
            }
            Fate::CommitLate { after } => {
                let mut own = MySqlConnection::connect(url).await.expect("the mailbox answers");
                execute(&mut own, "BEGIN").await;
                landed.push((put(&mut own, letter).await, letter.body.clone()));
                late.push((index + after as usize, own));
            }
        }
        commit_due(&mut late, index).await;
        between(index).await;
    }
    commit_due(&mut late, usize::MAX).await;
    landed.sort_by_key(|(id, _)| *id);
    landed
}

async fn commit_due(late: &mut Vec<(usize, MySqlConnection)>, index: usize) {
    for (_, mut connection) in late.extract_if(.., |(due, _)| *due <= index) {
        execute(&mut connection, "COMMIT").await;
    }
}

async fn put(connection: &mut MySqlConnection, letter: &Letter) -> i64 {
    let done = sqlx::query(INSERT).bind(text(letter)).execute(connection).await.expect("inserted");
    i64::try_from(done.last_insert_id()).expect("a BIGINT")
}

fn text(letter: &Letter) -> Option<String> {
    letter.body.clone().map(|body| String::from_utf8(body).expect("letters are UTF-8"))
}

/// One statement without result.
pub(crate) async fn execute(connection: &mut MySqlConnection, sql: &'static str) {
    sqlx::raw_sql(sql).execute(connection).await.expect("executed");
}
