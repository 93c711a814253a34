//! Candidate contacts of spheres with skins, valid within the margin of the search they belong to.
//!
//! Triangles enter the grid as the balls around them. Only what lies where the surroundings of two things overlap is
//! looked at. Every triangle that a sphere can reach before the next search is on its list, so that the closest point does
//! not depend on when the lists were made.

use crate::collide::grid::Grid;
use crate::contact::cladding::{Cladding, TORN};
use crate::contact::coefficients::CoefficientTable;
use crate::contact::foot::Foot;
use crate::linear::Vectors;
use crate::linear::chunks::map_ranges;
use crate::model::apart::elements_are_apart;
use crate::model::{FREE, Model, State, Topology};
use crate::step::zones::{Extent, zones};
use glamx::DVec3;
use std::ops::Range;

/// Spheres and the triangles of other things' skins that they may touch.
#[derive(Debug, Default)]
pub(super) struct SkinSearch {
    pub cladding: Cladding,
    /// How many connections were broken when the cladding was made.
    broken: Option<usize>,
    grid: Grid,
    near: Vec<Near>,
    triangles: Vec<u32>,
    /// For each skin the vertices whose places must be known, ascending.
    used: Vec<Vec<u32>>,
    /// Free elements that carry those vertices, and where they were at the search [m].
    bearers: Vec<u32>,
    places: Vectors,
    /// How far a vertex may move when elements move by one [1].
    gain: f64,
    feet: Vec<(u32, Foot)>,
    /// What the lists of the law `constraint` were made for.
    made: Option<Made>,
}

/// Where everything was when lists were made, and how far beyond the spheres they reach.
#[derive(Debug)]
struct Made {
    /// Elements [m].
    elements: Vectors,
    /// Centres of spheres [m].
    centres: Vectors,
    /// How far from each sphere all triangles are on its list [m].
    room: f64,
}

/// Lists have room for this share of the smallest sphere …
const MARGIN: f64 = 0.5;
/// … and for as many times what spheres look ahead, so that what moves does not leave it in every step.
const STEPS: f64 = 4.0;
/// Room is taken for smaller than it is by this, so that rounding decides nothing.
const ROUNDING: f64 = 1.0 - 1e-9;

/// A sphere near a skin.
#[derive(Clone, Debug)]
struct Near {
    /// Its place among the touching elements.
    place: u32,
    element: u32,
    skin: u32,
    /// Where its triangles are in the list.
    triangles: Range<usize>,
}

/// Spheres of the search: centres, and radii with the reach of adhesion.
#[derive(Clone, Copy)]
pub(super) struct Spheres<'a> {
    pub centres: &'a Vectors,
    pub radii: &'a [f64],
    pub margin: f64,
}

/// A triangle in the grid.
struct Patch {
    skin: u32,
    triangle: u32,
    extent: Extent,
}

impl SkinSearch {
    /// Brings the cladding up to date after fracture.
    pub fn refresh(&mut self, model: &Model, state: &State, topology: &Topology, coefficients: &CoefficientTable) {
        if self.broken != Some(state.broken.len()) {
            self.cladding = Cladding::new(model, topology, coefficients);
            self.broken = Some(state.broken.len());
            self.made = None;
            let widest = |s: &crate::model::Skin| {
                let gain = |v: usize| s.bindings.of(v).map(|(_, w)| w.abs()).sum::<f64>();
                (0..s.bindings.len()).map(gain).fold(1.0, f64::max)
            };
            self.gain = model.skins.iter().map(widest).fold(1.0, f64::max);
        }
    }

    /// True if no skin can be touched.
    pub fn is_idle(&self) -> bool {
        self.cladding.skins.is_empty()
    }

    /// Elements that candidate contacts reach through skins.
    pub fn reached<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = u32> + 'a {
        let of_skin = |(s, used): (usize, &'a Vec<u32>)| {
            let bindings = &model.skins[s].bindings;
            used.iter().flat_map(move |&v| bindings.of(v as usize).map(|(e, _)| e))
        };
        self.used.iter().enumerate().flat_map(of_skin)
    }

    /// Elements whose spheres may touch skins.
    pub fn standing(&self) -> impl Iterator<Item = u32> + '_ {
        self.near.iter().map(|n| n.element)
    }

    /// Where spheres stand on skins at the moment of the last update.
    pub fn feet(&self) -> &[(u32, Foot)] {
        &self.feet
    }

    /// True if a free element that carries a skin has left its share of the margin [m].
    pub fn is_stale(&self, x: &Vectors, limit: f64) -> bool {
        let limit = limit / self.gain.max(1.0);
        let left = |k: usize| x.get(self.bearers[k] as usize).distance_squared(self.places.get(k)) > limit * limit;
        map_ranges(self.bearers.len(), |mut range| range.any(left)).contains(&true)
    }

    /// Demands new lists: who may touch whom has changed.
    pub fn invalidate(&mut self) {
        self.made = None;
    }

    /// Makes sure that every triangle within the radius and `reach` [m] of a sphere is on its list: lists are made with room to
    /// move, and anew once that is used up. What is on them besides cannot show.
    pub fn keep_within(&mut self, model: &Model, state: &State, topology: &Topology, spheres: Spheres, reach: f64) {
        let gain = self.gain.max(1.0);
        let holds = |made: &Made| {
            let moved = gain * farthest(&state.position, &made.elements) + farthest(spheres.centres, &made.centres);
            reach + moved <= made.room * ROUNDING
        };
        if self.is_idle() || self.made.as_ref().is_some_and(holds) {
            return;
        }
        let smallest = spheres.radii.iter().copied().fold(f64::INFINITY, f64::min);
        let room = reach + (MARGIN * smallest).max(STEPS * reach);
        self.renew(model, state, topology, Spheres { margin: room, ..spheres });
        self.made = Some(Made { elements: state.position.clone(), centres: spheres.centres.clone(), room });
    }

    /// Finds all candidates anew.
    pub fn renew(&mut self, model: &Model, state: &State, topology: &Topology, spheres: Spheres) {
        self.near.clear();
        self.triangles.clear();
        self.used.clear();
        self.bearers.clear();
        self.places = Vectors::default();
        if self.is_idle() {
            return;
        }
        for (skin, clad) in model.skins.iter().zip(&mut self.cladding.skins) {
            clad.places = map_ranges(skin.bindings.len(), |range| {
                range.map(|v| skin.bindings.gather(v, &state.position)).collect::<Vec<_>>()
            })
            .concat();
        }
        let (places, patches) = self.near_zones(model, topology, spheres);
        self.find_pairs(model, state, topology, spheres, (&places, &patches));
        self.find_used(model, state);
    }

    /// Places of spheres, and triangles, that lie where the surroundings of two components overlap.
    fn near_zones(&self, model: &Model, topology: &Topology, spheres: Spheres) -> (Vec<u32>, Vec<Patch>) {
        let component = |i: u32| model.elements.component[i as usize];
        let clad = (0u32..).zip(&topology.touching).filter(|(_, i)| self.cladding.is_clad(**i));
        let around = |k: u32| {
            let reach = spheres.radii[k as usize] + 0.5 * spheres.margin;
            Extent::around(spheres.centres.get(k as usize), reach)
        };
        let spheres_in: Vec<(u32, u32, Extent)> = clad.map(|(k, &i)| (component(i), k, around(k))).collect();
        let mut patches = Vec::new();
        for (s, (skin, clad)) in model.skins.iter().zip(&self.cladding.skins).enumerate() {
            for (t, triangle) in skin.triangles.iter().enumerate().filter(|(t, _)| clad.component[*t] != TORN) {
                let extent = Extent::of(&clad.corners(*triangle)).grown(0.5 * spheres.margin);
                patches.push(Patch { skin: s as u32, triangle: t as u32, extent });
            }
        }
        let of_patch = |p: &Patch| self.cladding.skins[p.skin as usize].component[p.triangle as usize];
        let all = spheres_in.iter().map(|s| (s.0, s.2)).chain(patches.iter().map(|p| (of_patch(p), p.extent)));
        let zones = zones(all);
        let places = spheres_in.iter().filter(|s| s.2.meets(&zones[s.0 as usize])).map(|s| s.1).collect();
        patches.retain(|p| p.extent.meets(&zones[of_patch(p) as usize]));
        (places, patches)
    }

    fn find_pairs(
        &mut self,
        model: &Model,
        state: &State,
        topology: &Topology,
        spheres: Spheres,
        (places, patches): (&[u32], &[Patch]),
    ) {
        let (mut centres, mut radii) = (Vectors::default(), Vec::new());
        for &k in places {
            centres.push(spheres.centres.get(k as usize));
            radii.push(spheres.radii[k as usize]);
        }
        for p in patches {
            let skin = p.skin as usize;
            let corners = self.cladding.skins[skin].corners(model.skins[skin].triangles[p.triangle as usize]);
            let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
            centres.push(middle);
            radii.push(corners.iter().map(|c| c.distance(middle)).fold(0.0, f64::max));
        }
        let mut grid = std::mem::take(&mut self.grid);
        let first = places.len() as u32;
        let element = |a: u32| topology.touching[places[a as usize] as usize];
        let accept = |a: u32, b: u32| {
            a < first && b >= first && self.may_touch(model, state, element(a), &patches[(b - first) as usize])
        };
        let mut pairs = Vec::new();
        grid.detect(&centres, &radii, spheres.margin, accept, &mut pairs);
        self.grid = grid;
        let skin = |b: u32| patches[(b - first) as usize].skin;
        for group in pairs.chunk_by(|p, q| p.0 == q.0 && skin(p.1) == skin(q.1)) {
            let start = self.triangles.len();
            self.triangles.extend(group.iter().map(|p| patches[(p.1 - first) as usize].triangle));
            let (place, element, skin) = (places[group[0].0 as usize], element(group[0].0), skin(group[0].1));
            self.near.push(Near { place, element, skin, triangles: start..self.triangles.len() });
        }
    }

    /// Spheres touch the skins of other components, unless one aggregate carries both.
    fn may_touch(&self, model: &Model, state: &State, i: u32, p: &Patch) -> bool {
        let component = self.cladding.skins[p.skin as usize].component[p.triangle as usize];
        if model.elements.component[i as usize] == component {
            return false;
        }
        let owner = state.owner[i as usize];
        let skin = &model.skins[p.skin as usize];
        let corners = skin.triangles[p.triangle as usize];
        let bearer = skin.bindings.of(corners[0] as usize).next().map(|(e, _)| e);
        if bearer.is_some_and(|e| elements_are_apart(model, state, i, e)) {
            return false;
        }
        let mut elements = corners.iter().flat_map(|&v| skin.bindings.of(v as usize));
        owner == FREE || !elements.all(|(e, _)| state.owner[e as usize] == owner)
    }

    /// Vertices of the candidates and of the triangles around those, which tell inside from outside.
    fn find_used(&mut self, model: &Model, state: &State) {
        let mut marked: Vec<Vec<bool>> = model.skins.iter().map(|s| vec![false; s.bindings.len()]).collect();
        for n in &self.near {
            let (skin, clad) = (&model.skins[n.skin as usize], &self.cladding.skins[n.skin as usize]);
            for &t in &self.triangles[n.triangles.clone()] {
                let ring = skin.triangles[t as usize].into_iter().flat_map(|v| clad.around(v));
                for &v in ring.flat_map(|&t| &skin.triangles[t as usize]) {
                    marked[n.skin as usize][v as usize] = true;
                }
            }
        }
        let listed = |m: &Vec<bool>| (0u32..).zip(m).filter(|(_, m)| **m).map(|(v, _)| v).collect();
        self.used = marked.iter().map(listed).collect();
        let mut bearers: Vec<u32> = self.reached(model).filter(|&e| state.owner[e as usize] == FREE).collect();
        bearers.sort_unstable();
        bearers.dedup();
        bearers.iter().for_each(|&e| self.places.push(state.position.get(e as usize)));
        self.bearers = bearers;
    }

    /// Finds where spheres stand at the moment; `spheres` are those of the search, where they are now.
    pub fn find_feet(&mut self, model: &Model, x: &Vectors, spheres: Spheres) {
        self.find_feet_ahead(model, x, spheres, &|_, _| DVec3::ZERO);
    }

    /// The same for spheres that go `ahead` of the skin by so much [m]: on edges and corners they stand where they will be then,
    /// as far as all triangles within `spheres.margin` of them are on their lists.
    /// The distance is that from the plane that they will touch there, from where they are.
    ///
    /// A sphere that passes below an edge closes its gap `√(r² + s²) − r` although it comes no nearer to the surface: the plane
    /// across the way to the edge lies before the edge, and would stop it. That at its end does not.
    pub fn find_feet_ahead(
        &mut self,
        model: &Model,
        x: &Vectors,
        spheres: Spheres,
        ahead: &(impl Fn(u32, &Foot) -> DVec3 + Sync),
    ) {
        self.feet.clear();
        for ((skin, clad), used) in model.skins.iter().zip(&mut self.cladding.skins).zip(&self.used) {
            clad.place(skin, used, x);
        }
        let foot = |n: &Near| {
            let (c, reach) = (spheres.centres.get(n.place as usize), spheres.radii[n.place as usize]);
            let skin = (n.skin, &model.skins[n.skin as usize]);
            let triangles = &self.triangles[n.triangles.clone()];
            let at = |c: DVec3, reach: f64| self.cladding.skins[n.skin as usize].closest(skin, triangles, c, reach);
            let foot = at(c, reach)?;
            let way = if foot.sharp { ahead(n.element, &foot) } else { DVec3::ZERO };
            // What opens needs no plane at all, and nobody overlaps who did not before.
            let known = (reach + spheres.margin - way.length()).clamp(0.0, reach);
            let next = if foot.normal.dot(way) < 0.0 { at(c + way, known) } else { None };
            let least = foot.distance.min(model.elements.radius[n.element as usize]);
            let planar = |next: Foot| Foot { distance: (next.distance - next.normal.dot(way)).max(least), ..next };
            Some((n.element, next.map_or(foot, planar)))
        };
        let found = map_ranges(self.near.len(), |range| self.near[range].iter().filter_map(foot).collect::<Vec<_>>());
        self.feet.extend(found.into_iter().flatten());
    }
}

/// The farthest that one of some places is from where it was [m]; infinite if there are others now.
fn farthest(now: &Vectors, then: &Vectors) -> f64 {
    if now.len() != then.len() {
        return f64::INFINITY;
    }
    let squared = |k: usize| now.get(k).distance_squared(then.get(k));
    let most = |range: Range<usize>| range.map(squared).fold(0.0, f64::max);
    map_ranges(now.len(), most).into_iter().fold(0.0, f64::max).sqrt()
}
