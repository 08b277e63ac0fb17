//! Texts cut to their columns.

/// `text` as a column of `chars_max` characters takes it: cut by characters, not bytes, and free
/// of NUL, which PostgreSQL refuses.
pub fn text(text: &str, chars_max: usize) -> String {
    text.chars().filter(|character| *character != '\0').take(chars_max).collect()
}

/// Longest `proc_state.last_error` and `msg_attempt.error`, in characters.
pub const ERROR_CHARS_MAX: usize = 1_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_characters_and_drops_nul() {
        for (from, max, to) in [("首都机场", 2, "首都"), ("a\0b", 5, "ab"), ("\0\0ab", 1, "a"), ("", 3, "")]
        {
            assert_eq!(text(from, max), to);
        }
    }
}
