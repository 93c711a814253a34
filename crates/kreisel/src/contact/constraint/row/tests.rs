//! Spheres on seats: a row moves and pushes as their centre does.

use super::*;
use crate::contact::touch::Touch;
use crate::linear::Vectors;
use crate::model::element::{NO_ANCHOR, NO_PERCH};
use crate::model::{Bindings, Elements, Model};

/// Numbers between −1 and 1 from a fixed seed.
fn numbers(mut seed: u64) -> impl FnMut() -> f64 {
    move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Four elements, one with a sphere that leans on its neighbour or rides on all four, and a rigid body that it meets.
struct Case {
    model: Model,
    x: Vectors,
    carriers: Carriers,
    row: Row,
    centre: DVec3,
}

fn case(seed: u64) -> Case {
    let mut next = numbers(seed);
    let mut vector = || DVec3::new(next(), next(), next());
    let mut elements = Elements { anchor: vec![1, NO_ANCHOR, NO_ANCHOR, NO_ANCHOR], ..Elements::default() };
    (elements.inset, elements.mass) = (vec![0.4, 0.0, 0.0, 0.0], vec![1.0, 0.5, 2.0, 3.0]);
    let mut perches = Bindings::default();
    perches.push([(0, 0.6), (1, 0.3), (2, -0.2), (3, 0.3)]);
    if seed % 2 == 1 {
        elements.perch = vec![0, NO_PERCH, NO_PERCH, NO_PERCH];
    }
    let model = Model { elements, perches, ..Model::default() };
    let mut x = Vectors::default();
    (0..4).for_each(|_| x.push(vector()));
    let element = |k: usize, v: DVec3| {
        let (position, inverse_mass) = (x.get(k), 1.0 / model.elements.mass[k]);
        Carrier { position, velocity: v, inverse_mass, turns: false, ..Carrier::WORLD }
    };
    let mut list: Vec<Carrier> = (0..4).map(|k| element(k, vector())).collect();
    let inverse_inertia = DMat3::from_diagonal(DVec3::new(1.0, 2.0, 3.0));
    let (position, velocity, spin) = (vector(), vector(), vector());
    list.push(Carrier { position, velocity, spin, inverse_mass: 0.7, inverse_inertia, ..Carrier::WORLD });
    list[0].seat = 0;
    let touch = Touch::new(&model, 0, true, &x);
    let seat = touch.row(&model).into_iter().map(|(carrier, share)| Member { carrier, arm: DVec3::ZERO, share });
    let carriers = Carriers { list, seats: vec![seat.collect()] };
    let (point, normal) = (touch.centre, vector().normalize());
    let meeting = Meeting { a: 0, b: 4, point, normal, friction: 0.5, ..Meeting::default() };
    let row = Row::new(&meeting, &carriers, DVec3::ZERO);
    Case { model, x, carriers, row, centre: point }
}

#[test]
fn a_sphere_on_a_seat_moves_as_its_centre_does() {
    for seed in 0..20 {
        let Case { model, x, mut carriers, row, .. } = case(seed);
        carriers[4].velocity = DVec3::ZERO;
        carriers[4].spin = DVec3::ZERO;
        let centre = |t: f64| {
            let mut moved = x.clone();
            (0..4).for_each(|k| moved.add(k, carriers[k].velocity * t));
            Touch::new(&model, 0, true, &moved).centre
        };
        let rate = (centre(1e-6) - centre(-1e-6)) / 2e-6;
        let expected = DVec3::from_array(row.axes().map(|axis| axis.dot(rate)));
        assert!((row.velocity(&carriers) - expected).length() < 1e-7, "seed {seed}");
    }
}

#[test]
fn a_push_on_a_sphere_on_a_seat_keeps_power_momentum_and_angular_momentum_and_meets_its_block() {
    for seed in 0..20 {
        let Case { carriers, row, centre, .. } = case(seed);
        let p = DVec3::new(1.3, -0.4, 0.8);
        let mut pushed = carriers.clone();
        row.push(p, &mut pushed);
        assert!((row.velocity(&pushed) - row.velocity(&carriers) - row.block() * p).length() < 1e-12);
        let energy = |c: &Carriers| {
            let spinning = c[4].spin.dot(c[4].inverse_inertia.inverse() * c[4].spin);
            0.5 * c.iter().map(|c| c.velocity.length_squared() / c.inverse_mass).sum::<f64>() + 0.5 * spinning
        };
        let mean = (row.velocity(&pushed) + row.velocity(&carriers)) * 0.5;
        assert!((energy(&pushed) - energy(&carriers) - p.dot(mean)).abs() < 1e-12, "power, seed {seed}");
        let momenta = |c: &Carriers| {
            let turning = c[4].inverse_inertia.inverse() * c[4].spin;
            c.iter().fold((DVec3::ZERO, turning), |(p, l), c| {
                let own = c.velocity / c.inverse_mass;
                (p + own, l + (c.position - centre).cross(own))
            })
        };
        let ((p0, l0), (p1, l1)) = (momenta(&carriers), momenta(&pushed));
        assert!((p1 - p0).length() < 1e-13 && (l1 - l0).length() < 1e-13, "momenta, seed {seed}");
        let sides = row.sides(&carriers);
        let along = |k: usize| {
            sides.iter().fold(0.0, |u, (c, j)| {
                let c = &carriers[*c as usize];
                let v = [c.velocity.x, c.velocity.y, c.velocity.z, c.spin.x, c.spin.y, c.spin.z];
                u + (0..6).map(|i| j[k][i] * v[i]).sum::<f64>()
            })
        };
        let written_out = DVec3::new(along(0), along(1), along(2));
        assert!((row.velocity(&carriers) - written_out).length() < 1e-13, "seed {seed}");
    }
}
