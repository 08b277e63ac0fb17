//! Prints the JSON Schema of a topic's values, `msg` or `schd`: what `cargo xtask gen` publishes.

use domain::event::schema::{change_schema, flight_schema};
use sis::Dictionary;

fn main() -> Result<(), String> {
    let schema = match std::env::args().nth(1).as_deref() {
        Some("msg") => change_schema(Dictionary::baseline()),
        Some("schd") => flight_schema(Dictionary::baseline()),
        Some(_) | None => return Err("say which: msg or schd".into()),
    };
    println!("{schema:#}");
    Ok(())
}
