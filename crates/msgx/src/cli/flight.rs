//! `msgx flight`: one flight with where each value comes from, and its story.

use std::process::ExitCode;

use anyhow::bail;
use clap::ValueEnum;
use domain::Flid;
use domain::flight::story::{Language, Teller};
use domain::flight::{Flight, Partner, StandUse, Turnaround, turnaround};
use engine::ports::{Mailbox, Sink, Store, Views};
use jiff::tz::TimeZone;
use serde_json::json;
use sis::Dictionary;

use super::{Global, runtime};
use crate::dossier::Dossier;
use crate::settings;
use crate::wiring::{Job, Stack, with_present_stack};

pub(super) const EXAMPLE: &str = "Examples:
  msgx flight 7304412
  msgx flight 7304412 --history
  msgx flight 7304412 --history --language zh
  msgx flight 7304412 --history --output json";

#[derive(Debug, clap::Args)]
pub(crate) struct One {
    /// The flight's FLID
    flid: i64,
    /// Its story too: what each message changed, step by step
    #[arg(long)]
    history: bool,
    /// Language of labels and story
    #[arg(long, value_enum, default_value_t = Tongue::En)]
    language: Tongue,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Tongue {
    /// 中文
    Zh,
    /// English
    En,
}

impl One {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        let config = global.load()?;
        let dictionary = settings::dictionary(&config)?;
        let Some(dossier) = runtime()?.block_on(with_present_stack(&config, Asking(Flid(self.flid))))? else {
            bail!(
                "flight {} is unknown, current or in history; `msgx flights --day YYYY-MM-DD` lists a day",
                self.flid
            );
        };
        if global.json() {
            let mut found = dossier.json(dictionary);
            if self.history {
                found["steps"] = json!(dossier.steps_json(dictionary));
            }
            println!("{}", serde_json::to_string_pretty(&found)?);
        } else {
            print!("{}", self.text(&dossier, dictionary, &config.zone("airport.time-zone")));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn text(&self, dossier: &Dossier, dictionary: &Dictionary, zone: &TimeZone) -> String {
        let language = match self.language {
            Tongue::Zh => Language::Chinese,
            Tongue::En => Language::English,
        };
        let mut text = String::new();
        for (flight, swept) in lives(dossier) {
            text += &head(flight, swept.as_deref(), language);
        }
        if let Some(flight) = dossier.newest() {
            text += &surroundings(flight, &dossier.relatives, language);
            text += &fields(flight, dictionary, language);
        }
        if self.history {
            let steps: Vec<_> = dossier.steps.iter().map(|step| (step.change.clone(), step.at)).collect();
            text += "\n";
            text += &Teller { dictionary, zone, language }.story(&steps);
        }
        text
    }
}

struct Asking(Flid);

impl Job for Asking {
    type Output = Option<Dossier>;

    async fn run<M: Mailbox, S: Store + Views, K: Sink>(
        self,
        stack: Stack<M, S, K>,
    ) -> anyhow::Result<Option<Dossier>> {
        Ok(Dossier::read(&*stack.store, self.0).await?)
    }
}

/// Every life, newest first, with the day it became history.
fn lives(dossier: &Dossier) -> impl Iterator<Item = (&Flight, Option<String>)> {
    let current = dossier.current.iter().map(|flight| (flight, None));
    current.chain(dossier.past.iter().map(|past| (&past.flight, Some(past.swept_at.to_string()))))
}

fn head(flight: &Flight, swept: Option<&str>, language: Language) -> String {
    let movement = match flight.movement() {
        Some("A") => language.pick("到港", "arrival"),
        Some("D") => language.pick("离港", "departure"),
        Some(other) => other,
        None => language.pick("计划未到", "no schedule yet"),
    };
    let number = flight.flight_number().unwrap_or("?");
    let day = flight.operation_day.map_or_else(|| "-".to_owned(), |day| day.to_string());
    let state = match swept {
        None => flight.life.as_str().to_owned(),
        Some(at) => format!("{} {at}", language.pick("历史，移出于", "in history since")),
    };
    format!(
        "{number}  {movement}  {} {day}  FLID {}\n  {state}  {} {}  {} {}  {} {}\n",
        language.pick("运营日", "operation day"),
        flight.flid,
        language.pick("版本", "version"),
        flight.state_version,
        language.pick("第几生", "life"),
        flight.incarnation,
        language.pick("最近报文", "last message"),
        flight.last_by,
    )
}

/// Linked flights and the stands with their times.
fn surroundings(flight: &Flight, relatives: &[Flight], language: Language) -> String {
    let mut lines: Vec<String> = Vec::new();
    let children = relatives.iter().filter(|relative| relative.main_flid() == Some(flight.flid));
    lines.extend(children.map(|child| linked(language.pick("共享航班", "code-share"), child)));
    if let Some(main) = flight.main_flid() {
        let label = language.pick("主航班", "main flight");
        let found = relatives.iter().find(|relative| relative.flid == main);
        lines.push(found.map_or_else(|| dangling(label, main, language), |found| linked(label, found)));
    }
    let link = language.pick("连班", "turnaround");
    let Turnaround { partner, named_by } = turnaround(flight, relatives);
    match partner {
        Some(Partner::Mutual(found) | Partner::OneSided(found)) => lines.push(linked(link, found)),
        Some(Partner::Dangling(flid)) => lines.push(dangling(link, flid, language)),
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

fn dangling(label: &str, flid: Flid, language: Language) -> String {
    format!("{label}  FLID {flid}  {}", language.pick("（尚未收到该航班）", "(not here, now or ever)"))
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

/// Every value with the message that set it.
fn fields(flight: &Flight, dictionary: &Dictionary, language: Language) -> String {
    let mut text = String::from("\n");
    for (label, value, by) in flight.values(dictionary, language) {
        text += &format!("  {label}  {value}  ({} {by})\n", language.pick("报文", "message"));
    }
    text
}
