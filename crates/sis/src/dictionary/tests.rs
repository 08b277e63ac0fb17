//! The compiled-in dictionary is whole, and a bad file is refused with line and key.

use super::*;

mod overlays;

#[test]
fn baseline_has_the_whole_vocabulary() {
    let dictionary = Dictionary::baseline();
    assert_eq!(dictionary.references().len(), 23);
    assert_eq!(dictionary.subtypes().len(), 36 + 17 + 3);
    let required: Vec<_> =
        dictionary.fields().iter().filter(|field| field.required).map(|field| field.element).collect();
    assert_eq!(required, ["ALCD", "FLNO", "MVIN", "SODT", "FLTY", "FLIN", "ACFT"]);
}

#[test]
fn names_that_logic_relies_on_exist() {
    let dictionary = Dictionary::baseline();
    for (name, element) in
        [("scheduledTime", "SODT"), ("flightNumber", "FLNO"), ("airline", "ALCD"), ("movement", "MVIN")]
    {
        assert_eq!(dictionary.field(name).map(|field| field.element), Some(element));
    }
    for (name, members) in [
        ("codeShare", ["airline", "flightNumber", "mainFlid"]),
        ("turnaround", ["airline", "flightNumber", "flid"]),
    ] {
        let field = dictionary.field(name).expect(name);
        assert_eq!(field.members.iter().map(|member| member.name).collect::<Vec<_>>(), members);
    }
}

#[test]
fn subtypes_and_lists_are_found_in_any_case() {
    let dictionary = Dictionary::baseline();
    assert_eq!(dictionary.subtype("fuel-bgn").map(|subtype| subtype.name), Some("FUEL-BGN"));
    assert!(dictionary.is_reference("glst") && !dictionary.is_reference("LDM"));
}

#[test]
fn vip_fields_are_personal() {
    let vips = Dictionary::baseline().field("vips").expect("vips");
    assert!(vips.personal && vips.members[0].personal);
    assert!(Dictionary::baseline().reference("VIPL").is_some_and(|list| list.personal));
}

const SCALAR: &str = r#"{ name = "a", element = "AAA", value = "text", zh = "甲", en = "A" }"#;

#[test]
fn bad_files_are_refused_with_line_and_key() {
    let twice = format!("scalars = [\n {SCALAR},\n {SCALAR},\n]");
    let reserved = format!("scalars = [{}]", SCALAR.replace("AAA", "FLID"));
    let unknown_key = format!("scalars = [\n{}]", SCALAR.replace("en =", "english ="));
    let group =
        |rest: &str| format!("[[group]]\nname = \"g\"\nelement = \"GGG\"\nzh = \"组\"\nen = \"G\"\n{rest}\n");
    let member = r#"members = [{ name = "m", source = "@M", value = "text", zh = "员", en = "M" }]"#;
    let subtype = |rest: &str| format!("subtypes = [{{ name = \"S\", zh = \"子\", en = \"S\", {rest} }}]");
    for (text, words) in [
        (twice, vec!["line 3", "`a`", "twice"]),
        (reserved, vec!["line 1", "`FLID` already"]),
        (unknown_key, vec!["line 2", "english"]),
        (group(&format!("kind = \"keyed\"\n{member}")), vec!["line 2", "`g`", "`key`"]),
        (group(&format!("kind = \"keyed\"\nkey = \"n\"\n{member}")), vec!["no member `n`"]),
        (group(&format!("kind = \"ordered\"\nanchor = \"m\"\n{member}")), vec!["`anchor`"]),
        (group("kind = \"ordered\"\nmembers = []"), vec!["needs members"]),
        (group(&format!("kind = \"structure\"\nspread = true\n{member}")), vec!["must be an element"]),
        (subtype(r#"fields = ["none"]"#), vec!["no field `none`"]),
        (subtype("fields = []"), vec!["must write fields"]),
        (subtype("fields = [], deletes = true, marker = \"X\""), vec!["line 1", "marker"]),
        (subtype(r#"fields = [], undescribed = true, incomplete = "clear""#), vec!["structure"]),
        ("references = [{ name = \"L\", zh = \"\", en = \"\", children = [\"a b\"] }]".into(), vec!["`a b`"]),
        (
            "references = [{ name = \"SCHD\", zh = \"\", en = \"\", children = [] }]".into(),
            vec!["no reference list"],
        ),
        (subtype(r#"fields = ["none"]"#).replace("\"S\", zh", "\"FDEL\", zh"), vec!["`FDEL`", "deletes"]),
        (format!("scalars = [{}]", SCALAR.replace("\"a\"", "\"flid\"")), vec!["`flid`", "themselves"]),
        (format!("scalars = [{}]", SCALAR.replace("\"a\"", "\"extra.x\"")), vec!["`extra.x`", "themselves"]),
        ("scalars = [".into(), vec!["line 1"]),
    ] {
        let error = Dictionary::parse(&text).expect_err(&text).to_string();
        for word in words {
            assert!(error.contains(word), "{word:?} is not in {error:?}");
        }
    }
}
