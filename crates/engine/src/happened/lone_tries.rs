//! What is told of a process that died with work in hand, and of messages it may have died of.

use std::time::Duration;

use domain::MsgId;
use metrics::counter;
use tracing::{error, info, warn};

use super::catalogue::{LETHAL, UNCLEAN_ENDS};

/// The process before this one ended with work in hand.
pub struct UncleanEnd {
    /// So many messages are tried alone.
    pub messages: usize,
}

impl UncleanEnd {
    /// Tells it.
    pub fn emit(self) {
        counter!(UNCLEAN_ENDS).increment(1);
        info!(
            messages = self.messages,
            "the process before this one ended with work in hand: the first messages are tried one by one"
        );
    }
}

/// The process has died while this message was tried alone; it is tried again after a wait.
pub struct DiesAgain {
    /// The message.
    pub msg_id: MsgId,
    /// So often, in a row.
    pub deaths: u32,
    /// How long a kill from outside has time to hit something else.
    pub wait: Duration,
}

impl DiesAgain {
    /// Tells it.
    pub fn emit(self) {
        let Self { msg_id, deaths, wait } = self;
        warn!(msg_id = msg_id.0, deaths, ?wait, "the process died while this message was tried alone");
    }
}

/// The process has died of this message too often: it ends DEAD.
pub struct GivenUpAsLethal {
    /// The message.
    pub msg_id: MsgId,
    /// So often, in a row.
    pub deaths: u32,
}

impl GivenUpAsLethal {
    /// Tells it.
    pub fn emit(self) {
        let Self { msg_id, deaths } = self;
        counter!(LETHAL).increment(1);
        error!(msg_id = msg_id.0, deaths, "the process dies of this message: it is given up");
    }
}
