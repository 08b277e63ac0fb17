//! `docs/wire-format.md` restates the dictionary; a row it lacks is found here.

use sis::Dictionary;

const PAGE: &str = include_str!("../../../../docs/wire-format.md");

#[test]
fn the_page_has_every_subtype_field_and_list() {
    let dictionary = Dictionary::baseline();
    let subtypes =
        dictionary.subtypes().iter().map(|subtype| format!("| {} | {} |", subtype.name, subtype.en));
    let fields = dictionary.fields().iter().map(|field| {
        let elements: Vec<_> = field.elements().collect();
        format!("| {} | `{}` |", elements.join(" "), field.name)
    });
    let lists = dictionary.references().iter().map(|list| format!("| {} | {} |", list.name, list.en));
    for row in subtypes.chain(fields).chain(lists) {
        assert!(PAGE.lines().any(|line| line.starts_with(&row)), "docs/wire-format.md has no row {row}");
    }
}

#[test]
fn the_page_lists_every_member() {
    for field in Dictionary::baseline().fields() {
        let row =
            PAGE.lines().find(|line| line.contains(&format!("| `{}` |", field.name))).unwrap_or_default();
        for member in field.members {
            let words = format!("`{}` {}", member.name, member.source);
            assert!(row.contains(&words), "the row of `{}` lacks {words}", field.name);
        }
    }
}
