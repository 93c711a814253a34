//! What the process has cost so far.

/// Processor time of all threads of this process [s]; 0 where the system does not tell.
#[cfg(unix)]
pub fn cpu_seconds() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    t.tv_sec as f64 + 1e-9 * t.tv_nsec as f64
}

/// Processor time of all threads of this process [s]; 0 where the system does not tell.
#[cfg(not(unix))]
pub fn cpu_seconds() -> f64 {
    0.0
}

/// Largest memory this process has had resident [bytes]; 0 where the system does not tell.
pub fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    bytes_of(&status, "VmHWM:").unwrap_or(0)
}

/// The same without the pages of the program itself, which the system fetches from its file when they are first run [bytes].
/// Those that are there now are left out: what was run for the first time after the peak counts as if it had been there before.
pub fn peak_bytes_without_program() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = bytes_of(&status, "VmHWM:").unwrap_or(0);
    peak.saturating_sub(bytes_of(&status, "RssFile:").unwrap_or(0))
}

/// A line of `/proc/self/status`, which is in kibibytes. [proc(5)]
fn bytes_of(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_status_are_read_in_kibibytes() {
        let status = "Name:\tx\nVmHWM:\t    5120 kB\nRssFile:\t  1024 kB\nThreads: 2\n";
        assert_eq!(bytes_of(status, "VmHWM:"), Some(5 << 20));
        assert_eq!(bytes_of(status, "RssFile:"), Some(1 << 20));
        assert_eq!(bytes_of(status, "Threads:"), None);
        assert_eq!(bytes_of("Name:\tx\n", "VmHWM:"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_and_processor_time_do_not_fall() {
        let (cpu, peak) = (cpu_seconds(), peak_bytes());
        let filled = vec![1_u8; 64 << 20];
        assert!(filled.iter().map(|&b| b as u64).sum::<u64>() == 64 << 20);
        assert!(peak_bytes() >= peak.max(64 << 20));
        assert!((64 << 20..peak_bytes()).contains(&peak_bytes_without_program()));
        assert!(cpu_seconds() > cpu);
    }
}
