//! What every sink must do.

pub mod publish;
pub mod refusal;

use domain::event::Target;
use engine::ports::{Record, Sink};

fn record(sink: &impl Sink, key: &str, value: Option<&str>) -> Record {
    let version = ("msgx-state-version", "41".to_owned());
    let subject = ("ce_subject", "延误 𠮷 ✈".to_owned());
    let headers = vec![("ce_specversion", "1.0".to_owned()), version, subject];
    Record { topic: sink.topic(Target::Msg).into(), key: key.into(), value: value.map(Into::into), headers }
}
