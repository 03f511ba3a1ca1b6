//! Capture and redaction are no worse on the project's own texts than they were.

use std::path::Path;
use std::process::Command;

#[test]
fn capture_and_redaction_are_no_worse_than_they_were() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new(env!("CARGO_BIN_EXE_memtape-evals")).arg("gate").current_dir(root).output();
    let output = output.expect("the program runs");
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
