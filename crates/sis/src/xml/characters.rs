//! Which characters XML allows, what a name is made of, and what references stand for.

/// The first character of a text that XML 1.0 forbids: NUL and other controls, U+FFFE, U+FFFF.
/// Surrogates can't occur in a string.
pub(super) fn first_forbidden(text: &str) -> Option<(usize, char)> {
    let bytes = text.as_bytes();
    // Whole blocks are cleared at once; nearly all texts have nothing to look at closely.
    for (block, chunk) in bytes.chunks(256).enumerate() {
        let suspicious = chunk.iter().fold(false, |found, byte| found | is_suspicious(*byte));
        if suspicious && let Some(found) = forbidden_in(text, block * 256, chunk) {
            return Some(found);
        }
    }
    None
}

fn is_suspicious(byte: u8) -> bool {
    (byte < b' ') & (byte != b'\n') & (byte != b'\r') & (byte != b'\t') | (byte == 0xef)
}

fn forbidden_in(text: &str, start: usize, chunk: &[u8]) -> Option<(usize, char)> {
    let candidates = chunk.iter().enumerate().filter(|(_, byte)| is_suspicious(**byte));
    candidates
        .filter_map(|(number, _)| {
            text.get(start + number..)?.chars().next().map(|found| (start + number, found))
        })
        .find(|(_, found)| !is_allowed(*found))
}

fn is_allowed(character: char) -> bool {
    !matches!(character, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

/// Longest name in bytes: names go into paths and problem texts, which must stay short.
const NAME_MAX: usize = 128;

/// Is it a name? ASCII is checked exactly; beyond it any letter will do.
pub(super) fn is_name(name: &str) -> bool {
    if name.len() > NAME_MAX {
        return false;
    }
    let starts = |first: char| first.is_alphabetic() || matches!(first, '_' | ':');
    let goes_on = |other: char| starts(other) || other.is_numeric() || matches!(other, '-' | '.' | '\u{b7}');
    let mut characters = name.chars();
    characters.next().is_some_and(starts) && characters.all(goes_on)
}

/// What `&name;` stands for: the five entities of XML and character references. No other
/// entity can exist, since a document type definition is refused.
pub(super) fn reference(name: &str) -> Option<char> {
    let code = match name {
        "amp" => return Some('&'),
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        _ => name.strip_prefix('#')?,
    };
    let (digits, radix) = code.strip_prefix('x').map_or((code, 10), |hexadecimal| (hexadecimal, 16));
    // The standard parser would take a sign.
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(digits, radix).ok().and_then(char::from_u32).filter(|found| is_allowed(*found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_characters_are_found_wherever_they_stand() {
        for (character, expected) in
            [('\0', true), ('\u{1f}', true), ('\u{ffff}', true), ('\u{ff0c}', false), ('\t', false)]
        {
            for before in [0, 1, 255, 256, 1000] {
                let text = format!("{}{character}x", "a".repeat(before));
                assert_eq!(first_forbidden(&text), expected.then_some((before, character)));
            }
        }
    }

    #[test]
    fn only_the_entities_of_xml_exist() {
        for (name, expected) in [
            ("amp", Some('&')),
            ("#20013", Some('中')),
            ("#x4E2D", Some('中')),
            ("#0", None),
            ("#x", None),
            ("#+65", None),
            ("#xD800", None),
            ("#1114112", None),
            ("nbsp", None),
            ("", None),
        ] {
            assert_eq!(reference(name), expected, "{name}");
        }
    }
}
