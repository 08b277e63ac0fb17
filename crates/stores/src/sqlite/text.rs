//! Words of brokers and mailboxes, cut to their columns: by characters, and free of NUL. What the
//! domain hands over is not touched: it is right, or refused as data.

/// Room in `msg_event.last_error`, in characters.
pub(super) const ERROR_MAX: usize = 1000;

/// Room in `proc_state.backfill_error`, in characters.
pub(super) const MARK_ERROR_MAX: usize = 512;

pub(super) fn cut(text: &str, characters: usize) -> String {
    text.chars().filter(|character| *character != '\0').take(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_by_characters_and_freed_of_nul() {
        assert_eq!(cut("航\0班号", 2), "航班");
        assert_eq!(cut("short", MARK_ERROR_MAX), "short");
    }
}
