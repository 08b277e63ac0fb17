//! The same message in other bytes is the same message.

use encoding_rs::GB18030;
use sis::{Carrier, Dictionary, Limits};

use crate::support::{fixtures, good, without_positions};

fn declared_as(text: &str, label: &str) -> String {
    text.replace("encoding=\"UTF-8\"", &format!("encoding=\"{label}\""))
        .replace("encoding=\"utf-8\"", &format!("encoding=\"{label}\""))
}

fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(unit).collect()
}

#[test]
fn every_sample_says_and_hashes_the_same_in_every_charset() {
    for (name, text) in fixtures() {
        let expected = without_positions(good(&text));
        let hash =
            sis::read(text.as_bytes(), Carrier::Text, &Limits::default()).expect("a sample").content_hash();
        let marked = format!("\u{feff}{text}").into_bytes();
        for (bytes, carrier) in [
            (marked.clone(), Carrier::Bytes),
            (marked, Carrier::Text),
            (declared_as(&text, "GBK").into_bytes(), Carrier::Text),
            (GB18030.encode(&declared_as(&text, "GB2312")).0.into_owned(), Carrier::Bytes),
            (GB18030.encode(&declared_as(&text, "gb18030")).0.into_owned(), Carrier::Bytes),
            (utf16(&declared_as(&text, "UTF-16"), u16::to_le_bytes), Carrier::Bytes),
            (utf16(&text, u16::to_be_bytes), Carrier::Bytes),
        ] {
            let envelope = sis::read(&bytes, carrier, &Limits::default()).expect("another charset");
            let message = sis::decode(&bytes, carrier, &Limits::default(), Dictionary::baseline());
            assert_eq!(without_positions(message.expect("the same message")), expected, "{name}");
            assert_eq!(envelope.content_hash(), hash, "{name}");
        }
    }
}
