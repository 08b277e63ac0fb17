//! From text to pieces of markup. It takes only what XML 1.0 allows a document without a
//! document type definition to be made of, and says of anything else what is wrong with it.
//!
//! A message is in memory as a whole and is read once, so this needs no buffers, no events and
//! no recovery: a cursor over bytes, for the marks of XML are all ASCII.

use memchr::memchr2;

use super::attributes::Fault;

/// What begins at a place of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// `<NAME attributes>` or `<NAME attributes/>`. The name is not checked yet.
    Open { name: &'t str, attributes: &'t str, is_empty: bool },
    /// `</NAME>`.
    Close { name: &'t str },
    /// Characters up to the next mark.
    Text,
    /// `<![CDATA[…]]>`.
    Characters,
    /// `&NAME;`.
    Reference { name: &'t str },
    /// `<?xml …?>`.
    Declaration,
    /// A comment or a processing instruction, which say nothing.
    Aside,
}

pub(super) const CDATA_OPEN: &str = "<![CDATA[";
pub(super) const CDATA_CLOSE: &str = "]]>";

const DTD: &str = "a document type definition (DTD) is refused: SIS has none, and its entities could do harm";

/// Longest part of a text quoted in a refusal, in characters.
const QUOTE_MAX: usize = 40;

/// The piece that begins at byte `at`, and where it ends; `None` at the end of the text.
#[inline]
pub(super) fn next(text: &str, at: usize) -> Result<Option<(Piece<'_>, usize)>, Fault> {
    let bytes = &text.as_bytes()[at..];
    let piece = match bytes {
        [] => return Ok(None),
        [b'<', b'/', ..] => close(text, at)?,
        [b'<', b'!', ..] => declared(text, at)?,
        [b'<', b'?', ..] => instruction(text, at)?,
        [b'<', ..] => open(text, at)?,
        [b'&', ..] => reference(text, at)?,
        _ => {
            let length = memchr2(b'<', b'&', bytes).unwrap_or(bytes.len());
            (Piece::Text, at + length)
        }
    };
    Ok(Some(piece))
}

/// How a refusal quotes a name or a tag, which can be as long as the message.
pub(super) fn quote(text: &str) -> String {
    match text.char_indices().nth(QUOTE_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

type Found<'t> = Result<(Piece<'t>, usize), Fault>;

#[inline]
fn open(text: &str, at: usize) -> Found<'_> {
    let bytes = text.as_bytes();
    let name_at = at + 1;
    let name_end = bytes[name_at..].iter().position(|byte| matches!(byte, b'>' | b'/') || is_blank(*byte));
    let name_end = name_end.map_or(bytes.len(), |length| name_at + length);
    let Some(end) = tag_end(bytes, name_end) else { return refuse(at, "this tag does not end") };
    let is_empty = bytes[end - 1] == b'/';
    let attributes = &text[name_end..end - usize::from(is_empty)];
    Ok((Piece::Open { name: &text[name_at..name_end], attributes, is_empty }, end + 1))
}

/// The `>` that stands in no quotes.
#[inline]
fn tag_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut quote = None;
    for (number, byte) in bytes[from..].iter().enumerate() {
        match quote {
            Some(open) if open == *byte => quote = None,
            Some(_) => {}
            None if *byte == b'>' => return Some(from + number),
            None if matches!(byte, b'"' | b'\'') => quote = Some(*byte),
            None => {}
        }
    }
    None
}

#[inline]
fn close(text: &str, at: usize) -> Found<'_> {
    let name_at = at + "</".len();
    match text.as_bytes()[name_at..].iter().position(|byte| *byte == b'>') {
        Some(length) => {
            let end = name_at + length;
            let name = text[name_at..end].trim_end_matches([' ', '\t', '\r', '\n']);
            Ok((Piece::Close { name }, end + 1))
        }
        None => refuse(at, "this tag does not end"),
    }
}

fn declared(text: &str, at: usize) -> Found<'_> {
    let rest = &text[at..];
    if rest.starts_with("<!--") {
        return comment(text, at);
    }
    if rest.starts_with(CDATA_OPEN) {
        return match rest.find(CDATA_CLOSE) {
            Some(length) => Ok((Piece::Characters, at + length + CDATA_CLOSE.len())),
            None => refuse(at, "this CDATA section does not end"),
        };
    }
    if rest.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype")) {
        return Err((at, DTD.to_owned()));
    }
    refuse(at, "`<!` begins neither a comment nor a CDATA section")
}

fn comment(text: &str, at: usize) -> Found<'_> {
    let inside = at + "<!--".len();
    let Some(length) = text[inside..].find("--") else { return refuse(at, "this comment does not end") };
    let end = inside + length + "--".len();
    if text.as_bytes().get(end) == Some(&b'>') {
        return Ok((Piece::Aside, end + 1));
    }
    refuse(inside + length, "`--` can't stand in a comment")
}

fn instruction(text: &str, at: usize) -> Found<'_> {
    let inside = at + "<?".len();
    let Some(length) = text[inside..].find("?>") else {
        return refuse(at, "this processing instruction does not end");
    };
    let end = inside + length + "?>".len();
    let content = &text[inside..inside + length];
    let target = content.split([' ', '\t', '\r', '\n']).next().unwrap_or_default();
    match target {
        "xml" => Ok((Piece::Declaration, end)),
        target if super::characters::is_name(target) && !target.eq_ignore_ascii_case("xml") => {
            Ok((Piece::Aside, end))
        }
        _ => refuse(at, "this can't be the name of a processing instruction"),
    }
}

fn reference(text: &str, at: usize) -> Found<'_> {
    let bytes = &text.as_bytes()[at + 1..];
    let end = bytes.iter().position(|byte| matches!(byte, b';' | b'<' | b'&') || is_blank(*byte));
    match end.filter(|end| bytes[*end] == b';') {
        Some(length) => {
            let end = at + 1 + length;
            Ok((Piece::Reference { name: &text[at + 1..end] }, end + 1))
        }
        None => refuse(at, "`&` begins no reference; it is written `&amp;`"),
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn refuse<T>(at: usize, words: &str) -> Result<T, Fault> {
    Err((at, format!("not well-formed XML: {words}")))
}

#[cfg(test)]
mod tests;
