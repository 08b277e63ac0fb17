//! A flight's timeline told in words, Chinese or English, for people who must know what happened.

mod lists;
mod sentences;
mod sources;
mod values;
mod words;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use sis::Dictionary;

use super::FlightChange;

pub use sources::Sourced;
pub use values::printable;
pub use words::Language;

/// What a story is told with.
#[derive(Debug, Clone, Copy)]
pub struct Teller<'a> {
    /// Names the fields.
    pub dictionary: &'a Dictionary,
    /// The airport's.
    pub zone: &'a TimeZone,
    /// Of the listener.
    pub language: Language,
}

/// How values are told at one point of a story.
#[derive(Debug, Clone, Copy)]
struct Voice<'a> {
    dictionary: &'a Dictionary,
    language: Language,
    /// The day of which times need not be told.
    day: Option<Date>,
    personal: Personal,
}

/// What the listener may know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Personal {
    /// That personal data changed, and not to what.
    Hidden,
    Shown,
}

/// When a life of a flight became history, and the version it has since.
pub type Swept = (i64, Timestamp);

impl Teller<'_> {
    /// The story: a heading for each local day, a line for each step and each time a life became
    /// history. Of personal data it tells that it changed. A step that can't be read says so instead
    /// of being left out.
    pub fn story(&self, steps: &[(FlightChange, Timestamp)], swept: &[Swept]) -> String {
        self.told(steps, swept, Personal::Hidden)
    }

    /// [`Teller::story`] with personal data, for those who may see it.
    pub fn story_with_personal(&self, steps: &[(FlightChange, Timestamp)], swept: &[Swept]) -> String {
        self.told(steps, swept, Personal::Shown)
    }

    fn told(&self, steps: &[(FlightChange, Timestamp)], swept: &[Swept], personal: Personal) -> String {
        let mut moments: Vec<(i64, Timestamp, Option<&FlightChange>)> =
            steps.iter().map(|(step, at)| (step.state_version, *at, Some(step))).collect();
        moments.extend(swept.iter().map(|(version, at)| (*version, *at, None)));
        // A deleted flight goes with the version it has.
        moments.sort_by_key(|(version, _, step)| (*version, step.is_none()));
        let mut story = String::new();
        let mut day: Option<Date> = None;
        for (version, at, step) in moments {
            let local = self.zone.to_datetime(at);
            if day.replace(local.date()) != Some(local.date()) {
                story += &format!("{}\n", local.date());
            }
            let voice = Voice { dictionary: self.dictionary, language: self.language, day, personal };
            let words = match step {
                Some(step) => {
                    let sentences = voice.sentences(step).join(self.language.pick("；", "; "));
                    format!("{sentences}  {}", self.cause(step))
                }
                None => self.language.becomes_history().to_owned(),
            };
            story += &format!("  {}  {:<4}  {words}\n", local.strftime("%H:%M"), format!("v{version}"));
        }
        story
    }

    fn cause(&self, step: &FlightChange) -> String {
        let language = self.language;
        let labels = [step.kind.as_deref(), step.subtype.as_deref()];
        let labels: Vec<&str> = labels.into_iter().flatten().collect();
        let message = format!("{}{}", language.pick("报文 ", "message "), step.msg_id);
        match (labels.is_empty(), language) {
            (true, Language::Chinese) => format!("（{message}）"),
            (false, Language::Chinese) => format!("（{}，{message}）", labels.join(" ")),
            (true, Language::English) => format!("({message})"),
            (false, Language::English) => format!("({}, {message})", labels.join(" ")),
        }
    }
}

#[cfg(test)]
mod tests;
