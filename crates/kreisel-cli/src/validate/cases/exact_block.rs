//! An exact block on a slope and on a table: it stays, slides, tips over; and friction that knows its direction.
//!
//! It stays if `tan α ≤ μ`, slides with `a = g (sin α − μ cos α)` beyond, and tips over where the line of its weight leaves
//! the base. A pyramid of η edges gives a polygon's friction: a block that slides between two edges is pushed aside.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{rigid, run_until, scene, simulate, step};
use kreisel::{DVec3, Simulation};

/// On a slope.
pub const SLOPE: Case = Case {
    name: "exact-incline",
    about: "an exact block stays, slides, tips over",
    reference: "Coulomb: stays if tan α ≤ μ, else a = g (sin α − μ cos α); tips over where the line of the weight leaves the base.",
    run: slope,
};
/// Friction pyramids and the cone.
pub const ISOTROPY: Case = Case {
    name: "isotropy",
    about: "the friction cone knows no direction, and pyramids push as their polygons do",
    reference: "Coulomb's cone knows no direction; a pyramid's answer is the nearest point of its polygon, in closed form.",
    run: isotropy,
};

const BLOCK: &str = include_str!("../../../../../scenes/validation/exact-block.toml");
const G: f64 = 9.81;
const FRICTION: f64 = 0.5;

fn tilted(degrees: f64, more: &[String]) -> Result<Simulation, String> {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let mut words = vec![format!("gravity=[{:?}, 0, {:?}]", G * sin, -G * cos)];
    words.extend_from_slice(more);
    simulate(&scene(BLOCK, &words)?)
}

fn slope(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    for degrees in settings.pick(vec![26.5], vec![10.0, 20.0, 26.5]) {
        let mut sim = tilted(degrees, &[])?;
        run_until(&mut sim, settings.pick(2.0, 10.0))?;
        let moved = (rigid(&sim, "block")?.position - DVec3::new(0.0, 0.0, 0.05)).length();
        let reason = "to round-off; the angle of friction is 26.565°";
        checks.at_most(format!("way of a block that stays at {degrees}° [m]"), moved, 1e-12, reason);
    }
    for degrees in settings.pick(vec![35.0], vec![26.7, 35.0, 44.0]) {
        let mut sim = tilted(degrees, &[])?;
        run_until(&mut sim, 1.0)?;
        let (sin, cos) = f64::to_radians(degrees).sin_cos();
        let velocity = rigid(&sim, "block")?.velocity;
        let reference = G * (sin - FRICTION * cos);
        let reason = "a block that slides straight has a constant acceleration, whatever the step";
        checks.within(format!("acceleration at {degrees}° [m/s²]"), velocity.x, reference, 1e-6, reason);
        checks.at_most(format!("velocity across at {degrees}° [m/s]"), velocity.y.hypot(velocity.z), 1e-6, reason);
    }
    tips(checks)
}

/// Twice as high as wide: it tips over beyond 26.565°, and must not before; friction 2 holds it.
fn tips(checks: &mut Checks) -> Result<(), String> {
    let tall = ["friction=2", "body.block.shape={ exact = { box = [0.1, 0.1, 0.2] } }", "body.block.at=[0, 0, 0.1]"]
        .map(String::from);
    for (degrees, turns) in [(26.4, 0.0), (26.8, 90.0)] {
        let mut sim = tilted(degrees, &tall)?;
        let start = rigid(&sim, "block")?.orientation;
        run_until(&mut sim, 3.0)?;
        let turned = (rigid(&sim, "block")?.orientation * start.inverse()).to_scaled_axis().length().to_degrees();
        let reason = "the line of the weight leaves the base at 26.565°";
        checks.near(format!("a tall block at {degrees}° turns by [°]"), turned, turns, 1e-6, reason);
    }
    Ok(())
}

/// Way of a block that is shot off at 22.5° between the edges, until it rests.
fn shot(words: &[String]) -> Result<DVec3, String> {
    let (sin, cos) = f64::to_radians(22.5).sin_cos();
    let mut more = vec![format!("body.block.velocity=[{:?}, {:?}, 0]", 2.0 * cos, 2.0 * sin), "step=\"1 ms\"".into()];
    more.extend_from_slice(words);
    let mut sim = tilted(0.0, &more)?;
    let start = rigid(&sim, "block")?.position;
    while sim.time() < 1.5 && rigid(&sim, "block")?.velocity.length() > 1e-9 {
        step(&mut sim)?;
    }
    Ok(rigid(&sim, "block")?.position - start)
}

fn isotropy(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    let sharp = "tolerance = 1e-11";
    let exact = shot(&[format!("constraint={{ {sharp} }}")])?;
    let along = f64::to_radians(22.5);
    let turned = |way: DVec3| way.y.atan2(way.x) - along;
    let reason = "required: 1e-9; the cone knows no directions";
    checks.at_most("cone: direction off [rad]", turned(exact).abs(), 1e-9, reason);
    for (facets, isotropic) in
        settings.pick(vec![(4, false), (8, true)], vec![(4, false), (8, false), (4, true), (8, true)])
    {
        let way = shot(&[format!("constraint={{ facets = {facets}, isotropic = {isotropic}, {sharp} }}")])?;
        if isotropic {
            let off = (way - exact).length() / exact.length();
            checks.at_most(format!("{facets} edges, turned: way off that of the cone [1]"), off, 1e-9, reason);
        } else {
            let reason = "required: 1e-6; the polygon's answer in closed form, at the same step";
            let due = polygon(facets, along);
            checks.at_most(
                format!("{facets} edges: way off that of the polygon [m]"),
                (way - due).length(),
                1e-6,
                reason,
            );
            checks.near(
                format!("{facets} edges: goes aside [°]"),
                turned(way).to_degrees(),
                turned(due).to_degrees(),
                1e-4,
                reason,
            );
        }
    }
    Ok(())
}

/// Way of a point under polygonal friction in steps of 1 ms: `β` dissipates most, so the force is `−μ m g` along the edge
/// nearest to the slip, and along both neighbours where the slip lies halfway or comes to lie there.
fn polygon(facets: u32, angle: f64) -> DVec3 {
    let (h, mut v, mut x) = (1e-3, 2.0 * DVec3::new(angle.cos(), angle.sin(), 0.0), DVec3::ZERO);
    let edge = |j: u32| {
        DVec3::new(0.0, 0.0, 0.0) + {
            let a = std::f64::consts::TAU * f64::from(j) / f64::from(facets);
            DVec3::new(a.cos(), a.sin(), 0.0)
        }
    };
    for _ in 0..1500 {
        v = slowed(v, FRICTION * G * h, facets, &edge);
        x += h * v;
    }
    x
}

/// The velocity nearest to zero that impulses within the polygon of radius `r` reach: `v − p` is the projection.
fn slowed(v: DVec3, r: f64, facets: u32, edge: &dyn Fn(u32) -> DVec3) -> DVec3 {
    // Nearest point of the polygon to v: inside, on a side, or at a corner.
    let inside = (0..facets).all(|j| {
        let (a, b) = (r * edge(j), r * edge(j + 1));
        (b - a).cross(v - a).z >= 0.0
    });
    if inside {
        return DVec3::ZERO;
    }
    let to_side = |j: u32| {
        let (a, b) = (r * edge(j), r * edge(j + 1));
        let share = ((v - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        v - (a + share * (b - a))
    };
    (0..facets).map(to_side).min_by(|a, b| a.length_squared().total_cmp(&b.length_squared())).unwrap_or(v)
}
