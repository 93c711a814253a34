//! Surface meshes: read, checked, repaired and written.
