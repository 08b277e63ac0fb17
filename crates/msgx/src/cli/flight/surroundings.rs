//! What a flight stands among: its linked flights, and its stands with their times.

use domain::Flid;
use domain::flight::story::Language;
use domain::flight::{Flight, Partner, StandUse, Turnaround, turnaround};

use crate::dossier::Dossier;

/// Linked flights and the stands with their times.
pub(super) fn surroundings(flight: &Flight, dossier: &Dossier, language: Language) -> String {
    let (relatives, past) = (&dossier.relatives, &dossier.past_relatives);
    let mut lines: Vec<String> = Vec::new();
    let children = relatives.iter().filter(|relative| relative.main_flid() == Some(flight.flid));
    lines.extend(children.map(|child| linked(language.pick("共享航班", "code-share"), child)));
    if let Some(main) = flight.main_flid() {
        let label = language.pick("主航班", "main flight");
        let found = relatives.iter().find(|relative| relative.flid == main);
        lines.push(found.map_or_else(|| dangling(label, main, past, language), |found| linked(label, found)));
    }
    let link = language.pick("连班", "turnaround");
    let Turnaround { partner, named_by } = turnaround(flight, relatives);
    match partner {
        Some(Partner::Mutual(found) | Partner::OneSided(found)) => lines.push(linked(link, found)),
        Some(Partner::Dangling(flid)) => lines.push(dangling(link, flid, past, language)),
        Some(Partner::Itself | Partner::Unnumbered) | None => {}
    }
    lines.extend(named_by.into_iter().map(|found| linked(link, found)));
    lines.extend(flight.stands().iter().map(|stand| self::stand(stand, language)));
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

fn linked(label: &str, flight: &Flight) -> String {
    let number = flight.flight_number().unwrap_or("?");
    format!("{label}  {number}  FLID {}  {}", flight.flid, flight.life.as_str())
}

/// A flight that is named and isn't current.
fn dangling(label: &str, flid: Flid, past: &[Flid], language: Language) -> String {
    let where_it_is = match past.contains(&flid) {
        true => language.pick("（已转入历史）", "(in history)"),
        false => language.pick("（未收到该航班）", "(never heard of)"),
    };
    format!("{label}  FLID {flid}  {where_it_is}")
}

fn stand(stand: &StandUse, language: Language) -> String {
    let clock =
        |time: &Option<String>| time.as_deref().and_then(|time| time.get(11..16)).unwrap_or("?").to_owned();
    let mut words = format!("{}  {}", language.pick("机位", "stand"), stand.stand);
    for (start, end) in &stand.planned {
        words += &format!("  {} {} - {}", language.pick("计划", "planned"), clock(start), clock(end));
    }
    for (label, time) in [
        (language.pick("牵引车到位", "tractor in place"), &stand.tractor_in_place),
        (language.pick("推出", "pushed back"), &stand.pushed_back),
    ] {
        if time.is_some() {
            words += &format!("  {label} {}", clock(time));
        }
    }
    if stand.is_current { words + language.pick("  当前", "  current") } else { words }
}
