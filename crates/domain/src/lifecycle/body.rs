//! Is there still something to read again?

/// The body of a message in the own store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyFacts {
    /// Kept, be it only the note that there was none.
    Kept,
    /// Forgotten by retention: the message can't be read again.
    Forgotten,
}
