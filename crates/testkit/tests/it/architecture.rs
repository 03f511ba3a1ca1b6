//! The rules of who may import whom, read from the sources.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::modules::Modules;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The crates that each crate may depend on. A crate that is not listed is new and has no rule yet.
fn allowed() -> BTreeMap<&'static str, &'static [&'static str]> {
    BTreeMap::from([
        ("tape", &[][..]),
        ("upstream", &["memtape-tape"]),
        ("remote", &["memtape-tape", "memtape-upstream"]),
        ("language", &[]),
        ("embed", &["memtape-language"]),
        ("setup", &[]),
        ("core", &["memtape-tape"]),
        ("capture", &["memtape-core", "memtape-language"]),
        ("index", &["memtape-core", "memtape-tape"]),
        ("worktree", &["memtape-core", "memtape-tape"]),
        ("store", &["memtape-core", "memtape-index", "memtape-tape", "memtape-upstream", "memtape-worktree"]),
        (
            "memtape",
            &[
                "memtape-capture",
                "memtape-core",
                "memtape-embed",
                "memtape-index",
                "memtape-store",
                "memtape-tape",
                "memtape-upstream",
                "memtape-worktree",
            ],
        ),
        ("inspect", &["memtape"]),
        ("server", &["memtape", "memtape-inspect"]),
        ("mind", &["memtape"]),
        ("import", &["memtape"]),
        (
            "cli",
            &[
                "memtape",
                "memtape-import",
                "memtape-mind",
                "memtape-remote",
                "memtape-server",
                "memtape-setup",
                "memtape-upstream",
            ],
        ),
        (
            "testkit",
            &[
                "memtape",
                "memtape-core",
                "memtape-index",
                "memtape-inspect",
                "memtape-remote",
                "memtape-server",
                "memtape-store",
                "memtape-tape",
                "memtape-upstream",
            ],
        ),
    ])
}

/// The names that a layer must not use, with the reason.
const FORBIDDEN: [(&str, &str, &[&str]); 12] = [
    (
        "tape",
        "the tape reads no clock, makes no random numbers and knows no memory",
        &["Timestamp::now", "SystemTime", "getrandom", "std::env", "rusqlite", "tokio", "memtape_core"],
    ),
    (
        "core",
        "core is pure: no clock, no files, no environment, no database",
        &[
            "Timestamp::now",
            "SystemTime",
            "Instant::now",
            "getrandom",
            "std::env::",
            "std::fs",
            "std::io",
            "rusqlite",
            "tokio",
        ],
    ),
    (
        "index",
        "the index is given the time, the randomness and its settings, and knows no working copy",
        &["Timestamp::now", "SystemTime", "getrandom", "std::env", "git2", "tokio", "memtape_store"],
    ),
    (
        "worktree",
        "the working copy is given its settings, and knows neither the index nor what the files mean",
        &["getrandom", "std::env", "rusqlite", "tokio", "memtape_index", "memtape_store"],
    ),
    (
        "store",
        "the store is given its randomness and its settings; SQL belongs to the index, git to the worktree",
        &["getrandom", "std::env", "tokio", "rusqlite", "git2"],
    ),
    (
        "upstream",
        "the contract and the replica are synchronous, and know no system that keeps tapes",
        &["std::env", "tokio", "rusqlite", "memtape_core", "memtape_store"],
    ),
    ("memtape", "the library is synchronous; servers run it on blocking threads", &["tokio", "axum", "rmcp"]),
    (
        "server",
        "a face of the library asks only the library, and is given its place and its settings",
        &["std::env", "rusqlite", "git2", "memtape_core", "memtape_index", "memtape_store", "memtape_tape"],
    ),
    (
        "inspect",
        "the pages are functions of a workspace and a request: they know no server, and ask only the library",
        &[
            "std::env",
            "std::fs",
            "tokio",
            "axum",
            "rusqlite",
            "memtape_core",
            "memtape_index",
            "memtape_store",
            "memtape_tape",
        ],
    ),
    (
        "mind",
        "what asks a model asks only the library, and is given the variables of the environment",
        &["std::env", "rusqlite", "tokio", "memtape_core", "memtape_index", "memtape_store", "memtape_tape"],
    ),
    (
        "import",
        "an importer asks only the library, and its sources read only through their input",
        &["std::env", "tokio", "memtape_core", "memtape_index", "memtape_store", "memtape_tape"],
    ),
    (
        "setup",
        "the set-up is given the home, the project and the variables, and knows nothing of memtape but its command",
        &["getrandom", "std::env", "memtape_core", "memtape_tape", "memtape::"],
    ),
];

fn sources(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found
}

/// A source without its comments.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

#[test]
fn crates_depend_only_downwards() {
    let allowed = allowed();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let dir = entry.unwrap().path();
        let name = dir.file_name().unwrap().to_str().unwrap().to_owned();
        let manifest = fs::read_to_string(dir.join("Cargo.toml")).unwrap();
        let rule = allowed.get(name.as_str()).unwrap_or_else(|| panic!("crate {name} has no rule here"));
        let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let dependencies = dependencies.split("\n[").next().unwrap_or_default();
        for line in dependencies.lines().filter(|line| line.starts_with("memtape")) {
            let dependency = line.split(['.', ' ', '=']).next().unwrap();
            assert!(rule.contains(&dependency), "{name} must not depend on {dependency}");
        }
    }
}

#[test]
fn layers_do_not_import_outer_layers() {
    for (name, why, words) in FORBIDDEN {
        let tests = |path: &PathBuf| path.ends_with("tests.rs");
        for path in sources(&root().join("crates").join(name).join("src")).into_iter().filter(|p| !tests(p)) {
            let code = code(&path);
            for word in words {
                assert!(!code.contains(word), "{}: {word}: {why}", path.display());
            }
        }
    }
}

#[test]
fn forms_do_not_know_each_other() {
    let forms = root().join("crates/core/src/forms");
    let names: Vec<String> = fs::read_dir(&forms)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert!(names.len() >= 2, "{names:?}");
    for name in &names {
        let mut files = sources(&forms.join(name));
        files.push(forms.join(format!("{name}.rs")));
        for file in ["entry.rs", "ops.rs", "view.rs"] {
            assert!(
                forms.join(name).join(file).exists(),
                "{name} has no {file}: every form has the same files"
            );
        }
        for path in files {
            for other in names.iter().filter(|other| *other != name) {
                let code = code(&path);
                assert!(!code.contains(&format!("forms::{other}")), "{} knows {other}", path.display());
            }
        }
    }
}

#[test]
fn the_command_line_sees_only_the_library() {
    for path in sources(&root().join("crates/cli/src")) {
        for word in
            ["memtape_core", "memtape_index", "memtape_store", "memtape_tape", "memtape_worktree", "rusqlite"]
        {
            assert!(!code(&path).contains(word), "{}: {word}", path.display());
        }
    }
}

#[test]
fn modules_of_a_crate_import_each_other_in_one_direction() {
    for (name, _) in allowed() {
        let circles = Modules::read(&root().join("crates").join(name).join("src")).circles();
        assert!(circles.is_empty(), "{name}: {}", circles.join("\n"));
    }
}
