//! Functions of a file and how long they are.

use std::collections::BTreeMap;

/// Functions with a body of several lines, and how many lines each takes. Relies on rustfmt:
/// what begins with `fn` at an indentation ends with the first `}` at the same one.
pub(super) fn functions(text: &str) -> BTreeMap<String, usize> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = BTreeMap::new();
    for (number, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        let opened = lines[number..].iter().position(|line| line.contains('{') || line.ends_with(';'));
        let Some(opened) = opened.map(|lines| number + lines) else { continue };
        if lines[opened].ends_with(';') || lines[opened].ends_with('}') {
            continue;
        }
        let indentation = line.len() - line.trim_start().len();
        let end = format!("{}}}", &line[..indentation]);
        if let Some(length) = lines[opened..].iter().position(|line| *line == end) {
            found.insert(format!("{name} (line {})", number + 1), opened - number + length + 1);
        }
    }
    found
}

fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let qualifiers = before.split_whitespace().all(|word| {
        ["pub", "const", "async", "unsafe", "extern"].contains(&word) || word.starts_with("pub(")
    });
    let end = after.find(['(', '<'])?;
    (qualifiers && !after[..end].contains(' ')).then(|| &after[..end])
}

#[test]
fn the_length_of_a_function_is_told() {
    let text = "fn one() {}\n\nimpl X {\n    pub(crate) async fn two(\n        a: u8,\n    ) -> u8 {\n        a\n    }\n\n    fn three();\n}\n";
    assert_eq!(functions(text), BTreeMap::from([("two (line 4)".to_owned(), 5)]));
}
