//! The scenes, the same for every engine: y up, friction one half, no bounce, the density of water.

use kreisel::{DQuat, DVec3};

/// Acceleration of gravity, downwards [m/s²].
pub const GRAVITY: f64 = 9.81;
/// Coefficient of friction [1].
pub const FRICTION: f64 = 0.5;
/// Density [kg/m³].
pub const DENSITY: f64 = 1000.0;
/// Inner width of the container of the balls, half of it [m].
pub const INNER: f64 = 1.5;
/// Radius of a ball [m].
pub const RADIUS: f64 = 0.1;

/// What a body looks like.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// A box of this half size [m].
    Box(DVec3),
    /// A ball of this radius [m].
    Ball(f64),
}

/// A body, or a piece of the fixed world.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Its shape.
    pub form: Form,
    /// Its centre [m].
    pub at: DVec3,
    /// How it is turned.
    pub rotation: DQuat,
}

/// What is asked at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// How far bodies have sunk and drifted.
    Stands,
    /// How far balls overlap, how many got out.
    Fills,
    /// How many lie.
    Topples,
}

/// A scene.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What it is called.
    pub name: &'static str,
    /// Bodies that move.
    pub bodies: Vec<Piece>,
    /// The fixed world.
    pub world: Vec<Piece>,
    /// Size of a step [s].
    pub step: f64,
    /// How many steps.
    pub steps: usize,
    /// What is asked.
    pub question: Question,
}

/// All of them.
pub fn all() -> Vec<Scene> {
    vec![pyramid(), balls(), dominoes(), stack()]
}

fn cuboid(half: DVec3, at: DVec3) -> Piece {
    Piece { form: Form::Box(half), at, rotation: DQuat::IDENTITY }
}

fn ground() -> Piece {
    cuboid(DVec3::new(60.0, 0.5, 20.0), DVec3::new(0.0, -0.5, 0.0))
}

/// Rows of 20, 19, … 1 boxes.
fn pyramid() -> Scene {
    let places = (0..20).flat_map(|row: i32| {
        (0..20 - row)
            .map(move |k| DVec3::new(1.1 * (f64::from(k) - 0.5 * f64::from(19 - row)), 0.5 + f64::from(row), 0.0))
    });
    let bodies = places.map(|at| cuboid(DVec3::splat(0.5), at)).collect();
    Scene { name: "pyramid", bodies, world: vec![ground()], step: 1.0 / 60.0, steps: 300, question: Question::Stands }
}

/// Twenty layers of a hundred balls fall into a container.
pub fn balls() -> Scene {
    flock(2000)
}

/// So many balls, a hundred in a layer.
pub fn flock(count: i32) -> Scene {
    let side = |even: bool| if even { 0.02 } else { -0.02 };
    let bodies = (0..count).map(|n| {
        let (k, i, j) = (n / 100, n / 10 % 10, n % 10);
        let (x, z) =
            (0.28 * (f64::from(i) - 4.5) + side(k % 2 == 0), 0.28 * (f64::from(j) - 4.5) + side(k / 2 % 2 == 0));
        let at = DVec3::new(x, 0.2 + 0.25 * f64::from(k), z);
        Piece { form: Form::Ball(RADIUS), at, rotation: DQuat::IDENTITY }
    });
    let mut world = vec![ground()];
    for s in [-1.0, 1.0] {
        world.push(cuboid(DVec3::new(0.5, 3.0, INNER + 1.0), DVec3::new(s * (INNER + 0.5), 3.0, 0.0)));
        world.push(cuboid(DVec3::new(INNER, 3.0, 0.5), DVec3::new(0.0, 3.0, s * (INNER + 0.5))));
    }
    Scene { name: "balls", bodies: bodies.collect(), world, step: 1.0 / 60.0, steps: 600, question: Question::Fills }
}

/// A row of two hundred, the first tilted by 15° about its front lower edge.
fn dominoes() -> Scene {
    let half = DVec3::new(0.05, 0.5, 0.25);
    let mut bodies: Vec<Piece> =
        (0..200).map(|k: i32| cuboid(half, DVec3::new(0.5 * (f64::from(k) - 99.5), half.y, 0.0))).collect();
    let edge = bodies[0].at + DVec3::new(half.x, -half.y, 0.0);
    bodies[0].rotation = DQuat::from_rotation_z(-15_f64.to_radians());
    bodies[0].at = edge + bodies[0].rotation * (bodies[0].at - edge);
    Scene {
        name: "dominoes",
        bodies,
        world: vec![ground()],
        step: 1.0 / 120.0,
        steps: 1200,
        question: Question::Topples,
    }
}

/// A column of twenty boxes.
fn stack() -> Scene {
    let bodies = (0..20).map(|k: i32| cuboid(DVec3::splat(0.5), DVec3::new(0.0, 0.5 + f64::from(k), 0.0))).collect();
    Scene { name: "stack", bodies, world: vec![ground()], step: 1.0 / 60.0, steps: 600, question: Question::Stands }
}
