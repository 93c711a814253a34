//! Runs the command and looks at what it leaves.
#![allow(dead_code, clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The command, with nothing of the environment that could colour its output.
pub fn kreisel(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kreisel"));
    command.args(arguments).stdin(Stdio::null()).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// Runs the command to its end.
pub fn output(arguments: &[&str]) -> Output {
    kreisel(arguments).output().unwrap()
}

/// Runs the command, expects an exit code, and returns what it printed: standard output and standard error.
pub fn expect(code: i32, arguments: &[&str]) -> (String, String) {
    let output = output(arguments);
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8(bytes.clone()).unwrap());
    assert_eq!(output.status.code(), Some(code), "kreisel {arguments:?}\n{out}\n{err}");
    (out, err)
}

/// Runs a scene into a directory and returns its summary.
pub fn run(scene: &str, directory: &Path, more: &[&str]) -> serde_json::Value {
    let directory = directory.to_str().unwrap();
    let arguments = [&["run", scene, "--out", directory, "--json", "--quiet"], more].concat();
    serde_json::from_str(&expect(0, &arguments).0).unwrap()
}

/// A file of a run.
pub fn read(directory: &Path, name: &str) -> String {
    std::fs::read_to_string(directory.join(name)).unwrap()
}

/// The summary that a run left.
pub fn summary(directory: &Path) -> serde_json::Value {
    serde_json::from_str(&read(directory, "summary.json")).unwrap()
}

/// Asserts that two runs left the same motion and the same tables, bit for bit.
pub fn assert_same_run(a: &Path, b: &Path) {
    let [first, second] = [a, b].map(summary);
    for key in ["state_hash", "steps", "frames", "time", "residual", "turnover"] {
        assert_eq!(first[key], second[key], "{key}");
    }
    for table in ["probes.csv", "ledger.csv", "events.csv"] {
        assert_eq!(read(a, table), read(b, table), "{table}");
    }
}
