//! The life of a message: states, classes, identity, ignore rules.

mod candidate;
mod class;
mod identity;
mod ignore;
mod state;
mod text;

pub use candidate::{Candidate, Holder, StoredBody};
pub use class::ErrorClass;
pub use identity::{IDENTITY_CHARS_MAX, IdentityKey, IdentityPolicy, Reissue};
pub use ignore::IgnoreRules;
pub use state::{Conclusion, Labels, Settled, State};
pub use text::{ERROR_CHARS_MAX, text};
