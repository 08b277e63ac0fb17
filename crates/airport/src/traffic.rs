//! One stream out of all that happens, day after day.

use std::collections::{BTreeMap, VecDeque};

use jiff::civil::{Date, DateTime};

use crate::{
    Expect, Fate, Letter, Options,
    dice::{Dice, Purpose},
    event::{Event, What},
    pen::Pen,
    programme::{opening, programme},
    register::Register,
    timetable::Flids,
    trouble::Mischief,
};

/// An endless stream of letters (it ends with the calendar, in the year 9999).
#[derive(Debug)]
pub struct Traffic {
    options: Options,
    /// What will be told, by time; the number keeps the order of equal times.
    pending: BTreeMap<(DateTime, u64), Event>,
    planned: u64,
    /// The next day to be planned.
    day: Option<Date>,
    flids: Flids,
    register: Register,
    pen: Pen,
    mischief: Mischief,
    ready: VecDeque<Letter>,
}

/// The traffic that these options describe, from its first letter on.
pub fn traffic(options: &Options) -> Traffic {
    let mut dice = Dice::new(options.seed, Purpose::Trouble, 0);
    let pen = Pen::starting_at(100_001 + dice.below(400_000));
    Traffic {
        options: *options,
        pending: BTreeMap::new(),
        planned: 0,
        day: Some(options.day),
        flids: Flids(7_300_000),
        register: Register::default(),
        pen,
        mischief: Mischief::new(options.trouble, dice),
        ready: VecDeque::new(),
    }
}

impl Iterator for Traffic {
    type Item = Letter;

    fn next(&mut self) -> Option<Letter> {
        while self.ready.is_empty() {
            let event = self.next_event()?;
            self.write(event);
        }
        self.ready.pop_front()
    }
}

impl Traffic {
    /// The earliest event of all, once every day is planned that may have an earlier one.
    fn next_event(&mut self) -> Option<Event> {
        while let Some(day) = self.day
            && self.pending.first_key_value().is_none_or(|((at, _), _)| *at >= opening(day))
        {
            self.plan(day);
        }
        self.pending.pop_first().map(|(_, event)| event)
    }

    fn plan(&mut self, day: Date) {
        // A number for each day, so that its story doesn't depend on the days before.
        let number = day.year() as u64 * 1000 + day.day_of_year() as u64;
        let mut dice = Dice::new(self.options.seed, Purpose::Day, number);
        let programme = programme(day, self.options.flights.max(2), &mut self.flids, &mut dice);
        if let Ok(yesterday) = day.yesterday() {
            self.register.forget_before(yesterday);
        }
        programme.flights.iter().for_each(|flight| self.register.add(flight));
        for event in programme.events {
            self.pending.insert((event.at, self.planned), event);
            self.planned += 1;
        }
        self.day = day.tomorrow().ok();
    }

    /// Makes an event the next letters, with what goes wrong around it.
    fn write(&mut self, event: Event) {
        let Event { at, label, what } = event;
        let expect = match &what {
            What::Reference { .. } => Expect::Reference,
            What::Schedule { .. }
            | What::ScheduleDelete { .. }
            | What::Change { .. }
            | What::Delete { .. } => Expect::Succeeded,
        };
        let Some(written) = self.register.write(what) else { return };
        self.mischief.before(at, &mut self.pen, &mut self.ready);
        let body = self.pen.write(at, written.kind, written.subtype, &written.body);
        let letter = Letter { body: Some(body), fate: Fate::Commit, sent_at: at, label, expect };
        self.mischief.around(letter, &mut self.ready);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_by_two_days() {
        let mut traffic = traffic(&Options { flights: 10, ..Options::default() });
        let mut pending_max = 0;
        let mut flights_max = 0;
        for _ in 0..50_000 {
            traffic.next();
            pending_max = pending_max.max(traffic.pending.len());
            flights_max = flights_max.max(traffic.register.len());
        }
        assert!(pending_max < 2 * 10 * 80, "{pending_max} events");
        assert!(flights_max < 2 * 10 * 4, "{flights_max} flights");
    }
}
