//! Each piece of markup is told from the others, and what begins none is refused.

use proptest::prelude::*;
use quick_xml::Reader;
use quick_xml::events::Event;

use super::*;
use crate::Limits;
use crate::xml::parse::parse;

#[test]
fn each_piece_is_told_from_the_others() {
    let text = "<?xml version='1.0'?><A b='>' c = \"/\"><B/>x&amp;<![CDATA[<&]]><!-- - --></A >";
    let mut at = 0;
    let mut pieces = Vec::new();
    while let Some((piece, end)) = next(text, at).expect("well-formed") {
        pieces.push((piece, &text[at..end]));
        at = end;
    }
    assert_eq!(
        pieces,
        [
            (Piece::Declaration, "<?xml version='1.0'?>"),
            (
                Piece::Open { name: "A", attributes: " b='>' c = \"/\"", is_empty: false },
                "<A b='>' c = \"/\">"
            ),
            (Piece::Open { name: "B", attributes: "", is_empty: true }, "<B/>"),
            (Piece::Text, "x"),
            (Piece::Reference { name: "amp" }, "&amp;"),
            (Piece::Characters, "<![CDATA[<&]]>"),
            (Piece::Aside, "<!-- - -->"),
            (Piece::Close { name: "A" }, "</A >"),
        ]
    );
}

#[test]
fn what_begins_no_piece_is_refused_where_it_stands() {
    for (text, at) in [
        ("<A", 0),
        ("<A b='>", 0),
        ("</A", 0),
        ("<!-- a", 0),
        ("<!-- a --- -->", 7),
        ("<!--->", 0),
        ("<![CDATA[ ]]", 0),
        ("<!ELEMENT A>", 0),
        ("<!DocType A>", 0),
        ("<?pi", 0),
        ("<? pi?>", 0),
        ("<?XML a?>", 0),
        ("&amp", 0),
        ("& amp;", 0),
        ("&amp<", 0),
    ] {
        assert_eq!(next(text, 0).map_err(|(offset, _)| offset), Err(at), "{text}");
    }
}

/// Elements with their texts, as our tree has them.
fn ours(text: &str) -> Option<Vec<(String, String)>> {
    let tree = parse(text.to_owned(), &Limits::default()).ok()?;
    let elements = 0..tree.end(crate::xml::tree::Tree::ROOT);
    Some(elements.map(|node| (tree.name(node).to_owned(), tree.text(node).to_owned())).collect())
}

/// The same as another reader finds them; it knows less of what is wrong.
fn theirs(text: &str) -> Option<Vec<(String, String)>> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_comments = true;
    let (mut found, mut open): (Vec<(String, String)>, Vec<usize>) = (Vec::new(), Vec::new());
    loop {
        let piece = match reader.read_event().ok()? {
            Event::Start(tag) => {
                open.push(found.len());
                found.push((tag.name().0.to_owned(), String::new()));
                continue;
            }
            Event::Empty(tag) => {
                found.push((tag.name().0.to_owned(), String::new()));
                continue;
            }
            Event::End(_) => {
                open.pop()?;
                continue;
            }
            Event::Text(piece) => (*piece).to_owned(),
            Event::CData(piece) => (*piece).to_owned(),
            Event::GeneralRef(name) => super::super::characters::reference(&name)?.to_string(),
            Event::Comment(_) | Event::PI(_) | Event::Decl(_) => continue,
            Event::DocType(_) => return None,
            Event::Eof => break,
        };
        if let Some(node) = open.last() {
            found[*node].1.push_str(&piece);
        }
    }
    found.iter_mut().for_each(|(_, text)| *text = text.trim().to_owned());
    open.is_empty().then_some(found)
}

/// A document of nested elements with all kinds of pieces between them.
fn document() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[a-z \u{4e2d}]{0,6}",
        Just("&amp;".to_owned()),
        Just("&#20013;".to_owned()),
        Just("<![CDATA[<a]]>".to_owned()),
        Just("<!-- c - c -->".to_owned()),
        Just("<?pi x?>".to_owned()),
        Just("<E a='>' b = \"/\"/>".to_owned()),
    ];
    let inner = leaf.prop_recursive(4, 24, 5, |inner| {
        ("[A-C]", prop::collection::vec(inner, 0..5))
            .prop_map(|(name, parts)| format!("<{name} x='&lt;'>{}</{name} >", parts.concat()))
    });
    prop::collection::vec(inner, 0..6)
        .prop_map(|parts| format!("<?xml version='1.0'?><M>{}</M>", parts.concat()))
}

proptest! {
    /// A second opinion: what we read, a widely used reader reads the same.
    #[test]
    fn another_reader_finds_the_same_in_documents(text in document()) {
        let found = ours(&text);
        prop_assert!(found.is_some(), "{}", text);
        prop_assert_eq!(found, theirs(&text));
    }

    #[test]
    fn another_reader_finds_the_same_in_damaged_documents(
        text in document(),
        at in any::<prop::sample::Index>(),
        put in "[<>/!?&;'\"\\[\\]\\- A]{0,3}",
    ) {
        let places: Vec<usize> = text.char_indices().map(|(offset, _)| offset).collect();
        let mut text = text.clone();
        let at = places[at.index(places.len())];
        text.replace_range(at..at + text[at..].chars().next().map_or(0, char::len_utf8), &put);
        if let Some(found) = ours(&text) {
            prop_assert_eq!(Some(found), theirs(&text), "{}", text);
        }
    }
}
