//! Where things touch: candidate pairs and gaps.
