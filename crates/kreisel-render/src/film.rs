//! Films: pictures piped to ffmpeg, where it is installed.

use crate::error::RenderError;
use crate::picture::Picture;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A film that is being made.
#[derive(Debug)]
pub struct Film {
    encoder: Child,
    path: PathBuf,
}

impl Film {
    /// Finds out whether films can be made, if one is wanted.
    pub fn check(wanted: bool) -> Result<(), RenderError> {
        if !wanted {
            return Ok(());
        }
        let asked = Command::new("ffmpeg").arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        asked.map(|_| ()).map_err(|e| RenderError::NoEncoder(e.to_string()))
    }

    /// Begins a film of pictures of a size [pixels].
    pub fn create(path: &Path, size: (usize, usize), fps: f64) -> Result<Self, RenderError> {
        let encoder = Command::new("ffmpeg")
            .args(["-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"])
            .args(["-s", &format!("{}x{}", size.0, size.1), "-r", &fps.to_string(), "-i", "-"])
            // Players want even sides and this kind of pixels.
            .args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p"])
            .args(["-movflags", "+faststart"])
            .arg(path)
            .stdin(Stdio::piped())
            .spawn()
            .map_err(|e| RenderError::NoEncoder(e.to_string()))?;
        Ok(Self { encoder, path: path.to_path_buf() })
    }

    /// Adds a picture.
    pub fn add(&mut self, picture: &Picture) -> Result<(), RenderError> {
        match &mut self.encoder.stdin {
            Some(pipe) => pipe.write_all(&picture.bytes).map_err(RenderError::file(&self.path)),
            None => Ok(()),
        }
    }

    /// Ends the film.
    pub fn finish(mut self) -> Result<(), RenderError> {
        drop(self.encoder.stdin.take());
        let status = self.encoder.wait().map_err(RenderError::file(&self.path))?;
        if status.success() {
            Ok(())
        } else {
            Err(RenderError::file(&self.path)(format!("ffmpeg ended with {status}")))
        }
    }
}
