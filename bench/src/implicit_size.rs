//! What an implicit step costs against the size of the body: linearised, to 1e-6, at 50 times the stable step.
//!
//! Each size is measured in a process of its own, so that its peak memory is its own.

use crate::implicit_beam::processor_time;
use crate::measure::{median, print_load, with_threads};
use crate::soft_beam::{YOUNG, cantilever};
use kreisel::Simulation;
use kreisel::model::setup::Integrator;
use std::process::Command;

/// The step over the stable one.
const TIMES: f64 = 50.0;
/// Sizes that are measured unless others are asked for [elements].
const SIZES: &str = "4000,15000,50000,200000";
/// The bar [bytes per element].
const BAR: f64 = 1500.0;
/// A size that starts with this is measured in this process.
const CHILD: &str = "only:";

/// Measures sizes such as `4000,1000000`; writes the table to `file` (`.csv`, or a plot `.svg`) if one is named.
pub fn run(sizes: Option<&str>, file: Option<&str>) {
    let sizes = sizes.unwrap_or(SIZES);
    if let Some(size) = sizes.strip_prefix(CHILD).and_then(|s| s.parse().ok()) {
        return with_threads(1, || measure(size));
    }
    print_load();
    println!("Cantilever, linearised backward Euler, h = {TIMES} h_crit, residual 1e-6, one core, processor time.");
    println!("Each size in a process of its own; memory: its peak over what it began with; bar {BAR} B/element.\n");
    println!(
        "{:>9} {:>11} {:>11} {:>10} {:>8} {:>8} {:>8} {:>10}  {:<40} {:>16}",
        "elements",
        "first [ms]",
        "step [ms]",
        "µs/element",
        "linear 1",
        "linear",
        "B built",
        "B/element",
        "solver",
        "hash of state"
    );
    let rows: Vec<Row> = sizes.split(',').filter_map(row).collect();
    if let Some(exponent) = exponent(&rows) {
        println!("\ncost of a step ~ elements^{exponent:.3} (least squares of the logarithms)");
    }
    if let Some(file) = file {
        let text = if file.ends_with(".svg") { svg(&rows) } else { csv(&rows) };
        std::fs::write(file, text).expect("a file that can be written");
    }
}

/// Elements, the first step [s], a later step [s], bytes per element.
struct Row {
    elements: f64,
    first: f64,
    step: f64,
    bytes: f64,
}

/// Measures one size in another process and prints its line.
fn row(size: &str) -> Option<Row> {
    let program = std::env::current_exe().expect("the path of this program");
    let out = Command::new(program).args(["implicit-size", &format!("{CHILD}{size}")]).output().expect("a process");
    eprint!("{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let (numbers, rest) = text.trim_end().split_once('|')?;
    let numbers: Vec<f64> = numbers.split(' ').filter_map(|a| a.parse().ok()).collect();
    let &[elements, first, step, linear_first, linear, built, bytes] = numbers.as_slice() else { return None };
    let verdict = if bytes <= BAR { "" } else { "  over the bar" };
    println!(
        "{elements:>9} {:>11.1} {:>11.2} {:>10.3} {linear_first:>8} {linear:>8.1} {built:>8.0} {bytes:>10.0}  {rest}{verdict}",
        1e3 * first,
        1e3 * step,
        1e6 * step / elements
    );
    Some(Row { elements, first, step, bytes })
}

/// Four times as long as it is thick, of about `size` elements.
fn nodes(size: f64) -> [u32; 3] {
    let across = (0.25 * size).cbrt().round().max(2.0) as u32;
    [4 * across, across, across]
}

fn measure(size: f64) {
    let before = kreisel_record::peak_bytes();
    let mut small = Simulation::new(&cantilever([8, 4, 4], YOUNG, Integrator::VelocityVerlet, None)).expect("a beam");
    let h = TIMES * small.plan().stable_step;
    let setup = cantilever(nodes(size), YOUNG, Integrator::LinearBackwardEuler, Some(h));
    let mut sim = Simulation::new(&kreisel::model::Setup { frame: h, ..setup }).expect("a beam");
    let built = kreisel_record::peak_bytes();
    let (mut times, mut linear, mut solver) = (Vec::new(), Vec::new(), "");
    let steps = (2e6 / size).clamp(3.0, 40.0) as usize;
    for _ in 0..=steps {
        let start = processor_time();
        let report = sim.step().expect("a step");
        times.push(processor_time() - start);
        linear.push(report.linear_iterations);
        solver = report.solver;
    }
    let n = sim.model().elements.len() as f64;
    let bytes = |peak: u64| (peak - before) as f64 / n;
    let later = linear[1..].iter().sum::<u64>() as f64 / steps as f64;
    let hash = kreisel_record::state_hash(sim.state());
    print!("{n} {} {} {} {later} ", times[0], median(&times[1..]), linear[0]);
    println!("{} {}|{solver:<40} {hash:016x}", bytes(built), bytes(kreisel_record::peak_bytes()));
}

/// Slope of the logarithm of the time over that of the size.
fn exponent(rows: &[Row]) -> Option<f64> {
    let points: Vec<(f64, f64)> = rows.iter().map(|r| (r.elements.ln(), r.step.ln())).collect();
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / n, y + p.1 / n));
    let (xy, xx) = points.iter().fold((0.0, 0.0), |a, p| (a.0 + (p.0 - x) * (p.1 - y), a.1 + (p.0 - x).powi(2)));
    (xx > 0.0).then(|| xy / xx)
}

fn csv(rows: &[Row]) -> String {
    let line = |r: &Row| format!("{},{},{},{}\n", r.elements, r.first, r.step, r.bytes);
    "elements,first_step_s,step_s,bytes_per_element\n".to_string() + &rows.iter().map(line).collect::<String>()
}

/// Both axes logarithmic, 100 units a decade, from 1,000 elements and 1 ms.
fn svg(rows: &[Row]) -> String {
    let x = |elements: f64| 60.0 + 100.0 * (elements.log10() - 3.0);
    let y = |time: f64| 450.0 - 100.0 * (time.log10() + 3.0);
    let mut text = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 420 490\" font-family=\"sans-serif\" font-size=\"11\">\n",
    );
    for (decade, label) in (3..=6).zip(["1 k", "10 k", "100 k", "1 M"]) {
        let at = x(10f64.powi(decade));
        text += &format!("<path d=\"M{at} 50V450\" stroke=\"#ccc\"/><text x=\"{at}\" y=\"465\">{label}</text>\n");
    }
    for (decade, label) in (-3..=1).zip(["1 ms", "10 ms", "100 ms", "1 s", "10 s"]) {
        let at = y(10f64.powi(decade));
        text += &format!("<path d=\"M60 {at}H400\" stroke=\"#ccc\"/><text x=\"10\" y=\"{at}\">{label}</text>\n");
    }
    let points: String = rows.iter().map(|r| format!("{:.1},{:.1} ", x(r.elements), y(r.step))).collect();
    text += &format!("<polyline points=\"{points}\" fill=\"none\" stroke=\"#06c\" stroke-width=\"2\"/>\n");
    let slope = exponent(rows).unwrap_or(f64::NAN);
    text + &format!(
        "<text x=\"60\" y=\"30\">one implicit step, one core, against elements; exponent {slope:.2}</text>\n</svg>\n"
    )
}
