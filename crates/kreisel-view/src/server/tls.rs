//! HTTPS with a certificate of its own making, for headsets on the local network: they refuse VR without.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::server::TlsStream;

/// Who does not shake hands within this time is let go.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// Connections that may wait to be served.
const WAITING: usize = 64;

/// A listener whose connections are encrypted.
#[derive(Debug)]
pub struct TlsListener {
    ready: mpsc::Receiver<(TlsStream<TcpStream>, SocketAddr)>,
    address: SocketAddr,
}

impl TlsListener {
    /// Makes a certificate for these names and begins to shake hands.
    pub fn new(listener: TcpListener, names: &[String]) -> Result<Self, String> {
        let plain: Vec<String> = names.iter().map(|n| n.trim_matches(['[', ']']).to_string()).collect();
        let own = rcgen::generate_simple_self_signed(plain).map_err(|e| format!("no certificate: {e}"))?;
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(own.signing_key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|b| b.with_no_client_auth().with_single_cert(vec![own.cert.der().clone()], key))
            .map_err(|e| format!("no encryption: {e}"))?;
        let address = listener.local_addr().map_err(|e| e.to_string())?;
        let (shaken, ready) = mpsc::channel(WAITING);
        tokio::spawn(shake_hands(listener, TlsAcceptor::from(Arc::new(config)), shaken));
        Ok(Self { ready, address })
    }
}

/// Every handshake has a task of its own, so that one who dawdles keeps nobody waiting.
async fn shake_hands(
    listener: TcpListener,
    acceptor: TlsAcceptor,
    shaken: mpsc::Sender<(TlsStream<TcpStream>, SocketAddr)>,
) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = shaken.closed() => return,
        };
        let Ok((stream, from)) = accepted else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        super::at_once(&stream);
        let (acceptor, shaken) = (acceptor.clone(), shaken.clone());
        tokio::spawn(async move {
            if let Ok(Ok(stream)) = tokio::time::timeout(HANDSHAKE, acceptor.accept(stream)).await {
                let _ = shaken.send((stream, from)).await;
            }
        });
    }
}

impl axum::serve::Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.ready.recv().await {
            Some(connection) => connection,
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        Ok(self.address)
    }
}
