//! Writes whole messages and counts their SEQN.

use jiff::civil::DateTime;

use crate::{times::Second, xml::put};

/// Where the sender's counter starts again.
const SEQN_LAST: u32 = 999_999;

/// The sender's hand: each message it writes takes the next SEQN.
#[derive(Debug, Clone)]
pub(crate) struct Pen {
    next: u32,
}

impl Pen {
    pub(crate) fn starting_at(seqn: u32) -> Self {
        Self { next: seqn }
    }

    /// A message whose body is written already.
    pub(crate) fn write(&mut self, at: DateTime, kind: &str, subtype: &str, body: &str) -> Vec<u8> {
        let seqn = self.take();
        let mut out = String::with_capacity(body.len() + 240);
        put(&mut out, format_args!("{}<MSG>\n<META><SNDR>AODB</SNDR><SEQN>{seqn:06}</SEQN>", head(seqn)));
        put(&mut out, format_args!("<DTTM>{}</DTTM>", Second(at)));
        put(&mut out, format_args!("<TYPE>{kind}</TYPE><STYP>{subtype}</STYP></META>\n{body}\n</MSG>\n"));
        out.into_bytes()
    }

    fn take(&mut self) -> u32 {
        let taken = self.next;
        self.next = if taken == SEQN_LAST { 1 } else { taken + 1 };
        taken
    }
}

/// How a message begins. Now and then it does so in another of the ways that a tolerant reader
/// must accept: a byte order mark, a blank line, a lower-case encoding, no declaration at all.
fn head(seqn: u32) -> &'static str {
    match seqn % 100 {
        13 => "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
        37 => "\n<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
        61 => "<?xml version='1.0' encoding='utf-8'?>\n",
        87 => "",
        _ => "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn seqn_has_six_digits_and_starts_again_at_1() {
        let mut pen = Pen::starting_at(999_999);
        let at = date(2026, 4, 7).at(0, 0, 0, 0);
        for expected in ["<SEQN>999999</SEQN>", "<SEQN>000001</SEQN>", "<SEQN>000002</SEQN>"] {
            let message = String::from_utf8(pen.write(at, "FLOP", "ESTT", "")).expect("messages are text");
            assert!(message.contains(expected), "{message}");
        }
    }
}
