//! A viewer on loopback and a client that reads it.
#![allow(clippy::unwrap_used, dead_code)]

use futures_util::{SinkExt, StreamExt};
use kreisel_view::{Options, Server, Source, start};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Nothing takes longer than this, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A viewer of a scene.
pub async fn viewer(scene: &str) -> Server {
    let source = Some(Source::Scene(scene.into()));
    start(Options { source, ..Options::default() }).await.unwrap()
}

/// One watcher.
pub struct Client {
    pub socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub status: Value,
    pub people: Value,
    pub me: u64,
    pub refused: Vec<String>,
    /// The newest section of each kind.
    pub sections: BTreeMap<u32, Vec<u8>>,
    pub bytes: usize,
}

impl Client {
    pub async fn connect(server: &Server) -> Self {
        let (socket, _) = connect_async(format!("ws://{}/socket", server.address)).await.unwrap();
        let (sections, refused) = (BTreeMap::new(), Vec::new());
        Self { socket, status: Value::Null, people: Value::Null, me: 0, refused, sections, bytes: 0 }
    }

    pub async fn say(&mut self, text: &str) {
        let _ = self.socket.send(Message::text(text.to_string())).await;
    }

    /// Reads one message; false at the end.
    pub async fn read(&mut self) -> bool {
        let next = tokio::time::timeout(PATIENCE, self.socket.next()).await;
        assert!(next.is_ok(), "nothing comes: {} {} {:?}", self.status, self.people, self.refused);
        match next.ok().flatten() {
            Some(Ok(Message::Binary(bytes))) => self.take(&bytes),
            Some(Ok(Message::Text(text))) => {
                let word: Value = serde_json::from_str(text.as_str()).unwrap();
                if let Some(id) = word.pointer("/hello/id") {
                    self.me = id.as_u64().unwrap();
                }
                if let Some(reason) = word.get("refused") {
                    self.refused.push(reason.as_str().unwrap().into());
                }
            }
            Some(Ok(_)) => {}
            Some(Err(_)) | None => return false,
        }
        true
    }

    fn take(&mut self, bytes: &[u8]) {
        assert_eq!((&bytes[..4], &bytes[4..8]), (&b"KRV1"[..], &kreisel_view::wire::VERSION.to_le_bytes()[..]));
        self.bytes += bytes.len();
        let mut at = 8;
        while at + 8 <= bytes.len() {
            let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            let (tag, length) = (number(at), number(at + 4) as usize);
            let contents = bytes[at + 8..at + 8 + length].to_vec();
            match tag {
                1 => self.status = serde_json::from_slice(&contents).unwrap(),
                12 => self.people = serde_json::from_slice(&contents).unwrap(),
                _ => {}
            }
            self.sections.insert(tag, contents);
            at += (8 + length).next_multiple_of(8);
        }
    }

    /// Reads until something holds.
    pub async fn until(&mut self, holds: impl Fn(&Self) -> bool) {
        while !holds(self) {
            assert!(self.read().await, "the line ended");
        }
    }

    pub fn frame(&self) -> u64 {
        self.status["frame"].as_u64().unwrap_or(0)
    }

    pub fn hash(&self) -> String {
        self.status["hash"].as_str().unwrap_or("").into()
    }

    /// Pauses and gives frame and hash.
    pub async fn pause(&mut self) -> (u64, String) {
        self.say(r#"{"ask":"pause"}"#).await;
        self.until(|c| c.status["running"] == false && !c.hash().is_empty()).await;
        (self.frame(), self.hash())
    }

    /// Goes to a frame and gives the hash there.
    pub async fn seek(&mut self, frame: u64) -> String {
        self.say(&format!(r#"{{"ask":"seek","frame":{frame}}}"#)).await;
        self.until(|c| c.frame() == frame && !c.hash().is_empty()).await;
        self.hash()
    }
}
