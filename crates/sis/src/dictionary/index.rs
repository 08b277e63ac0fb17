//! Look-ups by name, built once when a dictionary is read.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::Field;

/// A table whose keys come from the dictionary alone: nobody outside can make them collide,
/// so a quick hash is as safe as the standard one and several times faster on short names.
type Table<V> = HashMap<&'static str, V, BuildHasherDefault<ShortNames>>;

/// FNV-1a, 64 bits.
struct ShortNames(u64);

impl Default for ShortNames {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for ShortNames {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Where a record's child element leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot {
    /// Number of the field in file order.
    pub(crate) field: usize,
    /// Number of the member, for a field whose members are scattered over the record.
    pub(crate) member: Option<usize>,
}

#[derive(Debug)]
pub(super) struct Index {
    names: Table<usize>,
    elements: Table<Slot>,
}

impl Index {
    pub(super) fn new(fields: &'static [Field]) -> Self {
        let names = fields.iter().enumerate().map(|(number, field)| (field.name, number)).collect();
        let mut elements = Table::default();
        for (number, field) in fields.iter().enumerate() {
            for (position, element) in field.elements().enumerate() {
                let member = field.spread.then_some(position);
                elements.insert(element, Slot { field: number, member });
            }
        }
        Self { names, elements }
    }

    pub(super) fn field_by_name(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    pub(super) fn slot(&self, element: &str) -> Option<Slot> {
        self.elements.get(element).copied()
    }
}
