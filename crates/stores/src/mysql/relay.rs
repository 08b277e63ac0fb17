//! The way to the server: the bytes of each connection pass through here, and one over which nothing
//! has come or gone for too long is cut.
//!
//! The driver sets no limits on its sockets, and a network may swallow packets without a word: a call
//! would wait for ever. It must not be cancelled from outside, since a query that is dropped half-way
//! leaves its connection out of step. A connection that is cut is an error like any other: the call
//! ends by itself, its connection is thrown away, and the next call makes a new one.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::future::{Either, select};
use sqlx::mysql::MySqlConnectOptions;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpStream, UnixListener, UnixStream};
use tokio::task::JoinHandle;

/// Longest wait for the server to take a connection.
const CONNECT_MAX: Duration = Duration::from_secs(5);

/// Bytes carried at a time.
const PIECE: usize = 64 * 1024;

/// The server's numbers for "can't connect" and "lost the connection", which drivers say themselves.
const CANNOT_CONNECT: u16 = 2003;
const LOST: u16 = 2013;

static RELAYS: AtomicU64 = AtomicU64::new(0);

/// A relay that works until it is dropped.
#[derive(Debug)]
pub(super) struct Relay(JoinHandle<()>);

impl Drop for Relay {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Options that lead to the same server through a relay, which cuts connections that are silent for
/// `silence_max`. Must be called within a Tokio runtime.
pub(super) fn through_relay(
    options: MySqlConnectOptions,
    silence_max: Duration,
) -> io::Result<(MySqlConnectOptions, Option<Arc<Relay>>)> {
    if options.get_socket().is_some() {
        // No network in between.
        return Ok((options, None));
    }
    let name = name();
    let listener = UnixListener::bind(&name)?;
    let way = Arc::new(Way { host: options.get_host().to_owned(), port: options.get_port(), silence_max });
    let relay = Relay(tokio::spawn(accept(listener, way)));
    Ok((options.socket(name), Some(Arc::new(relay))))
}

/// A name that is no file: it ends with its process.
fn name() -> PathBuf {
    let (process, number) = (std::process::id(), RELAYS.fetch_add(1, Ordering::Relaxed));
    let name = format!("\0msgx/mailbox/{process}/{number}");
    Path::new(OsStr::from_bytes(name.as_bytes())).to_owned()
}

struct Way {
    host: String,
    port: u16,
    silence_max: Duration,
}

async fn accept(listener: UnixListener, way: Arc<Way>) {
    while let Ok((near, _)) = listener.accept().await {
        // Any program of this machine knows the name; nobody but ourselves is let through.
        let ours = near.peer_cred().ok().and_then(|peer| peer.pid());
        if ours.and_then(|pid| u32::try_from(pid).ok()) == Some(std::process::id()) {
            tokio::spawn(carry(near, way.clone()));
        }
    }
}

/// Carries the bytes of one connection until either side ends it or both are silent.
async fn carry(mut near: UnixStream, way: Arc<Way>) {
    let mut far = match connect(&way).await {
        Ok(far) => far,
        Err(error) => {
            let words = format!("can't connect to {}:{}: {error}", way.host, way.port);
            say(&mut near, 0, CANNOT_CONNECT, &words).await;
            return;
        }
    };
    if let End::Silent { unanswered: true } = carry_bytes(&mut near, &mut far, way.silence_max).await {
        let (host, port, silence) = (&way.host, way.port, way.silence_max);
        say(&mut near, 1, LOST, &format!("{host}:{port} has not answered for {silence:?}")).await;
    }
}

#[expect(clippy::disallowed_methods, reason = "no call of a port: it limits the making of a socket")]
async fn connect(way: &Way) -> io::Result<TcpStream> {
    let far = tokio::time::timeout(CONNECT_MAX, TcpStream::connect((way.host.as_str(), way.port))).await??;
    far.set_nodelay(true)?;
    Ok(far)
}

/// Why no more bytes are carried.
enum End {
    /// One side has ended it, or can't be written to.
    Over,
    /// Nothing came from either; `unanswered`: the server was asked last, so that an answer of ours
    /// takes the place of its own.
    Silent { unanswered: bool },
}

#[expect(clippy::disallowed_methods, reason = "sockets, no calls of a port")]
async fn carry_bytes(near: &mut UnixStream, far: &mut TcpStream, silence_max: Duration) -> End {
    let (mut near_read, mut near_write) = near.split();
    let (mut far_read, mut far_write) = far.split();
    let (mut asked, mut answered) = (vec![0; PIECE], vec![0; PIECE]);
    let mut unanswered = false;
    loop {
        let read = {
            let (ask, answer) = (pin!(near_read.read(&mut asked)), pin!(far_read.read(&mut answered)));
            // Reading may be given up without loss: what was not read is still there.
            match tokio::time::timeout(silence_max, select(ask, answer)).await {
                Ok(Either::Left((read, _))) => (true, read),
                Ok(Either::Right((read, _))) => (false, read),
                Err(_) => return End::Silent { unanswered },
            }
        };
        let written = match read {
            (true, Ok(count @ 1..)) => {
                unanswered = true;
                tokio::time::timeout(silence_max, far_write.write_all(&asked[..count])).await
            }
            (false, Ok(count @ 1..)) => {
                unanswered = false;
                tokio::time::timeout(silence_max, near_write.write_all(&answered[..count])).await
            }
            (_, Ok(0) | Err(_)) => return End::Over,
        };
        match written {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return End::Over,
            Err(_) => return End::Silent { unanswered },
        }
    }
}

/// Tells the driver in the server's own form.
async fn say(near: &mut UnixStream, sequence: u8, number: u16, words: &str) {
    let mut text = vec![0xff];
    text.extend(number.to_le_bytes());
    text.extend(b"#HY000");
    text.extend(words.as_bytes());
    let length = u32::try_from(text.len()).unwrap_or(0).to_le_bytes();
    let mut packet = vec![length[0], length[1], length[2], sequence];
    packet.extend(text);
    // Whoever doesn't hear it learns from the end of the connection that there was an error.
    let _unheard = near.write_all(&packet).await;
}
