//! The schema and the reference agree with the reader.
#![allow(clippy::unwrap_used, clippy::panic)]

use kreisel_scene::keys::{Kind, REQUIRED, SECTIONS};
use kreisel_scene::{read, reference_markdown, scenes, schema, starter_scene};
use serde_json::Value;

/// What a value violates, by the part of JSON schema that ours uses.
fn violation(root: &Value, schema: &Value, value: &toml_edit::Value, path: &str) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        return violation(root, root.pointer(name.trim_start_matches('#')).unwrap(), value, path);
    }
    if let Some(options) = schema["anyOf"].as_array() {
        let found: Vec<_> = options.iter().map(|o| violation(root, o, value, path)).collect();
        return if found.iter().any(Option::is_none) { None } else { found.into_iter().next().unwrap() };
    }
    if let Some(parts) = schema["allOf"].as_array() {
        return parts.iter().find_map(|p| violation(root, p, value, path));
    }
    if let Some(words) = schema["enum"].as_array() {
        let known = words.iter().any(|w| w.as_str() == value.as_str());
        return (!known).then(|| format!("{path}: {value} is none of {words:?}"));
    }
    type_violation(schema, value, path)
        .or_else(|| array_violation(root, schema, value, path))
        .or_else(|| table_violation(root, schema, value, path))
}

fn type_violation(schema: &Value, value: &toml_edit::Value, path: &str) -> Option<String> {
    let wanted: Vec<&str> = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    };
    let is = |t: &str| match t {
        "string" => value.is_str(),
        "boolean" => value.is_bool(),
        "integer" => value.is_integer(),
        "number" => value.is_integer() || value.is_float(),
        "array" => value.is_array(),
        _ => value.is_inline_table(),
    };
    (!wanted.is_empty() && !wanted.iter().any(|t| is(t))).then(|| format!("{path}: {value} is not {wanted:?}"))
}

fn array_violation(root: &Value, schema: &Value, value: &toml_edit::Value, path: &str) -> Option<String> {
    let array = value.as_array()?;
    let least = schema["minItems"].as_u64().unwrap_or(0) as usize;
    if array.len() < least {
        return Some(format!("{path}: fewer than {least}"));
    }
    array.iter().enumerate().find_map(|(i, entry)| {
        let own = if schema["prefixItems"].is_array() { &schema["prefixItems"][i] } else { &schema["items"] };
        violation(root, own, entry, &format!("{path}[{i}]"))
    })
}

fn table_violation(root: &Value, schema: &Value, value: &toml_edit::Value, path: &str) -> Option<String> {
    let table = value.as_inline_table()?;
    let missing =
        schema["required"].as_array().into_iter().flatten().find(|k| !table.contains_key(k.as_str().unwrap()));
    if let Some(key) = missing {
        return Some(format!("{path}: {key} is missing"));
    }
    table.iter().find_map(|(key, entry)| match (&schema["properties"][key], &schema["additionalProperties"]) {
        (Value::Null, Value::Bool(false)) => Some(format!("{path}: unknown {key}")),
        (Value::Null, other) => violation(root, other, entry, &format!("{path}.{key}")),
        (own, _) => violation(root, own, entry, &format!("{path}.{key}")),
    })
}

fn as_value(text: &str) -> toml_edit::Value {
    let document: toml_edit::DocumentMut = text.parse().unwrap();
    document.as_item().clone().into_value().unwrap()
}

#[test]
fn every_embedded_scene_satisfies_the_schema_and_a_misspelt_one_does_not() {
    let root: Value = serde_json::from_str(&schema()).unwrap();
    for (name, text) in scenes().iter().map(|s| (s.name, s.text)).chain([("starter", starter_scene())]) {
        assert_eq!(violation(&root, &root, &as_value(text), name), None);
    }
    for wrong in
        ["duratoin = 1", "duration = true", "integrator = \"x\"", "[[body]]", "[[body]]\nshape = { box = [1, 1] }"]
    {
        assert!(violation(&root, &root, &as_value(wrong), "wrong").is_some(), "{wrong}");
    }
}

#[test]
fn every_key_has_a_meaning_an_example_and_a_place_in_the_reference() {
    let page = reference_markdown();
    for section in SECTIONS {
        assert!(page.contains(&format!("\n## `{}`\n", section.title)), "{}", section.title);
        for field in section.fields {
            assert!(field.doc.ends_with('.'), "{}.{} is not a sentence", section.name, field.name);
            assert!(field.example.contains(field.name), "{}.{}: {}", section.name, field.name, field.example);
            let parsed: Result<toml_edit::DocumentMut, _> = field.example.parse();
            assert!(parsed.is_ok(), "{}.{}: {}", section.name, field.name, field.example);
            assert!(page.contains(&format!("| `{}` |", field.name)));
        }
    }
}

/// Examples of a body are accepted by the reader when they stand in a body.
#[test]
fn the_examples_of_the_reference_can_be_read() {
    let exact = |name: &str, z: f64| {
        format!("[[body]]\nname = {name:?}\nshape = {{ exact = {{ box = [1, 1, 1] }} }}\nat = [5, 0, {z}]\n")
    };
    let world = "[[body]]\nname = \"beam\"\nshape = { box = [1, 1, 1] }\n[[body]]\nname = \"chain\"\nshape = { chain = { count = 20, spacing = 1, radius = 0.1 } }\nat = [0, 9, 0]\n".to_string() + &exact("crank", 1.0) + &exact("rod", 3.0);
    for section in SECTIONS.iter().filter(|s| s.title.starts_with("[[") || s.name == "scene") {
        let required: Vec<&str> = section.fields.iter().filter(|f| f.default == REQUIRED).map(|f| f.example).collect();
        for field in section.fields {
            let header = if section.name == "scene" { String::new() } else { format!("{}\n", section.title) };
            let others: String = required.iter().filter(|e| **e != field.example).map(|e| format!("{e}\n")).collect();
            let own = format!("{header}{}\n{others}{}", field.example, partners(section.name, field.name));
            let skip = matches!(field.kind, Kind::List(_)) && field.example.starts_with("[[");
            let own = if (section.name, field.name) == ("joint", "to") {
                own.replace("\"hinge\"", "\"distance\"")
            } else {
                own
            };
            let own = if section.name == "body" { own.replace("name = \"beam\"", "name = \"other\"") } else { own };
            let shape = shape_that_has(section.name, field.name);
            let is_shape = |line: &&str| line.starts_with("shape") && shape.is_some();
            let own: String =
                own.lines().map(|l| format!("{}\n", shape.filter(|_| is_shape(&l)).unwrap_or(l))).collect();
            let text = if section.name == "scene" { format!("{own}{world}") } else { format!("{world}{own}") };
            if !skip {
                read("example.toml", &text).unwrap_or_else(|e| panic!("{}.{}: {e}\n{text}", section.name, field.name));
            }
        }
    }
}

/// The shape that a key of a body belongs to, if it does not belong to all.
fn shape_that_has(section: &str, field: &str) -> Option<&'static str> {
    match (section, field) {
        ("body", "cell" | "elements") => Some("shape = { sphere = { radius = 1 } }"),
        ("body", "centre") => Some("shape = { exact = { sphere = { radius = 1 } } }"),
        _ => None,
    }
}

/// What must stand beside an example to make it complete.
fn partners(section: &str, field: &str) -> &'static str {
    match (section, field) {
        ("body", "inertia") => "rigid = true",
        ("at", "time") => "make_soft = \"beam\"",
        ("obstacle", "name" | "friction" | "restitution") => "plane = { normal = [0, 0, 1] }",
        ("fix", "name" | "axes" | "motion") => "where = \"all\"",
        ("load", "force" | "pressure") => "where = \"all\"",
        ("load", "name") => "where = \"all\"\nforce = [1, 0, 0]",
        ("load", "profile") => "force = [1, 0, 0]\nwhere = \"all\"",
        ("load", _) => "force = [1, 0, 0]",
        ("grab", "target" | "path") => "",
        ("grab", _) => "target = [0, 0, 0]",
        ("joint", "restitution") => "limits = [-1, 1]",
        ("probe", "element") => "body = \"chain\"",
        _ => "",
    }
}
