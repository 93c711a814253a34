//! Who watches, what they want to see, and who holds the controls.

use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Watchers at the same time.
const MOST_WATCHERS: usize = 64;
/// Who holds the controls and does not answer for this long loses them.
const PATIENCE: Duration = Duration::from_secs(10);
/// Who holds the controls and has not used them for this long gives them away at once.
const IDLE: Duration = Duration::from_secs(30);

/// All watchers.
#[derive(Debug)]
pub struct People {
    inside: Mutex<Inside>,
    wants: Arc<AtomicU32>,
    changed: watch::Sender<Crowd>,
}

#[derive(Debug, Default)]
struct Inside {
    next: u32,
    wants: BTreeMap<u32, u32>,
    holder: Option<u32>,
    used: Option<Instant>,
    asking: Option<(u32, Instant)>,
}

/// What everyone may know about the others.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Crowd {
    /// How many watch.
    pub watchers: usize,
    /// Who holds the controls.
    pub holder: Option<u32>,
    /// Who would like to.
    pub asking: Option<u32>,
}

impl People {
    /// Nobody yet; the union of what all want is written to `wants`.
    pub fn new(wants: Arc<AtomicU32>) -> Self {
        Self { inside: Mutex::default(), wants, changed: watch::channel(Crowd::default()).0 }
    }

    /// Somebody comes; `None`: there are too many. Who comes first holds the controls.
    pub fn enter(&self) -> Option<u32> {
        let mut inside = self.lock();
        if inside.wants.len() >= MOST_WATCHERS {
            return None;
        }
        inside.next += 1;
        let id = inside.next;
        inside.wants.insert(id, 0);
        if inside.holder.is_none() {
            (inside.holder, inside.used) = (Some(id), Some(Instant::now()));
        }
        self.tell(&inside);
        Some(id)
    }

    /// Somebody goes; true if he held the controls. Who asked for them, or who came next, holds them then.
    pub fn leave(&self, id: u32) -> bool {
        let mut inside = self.lock();
        inside.wants.remove(&id);
        if inside.asking.is_some_and(|(who, _)| who == id) {
            inside.asking = None;
        }
        let held = inside.holder == Some(id);
        if held {
            let next = inside.asking.take().map(|(who, _)| who).or(inside.wants.keys().next().copied());
            (inside.holder, inside.used) = (next, Some(Instant::now()));
        }
        self.tell(&inside);
        held
    }

    /// Somebody wants to see other things.
    pub fn want(&self, id: u32, bits: u32) {
        let mut inside = self.lock();
        if let Some(wants) = inside.wants.get_mut(&id) {
            *wants = bits;
        }
        self.tell(&inside);
    }

    /// True if he holds the controls; that he uses them is remembered.
    pub fn may_control(&self, id: u32) -> bool {
        let mut inside = self.lock();
        let holds = inside.holder == Some(id);
        if holds {
            inside.used = Some(Instant::now());
        }
        holds
    }

    /// Somebody asks for the controls; true if he has them now.
    pub fn take(&self, id: u32) -> bool {
        let mut inside = self.lock();
        let now = Instant::now();
        let idle = inside.used.is_none_or(|used| now.duration_since(used) > IDLE);
        let waited = inside.asking.is_some_and(|(who, since)| who == id && now.duration_since(since) > PATIENCE);
        if inside.holder.is_none() || inside.holder == Some(id) || idle || waited {
            (inside.holder, inside.used, inside.asking) = (Some(id), Some(now), None);
        } else if inside.asking.is_none_or(|(_, since)| now.duration_since(since) > 3 * PATIENCE) {
            inside.asking = Some((id, now));
        }
        let has = inside.holder == Some(id);
        self.tell(&inside);
        has
    }

    /// The holder answers whoever asks.
    pub fn answer(&self, id: u32, give: bool) {
        let mut inside = self.lock();
        if inside.holder != Some(id) {
            return;
        }
        if let (Some((who, _)), true) = (inside.asking.take(), give) {
            (inside.holder, inside.used) = (Some(who), Some(Instant::now()));
        }
        self.tell(&inside);
    }

    /// Tells of changes.
    pub fn watch(&self) -> watch::Receiver<Crowd> {
        self.changed.subscribe()
    }

    fn tell(&self, inside: &Inside) {
        let union = inside.wants.values().fold(0, |all, bits| all | bits);
        self.wants.store(union, Ordering::Relaxed);
        let asking = inside.asking.map(|(who, _)| who);
        self.changed.send_replace(Crowd { watchers: inside.wants.len(), holder: inside.holder, asking });
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_controls_go_from_hand_to_hand() {
        let people = People::new(Arc::default());
        let (a, b) = (people.enter().unwrap(), people.enter().unwrap());
        assert!(people.may_control(a) && !people.may_control(b));
        assert!(!people.take(b), "the holder is asked first");
        people.answer(b, true);
        assert!(people.may_control(a), "only the holder can give");
        people.answer(a, true);
        assert!(people.may_control(b) && !people.may_control(a));
        assert!(people.leave(b));
        assert!(people.may_control(a), "who is left has them");
    }

    #[test]
    fn what_is_made_is_what_anyone_wants_and_crowds_are_bounded() {
        let wants = Arc::new(AtomicU32::new(0));
        let people = People::new(wants.clone());
        let (a, b) = (people.enter().unwrap(), people.enter().unwrap());
        people.want(a, 1);
        people.want(b, 4);
        assert_eq!(wants.load(Ordering::Relaxed), 5);
        people.leave(b);
        assert_eq!(wants.load(Ordering::Relaxed), 1);
        assert_eq!((0..200).filter_map(|_| people.enter()).count(), MOST_WATCHERS - 1);
    }
}
