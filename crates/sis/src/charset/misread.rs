//! Text that some program on the way read with the wrong charset: each byte became a Latin
//! character, as when a database column declared Latin-1 holds UTF-8 or GBK.
//!
//! Such a text is valid and means nothing. It is recognised because turning it back gives
//! Chinese, which no text of Latin letters does by chance.

use encoding_rs::{GB18030, WINDOWS_1252};

/// Every text in Chinese has such a character; it begins with a byte of at least this.
const FAR: char = '\u{2e80}';
const FAR_LEAD_BYTE: u8 = 0xe2;

/// Two Chinese characters: no language writes four accented letters in a row.
const RUN_MIN: usize = 4;

/// Where the first character beyond ASCII stands, and in which charset the text really is.
pub(super) fn find(text: &str) -> Option<(usize, &'static str)> {
    if text.is_ascii() || has_far(text) {
        return None;
    }
    let offset = text.find(|character: char| !character.is_ascii())?;
    // MySQL's `latin1` is Windows-1252; a text with any other character was not misread.
    let (bytes, _, is_other) = WINDOWS_1252.encode(text);
    if is_other {
        return None;
    }
    if std::str::from_utf8(&bytes).is_ok_and(has_far) {
        return Some((offset, "UTF-8"));
    }
    is_gb2312(&bytes).then_some((offset, "GBK"))
}

fn has_far(text: &str) -> bool {
    text.bytes().any(|byte| byte >= FAR_LEAD_BYTE) && text.chars().any(|character| character >= FAR)
}

/// Are all runs of bytes beyond ASCII pairs of GB2312, and is one of them long?
fn is_gb2312(bytes: &[u8]) -> bool {
    let runs = || bytes.split(u8::is_ascii).filter(|run| !run.is_empty());
    let is_pairs = |run: &[u8]| {
        let good = |pair: &[u8]| matches!(pair, [0xa1..=0xf7, 0xa1..=0xfe]);
        run.len().is_multiple_of(2) && run.chunks(2).all(good)
    };
    runs().all(is_pairs)
        && runs().any(|run| run.len() >= RUN_MIN)
        && GB18030.decode_without_bom_handling_and_without_replacement(bytes).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn misread(bytes: &[u8]) -> String {
        WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned()
    }

    #[test]
    fn chinese_read_as_latin_is_recognised() {
        for text in ["<A>晚到</A>", "<A>登机口变更，请留意</A>", "<A>x</A><B>前方 雷暴</B>"] {
            assert_eq!(
                find(&misread(text.as_bytes())),
                Some((text.find("<A>x").map_or(3, |_| 11), "UTF-8")),
                "{text}"
            );
            let gbk = GB18030.encode(text).0;
            assert_eq!(find(&misread(&gbk)).map(|(_, charset)| charset), Some("GBK"), "{text}");
        }
    }

    #[test]
    fn texts_that_mean_something_are_left_alone() {
        for text in [
            "",
            "plain",
            "晚到",
            "São Paulo",
            "Zürich–Kloten",
            "informação",
            "naïve café",
            "°C ±3 ×2",
            "€5 · ½",
            "Москва",
            "Ελλάδα",
            "\u{1f600}",
            "ÄÖÜ",
            "Île-à-la-Crosse",
            "，",
            "é 登机",
        ] {
            assert_eq!(find(text), None, "{text}");
        }
    }
}
