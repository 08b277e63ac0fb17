//! What a site may lay over the dictionary, and what not.

use super::*;

#[test]
fn what_rules_rely_on_may_be_fed_from_another_element() {
    let site =
        r#"scalars = [{ element = "STN2", name = "stand", value = "text", zh = "机位", en = "Stand" }]"#;
    let dictionary = Dictionary::overlaid(site).expect("the same form");
    assert_eq!(dictionary.field("stand").map(|field| field.element), Some("STN2"));
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
