//! Each piece of markup is told from the others, and what begins none is refused.

use super::*;

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
