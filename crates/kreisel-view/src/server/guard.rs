//! Who may: the right host name, no foreign web page, and beyond loopback only with the token.

use axum::http::{HeaderMap, header};
use std::net::{IpAddr, SocketAddr, UdpSocket};

/// Name of the cookie that carries the token.
const COOKIE: &str = "kreisel_token";

/// What is let in.
#[derive(Debug)]
pub struct Guard {
    names: Vec<String>,
    port: u16,
    scheme: &'static str,
    token: Option<String>,
}

/// How a request is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Let in.
    Welcome,
    /// Let in, and may keep the token.
    WelcomeWithToken,
    /// Asked for another host: a page elsewhere has bent a name to this address.
    WrongHost,
    /// Comes from another web page.
    WrongOrigin,
    /// Has no token.
    NoToken,
}

impl Guard {
    /// A guard for an address; for the local network it makes a token.
    pub fn new(address: SocketAddr, lan: bool) -> Result<Self, String> {
        let mut names: Vec<String> = ["localhost", "127.0.0.1", "[::1]"].map(String::from).to_vec();
        if lan {
            let own = if address.ip().is_unspecified() { own_address() } else { Some(address.ip()) };
            names.splice(0..0, own.map(|ip| ip.to_string()));
            names.dedup();
        }
        let token = if lan { Some(new_token()?) } else { None };
        Ok(Self { names, port: address.port(), scheme: if lan { "https" } else { "http" }, token })
    }

    /// Names under which the server is known, without port.
    pub fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// What to open in the browser.
    pub fn link(&self) -> String {
        let name = match self.token {
            Some(_) => self.names.first().map_or("127.0.0.1", String::as_str),
            None => "127.0.0.1",
        };
        let query = self.token.as_ref().map(|t| format!("?token={t}")).unwrap_or_default();
        format!("{}://{name}:{}/{query}", self.scheme, self.port)
    }

    /// Judges a request by its head and its query.
    pub fn judge(&self, headers: &HeaderMap, query: Option<&str>) -> Verdict {
        let text = |name| headers.get(name).and_then(|v| v.to_str().ok());
        let Some(host) = text(header::HOST).filter(|h| self.is_own(h)) else { return Verdict::WrongHost };
        if text(header::ORIGIN).is_some_and(|origin| origin != format!("{}://{host}", self.scheme)) {
            return Verdict::WrongOrigin;
        }
        // A page elsewhere may load pictures and scripts without an origin; the browser says so here.
        if matches!(text(header::HeaderName::from_static("sec-fetch-site")), Some("cross-site"))
            && text(header::UPGRADE).is_some()
        {
            return Verdict::WrongOrigin;
        }
        let Some(token) = &self.token else { return Verdict::Welcome };
        let given = query.and_then(|q| q.split('&').find_map(|pair| pair.strip_prefix("token=")));
        if given.is_some_and(|g| same(g, token)) {
            return Verdict::WelcomeWithToken;
        }
        let cookies = text(header::COOKIE).unwrap_or("");
        let kept = cookies.split(';').find_map(|c| c.trim().strip_prefix(COOKIE)?.strip_prefix('='));
        if kept.is_some_and(|k| same(k, token)) { Verdict::Welcome } else { Verdict::NoToken }
    }

    /// The cookie that keeps the token.
    pub fn cookie(&self) -> Option<String> {
        let token = self.token.as_ref()?;
        Some(format!("{COOKIE}={token}; Path=/; HttpOnly; Secure; SameSite=Strict"))
    }

    fn is_own(&self, host: &str) -> bool {
        let (name, port) = host.rsplit_once(':').filter(|(n, _)| !n.ends_with(':')).unwrap_or((host, ""));
        let default = if self.scheme == "https" { "443" } else { "80" };
        let port = if port.is_empty() { default } else { port };
        port == self.port.to_string() && self.names.iter().any(|n| n.eq_ignore_ascii_case(name))
    }
}

/// Compares in a time that does not tell how much agrees.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |d, (x, y)| d | (x ^ y)) == 0
}

fn new_token() -> Result<String, String> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).map_err(|e| format!("no random numbers for a token: {e}"))?;
    Ok(bytes.iter().map(|b| format!("{b:02x}")).collect())
}

/// The address that others on the local network see: the one that packets to elsewhere would leave by. Nothing is sent.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    socket.local_addr().ok().map(|a| a.ip())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn heads(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(k, v)| (header::HeaderName::from_static(k), v.parse().unwrap())).collect()
    }

    fn judge(lan: bool, pairs: &[(&'static str, &str)], query: Option<&str>) -> Verdict {
        Guard::new("127.0.0.1:4000".parse().unwrap(), lan).unwrap().judge(&heads(pairs), query)
    }

    #[test]
    fn only_the_own_names_and_port_are_hosts() {
        for host in ["127.0.0.1:4000", "localhost:4000", "LOCALHOST:4000", "[::1]:4000"] {
            assert_eq!(judge(false, &[("host", host)], None), Verdict::Welcome, "{host}");
        }
        for host in ["evil.example:4000", "127.0.0.1:4001", "127.0.0.1", "", "localhost:4000.evil"] {
            assert_eq!(judge(false, &[("host", host)], None), Verdict::WrongHost, "{host}");
        }
        assert_eq!(judge(false, &[], None), Verdict::WrongHost);
    }

    #[test]
    fn other_web_pages_are_kept_out() {
        let from = |origin| judge(false, &[("host", "localhost:4000"), ("origin", origin)], None);
        assert_eq!(from("http://localhost:4000"), Verdict::Welcome);
        for origin in ["http://evil.example", "null", "https://localhost:4000", "http://localhost:4001"] {
            assert_eq!(from(origin), Verdict::WrongOrigin, "{origin}");
        }
    }

    #[test]
    fn on_the_local_network_everything_needs_the_token() {
        let guard = Guard::new("127.0.0.1:4000".parse().unwrap(), true).unwrap();
        let token = guard.token.clone().unwrap();
        let host = heads(&[("host", "127.0.0.1:4000")]);
        assert_eq!(guard.judge(&host, None), Verdict::NoToken);
        assert_eq!(guard.judge(&host, Some("token=0123")), Verdict::NoToken);
        assert_eq!(guard.judge(&host, Some(&format!("a=1&token={token}"))), Verdict::WelcomeWithToken);
        let kept = format!("x=1; kreisel_token={token}");
        assert_eq!(guard.judge(&heads(&[("host", "127.0.0.1:4000"), ("cookie", &kept)]), None), Verdict::Welcome);
        assert!(guard.link().starts_with("https://127.0.0.1:4000/?token=") && token.len() == 32);
    }
}
