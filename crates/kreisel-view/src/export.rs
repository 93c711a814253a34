//! One self-contained file: the page and a recording, which opens from disk without a server.

use crate::page;
use crate::session::film::Film;
use crate::session::measure::Measures;
use crate::wire::encoder::{Encoder, Shown};
use crate::wire::{Message, Tag, table::Table};
use base64::Engine;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Frames that are put in at most; more are thinned out.
const MOST_FRAMES: u64 = 900;

/// Writes a recording as a page; how many frames it has.
pub fn export_html(recording: &Path, out: &Path, fps: Option<f64>) -> Result<u64, String> {
    let (_, html) = page::find("index.html").ok_or(page::MISSING)?;
    let html = String::from_utf8_lossy(html).into_owned();
    let measures = Arc::new(Mutex::new(Measures::default()));
    let mut film = Film::open(recording, &measures)?;
    let wanted = fps.map_or(1, |fps| (1.0 / (fps * film.model.frame)).round().max(1.0) as u64);
    let stride = wanted.max(film.latest().div_ceil(MOST_FRAMES)).max(1);
    let (packed, frames) = pack(&mut film, &measures, stride)?;
    let text = base64::engine::general_purpose::STANDARD.encode(packed);
    let title = escape(&film.model.title);
    let page = inline(&html)?.replace("<title>Kreisel</title>", &format!("<title>{title} · Kreisel</title>")).replace(
        "<!--recording-->",
        &format!("<script type=\"application/octet-stream\" id=\"recording\">{text}</script>"),
    );
    std::fs::write(out, page).map_err(|e| format!("{}: {e}", out.display()))?;
    Ok(frames)
}

/// Messages as the server would send them, each after its length (u32), packed with gzip.
fn pack(film: &mut Film, measures: &Mutex<Measures>, stride: u64) -> Result<(Vec<u8>, u64), String> {
    let mut encoder = Encoder::default();
    let mut sent: BTreeMap<Tag, u64> = BTreeMap::new();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    let mut write = |message: Message| {
        let bytes = message.into_bytes();
        gzip.write_all(&(bytes.len() as u32).to_le_bytes())
            .and_then(|()| gzip.write_all(&bytes))
            .map_err(|e| e.to_string())
    };
    write(tables(measures))?;
    let (latest, mut frames) = (film.latest(), 0);
    for number in (0..=latest).step_by(stride as usize) {
        film.seek(number)?;
        let contacts = film.contacts();
        let shown = Shown {
            model: &film.model,
            model_version: 0,
            time: film.shown.time,
            frame: number,
            jumps: 0,
            position: &film.shown.position,
            velocity: &film.shown.velocity,
            owner: &film.shown.owner,
            poses: film.shown.poses.iter().map(|p| (p.position, p.orientation)).collect(),
            broken: &film.shown.broken,
            parted: Vec::new(),
            epoch: film.epoch,
            contacts: &contacts,
            state: None,
        };
        let mut message = Message::default();
        let status = json!({
            "mode": "recording", "scene": film.scene(), "title": film.model.title, "time": film.shown.time,
            "frame": frames, "latest": latest / stride, "duration": film.model.duration,
            "interval": film.model.frame * stride as f64, "energy": film.shown.ledger.energy(),
            "residual": film.shown.ledger.relative_residual(), "contacts": film.shown.contacts,
        });
        message.add(Tag::Status, status.to_string().as_bytes());
        for section in encoder.encode(&shown, crate::wire::wants::CONTACTS) {
            if sent.insert(section.tag, section.version) != Some(section.version) {
                message.add(section.tag, &section.bytes);
            }
        }
        write(message)?;
        frames += 1;
    }
    let packed = gzip.finish().map_err(|e| e.to_string())?;
    Ok((packed, frames))
}

/// Rows and events of the whole recording.
fn tables(measures: &Mutex<Measures>) -> Message {
    let mut message = Message::default();
    if let Ok(measures) = measures.lock() {
        let mut table = Table::default();
        table.f64s("values", measures.values.iter().copied());
        table.u32s("frames", measures.frames.iter().map(|&f| f as u32));
        message.add(Tag::Rows, &table.finish(&json!({ "columns": measures.columns, "from": 0 })));
        message.add(Tag::Events, json!({ "from": 0, "events": measures.events }).to_string().as_bytes());
    }
    message
}

/// The page with its script and its style inside.
fn inline(html: &str) -> Result<String, String> {
    let file = |path: &str| page::find(path).map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned());
    let script = file("assets/app.js").ok_or("the page has no script")?.replace("</script", "<\\/script");
    let style = file("assets/app.css").unwrap_or_default();
    let mut out = String::new();
    for line in html.lines() {
        if line.contains("assets/app.js") {
            continue;
        } else if line.contains("assets/app.css") {
            out += &format!("<style>{style}</style>\n");
        } else if line.contains("</body>") {
            out += &format!("<script type=\"module\">{script}</script>\n{line}\n");
        } else {
            out += line;
            out.push('\n');
        }
    }
    Ok(out)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
