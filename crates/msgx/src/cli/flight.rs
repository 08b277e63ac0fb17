//! `msgx flight`: one flight with where each value comes from, and its story.

mod head;
mod surroundings;

use std::process::ExitCode;

use anyhow::bail;
use clap::ValueEnum;
use domain::Flid;
use domain::flight::Flight;
use domain::flight::story::{Language, Sourced, Teller};
use engine::ports::{ChangeView, Mailbox, Sink, Store, Views};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::json;
use sis::Dictionary;

use super::{Global, runtime};
use crate::dossier::{Dossier, steps, steps_json};
use crate::origins::Origins;
use crate::settings;
use crate::wiring::{Job, Stack, with_present_stack};
use head::head;
use surroundings::surroundings;

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
        let asking = Asking(Flid(self.flid));
        let Some((dossier, steps)) = runtime()?.block_on(with_present_stack(&config, asking))? else {
            bail!(
                "flight {} is not known, now or in history; `msgx flights --day YYYY-MM-DD` lists a day",
                self.flid
            );
        };
        if global.json() {
            let mut found = dossier.json(&Origins::of(&steps), dictionary);
            if self.history {
                found["steps"] = json!(steps_json(&steps, dictionary));
            }
            println!("{}", serde_json::to_string_pretty(&found)?);
        } else {
            let zone = config.zone("airport.time-zone");
            print!("{}", self.text(&dossier, steps, dictionary, &zone));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn text(
        &self,
        dossier: &Dossier,
        steps: Vec<ChangeView>,
        dictionary: &Dictionary,
        zone: &TimeZone,
    ) -> String {
        let language = match self.language {
            Tongue::Zh => Language::Chinese,
            Tongue::En => Language::English,
        };
        let origins = Origins::of(&steps);
        let mut text = String::new();
        for (place, (flight, swept)) in lives(dossier).enumerate() {
            text += if place > 0 { "\n" } else { "" };
            text += &head(flight, swept, zone, language);
            if place == 0 {
                text += &surroundings(flight, dossier, language);
            }
            text += &fields(flight, &origins, dictionary, zone, language);
        }
        if self.history {
            let steps: Vec<_> = steps.into_iter().map(|step| (step.change, step.at)).collect();
            let swept = dossier.past.iter().map(|past| (past.flight.state_version, past.swept_at));
            text += "\n";
            text += &Teller { dictionary, zone, language }.story(&steps, &swept.collect::<Vec<_>>());
        }
        text
    }
}

struct Asking(Flid);

impl Job for Asking {
    type Output = Option<(Dossier, Vec<ChangeView>)>;

    async fn run<M: Mailbox, S: Store + Views, K: Sink>(
        self,
        stack: Stack<M, S, K>,
    ) -> anyhow::Result<Self::Output> {
        let Some(dossier) = Dossier::read(&*stack.store, self.0).await? else { return Ok(None) };
        Ok(Some((dossier, steps(&*stack.store, self.0).await?)))
    }
}

/// Every life, newest first, with the time it became history.
fn lives(dossier: &Dossier) -> impl Iterator<Item = (&Flight, Option<Timestamp>)> {
    let current = dossier.current.iter().map(|flight| (flight, None));
    current.chain(dossier.past.iter().map(|past| (&past.flight, Some(past.swept_at))))
}

/// Every value with the message that set it.
fn fields(
    flight: &Flight,
    origins: &Origins,
    dictionary: &Dictionary,
    zone: &TimeZone,
    language: Language,
) -> String {
    let mut text = String::from("\n");
    for Sourced { label, value, by, .. } in flight.values(dictionary, language) {
        let origin = origins.words(by, zone, language);
        text += &match language {
            Language::Chinese => format!("  {label}  {value}  （{origin}）\n"),
            Language::English => format!("  {label}  {value}  ({origin})\n"),
        };
    }
    text
}
