//! Grabs: a damped spring from a point to a moving target, `f = k (x_t − x) + c (v_t − v)`, `U = ½ k |x_t − x|²`.
//!
//! The point rides on elements, `x = Σ φ x_e`, so each of them takes the force `φ f`.

use crate::linear::Vectors;
use crate::model::world::ElementGrab;
use glamx::DVec3;

/// True while the grab holds: from its start, until before its end. One without a path never does.
pub fn is_active(grab: &ElementGrab, time: f64) -> bool {
    !grab.path.is_empty() && time >= grab.active.0 && time < grab.active.1
}

/// Position [m] and velocity [m/s] of the target at `time` [s]: straight between the points of the path, at rest before
/// the first and from the last on. Without a path: the origin.
pub fn target(grab: &ElementGrab, time: f64) -> (DVec3, DVec3) {
    let (Some(first), Some(last)) = (grab.path.first(), grab.path.last()) else { return (DVec3::ZERO, DVec3::ZERO) };
    if time < first.0 {
        return (first.1, DVec3::ZERO);
    }
    if time >= last.0 {
        return (last.1, DVec3::ZERO);
    }
    let i = grab.path.partition_point(|p| p.0 <= time);
    let ((t0, a), (t1, b)) = (grab.path[i - 1], grab.path[i]);
    let velocity = (b - a) / (t1 - t0);
    (a + velocity * (time - t0), velocity)
}

/// Position, velocity or displacement of the point that a grab holds, from those of all elements.
pub fn at_point(grab: &ElementGrab, of_elements: &Vectors) -> DVec3 {
    grab.carried_by.iter().fold(DVec3::ZERO, |sum, &(e, weight)| sum + weight * of_elements.get(e as usize))
}

/// Force [N] of one grab on its point at `position` [m] with `velocity` [m/s]; zero while it does not hold.
pub fn force(grab: &ElementGrab, time: f64, position: DVec3, velocity: DVec3) -> DVec3 {
    if !is_active(grab, time) {
        return DVec3::ZERO;
    }
    let (at, speed) = target(grab, time);
    grab.stiffness * (at - position) + grab.damping * (speed - velocity)
}

/// Adds the forces [N] of all grabs at `time` [s].
pub fn add_force(grabs: &[ElementGrab], time: f64, position: &Vectors, velocity: &Vectors, out: &mut Vectors) {
    for grab in grabs {
        let f = force(grab, time, at_point(grab, position), at_point(grab, velocity));
        grab.carried_by.iter().for_each(|&(e, weight)| out.add(e as usize, weight * f));
    }
}

/// Energy of the springs of all grabs that hold at `time` [J].
pub fn energy(grabs: &[ElementGrab], time: f64, position: &Vectors) -> f64 {
    let mut sum = 0.0;
    for grab in grabs.iter().filter(|g| is_active(g, time)) {
        let stretch = target(grab, time).0 - at_point(grab, position);
        sum += 0.5 * grab.stiffness * stretch.length_squared();
    }
    sum
}

/// Adds the change of the force for the changes `dx` of the positions and `dv` of the velocities, `df −= k dx + c dv`.
pub fn add_differential(grabs: &[ElementGrab], time: f64, dx: &Vectors, dv: &Vectors, df: &mut Vectors) {
    for grab in grabs.iter().filter(|g| is_active(g, time)) {
        let change = grab.stiffness * at_point(grab, dx) + grab.damping * at_point(grab, dv);
        grab.carried_by.iter().for_each(|&(e, weight)| df.add(e as usize, -weight * change));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::force::difference::{assert_differential, assert_force_is_minus_gradient, scattered};

    fn grabs() -> Vec<ElementGrab> {
        let path = vec![(1.0, DVec3::X), (2.0, DVec3::Y), (4.0, DVec3::new(0.0, 1.0, 6.0))];
        let grab = |carried_by: &[(u32, f64)], damping| ElementGrab {
            carried_by: carried_by.to_vec(),
            stiffness: 40.0,
            damping,
            path: path.clone(),
            active: (0.5, 3.5),
        };
        vec![grab(&[(0, 1.0)], 0.0), grab(&[(0, -0.5), (1, 0.3), (2, 1.2)], 5.0)]
    }

    fn total(time: f64, x: &Vectors, v: &Vectors) -> Vectors {
        let mut f = Vectors::zeros(x.len());
        add_force(&grabs(), time, x, v, &mut f);
        f
    }

    #[test]
    fn the_target_runs_along_its_path_and_rests_outside() {
        let g = &grabs()[0];
        assert_eq!(target(g, 0.0), (DVec3::X, DVec3::ZERO));
        assert_eq!(target(g, 1.5), (DVec3::new(0.5, 0.5, 0.0), DVec3::new(-1.0, 1.0, 0.0)));
        assert_eq!(target(g, 3.0), (DVec3::new(0.0, 1.0, 3.0), DVec3::new(0.0, 0.0, 3.0)));
        assert_eq!(target(g, 9.0), (DVec3::new(0.0, 1.0, 6.0), DVec3::ZERO));
    }

    #[test]
    fn an_element_that_rides_on_the_target_feels_nothing() {
        let g = &grabs()[1];
        let (x, v) = target(g, 1.7);
        assert_eq!(force(g, 1.7, x, v), DVec3::ZERO);
    }

    #[test]
    fn a_grab_holds_only_while_it_is_active() {
        let (x, v) = (scattered(3, 1), scattered(3, 2));
        assert_eq!(total(0.4, &x, &v), Vectors::zeros(3));
        assert_eq!(total(3.5, &x, &v), Vectors::zeros(3));
        assert_eq!(energy(&grabs(), 3.5, &x), 0.0);
        assert!(total(0.5, &x, &v) != Vectors::zeros(3));
    }

    #[test]
    fn the_spring_part_is_minus_the_gradient_of_the_energy() {
        let time = 3.2;
        let mut resting = Vectors::zeros(3);
        (0..3).for_each(|e| resting.set(e, target(&grabs()[1], time).1));
        let x = scattered(3, 4);
        assert_force_is_minus_gradient(|x| energy(&grabs(), time, x), &total(time, &x, &resting), &x);
    }

    #[test]
    fn the_differential_is_the_change_of_the_force_with_position_and_with_velocity() {
        let (x, v, still) = (scattered(3, 4), scattered(3, 5), Vectors::zeros(3));
        let differential = |dx: &Vectors, dv: &Vectors| {
            let mut df = Vectors::zeros(3);
            add_differential(&grabs(), 1.2, dx, dv, &mut df);
            df
        };
        assert_differential(|x| total(1.2, x, &v), |dx| differential(dx, &still), &x);
        assert_differential(|v| total(1.2, &x, v), |dv| differential(&still, dv), &v);
    }
}
