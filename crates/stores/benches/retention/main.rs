//! Does clean-up slow the pump down, and do tables stop growing? 300 messages a second go through the
//! pump on PostgreSQL, in turns alone and beside every job that archives or forgets, over tables of size
//! (FC-34). Then on new tables of the same store: what the jobs take away makes room for what comes.
//!
//! `MSGX_BENCH_ROWS=2000000 cargo xtask servers -- cargo bench -p stores --bench retention`
//!
//! `MSGX_BENCH_ROWS`: finished messages, their bodies, and sent events (200,000). `MSGX_BENCH_SECONDS`:
//! length of each turn (10). `MSGX_BENCH_TURNS`: of each kind (5).

mod figures;
mod jobs;
mod letter;
mod place;
#[path = "../pump/mod.rs"]
mod pump;

use std::time::Duration;

use figures::Steps;
use jobs::Swept;
use place::Place;

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let rows = number("MSGX_BENCH_ROWS", 200_000);
        let length = Duration::from_secs(number("MSGX_BENCH_SECONDS", 10));
        let turns = usize::try_from(number("MSGX_BENCH_TURNS", 5)).expect("fits");
        let place = Place::fresh().await;
        println!("filling in {rows} messages, bodies and events");
        place.fill(rows).await;
        beside(&place, length, turns).await;
        place.empty().await;
        growth(&place, length).await;
        println!("deadlocks               {}", place.deadlocks().await);
        place.close().await;
    });
}

/// The pump in turns alone and beside the jobs: what else the machine does meets both alike.
async fn beside(place: &Place, length: Duration, turns: usize) {
    let swept = Swept::default();
    let (mut alone, mut beside, mut ratios) = (Steps::default(), Steps::default(), Vec::new());
    place.pump(length / 2).await;
    for turn in 1..=turns {
        let (without, with) = (place.pump(length).await, place.pump_beside(&swept, length).await);
        let ratio = with.p99().as_secs_f64() / without.p99().as_secs_f64();
        println!("turn {turn}: p99 alone {:.2?}, beside {:.2?}, ratio {ratio:.2}", without.p99(), with.p99());
        ratios.push(ratio);
        alone.add(without);
        beside.add(with);
    }
    ratios.sort_by(f64::total_cmp);
    println!("pump alone              {alone}");
    println!("pump beside the jobs    {beside}");
    println!("p99 beside / alone      {:.2}", beside.p99().as_secs_f64() / alone.p99().as_secs_f64());
    println!("median of the turns     {:.2}", ratios[turns / 2]);
    println!("{swept}");
}

/// The jobs keep up with the pump: after a while the tables need no more room.
async fn growth(place: &Place, length: Duration) {
    const SAMPLES: u32 = 6;
    let swept = Swept::default();
    println!("table sizes in kB while the jobs keep up, every {length:?}:");
    for sample in 1..=SAMPLES {
        place.pump_beside(&swept, length).await;
        place.vacuum().await;
        println!("  {sample}: {}", place.sizes().await);
    }
    println!("{swept}");
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().map_or(default, |text| text.parse().expect("a whole number"))
}
