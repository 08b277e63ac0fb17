//! Writes a flight's route, stop by stop.

use jiff::civil::DateTime;

use crate::{
    flight::{Flight, Movement, Route},
    times::shift,
    world::HOME,
    xml::{Element, text, time},
};

impl Flight {
    /// ROUT: the route without home.
    pub(crate) fn outer_route(&self) -> Vec<Element> {
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
