//! A daily schedule of 300 flights through the pump on PostgreSQL: head, read, world, decision, and the
//! one transaction that commits it. Every schedule changes each of its flights.
//!
//! `cargo xtask servers -- cargo bench -p stores`

mod pump;

use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use domain::decide::Policy;
use domain::message::StoredBody;
use domain::{Epoch, MsgId};
use engine::ports::{Cursor, Enqueue, Landed, Store};
use stores::postgres::PostgresStore;

const FLIGHTS: i64 = 300;

fn schedule(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let place = runtime.block_on(Place::fresh());
    let mut group = criterion.benchmark_group("schedule-300");
    group.sample_size(20).measurement_time(Duration::from_secs(10));
    group.bench_function("pump", |bencher| {
        bencher.iter_custom(|times| runtime.block_on(place.pump(times)));
    });
    group.finish();
    runtime.block_on(place.close());
}

struct Place {
    store: PostgresStore,
    epoch: Epoch,
    policy: Policy,
}

impl Place {
    async fn fresh() -> Self {
        let (store, epoch) = pump::store().await;
        store.start_at(epoch, MsgId(0), &[], pump::at()).await.expect("starts");
        Self { store, epoch, policy: pump::policy() }
    }

    /// The time that `times` schedules take, one after the other.
    async fn pump(&self, times: u64) -> Duration {
        let mut taken = Duration::ZERO;
        for _ in 0..times {
            self.land().await;
            let begun = pump::now();
            let written = pump::step(&self.store, self.epoch, &self.policy).await;
            taken += begun.elapsed();
            assert_eq!(written as i64, FLIGHTS, "every flight changes");
        }
        taken
    }

    async fn land(&self) {
        let Cursor { watermark } = self.store.cursor().await.expect("answers").expect("started");
        let id = MsgId(watermark.0 + 1);
        let body = StoredBody::Bytes(letter(id.0).into_bytes());
        let rows = vec![Landed { id, received_at: None, body }];
        let enqueue = Enqueue { from: watermark, to: id, rows, ledger: None, at: pump::at() };
        self.store.enqueue(self.epoch, &enqueue).await.expect("enqueued");
    }

    async fn close(self) {
        self.store.drop_schema().await.expect("dropped");
        self.store.close().await;
    }
}

/// A schedule unlike any other: the stands move with every number.
fn letter(number: i64) -> String {
    let flights: String = (1..=FLIGHTS).map(|flid| flight(flid, number)).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><MSG><META><SNDR>AODB</SNDR><SEQN>{number}</SEQN>\
         <DTTM>20260406221007</DTTM><TYPE>SCHD</TYPE><STYP>DNLD</STYP></META>\
         <SCHD><RECS>{FLIGHTS}</RECS>{flights}</SCHD></MSG>"
    )
}

fn flight(flid: i64, number: i64) -> String {
    let stand = 100 + (flid + number) % 97;
    format!(
        "<FLTR><FLID>{flid}</FLID><ALCD>ZZ</ALCD><FLNO>ZZ{flid}</FLNO><MVIN>D</MVIN><SODT>07APR260945</SODT>\
         <FLTY>J</FLTY><FLIN>D</FLIN><ROUT RTNO=\"1\"><APCD>KMG</APCD><SCAT>07APR261320</SCAT></ROUT>\
         <ACFT>32N</ACFT><RENO>B90QX</RENO><TRML>T1</TRML><MAXP>174</MAXP>\
         <CHDT CHNO=\"1\"><CHUT>R07</CHUT><CCLS>Y</CCLS><PCBT>07APR260745</PCBT><PCET>07APR260925</PCET><CTYP>D</CTYP></CHDT>\
         <GTDT GTNO=\"1\"><GATE>A12</GATE><PGOT>07APR260905</PGOT><PGCT>07APR260930</PGCT><GTYP>D</GTYP></GTDT>\
         <STND>{stand}</STND><PSDT PSNO=\"1\"><PSST>{stand}</PSST><STST>07APR260835</STST><STET>07APR260955</STET></PSDT>\
         <CKDT CKNO=\"1\"><CHKC>F21</CHKC><CCLS>Y</CCLS><PCOT>07APR260745</PCOT><PCCT>07APR260900</PCCT><CTYP>D</CTYP></CKDT>\
         <CKDT CKNO=\"2\"><CHKC>F22</CHKC><CCLS>F</CCLS><PCOT>07APR260745</PCOT><PCCT>07APR260900</PCCT><CTYP>D</CTYP></CKDT>\
         <PHAG>310442</PHAG><FHAG>310442</FHAG><MHAG>310518</MHAG><REMC>有轮椅旅客两名</REMC>\
         <ERUT RTNO=\"1\"><APCD>TAO</APCD><SCDT>07APR260945</SCDT></ERUT>\
         <ERUT RTNO=\"2\"><APCD>KMG</APCD><SCAT>07APR261320</SCAT></ERUT>\
         <TOBT>07APR260942</TOBT><RUNW>17R</RUNW></FLTR>"
    )
}

criterion_group!(benches, schedule);
criterion_main!(benches);
