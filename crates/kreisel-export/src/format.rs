//! The formats, by name.

/// What a recording can be exported to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A `.vtu` per frame and a `.pvd` that lists them with their times, for ParaView and VTK.
    Vtu,
    /// glTF 2.0 as JSON with the numbers inside.
    Gltf,
    /// glTF 2.0 as one binary file.
    Glb,
    /// Universal Scene Description as text.
    Usd,
    /// Wavefront OBJ of one frame.
    Obj,
    /// Binary STL of one frame.
    Stl,
    /// Tables of comma-separated values.
    Csv,
    /// The same tables as Apache Parquet.
    Parquet,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 8] =
        [Self::Vtu, Self::Gltf, Self::Glb, Self::Usd, Self::Obj, Self::Stl, Self::Csv, Self::Parquet];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vtu => "vtu",
            Self::Gltf => "gltf",
            Self::Glb => "glb",
            Self::Usd => "usd",
            Self::Obj => "obj",
            Self::Stl => "stl",
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }

    /// The format of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|f| f.name() == name)
    }

    /// The ending of its file; `None`: it takes a directory.
    pub fn extension(self) -> Option<&'static str> {
        match self {
            Self::Vtu | Self::Csv | Self::Parquet => None,
            Self::Usd => Some("usda"),
            _ => Some(self.name()),
        }
    }

    /// True if it shows one moment.
    pub fn is_still(self) -> bool {
        matches!(self, Self::Obj | Self::Stl)
    }

    /// True if it shows shapes, and so needs the model.
    pub fn has_shapes(self) -> bool {
        !matches!(self, Self::Csv | Self::Parquet)
    }
}
