//! Whose name a request may come under. A page of somebody else can have its own name resolve to
//! this machine and then read, in the visitor's browser, what is served here (DNS rebinding); the
//! `Host` header still tells that name.

use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The names served; all of them where the address is open to others anyway and nobody named any.
#[derive(Debug, Clone)]
pub(crate) struct Hosts(Option<Arc<Names>>);

#[derive(Debug)]
struct Names {
    bound: IpAddr,
    names: BTreeSet<String>,
}

impl Hosts {
    /// For an address that was given as `bind` and opened as `bound`; `allowed` are further names.
    pub(crate) fn new(bind: &str, bound: SocketAddr, allowed: &[&str]) -> Self {
        if !bound.ip().is_loopback() && allowed.is_empty() {
            return Self(None);
        }
        let names = allowed.iter().filter_map(|name| host(name));
        let names = names.chain(["localhost".to_owned(), bind.to_ascii_lowercase()]).collect();
        Self(Some(Arc::new(Names { bound: bound.ip(), names })))
    }

    fn serves(&self, authority: &str) -> bool {
        let Some(names) = &self.0 else { return true };
        let Some(host) = host(authority) else { return false };
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        names.names.contains(&host)
            || address.is_ok_and(|address| address.is_loopback() || address == names.bound)
    }
}

/// The host of `host` or `host:port`, in small letters; `None` if it is neither.
pub(crate) fn host(authority: &str) -> Option<String> {
    let parsed: Authority = authority.parse().ok()?;
    let host = parsed.host().trim_end_matches('.').to_ascii_lowercase();
    (!host.is_empty() && !authority.contains('@')).then_some(host)
}

/// Answers 421 to requests under other names. A request without one comes from no browser.
pub(super) async fn refuse_others(State(hosts): State<Hosts>, request: Request, next: Next) -> Response {
    let headers = request.headers().get_all(header::HOST).into_iter();
    let headers = headers.map(|value| value.to_str().unwrap_or_default());
    let mut named = headers.chain(request.uri().authority().map(Authority::as_str));
    match named.find(|name| !hosts.serves(name)).map(str::to_owned) {
        None => next.run(request).await,
        Some(name) => {
            let words =
                format!("{name:?} is not served here: add it to http.allowed-hosts, or use localhost\n");
            (StatusCode::MISDIRECTED_REQUEST, words).into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_loopback_only_its_own_names_and_those_allowed_are_served() {
        let bound = "127.0.0.1:8390".parse().expect("an address");
        let hosts = Hosts::new("127.0.0.1", bound, &["Msgx.Airport.example", "proxy:80"]);
        for name in [
            "localhost",
            "LOCALHOST:8390",
            "localhost.",
            "127.0.0.1:8390",
            "127.0.0.2",
            "[::1]:8390",
            "msgx.airport.example",
            "msgx.airport.example:443",
            "proxy",
        ] {
            assert!(hosts.serves(name), "{name}");
        }
        for name in [
            "evil.example",
            "evil.example:8390",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "",
            ":8390",
            "10.0.0.1",
            "localhost@evil.example",
            "evil.example@localhost",
            "[::2]",
            "a b",
        ] {
            assert!(!hosts.serves(name), "{name}");
        }
    }

    #[test]
    fn an_address_open_to_others_serves_every_name_until_some_are_named() {
        let bound = "10.1.2.3:8390".parse().expect("an address");
        assert!(Hosts::new("10.1.2.3", bound, &[]).serves("anything.example"));
        let named = Hosts::new("10.1.2.3", bound, &["msgx.example"]);
        assert!(named.serves("msgx.example") && named.serves("10.1.2.3:8390") && named.serves("localhost"));
        assert!(!named.serves("anything.example"));
    }
}
