//! The live page: rendered here, kept up to date by small scripts of ours over server-sent
//! events. No web build step, nothing from elsewhere.

mod language;
mod page;
mod script_words;
mod words;

pub(crate) use language::Language;
pub(crate) use page::{Setting, page};

/// The style sheet.
pub(crate) const STYLE: &str = include_str!("../../assets/console.css");
/// The script: listens to the stream and says whether all is well.
pub(crate) const SCRIPT: &str = include_str!("../../assets/console.js");
/// The five facts and the four cards.
pub(crate) const FACTS_SCRIPT: &str = include_str!("../../assets/facts.js");
/// Departures and arrivals.
pub(crate) const BOARD_SCRIPT: &str = include_str!("../../assets/board.js");
/// Words, numbers and times in the page's language.
pub(crate) const WORDS_SCRIPT: &str = include_str!("../../assets/words.js");
/// The icon.
pub(crate) const ICON: &str = include_str!("../../assets/icon.svg");
