//! A simulation: model, state and workspace in one hand.

use crate::build::{self, BuildError};
use crate::model::setup::{BodyShape, Integrator, Resolution};
use crate::model::{BodyId, Command, Event, Ledger, Model, ObstacleId, Setup, Skin, State};
use crate::readout::Forces;
use crate::readout::contact::{self, ContactReading, Party, TotalForce};
use crate::readout::dress::exact_skin;
use crate::readout::joint::{self, JointReading};
use crate::readout::ray::RayHit;
use crate::readout::skin::{self, SkinPose};
use crate::step::adopt::{AdoptError, adopt_shape};
use crate::step::convert::SwitchError;
use crate::step::{self, Deformed, SettleError, SettleParams, SettleReport, StepError, StepReport, Workspace};
use glamx::DVec3;

/// Contact forces that are given out at a time.
const MOST_CONTACT_FORCES: usize = 2000;

/// Owns a model, its state and the workspace, and steps from frame to frame.
///
/// ```
/// use kreisel::{Simulation, model::Setup, model::setup::BodySetup};
/// let setup = Setup { bodies: vec![BodySetup::default()], ..Setup::default() };
/// let mut sim = Simulation::new(&setup)?;
/// sim.run_until(0.1)?;
/// let block = sim.body("body").expect("the body is there");
/// sim.make_rigid(block)?;
/// println!("{}", sim.ledger().energy());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Simulation {
    /// What the model follows from; `None` after a shape was adopted, if only the model is known, or if no body could be cut
    /// anew from it.
    setup: Option<Setup>,
    model: Model,
    state: State,
    next: State,
    workspace: Workspace,
    pending: Vec<Event>,
    /// Why time goes on as it does.
    choice: String,
}

impl Simulation {
    /// Builds a scene, at rest under its loads if it says so.
    pub fn new(setup: &Setup) -> Result<Self, BuildError> {
        let mut sim = Self::unsettled(setup)?;
        if setup.settle {
            let help = "`kreisel settle` says more; without `settle` the scene starts as it is written";
            sim.settle(&SettleParams::default()).map_err(|e| BuildError::new("settle", e.to_string(), help))?;
        }
        Ok(sim)
    }

    /// Builds a scene as it is written.
    fn unsettled(setup: &Setup) -> Result<Self, BuildError> {
        let (model, state) = build::build(setup)?;
        let mut sim = Self {
            setup: can_be_cut_anew(setup).then(|| setup.clone()),
            model,
            state,
            next: State::default(),
            workspace: Workspace::default(),
            pending: Vec::new(),
            choice: "the scene says so".to_string(),
        };
        if sim.model.integrator == Integrator::Automatic {
            (sim.model.integrator, sim.choice) = step::choose(&sim.model, &sim.state, &mut sim.workspace);
        }
        step::open_ledger(&sim.model, &mut sim.state, &mut sim.workspace);
        if !sim.state.ledger.is_finite() {
            let help = "masses, speeds, sizes or stiffnesses are too large or too small for 64-bit numbers";
            return Err(BuildError::new("", "the energy or momentum of the scene is not a finite number", help));
        }
        Ok(sim)
    }

    /// Goes on from a saved state of the same scene.
    pub fn resume(setup: &Setup, state: State) -> Result<Self, BuildError> {
        let mut sim = Self::unsettled(setup)?;
        state.check(&sim.model).map_err(|e| {
            let path = format!("state.{}", e.field);
            BuildError::new(&path, e.message, "resume with the scene that the state was saved from")
        })?;
        sim.state = state;
        sim.workspace = Workspace::default();
        Ok(sim)
    }

    /// Goes on from a saved model and a saved state of it: the way to go on after [`Simulation::with_adopted_shape`].
    ///
    /// The model must be one that a simulation had; only the state is checked.
    pub fn from_model(model: Model, state: State) -> Result<Self, BuildError> {
        state.check(&model).map_err(|e| {
            let path = format!("state.{}", e.field);
            BuildError::new(&path, e.message, "go on with the model that the state was saved with")
        })?;
        let (next, workspace) = (State::default(), Workspace::default());
        let choice = "the recorded model says so".to_string();
        Ok(Self { setup: None, model, state, next, workspace, pending: Vec::new(), choice })
    }

    /// A simulation in which the present, deformed shape of some bodies is their rest shape, free of stress.
    ///
    /// Name the parts of a split body together: connections between bodies that are not named keep their strain. Motion
    /// goes on as it was; the elastic energy that vanishes is booked as conversion loss. The model does not follow from
    /// the setup any more: record it anew, and go on by [`Simulation::from_model`].
    pub fn with_adopted_shape(&self, bodies: &[BodyId]) -> Result<Self, AdoptError> {
        let mut state = self.state.clone();
        let model = adopt_shape(&self.model, &mut state, bodies)?;
        let pending = self.pending.clone();
        let (next, workspace, choice) = (State::default(), Workspace::default(), self.choice.clone());
        Ok(Self { setup: None, model, state, next, workspace, pending, choice })
    }

    /// The surface of a body at the moment, if it has one.
    pub fn skin(&self, body: BodyId) -> Option<SkinPose> {
        let posed = |skin: &Skin| skin::pose(&self.model, skin, &self.state.position, &self.state.broken);
        match self.model.skins.iter().find(|s| s.body == body) {
            Some(skin) => Some(posed(skin)),
            None => exact_skin(&self.model, body).as_ref().map(posed),
        }
    }

    /// One frame. On failure the state is that of before.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        self.step_by(self.model.frame)
    }

    /// One frame of the given length [s].
    pub fn step_by(&mut self, frame: f64) -> Result<StepReport, StepError> {
        let mut report =
            step::step(&self.model, &self.state, &mut self.next, &mut self.workspace, frame).inspect_err(|_| {
                // The workspace may know what the failed frame did; the next one starts from the state alone.
                self.workspace = Workspace::default();
            })?;
        std::mem::swap(&mut self.state, &mut self.next);
        report.events.splice(0..0, self.pending.drain(..));
        Ok(report)
    }

    /// Frames until time `t` [s]; the last one is shorter if need be. Returns what happened.
    pub fn run_until(&mut self, t: f64) -> Result<Vec<Event>, StepError> {
        let mut events = Vec::new();
        if !t.is_finite() {
            let (time, cause) = (self.state.time, format!("cannot run until {t} s: it never comes"));
            return Err(StepError { time, element: None, body: String::new(), cause });
        }
        while t - self.state.time > 1e-9 * self.model.frame {
            let report = self.step_by(self.model.frame.min(t - self.state.time))?;
            events.extend(report.events);
        }
        Ok(events)
    }

    /// Brings everything to rest under the loads of a moment; nothing moves afterwards. On failure nothing has changed.
    ///
    /// Velocities are forgotten, friction is that of being set down from standstill. The accounts are opened anew.
    pub fn settle(&mut self, params: &SettleParams) -> Result<SettleReport, SettleError> {
        let mut state = self.state.clone();
        self.workspace = Workspace::default();
        let report = step::settle(&self.model, &mut state, &mut self.workspace, params).inspect_err(|_| {
            self.workspace = Workspace::default();
        })?;
        self.state = state;
        Ok(report)
    }

    /// The body with a name.
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.model.bodies.iter().position(|b| b.name == name).map(|b| BodyId(b as u32))
    }

    /// Tells the motor of a joint what to do from the next step on; false if there is no such joint, if free elements carry it,
    /// or if the numbers are nothing that a motor can do.
    pub fn command(&mut self, joint: &str, command: Command) -> bool {
        let Some(k) = self.joint_number(joint) else { return false };
        let joint = &self.model.joints[k];
        let whole = joint.seats(&self.state.joints[k]).all(|seat| seat.kind == joint.kind);
        let obeys = joint.is_driven() && whole && command.is_sound();
        if obeys && self.state.joints[k].command != command {
            self.state.joints[k].command = command;
            self.state.sleep.wake_all();
        }
        obeys
    }

    /// Switches the contact between two bodies, or a body and an obstacle, off or on again. What the scene has switched off
    /// stays off. False if there is no such pair.
    pub fn set_contact(&mut self, first: Party, second: Party, on: bool) -> bool {
        if !(first.exists(&self.model) && second.exists(&self.model)) {
            return false;
        }
        let (a, b) = (first.number(), second.number());
        let pair = (a.min(b), a.max(b));
        match self.state.apart.binary_search(&pair) {
            Ok(k) if on => drop(self.state.apart.remove(k)),
            Err(k) if !on => self.state.apart.insert(k, pair),
            _ => return true,
        }
        // Who may touch whom is found anew.
        self.state.epoch += 1;
        self.state.sleep.wake_all();
        true
    }

    /// True if a body sleeps: it has been at rest for a while, and costs nothing until something comes near.
    pub fn is_asleep(&self, body: BodyId) -> bool {
        let element = self.model.bodies.get(body.0 as usize).and_then(|b| b.elements.first());
        element.is_some_and(|&e| self.state.sleep.is_asleep(self.state.epoch, self.state.owner[e as usize] as usize))
    }

    /// What a joint says of itself.
    pub fn joint(&self, name: &str) -> Option<JointReading> {
        joint::read(&self.model, &self.state, self.joint_number(name)?)
    }

    fn joint_number(&self, name: &str) -> Option<usize> {
        self.model.joints.iter().position(|j| j.name == name)
    }

    /// Makes a body rigid, wherever it is and however it moves.
    pub fn make_rigid(&mut self, body: BodyId) -> Result<(), SwitchError> {
        self.switch(&self.elements_of(body), true)
    }

    /// Makes a body soft.
    pub fn make_soft(&mut self, body: BodyId) -> Result<(), SwitchError> {
        self.switch(&self.elements_of(body), false)
    }

    /// Makes a set of elements one rigid aggregate, or soft.
    pub fn switch(&mut self, elements: &[u32], rigid: bool) -> Result<(), SwitchError> {
        step::switch(&self.model, &mut self.state, &mut self.workspace, elements, rigid, &mut self.pending)
    }

    /// Cuts a body (a box or a solid) anew, coarser or finer: same material, same motion, same momenta.
    ///
    /// Energy that the change takes out is booked with that of other conversions. On failure nothing has changed.
    pub fn resample(&mut self, body: BodyId, resolution: Resolution) -> Result<(), BuildError> {
        let Some(setup) = &self.setup else {
            let message =
                "the model does not follow from a scene with boxes or solids: there is nothing to cut anew from";
            let help = "give the body such a shape, and change its resolution before a shape is adopted";
            return Err(BuildError::new("body", message, help));
        };
        let new = build::resample(setup, &self.model, &self.state, body, resolution)?;
        let (old, mut state, mut workspace) = (self.state.ledger, new.state, Workspace::default());
        step::open_ledger(&new.model, &mut state, &mut workspace);
        let now = state.ledger;
        let taken = old.energy() - now.energy();
        state.ledger = Ledger {
            kinetic: now.kinetic,
            gravity: now.gravity,
            elastic: now.elastic,
            frozen: now.frozen,
            momentum: now.momentum,
            angular_momentum: now.angular_momentum,
            conversion_loss: old.conversion_loss + taken,
            turnover: old.turnover + taken.abs(),
            ..old
        };
        let integrator = self.model.integrator;
        (self.setup, self.model, self.state, self.workspace) = (Some(new.setup), new.model, state, workspace);
        self.model.integrator = integrator;
        Ok(())
    }

    fn elements_of(&self, body: BodyId) -> Vec<u32> {
        self.model.bodies.get(body.0 as usize).map_or_else(Vec::new, |b| b.elements.clone())
    }

    /// Time [s].
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// Which integrator takes the steps, and why.
    pub fn integrator(&self) -> (Integrator, &str) {
        (self.model.integrator, &self.choice)
    }

    /// What there is.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Where it is and how it moves.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Energy and momentum accounts.
    pub fn ledger(&self) -> &Ledger {
        &self.state.ledger
    }

    /// Forces on all elements at the moment.
    pub fn forces(&mut self) -> Forces {
        step::forces(&self.model, &mut self.state, &mut self.workspace)
    }

    /// The state as it would look if quasi-static aggregates deformed under the loads of the moment, to be read and shown.
    /// `None` if there are no such aggregates.
    pub fn deformed(&mut self) -> Option<Deformed> {
        step::deformed(&self.model, &mut self.state, &mut self.workspace)
    }

    /// Where things touch [m], and the force on the first of the two [N], at the state of the moment: the element whose
    /// sphere it is; the other element, skin or obstacle feels the opposite. The strongest first, 2000 at most.
    pub fn contact_forces(&mut self) -> Vec<(DVec3, DVec3)> {
        step::contact_forces(&self.model, &mut self.state, &mut self.workspace, MOST_CONTACT_FORCES)
    }

    /// Everything that touches: where, how hard, whether it sticks or slides, and whether statics determines the force.
    ///
    /// Under the law `constraint` forces are means over the last step, under that of springs those of the moment.
    pub fn contacts(&mut self) -> Vec<ContactReading> {
        step::contacts(&self.model, &mut self.state, &mut self.workspace)
    }

    /// What two bodies, rigid or soft, or a body and an obstacle, exert on each other at all their contacts.
    ///
    /// Totals are right also where the forces of single contacts are not unique.
    pub fn force_between(&mut self, first: Party, second: Party) -> TotalForce {
        contact::total(&self.contacts(), first, second)
    }

    /// The body or obstacle with a name, as contacts name it.
    pub fn party(&self, name: &str) -> Option<Party> {
        let obstacle = || self.model.obstacles.iter().position(|o| o.name == name);
        self.body(name).map(Party::Body).or_else(|| obstacle().map(|o| Party::Obstacle(ObstacleId(o as u16))))
    }

    /// The first thing that a ray from `origin` [m] along `direction` (of any length) meets within `longest` [m]: an exact
    /// shape, the skin of a body of elements, the contact sphere of an element, or an obstacle. A convex shape is not met from
    /// inside, a mesh or skin from its back not either.
    pub fn cast_ray(&mut self, origin: DVec3, direction: DVec3, longest: f64) -> Option<RayHit> {
        step::cast(&self.model, &self.state, &mut self.workspace, origin, direction, longest)
    }

    /// The steps that the next frame would take, and what limits them.
    pub fn plan(&mut self) -> StepReport {
        step::plan(&self.model, &self.state, &mut self.workspace, self.model.frame)
    }

    /// Forgets all caches; no result changes by that.
    pub fn drop_workspace(&mut self) {
        self.workspace = Workspace::default();
    }
}

fn can_be_cut_anew(setup: &Setup) -> bool {
    setup.bodies.iter().any(|b| matches!(b.shape, BodyShape::Box { .. } | BodyShape::Solid { .. }))
}
