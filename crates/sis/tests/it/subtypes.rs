//! Every subtype of FLOP, walked through the dictionary: what sets its fields, what clears
//! them, what is refused. A subtype added to the dictionary is tested without a line here.

use sis::{Dictionary, Field, FieldKind, Member, Message, Problem, ProblemKind, Subtype, ValueKind, Write};

use crate::support::{decode, flop, good, records, without_positions};

fn described() -> impl Iterator<Item = (&'static Subtype, Vec<&'static Field>)> {
    let subtypes = Dictionary::baseline().subtypes().iter().filter(|one| !one.fields.is_empty());
    subtypes.map(|subtype| {
        let fields = subtype.fields.iter().map(|name| Dictionary::baseline().field(name).expect(name));
        (subtype, fields.collect())
    })
}

fn typical(kind: ValueKind, one_of: &[&str]) -> String {
    match kind {
        ValueKind::Text => (*one_of.first().unwrap_or(&"甲A1")).to_owned(),
        ValueKind::Integer => "7".to_owned(),
        ValueKind::Decimal => "12.50".to_owned(),
        ValueKind::Time => "07APR260915".to_owned(),
        ValueKind::Date => "07APR26".to_owned(),
        ValueKind::Clock => "0915".to_owned(),
        ValueKind::Minutes => "0110".to_owned(),
        ValueKind::List => String::new(),
    }
}

/// Elements that set a field with everything it can have; `change` may alter one member.
fn set(field: &Field, change: &dyn Fn(&Member) -> Option<String>) -> String {
    if field.kind == FieldKind::Scalar {
        return format!("<{0}>{1}</{0}>", field.element, typical(field.value, &[]));
    }
    if field.spread { children(field.members, change) } else { element(field.element, field.members, change) }
}

fn element(name: &str, members: &[Member], change: &dyn Fn(&Member) -> Option<String>) -> String {
    let value = |member: &Member| change(member).unwrap_or_else(|| typical(member.value, member.one_of));
    let attributes = members
        .iter()
        .filter_map(|member| Some(format!(" {}='{}'", member.source.strip_prefix('@')?, value(member))));
    let text = members.iter().find(|member| member.source == ".").map(value).unwrap_or_default();
    format!("<{name}{}>{text}{}</{name}>", attributes.collect::<String>(), children(members, change))
}

fn children(members: &[Member], change: &dyn Fn(&Member) -> Option<String>) -> String {
    let elements = members.iter().filter(|member| member.source != "." && !member.source.starts_with('@'));
    elements
        .map(|member| match member.value {
            ValueKind::List => element(member.source, member.members, change),
            ValueKind::Text
            | ValueKind::Integer
            | ValueKind::Decimal
            | ValueKind::Time
            | ValueKind::Date
            | ValueKind::Clock
            | ValueKind::Minutes => {
                let value = change(member).unwrap_or_else(|| typical(member.value, member.one_of));
                format!("<{0}>{value}</{0}>", member.source)
            }
        })
        .collect()
}

fn as_is(_: &Member) -> Option<String> {
    None
}

fn whole(fields: &[&Field]) -> String {
    fields.iter().map(|field| set(field, &as_is)).collect()
}

fn comes_back(message: Message, name: &str) {
    let again = good(&sis::encode(&message));
    assert_eq!(without_positions(again), without_positions(message), "{name}");
}

fn refused(subtype: &Subtype, elements: &str) -> Problem {
    let text = flop(subtype.name, elements);
    decode(&text).expect_err(&text)
}

#[test]
fn each_subtype_sets_all_its_fields_and_nothing_is_left_over() {
    for (subtype, fields) in described() {
        let message = good(&flop(subtype.name, &whole(&fields)));
        let record = &records(&message)[0];
        assert_eq!(record.writes.len(), fields.len(), "{}", subtype.name);
        assert!(record.extra.is_empty() && record.not_applied.is_empty(), "{}: {record:?}", subtype.name);
        for write in &record.writes {
            let is_set = match &write.write {
                Write::Set(_) => write.field.kind != FieldKind::Keyed,
                Write::Merge { clear, entries } => !clear && entries.len() == 1 && entries[0].value.is_some(),
                Write::Clear => false,
            };
            assert!(is_set, "{}: {write:?}", subtype.name);
        }
        comes_back(message, subtype.name);
    }
}

#[test]
fn each_subtype_clears_with_empty_elements_or_refuses_them() {
    for (subtype, fields) in described() {
        for field in &fields {
            let empty: String = field.elements().map(|element| format!("<{element}/>")).collect();
            if subtype.required.contains(&field.name) {
                assert_eq!(refused(subtype, &empty).kind, ProblemKind::Malformed, "{}", subtype.name);
                continue;
            }
            let message = good(&flop(subtype.name, &empty));
            let is_clear = match &records(&message)[0].writes[0].write {
                Write::Clear => true,
                Write::Merge { clear, entries } => *clear && entries.is_empty(),
                Write::Set(_) => false,
            };
            assert!(is_clear, "{} {}", subtype.name, field.name);
            comes_back(message, subtype.name);
        }
    }
}

#[test]
fn each_subtype_refuses_a_record_without_its_elements_or_with_one_given_twice() {
    for (subtype, fields) in described() {
        assert_eq!(refused(subtype, "<FFID>x</FFID>").kind, ProblemKind::Malformed, "{}", subtype.name);
        for field in fields.iter().filter(|field| field.kind == FieldKind::Scalar || field.spread) {
            let twice = set(field, &as_is).repeat(2);
            assert!(refused(subtype, &twice).text.contains("twice"), "{} {}", subtype.name, field.name);
        }
    }
}

#[test]
fn each_member_refuses_a_value_of_another_form_and_says_where() {
    for (subtype, fields) in described() {
        for (field, member) in
            fields.iter().flat_map(|field| field.members.iter().map(move |one| (field, one)))
        {
            if member.value == ValueKind::Text && member.one_of.is_empty() || member.value == ValueKind::List
            {
                continue;
            }
            let change = |other: &Member| (other.name == member.name).then(|| "?!".to_owned());
            let problem = refused(subtype, &set(field, &change));
            let name = member.source.trim_start_matches('@');
            assert_eq!(problem.kind, ProblemKind::Codec, "{} {name}: {problem}", subtype.name);
            assert!(problem.path.ends_with(if name == "." { field.element } else { name }), "{problem}");
            assert_eq!(problem.text.contains("?!"), !field.personal, "{problem}");
        }
    }
}

#[test]
fn each_group_refuses_an_entry_without_what_it_must_have() {
    for (subtype, fields) in described() {
        for field in fields {
            let needed =
                field.members.iter().filter(|member| member.required || Some(member.name) == field.key);
            for member in needed {
                let change = |other: &Member| (other.name == member.name).then(String::new);
                let text = flop(subtype.name, &set(field, &change));
                // Without its anchor a structure counts as empty.
                if field.anchor == Some(member.name) {
                    assert!(matches!(records(&good(&text))[0].writes[0].write, Write::Clear), "{text}");
                } else {
                    let problem = decode(&text).expect_err(&text);
                    assert_eq!(problem.kind, ProblemKind::Malformed, "{text}: {problem}");
                }
            }
        }
    }
}

#[test]
fn scalars_refuse_values_of_another_form() {
    for (subtype, fields) in described() {
        for field in
            fields.iter().filter(|field| field.kind == FieldKind::Scalar && field.value != ValueKind::Text)
        {
            let problem = refused(subtype, &format!("<{0}>?!</{0}>", field.element));
            assert_eq!(problem.kind, ProblemKind::Codec, "{}", subtype.name);
            assert_eq!(problem.path, format!("MSG/FLOP/{}", field.element));
        }
    }
}
