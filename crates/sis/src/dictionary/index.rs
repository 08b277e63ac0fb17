//! Look-ups by name, built once when a dictionary is read.

use std::collections::HashMap;

use super::Field;

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
    names: HashMap<&'static str, usize>,
    elements: HashMap<&'static str, Slot>,
}

impl Index {
    pub(super) fn new(fields: &'static [Field]) -> Self {
        let names = fields.iter().enumerate().map(|(number, field)| (field.name, number)).collect();
        let mut elements = HashMap::new();
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
