//! Words of brokers and mailboxes, cut to their columns: by characters, and free of NUL, which
//! PostgreSQL refuses. What the domain hands over is not touched: it is right, or refused as data.

/// Room in `last_error` and `msg_attempt.error`, in characters.
pub(super) const ERROR_MAX: usize = 1000;
/// Room in `backfill_error`, in characters.
pub(super) const MARK_ERROR_MAX: usize = 512;
/// Room in `topic`, in characters: Kafka's own limit.
pub(super) const TOPIC_MAX: usize = 249;

pub(super) fn cut(text: &str, characters: usize) -> String {
    text.chars().filter(|&character| character != '\0').take(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_by_characters_and_freed_of_nul() {
        assert_eq!(cut("航\0班号", 2), "航班");
        assert_eq!(cut("short", 512), "short");
    }
}
