//! Connections: `{e1, e2, k, l, t}` [JV03] with a damper, and the cells that carry the volume term.

use serde::{Deserialize, Serialize};

/// What many connections have in common; a lattice has a handful of classes, a list of connections one each.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConnectionClass {
    /// Spring constant `k` [N/m].
    pub stiffness: f64,
    /// Nominal length `l` [m].
    pub rest_length: f64,
    /// Damper `c` along the connection [N s/m].
    pub damping: f64,
    /// Fracture distance `t` [m]: it breaks when longer; infinite: never.
    pub break_length: f64,
}

/// All connections of the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Connections {
    /// The two elements, the smaller number first.
    pub ends: Vec<[u32; 2]>,
    /// Index into `classes`.
    pub class: Vec<u32>,
    /// The distinct sets of constants.
    pub classes: Vec<ConnectionClass>,
}

impl Connections {
    /// Number of connections.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The constants of connection `c`.
    pub fn constants(&self, c: usize) -> ConnectionClass {
        self.classes[self.class[c] as usize]
    }
}

/// A cell of a lattice with the volume term `U = ½ kv V₀ (J − 1)²`, for Poisson's ratios other than 1/4.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Elements at its corners; bit 0, 1, 2 of the position tells the upper side along the first, second, third axis.
    pub corners: [u32; 8],
    /// Its sides at rest [m].
    pub sides: [f64; 3],
    /// `kv = λ − μ` [Pa].
    pub modulus: f64,
}
