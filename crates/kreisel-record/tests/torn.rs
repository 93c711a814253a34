//! A crashed run's file opens, and no bytes whatever make the reader panic, hang or take memory without end.
#![allow(clippy::unwrap_used)]

mod common;
use common::*;
use kreisel_record::{RecordError, Recording, state_from_bytes, state_to_bytes};
use std::io::Write;
use std::path::Path;

/// Reads all there is; errors are fine.
fn read_everything(path: &Path) -> Result<usize, RecordError> {
    let mut recording = Recording::open(path)?;
    let readable = recording.frames().filter(|f| f.is_ok()).count();
    let _ = recording.last_keyframe();
    let _ = recording.keyframe_before(0.01);
    Ok(readable)
}

/// Replaces what is in a file without emptying it first, which some file systems take as a reason to wait for the disk.
fn overwrite(path: &Path, bytes: &[u8]) {
    let mut file = std::fs::File::options().create(true).truncate(false).write(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
    file.set_len(bytes.len() as u64).unwrap();
}

fn small_recording(path: &Path) -> Vec<u8> {
    record(path, 0..4, rich).finish(&rich(3)).unwrap();
    std::fs::read(path).unwrap()
}

#[test]
fn a_file_cut_anywhere_opens_with_every_frame_before_the_cut() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.kreisel");
    let whole = small_recording(&path);
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    let (mut frames_after, mut opened) = (4, 0);
    for length in (0..whole.len() as u64).rev() {
        file.set_len(length).unwrap();
        let Ok(mut recording) = Recording::open(&path) else { continue };
        opened += 1;
        assert!(recording.len() <= frames_after && recording.len() + 1 >= frames_after);
        if recording.len() < frames_after {
            frames_after = recording.len();
            assert!(recording.frames().all(|f| f.is_ok()));
        }
    }
    assert_eq!(frames_after, 0);
    assert!(opened > whole.len() / 2, "only without its header a file does not open");
}

#[test]
fn the_torn_end_is_reported_and_the_frames_before_it_are_whole() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.kreisel");
    drop(record(&path, 0..3, rich));
    assert!(!Recording::open(&path).unwrap().is_torn());
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.truncate(bytes.len() - 7);
    overwrite(&path, &bytes);
    let mut recording = Recording::open(&path).unwrap();
    assert!(recording.is_torn() && recording.torn_bytes().unwrap() > 7);
    assert_eq!(recording.len(), 2);
    assert_eq!(recording.frame(1).unwrap().probes, probes(1));
}

#[test]
fn a_tail_of_zeros_as_a_power_failure_leaves_it_is_left_out() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.kreisel");
    drop(record(&path, 0..3, rich));
    let mut bytes = std::fs::read(&path).unwrap();
    let half_a_frame = bytes.len() - 200;
    bytes[half_a_frame..].fill(0);
    bytes.extend([0; 500]);
    overwrite(&path, &bytes);
    let recording = Recording::open(&path).unwrap();
    assert_eq!((recording.len(), recording.is_torn()), (2, true));
}

#[test]
fn flipped_bits_are_noticed_or_leave_what_is_read_unharmed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.kreisel");
    let whole = small_recording(&path);
    let originals: Vec<_> = Recording::open(&path).unwrap().frames().map(|f| f.unwrap()).collect();
    let mut random = Random(20_260_101);
    for _ in 0..500 {
        let mut bytes = whole.clone();
        for _ in 0..1 + random.next() % 4 {
            let at = random.next() as usize % bytes.len();
            bytes[at] ^= 1 << (random.next() % 8);
        }
        overwrite(&path, &bytes);
        let Ok(mut recording) = Recording::open(&path) else { continue };
        for frame in recording.frames().filter_map(Result::ok) {
            let original = originals.iter().find(|o| o.time == frame.time).unwrap();
            assert_eq!(&frame, original);
        }
        let _ = recording.last_keyframe();
    }
}

/// Changes some bytes of a chunk's contents as they are before they are packed.
fn spoil(packed: &[u8], random: &mut Random) -> Vec<u8> {
    let length = u64::from_le_bytes(packed[..8].try_into().unwrap());
    let mut raw = zstd::bulk::decompress(&packed[8..], length as usize).unwrap();
    for _ in 0..1 + random.next() % 3 {
        let at = random.next() as usize % raw.len();
        raw[at] = [0, 1, 0x7f, 0x80, 0xff, random.next() as u8][random.next() as usize % 6];
    }
    if random.next().is_multiple_of(8) {
        raw.truncate(random.next() as usize % raw.len());
    }
    [&(raw.len() as u64).to_le_bytes()[..], &zstd::bulk::compress(&raw, 1).unwrap()].concat()
}

/// Checksums and compression keep random damage away from the decoders; here it is put behind them.
#[test]
fn hostile_contents_under_right_checksums_are_errors() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.kreisel");
    let whole = small_recording(&path);
    let mut random = Random(77);
    let mut readable = 0;
    for _ in 0..1000 {
        let mut bytes = whole[..12].to_vec();
        let mut at = 12;
        while at < whole.len() {
            let length = u64::from_le_bytes(whole[at + 1..at + 9].try_into().unwrap()) as usize;
            let mut contents = whole[at + 21..at + 21 + length].to_vec();
            if random.next().is_multiple_of(4) {
                contents = spoil(&contents, &mut random);
            }
            let mut head = whole[at..at + 17].to_vec();
            head[1..9].copy_from_slice(&(contents.len() as u64).to_le_bytes());
            let checksums = [crc32fast::hash(&head), crc32fast::hash(&contents)].map(u32::to_le_bytes);
            bytes.extend([&head[..], &checksums[0], &contents, &checksums[1]].concat());
            at += 21 + length + 4;
        }
        overwrite(&path, &bytes);
        readable += read_everything(&path).unwrap_or(0);
    }
    assert!(readable > 500, "the damage is to reach the decoders, not to hide everything: {readable}");
}

#[test]
fn random_bytes_are_not_a_recording() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.kreisel");
    let mut random = Random(5);
    for length in [0, 1, 11, 12, 13, 40, 1000, 100_000] {
        let mut bytes: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
        overwrite(&path, &bytes);
        assert!(Recording::open(&path).is_err());
        let preamble = b"KREISEL\0\x01\0\0\0";
        bytes.splice(..preamble.len().min(length), preamble.iter().copied());
        overwrite(&path, &bytes);
        assert!(read_everything(&path).is_err());
    }
    std::fs::write(&path, b"KREISEL\0\x07\0\0\0").unwrap();
    assert!(matches!(Recording::open(&path), Err(RecordError::Version { found: 7, .. })));
    assert!(Recording::open(directory.path()).is_err(), "a directory is not a recording either");
}

#[test]
fn damaged_state_bytes_are_errors_or_states_in_order() {
    let whole = state_to_bytes(&rich(3)).unwrap();
    for length in 0..whole.len() {
        assert!(state_from_bytes(&whole[..length]).is_err());
    }
    let mut random = Random(11);
    for _ in 0..20_000 {
        let mut bytes = whole.clone();
        let at = random.next() as usize % bytes.len();
        bytes[at] = random.next() as u8;
        let _ = state_from_bytes(&bytes);
    }
}
