//! The documentation is what the sources say.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use memtape_import::{About, sources};

const BEGIN: &str = "<!-- sources -->\n";
const END: &str = "<!-- end of sources -->\n";

#[test]
fn the_table_of_sources_is_that_of_the_code() {
    let mut table = String::from("\n");
    for source in sources::all() {
        let About { name, reads, versions, routes } = source.about();
        writeln!(table, "### {name}\n\nReads {reads}. Versions: {versions}.\n").unwrap();
        table.push_str("| item | becomes |\n|---|---|\n");
        for route in *routes {
            writeln!(table, "| {} | {} |", route.item, route.form).unwrap();
        }
        table.push('\n');
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/IMPORT.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let expected = format!("{before}{BEGIN}{table}{END}{after}");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &expected).unwrap();
    } else {
        assert_eq!(page, expected, "UPDATE_EXPECT=1 writes the table");
    }
}
