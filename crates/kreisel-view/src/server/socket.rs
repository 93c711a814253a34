//! The socket of one watcher: requests in, the newest moment out whenever he is ready for it.

use crate::server::Shared;
use crate::server::rate::Allowance;
use crate::session::{Command, Snapshot};
use crate::wire::request::Request;
use crate::wire::{Message, Tag, table::Table, wants};
use axum::extract::ws::{CloseFrame, Message as Packet, WebSocket};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// A message may be so long [bytes].
pub const LARGEST_MESSAGE: usize = 64 << 10;
/// So many senseless messages are answered before the line is cut.
const MOST_SENSELESS: u32 = 20;
/// Who takes nothing for this long is gone.
const STALLED: Duration = Duration::from_secs(30);
/// Words that may wait to be said.
const MOST_WORDS: usize = 64;
/// Rows for plots are sent at most so often.
const ROWS_EVERY: Duration = Duration::from_millis(120);

/// Serves one watcher until he goes.
pub async fn serve(socket: WebSocket, shared: Arc<Shared>) {
    let (sink, stream) = socket.split();
    let Some(id) = shared.people.enter() else {
        return refuse(sink, "there are too many watchers").await;
    };
    let _ = shared.commands.try_send(Command::WantsChanged);
    let (words, said) = mpsc::channel(MOST_WORDS);
    let bits = Arc::new(AtomicU32::new(0));
    let writer = Writer {
        id,
        shared: shared.clone(),
        sent: BTreeMap::new(),
        rows: (0, 0),
        events: (0, 0),
        rows_at: None,
        bits: bits.clone(),
    };
    let mut closing = shared.closing.clone();
    tokio::select! {
        () = writer.run(sink, said) => (),
        () = listen(id, stream, &shared, &words, &bits) => (),
        _ = closing.wait_for(|closed| *closed) => (),
    };
    if shared.people.leave(id) {
        let _ = shared.commands.try_send(Command::LetGo);
    }
    let _ = shared.commands.try_send(Command::WantsChanged);
}

async fn refuse(mut sink: SplitSink<WebSocket, Packet>, reason: &'static str) {
    let _ = sink.send(Packet::Close(Some(CloseFrame { code: 1013, reason: reason.into() }))).await;
}

/// Reads requests until the line ends or is abused.
async fn listen(
    id: u32,
    mut stream: SplitStream<WebSocket>,
    shared: &Shared,
    words: &mpsc::Sender<String>,
    bits: &AtomicU32,
) {
    let mut allowance = Allowance::new(Instant::now());
    let mut senseless = 0;
    while let Some(Ok(packet)) = stream.next().await {
        if !allowance.take(Instant::now()) {
            return;
        }
        let text = match packet {
            Packet::Text(text) => text,
            Packet::Close(_) => return,
            Packet::Ping(_) | Packet::Pong(_) => continue,
            Packet::Binary(_) => axum::extract::ws::Utf8Bytes::from_static("binary"),
        };
        let answer = match Request::read(text.as_str()) {
            Ok(request) => obey(id, request, shared, bits, words),
            Err(reason) => {
                senseless += 1;
                Err(reason)
            }
        };
        if let Err(reason) = answer {
            let _ = words.try_send(json!({ "refused": reason }).to_string());
        }
        if senseless > MOST_SENSELESS {
            return;
        }
    }
}

fn obey(
    id: u32,
    request: Request,
    shared: &Shared,
    bits: &AtomicU32,
    words: &mpsc::Sender<String>,
) -> Result<(), String> {
    match request {
        Request::Want { bits: wanted } => {
            bits.store(wanted, Ordering::Relaxed);
            shared.people.want(id, wanted);
            let _ = shared.commands.try_send(Command::WantsChanged);
        }
        Request::Take => drop(shared.people.take(id)),
        Request::Give => shared.people.answer(id, true),
        Request::Keep => shared.people.answer(id, false),
        Request::Ping { number } => drop(words.try_send(json!({ "pong": number }).to_string())),
        _ if !shared.people.may_control(id) => {
            return Err("somebody else holds the controls; ask for them first".into());
        }
        request => {
            let (answer, refusal) = tokio::sync::oneshot::channel();
            let quick = matches!(&request, Request::Act { action: crate::session::action::Action::Pull { .. } });
            let command = Command::Ask(request, if quick { None } else { Some(answer) });
            shared.commands.try_send(command).map_err(|_| "the simulation is busy; try again".to_string())?;
            if !quick {
                let words = words.clone();
                tokio::spawn(async move {
                    if let Ok(Err(reason)) = refusal.await {
                        let _ = words.try_send(json!({ "refused": reason }).to_string());
                    }
                });
            }
        }
    }
    Ok(())
}

/// What one watcher has been sent.
struct Writer {
    id: u32,
    shared: Arc<Shared>,
    sent: BTreeMap<Tag, u64>,
    rows: (u64, usize),
    events: (u64, usize),
    rows_at: Option<Instant>,
    bits: Arc<AtomicU32>,
}

impl Writer {
    async fn run(mut self, mut sink: SplitSink<WebSocket, Packet>, mut said: mpsc::Receiver<String>) {
        let mut snapshots = self.shared.snapshots.clone();
        let mut crowd = self.shared.people.watch();
        snapshots.mark_changed();
        crowd.mark_changed();
        let hello = json!({ "hello": { "id": self.id, "protocol": crate::wire::VERSION } }).to_string();
        if !send(&mut sink, Packet::text(hello)).await {
            return;
        }
        loop {
            let packet = tokio::select! {
                changed = snapshots.changed() => {
                    if changed.is_err() { return }
                    let snapshot = snapshots.borrow_and_update().clone();
                    self.moment(&snapshot)
                }
                changed = crowd.changed() => {
                    if changed.is_err() { return }
                    let mut message = Message::default();
                    let people = serde_json::to_vec(&*crowd.borrow_and_update()).unwrap_or_default();
                    message.add(Tag::People, &people);
                    Packet::Binary(message.into_bytes().into())
                }
                word = said.recv() => match word {
                    Some(word) => Packet::text(word),
                    None => return,
                },
            };
            if !send(&mut sink, packet).await {
                return;
            }
        }
    }

    /// The sections that are new to him.
    fn moment(&mut self, snapshot: &Snapshot) -> Packet {
        let wanted = self.bits.load(Ordering::Relaxed);
        let mut message = Message::default();
        message.add(Tag::Status, &serde_json::to_vec(&*snapshot.status).unwrap_or_default());
        for section in &snapshot.sections {
            let is_wanted = section.wanted == 0 || section.wanted & wanted != 0;
            if is_wanted && self.sent.get(&section.tag) != Some(&section.version) {
                self.sent.insert(section.tag, section.version);
                message.add(section.tag, &section.bytes);
            }
        }
        let due = self.rows_at.is_none_or(|at| at.elapsed() > ROWS_EVERY) || !snapshot.status.running;
        if wanted & wants::ROWS != 0 && due {
            self.rows_at = Some(Instant::now());
            self.add_rows(&mut message);
        }
        Packet::Binary(message.into_bytes().into())
    }

    /// Rows and events that came since the last time; all of them if the old ones do not hold any more.
    fn add_rows(&mut self, message: &mut Message) {
        let Ok(measures) = self.shared.measures.lock() else { return };
        let generation = measures.generation;
        let from = if self.rows.0 == generation { self.rows.1.min(measures.rows()) } else { 0 };
        let width = measures.columns.len();
        if from < measures.rows() || self.rows.0 != generation {
            let mut table = Table::default();
            table.f64s("values", measures.values[from * width..].iter().copied());
            table.u32s("frames", measures.frames[from..].iter().map(|&f| f as u32));
            let meta = json!({ "columns": measures.columns, "from": from });
            message.add(Tag::Rows, &table.finish(&meta));
        }
        let first = if self.events.0 == generation { self.events.1.min(measures.events.len()) } else { 0 };
        if first < measures.events.len() || self.events.0 != generation {
            let events = json!({ "from": first, "events": measures.events[first..] }).to_string();
            message.add(Tag::Events, events.as_bytes());
        }
        self.rows = (generation, measures.rows());
        self.events = (generation, measures.events.len());
    }
}

/// Sends; false if he has gone or takes nothing.
async fn send(sink: &mut SplitSink<WebSocket, Packet>, packet: Packet) -> bool {
    matches!(tokio::time::timeout(STALLED, sink.send(packet)).await, Ok(Ok(())))
}
