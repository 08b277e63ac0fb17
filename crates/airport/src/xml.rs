//! Elements of a message body, written as text.

use std::fmt::{self, Write};

use jiff::civil::DateTime;

use crate::times::Minute;

/// One element with all that is inside it, ready to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) tag: &'static str,
    attributes: String,
    inner: String,
}

impl Element {
    /// An empty element: for SIS, a value that is cleared.
    pub(crate) fn new(tag: &'static str) -> Self {
        Self { tag, attributes: String::new(), inner: String::new() }
    }

    pub(crate) fn attribute(mut self, name: &str, value: impl fmt::Display) -> Self {
        put(&mut self.attributes, format_args!(" {name}=\"{}\"", Escaped(&value.to_string())));
        self
    }

    pub(crate) fn with_text(mut self, text: impl fmt::Display) -> Self {
        put(&mut self.inner, format_args!("{}", Escaped(&text.to_string())));
        self
    }

    pub(crate) fn child(mut self, element: Element) -> Self {
        element.write(&mut self.inner);
        self
    }

    pub(crate) fn children(mut self, elements: &[Element]) -> Self {
        for element in elements {
            element.write(&mut self.inner);
        }
        self
    }

    pub(crate) fn write(&self, out: &mut String) {
        let Self { tag, attributes, inner } = self;
        if inner.is_empty() {
            put(out, format_args!("<{tag}{attributes}/>"));
        } else {
            put(out, format_args!("<{tag}{attributes}>{inner}</{tag}>"));
        }
    }
}

/// A code, a name, a number.
pub(crate) fn text(tag: &'static str, value: impl fmt::Display) -> Element {
    Element::new(tag).with_text(value)
}

/// A time to the minute.
pub(crate) fn time(tag: &'static str, value: DateTime) -> Element {
    text(tag, Minute(value))
}

/// Appends to a string, which can't fail.
pub(crate) fn put(out: &mut String, piece: fmt::Arguments<'_>) {
    out.write_fmt(piece).expect("writing to a string can't fail");
}

struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                other => f.write_char(other)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_texts_is_escaped() {
        let element = Element::new("DELY").attribute("CODE", "A\"B").with_text("雷雨 <30 & 大风");
        let mut out = String::new();
        element.write(&mut out);
        assert_eq!(out, r#"<DELY CODE="A&quot;B">雷雨 &lt;30 &amp; 大风</DELY>"#);
    }

    #[test]
    fn an_element_without_content_is_closed_at_once() {
        let mut out = String::new();
        Element::new("GTDT").attribute("GTNO", 1).child(Element::new("GATE")).write(&mut out);
        assert_eq!(out, r#"<GTDT GTNO="1"><GATE/></GTDT>"#);
    }
}
