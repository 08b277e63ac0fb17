//! Prints the compiled-in dictionary as Markdown; `cargo xtask gen` puts it into the manual.

fn main() {
    print!("{}", sis::vocabulary::markdown(sis::Dictionary::baseline()));
}
