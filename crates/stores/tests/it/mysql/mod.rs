//! The mailbox on a real MariaDB server, which `cargo xtask test` starts.

mod evidence;
mod layouts;
mod locks;
mod network;
mod outages;
mod reading;
mod subject;

mod contract {
    //! What every mailbox must do.
    contract::mailbox_suite!(super::subject::Subject);
}
