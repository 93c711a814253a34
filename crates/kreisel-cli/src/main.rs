//! The `kreisel` command.
fn main() {}
