//! Ignore rules: messages that are known and meant for others (US-04, G-IGNORE).

/// Rules `TYPE-STYP` or `TYPE-*`, matched case-insensitively.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoreRules {
    rules: Vec<(String, Option<String>)>,
}

impl IgnoreRules {
    /// Parses rules; the error names the rule and the accepted form.
    pub fn parse<'a>(_rules: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        Ok(Self { rules: Vec::new() })
    }

    /// `LDM-* REGN-* RSTA-* EROR-*`.
    pub fn baseline() -> Self {
        Self { rules: Vec::new() }
    }

    /// The first rule that matches, as written.
    pub fn matching(&self, _kind: &str, _subtype: &str) -> Option<String> {
        let _ = &self.rules;
        None
    }
}
