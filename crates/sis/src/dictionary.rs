//! The vocabulary as data: elements, groups and subtypes.

/// All a reader knows about the format. Loaded once per process and kept for its life.
#[derive(Debug)]
pub struct Dictionary {}

/// A dictionary file that can't be used: line, key and what is wrong.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DictionaryError(pub String);

/// The type of a scalar, member or attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// Text or code.
    Text,
    /// Whole number, 64 bits.
    Integer,
    /// Decimal number.
    Decimal,
    /// `DDMONYYHHMM`, or `DDMONYY` for midnight.
    Time,
    /// `DDMONYY`.
    Date,
    /// `HHMM`.
    Clock,
    /// `HHMM` as a duration.
    Minutes,
    /// A list of objects (a group inside a group).
    List,
}

/// How a field behaves when it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// Last writer wins.
    Scalar,
    /// One field of several members, replaced as a whole.
    Structure,
    /// A list, replaced as a whole.
    Ordered,
    /// Entries merged by key.
    Keyed,
}

/// One field of a flight.
#[derive(Debug, PartialEq)]
pub struct Field {
    /// JSON name, camelCase, unique in the dictionary.
    pub name: &'static str,
    /// The element, or for a structure made of several elements, the first of them.
    pub element: &'static str,
    /// How it is written.
    pub kind: FieldKind,
    /// Type of a scalar; [`ValueKind::List`] otherwise.
    pub value: ValueKind,
    /// Chinese label.
    pub zh: &'static str,
    /// English label.
    pub en: &'static str,
    /// May a schedule carry it?
    pub in_schedule: bool,
    /// Personal data: never to Kafka in clear, never to a log.
    pub personal: bool,
    /// Members of structures and collections.
    pub members: &'static [Member],
}

/// One member of a structure or of a collection's entry.
#[derive(Debug, PartialEq)]
pub struct Member {
    /// JSON name.
    pub name: &'static str,
    /// Where it is read from: a child element, `@ATTR`, or `.` for the element's own text.
    pub source: &'static str,
    /// Its type.
    pub value: ValueKind,
    /// Chinese label.
    pub zh: &'static str,
    /// English label.
    pub en: &'static str,
    /// Personal data.
    pub personal: bool,
    /// Members of a nested list.
    pub members: &'static [Member],
}

/// One FLOP subtype.
#[derive(Debug, PartialEq)]
pub struct Subtype {
    /// STYP.
    pub name: &'static str,
    /// The fields it may write, by JSON name.
    pub fields: &'static [&'static str],
    /// Chinese label.
    pub zh: &'static str,
    /// English label.
    pub en: &'static str,
}

impl Dictionary {
    /// The dictionary compiled into the program.
    pub fn baseline() -> &'static Dictionary {
        todo!()
    }

    /// Every field, in file order.
    pub fn fields(&self) -> &'static [Field] {
        todo!()
    }

    /// A field by its JSON name.
    pub fn field(&self, _name: &str) -> Option<&'static Field> {
        todo!()
    }

    /// Every FLOP subtype, in file order.
    pub fn subtypes(&self) -> &'static [Subtype] {
        todo!()
    }

    /// A FLOP subtype by STYP, case-insensitive.
    pub fn subtype(&self, _styp: &str) -> Option<&'static Subtype> {
        todo!()
    }

    /// Is TYPE one of the reference lists?
    pub fn is_reference(&self, _kind: &str) -> bool {
        todo!()
    }
}
