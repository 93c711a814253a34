//! What the viewer costs: processor time against a run without it, bytes per second, time per frame, many watchers, memory.
//!
//! `cargo run --release -p kreisel-view --example figures [processor] [stream] [frame] [watchers] [memory]`; without words all
//! of them, in about two minutes on a quiet machine of two processors. Where something else may run beside it, processor
//! time is given, which does not count that.

mod client;
mod process;

use client::{Client, crowd};
use kreisel::Simulation;
use kreisel_record::{cpu_seconds, peak_bytes};
use kreisel_view::session::{Stage, Status};
use kreisel_view::wire::{Message, Tag};
use kreisel_view::{Options, Source, start};
use process::{resident, simulating_seconds};
use std::time::Instant;

type Failure = Box<dyn std::error::Error>;

/// 22³ soft elements in large cells: few steps a frame, so that 60 frames a second are within reach.
const LARGE: &str = "title = \"Ten thousand\"\nground = true\nduration = \"100 s\"\n[[body]]\nname = \"block\"\n\
shape = { box = [21, 21, 21] }\nat = [0, 0, 14]\nmaterial = { like = \"gel\", young = \"20 kPa\" }\ncells = 21\n";
/// Frames that are compared, the same ones with and without watchers, and those before them.
const FRAMES: u64 = 20;
const FIRST: u64 = 3;
/// Everything that can be asked for.
const ALL: u32 = 511;
/// Memory for the way back in the long session [bytes]: little, so that it is full several times.
const SHORT_HISTORY: usize = 4 << 20;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("large.toml");
    std::fs::write(&path, LARGE)?;
    let lever = Source::Scene("lever".into());
    let words: Vec<String> = std::env::args().skip(1).collect();
    let is_asked = |word: &str| words.is_empty() || words.iter().any(|w| w == word);
    println!("| what | value | aim |\n|---|---|---|");
    if is_asked("processor") {
        processor_time(&lever).await?;
    }
    if is_asked("stream") {
        stream(&Source::File(path)).await?;
    }
    if is_asked("frame") {
        frame_times(&lever, "nothing more", 0)?;
        frame_times(&lever, "everything", ALL)?;
    }
    if is_asked("watchers") {
        watchers(&lever).await?;
    }
    if is_asked("memory") {
        memory(&Source::Scene("dumbbell".into())).await?;
    }
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
    let server = start(Options { source: Some(source.clone()), ..Options::default() }).await?;
    let mut client = Client::connect(&server).await?;
    client.rewind().await?;
    client.step(FIRST).await?;
    let begin = cpu_seconds();
    client.step(FRAMES).await?;
    let watched = (cpu_seconds() - begin) / FRAMES as f64;
    server.end().await;
    let setup = source.read().map_err(|t| t.text)?.setup;
    let mut sim = Simulation::new(&setup)?;
    for _ in 0..FIRST {
        sim.step()?;
    }
    let begin = cpu_seconds();
    for _ in 0..FRAMES {
        sim.step()?;
    }
    Ok((watched, (cpu_seconds() - begin) / FRAMES as f64))
}

/// Bytes of a frame of ten thousand elements, and what 60 of them a second come to: while they fall, and while they hit the
/// ground and connections break.
async fn stream(source: &Source) -> Result<(), Failure> {
    let server = start(Options { source: Some(source.clone()), ..Options::default() }).await?;
    let mut client = Client::connect(&server).await?;
    client.until_frame(5).await?;
    for (what, frames) in [("falling", 40), ("hitting the ground", 40)] {
        let (bytes, messages, from, begin) = (client.bytes, client.messages, client.frame, Instant::now());
        client.largest = 0;
        client.until_frame(from + frames).await?;
        let each = (client.bytes - bytes) as f64 / (client.messages - messages) as f64;
        let rate = (client.frame - from) as f64 / begin.elapsed().as_secs_f64();
        println!(
            "| 10 648 elements {what}, bytes per frame; at 60 frames/s | {each:.0}, {} at most; {:.2} MB/s (here {rate:.0} frames/s) | 15 MB/s |",
            client.largest,
            60.0 * each / 1e6
        );
    }
    server.end().await;
    Ok(())
}

/// Time of a frame of the lever, with the impact: what the simulation's step takes, and what the server adds for one who wants
/// so much. The motion is the same each time: of two runs the shorter time of each frame counts, as something else may have
/// run in the other.
fn frame_times(source: &Source, what: &str, wanted: u32) -> Result<(), Failure> {
    let (first, second) = (times(source, wanted)?, times(source, wanted)?);
    let shorter = first.iter().zip(&second).map(|(a, b)| (a.0.min(b.0), a.1.min(b.1)));
    let (mut steps, mut own): (Vec<f64>, Vec<f64>) = shorter.unzip();
    println!(
        "| lever, {what} wanted: what the server adds to a frame, p95 and median | {:.2}, {:.2} ms | 11 ms |",
        1e3 * high(&mut own),
        1e3 * own[own.len() / 2]
    );
    println!(
        "| lever: the simulation's step, p95 and median | {:.1}, {:.1} ms | |",
        1e3 * high(&mut steps),
        1e3 * steps[steps.len() / 2]
    );
    Ok(())
}

/// Times of the step of each frame [s], and of all else: to measure, to keep the way back, to encode, and to put the message
/// together.
fn times(source: &Source, wanted: u32) -> Result<Vec<(f64, f64)>, Failure> {
    let mut stage = Stage::new(256 << 20);
    stage.open(source).map_err(|t| t.text)?;
    let mut times = Vec::new();
    for _ in 0..45 {
        let begin = Instant::now();
        stage.step()?;
        let mut status = Status { running: true, ..Status::default() };
        stage.describe(&mut status);
        let mut message = Message::default();
        message.add(Tag::Status, &serde_json::to_vec(&status)?);
        stage.encode(wanted).iter().for_each(|s| message.add(s.tag, &s.bytes));
        drop(message.into_bytes());
        times.push((status.cost, begin.elapsed().as_secs_f64() - status.cost));
    }
    Ok(times)
}

/// Processor time of the simulation's threads per frame with one watcher, and with twenty of whom one reads nothing: the middle
/// of three, taken by turns.
async fn watchers(source: &Source) -> Result<(), Failure> {
    let mut all = Vec::new();
    for _ in 0..3 {
        all.push((work(source, 0).await?, work(source, 19).await?));
    }
    all.sort_by(|a, b| (a.1 / a.0).total_cmp(&(b.1 / b.0)));
    let (alone, crowded) = all[1];
    println!(
        "| processor time of the simulation per frame, 1 watcher, 20 of whom one is stalled | {:.2}, {:.2} ms = {:.3} | 1.1 |",
        1e3 * alone,
        1e3 * crowded,
        crowded / alone
    );
    Ok(())
}

/// Processor time of the simulation per frame [s] with so many others watching, the first of whom reads nothing.
async fn work(source: &Source, others: usize) -> Result<f64, Failure> {
    let server = start(Options { source: Some(source.clone()), ..Options::default() }).await?;
    let mut first = Client::connect(&server).await?;
    let stalled = crowd(&server, others).await?;
    first.rewind().await?;
    first.step(FIRST).await?;
    let before = simulating_seconds();
    first.step(FRAMES).await?;
    let worked = simulating_seconds() - before;
    drop(stalled);
    server.end().await;
    Ok(worked / FRAMES as f64)
}

/// Memory along as many frames as an hour has, with twenty watchers of whom one is always stalled.
async fn memory(source: &Source) -> Result<(), Failure> {
    const MINUTE: u64 = 60 * 60;
    let options = Options { source: Some(source.clone()), history: SHORT_HISTORY, ..Options::default() };
    let server = start(options).await?;
    let mut first = Client::connect(&server).await?;
    drop(crowd(&server, 19).await?);
    first.say(&format!("{{\"ask\":\"want\",\"bits\":{ALL}}}")).await?;
    first.say("{\"ask\":\"speed\",\"factor\":0}").await?;
    let (mut resident_at, mut history_at) = (Vec::new(), Vec::new());
    for minutes in [1, 10, 20, 30, 40, 50, 60] {
        // Who takes nothing for long is sent away, so that there must be another.
        let stalled = Client::connect(&server).await?;
        first.until_frame(minutes * MINUTE).await?;
        resident_at.push(format!("{:.1}", resident()));
        history_at.push(format!("{:.1}", first.history as f64 / 1e6));
        drop(stalled);
    }
    server.end().await;
    println!(
        "| memory after 1, 10, 20 … 60 minutes' worth of frames, 20 watchers | {} MB; of the way back {} of {:.1} MB | bounded |",
        resident_at.join(", "),
        history_at.join(", "),
        SHORT_HISTORY as f64 / 1e6
    );
    Ok(())
}

/// What 95 of 100 do not exceed; sorts.
fn high(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() * 95 / 100]
}
