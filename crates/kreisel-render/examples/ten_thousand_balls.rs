//! How long a picture of 10 000 balls takes on one core: `cargo run --release -p kreisel-render --example
//! ten_thousand_balls [picture.png]` prints the processor time of drawing it and of packing it into a file.
#![allow(clippy::print_stdout)]

use kreisel::DVec3;
use kreisel_record::cpu_seconds;
use kreisel_render::raster::render;
use kreisel_render::{Ball, Camera, Drawing, Ground, RenderError, Rgb};
use std::path::PathBuf;

/// Pictures per figure.
const ROUNDS: usize = 15;

/// Balls in disorder above a ground: 2 m wide, deep and high.
fn heap(balls: usize) -> Drawing {
    let mut seed = 1u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as f64 / f64::from(1u32 << 31)
    };
    let ball = |k: usize| {
        let centre = DVec3::new(random() - 0.5, random() - 0.5, random()) * 2.0;
        Ball { centre, radius: 0.05, colour: Rgb([0.3, 0.5, (k % 7) as f32 * 0.1]) }
    };
    let ground = Ground { normal: DVec3::Z, offset: -0.1, colour: Rgb([0.5; 3]), grid: 0.5 };
    Drawing { balls: (0..balls).map(ball).collect(), grounds: vec![ground], ..Drawing::default() }
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let drawing = heap(10_000);
    let camera = Camera { eye: DVec3::new(2.0, -6.0, 3.0), target: DVec3::Z, field_of_view: 0.5 };
    let temporary = std::env::temp_dir().join(format!("kreisel-balls-{}.png", std::process::id()));
    let kept = std::env::args().nth(1).map(PathBuf::from);
    let file = kept.as_ref().unwrap_or(&temporary);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let round = |_| -> Result<(f64, f64), RenderError> {
        let start = cpu_seconds();
        let picture = pool.install(|| render(&drawing, &camera, 640, 480));
        let drawn = cpu_seconds();
        picture.write_png(file)?;
        Ok((drawn - start, cpu_seconds() - drawn))
    };
    let times: Vec<(f64, f64)> = (0..ROUNDS).map(round).collect::<Result<_, _>>()?;
    let (draw, pack): (Vec<f64>, Vec<f64>) = times.into_iter().unzip();
    let bytes = std::fs::metadata(file)?.len();
    if kept.is_none() {
        std::fs::remove_file(file)?;
    }
    let (draw, pack) = (median(draw), median(pack));
    println!("10 000 balls, 640×480, one core, median of {ROUNDS}: processor time [s]");
    println!("draw {draw:.3}  pack {pack:.3} ({bytes} bytes)  together {:.3}", draw + pack);
    Ok(())
}
