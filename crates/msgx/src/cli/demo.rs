//! `msgx demo`: options of the demo.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use airport::{Options, traffic};
use anyhow::Context as _;

use super::{Global, Output, Refused};
use crate::clock::now;
use crate::config::Config;
use crate::demo::Post;
use crate::params::parse_duration;
use crate::serve;
use crate::wiring::data_dir;

pub(super) const EXAMPLE: &str = "Examples:
  msgx demo
  msgx demo --rate 200 --flights 600 --seed 7
  msgx demo --duration 30s                   generate for 30 s, drain, sum up, end";

/// The demo's patience with late commits; a site's is minutes.
const COMMIT_DELAY: Duration = Duration::from_secs(1);

#[derive(Debug, clap::Args)]
pub(crate) struct Demo {
    /// Messages per second
    #[arg(long, default_value_t = 25.0, value_parser = positive)]
    rate: f64,
    /// Flights per day, code-shares not counted
    #[arg(long, default_value_t = 160, value_parser = clap::value_parser!(u32).range(2..=5_000))]
    flights: u32,
    /// Another number is another airport; the same one gives the same messages
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Generate for so long (generator's clock), then drain, sum up and end; without it, go on
    #[arg(long, value_parser = span, value_name = "DURATION")]
    duration: Option<Duration>,
    /// Port of the page; without it 8390, or a free one if that is taken
    #[arg(long)]
    port: Option<u16>,
    /// Directory of everything the demo keeps; the same one goes on where it stopped. Without it:
    /// msgx-data/demo, or with --duration a new one, so that the same seed gives the same counts
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if rate > 0.0 && rate <= 100_000.0 => Ok(rate),
        Ok(_) | Err(_) => Err("expected a number above 0, at most 100000".into()),
    }
}

fn span(text: &str) -> Result<Duration, String> {
    parse_duration(text)
        .filter(|span| !span.is_zero())
        .ok_or_else(|| "expected a duration such as 30s or 5 min".into())
}

impl Demo {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        let mut config = global.load()?;
        self.configure(&mut config)?;
        let options = Options { seed: self.seed, flights: self.flights, ..Options::default() };
        let post = Post::new(traffic(&options), self.rate, self.duration, COMMIT_DELAY);
        let length =
            self.duration.map_or("until stopped".into(), |span| format!("for {} s", span.as_secs_f64()));
        let banner = format!(
            "demo: seed {}, {} flights a day, {} messages/s {length}; max-commit-delay is 1 s here, and no flight becomes history",
            self.seed, self.flights, self.rate
        );
        match global.output {
            Output::Human => println!("{banner}"),
            Output::Json => {}
        }
        serve::serve(&config, Some(post), global.output)
    }

    fn directory(&self) -> String {
        if self.duration.is_none() {
            return "msgx-data/demo".into();
        }
        format!("msgx-data/demo-{}", now().strftime("%Y%m%d-%H%M%S-%3f"))
    }

    /// One directory holds one airport: another seed would go on with the flights of the first.
    fn claim(&self, directory: &Path) -> anyhow::Result<()> {
        let file = directory.join("airport");
        let airport = format!("seed {}, {} flights a day", self.seed, self.flights);
        match std::fs::read_to_string(&file) {
            Ok(text) if text.trim() == airport => {}
            Ok(text) => {
                let text = format!(
                    "{} holds another airport ({}): choose another --data-dir, or the same --seed and --flights",
                    directory.display(),
                    text.trim()
                );
                return Err(Refused(vec![text]).into());
            }
            Err(_) => std::fs::write(&file, airport).with_context(|| file.display().to_string())?,
        }
        Self::alone(&file)
    }

    /// Two upstreams would give the same IDs to different letters. The lock lasts as long as the process.
    fn alone(file: &Path) -> anyhow::Result<()> {
        let locked = std::fs::File::open(file).with_context(|| file.display().to_string())?;
        if locked.try_lock().is_err() {
            let text = format!("another demo uses {}: stop it, or choose another --data-dir", file.display());
            return Err(Refused(vec![text]).into());
        }
        std::mem::forget(locked);
        Ok(())
    }

    fn configure(&self, config: &mut Config) -> anyhow::Result<()> {
        for key in ["store.url", "mailbox.url", "kafka.bootstrap-servers"] {
            if config.is_set(key) {
                let text = format!(
                    "{key} is set: the demo is embedded and would fill real systems with invented flights; use `msgx run`"
                );
                return Err(Refused(vec![text]).into());
            }
        }
        if let Some(directory) = &self.data_dir {
            config.set("msgx.data-dir", &directory.display().to_string())?;
        } else if !config.is_set("msgx.data-dir") {
            config.set("msgx.data-dir", &self.directory())?;
        }
        self.claim(&data_dir(config)?)?;
        if let Some(port) = self.port {
            config.set("http.port", &port.to_string())?;
        }
        if !config.is_set("log.level") {
            config.set("log.level", "warn")?;
        }
        config.set("mailbox.max-commit-delay", "1 s")?;
        // The airport's days are made up: by today's calendar all of them are history.
        config.set("flight.history-after", "3650 d")?;
        Ok(())
    }
}
