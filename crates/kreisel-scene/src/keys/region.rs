//! Keys of regions.

use super::Kind::{BodyName, Count, Direction, List, Number, Region, Table, Tuple, Vector};
use super::Limits::{Any, Positive, Unbounded};
use super::{REQUIRED, Section, field};
use crate::units::quantity::LENGTH;

/// A region.
pub static REGION: Section = Section {
    name: "region",
    title: "region",
    doc: "A set of elements, by where they are at the start (world coordinates) or by the body they belong to. Several keys \
          in one table mean elements that satisfy all of them. Boundaries belong to the region.",
    fields: &[
        field("x", Table(&AXIS), "anywhere", "Bounds of x.", "where = { x = { above = 0 } }"),
        field("y", Table(&AXIS), "anywhere", "Bounds of y.", "where = { y = { between = [-1, 1] } }"),
        field("z", Table(&AXIS), "anywhere", "Bounds of z.", "where = { z = { below = \"10 cm\" } }"),
        field(
            "box",
            Table(&REGION_BOX),
            "none",
            "Inside an axis-parallel box.",
            "where = { box = { min = [0, 0, 0], max = [1, 1, 1] } }",
        ),
        field(
            "sphere",
            Table(&REGION_SPHERE),
            "none",
            "Inside a ball.",
            "where = { sphere = { centre = [0, 0, 1], radius = \"20 cm\" } }",
        ),
        field(
            "half_space",
            Table(&REGION_HALF_SPACE),
            "none",
            "On one side of a plane.",
            "where = { half_space = { normal = [1, 0, 1], offset = 0 } }",
        ),
        field("body", BodyName, "any body", "Of the body with this name.", "where = { body = \"beam\" }"),
        field(
            "element",
            Count(0, u32::MAX),
            "none",
            "The element with this number within its body, from 0.",
            "where = { body = \"chain\", element = 0 }",
        ),
        field(
            "any",
            List(&Region),
            "none",
            "In at least one of the regions.",
            "where = { any = [{ x = { below = 0 } }, { x = { above = 1 } }] }",
        ),
        field(
            "all",
            List(&Region),
            "none",
            "In every one of the regions.",
            "where = { all = [\"beam\", { x = { above = 1 } }] }",
        ),
        field("not", Region, "none", "Not in the region.", "where = { not = { body = \"beam\" } }"),
    ],
};

/// Bounds along an axis.
pub static AXIS: Section = Section {
    name: "bounds",
    title: "x, y or z of a region",
    doc: "Bounds along an axis.",
    fields: &[
        field("above", Number(&LENGTH, Any), "−∞", "At least this.", "x = { above = 0 }"),
        field("below", Number(&LENGTH, Any), "∞", "At most this.", "x = { below = \"1 m\" }"),
        field(
            "between",
            Tuple(&[Number(&LENGTH, Any), Number(&LENGTH, Any)]),
            "none",
            "From the first to the second.",
            "x = { between = [0, \"1 m\"] }",
        ),
    ],
};

/// A box.
pub static REGION_BOX: Section = Section {
    name: "region_box",
    title: "region.box",
    doc: "An axis-parallel box; bounds may be infinite.",
    fields: &[
        field("min", Vector(&LENGTH, Unbounded), REQUIRED, "Lower corner.", "min = [0, 0, -inf]"),
        field("max", Vector(&LENGTH, Unbounded), REQUIRED, "Upper corner.", "max = [1, 1, inf]"),
    ],
};

/// A ball.
pub static REGION_SPHERE: Section = Section {
    name: "region_sphere",
    title: "region.sphere",
    doc: "A ball.",
    fields: &[
        field("centre", Vector(&LENGTH, Any), REQUIRED, "Its centre.", "centre = [0, 0, 1]"),
        field("radius", Number(&LENGTH, Positive), REQUIRED, "Its radius.", "radius = \"20 cm\""),
    ],
};

/// A half-space.
pub static REGION_HALF_SPACE: Section = Section {
    name: "half_space",
    title: "region.half_space",
    doc: "The points x with normal · x ≥ offset, for the normal made a unit vector.",
    fields: &[
        field("normal", Direction, REQUIRED, "Points into the region.", "normal = [1, 0, 1]"),
        field(
            "offset",
            Number(&LENGTH, Any),
            "0",
            "Distance of the plane from the origin along the normal.",
            "offset = \"10 cm\"",
        ),
    ],
};
