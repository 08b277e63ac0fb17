//! Invents the turnarounds of one day.

use jiff::civil::{Date, DateTime};

use crate::{
    dice::Dice,
    flight::{Flight, Link, Movement, Places, Route},
    places::Ground,
    times::shift,
    world::{AircraftType, Airport, CALLS, CARRIERS, Carrier, DOMESTIC, INTERNATIONAL, NARROW, Region, WIDE},
};

/// One aircraft's visit: it arrives, stays and leaves, or does only one of these today.
#[derive(Debug, Clone)]
pub(crate) struct Turnaround {
    pub(crate) arrival: Option<Leg>,
    pub(crate) departure: Option<Leg>,
}

/// A flight with those that are sold on it.
#[derive(Debug, Clone)]
pub(crate) struct Leg {
    pub(crate) flight: Flight,
    pub(crate) shares: Vec<Flight>,
}

impl Turnaround {
    pub(crate) fn legs(&self) -> impl Iterator<Item = &Leg> {
        self.arrival.iter().chain(&self.departure)
    }
}

/// Hands out FLIDs, which are never used twice.
#[derive(Debug, Clone)]
pub(crate) struct Flids(pub(crate) i64);

impl Flids {
    fn next(&mut self, dice: &mut Dice) -> i64 {
        self.0 += i64::from(dice.between(1, 3));
        self.0
    }
}

/// When an aircraft comes and goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Visit {
    pub(crate) arrives: Option<DateTime>,
    pub(crate) departs: Option<DateTime>,
    pub(crate) region: Region,
    pub(crate) aircraft: &'static AircraftType,
}

/// Visits with `flights` legs in all, in order of time.
pub(crate) fn visits(day: Date, flights: u32, dice: &mut Dice) -> Vec<Visit> {
    let mut visits = Vec::new();
    let mut left = flights;
    while left > 0 {
        let pair = left >= 2 && dice.chance(0.85);
        visits.push(if pair { whole_visit(day, dice) } else { half_visit(day, dice) });
        left -= if pair { 2 } else { 1 };
    }
    visits.sort_by_key(|visit| visit.arrives.or(visit.departs));
    visits
}

/// Comes and goes on the same day, most often in the morning or the late afternoon.
pub(crate) fn whole_visit(day: Date, dice: &mut Dice) -> Visit {
    let minute = match dice.below(4) {
        0 => dice.between(480, 660),
        1 => dice.between(960, 1200),
        _ => dice.between(390, 1290),
    };
    let (region, aircraft) = equipment(dice);
    let arrives = shift(day.at(0, 0, 0, 0), minute - minute % 5);
    let ground = aircraft.turnaround + 5 * dice.between(2, 10);
    Visit { arrives: Some(arrives), departs: Some(shift(arrives, ground - ground % 5)), region, aircraft }
}

/// Stays for the night: leaves in the morning, or arrives late.
fn half_visit(day: Date, dice: &mut Dice) -> Visit {
    let (region, aircraft) = equipment(dice);
    let midnight = day.at(0, 0, 0, 0);
    if dice.chance(0.5) {
        let departs = shift(midnight, 5 * dice.between(76, 110));
        Visit { arrives: None, departs: Some(departs), region, aircraft }
    } else {
        let arrives = shift(midnight, 5 * dice.between(246, 286));
        Visit { arrives: Some(arrives), departs: None, region, aircraft }
    }
}

fn equipment(dice: &mut Dice) -> (Region, &'static AircraftType) {
    let region = if dice.chance(0.2) { Region::International } else { Region::Domestic };
    let wide = match region {
        Region::Domestic => 0.08,
        Region::International => 0.45,
    };
    (region, if dice.chance(wide) { dice.pick(&WIDE) } else { dice.pick(&NARROW) })
}

/// Turns visits into flights. Must be given the visits in order of time.
#[derive(Debug)]
pub(crate) struct Planner<'a> {
    flids: &'a mut Flids,
    ground: Ground,
    /// Visits so far of each carrier, for its flight numbers.
    flown: [u32; CARRIERS.len()],
    sold: u32,
}

impl<'a> Planner<'a> {
    pub(crate) fn new(flids: &'a mut Flids) -> Self {
        Self { flids, ground: Ground::new(), flown: [0; CARRIERS.len()], sold: 0 }
    }

    /// `kind` is FLTY: `J` for scheduled flights, `C` for charter.
    pub(crate) fn plan(&mut self, visit: &Visit, kind: &'static str, dice: &mut Dice) -> Turnaround {
        let index = dice.below(CARRIERS.len() as u32) as usize;
        let carrier = &CARRIERS[index];
        let number = 1000 + (carrier.first_number - 1000 + 2 * self.flown[index]) % 9000;
        self.flown[index] += 1;
        let registration = registration(dice);
        let places = self.stand(visit, dice);
        let mut leg = |movement, scheduled, number| Flight {
            flid: self.flids.next(dice),
            carrier,
            number: format!("{}{number}", carrier.code),
            movement,
            scheduled,
            kind,
            region: visit.region,
            route: route(visit, dice),
            aircraft: visit.aircraft,
            registration: registration.clone(),
            partner: None,
            operated_by: None,
            places: places.clone(),
        };
        let mut arrival = visit.arrives.map(|at| leg(Movement::Arrival, at, number));
        let mut departure = visit.departs.map(|at| leg(Movement::Departure, at, number + 1));
        if let (Some(arrival), Some(departure)) = (&mut arrival, &mut departure) {
            arrival.partner = Some(departure.link());
            departure.partner = Some(arrival.link());
        }
        Turnaround {
            arrival: arrival.map(|flight| self.finish(flight, dice)),
            departure: departure.map(|flight| self.finish(flight, dice)),
        }
    }

    fn stand(&mut self, visit: &Visit, dice: &mut Dice) -> Places {
        let from = visit.arrives.or(visit.departs.map(|at| shift(at, -90))).unwrap_or_default();
        let until = visit.departs.unwrap_or(shift(from, 120));
        let (stand_from, stand_until) = (shift(from, -5), shift(until, 10));
        let stand = self.ground.stand(stand_from, shift(stand_until, 10), dice);
        Places { stand, stand_from, stand_until, ..Places::default() }
    }

    /// Gives the flight its places in the hall, and the flights that are sold on it.
    fn finish(&mut self, mut flight: Flight, dice: &mut Dice) -> Leg {
        let at = flight.scheduled;
        match flight.movement {
            Movement::Arrival => flight.places.belt = self.ground.belt(shift(at, 10), shift(at, 50), dice),
            Movement::Departure => {
                flight.places.gate = self.ground.gate(flight.region, shift(at, -45), at, dice);
                flight.places.chute = self.ground.chute(shift(at, -120), shift(at, -20), dice);
                let counters = if flight.aircraft.seats > 200 { 4 } else { 2 };
                let (from, until) = (shift(at, -125), shift(at, -45));
                flight.places.counters =
                    (0..counters).map(|_| self.ground.counter(flight.region, from, until, dice)).collect();
            }
        }
        let count = if dice.chance(0.15) { dice.between(1, 2) } else { 0 };
        let shares = (0..count).map(|_| self.share(&flight, dice)).collect();
        Leg { flight, shares }
    }

    fn share(&mut self, flight: &Flight, dice: &mut Dice) -> Flight {
        let sellers: Vec<&'static Carrier> =
            CARRIERS.iter().filter(|carrier| carrier.code != flight.carrier.code).collect();
        let carrier = *dice.pick(&sellers);
        self.sold += 1;
        let operated_by: Link = flight.link();
        Flight {
            flid: self.flids.next(dice),
            carrier,
            number: format!("{}{}", carrier.code, 5000 + self.sold % 1000),
            operated_by: Some(operated_by),
            partner: None,
            ..flight.clone()
        }
    }
}

/// `B` for the country, then four characters.
pub(crate) fn registration(dice: &mut Dice) -> String {
    let letters: Vec<char> = "ABCDEFGHJKLMNPQRSTUVWXYZ".chars().collect();
    format!("B{}{}{}", dice.between(10, 99), dice.pick(&letters), dice.pick(&letters))
}

/// A narrow body stays within about five hours; a call only makes sense on a long way.
fn route(visit: &Visit, dice: &mut Dice) -> Route {
    let range = if visit.aircraft.seats > 200 { 900 } else { 330 };
    let (airports, call): (&'static [Airport], _) = match visit.region {
        Region::Domestic => (&DOMESTIC, dice.chance(0.08).then(|| dice.pick(&CALLS))),
        Region::International => (&INTERNATIONAL, None),
    };
    let nearest = if call.is_some() { 150 } else { 0 };
    let fits = |airport: &&'static Airport| (nearest..range).contains(&airport.minutes);
    let reachable: Vec<&'static Airport> = airports.iter().filter(fits).collect();
    Route { far: dice.pick::<&Airport>(&reachable), call }
}
