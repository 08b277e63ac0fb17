//! The live page: rendered here, kept up to date by a small script of ours over server-sent
//! events. No web build step, nothing from elsewhere.

mod page;
mod words;

pub(crate) use page::{Setting, page};
pub(crate) use words::Language;

/// The style sheet.
pub(crate) const STYLE: &str = include_str!("../../assets/console.css");
/// The script.
pub(crate) const SCRIPT: &str = include_str!("../../assets/console.js");
/// The icon.
pub(crate) const ICON: &str = include_str!("../../assets/icon.svg");
