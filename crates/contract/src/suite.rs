//! The macros that turn a case's definition into a test of every adapter.

/// Defines the cases of a room, and a macro `$suite` that makes one test of each. The leading
/// `$` is handed in because a macro can't write one for the macro it defines.
macro_rules! cases {
    (
        $d:tt $suite:ident: $harness:ident in $port:ident::$room:ident;
        $($(#[$doc:meta])* async fn $case:ident($subject:ident) $body:block)+
    ) => {
        $(
            /// A case: its name is the rule.
            $(#[$doc])*
            pub async fn $case<H: $crate::$harness>($subject: &H) $body
        )+

        #[doc(hidden)]
        #[macro_export]
        macro_rules! $suite {
            ($d subject:path) => {
                $(
                    #[tokio::test]
                    async fn $case() {
                        let subject = <$d subject as $crate::Harness>::fresh().await;
                        $crate::$port::$room::$case(&subject).await;
                        $crate::Harness::close(subject).await;
                    }
                )+
            };
            ($d subject:path, $d lacking:literal) => {
                $(
                    #[test]
                    #[ignore = $d lacking]
                    fn $case() {
                        panic!($d lacking);
                    }
                )+
            };
        }
    };
}

/// One test per case of a [`StoreHarness`](crate::StoreHarness). `without strict_text` is for
/// databases that take any text into any column.
#[macro_export]
macro_rules! store_suite {
    (@all $harness:path) => {
        $crate::store_leadership_cases!($harness);
        $crate::store_terms_cases!($harness);
        $crate::store_discovery_cases!($harness);
        $crate::store_gaps_cases!($harness);
        $crate::store_past_cases!($harness);
        $crate::store_accounts_cases!($harness);
        $crate::store_head_cases!($harness);
        $crate::store_world_cases!($harness);
        $crate::store_pump_cases!($harness);
        $crate::store_refusal_cases!($harness);
        $crate::store_outbox_cases!($harness);
        $crate::store_settling_cases!($harness);
        $crate::store_marks_cases!($harness);
        $crate::store_messages_cases!($harness);
        $crate::store_views_cases!($harness);
        $crate::store_board_cases!($harness);
        $crate::store_history_cases!($harness);
        $crate::store_timeline_cases!($harness);
        $crate::store_archive_cases!($harness);
        $crate::store_archived_cases!($harness);
        $crate::store_restoring_cases!($harness);
        $crate::store_retention_cases!($harness);
        $crate::store_actions_cases!($harness);
        $crate::store_actions_beyond_cases!($harness);
        $crate::store_selections_cases!($harness);
        $crate::store_pauses_cases!($harness);
    };
    ($harness:path) => {
        $crate::store_suite!(@all $harness);
        $crate::store_strict_text_cases!($harness);
    };
    ($harness:path, without strict_text) => {
        $crate::store_suite!(@all $harness);
        $crate::store_strict_text_cases!($harness, "the store takes any text into any column");
    };
}

/// One test per case of a [`MailboxHarness`](crate::MailboxHarness), and of
/// [`OpenTransactions`](crate::OpenTransactions) unless `without open_transactions`.
#[macro_export]
macro_rules! mailbox_suite {
    (@all $harness:path) => {
        $crate::mailbox_poll_cases!($harness);
        $crate::mailbox_past_cases!($harness);
        $crate::mailbox_bodies_cases!($harness);
        $crate::mailbox_insert_cases!($harness);
        $crate::mailbox_marks_cases!($harness);
        $crate::mailbox_rows_cases!($harness);
    };
    ($harness:path) => {
        $crate::mailbox_suite!(@all $harness);
        $crate::mailbox_open_transactions_cases!($harness);
    };
    ($harness:path, without open_transactions) => {
        $crate::mailbox_suite!(@all $harness);
        $crate::mailbox_open_transactions_cases!($harness, "the mailbox has one writer at a time");
    };
}

/// One test per case of a [`SinkHarness`](crate::SinkHarness), and of
/// [`RefusesRecords`](crate::RefusesRecords) unless `without refusals`.
#[macro_export]
macro_rules! sink_suite {
    ($harness:path) => {
        $crate::sink_cases!($harness);
        $crate::sink_refusal_cases!($harness);
    };
    ($harness:path, without refusals) => {
        $crate::sink_cases!($harness);
        $crate::sink_refusal_cases!($harness, "the sink takes every record");
    };
}
