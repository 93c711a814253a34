//! The page, as it was built into this program.

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// What is said where the page should be.
pub const MISSING: &str = "This kreisel was built without its page, because npm was not there or could not fetch what the \
page needs.\nInstall Node.js with npm (on Debian: apt install npm), then build again: \
touch crates/kreisel-view/build.rs && cargo build --release\n";

/// True if the page was built.
pub fn is_there() -> bool {
    find("index.html").is_some()
}

/// A file of the page: its kind and its bytes.
pub fn find(path: &str) -> Option<(&'static str, &'static [u8])> {
    let (name, bytes) = ASSETS.iter().find(|(name, _)| *name == path)?;
    Some((kind_of(name), bytes))
}

fn kind_of(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}
