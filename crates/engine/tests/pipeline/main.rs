//! The engine on in-memory adapters and a clock that a test moves: what it does with messages,
//! failures and time. A file per room.

mod actions;
mod archive;
mod continuity;
mod delivery;
mod discovery;
mod evidence;
mod house;
mod jobs;
mod leadership;
mod letters;
mod lone_tries;
mod marks;
mod nights;
mod pauses;
mod pump;
mod reconcile;
mod retention;
mod series;
mod storm;
mod turns;
