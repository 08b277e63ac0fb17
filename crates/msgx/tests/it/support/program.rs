//! The program as a child process: started, asked over HTTP, killed.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Output, Stdio};

/// Path of the binary under test.
pub(crate) const MSGX: &str = env!("CARGO_BIN_EXE_msgx");

/// Runs a command to its end.
pub(crate) fn msgx(arguments: &[&str]) -> Output {
    clean(Command::new(MSGX)).args(arguments).output().expect("msgx runs")
}

/// Runs a command to its end with a standard output of the caller's.
pub(crate) fn msgx_into(arguments: &[&str], stdout: Stdio) -> Output {
    let mut command = clean(Command::new(MSGX));
    command.args(arguments).stdout(stdout).stderr(Stdio::piped());
    command.spawn().and_then(std::process::Child::wait_with_output).expect("msgx runs")
}

/// Without the configuration of whoever runs the tests.
fn clean(mut command: Command) -> Command {
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("MSGX_")) {
        command.env_remove(name);
    }
    command.env_remove("RUST_BACKTRACE");
    command
}

/// A running service; killed when dropped.
pub(crate) struct Program {
    child: Child,
    /// `http://127.0.0.1:port/`.
    pub(crate) address: String,
}

impl Program {
    /// Starts `msgx` and waits until it names its address.
    pub(crate) fn start(arguments: &[String]) -> Self {
        let mut child =
            clean(Command::new(MSGX)).args(arguments).stdout(Stdio::piped()).spawn().expect("msgx starts");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let address = lines
            .find_map(|line| line.ok()?.strip_prefix("open").map(|address| address.trim().to_owned()))
            .expect("the address is named before anything else can fail");
        // What it prints later must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    /// Starts `msgx`, waits for a line of its log with `words` in it, ends it and gives the line.
    pub(crate) fn start_and_read(arguments: &[String], words: &str) -> String {
        let mut command = clean(Command::new(MSGX));
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("msgx starts");
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
        let found = lines.find(|line| line.contains(words));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        found.expect("the line comes")
    }

    /// `kill -9`.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
    }

    /// SIGTERM; the exit code.
    pub(crate) fn stop(mut self) -> Option<i32> {
        self.signal("-TERM");
        self.child.wait().expect("it ends").code()
    }

    /// Sends it a signal, such as `-STOP`.
    pub(crate) fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status().expect("kill runs");
        assert!(sent.success());
    }

    /// Status and body of a page; `None` while nobody answers.
    pub(crate) fn get(&self, path: &str) -> Option<(u16, String)> {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let mut response = agent.get(format!("{}{path}", self.address)).call().ok()?;
        let status = response.status().as_u16();
        Some((status, response.body_mut().read_to_string().ok()?))
    }

    /// The value of a metric without labels; 0 while it isn't there.
    pub(crate) fn metric(&self, name: &str) -> f64 {
        let text = self.get("metrics").map(|(_, body)| body).unwrap_or_default();
        let line =
            text.lines().find(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(' ')));
        line.and_then(|line| line.rsplit(' ').next()?.parse().ok()).unwrap_or(0.0)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already; then there is nothing to do.
        let _ended = self.child.kill();
        let _code = self.child.wait();
    }
}
