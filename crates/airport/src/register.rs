//! What the sender knows of each flight by now: writes a schedule's records as things are, and
//! drops what must not be told of flights not yet scheduled or already deleted.

use std::collections::BTreeMap;

use jiff::civil::Date;

use crate::{
    event::What,
    flight::Flight,
    xml::{Element, put, text},
};

/// Never part of a later schedule: a schedule can't carry them, or they are kept by key and
/// a schedule without them leaves them alone.
const CHANGES_ONLY: [&str; 7] = ["CTOT", "PSHT", "TIPT", "PORT", "DELY", "SRVT", "VIPF"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Planned, and not yet told to anybody.
    Planned,
    Scheduled,
    Deleted,
}

#[derive(Debug)]
struct Sheet {
    day: Date,
    readable_id: String,
    stage: Stage,
    elements: Vec<Element>,
}

/// A body, ready for a message.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) kind: &'static str,
    pub(crate) subtype: &'static str,
    pub(crate) body: String,
}

/// All flights that anything may still be told about.
#[derive(Debug, Default)]
pub(crate) struct Register(BTreeMap<i64, Sheet>);

impl Register {
    pub(crate) fn add(&mut self, flight: &Flight) {
        let sheet = Sheet {
            day: flight.scheduled.date(),
            readable_id: flight.readable_id(),
            stage: Stage::Planned,
            elements: flight.record(),
        };
        self.0.insert(flight.flid, sheet);
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Forgets flights of earlier days.
    pub(crate) fn forget_before(&mut self, day: Date) {
        self.0.retain(|_, sheet| sheet.day >= day);
    }

    /// The message's body; `None` where nothing is left to be told.
    pub(crate) fn write(&mut self, what: What) -> Option<Written> {
        match what {
            What::Schedule { subtype, flights } => self.schedule(subtype, &flights),
            What::ScheduleDelete { flights } => self.schedule_delete(&flights),
            What::Change { subtype, records } => self.change(subtype, &records),
            What::Delete { flight } => self.delete(flight),
            What::Reference { list, subtype, records } => {
                let mut body = format!("<RECS>{}</RECS>", records.len());
                records.iter().for_each(|record| record.write(&mut body));
                Some(Written { kind: list, subtype, body })
            }
        }
    }

    fn schedule(&mut self, subtype: &'static str, flights: &[i64]) -> Option<Written> {
        let mut listed = 0;
        let mut records = String::new();
        for flight in flights {
            let Some(sheet) = self.0.get_mut(flight) else { continue };
            match (sheet.stage, subtype) {
                // An answer speaks only of flights that have been scheduled.
                (Stage::Deleted, _) | (Stage::Planned, "RESP") => continue,
                (Stage::Planned | Stage::Scheduled, _) => sheet.stage = Stage::Scheduled,
            }
            listed += 1;
            records.push_str("\n    ");
            Element::new("FLTR").children(&sheet.elements).write(&mut records);
        }
        schedule(subtype, listed, &records)
    }

    fn schedule_delete(&mut self, flights: &[i64]) -> Option<Written> {
        let mut listed = 0;
        let mut records = String::new();
        for flight in flights {
            if self.end(*flight).is_some() {
                listed += 1;
                Element::new("FLTR").child(text("FLID", flight)).write(&mut records);
            }
        }
        schedule("DEL", listed, &records)
    }

    fn change(&mut self, subtype: &'static str, records: &[(i64, Vec<Element>)]) -> Option<Written> {
        let mut body = String::new();
        for (flight, elements) in records {
            let Some(sheet) = self.0.get_mut(flight).filter(|sheet| sheet.stage == Stage::Scheduled) else {
                continue;
            };
            sheet.take_over(elements);
            write_record(&mut body, *flight, &sheet.readable_id, elements);
        }
        (!body.is_empty()).then_some(Written { kind: "FLOP", subtype, body })
    }

    fn delete(&mut self, flight: i64) -> Option<Written> {
        let readable_id = self.end(flight)?;
        let mut body = String::new();
        write_record(&mut body, flight, &readable_id, &[Element::new("FDEL")]);
        Some(Written { kind: "FLOP", subtype: "FDEL", body })
    }

    /// Marks a scheduled flight as deleted; gives its FFID.
    fn end(&mut self, flight: i64) -> Option<String> {
        let sheet = self.0.get_mut(&flight).filter(|sheet| sheet.stage == Stage::Scheduled)?;
        sheet.stage = Stage::Deleted;
        sheet.elements.clear();
        Some(sheet.readable_id.clone())
    }
}

impl Sheet {
    /// Elements of a name replace all that had this name.
    fn take_over(&mut self, elements: &[Element]) {
        let lasting = || elements.iter().filter(|element| !CHANGES_ONLY.contains(&element.tag));
        self.elements.retain(|old| lasting().all(|new| new.tag != old.tag));
        self.elements.extend(lasting().cloned());
    }
}

fn schedule(subtype: &'static str, listed: usize, records: &str) -> Option<Written> {
    let body = format!("<SCHD><RECS>{listed}</RECS>{records}</SCHD>");
    (listed > 0).then_some(Written { kind: "SCHD", subtype, body })
}

fn write_record(body: &mut String, flight: i64, readable_id: &str, elements: &[Element]) {
    put(body, format_args!("<FLOP><FLID>{flight}</FLID><FFID>{readable_id}</FFID>"));
    elements.iter().for_each(|element| element.write(body));
    body.push_str("</FLOP>");
}
