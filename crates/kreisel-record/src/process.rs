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
    std::fs::read_to_string("/proc/self/status").ok().and_then(|status| high_water_mark(&status)).unwrap_or(0)
}

/// The `VmHWM` line of `/proc/self/status`, which is in kibibytes. [proc(5)]
fn high_water_mark(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_high_water_mark_is_read_in_kibibytes() {
        assert_eq!(high_water_mark("Name:\tx\nVmHWM:\t    5120 kB\nThreads: 2\n"), Some(5 << 20));
        assert_eq!(high_water_mark("Name:\tx\n"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_and_processor_time_do_not_fall() {
        let (cpu, peak) = (cpu_seconds(), peak_bytes());
        let filled = vec![1_u8; 64 << 20];
        assert!(filled.iter().map(|&b| b as u64).sum::<u64>() == 64 << 20);
        assert!(peak_bytes() >= peak.max(64 << 20));
        assert!(cpu_seconds() > cpu);
    }
}
