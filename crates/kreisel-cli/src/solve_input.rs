//! Complementarity and friction problems as JSON, read with errors that say where.

use crate::failure::Failure;
use kreisel::linear::cone::FrictionProblem;
use kreisel::linear::lcp::Lcp;
use serde_json::{Map, Value};
use std::io::Read;

/// A problem to solve.
pub enum Problem {
    /// Linear complementarity.
    Lcp(Lcp),
    /// Contacts with friction.
    Friction(FrictionProblem),
}

const LCP_FORM: &str = r#"write {"kind":"lcp","m":[[2,1],[1,2]],"q":[-5,-6]}"#;
const FRICTION_FORM: &str =
    r#"write {"kind":"friction","w":{"rows":3,"i":[0,1,2],"j":[0,1,2],"v":[1,1,1]},"q":[-1,0.5,0],"mu":[0.3]}"#;

/// Reads a problem from a file, or from standard input if the name is `-`.
pub fn load(file: &str) -> Result<Problem, Failure> {
    let mut text = String::new();
    let read = match file {
        "-" => std::io::stdin().read_to_string(&mut text).map(|_| ()),
        _ => std::fs::read_to_string(file).map(|found| text = found),
    };
    read.map_err(|e| Failure::input(format!("cannot read {file}: {e}"), "give a JSON file, or - for standard input"))?;
    let value: Value = serde_json::from_str(&text)
        .map_err(|e| Failure::input(format!("{file} is not JSON: {e}"), "numbers must be finite; NaN is not JSON"))?;
    let Value::Object(object) = value else {
        return Err(Failure::input(format!("{file} holds no object"), LCP_FORM));
    };
    match object.get("kind").and_then(Value::as_str) {
        Some("lcp") => lcp(&object),
        Some("friction") => friction(&object),
        Some(other) => Err(Failure::input(format!("there is no kind `{other}`"), "the kinds are `lcp` and `friction`")),
        None => Err(Failure::input("`kind` is missing or no text", "the kinds are `lcp` and `friction`")),
    }
}

fn lcp(object: &Map<String, Value>) -> Result<Problem, Failure> {
    let q = numbers(object, "q", LCP_FORM)?;
    let rows = array(object, "m", LCP_FORM)?;
    if rows.len() != q.len() {
        let what = format!("`m` has {} rows, `q` has {} entries", rows.len(), q.len());
        return Err(Failure::input(what, LCP_FORM));
    }
    let mut m = Vec::with_capacity(q.len() * q.len());
    for (i, row) in rows.iter().enumerate() {
        let row = list(row, &format!("m[{i}]"), LCP_FORM)?;
        if row.len() != q.len() {
            let what = format!("`m[{i}]` has {} entries; the matrix is square with {} rows", row.len(), q.len());
            return Err(Failure::input(what, LCP_FORM));
        }
        m.extend(row);
    }
    Lcp::new(m, q).map(Problem::Lcp).map_err(|e| Failure::input(e.to_string(), LCP_FORM))
}

fn friction(object: &Map<String, Value>) -> Result<Problem, Failure> {
    let (q, mu) = (numbers(object, "q", FRICTION_FORM)?, numbers(object, "mu", FRICTION_FORM)?);
    let Some(Value::Object(w)) = object.get("w") else {
        return Err(Failure::input("`w` is missing or no object", FRICTION_FORM));
    };
    let rows = w.get("rows").and_then(whole);
    if rows != Some(q.len()) {
        let rows = rows.map_or("no count".into(), |r| r.to_string());
        let what = format!("`w.rows` is {rows}, `q` has {} entries", q.len());
        return Err(Failure::input(what, FRICTION_FORM));
    }
    let (i, j) = (indices(w, "i")?, indices(w, "j")?);
    let v = numbers(w, "v", FRICTION_FORM)?;
    let problem = FrictionProblem::from_triplets(&i, &j, &v, &q, &mu);
    problem.map(Problem::Friction).map_err(|e| Failure::input(e.to_string(), FRICTION_FORM))
}

fn array<'a>(object: &'a Map<String, Value>, name: &str, form: &str) -> Result<&'a Vec<Value>, Failure> {
    let found = object.get(name).and_then(Value::as_array);
    found.ok_or_else(|| Failure::input(format!("`{name}` is missing or no list"), form))
}

fn numbers(object: &Map<String, Value>, name: &str, form: &str) -> Result<Vec<f64>, Failure> {
    let value = object.get(name).ok_or_else(|| Failure::input(format!("`{name}` is missing"), form))?;
    list(value, name, form)
}

fn list(value: &Value, name: &str, form: &str) -> Result<Vec<f64>, Failure> {
    let values = value.as_array().ok_or_else(|| Failure::input(format!("`{name}` is no list"), form))?;
    let number = |(k, v): (usize, &Value)| {
        let finite = v.as_f64().filter(|v| v.is_finite());
        finite.ok_or_else(|| Failure::input(format!("`{name}[{k}]` is no finite number: {v}"), form))
    };
    values.iter().enumerate().map(number).collect()
}

fn indices(object: &Map<String, Value>, name: &str) -> Result<Vec<usize>, Failure> {
    let index = |(k, v): (usize, &Value)| {
        whole(v).ok_or_else(|| Failure::input(format!("`w.{name}[{k}]` is no index: {v}"), FRICTION_FORM))
    };
    array(object, name, FRICTION_FORM)?.iter().enumerate().map(index).collect()
}

/// A whole number, however it is written: tools that know no others write 3.0 for 3.
fn whole(value: &Value) -> Option<usize> {
    let number = value.as_f64().filter(|v| v.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(v))?;
    Some(number as usize)
}
