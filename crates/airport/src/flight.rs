//! One planned flight, and how a schedule writes it.

use jiff::civil::DateTime;

use crate::{
    times::{Minute, shift},
    world::{AircraftType, Airport, Carrier, HOME, Region},
    xml::{Element, text, time},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Movement {
    Arrival,
    Departure,
}

impl Movement {
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Arrival => "A",
            Self::Departure => "D",
        }
    }
}

/// Another flight, as a flight names it.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub(crate) carrier: &'static str,
    pub(crate) number: String,
    pub(crate) flid: i64,
}

/// Where a flight comes from or goes to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Route {
    pub(crate) far: &'static Airport,
    pub(crate) call: Option<&'static Airport>,
}

impl Route {
    /// Minutes between the far end and home, a call's stop included.
    pub(crate) fn minutes(&self) -> i32 {
        self.far.minutes + self.call.map_or(0, |_| 70)
    }
}

/// What the airport gives a flight.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places {
    pub(crate) stand: String,
    /// Planned use of the stand.
    pub(crate) stand_from: DateTime,
    pub(crate) stand_until: DateTime,
    pub(crate) gate: String,
    pub(crate) belt: String,
    pub(crate) chute: String,
    /// Counters, the first for economy class.
    pub(crate) counters: Vec<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct Flight {
    pub(crate) flid: i64,
    pub(crate) carrier: &'static Carrier,
    pub(crate) number: String,
    pub(crate) movement: Movement,
    pub(crate) scheduled: DateTime,
    /// FLTY.
    pub(crate) kind: &'static str,
    pub(crate) region: Region,
    pub(crate) route: Route,
    pub(crate) aircraft: &'static AircraftType,
    pub(crate) registration: String,
    pub(crate) partner: Option<Link>,
    /// The operating flight, where this one is only sold.
    pub(crate) operated_by: Option<Link>,
    pub(crate) places: Places,
}

impl Flight {
    pub(crate) fn link(&self) -> Link {
        Link { carrier: self.carrier.code, number: self.number.clone(), flid: self.flid }
    }

    /// FFID: for people, never to be parsed.
    pub(crate) fn readable_id(&self) -> String {
        let (carrier, movement, region) = (self.carrier.code, self.movement.code(), self.region.code());
        format!("{carrier}-{}-{movement}-{}-{region}", self.number, Minute(self.scheduled))
    }

    /// The elements of its FLTR.
    pub(crate) fn record(&self) -> Vec<Element> {
        let mut record = self.identity();
        record.push(text("ACFT", self.aircraft.code));
        if let Some(master) = &self.operated_by {
            record.push(text("TRML", self.region.terminal()));
            record.extend([text("CSOP", master.carrier), text("CSFT", &master.number)]);
            record.push(text("MAID", master.flid));
        } else {
            record.push(text("RENO", &self.registration));
            if let Some(partner) = &self.partner {
                record.extend([text("TAOP", partner.carrier), text("TAFL", &partner.number)]);
                record.push(text("TAID", partner.flid));
            }
            record.push(text("TRML", self.region.terminal()));
            record.push(text("MAXP", self.aircraft.seats));
            record.extend(self.stand());
            record.extend(match self.movement {
                Movement::Arrival => vec![self.belt(None, None)],
                Movement::Departure => {
                    let mut hall = vec![self.chute(None, None), self.gate(None, None)];
                    hall.extend(self.counters(None, None));
                    hall
                }
            });
            let [hall, maintenance] = self.carrier.agents;
            record.extend([text("PHAG", hall), text("FHAG", hall), text("MHAG", maintenance)]);
        }
        record.extend(self.outer_route());
        record.extend(self.whole_route());
        record
    }

    fn identity(&self) -> Vec<Element> {
        vec![
            text("FLID", self.flid),
            text("ALCD", self.carrier.code),
            text("FLNO", &self.number),
            text("MVIN", self.movement.code()),
            time("SODT", self.scheduled),
            text("FLTY", self.kind),
            text("FLIN", self.region.code()),
        ]
    }

    fn stand(&self) -> [Element; 2] {
        [text("STND", &self.places.stand), self.stand_plan()]
    }

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

    /// ROUT: the route without home.
    fn outer_route(&self) -> Vec<Element> {
        let stops = self.stops();
        let outer = stops.iter().filter(|stop| stop.airport != HOME);
        (1..).zip(outer).map(|(number, stop)| stop.element("ROUT", number)).collect()
    }

    /// ERUT: the route with home.
    pub(crate) fn whole_route(&self) -> Vec<Element> {
        (1..).zip(&self.stops()).map(|(number, stop)| stop.element("ERUT", number)).collect()
    }

    fn stops(&self) -> Vec<Stop> {
        let Route { far, call } = self.route;
        let total = self.route.minutes();
        let inbound = self.movement == Movement::Arrival;
        let away = |minutes: i32| shift(self.scheduled, if inbound { -minutes } else { minutes });
        let mut stops =
            vec![Stop::end(far.code, away(total), inbound), Stop::end(HOME, self.scheduled, !inbound)];
        if let Some(call) = call {
            // Forty minutes on the ground, `call.minutes` of flying from home.
            let (near, off) = (away(call.minutes), away(call.minutes + 40));
            let (arrives, departs) = if inbound { (off, near) } else { (near, off) };
            stops.insert(1, Stop { airport: call.code, arrives: Some(arrives), departs: Some(departs) });
        }
        if !inbound {
            stops.reverse();
        }
        stops
    }
}

struct Stop {
    airport: &'static str,
    arrives: Option<DateTime>,
    departs: Option<DateTime>,
}

impl Stop {
    /// The first stop departs, the last one arrives.
    fn end(airport: &'static str, at: DateTime, departs: bool) -> Self {
        Self { airport, arrives: (!departs).then_some(at), departs: departs.then_some(at) }
    }

    fn element(&self, tag: &'static str, number: u32) -> Element {
        let mut element = Element::new(tag).attribute("RTNO", number).child(text("APCD", self.airport));
        if let Some(arrives) = self.arrives {
            element = element.child(time("SCAT", arrives));
        }
        if let Some(departs) = self.departs {
            element = element.child(time("SCDT", departs));
        }
        element
    }
}

fn actual(tag: &'static str, at: Option<DateTime>) -> Vec<Element> {
    at.map(|at| time(tag, at)).into_iter().collect()
}
