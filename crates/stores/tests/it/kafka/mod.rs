//! The sink on a real Kafka broker, which `cargo xtask test` starts.

mod cluster;
mod subject;

mod contract {
    //! What every sink must do.
    contract::sink_suite!(super::subject::Subject);
}
