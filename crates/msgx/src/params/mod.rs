//! The registry of parameters: key, type, default, unit, basis and meaning of every one, declared
//! once. `msgx params`, `docs/reference.md`, `msgx.example.toml` and `.env.example` are printed from it.

mod kind;
mod print;
mod registry;

pub(crate) use kind::{Kind, format_duration, parse_bytes, parse_duration};
pub(crate) use print::{env_example, markdown, toml_example};
pub(crate) use registry::all;

/// What a default rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Basis {
    /// Agreed with another party; changing it changes the contract.
    Contract,
    /// Our own choice until measured or agreed.
    Assumption,
}

impl Basis {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Contract => "contract",
            Self::Assumption => "assumption",
        }
    }
}

/// One parameter.
#[derive(Debug)]
pub(crate) struct Param {
    /// Full key, dots and dashes.
    pub(crate) key: &'static str,
    /// Type and accepted form.
    pub(crate) kind: Kind,
    /// Default as it would be written.
    pub(crate) default: &'static str,
    /// Contract or assumption, with the ID where there is one.
    pub(crate) basis: Basis,
    /// Meaning and special values.
    pub(crate) meaning: &'static str,
    /// Never shown, may be given as `<key>-file`.
    pub(crate) secret: bool,
}

/// The parameter of a key.
pub(crate) fn find(key: &str) -> Option<&'static Param> {
    all().find(|param| param.key == key)
}

/// `MSGX_` and the key in upper case, dots and dashes as `_`; a leading `msgx.` isn't doubled.
pub(crate) fn env_name(key: &str) -> String {
    let key = key.strip_prefix("msgx.").unwrap_or(key);
    format!("MSGX_{}", key.to_uppercase().replace(['.', '-'], "_"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_default_has_the_form_of_its_kind() {
        for param in all() {
            assert_eq!(param.kind.check(param.default), Ok(()), "{}", param.key);
        }
    }

    #[test]
    fn keys_and_environment_names_are_unique() {
        let keys: BTreeSet<_> = all().map(|param| param.key).collect();
        let names: BTreeSet<_> = all().map(|param| env_name(param.key)).collect();
        assert_eq!((keys.len(), names.len()), (all().count(), all().count()));
    }

    #[test]
    fn the_short_and_the_full_prefix_name_one_variable() {
        assert_eq!(env_name("msgx.pipeline.max-attempts"), "MSGX_PIPELINE_MAX_ATTEMPTS");
        assert_eq!(env_name("mailbox.poll-interval"), "MSGX_MAILBOX_POLL_INTERVAL");
    }
}
