//! One planned flight, and how a schedule writes it: its places are written by `allotment`, its
//! route by `stops`.

use jiff::civil::DateTime;

use crate::{
    times::Minute,
    world::{AircraftType, Airport, Carrier, Region},
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
}
