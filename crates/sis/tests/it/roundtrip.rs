//! decode(encode(m)) = m for any message that decoding could give.

use jiff::civil;
use proptest::prelude::*;
use sis::{
    Body, Dictionary, Entry, Field, FieldKind, FieldWrite, Incomplete, Member, Message, Meta, Position,
    Record, Schedule, ScheduleKind, Subtype, Value, ValueKind, Write,
};

use crate::support::{flop as flop_message, good, records, without_positions};

/// Texts as they come out of reading: trimmed, not empty, only what XML allows.
fn text() -> BoxedStrategy<String> {
    "[ -~\n\t\r\u{4e00}-\u{4e80}\u{1f600}\u{ff0c}]{1,12}"
        .prop_map(|text| text.trim().to_owned())
        .prop_filter("a text", |text| !text.is_empty())
        .boxed()
}

fn value(
    kind: ValueKind,
    one_of: &'static [&'static str],
    members: &'static [Member],
) -> BoxedStrategy<Value> {
    let date =
        (2000i16..2100, 1i8..=12, 1i8..=28).prop_map(|(year, month, day)| civil::date(year, month, day));
    let clock = (0i8..24, 0i8..60).prop_map(|(hour, minute)| civil::time(hour, minute, 0, 0));
    match kind {
        ValueKind::Text if one_of.is_empty() => text().prop_map(Value::Text).boxed(),
        ValueKind::Text => prop::sample::select(one_of).prop_map(|one| Value::Text(one.to_owned())).boxed(),
        ValueKind::Integer => any::<i64>().prop_map(Value::Integer).boxed(),
        ValueKind::Decimal => "-?[0-9]{1,20}(\\.[0-9]{1,5})?".prop_map(Value::Decimal).boxed(),
        ValueKind::Time => (date, clock, 0i8..2)
            .prop_map(|(date, clock, second)| Value::Time(date.at(clock.hour(), clock.minute(), second, 0)))
            .boxed(),
        ValueKind::Date => date.prop_map(Value::Date).boxed(),
        ValueKind::Clock => clock.prop_map(Value::Clock).boxed(),
        ValueKind::Minutes => (0u32..100 * 60).prop_map(Value::Minutes).boxed(),
        ValueKind::List => prop::collection::vec(object(members, false), 1..3).prop_map(Value::List).boxed(),
    }
}

/// An object with all members or, where it needn't be whole, with some: but always with
/// what makes it count.
fn object(members: &'static [Member], whole: bool) -> BoxedStrategy<Value> {
    let parts: Vec<_> = members
        .iter()
        .map(|member| {
            let is_needed = whole || member.required;
            let value = value(member.value, member.one_of, member.members);
            (Just(member.name), value, if is_needed { Just(true).boxed() } else { any::<bool>().boxed() })
        })
        .collect();
    let first_content = members.iter().position(|member| !member.sequence).unwrap_or(0);
    parts
        .prop_map(move |parts| {
            let is_empty =
                !parts.iter().enumerate().any(|(number, part)| part.2 && !members[number].sequence);
            let kept = parts
                .into_iter()
                .enumerate()
                .filter(|(number, part)| part.2 || (is_empty && *number == first_content));
            Value::Object(kept.map(|(_, (name, value, _))| (name, value)).collect())
        })
        .boxed()
}

fn with_member(value: Value, name: &'static str, member: Value, members: &'static [Member]) -> Value {
    let Value::Object(mut object) = value else { return value };
    object.retain(|(other, _)| *other != name);
    object.push((name, member));
    object.sort_by_key(|(name, _)| members.iter().position(|member| member.name == *name));
    Value::Object(object)
}

fn write(field: &'static Field, scheduled: bool, whole: bool, clearable: bool) -> BoxedStrategy<Write> {
    let clear = if clearable { 1 } else { 0 };
    match field.kind {
        FieldKind::Scalar => prop_oneof![
            clear => Just(Write::Clear),
            4 => value(field.value, &[], &[]).prop_map(Write::Set),
        ]
        .boxed(),
        FieldKind::Structure => {
            let whole = whole || field.anchor.is_some();
            prop_oneof![1 => Just(Write::Clear), 4 => object(field.members, whole).prop_map(Write::Set)].boxed()
        }
        FieldKind::Ordered => prop_oneof![
            1 => Just(Write::Clear),
            4 => prop::collection::vec(object(field.members, false), 1..4).prop_map(|list| Write::Set(Value::List(list))),
        ]
        .boxed(),
        FieldKind::Keyed => keyed(field, scheduled),
    }
}

fn keyed(field: &'static Field, scheduled: bool) -> BoxedStrategy<Write> {
    let key = field.key.expect("a keyed field has a key");
    let member = field.members.iter().find(|member| member.name == key).expect("the key is a member");
    let entry = (value(member.value, member.one_of, &[]), object(field.members, false), any::<bool>());
    let most = if field.spread { 1 } else { 4 };
    (prop::collection::vec(entry, 0..=most), any::<bool>())
        .prop_map(move |(given, clear)| {
            let mut entries: Vec<Entry> = Vec::new();
            for (key_value, object, removed) in given {
                let Value::Text(text) = &key_value else { continue };
                let text = text.clone();
                if entries.iter().any(|entry| entry.key == text) {
                    continue;
                }
                let object = with_member(object, key, key_value, field.members);
                let lacks = |name| matches!(&object, Value::Object(object) if !object.iter().any(|(other, _)| *other == name));
                let is_removal = field.removed_without.is_some_and(lacks) || (removed && field.removed_without.is_some());
                entries.push(Entry { key: text, value: (!is_removal).then_some(object) });
            }
            // Scattered members can't say both; an empty list can only mean a clearing.
            let clear = scheduled || entries.is_empty() || (clear && !field.spread);
            Write::Merge { clear, entries }
        })
        .boxed()
}

fn extra() -> BoxedStrategy<Vec<(String, String)>> {
    let known = |name: &String| name.starts_with('N');
    let one = ("N[a-z]{1,4}".prop_filter("unknown", known), "[a-z\u{4e2d}]{0,5}")
        .prop_map(|(name, content)| (name.clone(), format!("<{name} k='v'>{content}<I/></{name}>")));
    prop::collection::vec(one, 0..3).boxed()
}

fn record(
    writes: Vec<BoxedStrategy<FieldWrite>>,
    not_applied: &'static [&'static str],
) -> BoxedStrategy<Record> {
    let not_applied = prop::sample::subsequence(not_applied, 0..=not_applied.len());
    (any::<i64>(), writes, not_applied, extra())
        .prop_map(|(flid, writes, not_applied, extra)| Record {
            flid,
            position: Position::default(),
            writes,
            not_applied: not_applied.into_iter().map(str::to_owned).collect(),
            extra,
        })
        .boxed()
}

fn flop(subtype: &'static Subtype) -> BoxedStrategy<Record> {
    let dictionary = Dictionary::baseline();
    let fields = dictionary.fields().iter().filter(|field| subtype.fields.contains(&field.name));
    let writes = fields.map(|field| {
        let clearable = !subtype.required.contains(&field.name);
        let whole = subtype.incomplete == Incomplete::Clear;
        write(field, false, whole, clearable).prop_map(move |write| FieldWrite { field, write }).boxed()
    });
    record(writes.collect(), &[])
}

fn flight() -> BoxedStrategy<Record> {
    let fields = Dictionary::baseline().fields().iter().filter(|field| field.in_schedule);
    let writes = fields.map(|field| {
        write(field, true, false, !field.required).prop_map(move |write| FieldWrite { field, write }).boxed()
    });
    record(writes.collect(), &["CTOT", "PSHT"])
}

fn meta(kind: &'static str, subtype: &'static str) -> BoxedStrategy<Meta> {
    (text(), text(), text())
        .prop_map(move |(sender, seqn, dttm)| Meta {
            sender,
            seqn,
            dttm,
            kind: kind.to_owned(),
            subtype: subtype.to_owned(),
        })
        .boxed()
}

fn message() -> BoxedStrategy<Message> {
    let flops = (0..Dictionary::baseline().subtypes().len()).prop_flat_map(|number| {
        let subtype = &Dictionary::baseline().subtypes()[number];
        let records = prop::collection::vec(flop(subtype), 1..3);
        (meta("FLOP", subtype.name), records).prop_map(move |(meta, records)| {
            let body = if meta.subtype == "FDEL" { Body::Delete(records) } else { Body::Flop(records) };
            Message { meta, body }
        })
    });
    let schedules =
        (meta("SCHD", "DNLD"), prop::option::of(any::<u64>()), prop::collection::vec(flight(), 0..3))
            .prop_map(|(meta, declared_records, records)| {
                let schedule = Schedule { kind: ScheduleKind::Upsert, declared_records, records };
                Message { meta, body: Body::Schedule(schedule) }
            });
    prop_oneof![flops, schedules].boxed()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn decoding_an_encoded_message_gives_it_back(message in message()) {
        let again = good(&sis::encode(&message));
        prop_assert_eq!(without_positions(again), message);
    }
}

/// What fuzzing found: unknown parts beside a clearing, and in more than one entry.
#[test]
fn unknown_parts_of_groups_do_not_spoil_what_is_known() {
    for elements in [
        "<VIPF X='1'><VPCD>V1</VPCD><VFES>2</VFES>x</VIPF><VIPF/>",
        "<VIPF X='1'><VPCD>V1</VPCD></VIPF><VIPF X='2'><VPCD>V2</VPCD></VIPF>",
        "<VIPF X='1'><VPCD>V1</VPCD></VIPF><VIPF X='2'><VPCD>V1</VPCD></VIPF>",
    ] {
        let message = good(&flop_message("VIPF", elements));
        let again = good(&sis::encode(&message));
        assert_eq!(records(&again)[0].writes, records(&message)[0].writes, "{elements}");
    }
}
