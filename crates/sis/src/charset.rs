//! Bytes to text: which charset, and what is refused. The table is in `docs/wire-format.md`.

mod misread;

use encoding_rs::{DecoderResult, Encoding, GB18030, UTF_16BE, UTF_16LE};

use crate::{Carrier, Position, Problem};

/// How far a declaration may reach.
const DECLARATION_BYTES_MAX: usize = 256;

/// Decodes a whole message, or says where its bytes don't fit.
pub(crate) fn text(bytes: &[u8], carrier: Carrier) -> Result<String, Problem> {
    let text = match carrier {
        Carrier::Text if utf16_without_mark(bytes).is_some() => {
            refuse("a text column holds UTF-16: it was read with the wrong charset".to_owned())
        }
        Carrier::Text => utf8(bytes),
        Carrier::Bytes => match bytes {
            [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => {
                refuse("UTF-32 is not read; UTF-8, GB18030, GBK, GB2312 and UTF-16 are".to_owned())
            }
            [0xff, 0xfe, rest @ ..] => with(UTF_16LE, rest, 2),
            [0xfe, 0xff, rest @ ..] => with(UTF_16BE, rest, 2),
            [0xef, 0xbb, 0xbf, ..] => utf8(bytes),
            _ => match utf16_without_mark(bytes) {
                Some(encoding) => with(encoding, bytes, 0),
                None => declared(bytes),
            },
        },
    }?;
    match misread::find(&text) {
        Some((offset, charset)) => {
            let words =
                format!("{charset} that was read as Latin-1 on its way here, so its characters are lost");
            Err(Problem::codec(Position::of(&text, offset), String::new(), words))
        }
        None => Ok(text),
    }
}

/// A document begins with `<` or a blank. In UTF-16 a zero stands beside it, which no text in
/// another charset of ours can have.
fn utf16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [b'<' | b' ' | b'\t' | b'\r' | b'\n', 0, ..] => Some(UTF_16LE),
        [0, b'<' | b' ' | b'\t' | b'\r' | b'\n', ..] => Some(UTF_16BE),
        _ => None,
    }
}

fn declared(bytes: &[u8]) -> Result<String, Problem> {
    let Some(label) = declared_label(bytes) else { return utf8(bytes) };
    match label.to_ascii_lowercase().as_str() {
        "utf-8" | "utf8" | "us-ascii" | "ascii" => utf8(bytes),
        "gb18030" | "gbk" | "gb2312" | "gb_2312-80" | "x-gbk" | "cp936" | "euc-cn" => gb18030(bytes, &label),
        "utf-16" | "utf-16le" | "utf-16be" | "utf16" => {
            refuse(format!("declared as {label} but not in UTF-16"))
        }
        _ => refuse(format!("charset `{label}` is not known; UTF-8, GB18030, GBK, GB2312 and UTF-16 are")),
    }
}

fn refuse(words: String) -> Result<String, Problem> {
    Err(Problem::codec(Position { line: 1, column: 1, offset: 0 }, String::new(), words))
}

/// The encoding named in the XML declaration, whose characters are ASCII in every charset
/// that comes this far.
fn declared_label(bytes: &[u8]) -> Option<String> {
    let bytes = bytes.trim_ascii_start();
    let head = &bytes[..bytes.len().min(DECLARATION_BYTES_MAX)];
    let head = &head[..head.windows(2).position(|pair| pair == b"?>")?];
    let declaration = std::str::from_utf8(head).ok()?.strip_prefix("<?xml")?;
    let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    Some(value[1..].split_once(quote)?.0.trim().to_owned())
}

fn utf8(bytes: &[u8]) -> Result<String, Problem> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(error) => {
            let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            Err(misfit(&good, error.valid_up_to(), bytes.get(error.valid_up_to()), "UTF-8"))
        }
    }
}

/// A sender that changed the bytes to UTF-8 and left the declaration would be read as other
/// Chinese characters without any error; such a text is recognised and refused.
fn gb18030(bytes: &[u8], label: &str) -> Result<String, Problem> {
    if std::str::from_utf8(bytes).is_ok_and(is_utf8_meant) {
        return refuse(format!("declared as {label} but the bytes are UTF-8"));
    }
    with(GB18030, bytes, 0)
}

/// Two bytes can be a Chinese character of GBK and a Greek one of UTF-8, so a few of them prove
/// nothing. Characters of three bytes, or none but accented Latin letters and signs, do.
fn is_utf8_meant(text: &str) -> bool {
    let mut beyond_ascii = text.chars().filter(|character| !character.is_ascii()).peekable();
    let is_some = beyond_ascii.peek().is_some();
    let mut only_latin = true;
    for character in beyond_ascii {
        if character >= '\u{800}' {
            return true;
        }
        only_latin &= character <= '\u{ff}';
    }
    is_some && only_latin
}

fn with(encoding: &'static Encoding, bytes: &[u8], mark: usize) -> Result<String, Problem> {
    if let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(bytes) {
        return Ok(text.into_owned());
    }
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let capacity = decoder.max_utf8_buffer_length_without_replacement(bytes.len()).unwrap_or(bytes.len());
    let mut good = String::with_capacity(capacity);
    let (result, read) = decoder.decode_to_string_without_replacement(bytes, &mut good, true);
    let offset = match result {
        DecoderResult::Malformed(length, after) => {
            read.saturating_sub(usize::from(length) + usize::from(after))
        }
        DecoderResult::InputEmpty | DecoderResult::OutputFull => read,
    };
    Err(misfit(&good, offset + mark, bytes.get(offset), encoding.name()))
}

/// Line and column are those of the text before; the offset counts the bytes as received.
fn misfit(good: &str, offset: usize, byte: Option<&u8>, charset: &str) -> Problem {
    let found = byte.map_or("the end".to_owned(), |byte| format!("byte 0x{byte:02X}"));
    let position = Position { offset, ..Position::of(good, good.len()) };
    Problem::codec(position, String::new(), format!("{found} is not {charset}"))
}

#[cfg(test)]
mod tests;
