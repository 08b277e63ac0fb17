//! Statements of messages for people, and of terms.

use super::super::{accounts, messages, terms};

/// None may walk a table that grows with the years.
pub(super) const MESSAGES: [&str; 19] = [
    messages::NEWEST_IDS,
    messages::DEAD_IDS,
    messages::UNFINISHED_IDS,
    messages::FAILED_IDS,
    messages::IDS_OF_IDENTITY,
    messages::IDS_OF_FLIGHT,
    messages::ID_BOUNDS,
    messages::RECORDS,
    messages::SHADOW,
    messages::RAW,
    messages::CHANGES_BY,
    messages::EVENTS_BY,
    accounts::ACCOUNTS,
    accounts::LEFT_OUT,
    terms::OPEN_TERM,
    terms::CLOSE_TERM,
    terms::NOTE_LONE_TRY,
    terms::LONE_TRY,
    terms::FORGET_LONE_TRY,
];
