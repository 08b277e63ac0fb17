//! Attributes of one tag, strictly: `NAME = "value"`, blanks between them, no name twice.

use std::collections::HashSet;

use super::characters;
use super::frames::text_limit;
use super::tree::{AttributeNode, Span, Tree, narrow};
use crate::Limits;

/// Byte offset and what is wrong there.
pub(super) type Fault = (usize, String);

/// Up to here a name is looked up among its siblings one by one.
const FEW: usize = 16;

/// Reads the text between an element's name and the tag's end, which begins at `offset`.
pub(super) fn read(tree: &mut Tree, raw: &str, offset: usize, limits: &Limits) -> Result<(u32, u32), Fault> {
    let first = tree.attributes.len();
    let mut scanner = Scanner { raw, offset, at: 0 };
    while let Some(attribute) = scanner.next()? {
        // The element itself is not among the nodes yet.
        if tree.nodes.len() + 1 + tree.attributes.len() >= limits.nodes_max {
            return Err((attribute.name_at, nodes_limit(limits)));
        }
        if attribute.value.len() > limits.text_max {
            return Err((attribute.name_at, text_limit(limits)));
        }
        let value = attribute.store(tree)?;
        let name = Span::source(attribute.name_at, attribute.name_at + attribute.name.len());
        tree.attributes.push(AttributeNode { name, value, at: narrow(attribute.name_at) });
    }
    check_doubles(tree, first, raw, offset)?;
    Ok((narrow(first), narrow(tree.attributes.len())))
}

pub(super) fn nodes_limit(limits: &Limits) -> String {
    format!("more than {} elements and attributes", limits.nodes_max)
}

fn check_doubles(tree: &Tree, first: usize, raw: &str, offset: usize) -> Result<(), Fault> {
    let attributes = &tree.attributes[first..];
    // Nearly all elements have none or one.
    if attributes.len() < 2 {
        return Ok(());
    }
    let name = |attribute: &AttributeNode| {
        let start = attribute.at as usize - offset;
        let rest = &raw[start..];
        &rest[..rest.find(|end: char| end == '=' || end.is_ascii_whitespace()).unwrap_or(rest.len())]
    };
    let mut seen = HashSet::new();
    for (number, attribute) in attributes.iter().enumerate() {
        let is_double = if attributes.len() > FEW {
            !seen.insert(name(attribute))
        } else {
            attributes[..number].iter().any(|other| name(other) == name(attribute))
        };
        if is_double {
            return Err((attribute.at as usize, format!("attribute `{}` is given twice", name(attribute))));
        }
    }
    Ok(())
}

struct Scanner<'t> {
    raw: &'t str,
    offset: usize,
    at: usize,
}

struct Found<'t> {
    name: &'t str,
    name_at: usize,
    value: &'t str,
    value_at: usize,
}

impl<'t> Scanner<'t> {
    fn next(&mut self) -> Result<Option<Found<'t>>, Fault> {
        let blanks = self.skip_blanks();
        if self.at == self.raw.len() {
            return Ok(None);
        }
        if !blanks {
            return Err(self.fault("a blank is missing before this attribute"));
        }
        let name_at = self.offset + self.at;
        let name = self.take_until(|end| end == '=' || end.is_ascii_whitespace());
        if !characters::is_name(name) {
            return Err((name_at, "this can't be the name of an attribute".to_owned()));
        }
        self.skip_blanks();
        if !self.raw[self.at..].starts_with('=') {
            return Err((name_at, format!("attribute `{name}` has no value")));
        }
        self.at += 1;
        self.skip_blanks();
        let quote = self.raw[self.at..].chars().next().filter(|quote| matches!(quote, '"' | '\''));
        let Some(quote) = quote else {
            return Err((name_at, format!("the value of attribute `{name}` is not in quotes")));
        };
        self.at += 1;
        let value_at = self.offset + self.at;
        let value = self.take_until(|end| end == quote);
        if self.at == self.raw.len() {
            return Err((name_at, format!("the value of attribute `{name}` does not end")));
        }
        self.at += 1;
        if let Some(bracket) = value.find('<') {
            return Err((value_at + bracket, "`<` can't stand in an attribute".to_owned()));
        }
        Ok(Some(Found { name, name_at, value, value_at }))
    }

    fn skip_blanks(&mut self) -> bool {
        let rest = &self.raw[self.at..];
        let length = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        self.at += length;
        length > 0
    }

    fn take_until(&mut self, end: impl Fn(char) -> bool) -> &'t str {
        let rest = &self.raw[self.at..];
        let taken = &rest[..rest.find(end).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn fault(&self, words: &str) -> Fault {
        (self.offset + self.at, words.to_owned())
    }
}

impl Found<'_> {
    /// Expands references and turns line ends and tabs into blanks, as XML asks.
    fn store(&self, tree: &mut Tree) -> Result<Span, Fault> {
        if !self.value.contains(['&', '\t', '\r', '\n']) {
            return Ok(Span::source(self.value_at, self.value_at + self.value.len()));
        }
        let start = tree.expanded.len();
        let mut rest = self.value;
        while let Some(position) = rest.find(['&', '\t', '\r', '\n']) {
            tree.expanded.push_str(&rest[..position]);
            let at = self.value_at + self.value.len() - rest.len() + position;
            rest = &rest[position..];
            if let Some(reference) = rest.strip_prefix('&') {
                let name = reference.split(';').next().filter(|name| name.len() < reference.len());
                let character = name.and_then(characters::reference);
                let (Some(name), Some(character)) = (name, character) else {
                    return Err((at, "`&` is not followed by an entity that XML knows".to_owned()));
                };
                tree.expanded.push(character);
                rest = &reference[name.len() + 1..];
            } else {
                tree.expanded.push(' ');
                rest = rest.strip_prefix("\r\n").unwrap_or(&rest[1..]);
            }
        }
        tree.expanded.push_str(rest);
        Ok(Span::expanded(start, tree.expanded.len()))
    }
}
