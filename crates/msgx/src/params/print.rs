//! The registry as documentation and as example files.

use std::fmt::Write as _;

use super::{PARAMS, env_name};

/// The registry as a Markdown table.
pub(crate) fn markdown() -> String {
    let mut text = String::from("| key | default | form | basis | meaning |\n|---|---|---|---|---|\n");
    for param in PARAMS {
        let default =
            if param.default.is_empty() { "(not set)".into() } else { format!("`{}`", param.default) };
        let form = param.kind.form().replace('|', "\\|");
        let _ = writeln!(
            text,
            "| `{}` | {default} | {form} | {} | {} |",
            param.key,
            param.basis.as_str(),
            param.meaning
        );
    }
    text
}

/// `msgx.example.toml`: every key with its default, commented out.
pub(crate) fn toml_example() -> String {
    let mut text = String::from("# Every parameter with its default. Uncomment what you change.\n");
    for param in PARAMS {
        let _ = writeln!(
            text,
            "\n# {}\n# Form: {}.\n# {} = \"{}\"",
            param.meaning,
            param.kind.form(),
            param.key,
            param.default
        );
    }
    text
}

/// `.env.example`: the same as environment variables.
pub(crate) fn env_example() -> String {
    let mut text = String::from("# Every parameter as an environment variable with its default.\n");
    for param in PARAMS {
        let _ = writeln!(text, "# {}={}", env_name(param.key), param.default);
    }
    text
}
