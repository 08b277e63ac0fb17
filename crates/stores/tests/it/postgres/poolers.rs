//! FC-32: a pooler that shares sessions is refused, whatever it lets through.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use stores::postgres::{PostgresStore, SchemaError};
use tempfile::TempDir;

use super::subject::server;

/// What sessions are set to by the pooler itself, so that nothing is missed by looking at settings.
const SETTINGS: &str = "connect_query='set statement_timeout=8000; set search_path=pooled'";

#[tokio::test(flavor = "multi_thread")]
async fn a_pooler_that_shares_sessions_is_refused_with_what_to_do() {
    let passed = "ignore_startup_parameters = extra_float_digits,options";
    for (mode, database, more, words) in [
        ("transaction", "", "", "refuses the settings of a session"),
        ("transaction", "", passed, "don't reach the server"),
        ("transaction", SETTINGS, passed, "share one backend"),
        ("statement", SETTINGS, passed, "share one backend"),
        ("session", "", passed, "don't reach the server"),
    ] {
        let refused = Pooler::start(mode, database, more).refusal().await;
        let told = refused.to_string();
        assert!(told.contains(words) && told.contains("store.url"), "{mode} {more}: {told}");
    }
}

struct Pooler {
    child: Child,
    address: String,
    url: String,
    _directory: TempDir,
}

impl Pooler {
    fn start(mode: &str, database: &str, more: &str) -> Self {
        let server = server();
        let url = server.strip_prefix("postgres://").expect("a URL");
        let (user, rest) = url.split_once('@').expect("user@host:port/database");
        let (host, port) =
            rest.split_once('/').map_or((rest, ""), |(place, _)| place.split_once(':').expect("host:port"));
        let own =
            TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("an address").port();
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("pooler.ini");
        let text = format!(
            "[databases]\n* = host={host} port={port} user={user} {database}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {own}\nauth_type = any\npool_mode = {mode}\nunix_socket_dir =\n{more}\n"
        );
        std::fs::write(&file, text).expect("written");
        readable_by_all(directory.path());
        let mut command = Command::new("/usr/sbin/pgbouncer");
        if is_root() {
            command.args(["-u", "nobody"]);
        }
        let child = command.arg(&file).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let address = format!("127.0.0.1:{own}");
        let url = format!("postgres://{user}@{address}/postgres");
        Self { child: child.expect("pgbouncer starts"), address, url, _directory: directory }
    }

    /// What a store says that connects as soon as somebody listens.
    async fn refusal(&mut self) -> SchemaError {
        while TcpStream::connect(&self.address).is_err() {
            let ended = self.child.try_wait().expect("is ours");
            assert!(ended.is_none(), "the pooler ended: {ended:?}");
            std::thread::yield_now();
        }
        match PostgresStore::connect(&self.url, "pooled").await {
            Ok(_) => panic!("{} is taken for a server", self.url),
            Err(error) => error,
        }
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
    }
}

/// It gives up root and reads its file as nobody.
fn readable_by_all(directory: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(directory, std::fs::Permissions::from_mode(0o755)).expect("set");
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().expect("id runs");
    id.stdout.trim_ascii() == b"0"
}
