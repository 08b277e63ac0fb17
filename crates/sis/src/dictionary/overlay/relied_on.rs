//! Fields and members that rules of the pipeline and pages read by name: the operation day, the
//! code-share projection, stands with their times, what a board shows. They can be fed from other
//! elements and have other labels; neither their names nor their forms can change.

use super::super::DictionaryError;
use super::super::check::refuse;
use super::super::schema::{File, Group, Scalar};

const RELIED_ON: [(&str, &[&str]); 20] = [
    ("scheduledTime", &[]),
    ("airline", &[]),
    ("flightNumber", &[]),
    ("movement", &[]),
    ("estimatedTime", &[]),
    ("actualTime", &[]),
    ("cancelledTime", &[]),
    ("aircraftType", &[]),
    ("stand", &[]),
    ("flightStatus", &[]),
    ("remarks", &[]),
    ("gates", &["gate"]),
    ("belts", &["belt"]),
    ("route", &["airport"]),
    ("delays", &[]),
    ("standPlan", &["stand", "plannedStart", "plannedEnd"]),
    ("pushBacks", &["stand", "time"]),
    ("tractors", &["stand", "time"]),
    ("codeShare", &["airline", "flightNumber", "mainFlid"]),
    ("turnaround", &["airline", "flightNumber", "flid"]),
];

const FORM: &str =
    "rules of the pipeline read it: its form (kind, key, and how its value is read) can't change";

const PUBLIC: &str = "rules of the pipeline and pages show it: it can't be personal";

/// Is the field read by rules?
pub(super) fn is(name: &str) -> bool {
    members(name).is_some()
}

fn members(name: &str) -> Option<&'static [&'static str]> {
    RELIED_ON.iter().find(|(relied_on, _)| *relied_on == name).map(|(_, members)| *members)
}

/// Refuses a site's entry that gives a field another form than rules read.
pub(super) fn keeps_form(base: &File, site: &File) -> Result<(), DictionaryError> {
    for scalar in site.scalars.iter().filter(|scalar| is(scalar.name.get_ref())) {
        let same =
            |other: &&Scalar| other.name.get_ref() == scalar.name.get_ref() && other.value == scalar.value;
        if base.scalars.iter().find(same).is_none() {
            return refuse(&site.text, &scalar.name, FORM);
        }
        if scalar.personal {
            return refuse(&site.text, &scalar.name, PUBLIC);
        }
    }
    for group in &site.group {
        let Some(members) = members(group.name.get_ref()) else { continue };
        let Some(before) = base.group.iter().find(|other| other.name.get_ref() == group.name.get_ref())
        else {
            return refuse(&site.text, &group.name, FORM);
        };
        if before.kind != group.kind || before.key != group.key {
            return refuse(&site.text, &group.name, FORM);
        }
        if group.personal {
            return refuse(&site.text, &group.name, PUBLIC);
        }
        for member in members {
            keeps_member(before, group, member, &site.text)?;
        }
    }
    Ok(())
}

fn keeps_member(before: &Group, group: &Group, name: &str, text: &str) -> Result<(), DictionaryError> {
    let find = |group: &Group| {
        group
            .members
            .iter()
            .find(|entry| entry.name.get_ref() == name)
            .map(|entry| (entry.value, entry.personal))
    };
    match find(group) {
        None => refuse(
            text,
            &group.name,
            format_args!("its member `{name}` is missing; rules of the pipeline read it"),
        ),
        Some((_, true)) => refuse(text, &group.name, format_args!("member `{name}`: {PUBLIC}")),
        Some(found) if find(before) != Some(found) => {
            refuse(text, &group.name, format_args!("member `{name}`: {FORM}"))
        }
        Some(_) => Ok(()),
    }
}
