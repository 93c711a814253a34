//! The ledger as a table for people.

use crate::console::short;
use kreisel::DVec3;
use kreisel::model::Ledger;
use std::fmt::Write;

/// Where the energy is, where it came from and where it went; the momenta; what the numerics invented or lost.
pub fn table(ledger: &Ledger) -> String {
    let mut text = String::new();
    energies(&mut text, ledger);
    momenta(&mut text, ledger);
    text
}

fn energies(text: &mut String, ledger: &Ledger) {
    let l = ledger;
    let groups: [(&str, &[(&str, f64)]); 3] = [
        ("energy now", &[("kinetic", l.kinetic), ("gravity", l.gravity), ("elastic", l.elastic), ("frozen", l.frozen)]),
        ("received", &[("work of loads", l.load_work), ("work of supports", l.support_work)]),
        (
            "lost to",
            &[
                ("damping", l.damping_loss),
                ("friction", l.friction_loss),
                ("contact", l.contact_loss),
                ("fracture", l.fracture_loss),
                ("conversion", l.conversion_loss),
            ],
        ),
    ];
    for (title, entries) in groups {
        for (i, (name, value)) in entries.iter().enumerate() {
            let head = if i == 0 { title } else { "" };
            let _ = writeln!(text, "{head:<12} {name:<18} {:>12} J", short(*value));
        }
    }
    let share = short(100.0 * l.relative_residual());
    let turnover = short(l.turnover);
    let _ = writeln!(
        text,
        "{:<12} {:<18} {:>12} J  = {share} % of the turnover of {turnover} J",
        "residual",
        "of the numerics",
        short(l.residual)
    );
}

fn momenta(text: &mut String, ledger: &Ledger) {
    let l = ledger;
    let rows = [
        ("momentum", "now", l.momentum, "kg m/s"),
        ("", "received", l.external_impulse, "kg m/s"),
        ("", "residual", l.momentum_residual, "kg m/s"),
        ("angular", "now", l.angular_momentum, "kg m²/s"),
        ("", "received", l.external_angular_impulse, "kg m²/s"),
        ("", "residual", l.angular_momentum_residual, "kg m²/s"),
    ];
    for (title, name, value, unit) in rows {
        let _ = writeln!(text, "{title:<12} {name:<18} {} {unit}", vector(value));
    }
}

fn vector(value: DVec3) -> String {
    value.to_array().map(|c| format!("{:>12}", short(c))).join(" ")
}
