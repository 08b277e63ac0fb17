//! A network between mailbox and server that a test can cut, or hang: bytes are swallowed, and
//! nobody is told.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::future::{Either, select};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A network under way.
pub(super) struct Network {
    /// Where it leads in.
    pub(super) port: u16,
    state: Arc<State>,
}

struct State {
    hung: AtomicBool,
    /// How often connections were cut; each carries its own number.
    cuts: watch::Sender<u64>,
}

impl Network {
    /// To a server on this machine.
    pub(super) async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let own = listener.local_addr().expect("an address").port();
        let state = Arc::new(State { hung: AtomicBool::new(false), cuts: watch::Sender::new(0) });
        let shared = state.clone();
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let state = shared.clone();
                tokio::spawn(async move {
                    let Ok(far) = TcpStream::connect(("127.0.0.1", port)).await else { return };
                    let (near_read, near_write) = near.into_split();
                    let (far_read, far_write) = far.into_split();
                    tokio::spawn(carry(near_read, far_write, state.clone()));
                    tokio::spawn(carry(far_read, near_write, state));
                });
            }
        });
        Self { port: own, state }
    }

    /// Swallows every byte from now on, in both directions, of old connections and new ones.
    pub(super) fn hang(&self) {
        self.state.hung.store(true, Ordering::SeqCst);
    }

    /// Carries again: new connections, and the old ones' later bytes.
    pub(super) fn recover(&self) {
        self.state.hung.store(false, Ordering::SeqCst);
    }

    /// Ends every connection.
    pub(super) fn cut(&self) {
        self.state.cuts.send_modify(|cuts| *cuts += 1);
    }
}

#[expect(clippy::disallowed_methods, reason = "the network itself, no call of a port")]
async fn carry(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, state: Arc<State>) {
    let mut cut = state.cuts.subscribe();
    let mut bytes = vec![0; 64 * 1024];
    loop {
        let read = {
            let (cut, read) = (pin!(cut.changed()), pin!(from.read(&mut bytes)));
            match select(cut, read).await {
                Either::Left(_) => return,
                Either::Right((read, _)) => read,
            }
        };
        let Ok(count @ 1..) = read else { return };
        if !state.hung.load(Ordering::SeqCst) && to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}
