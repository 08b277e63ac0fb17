//! `--set key=value`, wherever it stands on the command line.

/// Every `--set` in order, before and behind the command: the parser alone would forget those before
/// it when there is one behind it.
pub(super) fn every_set(arguments: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut sets = Vec::new();
    let mut arguments = arguments.into_iter().take_while(|argument| argument != "--");
    while let Some(argument) = arguments.next() {
        match argument.strip_prefix("--set") {
            Some("") => sets.extend(arguments.next()),
            Some(value) => sets.extend(value.strip_prefix('=').map(str::to_owned)),
            None => {}
        }
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::every_set;

    #[test]
    fn a_set_before_the_command_counts_as_one_behind_it() {
        let line = ["msgx", "--set", "a=1", "params", "--set=b=2", "--output", "json", "--", "--set", "c=3"];
        assert_eq!(every_set(line.map(str::to_owned)), ["a=1", "b=2"]);
    }
}
