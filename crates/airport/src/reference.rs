//! Reference lists, which are sent before the schedule and changed at times.

use crate::{
    dice::Dice,
    event::What,
    world::{DELAYS, NARROW, WIDE},
    xml::{Element, text},
};

/// The lists that are sent whole each evening.
pub(crate) fn evening() -> Vec<What> {
    let gates = (1..=24).map(|number| {
        Element::new("GLST")
            .child(text("GCOD", format_args!("A{number:02}")))
            .child(text("GTNM", format_args!("Gate A{number:02}")))
            .child(text("GNMC", format_args!("{number} 号登机口")))
            .child(text("GCAT", "D"))
            .child(text("GTML", "T1"))
    });
    let mut reasons = DELAYS.to_vec();
    reasons.dedup_by_key(|(code, _)| *code);
    let delays = reasons
        .iter()
        .map(|(code, reason)| Element::new("DLYL").child(text("DCOD", code)).child(text("DDSC", reason)));
    let terminals = [("T1", "一号航站楼"), ("T2", "二号航站楼")].map(|(code, name)| {
        Element::new("TLST").child(text("TCOD", code)).child(text("TNMC", name)).child(text("TPAX", "Y"))
    });
    vec![whole("GLST", gates.collect()), whole("DLYL", delays.collect()), whole("TLST", terminals.to_vec())]
}

fn whole(list: &'static str, records: Vec<Element>) -> What {
    What::Reference { list, subtype: "DNLD", records }
}

/// One change of one list.
pub(crate) fn change(dice: &mut Dice) -> What {
    let (list, subtype, record) = match dice.below(4) {
        0 => {
            let aircraft = if dice.chance(0.5) { dice.pick(&NARROW) } else { dice.pick(&WIDE) };
            let record = Element::new("AIRC").child(text("ITAT", aircraft.code));
            ("AIRC", "UPD", record.child(text("MAXP", aircraft.seats)))
        }
        1 => {
            let record = Element::new("STTS").child(text("STTC", "DLY")).child(text("STTD", "Delayed"));
            ("STTS", "UPD", record.child(text("STDC", "延误")).child(text("ABNS", "Y")))
        }
        2 => {
            let number = 310_600 + dice.below(90);
            let record = Element::new("ORGN").child(text("OGID", number)).child(text("ONMC", "机坪服务公司"));
            ("ORGN", "ADD", record.child(text("OCAT", "H")))
        }
        _ => {
            let record = Element::new("HLTR").child(text("HLTC", dice.pick(&["TOW", "DEI", "STR"])));
            ("HLTR", "DEL", record)
        }
    };
    What::Reference { list, subtype, records: vec![record] }
}
