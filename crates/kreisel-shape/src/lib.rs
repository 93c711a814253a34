//! Bodies by signed distance, and the triangles around them.
