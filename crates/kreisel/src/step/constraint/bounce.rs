//! One contact that bounces within a step: when it strikes, and how far and how fast it is apart at the end.
//!
//! Between blows the gap falls as `φ + u t + ½ a t²` with the acceleration `a = (u* − u⁻)/h` of the free motion. A blow at the
//! speed `s` sends it back at `e s`; each flight lasts `2 e s/|a|`, a share `e` of the one before, so that infinitely many of
//! them end after `2 e s/(|a| (1 − e))`. Where that is within the step the contact has come to rest: by its own physics, not
//! by a threshold. What is left is exact for a ball at any step.

/// Blows within a step at most: what strikes more often rests, as far as anybody can see.
const MOST_BLOWS: u32 = 1000;

/// The normal motion of a contact in a step without it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approach {
    /// The gap when the step begins [m].
    pub gap: f64,
    /// Normal velocity then [m/s]; positive separates.
    pub before: f64,
    /// Normal velocity at the end, without contact [m/s].
    pub free: f64,
    /// Size of the step [s].
    pub h: f64,
}

/// What becomes of a contact in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Course {
    /// It does not strike.
    Misses,
    /// It has come to rest when the step ends.
    Rests,
    /// It strikes and flies on.
    Bounces(Bounce),
}

/// A contact that strikes, once or several times, and flies on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounce {
    /// When it strikes first, from the beginning of the step on [s].
    pub at: f64,
    /// How fast it closes then [m/s].
    pub speed: f64,
    /// Normal velocity at the end of the step [m/s].
    pub velocity: f64,
    /// The gap at the end of the step [m].
    pub gap: f64,
}

/// When bounces are too small to be any.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Least {
    /// Flights no higher than this are none [m].
    pub height: f64,
    /// Nor are those that begin no faster than this [m/s].
    pub speed: f64,
}

impl Approach {
    /// The acceleration [m/s²].
    fn acceleration(&self) -> f64 {
        (self.free - self.before) / self.h
    }

    /// What becomes of it with the restitution `e`.
    pub fn course(&self, e: f64, least: Least) -> Course {
        let a = self.acceleration();
        let Some((at, speed)) = self.strikes(a) else { return Course::Misses };
        let (mut t, mut up) = (at, e * speed);
        if up <= least.speed || (a < 0.0 && up * up <= -2.0 * a * least.height) {
            return Course::Rests;
        }
        if a < 0.0 {
            let mut flight = -2.0 * up / a;
            if t + flight <= (1.0 - e) * self.h + e * t {
                return Course::Rests;
            }
            let mut blows = 1;
            while t + flight < self.h {
                (t, up, flight, blows) = (t + flight, e * up, e * flight, blows + 1);
                if blows > MOST_BLOWS {
                    return Course::Rests;
                }
            }
        }
        let left = self.h - t;
        Course::Bounces(Bounce { at, speed, velocity: up + a * left, gap: (up + 0.5 * a * left) * left })
    }

    /// When it strikes first [s], and how fast [m/s]: `s² = u² − 2 a φ`.
    fn strikes(&self, a: f64) -> Option<(f64, f64)> {
        let (gap, u) = (self.gap.max(0.0), self.before);
        let square = u * u - 2.0 * a * gap;
        if square < 0.0 || (u >= 0.0 && a >= 0.0) {
            return None;
        }
        let speed = square.sqrt();
        // Both forms of the root, each where it does not cancel.
        let at = if u < 0.0 { 2.0 * gap / (speed - u) } else { -(speed + u) / a };
        (at <= self.h).then_some((at, speed))
    }
}

impl Bounce {
    /// The normal velocity at the end if the first blow took all speed and gave nothing back, and everything else went on [m/s].
    pub fn dead(&self, approach: &Approach) -> f64 {
        approach.free + self.speed
    }

    /// What comes back of the impulse of the first blow, all later blows of the step included [1]; `e` if there is only one.
    pub fn share(&self, approach: &Approach) -> f64 {
        ((self.velocity - self.dead(approach)) / self.speed).max(0.0)
    }

    /// When a single impulse would have to act to do what all of them do [s]: from `φ⁺ = φ + ½ h (u⁻ + u*) + (h − t) w p`,
    /// `u⁺ = u* + w p`.
    pub fn delay(&self, approach: &Approach) -> f64 {
        let Approach { gap, before, free, h } = *approach;
        let flown = gap.max(0.0) + 0.5 * h * (before + free);
        (h - (self.gap - flown) / (self.velocity - free)).clamp(0.0, h)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const G: f64 = 9.81;
    const NONE: Least = Least { height: 0.0, speed: 0.0 };

    fn falling(gap: f64, before: f64, h: f64) -> Approach {
        Approach { gap, before, free: before - G * h, h }
    }

    #[test]
    fn a_ball_bounces_in_steps_of_any_size_as_in_closed_form() {
        for (e, h) in [(0.1, 1.0 / 30.0), (0.5, 1.0 / 60.0), (0.8, 0.1), (0.8, 1e-3), (1.0, 1.0 / 60.0)] {
            let (mut gap, mut u, mut t, mut blows): (f64, f64, f64, Vec<f64>) = (1.0, 0.0, 0.0, Vec::new());
            while t < 1.3 && blows.len() < 3 {
                let approach = falling(gap, u, h);
                match approach.course(e, NONE) {
                    Course::Misses => (gap, u) = (gap + 0.5 * h * (u + approach.free), approach.free),
                    Course::Rests => break,
                    Course::Bounces(b) => {
                        blows.push(t + b.at);
                        (gap, u) = (b.gap, b.velocity);
                    }
                }
                t += h;
            }
            let first = (2.0 / G).sqrt();
            let mut due = first;
            for (k, at) in blows.iter().enumerate() {
                assert!((at - due).abs() < 1e-12, "e = {e}, h = {h}: blow {k} at {at}, due at {due}");
                due += 2.0 * first * e.powi(k as i32 + 1);
            }
            assert!(!blows.is_empty());
        }
    }

    #[test]
    fn bounces_end_where_their_flights_do() {
        // The rest is reached `2 e s/(g (1 − e))` after the blow: a step that holds it ends at rest, a shorter one does not.
        let (e, s) = (0.6, 0.05);
        let rest = 2.0 * e * s / (G * (1.0 - e));
        assert_eq!(falling(0.0, -s, 1.001 * rest).course(e, NONE), Course::Rests);
        assert!(matches!(falling(0.0, -s, 0.999 * rest).course(e, NONE), Course::Bounces(_)));
        assert_eq!(falling(0.0, 0.0, 0.01).course(1.0, NONE), Course::Rests, "what rests goes on to rest");
        let many = falling(0.0, -1e-6, 1.0).course(1.0, NONE);
        assert_eq!(many, Course::Rests, "more blows than anybody can see");
    }

    #[test]
    fn what_rises_may_come_back_within_the_step_and_what_is_slowed_may_not_arrive() {
        let back = falling(0.001, 0.05, 0.05).course(0.5, NONE);
        assert!(matches!(back, Course::Bounces(b) if b.at > 0.05 / G), "{back:?}");
        let slowed = Approach { gap: 0.1, before: -1.0, free: 9.0, h: 1.0 };
        assert_eq!(slowed.course(0.5, NONE), Course::Misses);
        let dips = Approach { gap: 0.04, before: -1.0, free: 9.0, h: 1.0 };
        assert!(matches!(dips.course(0.5, NONE), Course::Bounces(b) if b.gap > 0.0 && b.velocity > 0.0));
    }

    #[test]
    fn one_blow_comes_back_with_its_coefficient_and_acts_when_it_strikes() {
        for e in [0.0625, 0.5, 1.0] {
            let approach = falling(0.02, -3.0, 0.01);
            let Course::Bounces(b) = approach.course(e, NONE) else { panic!("e = {e} does not bounce") };
            assert!((b.share(&approach) - e).abs() < 1e-12);
            assert!((b.delay(&approach) - b.at).abs() < 1e-12, "{} {}", b.delay(&approach), b.at);
        }
    }
}
