//! The JSON schema of scene files, for editors.

use crate::keys::{Field, Kind, Limits, REQUIRED, SECTIONS, Section};
use crate::materials::MATERIALS;
use crate::units::Quantity;
use crate::units::quantity::QUANTITIES;
use serde_json::{Map, Value, json};

/// The JSON schema (draft 2020-12) of scene files, as text.
pub fn schema() -> String {
    let mut definitions = Map::new();
    for section in SECTIONS {
        definitions.insert(section.name.into(), section_schema(section));
    }
    for quantity in QUANTITIES {
        definitions.insert(quantity_key(quantity), quantity_schema(quantity));
    }
    let root = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Kreisel scene",
        "$ref": "#/$defs/scene",
        "$defs": definitions,
    });
    format!("{root:#}")
}

fn section_schema(section: &Section) -> Value {
    let properties: Map<String, Value> = section.fields.iter().map(|f| (f.name.into(), field_schema(f))).collect();
    let required: Vec<&str> = section.fields.iter().filter(|f| f.default == REQUIRED).map(|f| f.name).collect();
    json!({
        "type": "object",
        "description": section.doc,
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn field_schema(field: &Field) -> Value {
    let mut schema = kind_schema(&field.kind);
    if let Value::Object(map) = &mut schema {
        let default = if field.default == REQUIRED { String::new() } else { format!(" Default: {}.", field.default) };
        map.insert("description".into(), json!(format!("{}{default} Example: {}", field.doc, field.example)));
    }
    schema
}

fn kind_schema(kind: &Kind) -> Value {
    match kind {
        Kind::Text | Kind::BodyName => json!({ "type": "string" }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Count(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Kind::Number(quantity, limits) => number_schema(quantity, *limits),
        Kind::Vector(quantity, limits) => {
            json!({ "type": "array", "items": number_schema(quantity, *limits), "minItems": 3, "maxItems": 3 })
        }
        Kind::Direction => json!({ "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3 }),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Region => json!({ "anyOf": [{ "type": "string" }, reference("region")] }),
        Kind::Material => {
            let names: Vec<&str> = MATERIALS.iter().map(|m| m.name).collect();
            json!({ "anyOf": [{ "type": "string", "examples": names }, reference("material")] })
        }
        Kind::Solid => reference("solid"),
        Kind::Table(section) => reference(section.name),
        Kind::Map(kind) => json!({ "type": "object", "additionalProperties": kind_schema(kind) }),
        Kind::List(kind) => json!({ "type": "array", "items": kind_schema(kind) }),
        Kind::Tuple(kinds) => {
            let items: Vec<Value> = kinds.iter().map(kind_schema).collect();
            json!({ "type": "array", "prefixItems": items, "items": false, "minItems": kinds.len() })
        }
        Kind::OneOf(kinds) => json!({ "anyOf": kinds.iter().map(kind_schema).collect::<Vec<_>>() }),
    }
}

/// A number in SI within its limits, or a text with a unit.
fn number_schema(quantity: &Quantity, limits: Limits) -> Value {
    let limited = match limits {
        Limits::Any | Limits::Unbounded => return reference(&quantity_key(quantity)),
        Limits::Positive => json!({ "exclusiveMinimum": 0 }),
        Limits::NotNegative => json!({ "minimum": 0 }),
        Limits::Within(least, most) => json!({ "minimum": least, "maximum": most }),
    };
    json!({ "allOf": [reference(&quantity_key(quantity)), limited] })
}

fn quantity_schema(quantity: &Quantity) -> Value {
    json!({
        "description": format!("{} {}: a number in {}, or a text with a unit", quantity.article, quantity.name, quantity.unit),
        "type": ["number", "string"],
        "pattern": "^\\s*[-+−]?[0-9._]+([eE][-+]?[0-9]+)?\\s*[^0-9]*",
        "examples": [quantity.example],
    })
}

fn quantity_key(quantity: &Quantity) -> String {
    quantity.name.replace(' ', "_")
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}
