//! Migrations and the version check.

use futures::future::join_all;
use stores::postgres::{PostgresStore, SchemaError, statements};

use super::subject::{Subject, server};

#[tokio::test]
async fn migrating_twice_is_harmless() {
    let subject = Subject::new().await;
    assert_eq!(subject.store.migrate().await, Ok(()));
    assert_eq!(subject.store.check_version().await, Ok(()));
    subject.close().await;
}

#[tokio::test]
async fn twenty_may_migrate_at_once() {
    let subject = Subject::bare().await;
    let migrate = async || {
        let store = PostgresStore::connect(&server(), &subject.schema).await.expect("the server answers");
        let outcome = store.migrate().await;
        store.close().await;
        outcome
    };
    let outcomes = join_all((0..20).map(|_| migrate())).await;
    assert_eq!(outcomes, vec![Ok(()); 20]);
    assert_eq!(subject.store.check_version().await, Ok(()));
    assert_eq!(subject.number("SELECT count(*) FROM pipeline_lease").await, 1);
    subject.close().await;
}

#[tokio::test]
async fn a_schema_from_a_newer_version_is_refused() {
    let subject = Subject::new().await;
    subject
        .run(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
              VALUES (9999, 'from the future', true, '', 0)",
        )
        .await;
    let is_newer = |outcome| matches!(outcome, Err(SchemaError::Newer { found: 9999, .. }));
    assert!(is_newer(subject.store.migrate().await));
    assert!(is_newer(subject.store.check_version().await));
    subject.close().await;
}

#[tokio::test]
async fn a_schema_that_was_never_migrated_is_told_from_one_that_is_broken() {
    let subject = Subject::bare().await;
    let outcome = subject.store.check_version().await;
    assert!(matches!(outcome, Err(SchemaError::Older { missing: 1, .. })), "{outcome:?}");
    subject.store.migrate().await.expect("the migrations apply");
    subject.run("UPDATE _sqlx_migrations SET checksum = '' WHERE version = 1").await;
    let outcome = subject.store.check_version().await;
    assert!(matches!(outcome, Err(SchemaError::Broken { .. })), "{outcome:?}");
    subject.close().await;
}

#[tokio::test]
async fn every_statement_fits_the_migrated_tables() {
    let subject = Subject::new().await;
    assert_eq!(subject.store.check_statements().await, Ok(statements().count()));
    subject.run("ALTER TABLE inbox_late RENAME COLUMN found_at TO seen_at").await;
    let outcome = subject.store.check_statements().await;
    assert!(matches!(outcome, Err(SchemaError::Statement { name: "record_late", .. })), "{outcome:?}");
    subject.close().await;
}

/// A schema as the first version left it, with flights that know their turnaround partner by document
/// alone.
#[tokio::test]
async fn flights_written_before_the_column_of_the_partner_get_it() {
    let subject = Subject::new().await;
    subject
        .run(
            "DROP TABLE flight_hist, flight_change, message_kind, proc_state_hst CASCADE; \
             DROP INDEX ix_flight_day; \
             ALTER TABLE flight_schd DROP COLUMN turn_flid; \
             DELETE FROM _sqlx_migrations WHERE version = 2; \
             INSERT INTO flight_schd \
             SELECT id, 'ACTIVE', 1, 1, 0, 1, 1, NULL, NULL, document, now() \
             FROM (VALUES (1, '{\"turnaround\":[1,{\"airline\":\"ZZ\",\"flid\":77}]}'), (2, '{\"turnaround\":[2]}'), \
                          (3, '{\"remarks\":[1,\"\\u0000 \\\"turnaround\\\"\"]}')) AS made (id, document)",
        )
        .await;
    assert_eq!(subject.store.migrate().await, Ok(()));
    assert_eq!(subject.number("SELECT turn_flid FROM flight_schd WHERE flid = 1").await, 77);
    assert_eq!(subject.number("SELECT count(*) FROM flight_schd WHERE turn_flid IS NULL").await, 2);
    subject.close().await;
}
