//! Messages of real size, made of the small samples: for the tests, the benchmark and the
//! measurement of limits.

/// A schedule of a large day's part: the flights of the sample over and over, each with a
/// FLID of its own.
pub(crate) fn schedule_of(flights: usize) -> String {
    let sample = include_str!("../../fixtures/schd-dnld.xml");
    let first = sample.find("<FLTR>").expect("a flight");
    let last = sample.rfind("</FLTR>").expect("a flight's end") + "</FLTR>".len();
    let parts: Vec<&str> = sample[first..last].split_inclusive("</FLTR>").collect();
    let flight = |number: usize| {
        let part = parts[number % parts.len()];
        let start = part.find("<FLID>").expect("a FLID") + "<FLID>".len();
        let end = part.find("</FLID>").expect("the end of a FLID");
        format!("{}{}{}", &part[..start], 7_000_000 + number, &part[end..])
    };
    let flights: String = (0..flights).map(flight).collect();
    format!("{}{flights}{}", &sample[..first], &sample[last..])
}

/// What most messages of a day are: one or two flights, one thing changed.
pub(crate) const FLOPS: [(&str, &str); 8] = [
    ("estimated", include_str!("../../fixtures/flop-estimated.xml")),
    ("actual", include_str!("../../fixtures/flop-actual.xml")),
    ("gate", include_str!("../../fixtures/flop-gate.xml")),
    ("stand", include_str!("../../fixtures/flop-stand.xml")),
    ("delay", include_str!("../../fixtures/flop-delay.xml")),
    ("milestone", include_str!("../../fixtures/flop-milestone.xml")),
    ("cancel", include_str!("../../fixtures/flop-cancel.xml")),
    ("delete", include_str!("../../fixtures/flop-delete.xml")),
];
