//! Sweeps that leave out contacts whose bodies nobody has moved since they were last visited: most of an island lies still while a
//! few of its bodies come apart.

use crate::contact::constraint::carriers::Carriers;
use crate::step::constraint::overlap::push::Push;

/// Who was moved when; time is counted in visits to contacts.
pub struct Visits {
    /// When each carrier was moved last.
    moved: Vec<u64>,
    now: u64,
}

impl Visits {
    /// Nobody has been visited yet.
    pub fn new(carriers: &Carriers) -> Self {
        Self { moved: vec![0; carriers.len()], now: 0 }
    }

    /// Each contact once; how far the one that moved most did [m]. A contact that is left out would not move.
    pub fn relax(&mut self, rows: &mut [Push], carriers: &mut Carriers) -> f64 {
        let count = rows.len() as u64;
        // Who sits on several is moved by contacts that do not name it.
        let (again, seated) = (self.now > 0, !carriers.seats.is_empty());
        let mut largest: f64 = 0.0;
        for row in rows {
            self.now += 1;
            let sides = [row.a as usize, row.b as usize];
            if again && !seated && sides.iter().all(|&k| self.moved[k] + count < self.now) {
                continue;
            }
            let way = row.relax(carriers);
            if way != 0.0 {
                sides.into_iter().filter(|&k| carriers[k].is_movable()).for_each(|k| self.moved[k] = self.now);
            }
            largest = largest.max(way);
        }
        largest
    }
}
