//! The lease in words.

use engine::ports::{LeaseState, StoreError};
use jiff::{SignedDuration, Timestamp};

/// A lease that lasts longer than this from now was not taken by a program of ours.
const FAR_AWAY: SignedDuration = SignedDuration::from_hours(24);

/// Who leads at `at`. A lease without a believable end is said to be one: nobody can take it over.
pub(super) fn told(lease: Result<Option<&LeaseState>, &StoreError>, at: Timestamp) -> String {
    let lease = match lease {
        Ok(Some(lease)) => lease,
        Ok(None) => return "none so far".into(),
        Err(error) => return format!("unknown: {error}"),
    };
    let (owner, epoch, until) = (&lease.owner, lease.epoch, lease.expires_at);
    match until.duration_since(at) {
        left if left > FAR_AWAY => format!(
            "{owner} (epoch {epoch}); its lease ends only at {until}, far in the future: is a clock wrong? \
             Until then nobody else can lead"
        ),
        left if left.is_positive() => format!("{owner} (epoch {epoch})"),
        _ => format!("none; the last was {owner} (epoch {epoch})"),
    }
}

#[cfg(test)]
mod tests {
    use domain::Epoch;

    use super::*;

    #[test]
    fn the_leader_is_told_whatever_the_lease_says() {
        let at: Timestamp = "2026-03-01T00:00:00Z".parse().expect("a time");
        let lease = |end| LeaseState { epoch: Epoch(3), owner: "a:1".into(), expires_at: end };
        let corrupt = StoreError::Corrupt {
            table: "pipeline_lease",
            column: "expires_at",
            row: "3".into(),
            text: "infinity is no time of ours".into(),
        };
        let soon = at + SignedDuration::from_secs(5);
        for (lease, words) in [
            (Ok(Some(lease(soon))), "a:1 (epoch 3)"),
            (Ok(Some(lease(at))), "none; the last was a:1"),
            (Ok(Some(lease(Timestamp::MIN))), "none; the last was a:1"),
            (Ok(Some(lease(Timestamp::MAX))), "far in the future"),
            (Ok(None), "none so far"),
            (Err(corrupt), "infinity"),
        ] {
            let told = told(lease.as_ref().map(Option::as_ref), at);
            assert!(told.contains(words), "{told}");
        }
    }
}
