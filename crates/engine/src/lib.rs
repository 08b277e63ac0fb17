//! The loops that make decisions happen. Async, but it names no database, broker or protocol:
//! it speaks to [`ports`] alone.

pub mod ports;
