//! What is simulated and can be changed while it moves: scene, model, state, caches and what hands hold.

use crate::session::hands::Hand;
use kreisel::Simulation;
use kreisel::build::BuildError;
use kreisel::model::{Bindings, Event, Ledger, Model, Setup, Skin, State, Surface};
use kreisel::readout::contact::ContactReading;
use kreisel::step::{self, StepError, StepReport, Workspace};
use std::sync::Arc;

/// A scene on its way.
#[derive(Debug)]
pub struct World {
    /// What the model follows from; `None` after a shape was kept: then the model stands for itself.
    pub setup: Option<Arc<Setup>>,
    /// What there is. Keyframes share it until it changes.
    pub model: Arc<Model>,
    /// Where it is and how it moves.
    pub state: State,
    /// What people hold at the moment.
    pub hands: Vec<Hand>,
    /// How many grabs of the model are the scene's own; those of hands come after.
    pub own_grabs: usize,
    /// Counts changes of the model.
    pub version: u64,
    /// What happened since the last step.
    pub pending: Vec<Event>,
    next: State,
    workspace: Workspace,
}

/// All that is needed to be at a moment again.
#[derive(Clone, Debug)]
pub struct Moment {
    setup: Option<Arc<Setup>>,
    model: Arc<Model>,
    state: State,
    hands: Vec<Hand>,
    own_grabs: usize,
}

impl World {
    /// Builds a scene.
    pub fn new(setup: Setup) -> Result<Self, BuildError> {
        let sim = Simulation::new(&setup)?;
        let model = sim.model().clone();
        Ok(Self {
            own_grabs: model.grabs.len(),
            setup: Some(Arc::new(setup)),
            model: Arc::new(model),
            state: sim.state().clone(),
            hands: Vec::new(),
            version: 0,
            pending: Vec::new(),
            next: State::default(),
            workspace: Workspace::default(),
        })
    }

    /// One frame. On failure the state is that of before.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        let frame = self.model.frame;
        self.workspace.clock.set(true);
        let mut report = step::step(&self.model, &self.state, &mut self.next, &mut self.workspace, frame)
            .inspect_err(|_| self.workspace = Workspace::default())?;
        std::mem::swap(&mut self.state, &mut self.next);
        report.events.splice(0..0, self.pending.drain(..));
        Ok(report)
    }

    /// The moment, to come back to.
    pub fn moment(&self) -> Moment {
        Moment {
            setup: self.setup.clone(),
            model: self.model.clone(),
            state: self.state.clone(),
            hands: self.hands.clone(),
            own_grabs: self.own_grabs,
        }
    }

    /// Goes back to a moment.
    pub fn restore(&mut self, moment: &Moment) {
        if !Arc::ptr_eq(&self.model, &moment.model) {
            self.version += 1;
        }
        self.setup = moment.setup.clone();
        self.model = moment.model.clone();
        self.state.clone_from(&moment.state);
        self.hands.clone_from(&moment.hands);
        self.own_grabs = moment.own_grabs;
        self.pending.clear();
        self.forget();
    }

    /// Changes the model; what the change does to the energy is booked as work of whoever made it.
    pub fn change(&mut self, change: impl FnOnce(&mut Model)) {
        change(Arc::make_mut(&mut self.model));
        self.version += 1;
        self.rebook(|ledger, gained| ledger.load_work += gained);
    }

    /// Measures the energies anew after model or state were changed by hand, and books what that gained [J].
    pub fn rebook(&mut self, book: impl FnOnce(&mut Ledger, f64)) {
        self.forget();
        let old = self.state.ledger;
        step::open_ledger(&self.model, &mut self.state, &mut self.workspace);
        let now = self.state.ledger;
        let gained = now.energy() - old.energy();
        let mut ledger = Ledger {
            kinetic: now.kinetic,
            gravity: now.gravity,
            elastic: now.elastic,
            frozen: now.frozen,
            momentum: now.momentum,
            angular_momentum: now.angular_momentum,
            turnover: old.turnover + gained.abs(),
            external_impulse: old.external_impulse + now.momentum - old.momentum,
            external_angular_impulse: old.external_angular_impulse + now.angular_momentum - old.angular_momentum,
            ..old
        };
        book(&mut ledger, gained);
        self.state.ledger = ledger;
    }

    /// Makes elements rigid or soft.
    pub fn switch(&mut self, elements: &[u32], rigid: bool) -> Result<(), String> {
        step::switch(&self.model, &mut self.state, &mut self.workspace, elements, rigid, &mut self.pending)
            .map_err(|e| e.to_string())
    }

    /// Contacts of connections at the moment; those of exact shapes are in the state.
    pub fn contacts(&mut self) -> Vec<ContactReading> {
        step::contacts(&self.model, &mut self.state, &mut self.workspace)
    }

    /// The state with its quasi-static bodies deformed; `None` if there are none.
    pub fn deformed(&mut self) -> Option<step::Deformed> {
        step::deformed(&self.model, &mut self.state, &mut self.workspace)
    }

    /// Forces on all elements at the moment.
    pub fn forces(&mut self) -> kreisel::readout::Forces {
        step::forces(&self.model, &mut self.state, &mut self.workspace)
    }

    /// The steps that the next frame would take.
    pub fn plan(&mut self) -> StepReport {
        step::plan(&self.model, &self.state, &mut self.workspace, self.model.frame)
    }

    /// Forgets all caches: what they were made from has changed.
    pub fn forget(&mut self) {
        self.workspace = Workspace::default();
    }
}

impl Moment {
    /// About how much memory it takes beside the moment before, with which it may share the model [bytes].
    pub fn bytes(&self, before: Option<&Self>) -> usize {
        let s = &self.state;
        let aggregates: usize = s.aggregates.iter().map(|a| size_of_val(a) + 28 * a.elements.len() + ALLOCATIONS).sum();
        let impulses: usize = s.joints.iter().map(|j| size_of_val(&j.impulses[..]) + ALLOCATIONS).sum();
        let contacts = size_of_val(&s.contacts[..]) + size_of_val(&s.shape_contacts[..]) + size_of_val(&s.joints[..]);
        let rest = size_of_val(&s.calm[..]) + size_of_val(&s.sleep.calm[..]) + size_of_val(&s.apart[..]);
        // Implicit steps remember a pose and how velocities changed.
        let fields = 24 * (s.solver.pose.len() + s.owner.len() * s.solver.changes.len());
        let hands: usize = self.hands.iter().map(|h| size_of_val(h) + size_of_val(&h.fingers[..])).sum();
        let own = size_of::<Self>() + 16 * ALLOCATIONS + 52 * s.owner.len() + 4 * s.broken.len();
        let is_shared = before.is_some_and(|b| Arc::ptr_eq(&b.model, &self.model));
        let model = if is_shared { 0 } else { model_bytes(&self.model) };
        own + aggregates + impulses + contacts + rest + fields + size_of_val(&s.solver.bodies[..]) + hands + model
    }
}

/// What the allocator keeps for itself of two blocks [bytes].
const ALLOCATIONS: usize = 32;

/// About how much memory a model takes, with the setup that it was made from [bytes].
fn model_bytes(m: &Model) -> usize {
    let bindings = |b: &Bindings| 4 * b.starts.len() + 12 * b.elements.len();
    let surface = |s: &Surface| 48 * s.vertices.len() + 40 * s.triangles.len() + 16 * s.trace.uvs.len();
    // A setup has the surfaces as well.
    let skin = |s: &Skin| 24 * s.rest.len() + 16 * s.triangles.len() + bindings(&s.bindings) + 2 * surface(&s.surface);
    let skins: usize = m.skins.iter().map(skin).sum();
    let bodies: usize = m.bodies.iter().map(|b| 1000 + 4 * b.elements.len()).sum();
    let connections = 12 * m.connections.len() + size_of_val(&m.connections.classes[..]);
    let cells = size_of_val(&m.cells[..]) + size_of_val(&m.faces[..]) + bindings(&m.perches);
    let drives = size_of_val(&m.holds[..]) + m.grabs.iter().map(|g| size_of_val(g) + 32 * g.path.len()).sum::<usize>();
    let loads: usize = m.loads.iter().map(|l| 32 * l.forces.len()).sum();
    let shapes = size_of_val(&m.colliders[..]) + 1000 * m.joints.len();
    10_000 + 80 * m.elements.len() + connections + cells + skins + bodies + drives + loads + shapes
}
