//! The compiled-in dictionary is whole, and a bad file is refused with line and key.

use super::*;

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
fn what_rules_rely_on_may_be_fed_from_another_element() {
    let site =
        r#"scalars = [{ element = "STN2", name = "stand", value = "text", zh = "机位", en = "Stand" }]"#;
    let dictionary = Dictionary::overlaid(site).expect("the same form");
    assert_eq!(dictionary.field("stand").map(|field| field.element), Some("STN2"));
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

#[test]
fn an_overlay_replaces_and_adds_by_name() {
    let site = r#"
        scalars = [{ element = "XQUE", name = "queue", value = "text", zh = "队列", en = "Queue" }]
        subtypes = [
          { name = "XQUE", fields = ["queue"], zh = "队列", en = "Queue" },
          { name = "APPT", fields = ["approvedTime"], absent = "clear", zh = "放行", en = "Approved" },
        ]
    "#;
    let dictionary = Dictionary::overlaid(site).expect("a good overlay");
    assert!(dictionary.field("queue").is_some() && dictionary.field("gates").is_some());
    assert_eq!(dictionary.subtype("APPT").map(|subtype| subtype.absent), Some(Absent::Clear));
    assert_eq!(dictionary.subtypes().len(), 57);
}

#[test]
fn an_overlay_renames_fields_and_labels_wherever_they_are_used() {
    let site = r#"
        rename = [
          { name = "terminal", to = "hall", en = "Hall" },
          { name = "stand", zh = "停机位" },
        ]
        ignored = ["LDM-*", "FLOP-FUEL-BGN"]
    "#;
    let dictionary = Dictionary::overlaid(site).expect("a good overlay");
    let hall = dictionary.field("hall").expect("renamed");
    assert_eq!((hall.element, hall.en, hall.zh), ("TRML", "Hall", "航站楼"));
    assert!(dictionary.field("terminal").is_none());
    let subtype = dictionary.subtype("TRML").expect("still there");
    assert_eq!((subtype.fields, subtype.required), (&["hall"][..], &["hall"][..]));
    assert_eq!(dictionary.field("stand").map(|field| field.zh), Some("停机位"));
    assert_eq!(dictionary.ignored(), ["LDM-*", "FLOP-FUEL-BGN"]);
}

#[test]
fn bad_overlays_are_refused_with_line_and_key_of_the_overlay() {
    for (site, words) in [
        (
            "\nrename = [{ name = \"scheduledTime\", to = \"std\" }]",
            vec!["line 2, `scheduledTime`", "by this name"],
        ),
        ("\n\nrename = [{ name = \"none\" }]", vec!["line 3, `none`", "no such field"]),
        ("rename = [{ name = \"terminal\", to = \"stand\" }]", vec!["`stand`", "twice"]),
        ("rename = [{ name = \"terminal\", too = \"x\" }]", vec!["line 1", "too"]),
        ("ignored = [\"LDM-*\",\n\"LDM\"]", vec!["line 2, `LDM`", "TYPE-STYP"]),
        (
            "scalars = [{ element = \"GTDT\", name = \"x\", value = \"text\", zh = \"\", en = \"\" }]",
            vec!["compiled-in entry `gates`", "`GTDT` already"],
        ),
        (
            "[[group]]\nname = \"codeShare\"\nelement = \"CSOP\"\nkind = \"structure\"\nspread = true\nzh = \"\"\n\
             en = \"\"\nmembers = [{ source = \"CSOP\", name = \"airline\", value = \"text\", zh = \"\", en = \"\" }]",
            vec!["line 2, `codeShare`", "`flightNumber` is missing"],
        ),
        (
            "scalars = [{ element = \"SODT\", name = \"scheduledTime\", value = \"text\", zh = \"\", en = \"\" }]",
            vec!["line 1, `scheduledTime`", "form"],
        ),
        (
            "[[group]]\nname = \"stand\"\nelement = \"STND\"\nkind = \"ordered\"\nzh = \"\"\nen = \"\"\n\
             members = [{ source = \".\", name = \"x\", value = \"text\", zh = \"\", en = \"\" }]",
            vec!["line 2, `stand`", "form"],
        ),
        (
            "[[group]]\nname = \"gates\"\nelement = \"GTDT\"\nkind = \"keyed\"\nkey = \"gate\"\nzh = \"\"\nen = \"\"\n\
             members = [{ source = \"GATE\", name = \"gate\", value = \"text\", zh = \"\", en = \"\" }]",
            vec!["line 2, `gates`", "form"],
        ),
        (
            "[[group]]\nname = \"gates\"\nelement = \"GTDT\"\nkind = \"ordered\"\nzh = \"\"\nen = \"\"\n\
             members = [{ source = \"GATE\", name = \"gate\", value = \"time\", zh = \"\", en = \"\" }]",
            vec!["line 2, `gates`", "member `gate`", "form"],
        ),
        (
            "scalars = [{ element = \"STND\", name = \"stand\", personal = true, value = \"text\", zh = \"\", en = \"\" }]",
            vec!["line 1, `stand`", "can't be personal"],
        ),
        (
            "scalars = [{ element = \"FDEL\", name = \"x\", value = \"text\", zh = \"\", en = \"\" }]",
            vec!["line 1, `x`", "`FDEL` already"],
        ),
        (
            "scalars = [{ element = \"A1\", name = \"a\", value = \"text\", zh = \"\", en = \"\" },\n\
             { element = \"A2\", name = \"a\", value = \"text\", zh = \"\", en = \"\" }]",
            vec!["line 2, `a`", "twice in this file"],
        ),
    ] {
        let error = Dictionary::overlaid(site).expect_err(site).to_string();
        for word in words {
            assert!(error.contains(word), "{word:?} is not in {error:?}");
        }
    }
}
