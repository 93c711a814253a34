//! The camera: where it stands, where it looks, and how the user says so.

use crate::error::RenderError;
use kreisel::DVec3;

/// A camera with its upper edge upwards, z being up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it stands [m].
    pub eye: DVec3,
    /// What it looks at [m].
    pub target: DVec3,
    /// Vertical angle of view [rad].
    pub field_of_view: f64,
}

/// Unit vectors of a camera: to the right, up, and forwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    /// To the right.
    pub right: DVec3,
    /// Up in the picture.
    pub up: DVec3,
    /// Away from the eye.
    pub forward: DVec3,
}

impl Camera {
    /// Its unit vectors; looking straight up or down, y is up in the picture.
    pub fn axes(&self) -> Axes {
        let forward = (self.target - self.eye).try_normalize().unwrap_or(-DVec3::Z);
        let across = forward.cross(DVec3::Z);
        let right = if across.length() > 1e-6 { across.normalize() } else { DVec3::X };
        Axes { right, up: right.cross(forward), forward }
    }
}

/// Which camera.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CameraChoice {
    /// Where it stands [m]; `None`: where the scene says, or such that everything is seen.
    pub eye: Option<DVec3>,
    /// What it looks at [m].
    pub target: Option<DVec3>,
    /// Vertical angle of view [rad].
    pub field_of_view: Option<f64>,
    /// From which side everything is seen, instead of the scene's camera.
    pub side: Option<DVec3>,
}

/// Names of directions, and where the camera stands seen from the middle of the scene.
const SIDES: [(&str, [f64; 3]); 6] = [
    ("front", [0.0, -1.0, 0.12]),
    ("back", [0.0, 1.0, 0.12]),
    ("side", [1.0, 0.0, 0.12]),
    ("left", [-1.0, 0.0, 0.12]),
    ("top", [0.0, 0.0, 1.0]),
    ("iso", [0.6, -1.0, 0.55]),
];

impl std::str::FromStr for CameraChoice {
    type Err = RenderError;

    /// A name (`front`, `back`, `side`, `left`, `top`, `iso`), or some of `eye=x,y,z target=x,y,z fov=degrees`.
    fn from_str(text: &str) -> Result<Self, RenderError> {
        let mut choice = Self::default();
        for word in text.split([' ', ';']).filter(|w| !w.is_empty()) {
            match word.split_once('=') {
                Some(("eye", place)) => choice.eye = Some(vector(place)?),
                Some(("target", place)) => choice.target = Some(vector(place)?),
                Some(("fov", angle)) => choice.field_of_view = Some(degrees(angle)?),
                None => choice.side = Some(side(word)?),
                _ => return Err(wrong(word)),
            }
        }
        if choice == Self::default() { Err(wrong(text)) } else { Ok(choice) }
    }
}

fn side(word: &str) -> Result<DVec3, RenderError> {
    let found = SIDES.iter().find(|(name, _)| *name == word);
    found.map(|(_, direction)| DVec3::from_array(*direction)).ok_or_else(|| wrong(word))
}

fn vector(text: &str) -> Result<DVec3, RenderError> {
    let numbers: Vec<f64> = text.split(',').filter_map(|a| a.trim().parse().ok()).collect();
    match numbers[..] {
        [x, y, z] if [x, y, z].iter().all(|a: &f64| a.is_finite()) => Ok(DVec3::new(x, y, z)),
        _ => Err(RenderError::Wish(format!("`{text}` is not a place; write three numbers as in eye=3,-4,2"))),
    }
}

fn degrees(text: &str) -> Result<f64, RenderError> {
    match text.trim_end_matches("deg").trim().parse::<f64>() {
        Ok(angle) if (1.0..=150.0).contains(&angle) => Ok(angle.to_radians()),
        _ => Err(RenderError::Wish(format!("`{text}` is not an angle of view from 1 to 150 degrees, as in fov=40"))),
    }
}

fn wrong(word: &str) -> RenderError {
    let names: Vec<&str> = SIDES.iter().map(|(name, _)| *name).collect();
    let all = names.join(", ");
    RenderError::Wish(format!("`{word}` is no camera; there are {all}, and \"eye=x,y,z target=x,y,z fov=degrees\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_are_right_handed_and_up_is_up_also_from_above() {
        for eye in [DVec3::new(3.0, -4.0, 2.0), DVec3::new(0.0, 0.0, 5.0), DVec3::new(0.0, 0.0, -5.0)] {
            let a = Camera { eye, target: DVec3::ZERO, field_of_view: 0.6 }.axes();
            assert!((a.right.cross(a.up) + a.forward).length() < 1e-12, "{a:?}");
            assert!(a.up.z >= -1e-12 && a.right.z.abs() < 1e-12);
        }
    }

    #[test]
    fn a_camera_is_a_name_or_a_place_and_anything_else_is_explained() {
        let choice: CameraChoice = "eye=1,2,-3.5 target=0,0,1 fov=40".parse().expect("a camera");
        assert_eq!((choice.eye, choice.target), (Some(DVec3::new(1.0, 2.0, -3.5)), Some(DVec3::Z)));
        assert!((choice.field_of_view.expect("given") - 40f64.to_radians()).abs() < 1e-15);
        assert!("top".parse::<CameraChoice>().expect("a name").side.is_some());
        for wrong in ["", "tpo", "eye=1,2", "eye=a,b,c", "fov=0", "fov=400", "eye=1,2,inf", "angle=3"] {
            assert!(wrong.parse::<CameraChoice>().is_err(), "{wrong}");
        }
    }
}
