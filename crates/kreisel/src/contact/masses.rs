//! The masses that contacts work against.

use crate::contact::connections::{Active, Sight};
use crate::contact::opposite::Opposite;
use crate::contact::side::Side;
use glamx::DVec3;

/// The mass [kg] that each contact's damper and friction work against.
///
/// Contacts of the same two owners act together: at the mean point `p̄` and normal `n̄`, weighted by stiffness, the owners
/// show the mass `m = 1/(n̄ᵀ W n̄)`, of which each contact takes the share `k_i/Σk`. A box that lands flat on many
/// elements then bounces as one that lands on a single element of their common stiffness. Rigid bodies whose spheres
/// stand on each other's skins are two such owners, whichever way round.
pub(super) fn shared_masses(sight: &Sight, active: &[Active]) -> Vec<f64> {
    let mut masses: Vec<f64> = active.iter().map(|a| mass_at(sight, a, a.point, a.normal) * a.share).collect();
    let touching = active.iter().enumerate().filter(|(_, a)| a.overlap > 0.0);
    let mut keys: Vec<_> = touching.map(|(k, a)| (Pair::new(sight, a, k), k)).collect();
    keys.sort_unstable();
    for group in keys.chunk_by(|a, b| a.0.owners == b.0.owners).filter(|g| g.len() > 1) {
        let of_group = || group.iter().map(|(pair, k)| (&active[*k], if pair.reversed { -1.0 } else { 1.0 }));
        let stiffness: f64 = of_group().map(|(a, _)| a.stiffness).sum();
        let point = of_group().fold(DVec3::ZERO, |s, (a, _)| s + a.point * a.stiffness) / stiffness;
        let normal = of_group().fold(DVec3::ZERO, |s, (a, sign)| s + a.normal * (a.stiffness * sign)) / stiffness;
        // Normals that oppose each other (a body held in a cleft) have no common direction: each acts for itself.
        let together = normal.length() > 0.5;
        for (_, k) in group {
            let a = &active[*k];
            let common = if together {
                mass_at(sight, a, point, normal.normalize())
            } else {
                mass_at(sight, a, a.point, a.normal)
            };
            masses[*k] = common * a.stiffness / stiffness;
        }
    }
    masses
}

/// Who takes part in a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    World,
    Element(u32),
    Aggregate(usize),
    /// A place on a skin that several owners carry, by the number of the contact.
    Place(usize),
}

/// The two owners of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    owners: [Owner; 2],
    /// True if the contact's normal points from the first to the second.
    reversed: bool,
}

impl Pair {
    fn new(sight: &Sight, a: &Active, number: usize) -> Self {
        let of_side = |s: &Side| s.carrier.map_or(Owner::Element(s.touch.element), Owner::Aggregate);
        let other = match &a.other {
            Opposite::World => Owner::World,
            Opposite::Sphere(side) => of_side(side),
            Opposite::Skin(foot) => {
                foot.carrier(sight.model, sight.state).map_or(Owner::Place(number), Owner::Aggregate)
            }
        };
        let owners = [of_side(&a.side), other];
        let reversed = matches!(owners, [Owner::Aggregate(a), Owner::Aggregate(b)] if a > b);
        Self { owners: if reversed { [owners[1], owners[0]] } else { owners }, reversed }
    }
}

/// The mass that the two owners of a contact show at a point along a normal [kg]; zero if neither can move.
fn mass_at(sight: &Sight, a: &Active, point: DVec3, n: DVec3) -> f64 {
    let w = a.side.inverse_mass(sight, point, n) + a.other.inverse_mass(sight, point, n);
    if w > 0.0 { 1.0 / w } else { 0.0 }
}
