//! Ctrl-C: the first asks the run to end, the second ends it.

use crate::failure::INTERRUPTED;
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on an interrupt is a request; a second one ends the process at once.
pub fn watch() {
    // Where signals cannot be caught, the recording is still one that opens.
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::SeqCst) {
            std::process::exit(INTERRUPTED);
        }
    });
}

/// True if the run has been asked to end.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}
