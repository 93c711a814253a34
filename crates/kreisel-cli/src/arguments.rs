//! What can be written after `kreisel`.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Exit codes, as `--help` explains them.
const EXIT_CODES: &str =
    "Exit codes: 0 done, 1 a check failed, 2 bad input, 3 a step of the simulation failed, 130 interrupted.";

/// Kreisel: mechanics in which rigid and soft bodies are one thing.
#[derive(Debug, Parser)]
#[command(name = "kreisel", bin_name = "kreisel", version, about, after_help = EXIT_CODES)]
pub struct Arguments {
    /// What to do; nothing: show the gallery in the browser.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a scene and record it
    Run(RunArguments),
    /// Find the rest state of a scene under its loads, without any motion on the way
    Settle(SettleArguments),
    /// Go on with a run that was interrupted, bit for bit as if it had not been
    Resume(ResumeArguments),
    /// Draw a picture or a film of a scene or a recording
    Render(RenderArguments),
    /// Plot probes and energies of recordings over time
    Plot(PlotArguments),
    /// Read and build a scene, and say what is in it and what it will cost, without running it
    Check(CheckArguments),
    /// Natural frequencies and shapes of a body: how it vibrates
    Modes(ModesArguments),
    /// List the scenes that come with Kreisel, one name per line
    Scenes {
        /// With their titles
        #[arg(long)]
        long: bool,
    },
    /// Print the JSON schema of scene files, for editors
    Schema {
        /// Print the reference of scene files for people instead
        #[arg(long)]
        markdown: bool,
    },
    /// Write a commented scene to start from, or one around a mesh
    New {
        /// The scene file to write, which must not exist yet; or a mesh (OBJ, STL, PLY, glTF, GLB) to write a scene for
        file: PathBuf,
        /// The scene file to write for a mesh, by default beside it
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Write a recording in a format that other programs open
    Export(ExportArguments),
    /// Solve a complementarity or friction problem from a JSON file
    Solve(SolveArguments),
    /// Show a scene or a recording live in the browser, and reach into it
    View(ViewArguments),
    /// Compare with known answers
    Validate {
        /// Names of cases; none: all
        #[arg(value_name = "CASE")]
        cases: Vec<String>,
        /// Only what takes seconds
        #[arg(long)]
        quick: bool,
        /// Print an array of objects instead of a table
        #[arg(long)]
        json: bool,
        /// Print a page with a section per case, as it is in the book, instead of a table
        #[arg(long, conflicts_with = "json")]
        markdown: bool,
        /// Print the names of the cases and what each shows, and run none
        #[arg(long, conflicts_with_all = ["cases", "quick", "json", "markdown"])]
        list: bool,
    },
}

/// What `kreisel run` takes.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// Name of a scene (see `kreisel scenes`) or path of a scene file
    pub scene: String,
    /// Directory for the results, by default out/SCENE; an earlier run in it is replaced
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace or add a field of the scene, such as duration=2 or body.beam.cells=6; may be given several times
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub overrides: Vec<String>,
    /// How it is run and what is printed
    #[command(flatten)]
    pub manner: Manner,
}

/// What `kreisel settle` takes.
///
/// Soft and rigid bodies, contacts with friction, fixes, loads and grabs come to rest together: no freedom has more than
/// 1e-8 of the loads left on it.
#[derive(Debug, Args)]
pub struct SettleArguments {
    /// Name of a scene (see `kreisel scenes`) or path of a scene file
    pub scene: String,
    /// Directory for a recording of the rest state, from which `kreisel resume DIR` goes on without a transient
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Loads, grabs and prescribed motions are held as they are at this time, such as 2 or "500 ms" [default: 0]
    #[arg(long, value_name = "TIME")]
    pub time: Option<String>,
    /// Replace or add a field of the scene
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub overrides: Vec<String>,
    /// Number of threads, by default one per processor; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print an object instead of a table
    #[arg(long)]
    pub json: bool,
}

/// What `kreisel solve` takes.
///
/// {"kind":"lcp","m":[[...]],"q":[...]}: find z >= 0 with w = M z + q >= 0 and z.w = 0; the residual is max(-min z, -min w, max|z w|)/max(1, |q|).
///
/// {"kind":"friction","w":{"rows":n,"i":[...],"j":[...],"v":[...]},"q":[...],"mu":[...]}: find contact impulses p with u = q + W p, Signorini's and
/// Coulomb's laws; contact after contact, normal first, so that n is three times the number of contacts. Rows and columns count from 0, entries
/// that repeat are summed. The residual is the natural map relative to |q|.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct SolveArguments {
    /// The problem; `-` reads standard input
    pub file: String,
    /// Print an object (status, z or p, residual, iterations, method) instead of a summary
    #[arg(long)]
    pub json: bool,
}

/// What `kreisel resume` takes.
#[derive(Debug, Args)]
pub struct ResumeArguments {
    /// Directory of a run, or the recording in it
    #[arg(value_name = "DIR|RECORDING")]
    pub run: PathBuf,
    /// Simulated time to go on to, such as 3 or "3 s"; by default the duration that the scene says
    #[arg(long, value_name = "TIME", alias = "duration")]
    pub until: Option<String>,
    /// How it is run and what is printed
    #[command(flatten)]
    pub manner: Manner,
}

/// What `kreisel render` takes.
#[derive(Debug, Args)]
pub struct RenderArguments {
    /// A recording, the directory of a run, or a scene, which is run first
    #[arg(value_name = "SCENE|RECORDING|DIR")]
    pub source: String,
    /// FILE.png for one moment, FILE.gif or FILE.mp4 for a film, or a directory for numbered PNGs; by default NAME.png
    #[arg(long, value_name = "FILE|DIR")]
    pub out: Option<PathBuf>,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "640x480")]
    pub size: String,
    /// Pictures per second of a film [default: 25]
    #[arg(long, value_name = "N")]
    pub fps: Option<f64>,
    /// How fast a film goes: 0.5 is slow motion
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    pub speed: f64,
    /// front, back, side, left, top, iso, or "eye=x,y,z target=x,y,z fov=degrees"; by default what the scene says
    #[arg(long)]
    pub camera: Option<String>,
    /// What is drawn of bodies; by default what the scene says
    #[arg(long, value_enum)]
    pub show: Option<ShowWord>,
    /// What colours mean; by default what the scene says
    #[arg(long, value_enum, alias = "color")]
    pub colour: Option<ColourWord>,
    /// Contact forces as arrows from where they act, each on one of the two that touch; the largest is an eighth of the
    /// picture high
    #[arg(long)]
    pub forces: bool,
    /// The moment of a PNG, such as 0.5 or "20 ms"; by default the last
    #[arg(long, value_name = "TIME")]
    pub time: Option<String>,
    /// Where a film begins
    #[arg(long, value_name = "TIME")]
    pub from: Option<String>,
    /// Where a film ends
    #[arg(long, value_name = "TIME")]
    pub to: Option<String>,
    /// Replace or add a field of the scene
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub overrides: Vec<String>,
    /// No title, time and legend
    #[arg(long)]
    pub no_captions: bool,
    /// Number of threads, by default one per processor; the picture does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print nothing
    #[arg(long, short)]
    pub quiet: bool,
}

/// What `kreisel plot` takes.
#[derive(Debug, Args)]
pub struct PlotArguments {
    /// Recordings, or directories of runs; several are drawn over each other
    #[arg(value_name = "RECORDING|DIR", required = true)]
    pub recordings: Vec<String>,
    /// FILE.svg or FILE.png; by default plot.svg
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// A probe, or one of its columns such as tip.z; may be given several times; by default all
    #[arg(long = "probe", value_name = "NAME", num_args = 1..)]
    pub probes: Vec<String>,
    /// Energies, works, losses and the residual of the numerics
    #[arg(long)]
    pub ledger: bool,
    /// Print nothing
    #[arg(long, short)]
    pub quiet: bool,
}

/// What is drawn of bodies.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ShowWord {
    /// Surfaces where there are any, else elements
    Skins,
    /// Elements as balls
    Elements,
    /// Connections, and elements as small balls
    Connections,
}

/// What colours mean.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ColourWord {
    /// Each body its own
    Body,
    /// Rigid and soft parts
    Rigid,
    /// Speed
    Speed,
    /// Von Mises stress
    Stress,
}

/// What `kreisel check` takes.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// Name of a scene or path of a scene file
    pub scene: String,
    /// Replace or add a field of the scene
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub overrides: Vec<String>,
}

/// What `kreisel modes` takes.
///
/// Small vibrations about the body's first configuration, with what it is joined to and what holds it; contacts, grabs and
/// pressures are left out.
#[derive(Debug, Args)]
pub struct ModesArguments {
    /// A scene with one body, SCENE:BODY, or a mesh (OBJ, STL, PLY, glTF, GLB), which floats and is made of rubber unless
    /// told otherwise
    #[arg(value_name = "BODY")]
    pub body: String,
    /// Which body of the scene
    #[arg(long = "body", value_name = "NAME")]
    pub named: Option<String>,
    /// How many vibrations; the rigid motions of a body that nothing holds come on top, with frequency 0
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub count: usize,
    /// Material of the body, such as steel
    #[arg(long, value_name = "NAME")]
    pub material: Option<String>,
    /// Young's modulus, such as 2e6 or "210 GPa"
    #[arg(long, value_name = "PRESSURE")]
    pub young: Option<String>,
    /// Poisson's ratio
    #[arg(long, value_name = "RATIO", allow_negative_numbers = true)]
    pub poisson: Option<f64>,
    /// Density, such as 1000 or "7850 kg/m3"
    #[arg(long, value_name = "DENSITY")]
    pub density: Option<String>,
    /// Cells across the shortest side
    #[arg(long, value_name = "N")]
    pub cells: Option<u32>,
    /// Replace or add a field of the scene
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub overrides: Vec<String>,
    /// Directory for a recording in which the vibrations swing one after the other, for `render` and `export`
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print an object with the modes instead of a table
    #[arg(long)]
    pub json: bool,
    /// Number of threads, by default one per processor; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// What `kreisel view` takes.
#[derive(Debug, Default, Args)]
pub struct ViewArguments {
    /// A scene by name or path, a recording, or the directory of a run; nothing: the gallery of all scenes
    #[arg(value_name = "SCENE|RECORDING|DIR")]
    pub source: Option<String>,
    /// Port to listen on; by default one that is free
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// Do not open the browser; the first line that is printed is the address
    #[arg(long)]
    pub no_open: bool,
    /// For a headset or phone on the local network: encrypted with a certificate of its own, and only for those who have
    /// the printed link, which is also shown as a QR code
    #[arg(long)]
    pub lan: bool,
    /// Memory for the way back, by default 256 MB; when it is full, every second moment is kept and others are computed again
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub history: Option<u32>,
    /// Of a recording that was made in the viewer: run its scene again, with everything that was done
    #[arg(long)]
    pub replay: bool,
    /// Number of threads, by default one per processor; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// What `kreisel export` takes.
#[derive(Debug, Args)]
pub struct ExportArguments {
    /// A recording, or the directory of a run; what a crash tore off its end is left out
    #[arg(value_name = "RECORDING|DIR")]
    pub recording: PathBuf,
    /// Format: vtu (ParaView), gltf or glb, usd (Blender), obj or stl (one frame), csv or parquet (tables),
    /// html (one file with viewer and recording)
    #[arg(long, value_name = "FORMAT", value_parser = clap::builder::PossibleValuesParser::new(
        kreisel_export::Format::ALL.map(kreisel_export::Format::name).into_iter().chain(["html"])))]
    pub to: String,
    /// Frames per second: takes the recorded frames nearest to this rate and invents none; by default all
    #[arg(long, value_name = "N")]
    pub fps: Option<f64>,
    /// File to write, or directory for vtu, csv and parquet; by default beside the recording
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// For obj and stl, which moment [s]: the nearest frame; by default the last
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Only this body
    #[arg(long, value_name = "NAME")]
    pub body: Option<String>,
}

/// How a scene is run and what is printed.
#[derive(Debug, Args)]
pub struct Manner {
    /// Number of threads, by default one per processor; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print the summary as JSON, and nothing else on standard output
    #[arg(long)]
    pub json: bool,
    /// No progress and no table
    #[arg(long, short)]
    pub quiet: bool,
}
