//! Flights of an operation day, current or in history: the same for the command line and programs.

use domain::flight::Flight;
use engine::ports::{PastView, StoreError, Views};
use jiff::civil::Date;
use serde_json::Value;
use sis::Dictionary;

use crate::dossier::past_json;

/// Which flights.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Of {
    /// Current ones of a day.
    Day(Date),
    /// Those of a day that are history.
    History(Date),
    /// Current ones of any day, those spoken of last where not all fit.
    Board,
}

/// Flights as they were found.
pub(crate) enum Roster {
    /// Current ones.
    Current(Vec<Flight>),
    /// In history.
    Past(Vec<PastView>),
}

impl Roster {
    /// At most `limit` flights.
    pub(crate) async fn read<V: Views>(views: &V, of: Of, limit: usize) -> Result<Self, StoreError> {
        Ok(match of {
            Of::Day(day) => Self::Current(views.flights_of(day, limit).await?),
            Of::History(day) => Self::Past(views.past_flights_of(day, limit).await?),
            Of::Board => Self::Current(views.flights(limit).await?),
        })
    }

    /// The flights themselves.
    pub(crate) fn flights(&self) -> Vec<&Flight> {
        match self {
            Self::Current(flights) => flights.iter().collect(),
            Self::Past(flights) => flights.iter().map(|past| &past.flight).collect(),
        }
    }

    /// Whole flights, personal data left out.
    pub(crate) fn json(&self, dictionary: &Dictionary) -> Vec<Value> {
        match self {
            Self::Current(flights) => flights.iter().map(|flight| flight.view(dictionary)).collect(),
            Self::Past(flights) => flights.iter().map(|past| past_json(past, dictionary)).collect(),
        }
    }
}
