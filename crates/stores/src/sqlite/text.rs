//! Texts on their way into columns. Words of brokers and mailboxes are cut, by characters, and freed
//! of NUL. What the domain hands over is not touched: it is right, or refused as data.

use engine::ports::StoreError;

/// Room in `msg_event.last_error`, in characters.
pub(super) const ERROR_MAX: usize = 1000;

/// Room in `proc_state.backfill_error`, in characters.
pub(super) const MARK_ERROR_MAX: usize = 512;

/// Room in `msg_event.topic`, in characters: Kafka's own limit.
pub(super) const TOPIC_MAX: usize = 249;

pub(super) fn cut(text: &str, characters: usize) -> String {
    text.chars().filter(|character| *character != '\0').take(characters).collect()
}

/// A text that travels as JSON: SQLite would silently end it at a NUL, so that one is refused here.
pub(super) fn without_nul(text: &str) -> Result<&str, StoreError> {
    match text.find('\0') {
        None => Ok(text),
        Some(at) => Err(StoreError::Data(format!("a text has a NUL character at byte {at}"))),
    }
}

/// [`without_nul`] for a column that may be empty.
pub(super) fn without_nul_if_any(text: Option<&str>) -> Result<Option<&str>, StoreError> {
    text.map(without_nul).transpose()
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
