//! `msgx flights`: the flights of an operation day, current or in history.

use std::collections::BTreeSet;
use std::process::ExitCode;

use domain::flight::{Flight, Life};
use engine::ports::{Mailbox, Sink, Store, Views};
use jiff::civil::Date;

use super::{Global, runtime};
use crate::output::printable;
use crate::roster::{Of, Roster};
use crate::settings;
use crate::wiring::{Job, Stack, with_present_stack};

pub(super) const EXAMPLE: &str = "Examples:
  msgx flights
  msgx flights --day 2026-04-07
  msgx flights --day 2026-04-07 --history --output json";

#[derive(Debug, clap::Args)]
pub(crate) struct Flights {
    /// Operation day (default: today at the airport)
    #[arg(long, value_name = "YYYY-MM-DD")]
    day: Option<Date>,
    /// Those in history instead of the current ones
    #[arg(long)]
    history: bool,
    /// Most flights shown
    #[arg(long, default_value_t = 1_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
}

impl Flights {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        let config = global.load()?;
        let dictionary = settings::dictionary(&config)?;
        let zone = config.zone("airport.time-zone");
        let day = self.day.unwrap_or_else(|| zone.to_datetime(crate::clock::now()).date());
        let of = if self.history { Of::History(day) } else { Of::Day(day) };
        let asking = Asking { of, limit: self.limit as usize };
        let (found, days) = runtime()?.block_on(with_present_stack(&config, asking))?;
        if global.json() {
            println!("{}", serde_json::to_string_pretty(&found.json(dictionary))?);
        } else {
            print!("{}", text(&found, day, &days, self.limit as usize));
        }
        Ok(ExitCode::SUCCESS)
    }
}

struct Asking {
    of: Of,
    limit: usize,
}

impl Job for Asking {
    /// And, where there is none, the days that have flights.
    type Output = (Roster, BTreeSet<Date>);

    async fn run<M: Mailbox, S: Store + Views, K: Sink>(
        self,
        stack: Stack<M, S, K>,
    ) -> anyhow::Result<Self::Output> {
        let found = Roster::read(&*stack.store, self.of, self.limit).await?;
        if !found.flights().is_empty() {
            return Ok((found, BTreeSet::new()));
        }
        let others = Roster::read(&*stack.store, Of::Board, 1_000).await?;
        let days = others.flights().into_iter().filter_map(|flight| flight.operation_day).collect();
        Ok((found, days))
    }
}

fn text(found: &Roster, day: Date, days: &BTreeSet<Date>, limit: usize) -> String {
    let flights = found.flights();
    if flights.is_empty() {
        let days: Vec<String> = days.iter().map(Date::to_string).collect();
        let others = match days.is_empty() {
            true => "no current flights of any other day either".to_owned(),
            false => format!("there are current ones of {} (--day)", days.join(", ")),
        };
        return match found {
            Roster::Current(_) => format!("no flights of {day}; {others}; those that are over: --history\n"),
            Roster::Past(_) => format!("no flights of {day} in history; {others}\n"),
        };
    }
    let more = (flights.len() == limit).then(|| format!("the first {limit}; more with --limit\n"));
    let head =
        ["FLID", "flight", "", "scheduled", "estimated", "actual", "stand", "gate", "state", "version"];
    let rows = flights.into_iter().map(row);
    let lines = std::iter::once(head.map(str::to_owned)).chain(rows).map(|cells| line(&cells));
    lines.chain(more).collect()
}

fn row(flight: &Flight) -> [String; 10] {
    let time = |time: Option<&str>| time.and_then(|time| time.get(11..16)).unwrap_or("").to_owned();
    let state = match flight.life {
        Life::Active if flight.cancelled_time().is_some() => "cancelled",
        Life::Active | Life::Partial | Life::Deleted => flight.life.as_str(),
    };
    [
        flight.flid.to_string(),
        flight.flight_number().unwrap_or("?").to_owned(),
        flight.movement().unwrap_or("?").to_owned(),
        time(flight.scheduled_time()),
        time(flight.estimated_time()),
        time(flight.actual_time()),
        flight.stand().unwrap_or("").to_owned(),
        flight.gates().join(" "),
        state.to_owned(),
        flight.state_version.to_string(),
    ]
}

fn line(cells: &[String; 10]) -> String {
    let cells: [String; 10] = cells.each_ref().map(|cell| printable(cell));
    let [flid, number, movement, scheduled, estimated, actual, stand, gate, life, version] = cells;
    let line = format!(
        "{flid:<10} {number:<8} {movement:<1} {scheduled:<9} {estimated:<9} {actual:<6} {stand:<5} {gate:<8} {life:<9} {version}"
    );
    line.trim_end().to_owned() + "\n"
}
