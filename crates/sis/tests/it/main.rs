//! The format from outside: every sample, every refusal, and the way back.

mod bodies;
mod charsets;
mod docs;
mod fixtures;
mod hash;
mod hostile;
mod malformed;
mod oddities;
mod overlay;
mod personal;
mod references;
mod roundtrip;
mod samples;
mod subtypes;
mod support;
mod values;
