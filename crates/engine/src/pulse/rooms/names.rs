//! The rooms of the engine and their names.

use domain::event::Target;

/// A room of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Room {
    /// Takes and renews the lease.
    Lease,
    /// Takes rows up.
    Discovery,
    /// Looks for late rows.
    Audit,
    /// Processes messages.
    Pump,
    /// Sends events of [`domain::event::Target::Msg`].
    DeliveryMsg,
    /// Sends events of [`domain::event::Target::Schd`].
    DeliverySchd,
    /// Writes marks.
    Marks,
    /// Looks up which rooms are paused.
    Pauses,
    /// Makes flights history.
    History,
    /// Forgets flights and timelines that are older than they are kept.
    Retention,
    /// Archives messages that are over.
    Archive,
    /// Forgets archived messages and their shadows.
    ArchiveRetention,
    /// Forgets events that were delivered.
    EventRetention,
    /// Forgets bodies.
    RawRetention,
    /// Compares mailbox and store, every night.
    Comparison,
}

impl Room {
    /// Every room.
    pub const ALL: [Self; 15] = [
        Self::Lease,
        Self::Discovery,
        Self::Audit,
        Self::Pump,
        Self::DeliveryMsg,
        Self::DeliverySchd,
        Self::Marks,
        Self::Pauses,
        Self::History,
        Self::Retention,
        Self::Archive,
        Self::ArchiveRetention,
        Self::EventRetention,
        Self::RawRetention,
        Self::Comparison,
    ];

    /// The room that delivers to a target.
    pub fn of_delivery(target: Target) -> Self {
        match target {
            Target::Msg => Self::DeliveryMsg,
            Target::Schd => Self::DeliverySchd,
        }
    }

    /// Its name in metrics, logs and on the page.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lease => "lease",
            Self::Discovery => "discovery",
            Self::Audit => "late-row-audit",
            Self::Pump => "pump",
            Self::DeliveryMsg => "delivery-msg",
            Self::DeliverySchd => "delivery-schd",
            Self::Marks => "marks",
            Self::Pauses => "pauses",
            Self::History => "flight-history",
            Self::Retention => "retention",
            Self::Archive => "archive",
            Self::ArchiveRetention => "archive-retention",
            Self::EventRetention => "event-retention",
            Self::RawRetention => "raw-retention",
            Self::Comparison => "reconciliation",
        }
    }
}
