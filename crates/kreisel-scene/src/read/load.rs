//! Loads.

use crate::keys::LOAD;
use crate::read::node::Node;
use crate::read::profile::profile_of;
use crate::read::region::Scope;
use kreisel::model::Region;
use kreisel::model::setup::{Load, LoadKind};

/// A load.
pub(super) fn load(node: &Node<'_>, number: usize, scope: Scope<'_>) -> Option<Load> {
    let table = node.table(&LOAD)?;
    let region = scope.selected(&table);
    let kind = table.only_one_of(&["force", "pressure"], true)?;
    let region = region?;
    let kind = if kind == "pressure" {
        if let Some(at) = table.get("at") {
            return at.error("`at` belongs to a force", "a pressure acts on surfaces: say `where`".to_string());
        }
        LoadKind::Pressure { region: region.unwrap_or(Region::Everything), pressure: table.number("pressure")? }
    } else {
        let force = table.vector("force")?;
        match (table.get("at"), region) {
            (Some(_), region) => {
                LoadKind::Point { region: region.unwrap_or(Region::Everything), at: table.vector("at")?, force }
            }
            (None, Some(region)) => LoadKind::Region { region, force },
            (None, None) => {
                let help = "add `at = [x, y, z]` for one element, or `body` or `where` for many".to_string();
                return table.error("on what the force acts is not said", help);
            }
        }
    };
    Some(Load {
        name: table.text("name").map_or_else(|| format!("load-{}", number + 1), str::to_string),
        kind,
        profile: profile_of(&table)?,
    })
}
