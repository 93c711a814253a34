//! The server: pages, pictures and the socket, for those who may.

mod gallery;
mod guard;
mod people;
mod rate;
mod routes;
mod socket;
mod tls;

use crate::session::measure::Measures;
use crate::session::source::Source;
use crate::session::{Command, Session, Snapshot};
use crate::{browser, page};
use axum::serve::{Listener, ListenerExt};
use guard::Guard;
use people::People;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::AtomicU32;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Memory for the way back [bytes].
const HISTORY: usize = 256 << 20;
/// Commands that may wait.
const MOST_COMMANDS: usize = 1024;

/// How the viewer is started.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is shown first; `None`: the gallery.
    pub source: Option<Source>,
    /// Port; 0: any.
    pub port: u16,
    /// Which address to listen on; `None`: loopback, or all with `lan`.
    pub bind: Option<IpAddr>,
    /// For others on the local network: encrypted, and only with the token of the printed link.
    pub lan: bool,
    /// Open the browser.
    pub open: bool,
    /// Memory for the way back [bytes].
    pub history: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { source: None, port: 0, bind: None, lan: false, open: false, history: HISTORY }
    }
}

/// Why the viewer does not start.
#[derive(Debug)]
pub struct ViewError(pub String);

impl std::fmt::Display for ViewError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ViewError {}

/// What all who serve share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) guard: Guard,
    pub(crate) people: People,
    pub(crate) commands: SyncSender<Command>,
    pub(crate) snapshots: watch::Receiver<Snapshot>,
    pub(crate) measures: Arc<Mutex<Measures>>,
    pub(crate) gallery: gallery::Gallery,
    pub(crate) closing: watch::Receiver<bool>,
}

/// A running viewer.
#[derive(Debug)]
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    /// What to open in the browser.
    pub link: String,
    /// The link as a pattern that phones and headsets read, for `--lan`.
    pub code: Option<String>,
    commands: SyncSender<Command>,
    close: watch::Sender<bool>,
    task: tokio::task::JoinHandle<()>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// Starts the viewer.
pub async fn start(options: Options) -> Result<Server, ViewError> {
    let any = if options.lan { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
    let bind = options.bind.unwrap_or(IpAddr::V4(any));
    if !bind.is_loopback() && !options.lan {
        return Err(ViewError("beyond loopback the viewer is only served with --lan".into()));
    }
    let place = SocketAddr::new(bind, options.port);
    let busy = |e: std::io::Error| ViewError(format!("cannot listen on {place}: {e}; choose another --port"));
    let listener = TcpListener::bind(place).await.map_err(busy)?;
    let address = listener.local_addr().map_err(busy)?;
    let (shared, thread, close) = stage(&options, address)?;
    let (commands, link) = (shared.commands.clone(), shared.guard.link());
    let code = options.lan.then(|| qr_code(&link));
    let router = routes::router(shared.clone());
    let mut closing = shared.closing.clone();
    let ended = async move {
        let _ = closing.wait_for(|closed| *closed).await;
    };
    let task = match options.lan {
        true => {
            let listener = tls::TlsListener::new(listener, &shared.guard.names()).map_err(ViewError)?;
            tokio::spawn(async move {
                let _ = axum::serve(listener, router).with_graceful_shutdown(ended).await;
            })
        }
        false => tokio::spawn(async move {
            let _ = axum::serve(prompt(listener), router).with_graceful_shutdown(ended).await;
        }),
    };
    if options.open && page::is_there() {
        browser::open(&link);
    }
    Ok(Server { address, link, code, commands, close, task, thread: Some(thread) })
}

/// A listener whose lines send at once.
fn prompt(listener: TcpListener) -> impl Listener<Io = TcpStream, Addr = SocketAddr> {
    listener.tap_io(|line| at_once(line))
}

/// Sends what is written at once. Otherwise a moment waits until the one before is acknowledged, which takes whoever gets it
/// up to 40 ms: he has nothing to say meanwhile.
fn at_once(line: &TcpStream) {
    // A line that cannot do so is slower, no worse.
    let _ = line.set_nodelay(true);
}

type Staged = (Arc<Shared>, std::thread::JoinHandle<()>, watch::Sender<bool>);

/// Starts the thread of the simulation.
fn stage(options: &Options, address: SocketAddr) -> Result<Staged, ViewError> {
    let wants = Arc::new(AtomicU32::new(0));
    let (publish, snapshots) = watch::channel(Snapshot::default());
    let (commands, orders) = sync_channel(MOST_COMMANDS);
    let (close, closing) = watch::channel(false);
    let mut session = Session::new(options.history, wants.clone(), publish);
    if let Some(source) = &options.source {
        session.open(source.clone()).map_err(|t| ViewError(t.text))?;
    }
    let shared = Arc::new(Shared {
        guard: Guard::new(address, options.lan).map_err(ViewError)?,
        people: People::new(wants),
        commands,
        snapshots,
        measures: session.measures(),
        gallery: gallery::Gallery::default(),
        closing,
    });
    let thread = std::thread::Builder::new().name("simulation".into()).spawn(move || session.run(&orders));
    let thread = thread.map_err(|e| ViewError(format!("no thread for the simulation: {e}")))?;
    Ok((shared, thread, close))
}

fn qr_code(link: &str) -> String {
    let code = qrcode::QrCode::new(link.as_bytes());
    code.map(|c| c.render::<qrcode::render::unicode::Dense1x2>().quiet_zone(true).build()).unwrap_or_default()
}

impl Server {
    /// Waits for Ctrl-C, then ends.
    pub async fn run_until_interrupted(self) {
        let _ = tokio::signal::ctrl_c().await;
        self.end().await;
    }

    /// Ends: sockets are closed, the simulation stops.
    pub async fn end(mut self) {
        let _ = self.close.send(true);
        let _ = self.commands.try_send(Command::Quit);
        let _ = tokio::time::timeout(std::time::Duration::from_secs(2), &mut self.task).await;
        self.task.abort();
        if let Some(thread) = self.thread.take() {
            // A frame that is under way may take its time; the process need not wait for it.
            let joined = tokio::task::spawn_blocking(move || thread.join());
            let _ = tokio::time::timeout(std::time::Duration::from_secs(2), joined).await;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_send_at_once() {
        let mut listener = prompt(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap());
        let _watcher = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (line, _) = listener.accept().await;
        assert!(line.nodelay().unwrap());
    }
}
