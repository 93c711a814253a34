//! Which recorded frames are exported: all, or those nearest to a steady rate. No state is invented between frames.

use crate::error::ExportError;
use kreisel_record::Recording;

/// More frames than this are never wanted; it guards against rates such as 1e300.
const MOST_SAMPLES: f64 = 1e9;

/// The frames to export, ascending, each once.
///
/// With a rate, the frames nearest to `t₀`, `t₀ + 1/fps`, `t₀ + 2/fps`, …; a rate above the recorded one gives all frames.
pub fn choose(recording: &Recording, fps: Option<f64>) -> Result<Vec<usize>, ExportError> {
    let times: Vec<f64> = (0..recording.len()).filter_map(|i| recording.time(i)).collect();
    if times.is_empty() {
        return Err(ExportError::NoFrames);
    }
    match fps {
        None => Ok((0..times.len()).collect()),
        Some(rate) if rate.is_finite() && rate > 0.0 => Ok(nearest_to_rate(&times, rate)),
        Some(rate) => Err(ExportError::Rate(rate)),
    }
}

/// The frame nearest to a time [s]; without a time, the last.
pub fn single(recording: &Recording, time: Option<f64>) -> Result<usize, ExportError> {
    let last = recording.len().checked_sub(1).ok_or(ExportError::NoFrames)?;
    let Some(time) = time else { return Ok(last) };
    let times: Vec<f64> = (0..recording.len()).filter_map(|i| recording.time(i)).collect();
    let (begin, end) = (times[0], times[last]);
    // Half a frame beyond the end is still nearest to the end.
    let slack = recording.header().frame_interval.abs() * 0.5 + 1e-12 * end.abs();
    if !(begin - slack..=end + slack).contains(&time) {
        return Err(ExportError::NoSuchTime { time, first: begin, last: end });
    }
    Ok(nearest(&times, time))
}

fn nearest_to_rate(times: &[f64], rate: f64) -> Vec<usize> {
    let (begin, end) = (times[0], times[times.len() - 1]);
    if (end - begin) * rate > MOST_SAMPLES {
        return (0..times.len()).collect();
    }
    // The last sample may miss the end by rounding.
    let count = ((end - begin) * rate + 1e-6).floor() as u64;
    let mut chosen: Vec<usize> = (0..=count).map(|k| nearest(times, begin + k as f64 / rate)).collect();
    chosen.dedup();
    chosen
}

/// The number of the time nearest to `t`; the earlier of two.
fn nearest(times: &[f64], t: f64) -> usize {
    let after = times.partition_point(|&a| a < t).min(times.len() - 1);
    let before = after.saturating_sub(1);
    if (times[after] - t).abs() < (times[before] - t).abs() { after } else { before }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lower_rate_takes_the_nearest_frames_and_a_higher_one_all_of_them_once() {
        let times: Vec<f64> = (0..=10).map(|i| 0.1 * i as f64).collect();
        assert_eq!(nearest_to_rate(&times, 5.0), [0, 2, 4, 6, 8, 10]);
        assert_eq!(nearest_to_rate(&times, 4.0), [0, 2, 5, 7, 10], "0.25 lies halfway: the earlier one");
        assert_eq!(nearest_to_rate(&times, 1000.0), (0..=10).collect::<Vec<_>>());
        assert_eq!(nearest_to_rate(&times, 0.1), [0]);
        assert_eq!(nearest_to_rate(&[3.0], 10.0), [0]);
    }
}
