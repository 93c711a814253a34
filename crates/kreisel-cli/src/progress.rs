//! How far a run is: a bar on terminals, a line now and then elsewhere.

use crate::console::{self, short};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kreisel::model::Ledger;
use std::time::{Duration, Instant};

/// Resolution of the bar.
const TICKS: f64 = 1000.0;
/// Lines from the beginning to the end where there is no terminal.
const LINES: f64 = 10.0;
/// A long run says at least this often that it lives.
const SILENCE: Duration = Duration::from_secs(30);

/// Shows how far a run is.
#[derive(Debug)]
pub struct Progress {
    form: Form,
    /// From when to when the run goes [s].
    span: (f64, f64),
    clock: Instant,
}

#[derive(Debug)]
enum Form {
    Nothing,
    Bar(ProgressBar),
    Lines { next: f64, last: Instant },
}

impl Progress {
    /// The progress of a run from `span.0` to `span.1` [s].
    pub fn new(quiet: bool, span: (f64, f64)) -> Self {
        let clock = Instant::now();
        let form = match (quiet, console::is_terminal()) {
            (true, _) => Form::Nothing,
            (false, true) => Form::Bar(bar()),
            (false, false) => Form::Lines { next: 1.0 / LINES, last: clock },
        };
        Self { form, span, clock }
    }

    /// The run has reached a time [s].
    pub fn update(&mut self, time: f64, ledger: &Ledger) {
        let done = ((time - self.span.0) / (self.span.1 - self.span.0)).clamp(0.0, 1.0);
        let line = || describe(time, self.span, self.clock.elapsed(), ledger);
        match &mut self.form {
            Form::Nothing => {}
            Form::Bar(bar) => {
                bar.set_position((done * TICKS) as u64);
                bar.set_message(line());
            }
            Form::Lines { next, last } if done + 1e-9 >= *next || last.elapsed() > SILENCE => {
                console::complain(&format!("{:3.0} %  {}", 100.0 * done, line()));
                *next = ((done * LINES + 1e-6).floor() + 1.0) / LINES;
                *last = Instant::now();
            }
            Form::Lines { .. } => {}
        }
    }

    /// Prints a message without disturbing the bar.
    pub fn say(&self, text: &str) {
        match &self.form {
            Form::Bar(bar) => bar.suspend(|| console::complain(text)),
            Form::Lines { .. } => console::complain(text),
            Form::Nothing => {}
        }
    }

    /// Time on the clock on the wall since the beginning [s].
    pub fn seconds(&self) -> f64 {
        self.clock.elapsed().as_secs_f64()
    }

    /// The run is over.
    pub fn close(&self) {
        if let Form::Bar(bar) = &self.form {
            bar.abandon();
        }
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(TICKS as u64), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {percent:>3} %  {msg}  {elapsed}") {
        bar.set_style(style.progress_chars("━╸─"));
    }
    bar
}

/// Simulated time, speed against real time, and what the numerics invented or lost.
fn describe(time: f64, span: (f64, f64), elapsed: Duration, ledger: &Ledger) -> String {
    let speed = (time - span.0) / elapsed.as_secs_f64().max(1e-9);
    let residual = 100.0 * ledger.relative_residual();
    format!("{time:.3} of {} s  {}× real time  residual {} %", span.1, short(speed), short(residual))
}
