//! What the comparison of mailbox and store tells.

use domain::reconcile::{Difference, Tally};
use jiff::Timestamp;
use metrics::gauge;
use tracing::{error, info};

use super::catalogue::{RECONCILE_DIFFERENCES, RECONCILED_AT, RECONCILED_ROWS};

/// Mailbox and store were compared.
pub struct Compared<'a> {
    /// What was counted.
    pub tally: &'a Tally,
    /// When it ended.
    pub at: Timestamp,
}

impl Compared<'_> {
    /// Tells it.
    #[expect(clippy::cast_precision_loss, reason = "gauges are read by people and graphs")]
    pub fn emit(self) {
        let Self { tally, at } = self;
        let of = |kind: Difference| tally.differences.get(&kind).copied().unwrap_or(0);
        for kind in Difference::ALL {
            gauge!(RECONCILE_DIFFERENCES, "kind" => kind.as_str()).set(of(kind) as f64);
        }
        gauge!(RECONCILED_ROWS).set(tally.rows as f64);
        gauge!(RECONCILED_AT).set(at.as_second() as f64);
        let differences: u64 = tally.differences.values().sum();
        if differences == 0 {
            info!(rows = tally.rows, "mailbox and store agree");
        } else {
            let kinds = Difference::ALL.into_iter().filter(|kind| of(*kind) > 0);
            let kinds =
                kinds.map(|kind| format!("{} {}", kind.as_str(), of(kind))).collect::<Vec<_>>().join(", ");
            error!(rows = tally.rows, differences, %kinds, "mailbox and store disagree; `msgx reconcile-report` lists them");
        }
    }
}
