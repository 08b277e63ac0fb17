//! The decision table of `docs/wire-format.md`: bytes x declaration x carrier.

use encoding_rs::{GB18030, GBK};

use super::*;
use crate::ProblemKind;

const REMARK: &str = "登机口变更，请留意𠮷";

fn document(declaration: &str) -> String {
    format!("{declaration}<MSG>{REMARK}</MSG>")
}

fn declared_as(label: &str) -> String {
    document(&format!("<?xml version=\"1.0\" encoding=\"{label}\"?>"))
}

fn utf16(text: &str, big: bool) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
}

#[test]
fn right_declarations_give_the_text() {
    for label in ["GB18030", "gb2312", "GBK", "Gbk"] {
        let text = declared_as(label);
        let (bytes, _, lossy) = GB18030.encode(&text);
        assert!(!lossy);
        assert_eq!(self::text(&bytes, Carrier::Bytes).as_deref(), Ok(text.as_str()), "{label}");
    }
    for declaration in ["", "<?xml version=\"1.0\"?>", "<?xml version='1.0' encoding = 'utf-8' ?>"] {
        let text = document(declaration);
        assert_eq!(self::text(text.as_bytes(), Carrier::Bytes).as_deref(), Ok(text.as_str()));
        let blank = format!("\r\n {text}");
        assert_eq!(self::text(blank.as_bytes(), Carrier::Bytes).as_deref(), Ok(blank.as_str()));
    }
    for big in [false, true] {
        let text = declared_as("UTF-16");
        assert_eq!(self::text(&utf16(&text, big), Carrier::Bytes).as_deref(), Ok(text.as_str()));
    }
}

#[test]
fn a_byte_order_mark_beats_the_declaration() {
    let text = format!("\u{feff}{}", declared_as("GBK"));
    assert_eq!(self::text(text.as_bytes(), Carrier::Bytes).as_deref(), Ok(text.as_str()));
}

#[test]
fn a_text_carrier_ignores_the_declaration() {
    let text = declared_as("GB2312");
    assert_eq!(self::text(text.as_bytes(), Carrier::Text).as_deref(), Ok(text.as_str()));
}

#[test]
fn bytes_that_do_not_fit_are_codec_problems_with_their_place() {
    let (gbk, _, _) = GBK.encode("<MSG>\n晚到</MSG>");
    let latin = b"<MSG>\xe9t\xe9</MSG>".to_vec();
    let bad_gb = [b"<?xml version='1.0' encoding='GBK'?>\n<MSG>".as_slice(), b"\xff</MSG>"].concat();
    let mut half_unit = utf16("<MSG/>", false);
    half_unit.pop();
    for (bytes, carrier, line, column, offset) in [
        (gbk.to_vec(), Carrier::Bytes, 2, 1, 6),
        (gbk.to_vec(), Carrier::Text, 2, 1, 6),
        (latin, Carrier::Bytes, 1, 6, 5),
        (bad_gb, Carrier::Bytes, 2, 6, 42),
        (half_unit, Carrier::Bytes, 1, 6, 12),
    ] {
        let problem = text(&bytes, carrier).expect_err("bytes of another charset");
        assert_eq!(problem.kind, ProblemKind::Codec);
        let position = problem.position;
        assert_eq!((position.line, position.column, position.offset), (line, column, offset), "{problem}");
    }
}

#[test]
fn declarations_that_cannot_be_true_are_codec_problems() {
    for (text, words) in [
        (declared_as("GBK"), "the bytes are UTF-8"),
        (declared_as("ISO-8859-1"), "not known"),
        (declared_as("UTF-16"), "byte order mark"),
    ] {
        let problem = self::text(text.as_bytes(), Carrier::Bytes).expect_err(words);
        assert_eq!(problem.kind, ProblemKind::Codec);
        assert!(problem.text.contains(words), "{problem}");
    }
}
