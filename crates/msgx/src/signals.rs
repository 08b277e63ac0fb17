//! How the process is told to stop.

use std::time::Duration;

use engine::Stop;

/// Ctrl-C or SIGTERM: the work in hand is finished. A second one, or a step that takes longer than
/// `patience`, ends the process at once, which loses nothing.
pub(crate) async fn stop_on_signal(stop: Stop, patience: Duration) {
    signalled().await;
    stop.stop();
    tokio::spawn(give_up(patience));
    signalled().await;
    std::process::exit(130);
}

#[expect(clippy::disallowed_methods, reason = "a stop must end even if a server doesn't answer")]
async fn give_up(patience: Duration) {
    tokio::time::sleep(patience).await;
    eprintln!(
        "msgx: the work in hand did not end within msgx.shutdown-timeout; the next start takes it up again"
    );
    std::process::exit(1);
}

#[expect(clippy::disallowed_methods, reason = "two signals are waited for, no call to a port")]
async fn signalled() {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate()).expect("SIGTERM can be listened to");
    let mut interrupt = signal(SignalKind::interrupt()).expect("SIGINT can be listened to");
    let (terminate, interrupt) = (std::pin::pin!(terminate.recv()), std::pin::pin!(interrupt.recv()));
    futures::future::select(terminate, interrupt).await;
}
