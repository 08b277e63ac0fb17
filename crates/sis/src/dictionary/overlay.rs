//! A site's file laid over the compiled-in one: first its new names, then its entries, each of
//! which replaces the one of the same name as a whole or is added.

mod relied_on;

use std::collections::HashSet;

use toml::Spanned;

use super::DictionaryError;
use super::check::refuse;
use super::schema::{File, RenameEntry};

pub(super) fn lay(mut base: File, site: File) -> Result<File, DictionaryError> {
    each_once(&site)?;
    relied_on::keeps_form(&base, &site)?;
    for entry in &site.rename {
        rename(&mut base, entry, &site.text)?;
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

/// In one file the later of two entries would silently win.
fn each_once(site: &File) -> Result<(), DictionaryError> {
    let fields =
        site.scalars.iter().map(|entry| &entry.name).chain(site.group.iter().map(|entry| &entry.name));
    once(fields, &site.text)?;
    once(site.subtypes.iter().map(|entry| &entry.name), &site.text)?;
    once(site.references.iter().map(|entry| &entry.name), &site.text)?;
    once(site.rename.iter().map(|entry| &entry.name), &site.text)
}

fn once<'a>(names: impl Iterator<Item = &'a Spanned<String>>, text: &str) -> Result<(), DictionaryError> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name.get_ref().to_ascii_uppercase()) {
            return refuse(text, name, "it is given twice in this file");
        }
    }
    Ok(())
}

fn place<T>(entries: &mut Vec<T>, entry: T, name: impl Fn(&T) -> &Spanned<String>) {
    match entries.iter().position(|other| name(other).get_ref() == name(&entry).get_ref()) {
        Some(position) => entries[position] = entry,
        None => entries.push(entry),
    }
}

fn rename(base: &mut File, entry: &RenameEntry, text: &str) -> Result<(), DictionaryError> {
    let is_it = |name: &Spanned<String>| name.get_ref() == entry.name.get_ref();
    if entry.to.is_some() && relied_on::is(entry.name.get_ref()) {
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
