//! From a file's entries to a dictionary, refusing whatever could not work.

mod fields;

use std::collections::HashSet;

use toml::Spanned;

use super::schema::{File, ReferenceEntry, SubtypeEntry};
use super::{
    Dictionary, DictionaryError, Field, FieldKind, Incomplete, Index, ReferenceChild, ReferenceList, Subtype,
};

/// What a TYPE means that is no list.
const TYPES: [&str; 5] = ["SCHD", "FLOP", "FDEL", "RQFD", "RQRD"];

pub(super) fn build(file: File) -> Result<Dictionary, DictionaryError> {
    let checker = Checker { text: &file.text };
    let fields = checker.fields(&file.scalars, &file.group)?;
    let subtypes = checker.subtypes(&file.subtypes, &fields)?;
    let references = checker.references(&file.references)?;
    let ignored = checker.ignored(&file.ignored)?;
    let fields: &'static [Field] = fields.leak();
    Ok(Dictionary {
        fields,
        subtypes: subtypes.leak(),
        references: references.leak(),
        ignored: ignored.leak(),
        index: Index::new(fields),
    })
}

/// A refusal with line and key. An overlay can contradict an entry of the compiled-in
/// dictionary that comes after it; then there is no line to name.
pub(super) fn refuse<T>(
    text: &str,
    name: &Spanned<String>,
    what: impl std::fmt::Display,
) -> Result<T, DictionaryError> {
    let key = name.get_ref();
    let is_here = text.get(name.span()).is_some_and(|found| found.trim_matches(['"', '\'']) == key);
    if !is_here {
        return Err(DictionaryError(format!("contradicts the compiled-in entry `{key}`: {what}")));
    }
    let before = text.get(..name.span().start).unwrap_or_default();
    let line = 1 + before.bytes().filter(|byte| *byte == b'\n').count();
    Err(DictionaryError(format!("line {line}, `{key}`: {what}")))
}

struct Checker<'a> {
    text: &'a str,
}

impl Checker<'_> {
    fn refuse<T>(&self, name: &Spanned<String>, what: impl std::fmt::Display) -> Result<T, DictionaryError> {
        refuse(self.text, name, what)
    }

    fn subtypes(&self, entries: &[SubtypeEntry], fields: &[Field]) -> Result<Vec<Subtype>, DictionaryError> {
        let mut names = HashSet::new();
        let mut subtypes = Vec::new();
        for entry in entries {
            if !names.insert(entry.name.get_ref().to_ascii_uppercase()) {
                return self.refuse(&entry.name, "the subtype is given twice");
            }
            subtypes.push(self.subtype(entry, fields)?);
        }
        Ok(subtypes)
    }

    fn subtype(&self, entry: &SubtypeEntry, fields: &[Field]) -> Result<Subtype, DictionaryError> {
        if entry.name.get_ref().eq_ignore_ascii_case("FDEL") && !entry.deletes {
            return self.refuse(&entry.name, "FDEL deletes flights: it must say `deletes = true`");
        }
        let mut has_structure = false;
        for name in &entry.fields {
            let Some(field) = fields.iter().find(|field| field.name == name) else {
                return self.refuse(&entry.name, format_args!("there is no field `{name}`"));
            };
            has_structure |= field.kind == FieldKind::Structure;
        }
        for name in &entry.required {
            if !entry.fields.contains(name) {
                return self.refuse(&entry.name, format_args!("required `{name}` is not among its fields"));
            }
        }
        if entry.incomplete == Incomplete::Clear && !has_structure {
            return self.refuse(&entry.name, "`incomplete` speaks of a structure and there is none");
        }
        if (entry.deletes || entry.undescribed) != entry.fields.is_empty() {
            return self.refuse(&entry.name, "it must write fields, or delete, or be undescribed");
        }
        Ok(Subtype {
            name: keep(entry.name.get_ref()),
            fields: keep_all(&entry.fields),
            evidence: entry.evidence,
            zh: keep(&entry.zh),
            en: keep(&entry.en),
            required: keep_all(&entry.required),
            absent: entry.absent,
            incomplete: entry.incomplete,
            deletes: entry.deletes,
            undescribed: entry.undescribed,
            body: entry.body.as_deref().map_or("FLOP", keep),
        })
    }

    fn references(&self, entries: &[ReferenceEntry]) -> Result<Vec<ReferenceList>, DictionaryError> {
        let mut names = HashSet::new();
        let mut lists = Vec::new();
        for entry in entries {
            if !names.insert(entry.name.get_ref().to_ascii_uppercase()) {
                return self.refuse(&entry.name, "the reference list is given twice");
            }
            if TYPES.iter().any(|name| entry.name.get_ref().eq_ignore_ascii_case(name)) {
                return self.refuse(&entry.name, "this TYPE is no reference list");
            }
            let children = self.reference_children(entry)?;
            lists.push(ReferenceList {
                name: keep(entry.name.get_ref()),
                zh: keep(&entry.zh),
                en: keep(&entry.en),
                personal: entry.personal,
                children: children.leak(),
            });
        }
        Ok(lists)
    }

    fn reference_children(&self, entry: &ReferenceEntry) -> Result<Vec<ReferenceChild>, DictionaryError> {
        let mut children: Vec<ReferenceChild> = Vec::new();
        for child in &entry.children {
            let element = child.trim_end_matches('*');
            self.element(&entry.name, element)?;
            if children.iter().any(|other| other.element == element) {
                return self.refuse(&entry.name, format_args!("child `{element}` is given twice"));
            }
            let parts = entry.parts.get(element).map_or(&[][..], |parts| keep_all(parts));
            children.push(ReferenceChild { element: keep(element), repeats: child.ends_with('*'), parts });
        }
        for element in entry.parts.keys() {
            if !children.iter().any(|child| child.element == element) {
                return self.refuse(&entry.name, format_args!("parts of `{element}`, which is no child"));
            }
        }
        Ok(children)
    }

    fn ignored(&self, entries: &[Spanned<String>]) -> Result<Vec<&'static str>, DictionaryError> {
        let is_name =
            |part: &str| !part.is_empty() && !part.contains(|one: char| one == '*' || one.is_whitespace());
        for entry in entries {
            let parts = entry.get_ref().split_once('-');
            if !parts.is_some_and(|(kind, styp)| is_name(kind) && (styp == "*" || is_name(styp))) {
                return self.refuse(entry, "it must have the form TYPE-STYP or TYPE-*, such as LDM-*");
            }
        }
        Ok(entries.iter().map(|entry| keep(entry.get_ref())).collect())
    }

    /// Elements and attributes are written back to XML, so their names must be XML names.
    fn element(&self, owner: &Spanned<String>, name: &str) -> Result<(), DictionaryError> {
        let mut characters = name.chars();
        let starts = characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
        if starts && characters.all(|other| other.is_ascii_alphanumeric() || "_-.".contains(other)) {
            return Ok(());
        }
        self.refuse(owner, format_args!("`{name}` can't be the name of an element or attribute"))
    }
}

fn keep(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn keep_all(texts: &[String]) -> &'static [&'static str] {
    texts.iter().map(|text| keep(text)).collect::<Vec<_>>().leak()
}
