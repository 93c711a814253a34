//! What there is: materials, elements, connections, aggregates, regions, obstacles, and the state they are in.

pub mod aggregate;
pub mod connection;
pub mod element;
pub mod event;
pub mod ids;
pub mod ledger;
pub mod mapping;
pub mod material;
pub mod motion;
pub mod obstacle;
pub mod profile;
pub mod region;
pub mod setup;
pub mod state;
mod state_check;
pub mod topology;
pub mod world;

pub use aggregate::{Aggregate, Origin};
pub use connection::{Cell, ConnectionClass, Connections};
pub use element::Elements;
pub use event::{Event, EventKind};
pub use ids::{AggregateId, BodyId, ConnectionId, ElementId, MaterialId, ObstacleId};
pub use ledger::Ledger;
pub use material::{Fracture, Material};
pub use obstacle::{Obstacle, ObstacleShape};
pub use profile::Profile;
pub use region::Region;
pub use setup::Setup;
pub use state::{Contact, FREE, State, Touched};
pub use state_check::StateError;
pub use topology::Topology;
pub use world::{Body, Model};
