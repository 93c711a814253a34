//! Builds the page with npm into the build directory; without npm the program is built without its page, and says so.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn main() {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let web = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("web");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=KREISEL_NO_PAGE");
    for name in ["src", "index.html", "package.json", "package-lock.json", "vite.config.ts", "tsconfig.json"] {
        println!("cargo::rerun-if-changed={}", web.join(name).display());
    }
    let built = if std::env::var_os("KREISEL_NO_PAGE").is_some() {
        Err("KREISEL_NO_PAGE is set".to_string())
    } else {
        build(&web, &out.join("web"))
    };
    let assets = match built {
        Ok(directory) => list(&directory),
        Err(reason) => {
            println!("cargo::warning=the viewer is built without its page: {reason}");
            Vec::new()
        }
    };
    let entry = |(name, path): &(String, PathBuf)| format!("    ({name:?}, include_bytes!({path:?})),\n");
    let entries: String = assets.iter().map(entry).collect();
    let text = format!("/// The files of the page.\nstatic ASSETS: &[(&str, &[u8])] = &[\n{entries}];\n");
    if let Err(error) = std::fs::write(out.join("assets.rs"), text) {
        println!("cargo::error=cannot write the list of assets: {error}");
    }
}

/// Copies the sources, fetches what they need if that has changed, and bundles them.
fn build(web: &Path, work: &Path) -> Result<PathBuf, String> {
    let lock = std::fs::read(web.join("package-lock.json")).map_err(|e| format!("package-lock.json: {e}"))?;
    std::fs::create_dir_all(work).map_err(|e| e.to_string())?;
    let _ = std::fs::remove_dir_all(work.join("src"));
    for name in ["src", "index.html", "package.json", "package-lock.json", "vite.config.ts", "tsconfig.json"] {
        copy(&web.join(name), &work.join(name))?;
    }
    let stamp = work.join("node_modules/.kreisel-lock");
    if std::fs::read(&stamp).ok().as_deref() != Some(&lock) {
        run(work, &["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"])?;
        let _ = std::fs::write(&stamp, &lock);
    }
    run(work, &["run", "--silent", "build"])?;
    Ok(work.join("dist"))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    if from.is_dir() {
        std::fs::create_dir_all(to).map_err(|e| e.to_string())?;
        for entry in std::fs::read_dir(from).map_err(|e| e.to_string())?.flatten() {
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    std::fs::copy(from, to).map(|_| ()).map_err(|e| format!("{}: {e}", from.display()))
}

/// npm, which is a script on Windows.
fn run(directory: &Path, arguments: &[&str]) -> Result<(), String> {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let output = Command::new(npm).args(arguments).current_dir(directory).stdin(Stdio::null()).output();
    let output = output.map_err(|e| format!("npm cannot be run ({e}); on Debian: apt install npm"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let last: Vec<&str> = said.lines().filter(|l| !l.trim().is_empty()).collect();
    Err(format!(
        "npm {} failed: {}",
        arguments[0],
        last.iter().rev().take(12).rev().copied().collect::<Vec<_>>().join(" | ")
    ))
}

/// All files below a directory, with their names as addresses.
fn list(directory: &Path) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let mut waiting = vec![(String::new(), directory.to_path_buf())];
    while let Some((prefix, place)) = waiting.pop() {
        for entry in std::fs::read_dir(&place).into_iter().flatten().flatten() {
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                waiting.push((format!("{name}/"), entry.path()));
            } else {
                found.push((name, entry.path()));
            }
        }
    }
    found.sort();
    found
}
