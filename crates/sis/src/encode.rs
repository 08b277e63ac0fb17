//! A message back to XML.

use crate::xml::write::XmlWriter;
use crate::{
    Body, Entry, Field, FieldKind, FieldWrite, Member, Message, Meta, Record, Reference, Request, Schedule,
    Value, Write,
};

/// Writes a message as UTF-8 XML with declaration; `decode(encode(m)) = m`, positions apart.
///
/// That holds for what [`crate::decode`] gives, with one exception: in which of several entries
/// of a group an unknown part stood isn't known, so elements are written into the first entry,
/// attributes of one name into one entry after the other, and an entry that had nothing else
/// comes back as none. A character that XML forbids is written as U+FFFD; elements that were not
/// applied are written empty.
pub fn encode(message: &Message) -> String {
    let mut xml = XmlWriter::new();
    xml.open("MSG");
    meta(&mut xml, &message.meta);
    match &message.body {
        Body::Schedule(schedule) => self::schedule(&mut xml, schedule),
        Body::Flop(records) => records.iter().for_each(|item| record(&mut xml, "FLOP", item, None)),
        Body::Delete(records) => {
            // A TYPE FDEL needs no marker, and its STYP names none.
            let is_flop = message.meta.kind.eq_ignore_ascii_case("FLOP");
            let marker = is_flop.then(|| message.meta.subtype.to_ascii_uppercase());
            records.iter().for_each(|item| record(&mut xml, "FLOP", item, marker.as_deref()));
        }
        Body::Reference(reference) => self::reference(&mut xml, reference),
        Body::Request(request) => self::request(&mut xml, request),
        Body::Unknown(unknown) => unknown.elements.iter().for_each(|element| xml.empty(element)),
    }
    xml.close();
    xml.finish()
}

fn meta(xml: &mut XmlWriter<'_>, meta: &Meta) {
    xml.open("META");
    for (element, text) in [
        ("SNDR", &meta.sender),
        ("SEQN", &meta.seqn),
        ("DTTM", &meta.dttm),
        ("TYPE", &meta.kind),
        ("STYP", &meta.subtype),
    ] {
        if !text.is_empty() {
            xml.leaf(element, text);
        }
    }
    xml.close();
}

fn schedule<'m>(xml: &mut XmlWriter<'m>, schedule: &'m Schedule) {
    xml.open("SCHD");
    declared(xml, schedule.declared_records);
    schedule.records.iter().for_each(|item| record(xml, "FLTR", item, None));
    xml.close();
}

fn declared(xml: &mut XmlWriter<'_>, records: Option<u64>) {
    if let Some(records) = records {
        xml.leaf("RECS", &records.to_string());
    }
}

fn record<'m>(xml: &mut XmlWriter<'m>, element: &str, record: &'m Record, marker: Option<&str>) {
    xml.extras(&record.extra);
    xml.open(element);
    xml.record_attributes();
    xml.leaf("FLID", &record.flid.to_string());
    record.writes.iter().for_each(|write| field_write(xml, write));
    marker.into_iter().for_each(|marker| xml.empty(marker));
    record.not_applied.iter().for_each(|element| xml.empty(element));
    xml.remaining_extras();
    xml.close();
}

fn field_write(xml: &mut XmlWriter<'_>, FieldWrite { field, write }: &FieldWrite) {
    match write {
        Write::Clear => xml.group_empty(field.element),
        Write::Set(Value::Object(object)) => group(xml, field, object),
        Write::Set(Value::List(list)) => {
            if list.is_empty() {
                xml.group_empty(field.element);
            }
            list.iter().filter_map(object_of).for_each(|object| group(xml, field, object));
        }
        Write::Set(value) => xml.group_leaf(field.element, &crate::form::write(value)),
        Write::Merge { clear, entries } => {
            if *clear && entries.is_empty() {
                xml.group_empty(field.element);
            } else if *clear && !field.spread {
                // Unknown parts belong to the entries; with one in it this would not be empty.
                xml.empty(field.element);
            }
            entries.iter().for_each(|entry| keyed(xml, field, entry));
        }
    }
}

type Object = [(&'static str, Value)];

fn object_of(value: &Value) -> Option<&Object> {
    if let Value::Object(object) = value { Some(object) } else { None }
}

fn list_of(value: &Value) -> Option<&[Value]> {
    if let Value::List(list) = value { Some(list) } else { None }
}

/// The key stands in the entry and normally in its value too; the entry's is the one that counts.
fn keyed(xml: &mut XmlWriter<'_>, field: &Field, entry: &Entry) {
    debug_assert_eq!(field.kind, FieldKind::Keyed);
    let key_name = field.members.iter().map(|member| member.name).find(|name| Some(*name) == field.key);
    let key = key_name.map(|name| (name, Value::Text(entry.key.clone())));
    let value = entry.value.as_ref().and_then(object_of).unwrap_or_default();
    let rest = value.iter().filter(|(name, _)| Some(*name) != key_name).cloned();
    group(xml, field, &key.into_iter().chain(rest).collect::<Vec<_>>());
}

fn group(xml: &mut XmlWriter<'_>, field: &Field, object: &Object) {
    if field.spread {
        for member in field.members {
            if let Some(value) = member_of(object, member) {
                xml.group_leaf(member.source, &crate::form::write(value));
            }
        }
        return;
    }
    element(xml, field.element, field.members, object);
}

fn member_of<'v>(object: &'v Object, member: &Member) -> Option<&'v Value> {
    object.iter().find(|(name, _)| *name == member.name).map(|(_, value)| value)
}

fn element(xml: &mut XmlWriter<'_>, name: &'static str, members: &[Member], object: &Object) {
    let present = || members.iter().filter_map(|member| Some((member, member_of(object, member)?)));
    xml.group_open(name);
    for (member, value) in present() {
        if let Some(attribute) = member.source.strip_prefix('@') {
            xml.attribute(attribute, &crate::form::write(value));
        }
    }
    for (member, value) in present().filter(|(member, _)| !member.source.starts_with('@')) {
        if let Some(list) = list_of(value) {
            let objects = list.iter().filter_map(object_of);
            objects.for_each(|object| element(xml, member.source, member.members, object));
        } else if member.source == "." {
            xml.text(&crate::form::write(value));
        } else {
            xml.group_leaf(member.source, &crate::form::write(value));
        }
    }
    xml.group_close();
}

fn reference(xml: &mut XmlWriter<'_>, reference: &Reference) {
    declared(xml, reference.declared_records);
    for record in &reference.records {
        reference_element(xml, &reference.list, record);
    }
}

/// Names in a reference record are their own sources: `@X` an attribute, `.` the text.
fn reference_element(xml: &mut XmlWriter<'_>, name: &str, value: &Value) {
    if let Some(list) = list_of(value) {
        list.iter().for_each(|item| reference_element(xml, name, item));
    } else if let Some(object) = object_of(value) {
        reference_object(xml, name, object);
    } else {
        xml.leaf(name, &crate::form::write(value));
    }
}

fn reference_object(xml: &mut XmlWriter<'_>, name: &str, object: &Object) {
    xml.open(name);
    for (name, value) in object.iter().filter(|(name, _)| name.starts_with('@')) {
        xml.attribute(&name[1..], &crate::form::write(value));
    }
    for (name, value) in object.iter().filter(|(name, _)| !name.starts_with('@')) {
        match *name {
            "." => xml.text(&crate::form::write(value)),
            Reference::EXTRA => {
                let unknown = list_of(value).unwrap_or_default().iter();
                unknown.for_each(|raw| xml.raw(&crate::form::write(raw)));
            }
            name => reference_element(xml, name, value),
        }
    }
    xml.close();
}

fn request(xml: &mut XmlWriter<'_>, request: &Request) {
    match request {
        Request::Schedule { begin, end } => {
            xml.open("RQFD");
            begin.iter().for_each(|begin| xml.leaf("STDB", begin));
            end.iter().for_each(|end| xml.leaf("STDE", end));
            xml.close();
        }
        Request::ReferenceList { list } => {
            xml.open("RQRD");
            xml.leaf("RTYP", list);
            xml.close();
        }
    }
}
