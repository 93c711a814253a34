//! What there is: materials, elements, connections, aggregates, regions, obstacles, and the state they are in.

pub mod ids;
pub mod material;
pub mod obstacle;
pub mod profile;
pub mod region;
pub mod setup;

pub use ids::{AggregateId, BodyId, ConnectionId, ElementId, MaterialId, ObstacleId};
pub use material::{Fracture, Material};
pub use obstacle::{Obstacle, ObstacleShape};
pub use profile::Profile;
pub use region::Region;
pub use setup::Setup;
