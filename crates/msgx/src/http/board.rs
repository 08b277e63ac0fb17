//! Flights as rows of the board.

use std::sync::Arc;

use domain::flight::Flight;
use engine::ports::Views;
use serde_json::{Value, json};
use sis::Dictionary;

use super::App;
use super::detached::detached;

/// Most flights the board starts with.
const FLIGHTS_MAX: usize = 160;

/// One row. Personal data never gets here: [`Flight::view`] leaves it out.
pub(super) fn row(flight: &Flight, dictionary: &'static Dictionary) -> Value {
    let view = flight.view(dictionary);
    let has = |name: &str| view.get(name).is_some_and(|value| !value.is_null());
    let arrives = flight.movement() == Some("A");
    let (place, via) = far_end(&members(&view, "route", "airport"), arrives);
    json!({
        "flid": flight.flid.0,
        "lastMessage": flight.last_by.0,
        "life": flight.life.as_str(),
        "flight": flight.flight_number(),
        "movement": flight.movement(),
        "place": place,
        "via": via,
        "scheduled": flight.scheduled_time(),
        "estimated": flight.estimated_time(),
        "actual": flight.actual_time(),
        "gate": flight.gates().join(" "),
        "belt": members(&view, "belts", "belt").join(" "),
        "stand": flight.stand(),
        "status": flight.status(),
        "remark": flight.remark(),
        "cancelled": flight.cancelled_time().is_some(),
        "diverted": has("diversion"),
        "delayed": view.get("delays").and_then(Value::as_array).is_some_and(|delays| !delays.is_empty()),
    })
}

/// What travellers look for: where an arrival comes from, where a departure goes; then the stops
/// between there and here.
fn far_end(route: &[&str], arrives: bool) -> (Option<String>, String) {
    let (far, stops) = match route {
        [] => return (None, String::new()),
        [only] => (only, &route[..0]),
        [origin, stops @ .., _here] if arrives => (origin, stops),
        [_here, stops @ .., destination] => (destination, stops),
    };
    (Some((*far).to_owned()), stops.join(" "))
}

fn members<'a>(view: &'a Value, list: &str, member: &str) -> Vec<&'a str> {
    let items = view.get(list).and_then(Value::as_array).into_iter().flatten();
    items.filter_map(|item| item.get(member)?.as_str()).collect()
}

/// The board's rows.
pub(super) async fn board<V: Views>(app: Arc<App<V>>) -> Result<Vec<Value>, String> {
    detached(async move {
        let flights = app.views.flights(FLIGHTS_MAX).await?;
        Ok(flights.iter().map(|flight| row(flight, app.dictionary)).collect())
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::far_end;

    #[test]
    fn a_row_names_the_airport_at_the_other_end_and_the_stops_between() {
        for (route, arrives, place, via) in [
            (&["URC", "TYN", "TAO"][..], true, Some("URC"), "TYN"),
            (&["TAO", "HFE", "SZX"][..], false, Some("SZX"), "HFE"),
            (&["PEK", "TAO"][..], true, Some("PEK"), ""),
            (&["TAO", "PEK"][..], false, Some("PEK"), ""),
            (&["PEK"][..], true, Some("PEK"), ""),
            (&[][..], false, None, ""),
        ] {
            assert_eq!(far_end(route, arrives), (place.map(str::to_owned), via.to_owned()), "{route:?}");
        }
    }
}
