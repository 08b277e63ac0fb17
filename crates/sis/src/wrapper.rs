//! XML that comes as a string in JSON, as some middleware between sender and mailbox wraps it:
//! `{"mainType": …, "subType": …, "sender": …, "message": "<?xml …"}`.

use serde::Deserialize;

use crate::{Position, Problem};

/// Only the message counts: the other members repeat META, which is what the sender wrote.
#[derive(Deserialize)]
struct Wrapper {
    message: String,
}

/// The text inside, or the text itself where nothing wraps it: XML can't begin with a brace.
pub(crate) fn unwrap(text: String) -> Result<String, Problem> {
    let inside = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    if !inside.starts_with('{') {
        return Ok(text);
    }
    let before = text.len() - inside.len();
    match serde_json::from_str(inside) {
        Ok(Wrapper { message }) => Ok(message),
        Err(error) => Err(refusal(&text, before, &error)),
    }
}

/// The error's own words could quote a value, which may be personal.
fn refusal(text: &str, before: usize, error: &serde_json::Error) -> Problem {
    let line_start =
        |line: usize| text[before..].split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
    let at = before + line_start(error.line().max(1)) + error.column().saturating_sub(1);
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let words = match error.classify() {
        serde_json::error::Category::Eof => "the JSON around the message ends early",
        serde_json::error::Category::Syntax | serde_json::error::Category::Io => {
            "the JSON around the message is not well-formed"
        }
        serde_json::error::Category::Data => "JSON must hold the XML as a string named `message`, once",
    };
    Problem::malformed(Position::of(text, at), String::new(), words.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_inside_is_what_counts() {
        let wrapped = r#"{"mainType":"FLOP","subType":"ESTT","sender":"X","message":"<MSG a=\"\u4e2d\"/>"}"#;
        for (text, expected) in [
            (wrapped.to_owned(), "<MSG a=\"中\"/>"),
            (format!("\u{feff}\n {wrapped}\n"), "<MSG a=\"中\"/>"),
            ("<MSG>{</MSG>".to_owned(), "<MSG>{</MSG>"),
            (String::new(), ""),
        ] {
            assert_eq!(unwrap(text).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn other_json_is_malformed_with_its_place_and_without_its_values() {
        for (text, line, column, words) in [
            ("{\"message\":\"<MSG/>\"", 1, 19, "ends early"),
            ("{\"message\":\"<MSG/>\"}x", 1, 21, "not well-formed"),
            ("{\n\"message\":7731}", 2, 14, "named `message`"),
            ("{}", 1, 2, "named `message`"),
            ("{\"message\":\"a\",\"message\":\"b\"}", 1, 24, "once"),
            ("{\"message\":\"\\ud800\"}", 1, 19, "not well-formed"),
        ] {
            let problem = unwrap(text.to_owned()).expect_err(text);
            assert!(problem.text.contains(words), "{text}: {problem}");
            assert!(!problem.text.contains("7731"), "{problem}");
            assert_eq!((problem.position.line, problem.position.column), (line, column), "{text}");
        }
    }
}
