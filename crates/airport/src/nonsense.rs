//! Messages that nobody wants, nobody knows or nobody can read.

use jiff::civil::DateTime;

use crate::{dice::Dice, pen::Pen};

/// A message of a type that the baseline ignores, in any letter case.
pub(crate) fn unwanted(at: DateTime, pen: &mut Pen, dice: &mut Dice) -> Vec<u8> {
    let (kind, subtype, body) = *dice.pick(&[
        ("LDM", "NONE", "<LDM><TEXT>ZZ6238/07.B90QX.8F166Y.2/6 -KMG.151/9/3.T2480</TEXT></LDM>"),
        ("ldm", "none", "<LDM><TEXT>XX8012/07.B31KD.0F170Y.2/4 -CTU.131/2/0.T1920</TEXT></LDM>"),
        ("REGN", "UPD", "<RECS>1</RECS><REGN><RNUM>B90QX</RNUM><ITAT>32N</ITAT><MAXP>180</MAXP></REGN>"),
        ("Regn", "Add", "<RECS>1</RECS><REGN><RNUM>B31KD</RNUM><ITAT>73H</ITAT></REGN>"),
        ("RSTA", "NONE", "<RSTA><CODE>0</CODE></RSTA>"),
        ("rSta", "", "<RSTA/>"),
        ("EROR", "NONE", "<EROR><TEXT>序号不连续</TEXT></EROR>"),
        ("eror", "X", "<EROR><CODE>17</CODE></EROR>"),
    ]);
    pen.write(at, kind, subtype, body)
}

/// A message of a type that no dictionary has.
pub(crate) fn unknown(at: DateTime, pen: &mut Pen, dice: &mut Dice) -> Vec<u8> {
    let (kind, subtype, body) = *dice.pick(&[
        ("PSGR", "SECU", "<PSGR><LANE>07</LANE><WAIT>0012</WAIT></PSGR>"),
        ("TAXI", "QUEU", "<TAXI><CARS>41</CARS><NOTE>出租车排队较长</NOTE></TAXI>"),
        ("WXMT", "NONE", "<WXMT><TEXT>ZSQD 070800Z 17004MPS CAVOK 14/06 Q1018</TEXT></WXMT>"),
    ]);
    pen.write(at, kind, subtype, body)
}

/// A body that can't be read, and what was done to it.
pub(crate) struct Spoilt {
    pub(crate) body: Option<Vec<u8>>,
    pub(crate) label: &'static str,
}

/// Breaks a message. What is left is always UTF-8, because a text column takes nothing else.
pub(crate) fn spoil(whole: &[u8], dice: &mut Dice) -> Spoilt {
    match dice.below(5) {
        0 => Spoilt { body: None, label: "NULL body" },
        1 => Spoilt { body: Some(truncated(whole, dice)), label: "truncated" },
        2 => Spoilt { body: Some(noise(dice)), label: "noise" },
        3 => Spoilt { body: Some(b"<MSG>".to_vec()), label: "<MSG> only" },
        _ => Spoilt { body: Some(with_entities(whole)), label: "DTD with entities" },
    }
}

/// Ends somewhere between the root's start and its end tag.
fn truncated(whole: &[u8], dice: &mut Dice) -> Vec<u8> {
    const ROOT_BEGINS: usize = 45;
    const ROOT_ENDS: usize = 8;
    let span = whole.len().saturating_sub(ROOT_BEGINS + ROOT_ENDS);
    let mut end = ROOT_BEGINS + dice.below(span as u32) as usize;
    while whole.get(end).is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000) {
        end += 1;
    }
    whole[..end.min(whole.len())].to_vec()
}

/// Characters of all kinds, control characters among them, but no NUL and no markup.
fn noise(dice: &mut Dice) -> Vec<u8> {
    let length = dice.between(20, 600);
    let characters = (0..length).map(|_| match dice.below(3) {
        0 => dice.between(0x01, 0x1f),
        1 => dice.between(0x40, 0x7e),
        _ => dice.between(0xa1, 0x24ff),
    });
    characters.filter_map(|code| char::from_u32(code.unsigned_abs())).collect::<String>().into_bytes()
}

/// Entities that grow into one another.
fn with_entities(whole: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(whole);
    let dtd = "<!DOCTYPE MSG [<!ENTITY a \"航班\"><!ENTITY b \"&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;\">]>\n<MSG>";
    text.replacen("<MSG>", dtd, 1).replacen("</SNDR>", "&c;</SNDR>", 1).into_bytes()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::dice::Purpose;

    #[test]
    fn a_truncated_message_is_text_without_its_end() {
        let mut dice = Dice::new(1, Purpose::Trouble, 0);
        let mut pen = Pen::starting_at(1);
        let at = date(2026, 4, 7).at(8, 0, 0, 0);
        let whole = pen.write(at, "FLOP", "REMC", "<FLOP><FLID>1</FLID><REMC>前序航班晚到</REMC></FLOP>");
        for _ in 0..2000 {
            let text = String::from_utf8(truncated(&whole, &mut dice)).expect("cut between characters");
            assert!(!text.contains("</MSG>"), "{text}");
        }
    }
}
