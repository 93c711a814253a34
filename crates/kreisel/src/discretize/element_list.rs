//! Elements and connections given one by one: chains, rings, dumbbells, trusses.

use crate::discretize::constants::{check_material, critical_strain};
use crate::discretize::{DiscretizeError, Matter, matter::MAX_ELEMENTS};
use crate::model::element::NO_ANCHOR;
use crate::model::setup::{ConnectionSetup, ElementSetup};
use crate::model::{ConnectionClass, Connections, Material};
use std::f64::consts::PI;

/// Matter of a list: each connection a rod of the material between two balls of it, positions relative to the body.
pub fn element_list(
    elements: &[ElementSetup],
    connections: &[ConnectionSetup],
    material: &Material,
) -> Result<Matter, DiscretizeError> {
    check_material(material)?;
    let count = elements.len().max(connections.len());
    if count > MAX_ELEMENTS {
        return Err(DiscretizeError::TooMany { elements: count as f64, limit: MAX_ELEMENTS });
    }
    let mut matter = Matter { coincident_spheres: 1, ..Matter::default() };
    for (e, element) in elements.iter().enumerate() {
        add_element(e, element, material, &mut matter)?;
    }
    refuse_duplicates(connections)?;
    matter.connections = join(elements, connections, &matter.masses, material)?;
    Ok(matter)
}

/// Adds one element; without a mass of its own it is a ball of the material, `m = 4/3 π r³ ρ`.
fn add_element(
    e: usize,
    element: &ElementSetup,
    material: &Material,
    matter: &mut Matter,
) -> Result<(), DiscretizeError> {
    let bad = |field: &'static str, value: f64| Err(DiscretizeError::BadElement { element: e, field, value });
    let positive = |v: f64| v > 0.0 && v.is_finite();
    if let Some(value) = element.at.to_array().into_iter().find(|c| !c.is_finite()) {
        return bad("position", value);
    }
    if !positive(element.radius) {
        return bad("radius", element.radius);
    }
    let mass = element.mass.unwrap_or(4.0 / 3.0 * PI * element.radius.powi(3) * material.density);
    if !positive(mass) {
        return bad("mass", mass);
    }
    matter.positions.push(element.at);
    matter.masses.push(mass);
    matter.radii.push(element.radius);
    matter.anchors.push(NO_ANCHOR);
    matter.insets.push(0.0);
    matter.surface.push(true);
    Ok(())
}

/// The two ends, the smaller number first.
fn ordered(connection: &ConnectionSetup) -> [u32; 2] {
    let (a, b) = connection.ends;
    [a.min(b), a.max(b)]
}

/// Refuses a pair that is joined twice: its constants would silently add up.
fn refuse_duplicates(connections: &[ConnectionSetup]) -> Result<(), DiscretizeError> {
    let mut ends: Vec<([u32; 2], usize)> = connections.iter().enumerate().map(|(c, s)| (ordered(s), c)).collect();
    ends.sort_unstable();
    match ends.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        None => Ok(()),
        Some(pair) => {
            let (first, connection) = (pair[0].1, pair[1].1);
            let reason = format!("joins the same elements as connection {first}");
            Err(DiscretizeError::BadConnection { connection, ends: connections[connection].ends, reason })
        }
    }
}

/// Makes all connections, in the order of the list, one class for each distinct set of constants in a row.
fn join(
    elements: &[ElementSetup],
    connections: &[ConnectionSetup],
    masses: &[f64],
    material: &Material,
) -> Result<Connections, DiscretizeError> {
    let mut joined = Connections::default();
    for (c, connection) in connections.iter().enumerate() {
        let refusal = |reason: String| DiscretizeError::BadConnection { connection: c, ends: connection.ends, reason };
        let class = rod(elements, connection, masses, material).map_err(refusal)?;
        if joined.classes.last() != Some(&class) {
            joined.classes.push(class);
        }
        joined.ends.push(ordered(connection));
        joined.class.push(joined.classes.len() as u32 - 1);
    }
    Ok(joined)
}

/// Constants of a rod of section `A` and length `l` between two elements.
///
/// `k = E A/l`. The damper has the pair's ratio, `c = 2 ζ √(k m_red)` with `m_red = m₁m₂/(m₁ + m₂)`. The rod breaks at
/// `l (1 + s_c)`; with a fracture energy its elastic energy then is that of the new surface, `½ E A l s_c² = G_c A`.
fn rod(
    elements: &[ElementSetup],
    connection: &ConnectionSetup,
    masses: &[f64],
    material: &Material,
) -> Result<ConnectionClass, String> {
    let [a, b] = ordered(connection).map(|e| e as usize);
    if a == b {
        return Err("joins an element with itself".into());
    }
    let (Some(first), Some(second)) = (elements.get(a), elements.get(b)) else {
        return Err(format!("there is no element {b}; the list has {}", elements.len()));
    };
    let distance = first.at.distance(second.at);
    let l = connection.rest_length.unwrap_or(distance);
    let section = connection.section.unwrap_or(PI * first.radius.min(second.radius).powi(2));
    for (name, value) in [("distance of its ends", distance), ("rest length", l), ("section", section)] {
        if !(value > 0.0 && value.is_finite()) {
            return Err(format!("the {name} is {value}, expected positive and finite"));
        }
    }
    let k = material.young * section / l;
    let reduced_mass = masses[a] * masses[b] / (masses[a] + masses[b]);
    let damping = 2.0 * material.damping * (k * reduced_mass).sqrt();
    let break_length = l * (1.0 + critical_strain(material, 0.5 * material.young * l));
    Ok(ConnectionClass { stiffness: k, rest_length: l, damping, break_length })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Fracture;
    use glamx::DVec3;

    fn ball(x: f64, radius: f64) -> ElementSetup {
        ElementSetup { at: DVec3::new(x, 0.0, 0.0), velocity: DVec3::ZERO, mass: None, radius }
    }

    fn rod_between(a: u32, b: u32) -> ConnectionSetup {
        ConnectionSetup { ends: (a, b), section: None, rest_length: None }
    }

    #[test]
    fn a_dumbbell_is_a_rod_between_two_balls_of_the_material() {
        let material = Material { fracture: Fracture::Energy(100.0), damping: 0.05, ..Material::default() };
        let matter = element_list(&[ball(0.0, 0.1), ball(2.0, 0.2)], &[rod_between(1, 0)], &material).unwrap();
        let m = [0.1_f64, 0.2].map(|r| 4.0 / 3.0 * PI * r.powi(3) * 1000.0);
        assert_eq!((matter.connections.ends[0], matter.masses.as_slice()), ([0, 1], &m[..]));
        let rod = matter.connections.constants(0);
        let k = 1e6 * PI * 0.01 / 2.0;
        assert!((rod.stiffness / k - 1.0).abs() < 1e-14);
        assert!((rod.damping / (0.1 * (k * m[0] * m[1] / (m[0] + m[1])).sqrt()) - 1.0).abs() < 1e-14);
        let energy = 0.5 * rod.stiffness * (rod.break_length - rod.rest_length).powi(2);
        assert!((energy / (100.0 * PI * 0.01) - 1.0).abs() < 1e-9, "breaking costs G_c times the section");
    }

    #[test]
    fn lists_that_make_no_sense_are_refused_with_the_facts() {
        let elements = [ball(0.0, 0.1), ball(1.0, 0.1), ball(1.0, 0.1)];
        let refusal = |connections: &[ConnectionSetup]| {
            element_list(&elements, connections, &Material::default()).unwrap_err().to_string()
        };
        assert!(refusal(&[rod_between(1, 1)]).contains("with itself"));
        assert!(refusal(&[rod_between(0, 1), rod_between(0, 2), rod_between(1, 0)]).contains("as connection 0"));
        assert!(refusal(&[rod_between(0, 7)]).contains("no element 7"));
        assert!(refusal(&[rod_between(1, 2)]).contains("distance of its ends is 0"));
        assert!(refusal(&[ConnectionSetup { section: Some(f64::NAN), ..rod_between(0, 1) }]).contains("section"));
        let heavy = ElementSetup { mass: Some(f64::INFINITY), ..ball(0.0, 0.1) };
        assert!(element_list(&[heavy], &[], &Material::default()).is_err());
        assert!(element_list(&[ball(f64::NAN, 0.1)], &[], &Material::default()).is_err());
    }
}
