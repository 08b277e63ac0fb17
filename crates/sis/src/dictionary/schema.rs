//! The shape of a dictionary file. Unknown keys are errors: a misspelt key that is silently
//! ignored would change what messages mean.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::{Absent, DictionaryError, Evidence, FieldKind, Incomplete, ValueKind};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    #[serde(default)]
    pub(super) scalars: Vec<Scalar>,
    #[serde(default)]
    pub(super) group: Vec<Group>,
    #[serde(default)]
    pub(super) subtypes: Vec<SubtypeEntry>,
    #[serde(default)]
    pub(super) references: Vec<ReferenceEntry>,
    /// New names and labels of fields that the compiled-in dictionary has.
    #[serde(default)]
    pub(super) rename: Vec<RenameEntry>,
    /// `TYPE-STYP` or `TYPE-*`.
    #[serde(default)]
    pub(super) ignored: Vec<Spanned<String>>,
    /// For the line of a problem.
    #[serde(skip)]
    pub(super) text: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scalar {
    pub(super) name: Spanned<String>,
    pub(super) element: String,
    pub(super) value: ValueKind,
    pub(super) zh: String,
    pub(super) en: String,
    #[serde(default = "yes")]
    pub(super) in_schedule: bool,
    #[serde(default)]
    pub(super) required: bool,
    #[serde(default)]
    pub(super) identity: bool,
    #[serde(default)]
    pub(super) exact: bool,
    #[serde(default)]
    pub(super) personal: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Group {
    pub(super) name: Spanned<String>,
    pub(super) element: String,
    pub(super) kind: FieldKind,
    pub(super) zh: String,
    pub(super) en: String,
    #[serde(default = "yes")]
    pub(super) in_schedule: bool,
    #[serde(default)]
    pub(super) personal: bool,
    #[serde(default)]
    pub(super) spread: bool,
    pub(super) key: Option<String>,
    pub(super) anchor: Option<String>,
    pub(super) removed_without: Option<String>,
    pub(super) members: Vec<MemberEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MemberEntry {
    pub(super) name: Spanned<String>,
    pub(super) source: String,
    pub(super) value: ValueKind,
    pub(super) zh: String,
    pub(super) en: String,
    #[serde(default)]
    pub(super) personal: bool,
    #[serde(default)]
    pub(super) required: bool,
    #[serde(default)]
    pub(super) exact: bool,
    #[serde(default)]
    pub(super) sequence: bool,
    #[serde(default)]
    pub(super) one_of: Vec<String>,
    #[serde(default)]
    pub(super) members: Vec<MemberEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SubtypeEntry {
    pub(super) name: Spanned<String>,
    pub(super) fields: Vec<String>,
    #[serde(default)]
    pub(super) evidence: Evidence,
    pub(super) zh: String,
    pub(super) en: String,
    #[serde(default)]
    pub(super) required: Vec<String>,
    #[serde(default)]
    pub(super) absent: Absent,
    #[serde(default)]
    pub(super) incomplete: Incomplete,
    #[serde(default)]
    pub(super) deletes: bool,
    #[serde(default)]
    pub(super) undescribed: bool,
    pub(super) body: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReferenceEntry {
    pub(super) name: Spanned<String>,
    pub(super) zh: String,
    pub(super) en: String,
    #[serde(default)]
    pub(super) personal: bool,
    pub(super) children: Vec<String>,
    #[serde(default)]
    pub(super) parts: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RenameEntry {
    pub(super) name: Spanned<String>,
    pub(super) to: Option<Spanned<String>>,
    pub(super) zh: Option<String>,
    pub(super) en: Option<String>,
}

fn yes() -> bool {
    true
}

impl File {
    pub(super) fn parse(text: &str) -> Result<File, DictionaryError> {
        // The parser's own message shows line, column and the offending line.
        let mut file: File =
            toml::from_str(text).map_err(|error| DictionaryError(error.to_string().trim_end().to_owned()))?;
        file.text = text.to_owned();
        Ok(file)
    }
}
