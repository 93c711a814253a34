//! Pictures of recordings without a display.
