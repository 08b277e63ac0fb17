//! The binary from outside: its commands, and the pipeline on real servers. Messages go in by plain
//! SQL, records come out by a Kafka consumer, marks are read by SQL.

mod actions;
mod check;
mod check_first;
mod command_line;
mod crash;
mod demo;
mod gaps;
mod hostile;
mod overlay;
mod page;
mod passport;
mod pipeline;
mod reconcile;
mod schemas;
mod start;
mod story;
mod support;
mod take_over;
