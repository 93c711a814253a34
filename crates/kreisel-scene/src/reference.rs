//! The reference of scene files for the book: every key, written from the tables that the reader uses.

use crate::keys::{Field, Kind, Limits, REQUIRED, SECTIONS, Section};
use crate::materials::MATERIALS;
use std::fmt::Write;

/// The reference of scene files in Markdown.
pub fn reference_markdown() -> String {
    let mut page = String::from(
        "# Scene files\n\nA scene is a TOML file. Numbers are SI; a text may carry a unit, such as `\"2 cm\"`, `\"210 GPa\"`, \
         `\"30 deg\"`, `\"7850 kg/m3\"` or `\"60 rpm\"`. Unknown keys are refused.\n",
    );
    for section in SECTIONS {
        add_section(&mut page, section);
    }
    add_materials(&mut page);
    page
}

fn add_section(page: &mut String, section: &Section) {
    let _ = write!(page, "\n## `{}`\n\n{}\n\n", section.title, section.doc);
    page.push_str("| key | value | default | meaning | example |\n|---|---|---|---|---|\n");
    for field in section.fields {
        let default = if field.default == REQUIRED { "**required**" } else { field.default };
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} | `{}` |",
            field.name,
            cell(&value_of(field)),
            cell(default),
            cell(field.doc),
            cell(field.example)
        );
    }
}

/// A text that cannot end its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn value_of(field: &Field) -> String {
    short(&field.kind)
}

/// What may be written, in few words.
fn short(kind: &Kind) -> String {
    match kind {
        Kind::Text => "text".into(),
        Kind::Flag => "`true` or `false`".into(),
        Kind::Count(least, most) if *most == u32::MAX => format!("whole number from {least}"),
        Kind::Count(least, most) => format!("whole number, {least} to {most}"),
        Kind::Number(q, limits) => format!("{}{}{}", q.name, unit_of(q.unit), limits_of(*limits)),
        Kind::Vector(q, limits) => format!("three of {}{}{}", q.name, unit_of(q.unit), limits_of(*limits)),
        Kind::Direction => "direction: three numbers".into(),
        Kind::Word(words) => words.iter().map(|w| format!("`\"{w}\"`")).collect::<Vec<_>>().join(" or "),
        Kind::BodyName => "name of a body".into(),
        Kind::Region => "[region](#region)".into(),
        Kind::Material => "[material](#materialname)".into(),
        Kind::Solid => "[solid](#solid)".into(),
        Kind::Table(section) => format!("table [`{}`](#{})", section.title, anchor(section.title)),
        Kind::Map(kind) => format!("names, each with {}", short(kind)),
        Kind::List(kind) => format!("list of {}", short(kind)),
        Kind::Tuple(kinds) => format!("[{}]", kinds.iter().map(short).collect::<Vec<_>>().join(", ")),
        Kind::OneOf(kinds) => kinds.iter().map(short).collect::<Vec<_>>().join(", or "),
    }
}

/// The anchor that a heading gets.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

fn unit_of(unit: &str) -> String {
    if unit == "1" { String::new() } else { format!(" [{unit}]") }
}

fn limits_of(limits: Limits) -> String {
    match limits {
        Limits::Any => String::new(),
        Limits::Unbounded => ", `inf` too".into(),
        Limits::Positive => " > 0".into(),
        Limits::NotNegative => " ≥ 0".into(),
        Limits::Within(least, most) => format!(" from {least} to {most}"),
    }
}

fn add_materials(page: &mut String) {
    page.push_str(
        "\n## Materials by name\n\nPoisson's ratio is 1/4 for all of them unless `poisson` is written; the column gives the \
         handbook's value.\n\n| name | young [Pa] | density [kg/m3] | fracture energy [J/m2] | damping | friction | \
         restitution | poisson | source |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for m in &MATERIALS {
        let _ = writeln!(
            page,
            "| `{}` | {:e} | {} | {} | {} | {}, {} | {} | {} | {} |",
            m.name,
            m.young,
            m.density,
            m.fracture_energy,
            m.damping,
            m.friction.0,
            m.friction.1,
            m.restitution,
            m.poisson,
            m.source
        );
    }
}
