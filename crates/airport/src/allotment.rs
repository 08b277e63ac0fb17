//! Writes what the airport gives a flight: stand, belt, gate, chute, counters. A change of one of
//! them is sent whole, so that the schedule and every later message share these.

use jiff::civil::DateTime;

use crate::{
    flight::Flight,
    times::shift,
    xml::{Element, text, time},
};

impl Flight {
    /// The stand and its planned use.
    pub(crate) fn stand_plan(&self) -> Element {
        Element::new("PSDT")
            .attribute("PSNO", 1)
            .child(text("PSST", &self.places.stand))
            .child(time("STST", self.places.stand_from))
            .child(time("STET", self.places.stand_until))
    }

    /// The belt, with the times of the first and the last bag where there are any yet.
    pub(crate) fn belt(&self, first: Option<DateTime>, last: Option<DateTime>) -> Element {
        Element::new("CLDT")
            .attribute("CLNO", 1)
            .child(text("BELT", &self.places.belt))
            .child(text("BCLS", "Y"))
            .child(time("PCOT", shift(self.scheduled, 10)))
            .child(time("PCCT", shift(self.scheduled, 50)))
            .children(&actual("FBAG", first))
            .children(&actual("LBAG", last))
            .child(text("BTYP", self.region.code()))
    }

    /// The gate, with the times it really opened and closed.
    pub(crate) fn gate(&self, opened: Option<DateTime>, closed: Option<DateTime>) -> Element {
        Element::new("GTDT")
            .attribute("GTNO", 1)
            .child(text("GATE", &self.places.gate))
            .child(time("PGOT", shift(self.scheduled, -40)))
            .child(time("PGCT", shift(self.scheduled, -10)))
            .children(&actual("GOTM", opened))
            .children(&actual("GCTM", closed))
            .child(text("GTYP", self.region.code()))
    }

    /// The baggage chute.
    pub(crate) fn chute(&self, begun: Option<DateTime>, ended: Option<DateTime>) -> Element {
        Element::new("CHDT")
            .attribute("CHNO", 1)
            .child(text("CHUT", &self.places.chute))
            .child(text("CCLS", "Y"))
            .child(time("PCBT", shift(self.scheduled, -120)))
            .child(time("PCET", shift(self.scheduled, -20)))
            .children(&actual("CBTM", begun))
            .children(&actual("CETM", ended))
            .child(text("CTYP", self.region.code()))
    }

    /// The check-in counters.
    pub(crate) fn counters(&self, opened: Option<DateTime>, closed: Option<DateTime>) -> Vec<Element> {
        let numbered = (1..).zip(&self.places.counters);
        let counter = |(number, counter): (u32, &String)| {
            Element::new("CKDT")
                .attribute("CKNO", number)
                .child(text("CHKC", counter))
                .child(text("CCLS", if number == 2 { "F" } else { "Y" }))
                .child(time("PCOT", shift(self.scheduled, -120)))
                .child(time("PCCT", shift(self.scheduled, -45)))
                .children(&actual("COTM", opened))
                .children(&actual("CCTM", closed))
                .child(text("CTYP", self.region.code()))
        };
        numbered.map(counter).collect()
    }
}

fn actual(tag: &'static str, at: Option<DateTime>) -> Vec<Element> {
    at.map(|at| time(tag, at)).into_iter().collect()
}
