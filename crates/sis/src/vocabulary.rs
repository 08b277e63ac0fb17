//! A dictionary as pages of the manual: the matrix of subtypes, the fields, the reference lists,
//! in Markdown. `docs/wire-format.md` carries what the compiled-in dictionary gives.

use crate::{
    Absent, Dictionary, Evidence, Field, FieldKind, Incomplete, Member, ReferenceChild, Subtype, ValueKind,
};

/// The three sections, each with its heading.
pub fn markdown(dictionary: &Dictionary) -> String {
    [subtypes(dictionary), scalars(dictionary), groups(dictionary), references(dictionary)].join("\n")
}

fn subtypes(dictionary: &Dictionary) -> String {
    let rows = dictionary.subtypes().iter().map(|subtype| {
        let fields: Vec<&Field> = subtype.fields.iter().filter_map(|name| dictionary.field(name)).collect();
        let carried: Vec<String> = fields.iter().flat_map(|field| field.elements()).map(code).collect();
        let written: Vec<String> = fields.iter().map(|field| code(field.name)).collect();
        [
            subtype.name.to_owned(),
            evidence(subtype.evidence).to_owned(),
            subtype.en.to_owned(),
            subtype.zh.to_owned(),
            match (subtype.deletes, subtype.undescribed) {
                (true, _) => format!("{}, empty", code(subtype.name)),
                (_, true) => "not known".to_owned(),
                _ => carried.join(", "),
            },
            written.join(", "),
            effect(subtype, &fields),
        ]
    });
    let heads = ["STYP", "known", "meaning", "中文", "elements", "fields", "effect"];
    format!("## Subtypes of FLOP\n\n{}", table(&heads, rows))
}

fn evidence(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::Seen => "seen",
        Evidence::Inferred => "inferred",
        Evidence::Dialect => "dialect",
    }
}

/// All fields of a subtype are of one kind, so the first tells for all.
fn effect(subtype: &Subtype, fields: &[&Field]) -> String {
    let Some(field) = fields.first() else {
        let words = if subtype.deletes { "deletes the flight" } else { "nothing; all is kept as `extra`" };
        return words.to_owned();
    };
    let mut words = vec![match field.kind {
        FieldKind::Scalar => "set".to_owned(),
        FieldKind::Structure => "set as a whole".to_owned(),
        FieldKind::Ordered => "replaces the list".to_owned(),
        FieldKind::Keyed => format!("merged by {}", code(field.key.unwrap_or_default())),
    }];
    words.push(match (subtype.required.is_empty(), subtype.incomplete, field.kind) {
        (false, ..) => "empty is refused".to_owned(),
        (_, Incomplete::Clear, _) => "any part empty or absent clears".to_owned(),
        (_, Incomplete::Set, FieldKind::Keyed) => "empty clears the collection".to_owned(),
        (_, Incomplete::Set, FieldKind::Scalar | FieldKind::Structure | FieldKind::Ordered) => {
            "empty clears".to_owned()
        }
    });
    if subtype.absent == Absent::Clear {
        words.push("absent clears".to_owned());
    }
    words.extend(field.removed_without.map(|member| format!("an entry without {} is removed", code(member))));
    let required: Vec<&str> = field.members.iter().filter(|member| member.required).map(source).collect();
    if !required.is_empty() {
        words.push(format!("{} needed", required.join(", ")));
    }
    let limited = field.members.iter().filter(|member| !member.one_of.is_empty());
    words.extend(limited.map(|member| format!("{} is {}", source(member), member.one_of.join(" or "))));
    words.join("; ")
}

fn source(member: &Member) -> &'static str {
    member.source.trim_start_matches('@')
}

fn scalars(dictionary: &Dictionary) -> String {
    let scalars = dictionary.fields().iter().filter(|field| field.kind == FieldKind::Scalar);
    let rows = scalars.map(|field| {
        [
            field.element.to_owned(),
            code(field.name),
            form(field.value).to_owned(),
            carriers(field),
            field.zh.to_owned(),
            field.en.to_owned(),
        ]
    });
    format!("## Fields\n\n{}", table(&["element", "JSON name", "form", "FLTR", "中文", "English"], rows))
}

fn carriers(field: &Field) -> String {
    match (field.in_schedule, field.required) {
        (false, _) => "never",
        (true, true) => "always",
        (true, false) => "may",
    }
    .to_owned()
}

fn groups(dictionary: &Dictionary) -> String {
    let groups = dictionary.fields().iter().filter(|field| field.kind != FieldKind::Scalar);
    let rows = groups.map(|field| {
        let elements: Vec<&str> = field.elements().collect();
        let personal = if field.personal { ", personal" } else { "" };
        let kind = match field.kind {
            FieldKind::Scalar | FieldKind::Structure => "structure".to_owned(),
            FieldKind::Ordered => "ordered".to_owned(),
            FieldKind::Keyed => format!("keyed by {}", code(field.key.unwrap_or_default())),
        };
        [
            elements.join(" "),
            code(field.name),
            format!("{kind}{personal}"),
            members(field.members),
            carriers(field),
            field.zh.to_owned(),
        ]
    });
    table(&["elements", "JSON name", "kind", "members (name, source, form)", "FLTR", "中文"], rows)
}

fn members(members: &[Member]) -> String {
    let one = |member: &Member| {
        let inner = if member.members.is_empty() {
            form(member.value).to_owned()
        } else {
            format!("list of {}", self::members(member.members))
        };
        format!("{} {} {inner}", code(member.name), member.source)
    };
    members.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn form(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Text => "text",
        ValueKind::Integer => "integer",
        ValueKind::Decimal => "decimal",
        ValueKind::Time => "time",
        ValueKind::Date => "date",
        ValueKind::Clock => "clock",
        ValueKind::Minutes => "minutes",
        ValueKind::List => "list",
    }
}

fn references(dictionary: &Dictionary) -> String {
    let rows = dictionary.references().iter().map(|list| {
        let children: Vec<String> = list.children.iter().map(child).collect();
        let personal = if list.personal { " (personal)" } else { "" };
        [list.name.to_owned(), format!("{}{personal}", list.en), list.zh.to_owned(), children.join(" ")]
    });
    format!(
        "## Reference lists\n\nThe first element is the key, `*` marks what repeats, brackets what an element is \
         made of.\nRecords keep their element names in JSON.\n\n{}",
        table(&["TYPE", "content", "中文", "elements"], rows)
    )
}

fn child(child: &ReferenceChild) -> String {
    let repeats = if child.repeats { "\\*" } else { "" };
    let parts: Vec<&str> = child.parts.iter().map(|part| if *part == "." { "text" } else { part }).collect();
    let parts = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
    format!("{}{repeats}{parts}", child.element)
}

fn code(name: &str) -> String {
    format!("`{name}`")
}

fn table<const COLUMNS: usize>(
    heads: &[&str; COLUMNS],
    rows: impl Iterator<Item = [String; COLUMNS]>,
) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let heads = line(&heads.map(str::to_owned));
    let rule = format!("|{}\n", "---|".repeat(COLUMNS));
    heads + &rule + &rows.map(|row| line(&row)).collect::<String>()
}
