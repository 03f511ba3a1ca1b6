//! The sources, the names and the licenses of the dependencies follow `deny.toml`. `cargo deny`, which
//! `cargo xtask nightly` runs, checks those of other platforms too, and takes minutes to install.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use spdx::{Expression, ParseMode};
use toml::Table;

/// The registry of crates.io, as `Cargo.lock` spells it.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn table(file: &str) -> Table {
    fs::read_to_string(root().join(file)).unwrap().parse().unwrap()
}

/// Returns the packages of a lock file that are banned or come from elsewhere than crates.io.
fn strangers(lock: &Table, rules: &Table) -> Vec<String> {
    let banned = rules["bans"]["deny"].as_array().unwrap();
    let is_banned = |name: &str| banned.iter().any(|ban| ban["crate"].as_str() == Some(name));
    let packages = lock["package"].as_array().unwrap();
    let refused = packages.iter().filter_map(|package| {
        let name = package["name"].as_str().unwrap();
        // A package of the workspace has no source.
        let source = package.get("source").map(|source| source.as_str().unwrap());
        match source {
            _ if is_banned(name) => Some(format!("{name} is banned")),
            Some(source) if source != REGISTRY => Some(format!("{name} is from {source}")),
            _ => None,
        }
    });
    refused.collect()
}

/// Returns the packages that have a license which is not allowed, or none.
fn unlicensed(metadata: &Value, rules: &Table) -> Vec<String> {
    let allowed = rules["licenses"]["allow"].as_array().unwrap();
    let is_allowed = |license: &str| allowed.iter().any(|allowed| allowed.as_str() == Some(license));
    let packages = metadata["packages"].as_array().unwrap();
    let refused = packages.iter().filter(|package| {
        let license = package["license"].as_str().unwrap_or_default();
        let read = Expression::parse_mode(license, ParseMode::LAX);
        !read.is_ok_and(|read| read.evaluate(|license| is_allowed(&license.to_string())))
    });
    refused.map(|package| format!("{} has the license {}", package["name"], package["license"])).collect()
}

#[test]
fn every_dependency_may_be_used() {
    let rules = table("deny.toml");
    assert_eq!(strangers(&table("Cargo.lock"), &rules), Vec::<String>::new());
    let ran = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--locked",
            "--offline",
            "--filter-platform",
            "host-tuple",
        ])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let metadata: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert!(metadata["packages"].as_array().unwrap().len() > 100);
    assert_eq!(unlicensed(&metadata, &rules), Vec::<String>::new());
}

#[test]
fn a_dependency_that_may_not_be_used_is_found() {
    let rules: Table =
        "[licenses]\nallow = [\"MIT\"]\n[bans]\ndeny = [{ crate = \"openssl-sys\" }]".parse().unwrap();
    let lock = format!(
        "[[package]]\nname = \"ours\"\n\
         [[package]]\nname = \"good\"\nsource = \"{REGISTRY}\"\n\
         [[package]]\nname = \"openssl-sys\"\nsource = \"{REGISTRY}\"\n\
         [[package]]\nname = \"forked\"\nsource = \"git+https://example.org/forked\"\n"
    );
    let found = strangers(&lock.parse().unwrap(), &rules);
    assert_eq!(found, ["openssl-sys is banned", "forked is from git+https://example.org/forked"]);

    let package = |name: &str, license: &str| serde_json::json!({"name": name, "license": license});
    let metadata = serde_json::json!({"packages": [
        package("good", "MIT/Apache-2.0"),
        package("copyleft", "GPL-3.0-only"),
        package("both", "MIT AND GPL-3.0-only"),
        package("none", ""),
        {"name": "absent", "license": null},
    ]});
    let expected = [
        r#""copyleft" has the license "GPL-3.0-only""#,
        r#""both" has the license "MIT AND GPL-3.0-only""#,
        r#""none" has the license """#,
        r#""absent" has the license null"#,
    ];
    assert_eq!(unlicensed(&metadata, &rules), expected);
}
