//! How rooms wake each other, and how others wake them.

use domain::event::Target;

use crate::ports::Wake;

/// One bell per room. A ring is a hint that there may be something to do; none is needed for
/// anything to be done.
#[derive(Debug, Clone, Default)]
pub struct Bells {
    /// Rung by whoever has written to the mailbox.
    pub discovery: Wake,
    /// Rung by discovery, and by operator actions.
    pub pump: Wake,
    /// Rung by the pump; one per [`Target`], in the order of [`Target::ALL`].
    pub delivery: [Wake; Target::ALL.len()],
    /// Rung by the pump.
    pub marks: Wake,
    /// Rung by the pump when a step has ended: jobs begin then.
    pub(crate) stepped: Wake,
    /// Rung when a job's turn is over.
    pub(crate) turns: Wake,
    pub(crate) audit: Wake,
    pub(crate) history: Wake,
    pub(crate) retention: Wake,
    pub(crate) pauses: Wake,
    pub(crate) archive: Wake,
    pub(crate) archive_retention: Wake,
    pub(crate) event_retention: Wake,
    pub(crate) raw_retention: Wake,
    pub(crate) comparison: Wake,
    pub(crate) lease: Wake,
}

impl Bells {
    /// Every bell.
    pub(crate) fn all(&self) -> Vec<&Wake> {
        let Self { discovery, pump, delivery, marks, audit, history, retention, pauses, lease, .. } = self;
        let Self { stepped, turns, comparison, .. } = self;
        let Self { archive, archive_retention, event_retention, raw_retention, .. } = self;
        let jobs =
            [archive, archive_retention, event_retention, raw_retention, history, retention, comparison];
        [discovery, pump, marks, stepped, turns, audit, pauses, lease]
            .into_iter()
            .chain(jobs)
            .chain(delivery)
            .collect()
    }
}
