//! The life of a message: states, classes, identity, ignore rules.

mod candidate;
mod class;
mod identity;
mod ignore;
mod state;

pub use candidate::{Candidate, Holder, StoredBody};
pub use class::ErrorClass;
pub use identity::{IdentityKey, IdentityPolicy, Reissue};
pub use ignore::IgnoreRules;
pub use state::{Conclusion, Labels, Settled, State};
