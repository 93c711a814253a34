//! Pressure on quadrilateral faces: it stays normal to the face as the face turns and stretches.
//!
//! Over the bilinear face `x(u,v) = Σ N_i x_i` the area vector is `dA = x_u × x_v du dv = Σ N_k J_k du dv` with the corner
//! products `J_a = (b − a) × (d − a)` and so on around. The force that does the pressure's work is `F_i = −p ∫ N_i dA`;
//! with `∫ N_i N_k = 1/9, 1/18, 1/36` and `J_a + J_c = J_b + J_d` it is
//!
//! `F_a = −p (2 J_a + J_c) / 12`, in all `−p A`, `A = ½ (x_c − x_a) × (x_d − x_b)`.
//!
//! On a parallelogram each corner gets a quarter. A plain quarter on every face would push a closed surface with a
//! right net force but, once its faces are trapezia or warped, with a net torque and a work other than `−p dV`: the
//! quarters act at the mean of the corners, not at the centre of the area. This form is the gradient of the enclosed
//! volume, `U = p V`, so a closed surface feels no net force and no net torque, whatever its shape.

use crate::linear::Vectors;
use crate::model::world::PressureLoad;
use glamx::DVec3;

/// Adds the forces [N] of all pressures at `time` [s] on the faces where they are now.
pub fn add_force(loads: &[PressureLoad], time: f64, position: &Vectors, force: &mut Vectors) {
    for load in loads {
        let p = load.pressure * load.profile.value(time);
        for face in &load.faces {
            let areas = corner_areas(corners(face, position));
            for (&e, area) in face.iter().zip(areas) {
                force.add(e as usize, -p * area);
            }
        }
    }
}

/// Adds the exact change of the force for the change `dx` of the positions. Not symmetric face by face: pressure has an
/// energy on closed surfaces only.
pub fn add_differential(loads: &[PressureLoad], time: f64, position: &Vectors, dx: &Vectors, df: &mut Vectors) {
    for load in loads {
        let p = load.pressure * load.profile.value(time);
        for face in &load.faces {
            let areas = corner_area_changes(corners(face, position), corners(face, dx));
            for (&e, area) in face.iter().zip(areas) {
                df.add(e as usize, -p * area);
            }
        }
    }
}

/// Energy `Σ p V` [J] of pressures on closed surfaces at `time` [s]; of an open surface only changes of whole closed
/// motions have a meaning.
pub fn energy(loads: &[PressureLoad], time: f64, position: &Vectors) -> f64 {
    let mut sum = 0.0;
    for load in loads {
        sum += load.pressure * load.profile.value(time) * enclosed_volume(&load.faces, position);
    }
    sum
}

/// Volume [m³] inside a closed surface of bilinear faces, `V = ⅓ ∮ x·dA`.
pub fn enclosed_volume(faces: &[[u32; 4]], position: &Vectors) -> f64 {
    let mut sum = 0.0;
    for face in faces {
        let x = corners(face, position);
        for (x, area) in x.iter().zip(corner_areas(x)) {
            sum += x.dot(area) / 3.0;
        }
    }
    sum
}

fn corners(face: &[u32; 4], field: &Vectors) -> [DVec3; 4] {
    face.map(|e| field.get(e as usize))
}

/// `∫ N_i dA = (2 J_i + J_opposite) / 12` of the four corners [m²].
fn corner_areas(x: [DVec3; 4]) -> [DVec3; 4] {
    let j = |i: usize| (x[(i + 1) % 4] - x[i]).cross(x[(i + 3) % 4] - x[i]);
    shares([j(0), j(1), j(2), j(3)])
}

/// The change of [`corner_areas`] for the change `dx` of the corners.
fn corner_area_changes(x: [DVec3; 4], dx: [DVec3; 4]) -> [DVec3; 4] {
    let change = |i: usize| {
        let (next, last) = ((i + 1) % 4, (i + 3) % 4);
        (dx[next] - dx[i]).cross(x[last] - x[i]) + (x[next] - x[i]).cross(dx[last] - dx[i])
    };
    shares([change(0), change(1), change(2), change(3)])
}

fn shares(j: [DVec3; 4]) -> [DVec3; 4] {
    let share = |i: usize| (2.0 * j[i] + j[(i + 2) % 4]) / 12.0;
    [share(0), share(1), share(2), share(3)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::force::difference::{assert_differential, assert_force_is_minus_gradient, moved, scattered};
    use crate::model::Profile;

    /// The six faces of a cell, anticlockwise seen from outside; corner bits 0, 1, 2 are x, y, z.
    const BOX: [[u32; 4]; 6] = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

    fn unit_box() -> Vectors {
        let mut x = Vectors::default();
        for i in 0..8u32 {
            x.push(DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)));
        }
        x
    }

    fn distorted_box() -> Vectors {
        moved(&unit_box(), 0.2, &scattered(8, 3))
    }

    fn closed() -> Vec<PressureLoad> {
        vec![PressureLoad { faces: BOX.to_vec(), pressure: 3.0, profile: Profile::Constant }]
    }

    fn force(loads: &[PressureLoad], x: &Vectors) -> Vectors {
        let mut f = Vectors::zeros(x.len());
        add_force(loads, 0.0, x, &mut f);
        f
    }

    #[test]
    fn a_flat_face_gives_a_quarter_of_its_force_to_each_corner_inwards() {
        let lid = [PressureLoad { faces: vec![BOX[5]], pressure: 3.0, profile: Profile::Constant }];
        let f = force(&lid, &unit_box());
        for e in 4..8 {
            assert!((f.get(e) - DVec3::new(0.0, 0.0, -0.75)).length() < 1e-15);
        }
    }

    #[test]
    fn a_closed_surface_of_any_shape_feels_no_net_force_and_no_net_torque() {
        let x = distorted_box();
        let f = force(&closed(), &x);
        let (mut net, mut torque) = (DVec3::ZERO, DVec3::ZERO);
        for e in 0..8 {
            net += f.get(e);
            torque += x.get(e).cross(f.get(e));
        }
        assert!(net.length() < 1e-14 && torque.length() < 1e-14, "{net} {torque}");
    }

    #[test]
    fn the_work_on_a_closed_box_is_pressure_times_the_loss_of_volume() {
        assert!((enclosed_volume(&BOX, &unit_box()) - 1.0).abs() < 1e-15);
        let x = distorted_box();
        assert_force_is_minus_gradient(|x| energy(&closed(), 0.0, x), &force(&closed(), &x), &x);
        assert_force_is_minus_gradient(|x| 3.0 * enclosed_volume(&BOX, x), &force(&closed(), &x), &x);
    }

    #[test]
    fn the_differential_of_open_and_closed_surfaces_is_the_change_of_the_force() {
        let open = vec![PressureLoad { faces: BOX[..2].to_vec(), pressure: -2.0, profile: Profile::Constant }];
        let x = distorted_box();
        for loads in [closed(), open] {
            let differential = |dx: &Vectors| {
                let mut df = Vectors::zeros(8);
                add_differential(&loads, 0.0, &x, dx, &mut df);
                df
            };
            assert_differential(|x| force(&loads, x), differential, &x);
        }
    }
}
