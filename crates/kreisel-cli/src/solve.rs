//! `kreisel solve`: the complementarity solvers as a tool.

use crate::arguments::SolveArguments;
use crate::console::{self, short};
use crate::failure::Failure;
use crate::solve_input::{Problem, load};
use kreisel::linear::cone::{ConeParams, solve_cone};
use kreisel::linear::lcp::{Lcp, LcpAnswer, LcpParams, Status, TOLERANCE, solve_lcp};
use serde_json::json;

/// What is printed about an answer.
struct Answer {
    status: Status,
    /// `z` or `p`.
    name: &'static str,
    values: Vec<f64>,
    residual: f64,
    iterations: usize,
    method: &'static str,
    certificate: Vec<f64>,
    /// Why it failed, where that is known.
    reason: Option<String>,
    problem: String,
}

/// Reads a problem, solves it and prints the answer.
pub fn solve(arguments: &SolveArguments) -> Result<i32, Failure> {
    let answer = match load(&arguments.file)? {
        Problem::Lcp(problem) => {
            let found = solve_lcp(&problem, &LcpParams::default());
            Answer {
                reason: lack_of_digits(&problem, &found),
                status: found.status,
                name: "z",
                values: found.z,
                residual: found.residual,
                iterations: found.iterations,
                method: found.method,
                certificate: found.certificate,
                problem: format!("linear complementarity problem of {} rows", problem.size()),
            }
        }
        Problem::Friction(problem) => {
            let found = solve_cone(&problem, &ConeParams::default());
            Answer {
                reason: None,
                status: found.status,
                name: "p",
                values: found.p.iter().flat_map(|p| p.to_array()).collect(),
                residual: found.residual,
                iterations: found.iterations,
                method: found.method,
                certificate: found.certificate,
                problem: format!("friction problem of {} contacts", problem.contacts()),
            }
        }
    };
    console::print(&if arguments.json { object(&answer) } else { page(&answer) });
    Ok(0)
}

/// Large impulses have no digits for the tolerance. In units of mass that are larger by `k` they are smaller by `k`, and so is the residual.
fn lack_of_digits(problem: &Lcp, found: &LcpAnswer) -> Option<String> {
    let rounding = problem.rounding(&found.z);
    let lacks = found.status == Status::Failed && rounding > TOLERANCE && found.residual <= LIKE_ROUNDING * rounding;
    let units = 10_f64.powf((found.residual / TOLERANCE).log10().ceil() + 1.0);
    lacks.then(|| {
        let (left, k) = (short(rounding), short(units));
        format!("rounding alone leaves up to {left} of these impulses; take a unit of mass {k} times as large")
    })
}

/// What sums of many terms leave, in units of what rounding does to the largest.
const LIKE_ROUNDING: f64 = 8.0;

fn word(status: Status) -> &'static str {
    match status {
        Status::Solved => "solved",
        Status::NoSolution => "no-solution",
        Status::Failed => "failed",
    }
}

/// The residual belongs to the vector, also where that is only the best that was found; JSON knows no infinity.
fn object(answer: &Answer) -> String {
    let mut object = json!({
        "status": word(answer.status),
        answer.name: answer.values,
        "residual": answer.residual.abs().min(f64::MAX),
        "iterations": answer.iterations,
        "method": answer.method,
    });
    if answer.status == Status::NoSolution && !answer.certificate.is_empty() {
        object["certificate"] = json!(answer.certificate);
    }
    if let Some(reason) = &answer.reason {
        object["reason"] = json!(reason);
    }
    object.to_string()
}

fn page(answer: &Answer) -> String {
    let Answer { status, name, values, residual, iterations, method, reason, problem, .. } = answer;
    let mut page = format!("{problem}\n{:<12}{} by {method}, {iterations} iterations\n", "status", word(*status));
    page += &format!("{:<12}{}\n", "residual", short(*residual));
    if let Some(reason) = reason {
        page += &format!("{:<12}{reason}\n", "reason");
    }
    let shown: Vec<String> = values.iter().take(MOST_SHOWN).map(|v| short(*v)).collect();
    let more = if values.len() > MOST_SHOWN { " …" } else { "" };
    page + &format!("{name:<12}{}{more}\n", shown.join(" "))
}

/// Values that a summary shows; `--json` shows all.
const MOST_SHOWN: usize = 12;
