//! Writing XML: escaping, open elements, and unknown parts put back where they were found.

/// Unknown parts of a record are kept under a path (`NAME`, `DELY/NAME`, `DELY@NAME`,
/// `#text`) with their XML or, for attributes and stray text, their content. The first
/// element written for a path takes back all that was found inside it.
#[derive(Debug, Default)]
pub(crate) struct XmlWriter<'m> {
    text: String,
    open: Vec<String>,
    /// The start tag still lacks its `>`.
    in_tag: bool,
    extras: Vec<Option<(&'m str, &'m str)>>,
    /// Path of open groups below the record, such as `VIPF/VIPT`.
    path: String,
}

impl<'m> XmlWriter<'m> {
    pub(crate) fn new() -> Self {
        Self { text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(), ..Self::default() }
    }

    pub(crate) fn finish(self) -> String {
        debug_assert!(self.open.is_empty());
        self.text
    }

    pub(crate) fn open(&mut self, name: &str) {
        self.end_tag();
        self.text.push('<');
        self.text.push_str(name);
        self.open.push(name.to_owned());
        self.in_tag = true;
    }

    pub(crate) fn close(&mut self) {
        let Some(name) = self.open.pop() else { return };
        if self.in_tag {
            self.text.push_str("/>");
            self.in_tag = false;
            return;
        }
        self.text.push_str("</");
        self.text.push_str(&name);
        self.text.push('>');
    }

    /// Only directly after [`Self::open`].
    pub(crate) fn attribute(&mut self, name: &str, value: &str) {
        debug_assert!(self.in_tag);
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        escape(&mut self.text, value, true);
        self.text.push('"');
    }

    pub(crate) fn text(&mut self, text: &str) {
        if !text.is_empty() {
            self.end_tag();
            escape(&mut self.text, text, false);
        }
    }

    /// XML as it was read, not escaped again.
    pub(crate) fn raw(&mut self, xml: &str) {
        self.end_tag();
        self.text.push_str(xml);
    }

    pub(crate) fn leaf(&mut self, name: &str, text: &str) {
        self.open(name);
        self.text(text);
        self.close();
    }

    pub(crate) fn empty(&mut self, name: &str) {
        self.leaf(name, "");
    }

    /// Takes a record's unknown parts, to be written as its elements come.
    pub(crate) fn extras(&mut self, extras: &'m [(String, String)]) {
        self.path.clear();
        self.extras = extras.iter().map(|(path, content)| Some((path.as_str(), content.as_str()))).collect();
    }

    pub(crate) fn group_open(&mut self, name: &str) {
        self.open(name);
        if !self.path.is_empty() {
            self.path.push('/');
        }
        self.path.push_str(name);
        self.attributes_found_here();
    }

    pub(crate) fn group_close(&mut self) {
        self.elements_found_here();
        self.path.truncate(self.path.rfind('/').unwrap_or(0));
        self.close();
    }

    pub(crate) fn group_leaf(&mut self, name: &str, text: &str) {
        self.group_open(name);
        self.text(text);
        self.group_close();
    }

    pub(crate) fn group_empty(&mut self, name: &str) {
        self.group_leaf(name, "");
    }

    /// Unknown attributes of the record itself, directly after it was opened.
    pub(crate) fn record_attributes(&mut self) {
        self.attributes_found_here();
    }

    /// Unknown elements and text found directly in the record.
    pub(crate) fn remaining_extras(&mut self) {
        self.elements_found_here();
        self.extras.clear();
    }

    /// One of each name: several entries of a group may each have had it.
    fn attributes_found_here(&mut self) {
        let mut written: Vec<&str> = Vec::new();
        for number in 0..self.extras.len() {
            let Some((path, content)) = self.extras[number] else { continue };
            let inside = path.strip_prefix(self.path.as_str());
            let name = inside.and_then(|inside| inside.strip_prefix('@'));
            if let Some(name) = name.filter(|name| !written.contains(name)) {
                self.attribute(name, content);
                written.push(name);
                self.extras[number] = None;
            }
        }
    }

    fn elements_found_here(&mut self) {
        for number in 0..self.extras.len() {
            let Some((path, content)) = self.extras[number] else { continue };
            let inside = path.strip_prefix(self.path.as_str());
            let name = if self.path.is_empty() {
                inside
            } else {
                inside.and_then(|inside| inside.strip_prefix('/'))
            };
            match name {
                Some("#text") => self.text(content),
                Some(name) if !name.contains(['/', '@']) => self.raw(content),
                _ => continue,
            }
            self.extras[number] = None;
        }
    }

    fn end_tag(&mut self) {
        if self.in_tag {
            self.text.push('>');
            self.in_tag = false;
        }
    }
}

fn escape(out: &mut String, text: &str, in_attribute: bool) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if in_attribute => out.push_str("&quot;"),
            // A reader would turn these into a line feed or a blank.
            '\r' => out.push_str("&#13;"),
            '\n' if in_attribute => out.push_str("&#10;"),
            '\t' if in_attribute => out.push_str("&#9;"),
            '\n' | '\t' => out.push(character),
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_attributes_are_escaped_so_that_they_come_back() {
        let mut xml = XmlWriter::new();
        xml.open("A");
        xml.attribute("B", "<\"&\n");
        xml.text("a<b>&\"c\"\r\u{0}");
        xml.close();
        let text = xml.finish();
        assert!(
            text.ends_with("<A B=\"&lt;&quot;&amp;&#10;\">a&lt;b&gt;&amp;\"c\"&#13;\u{fffd}</A>"),
            "{text}"
        );
    }

    #[test]
    fn unknown_parts_go_back_where_they_were_found() {
        let extras = [("DELY/X".to_owned(), "<X a='1'/>".to_owned()), ("DELY@Y".to_owned(), "2".to_owned())];
        let extras = [&extras[..], &[("Z".to_owned(), "<Z>3</Z>".to_owned())]].concat();
        let mut xml = XmlWriter::new();
        xml.extras(&extras);
        xml.open("FLOP");
        xml.group_empty("DELY");
        xml.group_empty("DELY");
        xml.remaining_extras();
        xml.close();
        let text = xml.finish();
        assert!(text.ends_with("<FLOP><DELY Y=\"2\"><X a='1'/></DELY><DELY/><Z>3</Z></FLOP>"), "{text}");
    }
}
