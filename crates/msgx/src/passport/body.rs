//! The body of a message for people: as XML with personal data masked, as it is stored, and decoded.

use domain::decide::{Policy, was_lethal};
use domain::message::StoredBody;
use serde_json::Value;
use sis::personal::{masked_message, masked_xml};

use super::Passport;

/// How a body is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Personal data masked.
    Masked,
    /// As it is stored.
    Stored,
}

impl Passport {
    /// The text of the body, or why there is none.
    pub(crate) fn text(&self, shown: Shown, policy: &Policy) -> Result<String, String> {
        let bytes = self.bytes()?;
        match shown {
            Shown::Stored => Ok(String::from_utf8_lossy(bytes).into_owned()),
            Shown::Masked => {
                self.readable()?;
                let envelope = sis::read(bytes, policy.carrier, &policy.limits)
                    .map_err(|problem| format!("it can't be read ({problem}) and may hold personal data"))?;
                Ok(masked_xml(&envelope, policy.dictionary))
            }
        }
    }

    /// The message as it is understood, personal data masked, or why it isn't.
    pub(crate) fn decoded(&self, policy: &Policy) -> Result<Value, String> {
        self.readable()?;
        let message = sis::decode(self.bytes()?, policy.carrier, &policy.limits, policy.dictionary)
            .map_err(|problem| problem.to_string())?;
        Ok(masked_message(&message, &policy.zone, policy.dictionary))
    }

    fn bytes(&self) -> Result<&[u8], String> {
        match self.body.as_ref().map(|body| &body.body) {
            None => Err("the body isn't kept any longer (msgx.retention.raw)".to_owned()),
            Some(StoredBody::Missing) => Err("the column was NULL".to_owned()),
            Some(StoredBody::Oversized { .. }) => {
                Err("the body is longer than mailbox.max-body-bytes and was not fetched".to_owned())
            }
            Some(StoredBody::Bytes(bytes)) => Ok(bytes),
        }
    }

    /// What has ended a process is not read again in this one.
    fn readable(&self) -> Result<(), String> {
        if was_lethal(self.record.message.last_error.as_deref()) {
            return Err("reading it has ended the process before".to_owned());
        }
        Ok(())
    }
}
