//! The registry as documentation and as example files.

use std::fmt::Write as _;

use engine::happened::METRICS;

use super::{all, env_name};

/// The reference page: parameters and metrics.
pub(crate) fn markdown() -> String {
    let mut text = String::from(
        "# Reference\n\nPrinted by `msgx params --markdown`.\n\n## Parameters\n\n\
         Later wins: default, `msgx.toml` (or `--config`), environment, `--set key=value`. The variable of a key is \
         `MSGX_` and the key in upper case, dots and dashes as `_`; a leading `msgx.` isn't doubled. Secrets (marked \
         *) can be given as `<key>-file`.\n\n| key | default | form | basis | meaning |\n|---|---|---|---|---|\n",
    );
    for param in all() {
        let default =
            if param.default.is_empty() { "(not set)".into() } else { format!("`{}`", param.default) };
        let form = param.kind.form().replace('|', "\\|");
        let secret = if param.secret { " *" } else { "" };
        let _ = writeln!(
            text,
            "| `{}`{secret} | {default} | {form} | {} | {} |",
            param.key,
            param.basis.as_str(),
            param.meaning
        );
    }
    text.push_str("\n## Metrics\n\n| name | kind | labels | meaning |\n|---|---|---|---|\n");
    for metric in METRICS {
        let kind = format!("{:?}", metric.kind).to_lowercase();
        let _ =
            writeln!(text, "| `{}` | {kind} | {} | {} |", metric.name, metric.labels.join(", "), metric.help);
    }
    text
}

/// `msgx.example.toml`: every key with its default, commented out.
pub(crate) fn toml_example() -> String {
    let mut text = String::from("# Every parameter with its default. Uncomment what you change.\n");
    for param in all() {
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
    for param in all() {
        let _ = writeln!(text, "# {}={}", env_name(param.key), param.default);
    }
    text
}
