//! Ignore rules: messages that are known and meant for others (US-04, G-IGNORE).

/// Rules `TYPE-STYP` or `TYPE-*`, matched case-insensitively.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoreRules {
    rules: Vec<(String, Option<String>)>,
}

impl IgnoreRules {
    /// Parses rules; the error names the rule and the accepted form.
    pub fn parse<'a>(rules: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let rules: Result<_, String> = rules.into_iter().map(parse_rule).collect();
        Ok(Self { rules: rules? })
    }

    /// `LDM-* REGN-* RSTA-* EROR-*`.
    pub fn baseline() -> Self {
        Self { rules: ["LDM", "REGN", "RSTA", "EROR"].map(|kind| (kind.to_owned(), None)).into() }
    }

    /// The first rule that matches, as written.
    pub fn matching(&self, kind: &str, subtype: &str) -> Option<String> {
        let matches = |(rule_kind, rule_subtype): &&(String, Option<String>)| {
            rule_kind.eq_ignore_ascii_case(kind)
                && rule_subtype.as_ref().is_none_or(|styp| styp.eq_ignore_ascii_case(subtype))
        };
        let (kind, subtype) = self.rules.iter().find(matches)?;
        Some(format!("{kind}-{}", subtype.as_deref().unwrap_or("*")))
    }
}

/// A subtype may itself hold a dash, a type never does.
fn parse_rule(rule: &str) -> Result<(String, Option<String>), String> {
    let parts = rule
        .trim()
        .split_once('-')
        .filter(|(kind, subtype)| is_name(kind) && (*subtype == "*" || is_name(subtype)));
    let Some((kind, subtype)) = parts else {
        return Err(format!("ignore rule {rule:?} is not of the form TYPE-STYP or TYPE-*, such as LDM-*"));
    };
    Ok((kind.to_owned(), (subtype != "*").then(|| subtype.to_owned())))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(|character: char| character == '*' || character.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g_ignore_baseline_covers_every_subtype_of_four_types() {
        let rules = IgnoreRules::baseline();
        for (kind, subtype, rule) in [
            ("LDM", "NONE", Some("LDM-*")),
            ("ldm", "", Some("LDM-*")),
            ("REGN", "UPD", Some("REGN-*")),
            ("RSTA", "X", Some("RSTA-*")),
            ("EROR", "", Some("EROR-*")),
            ("ERROR", "", None),
            ("REGL", "UPD", None),
            ("FLOP", "ESTT", None),
        ] {
            assert_eq!(rules.matching(kind, subtype).as_deref(), rule, "{kind}-{subtype}");
        }
        assert_eq!(IgnoreRules::parse(["LDM-*", "REGN-*", "RSTA-*", "EROR-*"]), Ok(rules));
    }

    #[test]
    fn g_ignore_rules_are_case_insensitive_and_said_as_written() {
        let rules = IgnoreRules::parse(["flop-FUEL-BGN", "SCHD-adft"]).expect("well-formed");
        assert_eq!(rules.matching("FLOP", "fuel-bgn").as_deref(), Some("flop-FUEL-BGN"));
        assert_eq!(rules.matching("schd", "ADFT").as_deref(), Some("SCHD-adft"));
        assert_eq!(rules.matching("FLOP", "FUEL"), None);
    }

    #[test]
    fn g_ignore_a_bad_rule_is_named() {
        for rule in ["LDM", "-*", "LDM-", "*-*", "L DM-*", "", "LDM-A*"] {
            let error = IgnoreRules::parse([rule]).expect_err(rule);
            assert!(error.contains(&format!("{rule:?}")) && error.contains("TYPE-*"), "{error}");
        }
    }
}
