//! The manual has the dictionary as it is.

use sis::Dictionary;

const PAGE: &str = include_str!("../../../../docs/wire-format.md");

#[test]
fn the_page_has_the_vocabulary_of_the_compiled_in_dictionary() {
    let printed = sis::vocabulary::markdown(Dictionary::baseline());
    let section = PAGE.split("<!-- begin vocabulary -->\n").nth(1);
    let section = section.and_then(|rest| rest.split("<!-- end vocabulary -->").next()).expect("both marks");
    assert!(section == printed, "docs/wire-format.md is stale: run `cargo xtask gen`");
}

#[test]
fn every_subtype_field_member_and_list_is_on_the_page() {
    let dictionary = Dictionary::baseline();
    for subtype in dictionary.subtypes() {
        assert!(PAGE.contains(&format!("| {} | ", subtype.name)), "{}", subtype.name);
    }
    for field in dictionary.fields() {
        let row = PAGE.lines().rfind(|line| line.contains(&format!(" | `{}` | ", field.name)));
        for member in field.members {
            assert!(row.is_some_and(|row| row.contains(&format!("`{}` {}", member.name, member.source))));
        }
    }
    for list in dictionary.references() {
        let row = PAGE.lines().find(|line| line.starts_with(&format!("| {} | {}", list.name, list.en)));
        let row = row.unwrap_or_else(|| panic!("{} is missing", list.name));
        assert!(list.children.iter().all(|child| row.contains(child.element)), "{row}");
    }
}
