//! `kreisel render`: pictures and films.

use crate::arguments::{ColourWord, RenderArguments, ShowWord};
use crate::console::{self, short};
use crate::failure::Failure;
use crate::interrupt;
use crate::recording_source;
use crate::run::use_threads;
use kreisel::model::setup::{Colour, Show};
use kreisel_record::Recording;
use kreisel_render::{Film, GifFile, Look, Picture, RenderError, Stage};
use std::path::{Path, PathBuf};

/// Frames per second of a film; GIF counts in hundredths of a second.
const FPS: f64 = 25.0;
/// The largest side of a picture [pixels].
const LARGEST: usize = 16_384;

/// What is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Png,
    Gif,
    Mp4,
    Directory,
}

/// Draws a recording and returns the exit code.
pub fn render(arguments: &RenderArguments) -> Result<i32, Failure> {
    use_threads(arguments.threads)?;
    let out = arguments.out.clone().unwrap_or_else(|| default_file(&arguments.source));
    let form = form_of(&out)?;
    let look = look(arguments)?;
    let times = Times::read(arguments)?;
    Film::check(form == Form::Mp4)?;
    prepare_place(&out, form)?;
    let mut source = recording_source::open(&arguments.source, &arguments.overrides, arguments.quiet)?;
    let stage = Stage::new(&mut source.recording, look)?;
    let mut job = Job { stage, recording: &mut source.recording, out: &out, quiet: arguments.quiet };
    let said = match form {
        Form::Png => job.picture(times.moment)?,
        _ => job.film(form, &times)?,
    };
    if !arguments.quiet {
        console::print(&said);
    }
    Ok(source.code)
}

/// `NAME.png`, for a path the name of the file or directory.
fn default_file(source: &str) -> PathBuf {
    let path = Path::new(source);
    let stem = path.file_stem().filter(|s| *s != "recording").or(path.parent().and_then(Path::file_name));
    Path::new(stem.unwrap_or("picture".as_ref())).with_extension("png")
}

fn form_of(out: &Path) -> Result<Form, Failure> {
    let extension = out.extension().and_then(|e| e.to_str()).map(str::to_lowercase);
    match extension.as_deref() {
        Some("png") => Ok(Form::Png),
        Some("gif") => Ok(Form::Gif),
        Some("mp4") => Ok(Form::Mp4),
        None => Ok(Form::Directory),
        Some(_) if out.is_dir() => Ok(Form::Directory),
        Some(other) => Err(Failure::input(
            format!("pictures cannot be written as .{other}"),
            "give a file that ends with .png, .gif or .mp4, or a directory for one PNG per frame",
        )),
    }
}

/// Finds out before the scene is run whether the result can be written.
fn prepare_place(out: &Path, form: Form) -> Result<(), Failure> {
    let directory = if form == Form::Directory { Some(out) } else { out.parent() };
    if let Some(directory) = directory.filter(|d| !d.as_os_str().is_empty()) {
        let made = std::fs::create_dir_all(directory);
        made.map_err(|e| Failure::input(format!("{}: {e}", directory.display()), "choose another place with --out"))?;
    }
    if form == Form::Directory {
        return Ok(());
    }
    let is_new = !out.exists();
    let writable = std::fs::File::options().write(true).create(true).truncate(false).open(out);
    let shown = out.display();
    writable.map_err(|e| Failure::input(format!("{shown}: {e}"), "choose another place with --out"))?;
    if is_new {
        // Nothing stays behind if there is nothing to draw.
        let _ = std::fs::remove_file(out);
    }
    Ok(())
}

fn look(arguments: &RenderArguments) -> Result<Look, Failure> {
    let show = |word| match word {
        ShowWord::Skins => Show::Skins,
        ShowWord::Elements => Show::Elements,
        ShowWord::Connections => Show::Connections,
    };
    let colour = |word| match word {
        ColourWord::Body => Colour::Body,
        ColourWord::Rigid => Colour::Rigid,
        ColourWord::Speed => Colour::Speed,
        ColourWord::Stress => Colour::Stress,
    };
    Ok(Look {
        size: size(&arguments.size)?,
        camera: arguments.camera.as_deref().map_or(Ok(Default::default()), str::parse)?,
        show: arguments.show.map(show),
        colour: arguments.colour.map(colour),
        forces: arguments.forces,
        captions: !arguments.no_captions,
    })
}

/// `640x480`.
fn size(text: &str) -> Result<(usize, usize), Failure> {
    let sides = text.split_once(['x', '×', 'X']).map(|(w, h)| (w.trim().parse(), h.trim().parse()));
    match sides {
        Some((Ok(w), Ok(h))) if (16..=LARGEST).contains(&w) && (16..=LARGEST).contains(&h) => Ok((w, h)),
        _ => Err(Failure::input(
            format!("`{text}` is not a size of a picture"),
            &format!("write width and height in pixels, from 16 to {LARGEST}, such as 640x480"),
        )),
    }
}

/// Which moments are shown.
#[derive(Debug)]
struct Times {
    moment: Option<f64>,
    from: f64,
    to: f64,
    fps: f64,
    speed: f64,
}

impl Times {
    fn read(arguments: &RenderArguments) -> Result<Self, Failure> {
        let time = |text: &Option<String>| text.as_deref().map(seconds).transpose();
        let (from, to) = (time(&arguments.from)?.unwrap_or(0.0), time(&arguments.to)?.unwrap_or(f64::INFINITY));
        if from > to {
            return Err(Failure::input("the film would end before it begins", "--from must not be later than --to"));
        }
        let positive = |name: &str, value: f64| match value.is_finite() && value > 0.0 {
            true => Ok(value),
            false => Err(Failure::input(format!("--{name} {value} is not a positive number"), "give another one")),
        };
        let fps = positive("fps", arguments.fps.unwrap_or(FPS))?.min(1000.0);
        Ok(Self { moment: time(&arguments.time)?, from, to, fps, speed: positive("speed", arguments.speed)? })
    }

    /// The recorded frame for each picture of a film.
    fn frames(&self, recording: &Recording) -> Vec<usize> {
        let last = recording.len().saturating_sub(1);
        let time = |i: usize| recording.time(i).unwrap_or(0.0);
        let (from, to) = (self.from.max(time(0)), self.to.min(time(last)));
        let step = self.speed / self.fps;
        let count = ((to - from).max(0.0) / step + 1e-6).floor() as usize + 1;
        // The frame that is nearest, not the last before.
        let half = 0.5 * recording.header().frame_interval;
        (0..count).map(|k| recording.frame_at(from + k as f64 * step + half.max(0.0))).collect()
    }
}

/// A time such as `0.5`, `0.5 s` or `20 ms` [s].
pub fn seconds(text: &str) -> Result<f64, Failure> {
    let text = text.trim();
    let (digits, factor) = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(rest), _) => (rest, 1e-3),
        (None, Some(rest)) => (rest, 1.0),
        _ => (text, 1.0),
    };
    match digits.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value * factor),
        _ => {
            Err(Failure::input(format!("`{text}` is not a time"), "write seconds, such as 0.5, \"0.5 s\" or \"20 ms\""))
        }
    }
}

/// Pictures of a recording on their way to a file.
struct Job<'a> {
    stage: Stage,
    recording: &'a mut Recording,
    out: &'a Path,
    quiet: bool,
}

impl Job<'_> {
    fn draw(&mut self, frame: usize) -> Result<Picture, RenderError> {
        Ok(self.stage.picture(&self.recording.frame(frame)?))
    }

    /// One moment; by default the last.
    fn picture(&mut self, moment: Option<f64>) -> Result<String, Failure> {
        let half = 0.5 * self.recording.header().frame_interval;
        let frame = moment.map_or(self.recording.len() - 1, |t| self.recording.frame_at(t + half.max(0.0)));
        self.draw(frame)?.write_png(self.out)?;
        let time = self.recording.time(frame).unwrap_or(0.0);
        Ok(format!("{} is written: t = {} s", self.out.display(), short(time)))
    }

    fn film(&mut self, form: Form, times: &Times) -> Result<String, Failure> {
        let frames = times.frames(self.recording);
        let size = frames.first().map(|&f| self.draw(f)).transpose()?.map_or((0, 0), |p| (p.width, p.height));
        match form {
            Form::Gif => self.gif(&frames, times.fps)?,
            Form::Mp4 => {
                let mut film = Film::create(self.out, size, times.fps)?;
                self.each(&frames, |_, picture| film.add(picture))?;
                film.finish()?;
            }
            Form::Png | Form::Directory => {
                let out = self.out.to_path_buf();
                self.each(&frames, |k, picture| picture.write_png(&out.join(format!("{:05}.png", k + 1))))?;
            }
        }
        let bytes = std::fs::metadata(self.out).ok().filter(|m| m.is_file()).map(|m| m.len());
        let bytes = bytes.map_or(String::new(), |n| format!(", {}", console::bytes(n)));
        Ok(format!("{} is written: {} pictures{bytes}", self.out.display(), frames.len()))
    }

    /// The colours of a GIF are chosen from some of its pictures first.
    fn gif(&mut self, frames: &[usize], fps: f64) -> Result<(), Failure> {
        let some = frames.iter().step_by(frames.len().div_ceil(10).max(1)).copied().collect::<Vec<_>>();
        let samples: Vec<Picture> = some.into_iter().map(|f| self.draw(f)).collect::<Result<_, _>>()?;
        let mut gif = GifFile::create(self.out, &samples, fps)?;
        self.each(frames, |_, picture| gif.add(picture))?;
        Ok(gif.finish()?)
    }

    /// Draws all pictures in order; one that shows the same frame again is not drawn again.
    fn each(
        &mut self,
        frames: &[usize],
        mut take: impl FnMut(usize, &Picture) -> Result<(), RenderError>,
    ) -> Result<(), Failure> {
        let mut last: Option<(usize, Picture)> = None;
        for (k, &frame) in frames.iter().enumerate() {
            if interrupt::is_asked() {
                let text = format!("interrupted after {k} of {} pictures", frames.len());
                return Err(Failure { code: crate::failure::INTERRUPTED, text });
            }
            let picture = match last.take() {
                Some((known, picture)) if known == frame => picture,
                _ => self.draw(frame)?,
            };
            take(k, &picture)?;
            last = Some((frame, picture));
            self.say(k + 1, frames.len());
        }
        Ok(())
    }

    fn say(&self, done: usize, all: usize) {
        if !self.quiet && (done * 10 / all) > ((done - 1) * 10 / all) {
            console::complain(&format!("{:3} %  {done} of {all} pictures", done * 100 / all));
        }
    }
}
