//! A whole message in one call.

use crate::{Carrier, Dictionary, Limits, Message, Problem, read};

/// Reads and interprets a message: [`read`], then [`crate::Envelope::body`].
pub fn decode(
    bytes: &[u8],
    carrier: Carrier,
    limits: &Limits,
    dictionary: &'static Dictionary,
) -> Result<Message, Problem> {
    let envelope = read(bytes, carrier, limits)?;
    let body = envelope.body(dictionary)?;
    Ok(Message { meta: envelope.meta().clone(), body })
}
