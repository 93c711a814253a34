//! Runs a scene and checks after each frame what must hold whatever the scene is.

use kreisel::model::setup::Integrator;
use kreisel::model::{Event, Setup, State};
use kreisel::readout::Forces;
use kreisel::readout::probe::{Probes, column_names};
use kreisel::step::StepError;
use kreisel::{DVec3, Simulation};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Momenta are sums over a few hundred elements and steps: rounding reaches 1e-12 of the largest terms; a thousandfold
/// of that is a mistake.
const MOMENTUM_TOLERANCE: f64 = 1e-9;

/// What a scene came to.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Why the scene was refused.
    pub refused: Option<String>,
    /// The step that failed, as a step may.
    pub failed_step: Option<String>,
    pub elements: usize,
    pub steps: u64,
    pub frames: u64,
    pub contacts: usize,
    pub events: usize,
    /// Residual of P and L relative to their scales.
    pub momentum: f64,
    pub angular_momentum: f64,
    /// Residual of the energy relative to the turnover, with its sign.
    pub energy: f64,
    /// The last state, as a number.
    pub hash: u64,
    /// What must not be.
    pub wrong: Vec<String>,
}

/// What kinds of second runs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    No,
    /// Workspace dropped before each frame.
    Forgetful,
    /// From a state saved in the middle.
    Resumed,
}

/// Runs the scene to its end.
pub fn run(setup: &Setup, again: Again) -> Outcome {
    let mut out = Outcome::default();
    let mut sim = match Simulation::new(setup) {
        Ok(sim) => sim,
        Err(e) => {
            out.refused = Some(e.to_string());
            return out;
        }
    };
    let mut watch = Watch::new(&sim);
    let mut hashes = vec![hash(sim.state())];
    let mut saved = None;
    out.elements = sim.model().elements.len();
    while sim.time() < setup.duration && out.failed_step.is_none() {
        frame(&mut sim, setup, &mut watch, &mut out);
        hashes.push(hash(sim.state()));
        if saved.is_none() && sim.time() > 0.5 * setup.duration {
            saved = Some((sim.state().clone(), hashes.len()));
        }
    }
    watch.close(&sim, setup, &mut out);
    out.hash = hash(sim.state());
    match (again, saved) {
        (Again::Forgetful, _) => compare(Simulation::new(setup), true, &hashes[1..], &mut out),
        (Again::Resumed, Some((state, at))) => {
            compare(Simulation::resume(setup, state), false, &hashes[at..], &mut out);
        }
        _ => {}
    }
    out
}

/// A second run must show the same bits after each frame.
fn compare(sim: Result<Simulation, kreisel::build::BuildError>, forget: bool, hashes: &[u64], out: &mut Outcome) {
    let Ok(mut sim) = sim else { return out.wrong.push("the second run was refused".into()) };
    for (k, &wanted) in hashes.iter().enumerate() {
        if forget {
            sim.drop_workspace();
        }
        let _ = sim.step();
        if hash(sim.state()) != wanted {
            let how = if forget { "without its workspace" } else { "resumed" };
            out.wrong.push(format!("other bits {how}, frame {k} of {}, t = {:e}", hashes.len(), sim.time()));
            return;
        }
    }
}

fn frame(sim: &mut Simulation, setup: &Setup, watch: &mut Watch, out: &mut Outcome) {
    let before = hash(sim.state());
    match sim.step() {
        Ok(report) => {
            out.steps += report.substeps;
            out.frames += 1;
            out.contacts = out.contacts.max(report.contacts);
            out.events += report.events.len();
            check_events(&report.events, out);
            let numbers = [report.time, report.step];
            expect(numbers.iter().all(|a| a.is_finite()), || format!("report {numbers:?}"), out);
            check_state(sim.state(), out);
            let forces = check_readout(sim, out);
            watch.receive(sim, &forces, setup.frame);
            watch.look(sim, setup, out);
        }
        Err(e) => {
            check_error(&e, out);
            expect(hash(sim.state()) == before, || format!("a failed step changed the state: {e}"), out);
            out.failed_step = Some(e.to_string());
        }
    }
}

fn expect(good: bool, message: impl FnOnce() -> String, out: &mut Outcome) {
    if !good && out.wrong.len() < 8 {
        out.wrong.push(message());
    }
}

fn check_error(e: &StepError, out: &mut Outcome) {
    let told = e.time.is_finite() && e.element.is_some() && !e.cause.is_empty();
    expect(told, || format!("an error that does not tell: {e:?}"), out);
}

fn check_events(events: &[Event], out: &mut Outcome) {
    for e in events {
        let finite = e.time.is_finite() && e.place.is_finite() && e.energy.is_finite();
        expect(finite, || format!("event {e:?}"), out);
    }
}

fn check_state(s: &State, out: &mut Outcome) {
    let fields = s.position.first_not_finite().or_else(|| s.velocity.first_not_finite());
    expect(fields.is_none(), || format!("element {fields:?} is not finite at {:e}", s.time), out);
    for (k, a) in s.aggregates.iter().enumerate() {
        let finite = a.position.is_finite() && a.orientation.is_finite() && a.velocity.is_finite();
        let unit = (a.orientation.length() - 1.0).abs() < 1e-9;
        expect(finite && unit && a.angular_momentum.is_finite(), || format!("aggregate {k}: {a:?}"), out);
    }
    let finite = s.contacts.iter().all(|c| c.rest.is_finite() && c.stretch.is_finite());
    expect(finite, || "a contact is not finite".into(), out);
    let entries =
        s.ledger.entries().iter().all(|e| e.1.is_finite()) && s.ledger.momenta().iter().all(|m| m.1.is_finite());
    expect(entries, || format!("ledger {:?}", s.ledger), out);
}

fn check_readout(sim: &mut Simulation, out: &mut Outcome) -> Forces {
    let before = hash(sim.state());
    let forces = sim.forces();
    expect(hash(sim.state()) == before, || "reading the forces changed the state".into(), out);
    let finite = [&forces.total, &forces.reaction, &forces.contact].iter().all(|f| f.first_not_finite().is_none());
    expect(finite, || "forces are not finite".into(), out);
    let row = Probes::new(sim.model()).read(sim.model(), sim.state(), &forces);
    let names = column_names(sim.model());
    expect(row.len() == names.len(), || format!("{} columns, {} names", row.len(), names.len()), out);
    let wild = row.iter().zip(&names).find(|(a, _)| !a.is_finite());
    expect(wild.is_none(), || format!("probe {wild:?}"), out);
    forces
}

/// Scales of the momenta, largest so far, with the impulses received.
struct Watch {
    p: f64,
    l: f64,
    impulse: (DVec3, DVec3),
    received: (f64, f64),
}

impl Watch {
    fn new(sim: &Simulation) -> Self {
        let (p, l) = scales(sim);
        Self { p, l, impulse: (DVec3::ZERO, DVec3::ZERO), received: (0.0, 0.0) }
    }

    /// Forces that cancel (a load and the support that takes it up) leave rounding errors behind all the same.
    fn receive(&mut self, sim: &Simulation, forces: &Forces, time: f64) {
        for field in [&forces.total, &forces.reaction] {
            for i in 0..field.len() {
                let impulse = field.get(i).length() * time;
                self.received.0 += impulse;
                self.received.1 += impulse * sim.state().position.get(i).length();
            }
        }
    }

    fn look(&mut self, sim: &Simulation, setup: &Setup, out: &mut Outcome) {
        let (p, l) = scales(sim);
        let ledger = sim.ledger();
        let now = (ledger.external_impulse, ledger.external_angular_impulse);
        self.received.0 += now.0.distance(self.impulse.0);
        self.received.1 += now.1.distance(self.impulse.1);
        self.impulse = now;
        (self.p, self.l) = (self.p.max(p), self.l.max(l));
        let error = |a: DVec3, scale: f64| if a == DVec3::ZERO { 0.0 } else { a.length() / scale };
        // An explosion has no digits left for momenta.
        let exploded = setup.integrator == Integrator::ForwardEuler && ledger.relative_residual() > 0.1;
        if !exploded {
            out.momentum = out.momentum.max(error(ledger.momentum_residual, self.p + self.received.0));
        }
        // Forward Euler moves with the old velocity: `x⁺ × m v⁺` gains `h v × h f`, by its nature.
        if setup.integrator != Integrator::ForwardEuler {
            let l = error(ledger.angular_momentum_residual, self.l + self.received.1);
            out.angular_momentum = out.angular_momentum.max(l);
        }
    }

    fn close(&self, sim: &Simulation, setup: &Setup, out: &mut Outcome) {
        let ledger = sim.ledger();
        // Forward Euler invents energy by its nature.
        if setup.integrator != Integrator::ForwardEuler {
            out.energy = ledger.relative_residual() * ledger.residual.signum();
        }
        let kept = out.momentum < MOMENTUM_TOLERANCE && out.angular_momentum < MOMENTUM_TOLERANCE;
        let text = format!("P residual {:.1e}, L residual {:.1e}", out.momentum, out.angular_momentum);
        expect(kept, || text, out);
    }
}

/// `Σ m |v|` and `Σ m |x| |v|`, with the spin of aggregates.
fn scales(sim: &Simulation) -> (f64, f64) {
    let (m, s) = (&sim.model().elements.mass, sim.state());
    let spins: f64 = s.aggregates.iter().map(|a| a.angular_momentum.length()).sum();
    // What gravity gives in the time so far counts as well: where supports take it up again, rounding remains.
    let fallen = sim.model().gravity.length() * s.time;
    (0..m.len()).fold((0.0, spins), |(p, l), i| {
        let (x, v) = (s.position.get(i).length(), s.velocity.get(i).length() + fallen);
        (p + m[i] * v, l + m[i] * x * v)
    })
}

/// A number that two states share only if they are equal to the last bit (shortest decimals tell all bits apart).
pub fn hash(state: &State) -> u64 {
    let mut hasher = DefaultHasher::new();
    format!("{state:?}").hash(&mut hasher);
    hasher.finish()
}
