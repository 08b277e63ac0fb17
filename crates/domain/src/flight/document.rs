//! Fields with provenance as the JSON text of the store's `document` column.
//!
//! Read and written for every change, so it is compact: a single field is `[by, value]`, or
//! `[by]` when cleared; a keyed collection is `{"c": cleared_by, "e": {key: [by, value]}}`.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;

use super::{EntryState, FieldState, Stamped};
use crate::MsgId;

pub(super) fn write(fields: &BTreeMap<String, FieldState>) -> String {
    serde_json::to_string(fields).expect("maps with text keys can't fail to serialize")
}

pub(super) fn parse(document: &str) -> Result<BTreeMap<String, FieldState>, String> {
    serde_json::from_str(document).map_err(|error| format!("not a flight document: {error}"))
}

impl Serialize for Stamped {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut parts = serializer.serialize_seq(Some(1 + usize::from(self.value.is_some())))?;
        parts.serialize_element(&self.by.0)?;
        if let Some(value) = &self.value {
            parts.serialize_element(value)?;
        }
        parts.end()
    }
}

impl Serialize for FieldState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Single(stamped) => stamped.serialize(serializer),
            Self::Keyed { cleared_by, entries } => {
                let mut parts = serializer.serialize_map(Some(2))?;
                parts.serialize_entry("c", &cleared_by.0)?;
                parts.serialize_entry("e", entries)?;
                parts.end()
            }
        }
    }
}

struct StampedVisitor;

impl<'de> Visitor<'de> for StampedVisitor {
    type Value = Stamped;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[by] or [by, value]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Stamped, A::Error> {
        let by = parts.next_element()?.ok_or_else(|| A::Error::custom("a field without its message"))?;
        let value: Option<Value> = parts.next_element()?;
        Ok(Stamped { value, by: MsgId(by) })
    }
}

impl<'de> Deserialize<'de> for Stamped {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(StampedVisitor)
    }
}

struct FieldVisitor;

impl<'de> Visitor<'de> for FieldVisitor {
    type Value = FieldState;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(r#"[by], [by, value] or {"c": by, "e": {...}}"#)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, parts: A) -> Result<FieldState, A::Error> {
        StampedVisitor.visit_seq(parts).map(FieldState::Single)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut parts: A) -> Result<FieldState, A::Error> {
        let (mut cleared_by, mut entries) = (None, None);
        while let Some(name) = parts.next_key::<String>()? {
            match name.as_str() {
                "c" => cleared_by = Some(MsgId(parts.next_value()?)),
                "e" => entries = Some(parts.next_value::<BTreeMap<String, EntryState>>()?),
                _ => return Err(A::Error::unknown_field(&name, &["c", "e"])),
            }
        }
        Ok(FieldState::Keyed {
            cleared_by: cleared_by.ok_or_else(|| A::Error::missing_field("c"))?,
            entries: entries.ok_or_else(|| A::Error::missing_field("e"))?,
        })
    }
}

impl<'de> Deserialize<'de> for FieldState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FieldVisitor)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn single(value: Option<Value>, by: i64) -> FieldState {
        FieldState::Single(Stamped { value, by: MsgId(by) })
    }

    #[test]
    fn a_document_is_compact() {
        let entries =
            [("WX".to_owned(), Stamped { value: Some(json!({"code": "WX"})), by: MsgId(8) })].into();
        let fields = BTreeMap::from([
            ("delays".to_owned(), FieldState::Keyed { cleared_by: MsgId(7), entries }),
            ("remarks".to_owned(), single(None, 9)),
            ("stand".to_owned(), single(Some(json!("231")), 9)),
        ]);
        let document = write(&fields);
        assert_eq!(
            document,
            r#"{"delays":{"c":7,"e":{"WX":[8,{"code":"WX"}]}},"remarks":[9],"stand":[9,"231"]}"#
        );
        assert_eq!(parse(&document), Ok(fields));
    }

    #[test]
    fn a_bad_document_says_what_is_wrong() {
        for (document, part) in [
            (r#"{"stand":[]}"#, "without its message"),
            (r#"{"stand":7}"#, "[by, value]"),
            (r#"{"delays":{"c":1}}"#, "`e`"),
            (r#"{"stand":[1,2,3]}"#, "trailing characters"),
            ("", "EOF"),
        ] {
            let error = parse(document).expect_err(document);
            assert!(error.contains(part), "{error}");
        }
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            ".{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(2, 8, 3, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                proptest::collection::hash_map(".{0,3}", inner, 0..3)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    fn stamped() -> impl Strategy<Value = Stamped> {
        (proptest::option::of(values()), any::<i64>())
            .prop_map(|(value, by)| Stamped { value, by: MsgId(by) })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn a_document_loses_nothing(
            singles in proptest::collection::btree_map(".{0,6}", stamped(), 0..4),
            entries in proptest::collection::btree_map(".{0,3}", stamped(), 0..4),
            cleared_by in any::<i64>(),
        ) {
            let mut fields: BTreeMap<String, FieldState> =
                singles.into_iter().map(|(name, value)| (name, FieldState::Single(value))).collect();
            fields.insert("keyed".into(), FieldState::Keyed { cleared_by: MsgId(cleared_by), entries });
            prop_assert_eq!(parse(&write(&fields)), Ok(fields));
        }
    }
}
