//! What an operator may do to a message, a mark, a late row or an event, and what each act does:
//! one gate for all of them. Stores ask it inside the transaction that carries the act out, so that
//! it always speaks of what is there at that moment.

mod act;
mod body;
mod facts;
mod gate;
mod pause;

pub use act::{Act, Target};
pub use body::BodyFacts;
pub use facts::{Abandonment, EventFacts, EventState, Facts, LateState, MarkFacts, MessageFacts};
pub use gate::{Change, Refusal, judge, skip_reason};
pub use pause::{Pausable, Pause};
