//! Recordings in the formats people open.
