//! `msgx flights`: the flights of an operation day, current or in history.

use std::process::ExitCode;

use domain::flight::Flight;
use engine::ports::{Mailbox, PastView, Sink, Store, Views};
use jiff::civil::Date;
use serde_json::Value;
use sis::Dictionary;

use super::{Global, runtime};
use crate::dossier::past_json;
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
    #[arg(long, default_value_t = 1_000, value_name = "N")]
    limit: usize,
}

impl Flights {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        let config = global.load()?;
        let dictionary = settings::dictionary(&config)?;
        let zone = config.zone("airport.time-zone");
        let day = self.day.unwrap_or_else(|| zone.to_datetime(crate::clock::now()).date());
        let asking = Asking { day, history: self.history, limit: self.limit };
        let found = runtime()?.block_on(with_present_stack(&config, asking))?;
        if global.json() {
            println!("{}", serde_json::to_string_pretty(&found.json(dictionary))?);
        } else {
            print!("{}", found.text(day));
        }
        Ok(ExitCode::SUCCESS)
    }
}

struct Asking {
    day: Date,
    history: bool,
    limit: usize,
}

enum Found {
    Current(Vec<Flight>),
    Past(Vec<PastView>),
}

impl Job for Asking {
    type Output = Found;

    async fn run<M: Mailbox, S: Store + Views, K: Sink>(
        self,
        stack: Stack<M, S, K>,
    ) -> anyhow::Result<Found> {
        Ok(if self.history {
            Found::Past(stack.store.past_flights_of(self.day, self.limit).await?)
        } else {
            Found::Current(stack.store.flights_of(self.day, self.limit).await?)
        })
    }
}

impl Found {
    fn json(&self, dictionary: &Dictionary) -> Vec<Value> {
        match self {
            Self::Current(flights) => flights.iter().map(|flight| flight.view(dictionary)).collect(),
            Self::Past(flights) => flights.iter().map(|past| past_json(past, dictionary)).collect(),
        }
    }

    fn text(&self, day: Date) -> String {
        let flights: Vec<&Flight> = match self {
            Self::Current(flights) => flights.iter().collect(),
            Self::Past(flights) => flights.iter().map(|past| &past.flight).collect(),
        };
        if flights.is_empty() {
            return match self {
                Self::Current(_) => {
                    format!("no flights of {day}; another day: --day, those swept: --history\n")
                }
                Self::Past(_) => format!("no flights of {day} in history; another day: --day\n"),
            };
        }
        let head =
            ["FLID", "flight", "", "scheduled", "estimated", "actual", "stand", "gate", "life", "version"];
        let mut text = line(&head.map(str::to_owned));
        for flight in flights {
            let time = |time: Option<&str>| time.and_then(|time| time.get(11..16)).unwrap_or("").to_owned();
            let life = if flight.cancelled_time().is_some() { "cancelled" } else { flight.life.as_str() };
            text += &line(&[
                flight.flid.to_string(),
                flight.flight_number().unwrap_or("?").to_owned(),
                flight.movement().unwrap_or("?").to_owned(),
                time(flight.scheduled_time()),
                time(flight.estimated_time()),
                time(flight.actual_time()),
                flight.stand().unwrap_or("").to_owned(),
                flight.gates().join(" "),
                life.to_owned(),
                flight.state_version.to_string(),
            ]);
        }
        text
    }
}

fn line(cells: &[String; 10]) -> String {
    let [flid, number, movement, scheduled, estimated, actual, stand, gate, life, version] = cells;
    let line = format!(
        "{flid:<10} {number:<8} {movement:<1} {scheduled:<9} {estimated:<9} {actual:<6} {stand:<5} {gate:<8} {life:<9} {version}"
    );
    line.trim_end().to_owned() + "\n"
}
