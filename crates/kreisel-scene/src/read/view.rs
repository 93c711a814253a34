//! How a scene wants to be looked at.

use crate::keys::VIEW;
use crate::read::node::Node;
use crate::read::region::Scope;
use kreisel::model::setup::{Colour, Show, View};

/// Camera and colours.
pub(super) fn view(node: &Node<'_>, scope: Scope<'_>) -> Option<View> {
    let default = View::default();
    let table = node.table(&VIEW)?;
    let follow = table.get("follow").and_then(|n| scope.body_name(&n));
    let view = View {
        eye: table.vector("eye"),
        target: table.vector("target"),
        field_of_view: table.number("angle").unwrap_or(default.field_of_view),
        follow,
        show: match table.word("show") {
            Some(1) => Show::Elements,
            Some(2) => Show::Connections,
            _ => Show::Skins,
        },
        colour: match table.word("colour") {
            Some(1) => Colour::Rigid,
            Some(2) => Colour::Speed,
            Some(3) => Colour::Stress,
            _ => Colour::Body,
        },
    };
    if view.eye.is_some() && view.eye == view.target {
        return table.error("`eye` and `target` are the same place: there is no direction to look in", None);
    }
    Some(view)
}
