//! What is refused before or while a message is understood: class, place and words.

use sis::{Carrier, Limits, Problem, ProblemKind};

use crate::support::{FLIGHT, decode, flop, schedule, xml};

fn refused(text: &str) -> Problem {
    decode(text).expect_err(text)
}

#[test]
fn broken_documents_are_malformed_with_line_column_and_reason() {
    for (text, line, column, words) in [
        ("", 1, 1, "empty"),
        (" \n\t", 2, 2, "empty"),
        ("NULL", 1, 1, "no XML root"),
        ("<!-- only -->", 1, 14, "no XML root"),
        ("<MSG>", 1, 6, "ends here"),
        ("<MSG>\n  <META>", 2, 9, "ends here"),
        ("<MSG><A></B></MSG>", 1, 9, "</A>"),
        ("<MSG/>\n<MSG/>", 2, 1, "second root"),
        ("<MSG/>x", 1, 7, "outside the root"),
        ("x<MSG/>", 1, 1, "outside the root"),
        ("<MSG></MSG></MSG>", 1, 12, "</MSG>"),
        ("<MSG a='1' b=\"2\" a='3'/>", 1, 18, "`a` is given twice"),
        ("<MSG a='1'b='2'/>", 1, 11, "blank"),
        ("<MSG a/>", 1, 6, "no value"),
        ("<MSG a=1/>", 1, 6, "not in quotes"),
        ("<MSG a='<'/>", 1, 9, "`<`"),
        ("<MSG a='&x;'/>", 1, 9, "entity"),
        ("<MSG a='&amp'/>", 1, 9, "entity"),
        ("<MSG 中='&#0;'/>", 1, 9, "entity"),
        ("<MSG>中&nbsp;</MSG>", 1, 7, "entity"),
        ("<MSG>a & b</MSG>", 1, 8, "not well-formed"),
        ("<MSG>&#xFFFF;</MSG>", 1, 6, "entity"),
        ("<MSG>]]></MSG>", 1, 6, "]]>"),
        ("<MSG>\u{0}</MSG>", 1, 6, "U+0000"),
        ("<MSG a='\u{1}'/>", 1, 9, "U+0001"),
        ("<MSG><!-- \u{b} --></MSG>", 1, 11, "U+000B"),
        ("<MSG>\u{ffff}</MSG>", 1, 6, "U+FFFF"),
        ("<MSG><1A/></MSG>", 1, 6, "name of an element"),
        ("<MSG>< A/></MSG>", 1, 6, "name of an element"),
        ("<MSG><!-- a -- b --></MSG>", 1, 13, "not well-formed"),
        ("<MSG><?xml version='1.0'?></MSG>", 1, 6, "only stand first"),
        ("<!DOCTYPE MSG [<!ENTITY a 'aaaa'>]><MSG>&a;</MSG>", 1, 1, "DTD"),
        ("<?xml version='1.0'?>\n<!DOCTYPE MSG SYSTEM 'file:///x'><MSG/>", 2, 1, "DTD"),
        ("<!doctype MSG [<!ENTITY a", 1, 1, "DTD"),
    ] {
        let problem = refused(text);
        assert_eq!(problem.kind, ProblemKind::Malformed, "{text}: {problem}");
        assert!(problem.text.contains(words), "{text}: {problem}");
        assert_eq!((problem.position.line, problem.position.column), (line, column), "{text}: {problem}");
    }
}

#[test]
fn messages_without_their_meta_are_malformed() {
    let meta = "<SNDR>A</SNDR><SEQN>1</SEQN><DTTM>20260913091530</DTTM><TYPE>FLOP</TYPE>";
    for (text, words) in [
        ("<MSG></MSG>".to_owned(), "META is missing"),
        ("<MESSAGE><META/></MESSAGE>".to_owned(), "`MESSAGE`"),
        ("<MSG><META/></MSG>".to_owned(), "TYPE is missing"),
        (format!("<MSG><META>{meta}</META><META>{meta}</META></MSG>"), "META is given twice"),
        (format!("<MSG><META>{meta}<TYPE>SCHD</TYPE></META></MSG>"), "TYPE is given twice"),
        (format!("<MSG><META>{meta}<DDTM>20260913091530123</DDTM></META></MSG>"), "sibling format"),
        ("<MSG><META><MGID>1</MGID><TYPE>DFME</TYPE></META></MSG>".to_owned(), "sibling format"),
    ] {
        let problem = refused(&text);
        assert_eq!(problem.kind, ProblemKind::Malformed);
        assert!(problem.text.contains(words), "{text}: {problem}");
    }
}

#[test]
fn bodies_without_what_they_must_have_are_malformed() {
    let without = |element: &str| {
        let start = FLIGHT.find(&format!("<{element}>")).expect(element);
        let end = FLIGHT.find(&format!("</{element}>")).expect(element) + element.len() + 3;
        xml("SCHD", "DNLD", &format!("<SCHD><FLTR>{}{}</FLTR></SCHD>", &FLIGHT[..start], &FLIGHT[end..]))
    };
    let mut cases: Vec<(String, &str)> = ["FLID", "ALCD", "FLNO", "MVIN", "SODT", "FLTY", "FLIN", "ACFT"]
        .map(|element| (without(element), element))
        .into();
    cases.extend([
        (schedule("").replace("<ACFT>320</ACFT>", "<ACFT> </ACFT>"), "ACFT of FLID 7 is empty"),
        (schedule("").replace("<FLID>7</FLID>", "<FLID/>"), "FLID is missing or empty"),
        (xml("SCHD", "DNLD", ""), "no SCHD"),
        (xml("SCHD", "DNLD", "<SCHD/><SCHD/>"), "SCHD is given twice"),
        (xml("FLOP", "ESTT", ""), "no FLOP"),
        (xml("FLOP", "ESTT", "<FLOP><ESTT/></FLOP>"), "FLID is missing"),
        (flop("ESTT", ""), "no element of subtype ESTT"),
        (flop("ESTT", "<STND>1</STND>"), "no element of subtype ESTT"),
        (flop("ESTT", "<ESTT/><ESTT/>"), "ESTT is given twice"),
        (flop("FDEL", "<FDEL>x</FDEL>"), "FDEL must be empty"),
        (flop("FDEL", ""), "no element FDEL"),
        (flop("ACFT", "<ACFT></ACFT>"), "ACFT of FLID 7 is empty"),
        (flop("FLTY", "<FLTY/>"), "FLTY"),
        (flop("TRML", "<TRML/>"), "TRML"),
        (flop("RUNW", "<RUNW/>"), "RUNW"),
        (flop("DELY", "<DELY STRT='13SEP26'/>"), "key CODE"),
        (flop("DELY", "<DELY><NEW>1</NEW></DELY>"), "key CODE"),
        (flop("SRVT", "<SRVT><SRTC>GPU</SRTC></SRVT>"), "SRQT is missing"),
        (flop("ERUT", "<ERUT RTNO='1'><SCAT>13SEP26</SCAT></ERUT>"), "APCD is missing"),
        (flop("ERUT", "<ERUT><APCD>TAO</APCD></ERUT>"), "RTNO is missing"),
        (flop("PORT", "<PORT><POTM>13SEP261902</POTM></PORT>"), "key POID"),
        (flop("FDIV", "<FDIV DDES='NGB'/>"), "DDIR is missing"),
        (flop("FRET", "<FRET>bad weather</FRET>"), "REID is missing"),
        (flop("FLAB", "<FLAB>bad weather</FLAB>"), "ARES is missing"),
        (flop("EXSS", "<EXSR>late</EXSR>"), "EXSC is missing"),
        (xml("RQFD", "NONE", "<RQFD/>"), "STDB"),
        (xml("RQFD", "NONE", ""), "no RQFD"),
        (xml("RQRD", "GLST", "<RQRD/>"), "RTYP"),
    ]);
    for (text, words) in cases {
        let problem = refused(&text);
        assert_eq!(problem.kind, ProblemKind::Malformed, "{text}: {problem}");
        assert!(problem.text.contains(words), "{text}: {problem}");
    }
}

/// Taken as empty, they would clear what is there; the dictionary may come to know them.
#[test]
fn groups_with_nothing_in_them_that_is_known_are_a_codec_problem() {
    for (text, element) in [
        (flop("GTDT", "<GTDT NEW='5'/>"), "GTDT"),
        (flop("GTDT", "<GTDT GTNO='1'><GATE>A1</GATE></GTDT><GTDT GTNO='2'><NEW>5</NEW></GTDT>"), "GTDT"),
        (flop("FDIV", "<FDIV><NEW>5</NEW></FDIV>"), "FDIV"),
        (schedule("<GTDT>A14</GTDT>"), "GTDT"),
    ] {
        let problem = refused(&text);
        assert_eq!(problem.kind, ProblemKind::Codec, "{text}: {problem}");
        assert!(problem.text.starts_with(&format!("{element} has nothing in it")), "{text}: {problem}");
    }
}

#[test]
fn limits_are_inclusive_and_their_passing_is_malformed() {
    let text = flop("STND", "<STND a='1'>12345</STND>");
    // MSG, META and its five, FLOP, FLID, STND, and one attribute.
    let limits = Limits { bytes_max: text.len(), depth_max: 3, nodes_max: 11, text_max: 14 };
    assert!(sis::read(text.as_bytes(), Carrier::Text, &limits).is_ok());
    for (tighter, words) in [
        (Limits { bytes_max: text.len() - 1, ..limits }, "bytes"),
        (Limits { depth_max: 2, ..limits }, "nested"),
        (Limits { nodes_max: 10, ..limits }, "elements and attributes"),
        (Limits { text_max: 13, ..limits }, "a text of more"),
    ] {
        let problem = sis::read(text.as_bytes(), Carrier::Text, &tighter).expect_err(words);
        assert_eq!(problem.kind, ProblemKind::Malformed);
        assert!(problem.text.contains(words), "{problem}");
    }
}
