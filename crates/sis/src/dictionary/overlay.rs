//! A site's file laid over the compiled-in one: first its new names, then its entries, each of
//! which replaces the one of the same name as a whole or is added.

use toml::Spanned;

use super::DictionaryError;
use super::check::refuse;
use super::schema::{File, Group, RenameEntry};

/// Fields and members that rules of the pipeline and pages read by name: the operation day, the
/// code-share projection, what a board shows. They can be fed from other elements, but not
/// be renamed.
const RELIED_ON: [(&str, &[&str]); 14] = [
    ("scheduledTime", &[]),
    ("airline", &[]),
    ("flightNumber", &[]),
    ("movement", &[]),
    ("estimatedTime", &[]),
    ("actualTime", &[]),
    ("cancelledTime", &[]),
    ("stand", &[]),
    ("flightStatus", &[]),
    ("remarks", &[]),
    ("gates", &["gate"]),
    ("route", &["airport"]),
    ("codeShare", &["airline", "flightNumber", "mainFlid"]),
    ("turnaround", &["airline", "flightNumber", "flid"]),
];

pub(super) fn lay(mut base: File, site: File) -> Result<File, DictionaryError> {
    for entry in &site.rename {
        rename(&mut base, entry, &site.text)?;
    }
    for group in &site.group {
        keeps_members(group, &site.text)?;
    }
    for scalar in site.scalars {
        base.group.retain(|entry| entry.name.get_ref() != scalar.name.get_ref());
        place(&mut base.scalars, scalar, |entry| &entry.name);
    }
    for group in site.group {
        base.scalars.retain(|entry| entry.name.get_ref() != group.name.get_ref());
        place(&mut base.group, group, |entry| &entry.name);
    }
    for subtype in site.subtypes {
        place(&mut base.subtypes, subtype, |entry| &entry.name);
    }
    for list in site.references {
        place(&mut base.references, list, |entry| &entry.name);
    }
    base.ignored.extend(site.ignored);
    // Lines of problems are those of the overlay; the base alone has none.
    base.text = site.text;
    Ok(base)
}

fn place<T>(entries: &mut Vec<T>, entry: T, name: impl Fn(&T) -> &Spanned<String>) {
    match entries.iter().position(|other| name(other).get_ref() == name(&entry).get_ref()) {
        Some(position) => entries[position] = entry,
        None => entries.push(entry),
    }
}

fn rename(base: &mut File, entry: &RenameEntry, text: &str) -> Result<(), DictionaryError> {
    let is_it = |name: &Spanned<String>| name.get_ref() == entry.name.get_ref();
    if entry.to.is_some() && RELIED_ON.iter().any(|(name, _)| entry.name.get_ref() == name) {
        return refuse(
            text,
            &entry.name,
            "rules of the pipeline read it by this name; only its labels may change",
        );
    }
    let scalars = base.scalars.iter_mut().filter(|scalar| is_it(&scalar.name));
    let scalars = scalars.map(|scalar| (&mut scalar.name, &mut scalar.zh, &mut scalar.en));
    let groups = base.group.iter_mut().filter(|group| is_it(&group.name));
    let groups = groups.map(|group| (&mut group.name, &mut group.zh, &mut group.en));
    let Some((name, zh, en)) = scalars.chain(groups).next() else {
        return refuse(text, &entry.name, "there is no such field to rename");
    };
    zh.clone_from(entry.zh.as_ref().unwrap_or(&zh.clone()));
    en.clone_from(entry.en.as_ref().unwrap_or(&en.clone()));
    if let Some(to) = &entry.to {
        *name = to.clone();
        let uses = base.subtypes.iter_mut().flat_map(|one| one.fields.iter_mut().chain(&mut one.required));
        uses.filter(|used| *used == entry.name.get_ref()).for_each(|used| used.clone_from(to.get_ref()));
    }
    Ok(())
}

fn keeps_members(group: &Group, text: &str) -> Result<(), DictionaryError> {
    let relied_on = RELIED_ON.iter().find(|(name, _)| group.name.get_ref() == name);
    let mut needed = relied_on.into_iter().flat_map(|(_, members)| members.iter());
    let missing = |member: &&&str| !group.members.iter().any(|entry| entry.name.get_ref() == **member);
    match needed.find(missing) {
        Some(member) => refuse(
            text,
            &group.name,
            format_args!("its member `{member}` is missing; rules of the pipeline read it"),
        ),
        None => Ok(()),
    }
}
