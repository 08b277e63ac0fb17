//! Typed values of elements and attributes.

use jiff::civil;

/// A value as the dictionary types it. Times are airport local time without an offset: the
/// zone is the reader's business.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Free text or a code, trimmed.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A decimal number, kept as its text so that no digit is lost.
    Decimal(String),
    /// Date and time to the minute, local.
    Time(civil::DateTime),
    /// A day.
    Date(civil::Date),
    /// A time of day, local.
    Clock(civil::Time),
    /// A duration in minutes.
    Minutes(u32),
    /// Named members, in dictionary order; absent members are left out.
    Object(Vec<(&'static str, Value)>),
    /// Repeated values in input order.
    List(Vec<Value>),
}
