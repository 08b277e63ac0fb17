//! The jobs that archive and forget, in turns like the engine's, and what they did.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use domain::MsgId;
use engine::ports::{Archive, Old, Retention, StoreError};
use engine::settings::{ArchiveSettings, RetentionSettings};
use jiff::Timestamp;

use crate::place::Place;
use crate::pump;

const JOBS: [&str; 5] =
    ["archived", "events forgotten", "bodies forgotten", "archive forgotten", "shadows forgotten"];

/// Longest wait for a step of the pump to end, as the engine's.
const PATIENCE: Duration = Duration::from_millis(100);

/// What the jobs did.
#[derive(Default)]
pub(crate) struct Swept {
    rows: [AtomicU64; JOBS.len()],
    longest_micros: AtomicU64,
    failures: AtomicU64,
}

impl fmt::Display for Swept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (job, rows) in JOBS.iter().zip(&self.rows) {
            writeln!(f, "{job:<24}{}", rows.load(Ordering::Relaxed))?;
        }
        let longest = Duration::from_micros(self.longest_micros.load(Ordering::Relaxed));
        writeln!(f, "{:<24}{longest:?}", "longest batch")?;
        write!(f, "{:<24}{}", "failures", self.failures.load(Ordering::Relaxed))
    }
}

impl Swept {
    /// Every job, until it is over. They take turns and give way as the engine's do: one batch at a
    /// time, begun when a step of the pump has ended, and a rest of nine times its length.
    #[expect(clippy::disallowed_methods, reason = "in real time, and only a wait is given up, no port call")]
    pub(crate) async fn run(&self, place: &Place, over: &AtomicBool) {
        for job in (0..JOBS.len()).cycle() {
            let _ = tokio::time::timeout(PATIENCE, place.stepped.notified()).await;
            if over.load(Ordering::Relaxed) {
                return;
            }
            let took = self.batch(place, job).await;
            tokio::time::sleep((took * 9).min(Duration::from_secs(1))).await;
        }
    }

    async fn batch(&self, place: &Place, job: usize) -> Duration {
        let begun = pump::now();
        match batch(place, job).await {
            Ok(done) => self.rows[job].fetch_add(done, Ordering::Relaxed),
            Err(_) => self.failures.fetch_add(1, Ordering::Relaxed),
        };
        let took = begun.elapsed();
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.longest_micros.fetch_max(micros, Ordering::Relaxed);
        took
    }
}

async fn batch(place: &Place, job: usize) -> Result<u64, StoreError> {
    let (store, epoch, now) = (&place.store, place.epoch, wall());
    let (archive, forget) = (ArchiveSettings::default().batch, RetentionSettings::default().batch);
    // The owner of the mailbox has purged everything.
    let old = Old { before: now, below: MsgId(i64::MAX) };
    match job {
        0 => store.archive(epoch, &store.archivable(now, None, archive).await?, now).await,
        1 => store.forget_events(epoch, now, forget).await,
        2 => store.forget_bodies(epoch, now, forget).await,
        3 => store.forget_archived(epoch, old, forget).await,
        _ => store.forget_shadows(epoch, old, forget).await,
    }
}

#[expect(clippy::disallowed_methods, reason = "what is filled in is as old as the server's clock says")]
fn wall() -> Timestamp {
    Timestamp::now()
}
