//! The palette: bodies that a person drops into a running scene, where there is room for them.

use crate::session::world::World;
use kreisel::DVec3;
use kreisel::model::ObstacleShape;
use kreisel::model::setup::BodySetup;

/// What a person asks for.
pub struct Wish<'a> {
    /// Which of the palette.
    pub shape: &'a str,
    /// Of which material.
    pub material: &'a str,
    /// How large [m].
    pub size: f64,
    /// Where [m].
    pub at: DVec3,
    /// True: it is rigid.
    pub rigid: bool,
}

/// A shape of the palette, one metre in size.
struct Piece {
    name: &'static str,
    /// Half its width along x, y and z [m].
    half: DVec3,
    /// Its thinnest side [m], and cells across that.
    thin: f64,
    cells: u32,
}

/// Flat and thin ones have fewer cells across, so that none has more than some hundred elements.
const PIECES: [Piece; 5] = [
    Piece { name: "ball", half: DVec3::new(0.5, 0.5, 0.5), thin: 1.0, cells: 4 },
    Piece { name: "block", half: DVec3::new(0.5, 0.5, 0.5), thin: 1.0, cells: 4 },
    Piece { name: "plank", half: DVec3::new(1.0, 0.25, 0.1), thin: 0.2, cells: 2 },
    Piece { name: "rod", half: DVec3::new(0.2, 0.2, 0.5), thin: 0.4, cells: 4 },
    Piece { name: "ring", half: DVec3::new(0.5, 0.5, 0.15), thin: 0.3, cells: 3 },
];
/// Room between what is dropped and what is there, as a share of its size.
const GAP: f64 = 0.01;

/// A body of the palette at a place, or above it as far as something else is there; no stiffer than the scene's steps bear.
pub fn body(world: &mut World, wish: &Wish) -> Result<BodySetup, String> {
    let Wish { shape, size, at, .. } = *wish;
    let piece = PIECES.iter().find(|p| p.name == shape).ok_or_else(|| format!("the palette has no {shape}"))?;
    let mut body = read(piece, wish)?;
    body.at = free_place(world, at, (piece.half + GAP) * size);
    soften(world, &mut body, piece.thin * size / f64::from(piece.cells));
    Ok(body)
}

/// As a scene file would say it.
fn read(piece: &Piece, wish: &Wish) -> Result<BodySetup, String> {
    let Wish { material, size, rigid, .. } = *wish;
    let DVec3 { x, y, z } = piece.half * size;
    let solid = match piece.name {
        "ball" => format!("{{ sphere = {{ radius = {x:?} }} }}"),
        "rod" => format!("{{ cylinder = {{ radius = {x:?}, height = {:?} }} }}", 2.0 * z),
        "ring" => format!("{{ torus = {{ radius = {:?}, thickness = {:?} }} }}", x - z, 2.0 * z),
        _ => format!("{{ box = [{:?}, {:?}, {:?}] }}", 2.0 * x, 2.0 * y, 2.0 * z),
    };
    let known = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == ' ';
    if material.len() > 40 || !material.chars().all(known) {
        return Err("that is no material".into());
    }
    let cells = piece.cells;
    let text = format!(
        "[[body]]\nname = \"new\"\nshape = {solid}\nmaterial = \"{material}\"\ncells = {cells}\nrigid = {rigid}\n"
    );
    let scene = kreisel_scene::read("palette", &text).map_err(|e| first_message(&e))?;
    scene.setup.bodies.into_iter().next().ok_or_else(|| "the palette is empty".to_string())
}

/// What is wrong first, in one sentence.
fn first_message(error: &kreisel_scene::SceneError) -> String {
    error.problems.first().map_or_else(String::new, |p| p.message.clone())
}

/// The lowest place not below `at` where a box with these half widths meets neither a ground nor an element: bodies that begin
/// inside each other fly apart, and break on the way.
fn free_place(world: &World, mut at: DVec3, half: DVec3) -> DVec3 {
    for obstacle in &world.model.obstacles {
        if let ObstacleShape::Plane { normal, offset } = obstacle.shape {
            let lacking = offset + normal.abs().dot(half) - normal.dot(at);
            if normal.z > 0.1 && lacking > 0.0 {
                at.z += lacking / normal.z;
            }
        }
    }
    let (position, radius) = (&world.state.position, &world.model.elements.radius);
    let beside = |x: DVec3, r: f64| (x - at).abs().truncate().cmplt((half + r).truncate()).all();
    let mut near: Vec<(f64, f64)> = (0..radius.len())
        .map(|e| (position.get(e), radius[e]))
        .filter(|&(x, r)| beside(x, r))
        .map(|(x, r)| (x.z, r))
        .collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0));
    // From below upwards: what has been passed stays below.
    for (z, r) in near {
        if (z - at.z).abs() < half.z + r {
            at.z = z + half.z + r;
        }
    }
    at
}

/// `E ≤ ρ (a/2h)²` for cells of side `a` and the stable step `h`, from the speed of sound `√(E/ρ)`. Else a ball of steel
/// would bring a scene of jelly to a standstill.
fn soften(world: &mut World, body: &mut BodySetup, side: f64) {
    let fastest = 0.5 * side / world.plan().stable_step.max(f64::MIN_POSITIVE);
    if fastest.is_finite() {
        body.material.young = body.material.young.min(body.material.density * fastest * fastest);
    }
}
