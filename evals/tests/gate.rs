//! Capture, prompts, the order of changed facts and redaction are no worse on the project's own texts than they were.

use std::path::Path;
use std::process::Command;

fn is_no_worse(set: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output =
        Command::new(env!("CARGO_BIN_EXE_memtape-evals")).args(["gate", set]).current_dir(root).output();
    let output = output.expect("the program runs");
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn capture_is_no_worse() {
    is_no_worse("capture");
}

#[test]
fn prompts_are_no_worse() {
    is_no_worse("noise");
}

#[test]
fn the_order_of_changed_facts_is_no_worse() {
    is_no_worse("updates");
}

#[test]
fn redaction_is_no_worse() {
    is_no_worse("secrets");
}
