//! What happens, before it is a message.

use jiff::civil::DateTime;

use crate::{
    times::shift_seconds,
    xml::{Element, text, time},
};

/// Something the sender tells, at a simulated time.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) at: DateTime,
    /// What it is, for people.
    pub(crate) label: &'static str,
    pub(crate) what: What,
}

#[derive(Debug, Clone)]
pub(crate) enum What {
    /// Whole flights, as they are by then.
    Schedule { subtype: &'static str, flights: Vec<i64> },
    /// Flights that a schedule deletes, by FLID alone.
    ScheduleDelete { flights: Vec<i64> },
    /// Changes, one record per flight.
    Change { subtype: &'static str, records: Vec<(i64, Vec<Element>)> },
    /// A flight that is deleted.
    Delete { flight: i64 },
    /// Part of a reference list.
    Reference { list: &'static str, subtype: &'static str, records: Vec<Element> },
}

/// Collects the events of one leg: its flight and the code-shares that fly with it.
#[derive(Debug)]
pub(crate) struct Script {
    flight: i64,
    shares: Vec<i64>,
    pub(crate) events: Vec<Event>,
}

impl Script {
    pub(crate) fn new(flight: i64, shares: Vec<i64>) -> Self {
        Self { flight, shares, events: Vec::new() }
    }

    /// A change of the operating flight. The subtype is the first element's name.
    pub(crate) fn tell(&mut self, at: DateTime, label: &'static str, elements: Vec<Element>) {
        if let Some(first) = elements.first() {
            self.change(at, label, first.tag, vec![(self.flight, elements)]);
        }
    }

    /// The same change of the operating flight and its code-shares, in one message.
    pub(crate) fn tell_all(&mut self, at: DateTime, label: &'static str, element: &Element) {
        let flights = std::iter::once(self.flight).chain(self.shares.iter().copied());
        let records = flights.map(|flight| (flight, vec![element.clone()])).collect();
        self.change(at, label, element.tag, records);
    }

    /// A change whose subtype isn't named after its first element.
    pub(crate) fn tell_as(
        &mut self,
        subtype: &'static str,
        at: DateTime,
        label: &'static str,
        elements: Vec<Element>,
    ) {
        self.change(at, label, subtype, vec![(self.flight, elements)]);
    }

    /// A change of another flight, such as a code-share.
    pub(crate) fn tell_of(
        &mut self,
        flight: i64,
        subtype: &'static str,
        at: DateTime,
        label: &'static str,
        elements: Vec<Element>,
    ) {
        self.change(at, label, subtype, vec![(flight, elements)]);
    }

    /// A new value of a time element.
    pub(crate) fn time(&mut self, at: DateTime, label: &'static str, tag: &'static str, value: DateTime) {
        self.tell(at, label, vec![time(tag, value)]);
    }

    /// The flight's status, from the code list.
    pub(crate) fn status(&mut self, at: DateTime, code: &'static str) {
        self.tell_all(shift_seconds(at, 20), "flight status", &text("FTSS", code));
    }

    fn change(
        &mut self,
        at: DateTime,
        label: &'static str,
        subtype: &'static str,
        records: Vec<(i64, Vec<Element>)>,
    ) {
        self.events.push(Event { at, label, what: What::Change { subtype, records } });
    }
}
