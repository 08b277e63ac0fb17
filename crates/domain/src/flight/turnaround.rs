//! The flights that one aircraft makes one after the other, looked up from either side.

use super::{Flight, names};
use crate::Flid;

/// A flight's turnaround: whom it names, and who names it.
#[derive(Debug, Clone, PartialEq)]
pub struct Turnaround<'f> {
    /// Its own link (TAOP, TAFL, TAID), if it has one.
    pub partner: Option<Partner<'f>>,
    /// Other flights that name this one, FLID ascending: the link may be kept on one side alone.
    pub named_by: Vec<&'f Flight>,
}

/// What a flight's own link leads to.
#[derive(Debug, Clone, PartialEq)]
pub enum Partner<'f> {
    /// A flight that names this one too.
    Mutual(&'f Flight),
    /// A flight that doesn't, or names another.
    OneSided(&'f Flight),
    /// A FLID that isn't there, now or never: the link stays, the flight may come.
    Dangling(Flid),
    /// The flight itself.
    Itself,
    /// An airline or flight number without FLID: nothing to look up.
    Unnumbered,
}

/// Resolves the link of `flight` both ways among `relatives`: the flights it names or that name it;
/// others among them do no harm.
pub fn turnaround<'f>(flight: &Flight, relatives: &'f [Flight]) -> Turnaround<'f> {
    let others = || relatives.iter().filter(|relative| relative.flid != flight.flid);
    let named = flight.turn_flid();
    let partner = flight.single(names::TURNAROUND).map(|_| match named {
        None => Partner::Unnumbered,
        Some(flid) if flid == flight.flid => Partner::Itself,
        Some(flid) => match others().find(|relative| relative.flid == flid) {
            None => Partner::Dangling(flid),
            Some(found) if found.turn_flid() == Some(flight.flid) => Partner::Mutual(found),
            Some(found) => Partner::OneSided(found),
        },
    });
    let names_it = |relative: &&Flight| relative.turn_flid() == Some(flight.flid);
    let mut named_by: Vec<&Flight> =
        others().filter(names_it).filter(|relative| Some(relative.flid) != named).collect();
    named_by.sort_by_key(|relative| relative.flid);
    Turnaround { partner, named_by }
}
