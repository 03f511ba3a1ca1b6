//! Checks that `main.rs` declares every test file: an undeclared one would never run.

use std::fs;
use std::path::Path;

const MAIN: &str = include_str!("main.rs");

#[test]
fn every_file_here_is_declared_in_main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let mut files = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if name == "main" || path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        files += 1;
        assert!(MAIN.lines().any(|line| line == format!("mod {name};")), "main.rs lacks `mod {name};`");
    }
    assert_eq!(files, MAIN.lines().filter(|line| line.starts_with("mod ")).count());
}
