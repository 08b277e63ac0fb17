//! Rooms that an operator may stop, and for how long.

use std::fmt;

use jiff::Timestamp;

/// What can be paused: each by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pausable {
    /// Nothing more is taken up.
    Discovery,
    /// Nothing more is processed.
    Pump,
    /// Nothing more is sent, to any target.
    Delivery,
    /// No more marks are written.
    Marks,
}

/// A pause, a row of `room_pause`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pause {
    /// What is paused.
    pub room: Pausable,
    /// Who paused it.
    pub by: String,
    /// Why.
    pub reason: String,
    /// Since when, on the store's clock.
    pub at: Timestamp,
    /// It ends by itself then; `None`: not before somebody resumes.
    pub until: Option<Timestamp>,
}

impl Pausable {
    /// Everything that can be paused.
    pub const ALL: [Self; 4] = [Self::Discovery, Self::Pump, Self::Delivery, Self::Marks];

    /// Name in the store and on every surface.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Discovery => "discovery",
            Self::Pump => "pump",
            Self::Delivery => "delivery",
            Self::Marks => "marks",
        }
    }

    /// What a stored name means; `None` for an unknown one.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|room| room.as_str() == name)
    }
}

impl Pause {
    /// Is it in force at `now`?
    pub fn holds(&self, now: Timestamp) -> bool {
        self.until.is_none_or(|until| now < until)
    }
}

impl fmt::Display for Pause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "paused by {} ({}) since {}, ", self.by, self.reason, self.at)?;
        match self.until {
            Some(until) => write!(f, "until {until}"),
            None => f.write_str("until it is resumed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_ends_by_itself_at_its_time_and_says_who_and_why() {
        let at = |second| Timestamp::constant(second, 0);
        let (room, by, reason) = (Pausable::Marks, "ann".to_owned(), "cut-over".to_owned());
        let pause = Pause { room, by, reason, at: at(0), until: Some(at(10)) };
        assert_eq!([pause.holds(at(9)), pause.holds(at(10))], [true, false]);
        let words = pause.to_string();
        assert!(words.starts_with("paused by ann (cut-over)") && words.ends_with("00:00:10Z"), "{words}");
        let open = Pause { until: None, ..pause };
        assert!(open.holds(Timestamp::MAX) && open.to_string().ends_with("until it is resumed"));
    }
}
