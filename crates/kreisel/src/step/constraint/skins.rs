//! Contact spheres on the skins of other bodies.
//!
//! A sphere lies a radius inside its own surface, so that its distance `d` from the other's skin less the radius is the gap of
//! the two surfaces: `0 ≤ p_n ⊥ d − r + h n·u ≥ 0`, without the bumps of spheres on spheres. The push acts at the foot
//! `q = Σ β φ x` for both. There the skin moves by the same weights, `q̇ = Σ β φ v`, and the surface of the sphere with the
//! matter around its element: impulses reach the elements by the transposes, so that power, `P` and `L` are kept. What one
//! rigid body carries moves with that at once. Both bodies stand on each other so; who is finer than the other does not matter.

use crate::collide::shapes::Touch;
use crate::contact::foot::Foot;
use crate::contact::touch::Touch as Sphere;
use crate::linear::Vectors;
use crate::model::{Model, Skin, State};
use crate::step::constraint::rubbing::{self, Rub};
use crate::step::constraint::space::{ContactSpace, Found, Kind};
use crate::step::skin_search::Spheres;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// A sphere that stands on a skin, or may come to do so within the step.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// Numbers of the sphere and of the skin among the colliders.
    pub pair: (u32, u32),
    /// Where it stands.
    pub foot: Foot,
    /// The carriers of both sides.
    pub carriers: [u32; 2],
}

impl ContactSpace {
    /// The skins that spheres may stand on.
    pub fn clad<'a>(&self, model: &'a Model) -> &'a [Skin] {
        if self.skins.is_idle() { &[] } else { &model.skins }
    }

    /// Number of the first contact sphere among the colliders.
    pub fn first_ball(&self) -> usize {
        self.first_skin() - self.balls.len()
    }

    /// Number of the first skin among the colliders.
    pub fn first_skin(&self) -> usize {
        self.carrier.len() - self.skins.cladding.skins.len()
    }

    /// True for contacts of spheres with skins.
    pub fn is_on_skin(&self, f: &Found) -> bool {
        f.second as usize >= self.first_skin()
    }

    /// Where the foot of a sphere on a skin is in the list.
    pub fn standing_of(&self, f: &Found) -> Option<usize> {
        self.standing.binary_search_by_key(&(f.first, f.second), |s| s.pair).ok()
    }

    /// The carriers of both sides of a contact, which pushes along its normal move.
    pub fn sides(&self, f: &Found) -> [u32; 2] {
        let standing = if self.is_on_skin(f) { self.standing_of(f) } else { None };
        standing.map_or([f.first, f.second].map(|k| self.carrier[k as usize]), |n| self.standing[n].carriers)
    }

    /// What two colliders are made of; a skin is of what the other stands on.
    pub fn materials(&self, model: &Model, first: u32, second: u32) -> [Option<u16>; 2] {
        let of = |e: u32| Some(model.elements.material[e as usize].0);
        [first, second].map(|k| match self.kind(model, k) {
            Kind::Exact(k) => Some(model.colliders[k].material.0),
            Kind::World(_) => None,
            Kind::Ball(k) => of(self.balls[k]),
            Kind::Skin(k) => match self.standing.binary_search_by_key(&(first, second), |s| s.pair) {
                Ok(n) => of(self.standing[n].foot.bearer),
                Err(_) => model.skins[k].bindings.elements.first().and_then(|&e| of(e)),
            },
        })
    }
}

/// Finds where spheres stand on skins, and puts that among what was found. All look as far as the fastest of them may come,
/// with what it pushes: whoever is struck may be as fast.
pub fn touch(model: &Model, state: &State, w: &Workspace, space: &mut ContactSpace, h: f64) {
    space.standing.clear();
    if space.skins.is_idle() {
        return;
    }
    let first = space.first_ball();
    let look = 2.0 * space.reach[first..].iter().copied().fold(0.0, f64::max);
    let mut centres = Vectors::default();
    space.poses[first..].iter().for_each(|pose| centres.push(pose.position));
    let bare: Vec<f64> = space.balls.iter().map(|&e| model.elements.radius[e as usize]).collect();
    let mut skins = std::mem::take(&mut space.skins);
    // They look from where they will be, too.
    let within = Spheres { centres: &centres, radii: &bare, margin: 0.0 };
    skins.keep_within(model, state, &w.topology, within, 2.0 * look);
    let radii: Vec<f64> = bare.iter().map(|radius| radius + look).collect();
    let spheres = Spheres { centres: &centres, radii: &radii, margin: look };
    let borne = |e: u32| space.is_borne(model, e);
    let ahead = |e: u32, foot: &Foot| {
        // Who cannot take couples must be pushed along the line to its centre.
        let turns = borne(e) || rubbing::turning(model, state, w, space, e, DVec3::ZERO).is_some();
        let sphere = Sphere::new(model, e, w.topology.leans(e), &state.position);
        let u = sphere.velocity(model, &state.velocity) - foot.velocity(model, &state.velocity);
        if turns { u * h } else { DVec3::ZERO }
    };
    skins.find_feet_ahead(model, &state.position, spheres, &ahead);
    let feet = skins.feet().to_vec();
    space.skins = skins;
    feet.iter().for_each(|(e, foot)| add(model, space, *e, foot));
    space.found.sort_by_key(|f| (f.first, f.second, f.touch.feature));
    space.last.count = space.found.len();
    if !space.standing.is_empty() {
        rubbing::seat(model, state, w, space);
    }
}

fn add(model: &Model, space: &mut ContactSpace, e: u32, foot: &Foot) {
    let body = |e: u32| Some(model.elements.body[e as usize]);
    let Some(ball) =
        space.balls.binary_search(&e).ok().filter(|_| !space.joints.keep_apart(body(e), body(foot.bearer)))
    else {
        return;
    };
    let pair = ((space.first_ball() + ball) as u32, space.first_skin() as u32 + foot.skin);
    let radius = model.elements.radius[e as usize];
    let surface = foot.point + foot.normal * (foot.distance - radius);
    let touch =
        Touch { point_a: surface, point_b: foot.point, normal: foot.normal, gap: foot.distance - radius, feature: 0 };
    space.found.push(Found { first: pair.0, second: pair.1, touch });
    let carriers = [pair.0, pair.1].map(|k| space.carrier[k as usize]);
    space.standing.push(Standing { pair, foot: *foot, carriers });
}

/// The carriers of a sphere and of the skin that it stands on, where both are now; `k` is its number among the contacts found.
pub fn stand(model: &Model, state: &State, w: &Workspace, space: &mut ContactSpace, k: usize) -> Option<Rub> {
    let f = space.found[k];
    let n = space.standing_of(&f)?;
    let foot = space.standing[n].foot;
    let (point, skin) = match foot.carrier(model, state) {
        Some(a) => (f.touch.point_b, a as u32),
        None => {
            let seat = rubbing::members(state, space, foot.shares(model).collect())?;
            let point = seat
                .iter()
                .fold(DVec3::ZERO, |q, m| q + m.share * (space.carriers[m.carrier as usize].position + m.arm));
            (point, rubbing::add(space, seat, point, foot.bearer))
        }
    };
    let e = space.balls[f.first as usize - space.first_ball()];
    let plain = space.carrier[f.first as usize];
    let is_free = !space.is_borne(model, e);
    let arm = || point - Sphere::new(model, e, w.topology.leans(e), &state.position).centre;
    let seat = if is_free { rubbing::turning(model, state, w, space, e, arm()) } else { None };
    let armless = is_free && seat.is_none();
    let sphere = seat.map_or(plain, |seat| rubbing::add(space, seat, point, e));
    space.standing[n].carriers = [sphere, skin];
    Some(Rub { found: k as u32, carriers: [sphere, skin], point, armless })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::mapping::carry;
    use crate::model::obstacle::ObstacleShape;
    use crate::model::setup::{BodySetup, BodyShape, Law, RigidPart};
    use crate::model::{Material, Obstacle, Region, Setup};
    use crate::step::constraint::detect;
    use crate::step::drift::drift;

    /// A block with a rigid sole and a rigid top, one layer thick each, on the ground, and a soft one on it, a little into each other.
    fn blocks() -> Setup {
        let beyond = |normal: DVec3, offset: f64| RigidPart::Region(Region::HalfSpace { normal, offset });
        let block = |name: &str, z: f64, rigid: Vec<RigidPart>| BodySetup {
            name: name.into(),
            shape: BodyShape::Box { size: DVec3::splat(0.2), cells: 2 },
            at: DVec3::new(0.3 * z, 0.0, z),
            material: Material { restitution: 0.0, ..Material::default() },
            rigid,
            ..BodySetup::default()
        };
        let plane = ObstacleShape::Plane { normal: DVec3::Z, offset: 0.0 };
        let ground = Obstacle { name: "ground".into(), shape: plane, friction: None, restitution: None };
        let sole_and_top = vec![beyond(DVec3::NEG_Z, -0.05), beyond(DVec3::Z, 0.15)];
        let bodies = vec![block("lower", 0.099, sole_and_top), block("upper", 0.297, Vec::new())];
        Setup { law: Law::Constraint, obstacles: vec![ground], bodies, allow_overlap: true, ..Setup::default() }
    }

    /// The state after the time `t` with the velocities of the moment.
    fn moved(model: &Model, state: &State, w: &mut Workspace, t: f64) -> State {
        let mut state = state.clone();
        drift(model, &mut state, w, t, t);
        carry_all(&mut state);
        state
    }

    fn carry_all(state: &mut State) {
        let State { aggregates, position, velocity, .. } = state;
        for a in aggregates.iter() {
            let all: Vec<u32> = (0..a.elements.len() as u32).collect();
            carry(a, &all, position, velocity);
        }
    }

    /// Elements and rigid parts move in every direction.
    fn stir(state: &mut State) {
        for e in 0..state.velocity.len() {
            let k = e as f64;
            state.velocity.set(e, DVec3::new((1.3 * k).sin(), (2.1 * k).cos(), (0.7 * k).sin()));
        }
        for a in &mut state.aggregates {
            (a.velocity, a.angular_momentum) = (DVec3::new(0.2, -0.3, 0.5), DVec3::new(0.01, 0.02, -0.01));
        }
        carry_all(state);
    }

    /// What a contact moves with is what moves its points: otherwise its pushes would work on something else than they are booked for.
    #[test]
    fn the_speed_at_which_contacts_of_soft_and_thin_rigid_parts_open_is_the_rate_of_their_gaps() {
        let (model, mut state) = crate::build::build(&blocks()).unwrap_or_else(|e| panic!("{e}"));
        let mut w = Workspace::default();
        w.refresh(&model, &state);
        stir(&mut state);
        let dt = 1e-6;
        let look = |state: &State, w: &Workspace| {
            let mut space = ContactSpace::default();
            detect::detect(&model, state, w, &mut space, 1e-9);
            space
        };
        let (start, end) = (moved(&model, &state, &mut w, -dt), moved(&model, &state, &mut w, dt));
        let [before, now, after] = [&start, &state, &end].map(|state| look(state, &w));
        let gap = |space: &ContactSpace, f: &Found| {
            space.found.iter().find(|o| (o.first, o.second) == (f.first, f.second)).map(|o| o.touch.gap)
        };
        let (mut seen, mut on_skins) = (0, 0);
        for f in &now.found {
            let (Some(old), Some(new)) = (gap(&before, f), gap(&after, f)) else { continue };
            let (rate, opening) = ((new - old) / (2.0 * dt), now.opening(f));
            assert!((rate - opening).abs() < 1e-4, "{f:?}: gap changes by {rate} m/s, it opens by {opening} m/s");
            (seen, on_skins) = (seen + 1, on_skins + u32::from(now.is_on_skin(f)));
        }
        assert!(on_skins >= 8 && seen - on_skins >= 4, "{seen} contacts, {on_skins} of them on skins");
    }
}
