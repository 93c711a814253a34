//! Materials: by name, by table, and `like` one another.

use crate::keys::{FRICTION, Kind, Limits, MATERIAL};
use crate::materials::{MATERIALS, named};
use crate::read::node::{Node, shorten};
use crate::read::table::Table;
use crate::read::world::combine;
use crate::suggest::offer;
use crate::units::quantity::NUMBER;
use kreisel::model::{Fracture, Material};
use std::collections::BTreeMap;

/// How many materials may be `like` one another in a row.
const LONGEST_CHAIN: usize = 64;

/// A material, and what of it the file says itself.
#[derive(Clone)]
pub(super) struct Stated {
    pub material: Material,
    /// The file gives it friction, so the scene's default does not hold.
    pub friction: bool,
    /// The file gives it restitution, likewise.
    pub restitution: bool,
}

/// Materials of the file by name.
pub(super) struct Library<'a> {
    own: BTreeMap<&'a str, Node<'a>>,
}

impl<'a> Library<'a> {
    /// Reads the `material` table of a scene; every material is checked, used or not.
    pub fn new(scene: &Table<'a>) -> Self {
        let mut own = BTreeMap::new();
        if let Some(node) = scene.get("material") {
            match node.value {
                toml::de::DeValue::Table(map) => {
                    let names = Table { reader: node.reader, map, place: node.place.clone(), section: &MATERIAL };
                    own = map.iter().filter_map(|(k, _)| Some((&**k.get_ref(), names.entry(k.get_ref())?))).collect();
                }
                _ => node.expected("tables `[material.NAME]`").unwrap_or_default(),
            }
        }
        let library = Self { own };
        for (name, node) in library.own.iter().take_while(|_| !scene.reader.full()) {
            library.resolve(node.clone(), name);
        }
        library
    }

    /// The material of a body.
    pub fn material(&self, node: &Node<'a>) -> Option<Stated> {
        if node.is_table() {
            return self.resolve(node.clone(), "own material");
        }
        if !node.is_text() {
            return node.expected(&Kind::Material.describe());
        }
        let name = node.text()?;
        match self.own.get(name) {
            // What is wrong with a material of the file has been said when the library was made.
            Some(own) => self.resolve(own.clone(), name),
            None => self.standard(node, name),
        }
    }

    fn standard(&self, node: &Node<'a>, name: &str) -> Option<Stated> {
        if let Some(found) = named(name) {
            return Some(Stated { material: found.material(), friction: false, restitution: false });
        }
        if node.reader.full() {
            return None;
        }
        let mut names: Vec<&str> = self.own.keys().copied().chain(MATERIALS.iter().map(|m| m.name)).collect();
        names.sort_unstable();
        node.error(format!("there is no material called `{}`", shorten(name)), offer(name, &names))
    }

    /// Follows `like` to the material at the bottom, then applies the tables from there up.
    fn resolve(&self, top: Node<'a>, name: &str) -> Option<Stated> {
        let mut tables = vec![top.table(&MATERIAL)?];
        let mut seen = vec![name];
        let mut stated = Stated { material: Material::default(), friction: false, restitution: false };
        while let Some(like) = tables[tables.len() - 1].get("like") {
            let base = like.text()?;
            let own = self.own.get(base).filter(|_| seen[seen.len() - 1] != base || named(base).is_none());
            let Some(next) = own else {
                stated = self.standard(&like, base)?;
                break;
            };
            if seen.contains(&base) {
                return like.error(format!("`{}` is like itself: {} → {base}", shorten(base), seen.join(" → ")), None);
            }
            if seen.len() > LONGEST_CHAIN {
                return like
                    .error(format!("more than {LONGEST_CHAIN} materials are `like` one another in a row"), None);
            }
            seen.push(base);
            tables.push(next.table(&MATERIAL)?);
        }
        let bottom = seen[seen.len() - 1];
        if let Some(same) = named(bottom).filter(|_| tables[tables.len() - 1].get("like").is_none()) {
            stated.material = same.material();
        }
        for table in tables.iter().rev() {
            apply(table, &mut stated)?;
        }
        stated.material.name = name.to_string();
        Some(stated)
    }
}

/// Replaces what the table says.
fn apply(table: &Table<'_>, stated: &mut Stated) -> Option<()> {
    let m = &mut stated.material;
    for (key, target) in [
        ("young", &mut m.young),
        ("poisson", &mut m.poisson),
        ("density", &mut m.density),
        ("damping", &mut m.damping),
        ("restitution", &mut m.restitution),
    ] {
        if let Some(node) = table.get(key) {
            *target = table.number(key)?;
            warn_of_unlikely(key, *target, &node);
        }
    }
    stated.restitution |= table.get("restitution").is_some();
    apply_fracture(table, &mut m.fracture)?;
    stated.friction |= apply_friction(table, m)?;
    resist(table, m);
    m.friction_combine = combine(table, "friction_combine").or(m.friction_combine);
    m.restitution_combine = combine(table, "restitution_combine").or(m.restitution_combine);
    Some(())
}

fn apply_fracture(table: &Table<'_>, fracture: &mut Fracture) -> Option<()> {
    let keys = ["fracture_energy", "strength", "fracture_strain"];
    if let Some(key) = table.only_one_of(&keys, false) {
        let value = table.number(key)?;
        *fracture = match key {
            "fracture_energy" => Fracture::Energy(value),
            "strength" => Fracture::Strength(value),
            _ => Fracture::Strain(value),
        };
    }
    if table.flag("breaks") == Some(false) {
        *fracture = Fracture::Never;
    }
    Some(())
}

/// True if the table says something about friction. One coefficient alone moves the other only as far as it must.
fn apply_friction(table: &Table<'_>, m: &mut Material) -> Option<bool> {
    let mut said = false;
    if let Some(node) = table.get("friction") {
        (m.static_friction, m.dynamic_friction) = friction(&node)?;
        said = true;
    }
    let (stick, slide) = (table.number("static_friction"), table.number("dynamic_friction"));
    if let (Some(s), Some(d), Some(node)) = (stick, slide, table.get("dynamic_friction"))
        && d > s
    {
        return node.error(format!("dynamic friction {d} cannot exceed static friction {s}"), None);
    }
    if let Some(s) = stick {
        m.static_friction = s;
        m.dynamic_friction = m.dynamic_friction.min(s);
    }
    if let Some(d) = slide {
        m.dynamic_friction = d;
        m.static_friction = m.static_friction.max(d);
    }
    Some(said || stick.is_some() || slide.is_some())
}

/// What resists rolling and spinning.
pub(super) fn resist(table: &Table<'_>, m: &mut Material) {
    let r = &mut m.resistance;
    r.rolling = table.number("rolling_friction").unwrap_or(r.rolling);
    r.torsional = table.number("torsional_friction").unwrap_or(r.torsional);
    r.patch = table.number("contact_radius").unwrap_or(r.patch);
}

/// Static and dynamic friction: one number for both, or a table.
pub(super) fn friction(node: &Node<'_>) -> Option<(f64, f64)> {
    if !node.is_table() {
        return node.number(&NUMBER, Limits::Within(0.0, 10.0)).map(|mu| (mu, mu));
    }
    let table = node.table(&FRICTION)?;
    let stick = table.required_number("static")?;
    let slide = table.number("dynamic").unwrap_or(stick);
    if slide > stick {
        return node.error(format!("dynamic friction {slide} cannot exceed static friction {stick}"), None);
    }
    Some((stick, slide))
}

/// Values that are probably in another unit.
fn warn_of_unlikely(key: &str, value: f64, node: &Node<'_>) {
    match key {
        "young" if value < 100.0 => node.warn(
            format!("Young's modulus of {value} Pa is softer than any solid"),
            format!("with its unit: \"{value} GPa\"?"),
        ),
        "young" if value > 2e12 => node.warn(format!("Young's modulus of {value:e} Pa is stiffer than diamond"), None),
        "density" if value < 10.0 => node.warn(
            format!("a density of {value} kg/m3 is less than that of any common solid"),
            format!("with its unit: \"{value} g/cm3\"?"),
        ),
        "density" if value > 25_000.0 => {
            node.warn(format!("a density of {value} kg/m3 is more than that of osmium"), None);
        }
        _ => {}
    }
}
