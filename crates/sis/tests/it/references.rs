//! All reference lists, walked through the dictionary: every element of every list is read,
//! shown as JSON and written again, in each of the subtypes a list comes in.

use serde_json::{Map, Value, json};
use sis::{Body, Dictionary, ReferenceChild, ReferenceList};

use crate::support::{good, xml};

fn content(list: &ReferenceList, child: &ReferenceChild, number: usize) -> String {
    format!("{}-{}-{number}", list.name, child.element)
}

/// One element as XML, and what it is in JSON.
fn element(list: &ReferenceList, child: &ReferenceChild, number: usize) -> (String, Value) {
    let text = content(list, child, number);
    if child.parts.is_empty() {
        return (format!("<{0}>{text}</{0}>", child.element), json!(text));
    }
    let (mut attributes, mut inside, mut object) = (String::new(), String::new(), Map::new());
    for part in child.parts {
        let value = format!("{text}-{}", part.trim_start_matches('@'));
        match part.strip_prefix('@') {
            Some(attribute) => attributes.push_str(&format!(" {attribute}='{value}'")),
            None if *part == "." => inside.push_str(&value),
            None => inside.push_str(&format!("<{part}>{value}</{part}>")),
        }
        object.insert((*part).to_owned(), json!(value));
    }
    (format!("<{0}{attributes}>{inside}</{0}>", child.element), Value::Object(object))
}

fn record(list: &ReferenceList) -> (String, Value) {
    let (mut text, mut object) = (String::new(), Map::new());
    for child in list.children {
        let times = if child.repeats { 2 } else { 1 };
        let (texts, mut values): (Vec<_>, Vec<_>) =
            (0..times).map(|number| element(list, child, number)).unzip();
        text.extend(texts);
        let value = if child.repeats { Value::Array(values) } else { values.remove(0) };
        object.insert(child.element.to_owned(), value);
    }
    (format!("<{0}>{text}</{0}>", list.name), Value::Object(object))
}

#[test]
fn every_list_is_read_to_json_and_comes_back() {
    let zone = jiff::tz::TimeZone::fixed(jiff::tz::offset(8));
    for list in Dictionary::baseline().references() {
        let (text, expected) = record(list);
        for subtype in ["DNLD", "RESP", "ADD", "UPD", "DEL"] {
            let message = good(&xml(list.name, subtype, &format!("<RECS>2</RECS>{text}{text}")));
            let body = &sis::json::message(&message, &zone)["body"];
            let whole = json!({ "kind": "reference", "list": list.name, "declaredRecords": 2,
                "records": [expected, expected] });
            assert_eq!(*body, whole, "{} {subtype}", list.name);
            assert_eq!(good(&sis::encode(&message)), message, "{}", list.name);
        }
    }
}

#[test]
fn a_record_may_have_its_key_alone_or_parts_nobody_knows() {
    for list in Dictionary::baseline().references() {
        let key = list.children[0].element;
        let text = format!(
            "<{0}><{key}>K</{key}><NEW a='1'>x</NEW><{1}/></{0}>",
            list.name, list.children[1].element
        );
        let message = good(&xml(list.name, "DEL", &text));
        let Body::Reference(reference) = &message.body else { panic!("{}", list.name) };
        let zone = jiff::tz::TimeZone::UTC;
        let record = sis::json::value(&reference.records[0], &zone);
        assert_eq!(record[key], "K");
        assert_eq!(record["extra"], json!(["<NEW a='1'>x</NEW>"]));
        assert_eq!(good(&sis::encode(&message)), message, "{}", list.name);
    }
}

#[test]
fn lists_have_the_elements_of_the_formats_notes() {
    let elements: usize = Dictionary::baseline().references().iter().map(|list| list.children.len()).sum();
    assert_eq!((Dictionary::baseline().references().len(), elements), (23, 150));
}
