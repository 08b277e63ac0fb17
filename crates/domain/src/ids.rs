//! Numbers that must not be swapped.

use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id! {
    /// ID of a mailbox row (`CMINMSGS_ID`), positive; 0 stands for "before the first".
    MsgId
}
id! {
    /// ID of a flight in the upstream system (FLID).
    Flid
}
id! {
    /// ID of an outbox row (`msg_event.event_id`); rises in processing order.
    EventId
}
id! {
    /// Fencing epoch of the pipeline lease; rises with every take-over.
    Epoch
}
