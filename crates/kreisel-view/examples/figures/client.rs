//! Watchers that read and do not draw, and one that does not even read.

use crate::Failure;
use futures_util::StreamExt;
use kreisel_view::Server;
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message;

/// A watcher that reads and does not draw.
pub struct Client {
    socket: tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>,
    /// The frame that he saw last.
    pub frame: u64,
    /// True if time went on then.
    pub running: bool,
    /// What the way back takes [bytes].
    pub history: u64,
    /// What he has read [bytes].
    pub bytes: usize,
    /// The largest message since this was set to zero [bytes].
    pub largest: usize,
    /// Messages that he has read.
    pub messages: usize,
}

impl Client {
    /// A new watcher.
    pub async fn connect(server: &Server) -> Result<Self, Failure> {
        let (socket, _) = tokio_tungstenite::connect_async(format!("ws://{}/socket", server.address)).await?;
        Ok(Self { socket, frame: 0, running: true, history: 0, bytes: 0, largest: 0, messages: 0 })
    }

    /// Says something.
    pub async fn say(&mut self, text: &str) -> Result<(), Failure> {
        futures_util::SinkExt::send(&mut self.socket, Message::text(text.to_string())).await?;
        Ok(())
    }

    /// Reads a message; false at the end.
    pub async fn read(&mut self) -> Result<bool, Failure> {
        match tokio::time::timeout(Duration::from_secs(60), self.socket.next()).await? {
            Some(Ok(Message::Binary(bytes))) => {
                self.bytes += bytes.len();
                self.largest = self.largest.max(bytes.len());
                self.messages += 1;
                let number = |at: usize| bytes.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
                if let (Some(1), Some(length)) = (number(8), number(12)) {
                    let status: serde_json::Value = serde_json::from_slice(&bytes[16..16 + length as usize])?;
                    self.frame = status["frame"].as_u64().unwrap_or(0);
                    self.running = status["running"].as_bool().unwrap_or(true);
                    self.history = status["memory"].as_u64().unwrap_or(0);
                }
                Ok(true)
            }
            Some(Ok(_)) => Ok(true),
            _ => Ok(false),
        }
    }

    /// Stops time at the start of the scene.
    pub async fn rewind(&mut self) -> Result<(), Failure> {
        self.say("{\"ask\":\"pause\"}").await?;
        self.say("{\"ask\":\"reset\"}").await?;
        while self.running || self.frame > 0 {
            self.read_on().await?;
        }
        Ok(())
    }

    /// Goes so many frames forward, each of which he sees before he asks for the next.
    pub async fn step(&mut self, frames: u64) -> Result<(), Failure> {
        for _ in 0..frames {
            self.say("{\"ask\":\"step\"}").await?;
            self.until_frame(self.frame + 1).await?;
        }
        Ok(())
    }

    async fn read_on(&mut self) -> Result<(), Failure> {
        if self.read().await? { Ok(()) } else { Err("the line ended".into()) }
    }

    /// Reads until a frame has come.
    pub async fn until_frame(&mut self, frame: u64) -> Result<(), Failure> {
        while self.frame < frame {
            self.read_on().await?;
        }
        Ok(())
    }
}

/// So many watchers; the first one is given back and reads nothing, the others read everything.
pub async fn crowd(server: &Server, count: usize) -> Result<Option<Client>, Failure> {
    let mut stalled = None;
    for i in 0..count {
        let mut other = Client::connect(server).await?;
        if i == 0 {
            stalled = Some(other);
        } else {
            tokio::spawn(async move { while other.read().await.unwrap_or(false) {} });
        }
    }
    Ok(stalled)
}
