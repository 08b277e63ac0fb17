//! Statements of archive and retention.

use super::super::{archive, retention};

/// None may walk a table that grows with the years.
pub(super) const JOBS: [&str; 12] = [
    archive::ARCHIVABLE,
    archive::COPY_TO_ARCHIVE,
    archive::LEAVE_SHADOWS,
    archive::RESTORE,
    archive::LEAVE_ARCHIVE,
    retention::FORGET_EVENTS,
    retention::FORGET_DISCARDED,
    retention::OLD_ARCHIVED,
    retention::FORGET_ATTEMPTS,
    retention::FORGET_ARCHIVED,
    retention::FORGET_SHADOWS,
    retention::FORGET_BODIES,
];
