//! Stands, gates, belts and counters, each used by one flight at a time while that can be had.

use jiff::civil::DateTime;

use crate::{dice::Dice, world::Region};

/// Places of one kind, and until when each is taken.
#[derive(Debug)]
struct Pool(Vec<(String, DateTime)>);

impl Pool {
    fn new(names: impl IntoIterator<Item = String>) -> Self {
        Self(names.into_iter().map(|name| (name, DateTime::MIN)).collect())
    }

    /// A free place; if none is, the one that will be free first.
    fn take(&mut self, from: DateTime, until: DateTime, dice: &mut Dice) -> String {
        let free: Vec<usize> = (0..self.0.len()).filter(|&place| self.0[place].1 <= from).collect();
        let soonest = || (0..self.0.len()).min_by_key(|&place| self.0[place].1);
        let place = if free.is_empty() { soonest() } else { Some(*dice.pick(&free)) };
        let (name, taken) = &mut self.0[place.expect("no pool is empty")];
        *taken = until.max(*taken);
        name.clone()
    }
}

/// All of the airport's places during one day. Must be asked in order of time.
#[derive(Debug)]
pub(crate) struct Ground {
    bridge: Pool,
    remote: Pool,
    gates: [Pool; 2],
    belts: Pool,
    chutes: Pool,
    counters: [Pool; 2],
}

fn hall(region: Region) -> usize {
    match region {
        Region::Domestic => 0,
        Region::International => 1,
    }
}

fn row(letters: &str, last: u32) -> Vec<String> {
    letters.chars().flat_map(|letter| (1..=last).map(move |number| format!("{letter}{number:02}"))).collect()
}

impl Ground {
    pub(crate) fn new() -> Self {
        Self {
            bridge: Pool::new((201..=248).map(|stand| stand.to_string())),
            remote: Pool::new((301..=360).map(|stand| stand.to_string())),
            gates: [Pool::new(row("AB", 24)), Pool::new(row("C", 24))],
            belts: Pool::new(row("L", 14)),
            chutes: Pool::new(row("R", 28)),
            counters: [Pool::new(row("DEF", 24)), Pool::new(row("GH", 24))],
        }
    }

    pub(crate) fn stand(&mut self, from: DateTime, until: DateTime, dice: &mut Dice) -> String {
        let pool = if dice.chance(0.75) { &mut self.bridge } else { &mut self.remote };
        pool.take(from, until, dice)
    }

    pub(crate) fn gate(
        &mut self,
        region: Region,
        from: DateTime,
        until: DateTime,
        dice: &mut Dice,
    ) -> String {
        self.gates[hall(region)].take(from, until, dice)
    }

    pub(crate) fn belt(&mut self, from: DateTime, until: DateTime, dice: &mut Dice) -> String {
        self.belts.take(from, until, dice)
    }

    pub(crate) fn chute(&mut self, from: DateTime, until: DateTime, dice: &mut Dice) -> String {
        self.chutes.take(from, until, dice)
    }

    pub(crate) fn counter(
        &mut self,
        region: Region,
        from: DateTime,
        until: DateTime,
        dice: &mut Dice,
    ) -> String {
        self.counters[hall(region)].take(from, until, dice)
    }
}

/// Has the stand a passenger bridge?
pub(crate) fn has_bridge(stand: &str) -> bool {
    stand.starts_with('2')
}

/// Another stand of the same kind, for a change on the day.
pub(crate) fn other_stand(stand: &str, dice: &mut Dice) -> String {
    let range = if has_bridge(stand) { 201..=248 } else { 301..=360 };
    let others: Vec<String> = range.map(|number| number.to_string()).filter(|other| other != stand).collect();
    dice.pick(&others).clone()
}

/// Another number in the same row, for a change on the day.
pub(crate) fn other_place(place: &str, last: u32, dice: &mut Dice) -> String {
    let (letter, number) = place.split_at(1);
    let number: u32 = number.parse().unwrap_or(0);
    format!("{letter}{:02}", 1 + (number + dice.below(last - 1)) % last)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::{dice::Purpose, times::shift};

    #[test]
    fn a_free_place_is_taken_before_a_used_one() {
        let mut dice = Dice::new(1, Purpose::Day, 0);
        let mut pool = Pool::new(row("A", 10));
        let from = date(2026, 4, 7).at(8, 0, 0, 0);
        let mut taken: Vec<String> = (0..10).map(|_| pool.take(from, shift(from, 60), &mut dice)).collect();
        taken.sort();
        assert_eq!(taken, row("A", 10));
    }

    #[test]
    fn a_changed_place_is_another_one_in_range() {
        let mut dice = Dice::new(1, Purpose::Day, 0);
        for place in row("A", 24) {
            let other = other_place(&place, 24, &mut dice);
            assert!(other != place && row("A", 24).contains(&other), "{place} {other}");
        }
        assert_ne!(other_stand("201", &mut dice), "201");
    }
}
