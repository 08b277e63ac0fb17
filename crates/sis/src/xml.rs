//! XML as far as the format needs it: a strict tree with positions, and a writer.

pub(crate) mod attributes;
pub(crate) mod characters;
pub(crate) mod frames;
pub(crate) mod markup;
pub(crate) mod parse;
pub(crate) mod tree;
pub(crate) mod write;
