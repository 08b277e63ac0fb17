//! What a message left behind: what it changed, and who acted on it.

use domain::decide::Policy;
use domain::flight::story::{Language, Teller};

use super::super::actions::audit::as_line;
use crate::passport::Passport;

pub(super) fn audit(passport: &Passport) -> String {
    if passport.audit.is_empty() {
        return "\naudit      nobody acted on it\n".to_owned();
    }
    let lines = passport.audit.iter().map(|entry| format!("  {}\n", as_line(entry)));
    format!("\naudit\n{}", lines.collect::<String>())
}

pub(super) fn changed(passport: &Passport, policy: &Policy) -> String {
    if passport.steps.is_empty() {
        return "\nchanged    nothing that is kept\n".to_owned();
    }
    let teller = Teller { dictionary: policy.dictionary, zone: &policy.zone, language: Language::English };
    let mut text = String::from("\nchanged\n");
    for step in &passport.steps {
        text += &format!("FLID {}\n", step.change.flid);
        text += &teller.story(&[(step.change.clone(), step.at)], &[]);
    }
    text
}
