//! The few fields the logic itself needs, by their names in the dictionary. Everything else is
//! data. A test holds them against the compiled-in dictionary.

/// SODT: gives the operation day (INV-12).
pub(crate) const SCHEDULED_TIME: &str = "scheduledTime";
/// FLNO: what the code-share projection shows (INV-21).
pub(crate) const FLIGHT_NUMBER: &str = "flightNumber";
/// MVIN.
pub(crate) const MOVEMENT: &str = "movement";
/// CSOP, CSFT and MAID: the link of a code-share flight to its main flight.
pub(crate) const CODE_SHARE: &str = "codeShare";
/// MAID, the member of [`CODE_SHARE`] that is the main flight's FLID.
pub(crate) const MAIN_FLID: &str = "mainFlid";
/// TAOP, TAFL and TAID: the link to the flight the aircraft makes before or after.
pub(crate) const TURNAROUND: &str = "turnaround";
/// TAID, the member of [`TURNAROUND`] that is the partner's FLID.
pub(crate) const PARTNER_FLID: &str = "flid";
/// ESTT.
pub(crate) const ESTIMATED_TIME: &str = "estimatedTime";
/// ACTT.
pub(crate) const ACTUAL_TIME: &str = "actualTime";
/// CNCL.
pub(crate) const CANCELLED_TIME: &str = "cancelledTime";
/// GTDT, a list, and its member GATE.
pub(crate) const GATES: &str = "gates";
/// GATE, a member of [`GATES`].
pub(crate) const GATE: &str = "gate";
/// ERUT.
pub(crate) const ROUTE: &str = "route";
/// ACFT.
pub(crate) const AIRCRAFT_TYPE: &str = "aircraftType";
/// STND.
pub(crate) const STAND: &str = "stand";
/// PSDT. Its entries have a member [`STAND`], like those of [`PUSH_BACKS`] and [`TRACTORS`].
pub(crate) const STAND_PLAN: &str = "standPlan";
/// STST, a member of [`STAND_PLAN`].
pub(crate) const PLANNED_START: &str = "plannedStart";
/// STET, a member of [`STAND_PLAN`].
pub(crate) const PLANNED_END: &str = "plannedEnd";
/// PSHT, by stand.
pub(crate) const PUSH_BACKS: &str = "pushBacks";
/// TIPT, by stand.
pub(crate) const TRACTORS: &str = "tractors";
/// PSTM and TRTM, members of [`PUSH_BACKS`] and [`TRACTORS`].
pub(crate) const TIME: &str = "time";
/// FTSS.
pub(crate) const STATUS: &str = "flightStatus";
/// REMC.
pub(crate) const REMARKS: &str = "remarks";

/// Before the name of an element nobody knows, in [`super::Flight::fields`].
pub(crate) const EXTRA: &str = "extra.";

#[cfg(test)]
mod tests {
    use sis::Dictionary;

    use super::*;

    const OF_STANDS: [(&str, &str, &str); 7] = [
        (STAND_PLAN, STAND, "PSST"),
        (STAND_PLAN, PLANNED_START, "STST"),
        (STAND_PLAN, PLANNED_END, "STET"),
        (PUSH_BACKS, STAND, "PUST"),
        (PUSH_BACKS, TIME, "PSTM"),
        (TRACTORS, STAND, "TRST"),
        (TRACTORS, TIME, "TRTM"),
    ];

    #[test]
    fn the_dictionary_knows_the_names_the_logic_needs() {
        for (name, element) in [
            (SCHEDULED_TIME, "SODT"),
            (FLIGHT_NUMBER, "FLNO"),
            (MOVEMENT, "MVIN"),
            (ESTIMATED_TIME, "ESTT"),
            (ACTUAL_TIME, "ACTT"),
            (CANCELLED_TIME, "CNCL"),
            (GATES, "GTDT"),
            (STAND, "STND"),
            (STATUS, "FTSS"),
            (REMARKS, "REMC"),
            (ROUTE, "ERUT"),
            (AIRCRAFT_TYPE, "ACFT"),
        ] {
            let field = Dictionary::baseline().field(name).expect(name);
            assert_eq!(field.element, element);
        }
        for (name, member, source) in
            [(CODE_SHARE, MAIN_FLID, "MAID"), (TURNAROUND, PARTNER_FLID, "TAID"), (GATES, GATE, "GATE")]
                .into_iter()
                .chain(OF_STANDS)
        {
            let field = Dictionary::baseline().field(name).expect(name);
            assert!(
                field.members.iter().any(|found| found.name == member && found.source == source),
                "{name}.{member}"
            );
        }
    }

    #[test]
    fn no_field_has_a_name_that_events_use_themselves() {
        let own = ["flid", "stateVersion", "incarnation", "life", "operationDay", "codeShares", "extra"];
        for field in Dictionary::baseline().fields() {
            assert!(!own.contains(&field.name) && !field.name.starts_with(EXTRA), "{}", field.name);
        }
    }
}
