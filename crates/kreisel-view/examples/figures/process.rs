//! What the system tells of this process; zeros where it does not tell.

use std::path::Path;

/// Memory of this process at the moment [MB].
pub fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:")).and_then(|l| l.trim().strip_suffix("kB"));
    line.and_then(|l| l.trim().parse::<f64>().ok()).unwrap_or(0.0) * 1.024e-3
}

/// Processor time so far of all threads that simulate [s]: all but the first one and those of the server and of its clients.
pub fn simulating_seconds() -> f64 {
    let own = std::process::id().to_string();
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return 0.0 };
    let simulating = threads.flatten().filter(|t| t.file_name().to_string_lossy() != own).map(|t| t.path());
    simulating.filter(|t| !name(t).starts_with("tokio")).map(|t| seconds(&t)).sum()
}

fn name(thread: &Path) -> String {
    std::fs::read_to_string(thread.join("comm")).unwrap_or_default()
}

/// Time on a processor, the first number of `schedstat`, in nanoseconds. [proc(5)]
fn seconds(thread: &Path) -> f64 {
    let text = std::fs::read_to_string(thread.join("schedstat")).unwrap_or_default();
    text.split_whitespace().next().and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0) * 1e-9
}
