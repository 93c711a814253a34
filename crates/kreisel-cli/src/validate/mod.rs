//! The known answers that `kreisel validate` compares with.

/// Runs the named cases (all if none is named), prints how they did, and returns the exit code.
pub fn run(_cases: &[String], _quick: bool, json: bool) -> i32 {
    crate::console::print(if json { "[]" } else { "there are no cases" });
    0
}
