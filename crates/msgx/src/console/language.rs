//! Which language the page speaks.

/// Language of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Chinese,
    English,
}

impl Language {
    /// `?lang=`, else the browser's first wish, else Chinese.
    pub(crate) fn choose(asked: Option<&str>, accepted: Option<&str>) -> Self {
        let wish = asked.or(accepted).unwrap_or("zh");
        if wish.trim_start().to_ascii_lowercase().starts_with("en") { Self::English } else { Self::Chinese }
    }

    /// Code for `<html lang>`.
    pub(crate) fn code(self) -> &'static str {
        self.pick("zh-CN", "en")
    }

    /// Code and name of the language that isn't this one.
    pub(crate) fn pick_other(self) -> (&'static str, &'static str) {
        match self {
            Self::Chinese => ("en", "English"),
            Self::English => ("zh", "中文"),
        }
    }

    /// The text of this language.
    pub(crate) fn pick(self, chinese: &'static str, english: &'static str) -> &'static str {
        match self {
            Self::Chinese => chinese,
            Self::English => english,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn the_page_speaks_the_language_asked_for_then_the_browsers_then_chinese() {
        assert_eq!(Language::choose(Some("en"), Some("zh-CN")), Language::English);
        assert_eq!(Language::choose(None, Some("en-GB,zh")), Language::English);
        assert_eq!(Language::choose(None, Some("zh-CN,en")), Language::Chinese);
        assert_eq!(Language::choose(None, None), Language::Chinese);
    }
}
