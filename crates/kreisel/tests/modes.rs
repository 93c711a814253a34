//! Natural frequencies: known answers, symmetries, scaling, rigid parts, and the ways in which there are none.
#![allow(clippy::unwrap_used)]

use kreisel::discretize::{Matter, box_lattice, element_list};
use kreisel::force::volume;
use kreisel::linear::Vectors;
use kreisel::model::Material;
use kreisel::model::setup::{ConnectionSetup, ElementSetup};
use kreisel::statics::{Held, ModeKind, ModeParams, ModePart, Modes, ModesError, Part, RigidPiece, solve_modes};
use kreisel::{DQuat, DVec3};

fn part(matter: &Matter, held: Vec<Held>) -> ModePart {
    let elements: Vec<u32> = (0..matter.len() as u32).collect();
    ModePart {
        part: Part::new(&elements, &matter.positions, &matter.connections, &[], &matter.cells),
        masses: matter.masses.clone(),
        loads: Vectors::zeros(matter.len()),
        held,
        rigid: Vec::new(),
        piece: vec![0; elements.len()],
        elements,
    }
}

fn modes(part: &ModePart, count: usize) -> Modes {
    solve_modes(part, &ModeParams { count, ..ModeParams::default() }, None).unwrap()
}

/// Elastic frequencies [rad/s].
fn omegas(modes: &Modes) -> Vec<f64> {
    modes.modes.iter().filter(|m| m.kind == ModeKind::Elastic).map(|m| m.angular_frequency).collect()
}

fn beam(size: DVec3, young: f64, poisson: f64) -> Matter {
    box_lattice(size, 2, &Material { young, poisson, ..Material::default() }).unwrap()
}

/// 9 × 3 × 3 elements: too many freedoms for the whole matrix.
fn bar(poisson: f64) -> Matter {
    beam(DVec3::new(4.0, 1.0, 1.0), 1e6, poisson)
}

fn clamp(matter: &Matter) -> Vec<Held> {
    let low = matter.positions.x.iter().copied().fold(f64::INFINITY, f64::min) + 1e-9;
    let at_end = (0..matter.len()).filter(|&e| matter.positions.x[e] < low);
    at_end.map(|e| Held { element: e as u32, axes: [true; 3], displacement: DVec3::ZERO }).collect()
}

/// Balls of 1 kg on a line, 100 N/m between neighbours.
fn chain(n: usize) -> Matter {
    let at = |i: usize| DVec3::new(i as f64, 0.0, 0.0);
    let ball = |i| ElementSetup { at: at(i), velocity: DVec3::ZERO, mass: Some(1.0), radius: 0.01 };
    let rod = |i| ConnectionSetup { ends: (i, i + 1), section: Some(1e-4), rest_length: None };
    let elements: Vec<_> = (0..n).map(ball).collect();
    element_list(&elements, &(0..n as u32 - 1).map(rod).collect::<Vec<_>>(), &Material::default()).unwrap()
}

fn along_x(n: usize) -> Vec<Held> {
    (0..n as u32).map(|element| Held { element, axes: [false, true, true], displacement: DVec3::ZERO }).collect()
}

fn close(a: f64, b: f64, share: f64) {
    assert!((a / b - 1.0).abs() < share, "{a} against {b}");
}

/// Elastic energy [J] at positions moved by `s u`.
fn energy(matter: &Matter, s: f64, u: &Vectors) -> f64 {
    let mut x = matter.positions.clone();
    x.axpy(s, u);
    let spring = |(c, ends): (usize, &[u32; 2])| {
        let k = matter.connections.constants(c);
        let d = (x.get(ends[0] as usize) - x.get(ends[1] as usize)).length();
        0.5 * k.stiffness * (d - k.rest_length).powi(2)
    };
    matter.connections.ends.iter().enumerate().map(spring).sum::<f64>() + volume::energy(&matter.cells, &x)
}

/// `uᵀ K u / uᵀ M u`, the stiffness from second differences of the energy.
fn rayleigh(matter: &Matter, u: &Vectors) -> f64 {
    let s = 1e-4 / (0..u.len()).map(|i| u.get(i).length()).fold(0.0, f64::max);
    let twice = energy(matter, s, u) + energy(matter, -s, u) - 2.0 * energy(matter, 0.0, u);
    let mass: f64 = (0..u.len()).map(|i| matter.masses[i] * u.get(i).length_squared()).sum();
    twice / (s * s * mass)
}

#[test]
fn a_free_chain_between_guides_has_its_closed_form_small_and_large() {
    for n in [8, 400] {
        let found = modes(&part(&chain(n), along_x(n)), 4);
        assert_eq!(found.modes.iter().filter(|m| m.kind == ModeKind::Rigid).count(), 1);
        assert_eq!(found.iterations == 0, n == 8, "few freedoms are diagonalised, many are iterated");
        for (j, omega) in omegas(&found).into_iter().enumerate() {
            let half_wave = (j + 1) as f64 * std::f64::consts::PI / (2 * n) as f64;
            close(omega, 2.0 * 100_f64.sqrt() * half_wave.sin(), 1e-9);
        }
    }
}

#[test]
fn shapes_have_unit_mass_and_are_orthogonal_and_a_free_body_has_six_rigid_motions() {
    let matter = bar(0.25);
    let found = modes(&part(&matter, Vec::new()), 7);
    assert!(found.modes[..6].iter().all(|m| m.kind == ModeKind::Rigid && m.angular_frequency == 0.0));
    assert_eq!(found.modes.len(), 13);
    for (i, a) in found.modes.iter().enumerate() {
        assert!(a.residual < 1e-7, "{}", a.residual);
        for (j, b) in found.modes.iter().enumerate() {
            let product: f64 = (0..matter.len()).map(|e| matter.masses[e] * a.shape.get(e).dot(b.shape.get(e))).sum();
            assert!((product - f64::from(u8::from(i == j))).abs() < 1e-10, "{i} {j}: {product}");
        }
    }
    let shares: DVec3 = found.modes[..6].iter().map(|m| m.mass_shares).sum();
    assert!((shares - DVec3::ONE).length() < 1e-12, "translations carry all the mass: {shares}");
    let elastic = omegas(&found);
    let apart = (elastic[0] / elastic[1] - 1.0).abs();
    // The two of a pair may come in either order, by their last digits.
    let sorted = elastic.is_sorted_by(|a, b| *a <= b * (1.0 + 1e-12));
    assert!(sorted && apart < 1e-8, "bending comes in pairs: {apart:e}, {elastic:?}");
}

#[test]
fn the_quotient_of_energies_is_the_frequency_and_stationary_with_any_poisson_ratio() {
    for poisson in [0.25, 0.4] {
        let matter = bar(poisson);
        let found = modes(&part(&matter, clamp(&matter)), 3);
        for mode in &found.modes {
            let omega2 = mode.angular_frequency.powi(2);
            close(rayleigh(&matter, &mode.shape), omega2, 1e-5);
            for seed in 0..4 {
                let size = 1e-3 / matter.masses.iter().sum::<f64>().sqrt();
                let moved = |sign: f64| {
                    let mut u = mode.shape.clone();
                    for e in (0..u.len()).filter(|&e| mode.shape.get(e) != DVec3::ZERO) {
                        let t = (e * (2 * seed + 3)) as f64;
                        u.add(e, sign * size * DVec3::new(t.sin(), (1.3 * t).cos(), (0.7 * t).sin()));
                    }
                    rayleigh(&matter, &u) / omega2 - 1.0
                };
                let (up, down) = (moved(1.0), moved(-1.0));
                assert!((up - down).abs() < 0.02 * (up + down).abs() + 1e-5, "slope {up} {down}");
            }
        }
    }
}

#[test]
fn frequencies_do_not_depend_on_how_the_body_lies() {
    let straight = bar(0.4);
    let mut turned = straight.clone();
    let turn = DQuat::from_rotation_y(0.8) * DQuat::from_rotation_z(2.1);
    (0..turned.len()).for_each(|e| turned.positions.set(e, DVec3::ONE + turn * straight.positions.get(e)));
    let of = |matter: &Matter| omegas(&modes(&part(matter, Vec::new()), 5));
    of(&straight).iter().zip(of(&turned)).for_each(|(a, b)| close(*a, b, 1e-9));
}

#[test]
fn frequencies_go_with_the_root_of_the_modulus_and_inversely_with_size() {
    let of = |size: f64, young: f64| {
        let matter = beam(size * DVec3::new(4.0, 1.0, 1.0), young, 0.25);
        omegas(&modes(&part(&matter, clamp(&matter)), 3))
    };
    let (one, stiffer, larger) = (of(1.0, 1e6), of(1.0, 9e6), of(2.0, 1e6));
    for j in 0..3 {
        close(stiffer[j], 3.0 * one[j], 1e-9);
        close(larger[j], 0.5 * one[j], 1e-9);
    }
}

#[test]
fn a_rigid_half_is_the_limit_of_a_stiff_half() {
    let matter = bar(0.25);
    let half: Vec<u32> = (0..matter.len() as u32).filter(|&e| matter.positions.x[e as usize] > -1e-9).collect();
    let mut rigid = part(&matter, clamp(&matter));
    rigid.rigid.push(RigidPiece::of_points(half.clone(), &matter.positions, &matter.masses));
    let limit = omegas(&modes(&rigid, 3));
    let mut last = omegas(&modes(&part(&matter, clamp(&matter)), 3));
    for factor in [1e2, 1e4] {
        let mut stiff = part(&matter, clamp(&matter));
        let c = &mut stiff.part.connections;
        let known = c.classes.len() as u32;
        let copies: Vec<_> = c
            .classes
            .iter()
            .map(|k| {
                let mut k = *k;
                k.stiffness *= factor;
                k
            })
            .collect();
        c.classes.extend(copies);
        for (ends, class) in c.ends.iter().zip(&mut c.class) {
            *class += if ends.iter().all(|e| half.binary_search(e).is_ok()) { known } else { 0 };
        }
        let now = omegas(&modes(&stiff, 3));
        for j in 0..3 {
            assert!(last[j] < now[j] && now[j] < limit[j], "mode {j}: {} {} {}", last[j], now[j], limit[j]);
            close(now[j], limit[j], 3.0 / factor);
        }
        last = now;
    }
}

#[test]
fn a_rigid_piece_of_one_element_and_a_rigid_clamp_change_nothing() {
    let matter = bar(0.4);
    let soft = omegas(&modes(&part(&matter, clamp(&matter)), 4));
    let mut pieces = part(&matter, clamp(&matter));
    let held: Vec<u32> = pieces.held.iter().map(|h| h.element).collect();
    for elements in [vec![matter.len() as u32 - 1], held] {
        pieces.rigid.push(RigidPiece::of_points(elements, &matter.positions, &matter.masses));
    }
    soft.iter().zip(omegas(&modes(&pieces, 4))).for_each(|(a, b)| close(*a, b, 1e-9));
}

#[test]
fn what_cannot_vibrate_is_refused_with_the_facts() {
    let fails = |part: &ModePart, count| solve_modes(part, &ModeParams { count, ..ModeParams::default() }, None).err();
    let swinging = chain(10);
    assert!(matches!(fails(&part(&swinging, Vec::new()), 3), Some(ModesError::Mechanism { at_least: 3, .. })));
    assert!(matches!(fails(&part(&chain(80), Vec::new()), 2), Some(ModesError::Mechanism { at_least: 2, .. })));
    let guided = part(&swinging, along_x(10));
    assert_eq!(fails(&guided, 10), Some(ModesError::TooMany { wanted: 10, available: 9 }));
    assert_eq!(fails(&guided, 0), Some(ModesError::NoneWanted));
    let mut rigid = guided.clone();
    rigid.rigid.push(RigidPiece::of_points((0..10).collect(), &swinging.positions, &swinging.masses));
    assert_eq!(fails(&rigid, 1), Some(ModesError::TooMany { wanted: 1, available: 0 }));
    let mut slack = guided.clone();
    slack.part.connections.classes.iter_mut().for_each(|c| c.stiffness = 0.0);
    assert_eq!(fails(&slack, 1), Some(ModesError::NoStiffness));
    let mut squeezed = part(&bar(0.25), Vec::new());
    squeezed.part.positions.x.iter_mut().for_each(|x| *x *= 0.7);
    assert!(matches!(fails(&squeezed, 2), Some(ModesError::Unstable { growth }) if growth > 0.0));
    let mut broken = guided.clone();
    broken.masses[3] = 0.0;
    assert_eq!(fails(&broken, 1), Some(ModesError::BadMass { element: 3, mass: 0.0 }));
    assert_eq!(fails(&ModePart::default(), 1), Some(ModesError::NoElements));
    let hasty = ModeParams { count: 2, max_iterations: 1, ..ModeParams::default() };
    let unfinished = solve_modes(&part(&bar(0.25), Vec::new()), &hasty, None);
    assert!(matches!(unfinished, Err(ModesError::NotConverged { iterations: 1, .. })), "{unfinished:?}");
}

#[test]
fn the_same_bits_come_out_for_any_number_of_threads() {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| modes(&part(&bar(0.4), Vec::new()), 3))
    };
    assert_eq!(with(1), with(3));
}
