//! What the viewer costs: processor time against a run without it, bytes per second, time per frame, many watchers.
//!
//! `cargo run --release -p kreisel-view --example figures`

use futures_util::StreamExt;
use kreisel::Simulation;
use kreisel_record::{cpu_seconds, peak_bytes};
use kreisel_view::session::Stage;
use kreisel_view::{Options, Server, Source, start};
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;

type Failure = Box<dyn std::error::Error>;

/// 22³ soft elements in large cells: few steps a frame, so that 60 frames a second are within reach.
const LARGE: &str = "title = \"Ten thousand\"\nground = true\nduration = \"100 s\"\n[[body]]\nname = \"block\"\n\
shape = { box = [21, 21, 21] }\nat = [0, 0, 14]\nmaterial = { like = \"gel\", young = \"20 kPa\" }\ncells = 21\n";

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("large.toml");
    std::fs::write(&path, LARGE)?;
    let large = Source::File(path);
    let lever = Source::Scene("lever".into());
    println!("| what | value | aim |\n|---|---|---|");
    processor_time(&lever).await?;
    stream(&large).await?;
    frame_times(&lever)?;
    watchers(&lever).await?;
    memory(&Source::Scene("dumbbell".into())).await?;
    println!("| memory at its peak | {:.0} MB | bounded |", peak_bytes() as f64 / 1e6);
    Ok(())
}

/// Processor time per frame with a client that reads, against a run without viewer; the middle of three pairs.
async fn processor_time(source: &Source) -> Result<(), Failure> {
    let mut pairs = Vec::new();
    for _ in 0..3 {
        pairs.push(pair_of_times(source).await?);
    }
    pairs.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
    let (watched, alone) = pairs[1];
    println!(
        "| processor time per frame of the lever, watched / alone | {:.3} / {:.3} ms = {:.3} | 1.1 |",
        1e3 * watched,
        1e3 * alone,
        watched / alone
    );
    Ok(())
}

async fn pair_of_times(source: &Source) -> Result<(f64, f64), Failure> {
    const FRAMES: u64 = 30;
    let setup = source.read().map_err(|t| t.text)?.setup;
    let mut sim = Simulation::new(&setup)?;
    let begin = cpu_seconds();
    for _ in 0..FRAMES {
        sim.step()?;
    }
    let alone = (cpu_seconds() - begin) / FRAMES as f64;
    let server = start(Options { source: Some(source.clone()), ..Options::default() }).await?;
    let mut client = Client::connect(&server).await?;
    client.until_frame(2).await?;
    let (begin, from) = (cpu_seconds(), client.frame);
    client.until_frame(from + FRAMES - 5).await?;
    let watched = (cpu_seconds() - begin) / (client.frame - from) as f64;
    server.end().await;
    Ok((watched, alone))
}

/// Bytes of a frame of ten thousand elements, and what 60 of them a second come to: while they fall, and while they hit the
/// ground and connections break.
async fn stream(source: &Source) -> Result<(), Failure> {
    let server = start(Options { source: Some(source.clone()), ..Options::default() }).await?;
    let mut client = Client::connect(&server).await?;
    client.until_frame(5).await?;
    for (what, frames) in [("falling", 40), ("hitting the ground", 40)] {
        let (bytes, messages, from, begin) = (client.bytes, client.messages, client.frame, Instant::now());
        client.until_frame(from + frames).await?;
        let each = (client.bytes - bytes) as f64 / (client.messages - messages) as f64;
        let rate = (client.frame - from) as f64 / begin.elapsed().as_secs_f64();
        println!(
            "| 10 648 elements {what}, bytes per frame; at 60 frames/s | {each:.0}; {:.2} MB/s (here {rate:.0} frames/s) | 15 MB/s |",
            60.0 * each / 1e6
        );
    }
    server.end().await;
    Ok(())
}

/// What the server does for a frame of the lever: the step, and the rest.
fn frame_times(source: &Source) -> Result<(), Failure> {
    let mut stage = Stage::new(256 << 20);
    stage.open(source).map_err(|t| t.text)?;
    let (mut steps, mut rest) = (Vec::new(), Vec::new());
    for _ in 0..150 {
        let begin = Instant::now();
        stage.step()?;
        steps.push(begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        let _ = stage.encode(0);
        rest.push(begin.elapsed().as_secs_f64());
    }
    println!("| lever: encoding a frame, p95 | {:.3} ms | 11 ms with the step |", 1e3 * high(&mut rest));
    println!("| lever: step and encoding, p95 | {:.2} ms | 11 ms |", 1e3 * (high(&mut steps) + high(&mut rest)));
    Ok(())
}

/// The rate of steps with one watcher, and with twenty of whom one reads nothing: the middle of five, taken by turns.
async fn watchers(source: &Source) -> Result<(), Failure> {
    let mut ratios = Vec::new();
    for _ in 0..5 {
        let (alone, crowded) = (rate(source, 0).await?, rate(source, 19).await?);
        ratios.push((crowded / alone, alone, crowded));
    }
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (ratio, alone, crowded) = ratios[2];
    println!(
        "| frames/s with 1 watcher, with 20 of whom one is stalled | {alone:.1}, {crowded:.1} = {ratio:.3} | 0.9 |"
    );
    Ok(())
}

/// Frames per second in real time with so many others watching, the first of whom reads nothing.
async fn rate(source: &Source, others: usize) -> Result<f64, Failure> {
    let server = start(Options { source: Some(source.clone()), ..Options::default() }).await?;
    let mut first = Client::connect(&server).await?;
    let stalled = crowd(&server, others).await?;
    first.until_frame(3).await?;
    let (from, begin) = (first.frame, Instant::now());
    first.until_frame(from + 120).await?;
    let rate = (first.frame - from) as f64 / begin.elapsed().as_secs_f64();
    drop(stalled);
    server.end().await;
    Ok(rate)
}

/// Watchers; the first one is given back and reads nothing, the others read everything.
async fn crowd(server: &Server, count: usize) -> Result<Option<Client>, Failure> {
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

/// Memory after a tenth and at the end of as many frames as an hour has, with twenty watchers of whom one is stalled.
async fn memory(source: &Source) -> Result<(), Failure> {
    const HOUR: u64 = 3600 * 60;
    let options = Options { source: Some(source.clone()), history: 64 << 20, ..Options::default() };
    let server = start(options).await?;
    let mut first = Client::connect(&server).await?;
    let stalled = crowd(&server, 19).await?;
    first.say("{\"ask\":\"want\",\"bits\":511}").await?;
    first.say("{\"ask\":\"speed\",\"factor\":0}").await?;
    first.until_frame(HOUR / 10).await?;
    let early = resident();
    first.until_frame(HOUR).await?;
    let late = resident();
    drop(stalled);
    server.end().await;
    println!(
        "| memory after 6 and after 60 minutes' worth of frames, 20 watchers | {early:.0}, {late:.0} MB | bounded |"
    );
    Ok(())
}

/// Memory of this process at the moment [MB]; 0 where the system does not tell.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:")).and_then(|l| l.trim().strip_suffix("kB"));
    line.and_then(|l| l.trim().parse::<f64>().ok()).unwrap_or(0.0) * 1.024e-3
}

/// What 95 of 100 do not exceed.
fn high(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() * 95 / 100]
}

/// A watcher that reads and does not draw.
struct Client {
    socket: tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>,
    frame: u64,
    bytes: usize,
    messages: usize,
}

impl Client {
    async fn connect(server: &Server) -> Result<Self, Failure> {
        let (socket, _) = tokio_tungstenite::connect_async(format!("ws://{}/socket", server.address)).await?;
        Ok(Self { socket, frame: 0, bytes: 0, messages: 0 })
    }

    async fn say(&mut self, text: &str) -> Result<(), Failure> {
        futures_util::SinkExt::send(&mut self.socket, Message::text(text.to_string())).await?;
        Ok(())
    }

    async fn read(&mut self) -> Result<bool, Failure> {
        match tokio::time::timeout(Duration::from_secs(60), self.socket.next()).await? {
            Some(Ok(Message::Binary(bytes))) => {
                self.bytes += bytes.len();
                self.messages += 1;
                let number = |at: usize| bytes.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
                if let (Some(1), Some(length)) = (number(8), number(12)) {
                    let status: serde_json::Value = serde_json::from_slice(&bytes[16..16 + length as usize])?;
                    self.frame = status["frame"].as_u64().unwrap_or(0);
                }
                Ok(true)
            }
            Some(Ok(_)) => Ok(true),
            _ => Ok(false),
        }
    }

    async fn until_frame(&mut self, frame: u64) -> Result<(), Failure> {
        while self.frame < frame {
            if !self.read().await? {
                return Err("the line ended".into());
            }
        }
        Ok(())
    }
}
