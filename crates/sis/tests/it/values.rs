//! Values of a form nobody knows: class, path, place, and what may be quoted.

use sis::ProblemKind;

use crate::support::{decode, fields, flop, schedule, xml};

#[test]
fn a_value_of_unknown_form_is_a_codec_problem_with_path_place_and_text() {
    let two = xml(
        "FLOP",
        "DELY",
        "<FLOP><FLID>1</FLID><DELY CODE='A'/></FLOP>\n<FLOP><FLID>2</FLID><DELY CODE='B' DURA='35'/></FLOP>",
    );
    for (text, path, words) in [
        (flop("ESTT", "<ESTT>31FEB261025</ESTT>"), "MSG/FLOP/ESTT", "`31FEB261025`"),
        (flop("MAXP", "<MAXP>many</MAXP>"), "MSG/FLOP/MAXP", "`many`"),
        (flop("ESTT", "<ESTT><A/></ESTT>"), "MSG/FLOP/ESTT", "elements were found"),
        (two, "MSG/FLOP[2]/DELY@DURA", "`35`"),
        (flop("FDIV", "<FDIV DDES='NGB' DDIR='VIA'/>"), "MSG/FLOP/FDIV@DDIR", "TO or FROM"),
        (flop("FRET", "<FRET REID='X'/>"), "MSG/FLOP/FRET@REID", "A or G"),
        (flop("FLAB", "<FLAB ARES='X'/>"), "MSG/FLOP/FLAB@ARES", "O or G"),
        (flop("PORT", "<PORT><POTM/><POID>X</POID></PORT>"), "MSG/FLOP/PORT/POID", "O or C"),
        (flop("CSFT", "<CSOP>A</CSOP><CSFT>B</CSFT><MAID>1.0</MAID>"), "MSG/FLOP/MAID", "`1.0`"),
        (flop("STND", "<STND>1</STND>").replace(">7<", ">7x<"), "MSG/FLOP/FLID", "`7x`"),
        (schedule("<SCHT>2560</SCHT>"), "MSG/SCHD/FLTR/SCHT", "`2560`"),
        (schedule("").replace("<SCHD>", "<SCHD><RECS>two</RECS>"), "MSG/SCHD/RECS", "`two`"),
        (xml("RQRD", "LDM", "<RQRD><RTYP>LDM</RTYP></RQRD>"), "MSG/RQRD", "RTYP"),
    ] {
        let problem = decode(&text).expect_err(&text);
        assert_eq!(problem.kind, ProblemKind::Codec, "{text}: {problem}");
        assert_eq!(problem.path, path, "{text}");
        assert!(problem.text.contains(words), "{text}: {problem}");
    }
}

#[test]
fn personal_values_are_never_quoted() {
    for elements in [
        "<VIPF><VPCD>V7731</VPCD><VFES>secret</VFES></VIPF>",
        "<VIPF><VPCD>V7731</VPCD><VIPT><VSCD>X</VSCD><VTST>secret</VTST></VIPT></VIPF>",
    ] {
        let problem = decode(&flop("VIPF", elements)).expect_err(elements);
        assert!(!problem.to_string().contains("secret") && problem.text.contains("not shown"), "{problem}");
    }
}

#[test]
fn long_texts_are_quoted_in_part() {
    let problem = decode(&flop("ESTT", &format!("<ESTT>{}</ESTT>", "长".repeat(500)))).expect_err("no time");
    assert!(problem.text.chars().count() < 150, "{problem}");
}

#[test]
fn odd_but_clear_values_are_taken() {
    for (text, name, expected) in [
        (flop("ESTT", "<ESTT> 13Sep26 </ESTT>"), "estimatedTime", "\"2026-09-13T00:00:00+08:00\""),
        (flop("MAXP", "<MAXP>180.0</MAXP>"), "seatCapacity", "180"),
        (flop("MAXP", "<MAXP>99999999999</MAXP>"), "seatCapacity", "99999999999"),
        (flop("MAXP", "<MAXP>180.5</MAXP>"), "seatCapacity", "\"180.5\""),
        (flop("REMC", "<REMC><![CDATA[a<b]]>&amp;&#20013;</REMC>"), "remarks", "\"a<b&中\""),
        (flop("REMC", "<REMC>a\r\nb</REMC>"), "remarks", "\"a\\nb\""),
        (flop("REMC", "<REMC>a<!-- no -->b</REMC>"), "remarks", "\"ab\""),
        (
            flop("CHOT", "<CHOT CSNO = '\u{201d}2\u{201d}'><CHID>ON</CHID></CHOT>"),
            "chocks",
            r#"[{"sequence":2,"indicator":"ON"}]"#,
        ),
        (flop("FLTY", "<FLTY>W/Z</FLTY>"), "flightType", "\"W/Z\""),
        (xml("flop", "estt", "<FLOP><FLID>7</FLID><ESTT/></FLOP>"), "estimatedTime", "null"),
    ] {
        assert_eq!(fields(&text)[name].to_string(), expected, "{text}");
    }
}
