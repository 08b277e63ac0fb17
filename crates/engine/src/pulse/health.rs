//! Liveness and readiness, both from progress: a process that answers and does nothing is neither.

use std::time::Duration;

use super::{Pulse, Role, Room, RoomView};

/// How long a room may be without a new step before the process counts as stuck. A back-off is at
/// most 30 s and a step is one or two calls.
const STUCK_AFTER: Duration = Duration::from_secs(90);

impl Pulse {
    /// Is it able to do its work? As standby: can it ask for the lease? As leader: does every room
    /// work? The error says what doesn't, in words for people.
    pub fn ready(&self) -> Result<(), Vec<String>> {
        let mut words = self.stuck();
        words.extend(
            self.working_rooms()
                .filter_map(|view| view.trouble.map(|trouble| format!("{}: {trouble}", view.room.name()))),
        );
        if self.role() == Role::Stopped {
            words.push("stopped".to_owned());
        }
        if words.is_empty() { Ok(()) } else { Err(words) }
    }

    /// Rooms that are paused, with who, why and until when.
    pub fn paused(&self) -> Vec<String> {
        let rooms = self.working_rooms();
        rooms.filter_map(|view| Some(format!("{} is {}", view.room.name(), view.paused?))).collect()
    }

    /// Does every room still take steps? The error names those that don't.
    pub fn live(&self) -> Result<(), Vec<String>> {
        let words = self.stuck();
        if words.is_empty() { Ok(()) } else { Err(words) }
    }

    fn stuck(&self) -> Vec<String> {
        self.working_rooms()
            .filter(|view| view.since_tick > STUCK_AFTER)
            .map(|view| format!("{}: no step for {:.0?}", view.room.name(), view.since_tick))
            .collect()
    }

    /// The rooms that ought to be working in the present role.
    fn working_rooms(&self) -> impl Iterator<Item = RoomView> {
        let role = self.role();
        self.rooms.view((self.monotonic)()).into_iter().filter(move |view| match role {
            Role::Standby => view.room == Room::Lease,
            Role::Leader(_) => true,
            Role::Stopped => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use domain::Epoch;

    use super::*;

    fn pulse_at(now: &Arc<AtomicU64>) -> Pulse {
        let now = now.clone();
        Pulse::new(move || Duration::from_secs(now.load(Ordering::Relaxed)))
    }

    #[test]
    fn readiness_names_the_room_in_trouble_and_its_words() {
        let pulse = pulse_at(&Arc::default());
        pulse.take_role(Role::Leader(Epoch(1)));
        pulse.trouble(Room::Pump, "store unavailable: gone");
        assert_eq!(pulse.ready(), Err(vec!["pump: store unavailable: gone".to_owned()]));
        assert_eq!(pulse.live(), Ok(()));
        pulse.well(Room::Pump);
        assert_eq!(pulse.ready(), Ok(()));
    }

    #[test]
    fn liveness_comes_from_progress() {
        let now = Arc::new(AtomicU64::new(0));
        let pulse = pulse_at(&now);
        pulse.take_role(Role::Leader(Epoch(1)));
        now.store(91, Ordering::Relaxed);
        Room::ALL.into_iter().filter(|room| *room != Room::Marks).for_each(|room| pulse.tick(room));
        assert_eq!(pulse.live(), Err(vec!["marks: no step for 91s".to_owned()]));
    }

    #[test]
    fn a_standby_is_ready_when_it_can_ask_for_the_lease() {
        let now = Arc::new(AtomicU64::new(0));
        let pulse = pulse_at(&now);
        now.store(200, Ordering::Relaxed);
        pulse.tick(Room::Lease);
        assert_eq!(pulse.ready(), Ok(()));
        pulse.trouble(Room::Lease, "store unavailable: gone");
        assert!(pulse.ready().is_err());
    }
}
