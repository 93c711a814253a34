//! Recordings of runs: written as they go, readable after a crash, exact to resume from; and the tables beside them.
//!
//! # The file
//!
//! A recording begins with the eight bytes `KREISEL\0` and a version (u32); then come chunks. All numbers are little
//! endian.
//!
//! | chunk | bytes |
//! |---|---|
//! | kind | u8 |
//! | length of the contents | u64 |
//! | time \[s\] | f64 |
//! | checksum of these (CRC-32, IEEE) | u32 |
//! | contents | |
//! | checksum of the contents | u32 |
//!
//! A crash can tear only the last chunk; a reader notices by length or checksum, leaves it out and says how many bytes
//! it left. Chunks of a kind that a reader does not know are passed over. The contents of every chunk are the unpacked
//! length (u64) and one zstd frame, padded with zeros so that nothing unpacks to more than 256 times its length plus
//! 4096 bytes; unpacked, they are:
//!
//! | kind | | contents |
//! |---|---|---|
//! | 1 | header | [`Header`], once, first; postcard |
//! | 2 | membership | the elements of every aggregate and their coordinates in it; before a frame that changes them; postcard |
//! | 3 | broken | numbers of the connections that broke since the frame before; postcard |
//! | 4 | row | [`Row`]: time, ledger, probes, events, exact; before every frame; postcard |
//! | 8 | contacts | contact forces, only where they are given: point and force on the first side, 6 f32 each; after the row; postcard |
//! | 10 | deformation | only where aggregates are quasi-static: which of them, and a field of the displacements of their elements (2 bytes per component); after the row; postcard |
//! | 5 | frame | positions, velocities and poses, see below |
//! | 9 | journal | what a person did during the run, for whoever replays it: bytes of the viewer's own; once, after the model |
//! | 7 | model | the [`Model`](kreisel::model::Model): elements, connections and skins at rest; once, after the header; postcard |
//! | 6 | keyframe | the full [`State`](kreisel::model::State), every bit; postcard |
//!
//! [postcard](https://postcard.jamesmunns.com/wire-format) writes the fields in order, integers as variable-length
//! numbers, f64 as eight bytes, lists after their length.
//!
//! A frame is a quality (u8) and three fields of vectors: positions and velocities of all carriers (free elements by
//! number, then aggregates) and spins \[rad/s\] of the aggregates that are not lone; then the orientations. A field is
//! its x, y and z components; a component is an origin and a step (f64 each) and the integers `k` of
//! `origin + (k − bias) step` as differences from one to the next, folded (0, −1, 1, −2, … as 0, 1, 2, 3, …) and in byte
//! planes, lowest first. Positions have bias 0, velocities and spins the middle of the range.
//!
//! | quality | bytes per component of a position | of a velocity or spin |
//! |---|---|---|
//! | 0 | 3 | 2 |
//! | 1 | 3 | 1 |
//! | 2 | 2 | 1 |
//!
//! An orientation is 4 f64 for an aggregate of eight elements or more, else its three smallest components of 20 bits
//! (10 for a lone element) below the number of the one left out, in 8 (4) bytes.
//!
//! # The size
//!
//! At most 16 bytes per element and frame on average, keyframes included, besides some 300 bytes per frame that do not
//! grow with the elements. Frames that would take more than 13 are written in the next quality; keyframes come with the
//! first frame, at the end, and between at most every 30 frames, as the rest of the budget allows, at least every 240.
//! Contact forces come on top of that, 24 bytes each before they are packed: [`Simulation::contact_forces`] gives 2000 of
//! them at most. A recording of incompressible motion must have some 30 frames for its last keyframe to fit in.
//!
//! [`Simulation::contact_forces`]: kreisel::Simulation::contact_forces
//!
//! # Example
//!
//! ```
//! use kreisel::model::State;
//! use kreisel_record::{FrameInput, Header, Recorder, Recording};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let path = std::env::temp_dir().join(format!("example-{}.kreisel", std::process::id()));
//! let state = State::default();
//! let mut recorder = Recorder::create(&path, Header::default())?;
//! recorder.frame(&FrameInput::of(&state))?;
//! recorder.finish(&state)?;
//!
//! let mut recording = Recording::open(&path)?;
//! assert_eq!(recording.frame(0)?.time, 0.0);
//! assert_eq!(recording.last_keyframe()?, state);
//! # std::fs::remove_file(&path)?;
//! # Ok(())
//! # }
//! ```

mod bytes;
mod chunk;
mod contacting;
mod contacts;
mod deformation;
mod error;
mod frame;
mod hash;
mod header;
mod heap;
mod membership;
mod model_check;
mod orientation;
mod pack;
mod process;
mod quantise;
mod recorder;
mod recording;
mod row;
mod run;
mod solving;
mod state;
mod summary;
mod table;

pub use contacting::{Contacting, SolvedBy};
pub use contacts::ContactForce;
pub use error::RecordError;
pub use frame::{Frame, Pose};
pub use header::Header;
pub use heap::keep_large_lists_apart;
pub use model_check::check_model;
pub use process::{cpu_seconds, peak_bytes, peak_bytes_without_program};
pub use recorder::{FrameInput, Recorder};
pub use recording::Recording;
pub use row::Row;
pub use run::{RECORDING, RunDirectory, SUMMARY};
pub use solving::Solving;
pub use state::{state_from_bytes, state_hash, state_to_bytes};
pub use summary::Summary;
pub use table::Tables;
