//! The ledger: where the energy and the momentum are, where they came from and where they went.
//!
//! `ΔE = W_load + W_support − D_damping − D_friction − D_contact − D_fracture − D_conversion + R` with
//! `E = kinetic + gravity + elastic + frozen`. `R` is what the numerics invented (+) or lost (−); it is its own entry.

use glamx::DVec3;
use serde::{Deserialize, Serialize};

/// Energies [J] and momenta at the present time, and what has flowed since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    /// Kinetic energy [J].
    pub kinetic: f64,
    /// Energy of position in the field of gravity [J].
    pub gravity: f64,
    /// Elastic energy of connections, cells and contacts [J].
    pub elastic: f64,
    /// Elastic energy of connections inside rigid aggregates [J].
    pub frozen: f64,
    /// Work done by loads and grabs [J].
    pub load_work: f64,
    /// Work done by fixes and prescribed motions [J].
    pub support_work: f64,
    /// Lost to connection dampers and drag [J].
    pub damping_loss: f64,
    /// Lost to friction [J].
    pub friction_loss: f64,
    /// Lost to contact dampers [J].
    pub contact_loss: f64,
    /// Lost to breaking connections [J].
    pub fracture_loss: f64,
    /// Taken out by changes of the rigid/soft partition and by new rest shapes [J].
    pub conversion_loss: f64,
    /// What the numerics invented (+) or lost (−) [J].
    pub residual: f64,
    /// Sum over steps of the magnitudes of all entries' changes [J]: the yardstick of the residual.
    pub turnover: f64,
    /// Linear momentum [kg m/s].
    pub momentum: DVec3,
    /// Angular momentum about the origin [kg m²/s].
    pub angular_momentum: DVec3,
    /// Impulse received from gravity, loads, fixes and the world since the start [kg m/s].
    pub external_impulse: DVec3,
    /// Angular impulse received from them [kg m²/s].
    pub external_angular_impulse: DVec3,
    /// Linear momentum that nothing accounts for [kg m/s].
    pub momentum_residual: DVec3,
    /// Angular momentum that nothing accounts for [kg m²/s].
    pub angular_momentum_residual: DVec3,
}

impl Ledger {
    /// Total energy `E` [J].
    pub fn energy(&self) -> f64 {
        self.kinetic + self.gravity + self.elastic + self.frozen
    }

    /// Everything received minus everything lost since the start [J].
    pub fn balance(&self) -> f64 {
        self.load_work + self.support_work
            - self.damping_loss
            - self.friction_loss
            - self.contact_loss
            - self.fracture_loss
            - self.conversion_loss
    }

    /// Column names and values of the energy entries, for tables.
    pub fn entries(&self) -> [(&'static str, f64); 13] {
        [
            ("kinetic", self.kinetic),
            ("gravity", self.gravity),
            ("elastic", self.elastic),
            ("frozen", self.frozen),
            ("load_work", self.load_work),
            ("support_work", self.support_work),
            ("damping_loss", self.damping_loss),
            ("friction_loss", self.friction_loss),
            ("contact_loss", self.contact_loss),
            ("fracture_loss", self.fracture_loss),
            ("conversion_loss", self.conversion_loss),
            ("residual", self.residual),
            ("turnover", self.turnover),
        ]
    }

    /// Column names and values of the momentum entries, for tables.
    pub fn momenta(&self) -> [(&'static str, DVec3); 6] {
        [
            ("momentum", self.momentum),
            ("angular_momentum", self.angular_momentum),
            ("external_impulse", self.external_impulse),
            ("external_angular_impulse", self.external_angular_impulse),
            ("momentum_residual", self.momentum_residual),
            ("angular_momentum_residual", self.angular_momentum_residual),
        ]
    }

    /// True if every entry is a finite number.
    pub fn is_finite(&self) -> bool {
        self.entries().iter().all(|e| e.1.is_finite()) && self.momenta().iter().all(|m| m.1.is_finite())
    }

    /// The residual as a share of the turnover [1].
    pub fn relative_residual(&self) -> f64 {
        if self.turnover > 0.0 { self.residual.abs() / self.turnover } else { 0.0 }
    }
}
