//! Single values that boards and lists show.

use serde_json::Value;

use super::{FieldState, Flight, names};

impl Flight {
    /// FLNO, with the airline's code.
    pub fn flight_number(&self) -> Option<&str> {
        self.text(names::FLIGHT_NUMBER)
    }

    /// MVIN: `A` arrival, `D` departure.
    pub fn movement(&self) -> Option<&str> {
        self.text(names::MOVEMENT)
    }

    /// SODT, ISO 8601 with offset.
    pub fn scheduled_time(&self) -> Option<&str> {
        self.text(names::SCHEDULED_TIME)
    }

    /// ESTT, ISO 8601 with offset.
    pub fn estimated_time(&self) -> Option<&str> {
        self.text(names::ESTIMATED_TIME)
    }

    /// ACTT, ISO 8601 with offset.
    pub fn actual_time(&self) -> Option<&str> {
        self.text(names::ACTUAL_TIME)
    }

    /// CNCL: when the flight was cancelled; its presence says that it is.
    pub fn cancelled_time(&self) -> Option<&str> {
        self.text(names::CANCELLED_TIME)
    }

    /// The gates in their order.
    pub fn gates(&self) -> Vec<&str> {
        let gates = self.single(names::GATES).and_then(Value::as_array);
        gates.into_iter().flatten().filter_map(|gate| gate.get(names::GATE)?.as_str()).collect()
    }

    /// STND, the current stand.
    pub fn stand(&self) -> Option<&str> {
        self.text(names::STAND)
    }

    /// FTSS, the status code.
    pub fn status(&self) -> Option<&str> {
        self.text(names::STATUS)
    }

    /// REMC.
    pub fn remark(&self) -> Option<&str> {
        self.text(names::REMARKS)
    }

    /// The main flight this one is a code-share of, from field `codeShare`: a soft reference,
    /// which may name a flight that isn't there, or itself.
    pub fn main_flid(&self) -> Option<crate::Flid> {
        self.single(names::CODE_SHARE)?.get(names::MAIN_FLID)?.as_i64().map(crate::Flid)
    }

    /// The flight that the same aircraft makes before or after, from field `turnaround` (TAID): a
    /// soft reference like [`Flight::main_flid`].
    pub fn turn_flid(&self) -> Option<crate::Flid> {
        self.single(names::TURNAROUND)?.get(names::PARTNER_FLID)?.as_i64().map(crate::Flid)
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.single(name)?.as_str()
    }

    pub(super) fn single(&self, name: &str) -> Option<&Value> {
        match self.fields.get(name)? {
            FieldState::Single(stamped) => stamped.value.as_ref(),
            FieldState::Keyed { .. } => None,
        }
    }
}
