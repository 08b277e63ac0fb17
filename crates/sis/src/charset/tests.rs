//! The decision table of `docs/wire-format.md`, row by row: what the bytes are x what the
//! declaration says x what carries them.

use encoding_rs::{Encoding, GB18030, UTF_8, WINDOWS_1252};

use super::*;
use crate::ProblemKind;

/// Characters of two, three and four bytes; the last has four in GB18030 too.
const REMARK: &str = "登机口变更，请留意é𠮷";

/// What the bytes of a row are.
#[derive(Debug, Clone, Copy)]
enum Bytes {
    Utf8,
    Utf8Marked,
    Gb18030,
    Utf16(fn(u16) -> [u8; 2]),
    Utf16Marked(fn(u16) -> [u8; 2]),
    /// UTF-8 that a database read as Latin-1 and gave as UTF-8.
    Misread(&'static Encoding),
    /// Without any character beyond ASCII.
    Ascii,
}

use Bytes::{Ascii, Gb18030, Misread, Utf8, Utf8Marked, Utf16, Utf16Marked};

const LITTLE: fn(u16) -> [u8; 2] = u16::to_le_bytes;
const BIG: fn(u16) -> [u8; 2] = u16::to_be_bytes;

/// `None` where no encoding is declared.
fn document(label: Option<&str>, remark: &str) -> String {
    let declaration = label.map(|label| format!("<?xml version=\"1.0\" encoding=\"{label}\"?>\n"));
    format!("{}<MSG>{remark}</MSG>", declaration.unwrap_or_default())
}

fn encode(bytes: Bytes, text: &str) -> Vec<u8> {
    let units = |text: &str, unit: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(unit).collect();
    match bytes {
        Utf8 | Ascii => text.as_bytes().to_vec(),
        Utf8Marked => format!("\u{feff}{text}").into_bytes(),
        Gb18030 => GB18030.encode(text).0.into_owned(),
        Utf16(unit) => units(text, unit),
        Utf16Marked(unit) => units(&format!("\u{feff}{text}"), unit),
        Misread(real) => {
            let bytes = real.encode(text).0;
            WINDOWS_1252.decode_without_bom_handling(&bytes).0.into_owned().into_bytes()
        }
    }
}

/// What becomes of a row.
type Outcome = Result<(), &'static str>;

const READ: Outcome = Ok(());

/// Bytes, declarations, carrier; read or the words of the refusal.
type Row = (Bytes, &'static [Option<&'static str>], Carrier, Outcome);

/// None, right, wrong in all ways.
const ANY: &[Option<&str>] = &[
    None,
    Some("UTF-8"),
    Some("utf-8"),
    Some("GBK"),
    Some("gb2312"),
    Some("UTF-16"),
    Some("ISO-8859-1"),
    Some("x"),
];
const UTF8_OR_NONE: &[Option<&str>] = &[None, Some("UTF-8"), Some("utf-8"), Some("Utf8"), Some("US-ASCII")];
const CHINESE: &[Option<&str>] = &[Some("GB18030"), Some("GBK"), Some("gbk"), Some("GB2312"), Some("gb2312")];
const UNKNOWN: &[Option<&str>] = &[Some("ISO-8859-1"), Some("windows-1252"), Some("Big5"), Some("x")];
const SAYS_UTF16: &[Option<&str>] = &[Some("UTF-16"), Some("utf-16le"), Some("UTF-16BE")];

const TABLE: [Row; 23] = [
    (Utf8, ANY, Carrier::Text, READ),
    (Utf8Marked, ANY, Carrier::Text, READ),
    (Gb18030, ANY, Carrier::Text, Err("is not UTF-8")),
    (Utf16(LITTLE), ANY, Carrier::Text, Err("UTF-16")),
    (Utf16(BIG), ANY, Carrier::Text, Err("UTF-16")),
    (Utf16Marked(LITTLE), ANY, Carrier::Text, Err("is not UTF-8")),
    (Utf16Marked(BIG), ANY, Carrier::Text, Err("is not UTF-8")),
    (Misread(UTF_8), ANY, Carrier::Text, Err("UTF-8 that was read as Latin-1")),
    (Utf8Marked, ANY, Carrier::Bytes, READ),
    (Utf16Marked(LITTLE), ANY, Carrier::Bytes, READ),
    (Utf16Marked(BIG), ANY, Carrier::Bytes, READ),
    (Utf16(LITTLE), ANY, Carrier::Bytes, READ),
    (Utf16(BIG), ANY, Carrier::Bytes, READ),
    (Utf8, UTF8_OR_NONE, Carrier::Bytes, READ),
    (Gb18030, UTF8_OR_NONE, Carrier::Bytes, Err("is not UTF-8")),
    (Misread(UTF_8), UTF8_OR_NONE, Carrier::Bytes, Err("UTF-8 that was read as Latin-1")),
    (Gb18030, CHINESE, Carrier::Bytes, READ),
    (Utf8, CHINESE, Carrier::Bytes, Err("the bytes are UTF-8")),
    (Ascii, CHINESE, Carrier::Bytes, READ),
    (Utf8, UNKNOWN, Carrier::Bytes, Err("is not known")),
    (Gb18030, UNKNOWN, Carrier::Bytes, Err("is not known")),
    (Utf8, SAYS_UTF16, Carrier::Bytes, Err("not in UTF-16")),
    (Gb18030, SAYS_UTF16, Carrier::Bytes, Err("not in UTF-16")),
];

#[test]
fn the_table_holds_for_every_declaration_with_blanks_before_it_or_not() {
    for (bytes, labels, carrier, outcome) in TABLE {
        for (label, blanks) in labels.iter().flat_map(|label| [(label, ""), (label, "\r\n ")]) {
            let remark = if matches!(bytes, Ascii) { "x" } else { REMARK };
            let sent = format!("{blanks}{}", document(*label, remark));
            let found = text(&encode(bytes, &sent), carrier);
            let row = format!("{bytes:?}, declared as {label:?}, {carrier:?}: {found:?}");
            match (found, outcome) {
                (Ok(found), Ok(())) => assert_eq!(found.trim_start_matches('\u{feff}'), sent, "{row}"),
                (Err(problem), Err(words)) => {
                    assert_eq!(problem.kind, ProblemKind::Codec, "{row}");
                    assert!(problem.text.contains(words), "{row}");
                }
                _ => panic!("{row}"),
            }
        }
    }
}

#[test]
fn the_page_has_every_row() {
    let page = include_str!("../../../../docs/wire-format.md");
    let section =
        page.split("## Charset").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("a section");
    let rows =
        section.lines().filter(|line| line.starts_with("| text column") || line.starts_with("| bytes"));
    assert_eq!(rows.count(), 15, "the rows of the page were counted when this table was written");
}

#[test]
fn refusals_tell_line_column_and_byte() {
    let gbk = |text: &str| GB18030.encode(text).0.into_owned();
    let bad_gb = [b"<?xml version='1.0' encoding='GBK'?>\n<MSG>".as_slice(), b"\xff</MSG>"].concat();
    let mut half_unit = encode(Utf16Marked(LITTLE), "<MSG/>");
    half_unit.pop();
    for (bytes, carrier, line, column, offset) in [
        (gbk("<MSG>\n晚到</MSG>"), Carrier::Bytes, 2, 1, 6),
        (gbk("<MSG>\n晚到</MSG>"), Carrier::Text, 2, 1, 6),
        (b"<MSG>\xe9t\xe9</MSG>".to_vec(), Carrier::Bytes, 1, 6, 5),
        (bad_gb, Carrier::Bytes, 2, 6, 42),
        (half_unit, Carrier::Bytes, 1, 6, 12),
        (encode(Misread(UTF_8), "<MSG>\n晚到</MSG>"), Carrier::Text, 2, 1, 6),
        (b"\xff\xfe\0\0<\0\0\0".to_vec(), Carrier::Bytes, 1, 1, 0),
    ] {
        let problem = text(&bytes, carrier).expect_err("bytes of another charset");
        assert_eq!(problem.kind, ProblemKind::Codec);
        let position = problem.position;
        assert_eq!((position.line, position.column, position.offset), (line, column, offset), "{problem}");
    }
}

/// Short texts in GBK can be valid UTF-8 by chance; then the declaration is believed, unless
/// UTF-8 would mean something.
#[test]
fn what_could_be_either_is_read_as_declared() {
    for (remark, is_read) in [("模", true), ("登机", true), ("x", true)] {
        let text = document(Some("GBK"), remark);
        assert_eq!(self::text(&GB18030.encode(&text).0, Carrier::Bytes).is_ok(), is_read, "{remark}");
    }
    for remark in ["é", "阿·买", "，，", "°"] {
        let text = document(Some("GBK"), remark);
        assert!(self::text(text.as_bytes(), Carrier::Bytes).is_err(), "{remark}");
    }
}
