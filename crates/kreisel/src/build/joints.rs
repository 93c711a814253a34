//! Joints: which points of which bodies they join.

use crate::build::BuildError;
use crate::model::joint::{JointKind, Side};
use crate::model::seat::{SAME, carrying};
use crate::model::setup::Law;
use crate::model::{Command, FREE, Joint, JointSetup, JointState, Model, Setup, State};
use glamx::{DMat3, DQuat, DVec3};

/// Makes all joints.
pub fn add(setup: &Setup, model: &mut Model, state: &mut State) -> Result<(), BuildError> {
    for (k, joint) in setup.joints.iter().enumerate() {
        let path = format!("joint[{k}]");
        check(setup, joint, &path)?;
        if model.joints.iter().any(|other| other.name == joint.name) {
            let message = format!("two joints are called \"{}\"", joint.name);
            return Err(BuildError::new(&format!("{path}.name"), message, "give each joint a name of its own"));
        }
        let made = make(joint, model, state, &path)?;
        let first = first_state(&made, state);
        state.joints.push(first);
        model.joints.push(made);
    }
    Ok(())
}

fn first_state(joint: &Joint, state: &State) -> JointState {
    let coordinate = if joint.kind == JointKind::Distance { joint.length } else { 0.0 };
    JointState { command: joint.motor, coordinate, speed: joint.first_speed(state), ..JointState::default() }
}

fn check(setup: &Setup, joint: &JointSetup, path: &str) -> Result<(), BuildError> {
    let wrong =
        |field: &str, message: String, help: &str| Err(BuildError::new(&format!("{path}.{field}"), message, help));
    if setup.law != Law::Constraint {
        let message = "joints hold under the law `constraint` only";
        return Err(BuildError::new(path, message, "write `law = \"constraint\"`"));
    }
    if !joint.at.is_finite() || !joint.to.is_finite() {
        return wrong("at", format!("{} is not a place", joint.at), "give three finite numbers");
    }
    let axial = matches!(joint.kind, JointKind::Hinge | JointKind::Slider);
    if axial && joint.axis.try_normalize().is_none() {
        return wrong("axis", format!("{} has no direction", joint.axis), "give three numbers that are not all zero");
    }
    let (low, high) = joint.limits;
    if low.is_nan() || high.is_nan() || low > high {
        return wrong("limits", format!("{low} is not below {high}"), "write the smaller limit first");
    }
    if !joint.motor.is_sound() {
        return wrong(
            "motor",
            format!("{:?} is nothing that a motor can do", joint.motor),
            "give finite numbers, a stiffness or damping above zero, and a force of at least zero",
        );
    }
    if !(joint.friction >= 0.0 && joint.friction.is_finite()) {
        return wrong(
            "friction",
            format!("{} is not a force", joint.friction),
            "give zero or a positive finite number",
        );
    }
    if !(0.0..=1.0).contains(&joint.restitution) {
        let message = format!("{} is not a coefficient of restitution", joint.restitution);
        return wrong("restitution", message, "give a number from 0 to 1");
    }
    if !(joint.break_force > 0.0 && joint.break_torque > 0.0) {
        return wrong("break", "a joint must bear something".into(), "give positive numbers");
    }
    check_drive(joint, path)
}

/// True if something acts along the coordinate.
fn is_driven(joint: &JointSetup) -> bool {
    let limited = joint.limits.0.is_finite() || joint.limits.1.is_finite();
    limited || joint.motor != Command::Free || joint.friction > 0.0
}

fn check_drive(joint: &JointSetup, path: &str) -> Result<(), BuildError> {
    if is_driven(joint) && !joint.kind.has_coordinate() {
        let message = "limits, motors and friction act along one coordinate, which this kind does not have";
        return Err(BuildError::new(path, message, "take a hinge, a slider or a distance"));
    }
    let start = if joint.kind == JointKind::Distance { joint.at.distance(joint.to) } else { 0.0 };
    if joint.kind.has_coordinate() && !(joint.limits.0 <= start && start <= joint.limits.1) {
        let (low, high) = joint.limits;
        let message = format!("the joint starts at {start}, outside its limits {low} to {high}");
        let help = "angles and shifts start at zero, distances at their length";
        return Err(BuildError::new(&format!("{path}.limits"), message, help));
    }
    if joint.kind == JointKind::Distance && start == 0.0 {
        return Err(BuildError::new(
            path,
            "the two points of the distance are one",
            "take a ball, or set `at` and `to` apart",
        ));
    }
    Ok(())
}

/// A body and its element next to a point.
struct Anchor {
    body: Option<u32>,
    element: Option<u32>,
    free: bool,
}

fn anchor(name: Option<&str>, at: DVec3, model: &Model, state: &State, path: &str) -> Result<Anchor, BuildError> {
    let Some(name) = name else { return Ok(Anchor { body: None, element: None, free: false }) };
    let Some(body) = model.bodies.iter().position(|b| b.name == name) else {
        let known: Vec<&str> = model.bodies.iter().map(|b| b.name.as_str()).take(20).collect();
        let help = format!("bodies: {}", known.join(", "));
        return Err(BuildError::new(path, format!("no body is called \"{name}\""), help));
    };
    let distance = |e: &u32| state.position.get(*e as usize).distance_squared(at);
    let nearest = model.bodies[body].elements.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).copied();
    let Some(element) = nearest else {
        return Err(BuildError::new(path, format!("\"{name}\" has no elements"), "name another body"));
    };
    Ok(Anchor { body: Some(body as u32), element: Some(element), free: state.owner[element as usize] == FREE })
}

fn make(joint: &JointSetup, model: &Model, state: &State, path: &str) -> Result<Joint, BuildError> {
    let to = if joint.kind == JointKind::Distance { joint.to } else { joint.at };
    let a = anchor(Some(&joint.a), joint.at, model, state, &format!("{path}.a"))?;
    let b = anchor(joint.b.as_deref(), to, model, state, &format!("{path}.b"))?;
    let same_part = |e: u32, f: u32| e == f || (!a.free && state.owner[e as usize] == state.owner[f as usize]);
    if a.body == b.body || a.element.zip(b.element).is_some_and(|(e, f)| same_part(e, f)) {
        let message = format!("it joins \"{}\" to itself", joint.a);
        return Err(BuildError::new(path, message, "name two bodies, or leave `b` out for the world"));
    }
    let pairs = pairs(joint, (&a, &b), model, state, path)?;
    refuse_half_held(&pairs, model, path)?;
    let length = pairs[0][0].place(state).0.distance(pairs[0][1].place(state).0);
    let apart = a.body.zip(b.body).filter(|_| !joint.collide).map(|(a, b)| (a.min(b), a.max(b)));
    Ok(Joint {
        name: joint.name.clone(),
        kind: joint.kind,
        pairs,
        length,
        limits: joint.limits,
        friction: joint.friction,
        restitution: joint.restitution,
        motor: joint.motor,
        break_force: joint.break_force,
        break_torque: joint.break_torque,
        apart,
    })
}

/// The sides of a joint. Free elements have no axes: what they carry rides on several of them.
fn pairs(
    joint: &JointSetup,
    (a, b): (&Anchor, &Anchor),
    model: &Model,
    state: &State,
    path: &str,
) -> Result<Vec<[Side; 2]>, BuildError> {
    let axis = joint.axis.try_normalize().unwrap_or(DVec3::X);
    let (y, z) = axis.any_orthonormal_pair();
    let frame = DQuat::from_mat3(&DMat3::from_cols(axis, y, z));
    if joint.kind == JointKind::Distance {
        return Ok(vec![[Side::on(a.element, joint.at, frame, state), Side::on(b.element, joint.to, frame, state)]]);
    }
    let soft = if a.free { a } else { b };
    let Some(first) = soft.element.filter(|_| a.free || b.free) else {
        return Ok(vec![[Side::on(a.element, joint.at, frame, state), Side::on(b.element, joint.at, frame, state)]]);
    };
    if joint.kind == JointKind::Slider || is_driven(joint) {
        let message = "sliders, limits, motors and friction need rigid parts on both sides";
        return Err(BuildError::new(path, message, "make the region around the joint rigid"));
    }
    let own = soft.body.map_or(&[][..], |b| &model.bodies[b as usize].elements);
    let places = carrying(joint.kind, first, axis, own, state).ok_or_else(|| {
        let message = "too few free elements lie around the joint to carry it";
        BuildError::new(path, message, "refine the body, turn the axis along its elements, or make a part rigid")
    })?;
    let of = |e: u32| -> Result<[Side; 2], BuildError> {
        let at = state.position.get(e as usize);
        let other = if a.free { b } else { a };
        let mut sides =
            [Side::on(Some(e), at, frame, state), Side::on(nearest(other, at, model, state), at, frame, state)];
        if other.free {
            let gap = sides[0].place(state).0.distance(sides[1].place(state).0);
            if gap > SAME * model.elements.radius[e as usize] || joint.kind != JointKind::Ball {
                let message = "two soft bodies can be joined by balls where elements coincide, or by distances";
                return Err(BuildError::new(path, message, "make one of the two sides rigid"));
            }
        }
        if !a.free {
            sides.swap(0, 1);
        }
        Ok(sides)
    };
    places.into_iter().map(of).collect()
}

/// The element of the other side next to a point.
fn nearest(anchor: &Anchor, at: DVec3, model: &Model, state: &State) -> Option<u32> {
    if !anchor.free {
        return anchor.element;
    }
    let distance = |e: &u32| state.position.get(*e as usize).distance_squared(at);
    let own = &model.bodies[anchor.body? as usize].elements;
    own.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).copied()
}

/// A free element that is held along some axes only cannot carry a joint.
fn refuse_half_held(pairs: &[[Side; 2]], model: &Model, path: &str) -> Result<(), BuildError> {
    let free = pairs.iter().flatten().filter(|s| !s.rigid).filter_map(|s| s.element);
    match free.into_iter().find(|&e| model.is_half_held(e)) {
        None => Ok(()),
        Some(e) => {
            let message = format!("it rides on element {e}, which is held along some axes only");
            Err(BuildError::new(path, message, "hold it along all axes or none, or make the part rigid"))
        }
    }
}
