//! Looks into message texts without a reader: the generator writes no nesting of equal names.

use airport::Letter;

pub(crate) fn body(letter: &Letter) -> &str {
    std::str::from_utf8(letter.body.as_deref().unwrap()).unwrap()
}

/// The text of the first element of this name.
pub(crate) fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    elements(text, name).next()
}

/// What is inside each element of this name.
pub(crate) fn elements<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    text.split(&open).skip(1).collect::<Vec<_>>().into_iter().map(move |rest| {
        let end = rest.find(&close).unwrap();
        &rest[..end]
    })
}

pub(crate) fn flid(record: &str) -> i64 {
    element(record, "FLID").unwrap().parse().unwrap()
}
