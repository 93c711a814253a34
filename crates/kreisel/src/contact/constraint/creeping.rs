//! Rest is told from creeping while it is solved for: whoever moves much faster than what the solution leaves does not rest.

use crate::contact::constraint::carriers::Carriers;

/// Velocities of so many times what a solver may leave at a contact may be its leftovers [1].
pub const LEFTOVERS: f64 = 10.0;
/// They add up from one body to the next, over so many at most: the top of a column that stood moves with what all its contacts have left.
pub const ADD_UP: usize = 20;

/// Says from the carriers and the largest natural map [m/s] that to go on solving is in vain.
pub type InVain<'a> = &'a dyn Fn(&Carriers, f64) -> bool;

/// True if some body is faster than what counts as `slow`, and than what contacts that leave no more than `left` can make of it [m/s]:
/// no sharper solution lets it rest. A heap that rolls and slides for long would otherwise be solved to the last digit each time that
/// it is asked whether it rests, at the price of some hundred sweeps.
pub fn creeps(carriers: &Carriers, left: f64, slow: f64) -> bool {
    let bodies = || carriers.iter().filter(|c| c.is_movable());
    let most = slow.max(LEFTOVERS * bodies().count().max(ADD_UP) as f64 * left);
    bodies().any(|c| c.velocity.abs().max_element() > most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::constraint::carriers::Carrier;
    use glamx::DVec3;

    #[test]
    fn a_body_creeps_if_neither_its_solver_nor_slowness_explains_its_speed() {
        let at = |speed: f64| {
            Carriers::from(vec![Carrier { velocity: DVec3::X * speed, inverse_mass: 1.0, ..Carrier::WORLD }])
        };
        assert!(creeps(&at(1e-2), 1e-5, 1e-6), "a thousand times what is left");
        assert!(!creeps(&at(1e-2), 1e-4, 1e-6), "a hundred times: leftovers of a column");
        assert!(!creeps(&at(1e-7), 0.0, 1e-6), "slow");
        let carried = Carriers::from(vec![Carrier { velocity: DVec3::X, ..Carrier::WORLD }]);
        assert!(!creeps(&carried, 1e-5, 1e-6), "what nothing moves does not creep");
    }
}
