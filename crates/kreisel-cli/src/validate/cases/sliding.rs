//! A block slides to a stop on another block.
//!
//! Coulomb's friction slows it with `μ g`, whatever the cells of the two and however they lie. Contact spheres of lattices
//! interlock: sliding along a row of spheres of radius r and spacing a, a slope of up to `½/√(4(r/a)² − ¼)` must be climbed,
//! 0.58 for `r = a/2`. Gaps and normals from skins know no such bumps. Nor do dampers hold the block back, however strong
//! they are: bodies that slide past each other do not come nearer.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{centre, run_until, scene, simulate};

/// The case.
pub const CASE: Case = Case {
    name: "sliding",
    about: "a block slides on a block as their coefficient says",
    reference: "Coulomb: slows down with μ g, whatever the cells.",
    run,
};

const BLOCKS: &str = include_str!("../../../../../scenes/validation/sliding.toml");
const FRICTION: f64 = 0.3;
const G: f64 = 9.81;
const SPEED: f64 = 1.5;

/// How the two lie and what they are made of.
#[derive(Clone, Copy, Debug)]
struct Arrangement {
    /// Cells across the thickness of the table and of the slider.
    cells: [u32; 2],
    /// Place of the slider across the table [m].
    offset: f64,
    /// Direction of sliding and orientation of the slider about the vertical [degrees].
    angles: [f64; 2],
    rigid: bool,
    /// The smaller, the stronger the dampers of contacts [1].
    restitution: f64,
}

impl Arrangement {
    fn overrides(&self, gaps: &str) -> Vec<String> {
        let (sin, cos) = self.angles[0].to_radians().sin_cos();
        vec![
            format!("contact.gaps=\"{gaps}\""),
            format!("body.table.cells={}", self.cells[0]),
            format!("body.slider.cells={}", self.cells[1]),
            format!("body.slider.at=[0, {:?}, 0.05]", self.offset),
            format!("body.slider.velocity=[{:?}, {:?}, 0]", SPEED * cos, SPEED * sin),
            format!("body.slider.rotation={{ axis = [0, 0, 1], angle = \"{:?} deg\" }}", self.angles[1]),
            format!("body.slider.rigid={}", self.rigid),
            format!("restitution={:?}", self.restitution),
        ]
    }

    fn label(&self, gaps: &str) -> String {
        let name = if self.rigid { "rigid" } else { "soft" };
        let [table, slider] = self.cells;
        let [along, turned] = self.angles;
        let e = self.restitution;
        format!(
            "apparent friction, {gaps}: {name}, {slider} on {table} cells, along {along}°, turned {turned}°, e = {e}"
        )
    }

    /// Deceleration along the path over g, once the block has settled.
    fn apparent_friction(&self, gaps: &str) -> Result<f64, String> {
        let mut sim = simulate(&scene(BLOCKS, &self.overrides(gaps))?)?;
        let (from, to) = (0.05, 0.3);
        run_until(&mut sim, from)?;
        let early = centre(&sim, "slider")?.velocity.truncate().length();
        run_until(&mut sim, to)?;
        let late = centre(&sim, "slider")?.velocity.truncate().length();
        Ok((early - late) / ((to - from) * G))
    }
}

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    let a = |cells, offset, angles, rigid| Arrangement { cells, offset, angles, rigid, restitution: 0.3 };
    let few = vec![a([2, 3], 0.013, [0.0, 0.0], true), a([2, 2], 0.013, [10.0, 25.0], false)];
    let many = vec![
        a([2, 2], 0.0, [0.0, 0.0], true),
        a([2, 2], 0.013, [0.0, 0.0], false),
        a([2, 3], 0.007, [5.0, 10.0], true),
        a([2, 3], 0.013, [0.0, 25.0], false),
        a([3, 2], 0.021, [-8.0, 0.0], true),
        a([4, 1], 0.0, [3.0, 40.0], true),
        a([1, 4], 0.011, [-5.0, 15.0], true),
        a([1, 4], 0.011, [0.0, 45.0], false),
    ];
    let reason = "required: 5 %; the block vibrates as it slides";
    for arrangement in settings.pick(few, many) {
        for restitution in [0.3, 0.0] {
            let arrangement = Arrangement { restitution, ..arrangement };
            let apparent = arrangement.apparent_friction("skins")?;
            checks.within(arrangement.label("skins"), apparent, FRICTION, 0.05, reason);
        }
    }
    let bumpy = a([2, 2], 0.0, [0.0, 0.0], true);
    let bumps = "no demand: spheres for comparison, which interlock";
    checks.near(bumpy.label("spheres"), bumpy.apparent_friction("spheres")?, FRICTION, 1.0, bumps);
    Ok(())
}
