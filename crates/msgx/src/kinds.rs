//! Kinds of messages for programs: the command line and the API give the same.

use domain::message::ErrorClass;
use engine::ports::KindCount;
use serde_json::{Value, json};

/// One kind; `type` and `styp` are empty where META could not be read.
pub(crate) fn json(kind: &KindCount) -> Value {
    json!({
        "type": kind.kind, "styp": kind.subtype, "state": kind.state.as_str(),
        "class": kind.class.map(ErrorClass::as_str), "count": kind.count,
        "firstAt": kind.first_at.to_string(), "lastAt": kind.last_at.to_string(),
        "firstMsgId": kind.first_msg_id.0, "lastMsgId": kind.last_msg_id.0,
    })
}
