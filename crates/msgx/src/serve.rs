//! The service: refuses what must not start, opens the address, runs the engine and the page until
//! it is told to stop. The demo is the same with an upstream of its own.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use engine::ports::{Mailbox, Sink, Store, Views, Wake};
use engine::{Ended, Engine, Stop};
use metrics_exporter_prometheus::PrometheusHandle;
use serde_json::json;
use tokio::task::JoinHandle;

use crate::cli::{Output, Refused, runtime};
use crate::clock::{SystemClock, now};
use crate::config::Config;
use crate::console::Setting;
use crate::demo::{Post, Summary, Upstream};
use crate::http::{self, Anteroom, App, Baseline, Hosts, Witness};
use crate::wiring::{Embedded, Job, Stack, data_dir, places, with_awaited_stack};
use crate::{address, door, settings, signals, telemetry};

/// Runs the service; with `post`, the demo.
pub(crate) fn serve(config: &Config, post: Option<Post>, form: Output) -> anyhow::Result<ExitCode> {
    door::refuse(config).map_err(Refused)?;
    settings::dictionary(config)?;
    telemetry::start(config)?;
    let metrics = telemetry::metrics()?;
    let directory = data_dir(config)?;
    let runtime = runtime()?;
    let code = runtime.block_on(async {
        let listener = address::open(config, post.is_some()).await?;
        let bound = listener.local_addr()?;
        let hosts = Hosts::new(config.text("http.bind"), bound, &config.list("http.allowed-hosts"));
        announce(config, bound, &directory, form);
        let stop = Stop::new();
        tokio::spawn(signals::stop_on_signal(stop.clone(), config.duration("msgx.shutdown-timeout")));
        let setting = Setting {
            demo: post.is_some(),
            embedded: Embedded::of(config).all(),
            places: places(config, &directory),
        };
        let listener = listener.into_std()?;
        let anteroom = Arc::new(Anteroom::new(listener.try_clone()?, hosts.clone(), metrics.clone()));
        let told = |words: &str| anteroom.tell(words);
        let serving = Serving {
            config,
            listener,
            hosts,
            anteroom: anteroom.clone(),
            stop: stop.clone(),
            metrics,
            setting,
            post,
            form,
        };
        let code = with_awaited_stack(config, &stop, told, serving).await?;
        Ok(code.unwrap_or_else(|| stopped(form)))
    });
    // What still runs is reading for a page; nothing of the pipeline is left.
    runtime.shutdown_background();
    code
}

fn announce(config: &Config, address: SocketAddr, directory: &Path, form: Output) {
    let open = format!("http://{address}/");
    let data = Embedded::of(config).any().then(|| directory.display().to_string());
    match form {
        Output::Json => println!("{}", json!({ "open": open, "data": data })),
        Output::Human => {
            println!("open  {open}");
            data.iter().for_each(|data| println!("data  {data}"));
        }
    }
}

struct Serving<'a> {
    config: &'a Config,
    listener: TcpListener,
    hosts: Hosts,
    anteroom: Arc<Anteroom>,
    stop: Stop,
    metrics: PrometheusHandle,
    setting: Setting,
    post: Option<Post>,
    form: Output,
}

impl Job for Serving<'_> {
    type Output = ExitCode;

    async fn run<M: Mailbox, S: Store + Views, K: Sink>(
        self,
        stack: Stack<M, S, K>,
    ) -> anyhow::Result<ExitCode> {
        let clock = Arc::new(SystemClock::new());
        let settings = settings::engine(self.config, owner())?;
        let (dictionary, policy) = (settings.policy.dictionary, settings.policy.clone());
        let Stack { mailbox, store, sink } = stack;
        let engine = Engine::new(mailbox.clone(), store.clone(), sink, clock.clone(), settings);
        let app = App {
            views: store.clone(),
            pulse: engine.pulse(),
            baseline: Baseline::from(&store.five_facts().await?),
            metrics: self.metrics,
            setting: self.setting,
            dictionary,
            policy,
            witness: Witness::of(mailbox.clone()),
        };
        let stop = self.stop;
        let gone = Wake::default();
        stop.rings(&gone);
        self.anteroom.close();
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        tokio::spawn(http::serve(listener, app, self.hosts, async move { gone.rung().await }));
        let bell = engine.bells().discovery;
        let upstream = self.post.map(|post| {
            tokio::spawn(Upstream { mailbox, store, clock, bell, stop: stop.clone() }.play(post))
        });
        let ended = engine.run(&stop).await;
        stop.stop();
        finish(ended, upstream, self.form).await
    }
}

/// Who this process is in the lease: one name per process start, whatever the host is called.
fn owner() -> String {
    let host = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    format!("{}:{}:{}", host.trim(), std::process::id(), now().as_microsecond())
}

async fn finish(
    ended: Ended,
    upstream: Option<JoinHandle<anyhow::Result<Option<Summary>>>>,
    form: Output,
) -> anyhow::Result<ExitCode> {
    if let Ended::Panicked { room, words } = ended {
        anyhow::bail!("{room} broke an invariant and the process ends: {words}");
    }
    let summary = match upstream {
        Some(task) => task.await.context("the demo's upstream")??,
        None => None,
    };
    let Some(summary) = summary else {
        return Ok(stopped(form));
    };
    match form {
        Output::Human => print!("{}", summary.text()),
        Output::Json => println!("{}", summary.json()),
    }
    Ok(if summary.agrees() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn stopped(form: Output) -> ExitCode {
    match form {
        Output::Human => println!("stopped; started again with the same data, it goes on where it was"),
        Output::Json => {}
    }
    ExitCode::SUCCESS
}
