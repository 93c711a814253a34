//! `kreisel view`: a scene or a recording, live in the browser.

use crate::arguments::ViewArguments;
use crate::console;
use crate::failure::Failure;
use crate::run::use_threads;
use crate::texts;
use kreisel_view::{Options, Source, page_is_there, start};

/// The gallery of all scenes.
pub fn gallery() -> Result<i32, Failure> {
    view(&ViewArguments::default())
}

/// Serves until it is interrupted, and returns the exit code.
pub fn view(arguments: &ViewArguments) -> Result<i32, Failure> {
    use_threads(arguments.threads)?;
    let source = arguments.source.as_deref().map(|word| source_of(word, arguments.replay)).transpose()?;
    let usual = Options::default();
    let options = Options {
        history: arguments.history.map_or(usual.history, |megabytes| (megabytes as usize) << 20),
        source,
        port: arguments.port.unwrap_or(0),
        lan: arguments.lan,
        open: !arguments.no_open,
        ..usual
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|e| Failure::input(format!("no threads for the server: {e}"), "close something"))?;
    runtime.block_on(async {
        let server = start(options).await.map_err(|e| Failure { code: 2, text: with_word(&e.0) })?;
        console::print(&server.link);
        if let Some(code) = &server.code {
            console::complain(code);
            console::complain("the certificate is this program's own: the browser will ask whether you trust it");
        }
        if !page_is_there() {
            console::complain(
                "warning: this kreisel was built without its page, as npm was not there; the link says more",
            );
            console::complain(texts::WELCOME);
        }
        console::complain("Ctrl-C ends it");
        server.run_until_interrupted().await;
        Ok(0)
    })
}

fn source_of(word: &str, replay: bool) -> Result<Source, Failure> {
    let source = Source::of_word(word).map_err(|text| Failure::input(text, "see `kreisel scenes`"))?;
    match (source, replay) {
        (Source::Recording(path), true) => Ok(Source::Session(path)),
        (_, true) => Err(Failure::input(format!("{word} is no recording"), "leave out --replay")),
        (source, false) => Ok(source),
    }
}

/// Messages about scenes begin with `error:` already.
fn with_word(text: &str) -> String {
    if text.starts_with("error") { text.into() } else { format!("error: {text}") }
}
