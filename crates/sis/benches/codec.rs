//! Speed of the codec in bytes of XML per second and core, step by step.
//!
//! `decode` is `read` and `body`: all a message takes before anything is decided about it; `hash` its
//! fingerprint, `pump` all three as the pipeline does them, `encode` the way back, `json` the
//! message for people, with each time in the airport's zone.

use std::hint::black_box;

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use sis::{Carrier, Dictionary, Envelope, Limits, Message};

#[path = "../tests/it/samples.rs"]
mod samples;

fn codec(criterion: &mut Criterion) {
    let flops: Vec<String> = samples::FLOPS.iter().map(|(_, text)| (*text).to_owned()).collect();
    measure(criterion, "flops", &flops);
    measure(criterion, "schedule-300", &[samples::schedule_of(300)]);
}

fn measure(criterion: &mut Criterion, name: &str, texts: &[String]) {
    let mut group = criterion.benchmark_group(name);
    group.throughput(bytes(texts));
    group.bench_function("decode", |bencher| bencher.iter(|| texts.iter().map(decode).for_each(consume)));
    group.bench_function("read", |bencher| bencher.iter(|| texts.iter().map(read).for_each(consume)));
    group.bench_function("pump", |bencher| bencher.iter(|| texts.iter().map(pump).for_each(consume)));
    let envelopes: Vec<Envelope> = texts.iter().map(read).collect();
    group.bench_function("hash", |bencher| {
        bencher.iter(|| envelopes.iter().map(Envelope::content_hash).for_each(consume));
    });
    group.bench_function("body", |bencher| {
        bencher.iter(|| envelopes.iter().map(body).for_each(consume));
    });
    encode(&mut group, texts);
    group.finish();
}

fn encode(group: &mut BenchmarkGroup<'_, WallTime>, texts: &[String]) {
    let messages: Vec<Message> = texts.iter().map(decode).collect();
    let encoded: Vec<String> = messages.iter().map(sis::encode).collect();
    group.throughput(bytes(&encoded));
    group.bench_function("encode", |bencher| {
        bencher.iter(|| messages.iter().map(sis::encode).for_each(consume));
    });
    group.throughput(bytes(texts));
    let zone = jiff::tz::TimeZone::get("Asia/Shanghai").expect("the zone of the format");
    group.bench_function("json", |bencher| {
        bencher.iter(|| messages.iter().map(|one| sis::json::message(one, &zone)).for_each(consume));
    });
}

fn bytes(texts: &[String]) -> Throughput {
    Throughput::Bytes(texts.iter().map(|text| text.len() as u64).sum())
}

fn read(text: &String) -> Envelope {
    sis::read(text.as_bytes(), Carrier::Text, &Limits::default()).expect("a good sample")
}

fn decode(text: &String) -> Message {
    let message = sis::decode(text.as_bytes(), Carrier::Text, &Limits::default(), Dictionary::baseline());
    message.expect("a good sample")
}

fn body(envelope: &Envelope) -> sis::Body {
    envelope.body(Dictionary::baseline()).expect("a good sample")
}

fn pump(text: &String) -> ([u8; 32], sis::Body) {
    let envelope = read(text);
    (envelope.content_hash(), body(&envelope))
}

fn consume<T>(value: T) {
    black_box(value);
}

criterion_group!(benches, codec);
criterion_main!(benches);
