//! `kreisel export`: a recording in a format that other programs open.

use crate::arguments::ExportArguments;
use crate::console;
use crate::failure::Failure;
use crate::recording_source::file_of;
use kreisel_export::{ExportError, Format, Options, default_path, export};
use kreisel_record::{RECORDING, Recording};
use std::path::Path;

/// Exports a recording and returns the exit code.
pub fn run(arguments: &ExportArguments) -> Result<i32, Failure> {
    let source = file_of(&arguments.recording)?;
    if arguments.to == "html" {
        return page(arguments, &source);
    }
    let mut recording = Recording::open(&source)?;
    let options = options(arguments)?;
    let beside = source.parent().unwrap_or(Path::new("."));
    let path = arguments.out.clone().unwrap_or_else(|| default_path(&recording, beside, options.format));
    if options.format.extension().is_none() && path.join(RECORDING).exists() {
        let help = "give a directory of its own with --out, such as the default";
        return Err(Failure::input(format!("{} is the directory of a run", path.display()), help));
    }
    let exported = export(&mut recording, &options, &path)?;
    exported.notes.iter().for_each(|note| console::complain(&format!("note: {note}")));
    let frames = if exported.frames == 1 { "1 frame".into() } else { format!("{} frames", exported.frames) };
    console::print(&format!("{}: {frames}", exported.path.display()));
    Ok(0)
}

/// One file with viewer and recording.
fn page(arguments: &ExportArguments, source: &Path) -> Result<i32, Failure> {
    if arguments.time.is_some() || arguments.body.is_some() {
        return Err(Failure::input("html shows all bodies at all times", "leave out --time and --body"));
    }
    if let Some(fps) = arguments.fps.filter(|fps| !(fps.is_finite() && *fps > 0.0)) {
        return Err(ExportError::Rate(fps).into());
    }
    let recording = Recording::open(source)?;
    let name = Path::new(&recording.header().scene).file_stem().unwrap_or("recording".as_ref()).to_os_string();
    let beside = source.parent().unwrap_or(Path::new("."));
    let path = arguments.out.clone().unwrap_or_else(|| beside.join(name).with_extension("html"));
    let frames = kreisel_view::export_html(source, &path, arguments.fps)
        .map_err(|reason| Failure::input(reason, "see that the recording is whole and that there is room left"))?;
    console::print(&format!("{}: {frames} frames", path.display()));
    Ok(0)
}

fn options(arguments: &ExportArguments) -> Result<Options, Failure> {
    let format = Format::from_name(&arguments.to)
        .ok_or_else(|| Failure::input(format!("there is no format {}", arguments.to), "see `kreisel export --help`"))?;
    if arguments.time.is_some() && !format.is_still() {
        return Err(Failure::input(
            format!("--time is for obj and stl; {} has all times", format.name()),
            "leave it out",
        ));
    }
    if arguments.fps.is_some() && format.is_still() {
        return Err(Failure::input(
            format!("--fps is not for {}, which shows one moment", format.name()),
            "give --time",
        ));
    }
    if arguments.body.is_some() && !format.has_shapes() {
        return Err(Failure::input(
            format!("--body is not for {}, which is of all bodies", format.name()),
            "leave it out",
        ));
    }
    Ok(Options { format, fps: arguments.fps, time: arguments.time, body: arguments.body.clone() })
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        let help = match &error {
            ExportError::Recording(_) => return Self::input(error.to_string(), "see that the recording is whole"),
            ExportError::NoFrames => "the run ended before its first frame; run it again with `kreisel run`",
            ExportError::NoModel => "run the scene again with `kreisel run`, or export csv or parquet",
            ExportError::NoBody { .. } => "give one of these with --body, or leave it out for all",
            ExportError::NoSuchTime { .. } => "give a time within it, or leave out --time for the last frame",
            ExportError::Rate(_) => "give --fps 25, or leave it out for all frames",
            ExportError::File { .. } => "see that the directory exists, may be written to and has room left",
            ExportError::Foreign { .. } => "give another place with --out, or remove it yourself",
            ExportError::TooLarge { .. } => "give a lower --fps, or one body with --body",
            ExportError::Writer { .. } => "see that there is room left",
        };
        Self::input(error.to_string(), help)
    }
}
