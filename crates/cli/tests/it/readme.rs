//! Checks that the sessions in README.md run as printed.
//!
//! Each `##` section that contains a console block is one session, in a directory of its own. A section
//! without
//! `memtape init` begins in a new workspace. `UPDATE_EXPECT=1` updates README.md; read it before you commit
//! it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use regex::Regex;

use crate::harness::Home;

/// The directory of the workspace as shown in the README.
const SHOWN_DIR: &str = "/home/ana/agent";
/// The conversation that a session ingests.
const CHAT: &str = include_str!("../readme/chat.jsonl");
/// A substitute for an editor, which appends a line to the file.
const EDITOR: &str = "#!/bin/sh\necho '- Likes: window seats' >> \"$1\"\n";

#[test]
fn the_sessions_of_the_readme_run_as_printed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = fs::read_to_string(&path).expect("the project has a README");
    let ran: String = sections(&readme).iter().map(|section| run_section(section)).collect();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, ran).expect("README.md can be written");
    } else if ran != readme {
        let mut changed = String::new();
        for change in similar::TextDiff::from_lines(&readme, &ran).iter_all_changes() {
            if change.tag() != similar::ChangeTag::Equal {
                let _ = write!(changed, "{}{change}", change.tag());
            }
        }
        panic!("README.md prints something else (UPDATE_EXPECT=1 writes it anew):\n{changed}");
    }
}

/// A number that the test of the sessions ignores is the same wherever the README prints it.
#[test]
fn a_version_of_a_statement_has_one_confidence() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = fs::read_to_string(&path).expect("the project has a README");
    let printed = Regex::new(r"(?m)^(statements:[0-9a-f]{16}).*confidence (\d\.\d\d)").expect("a pattern");
    let mut known: BTreeMap<&str, &str> = BTreeMap::new();
    for found in printed.captures_iter(&readme) {
        let (_, [reference, confidence]) = found.extract();
        assert_eq!(*known.entry(reference).or_insert(confidence), confidence, "{reference}");
    }
    assert!(!known.is_empty());
}

/// Splits a text before each `## ` heading outside code blocks.
fn sections(text: &str) -> Vec<String> {
    let mut sections = vec![String::new()];
    let mut is_code = false;
    for line in text.split_inclusive('\n') {
        is_code ^= line.starts_with("```");
        if !is_code && line.starts_with("## ") {
            sections.push(String::new());
        }
        sections.last_mut().expect("there is a first section").push_str(line);
    }
    sections
}

/// Returns a section with its current output. A difference only in what varies from run to run is kept as it
/// was.
fn run_section(section: &str) -> String {
    if !section.contains("```console\n") {
        return section.to_owned();
    }
    let home = Home::bare();
    home.write("chat.jsonl", CHAT);
    if !section.contains("$ memtape init") {
        home.setup(&["init"]);
    }
    let mut out = String::new();
    let mut rest = section;
    while let Some((before, block)) = rest.split_once("```console\n") {
        let (block, after) = block.split_once("```").expect("a code block ends");
        let _ = write!(out, "{before}```console\n{}```", run_block(&home, block));
        rest = after;
    }
    out + rest
}

/// Runs the commands of a block, and returns them with their output.
fn run_block(home: &Home, block: &str) -> String {
    let mut out = String::new();
    let mut lines = block.lines().peekable();
    while let Some(line) = lines.next() {
        let mut command = line.strip_prefix("$ ").expect("a command begins with `$ `").to_owned();
        let _ = writeln!(out, "{line}");
        // A quoted text continues on the next line.
        while command.matches('\'').count() % 2 == 1 {
            let Some(more) = lines.next_if(|line| line.starts_with("> ")) else { break };
            let _ = writeln!(out, "{more}");
            let _ = write!(command, "\n{}", &more[2..]);
        }
        let mut printed = String::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
            let _ = writeln!(printed, "{line}");
        }
        match run(home, &command) {
            Some(found) if normalised(&found) != normalised(&printed) => out.push_str(&found),
            _ => out.push_str(&printed),
        }
    }
    out
}

/// Returns the output of a command on a terminal; `None` if its program is not installed.
fn run(home: &Home, command: &str) -> Option<String> {
    let bin =
        PathBuf::from(env!("CARGO_BIN_EXE_memtape")).parent().expect("a program is in a folder").to_owned();
    let mut dirs = vec![bin];
    dirs.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let program = command.split(' ').next().unwrap_or_default();
    let is_there = program == "$EDITOR" || dirs.iter().any(|dir| dir.join(program).exists());
    if !is_there {
        return None;
    }
    let editor = home.at_home("editor");
    fs::write(&editor, EDITOR).expect("a script can be written");
    let output = Command::new("sh")
        .args([
            "-c",
            &format!("{{ {}\n}} 2>&1", command.replace("$EDITOR", &format!("sh {}", editor.display()))),
        ])
        .current_dir(home.path(""))
        .env_clear()
        .env("PATH", std::env::join_paths(dirs).expect("folders of programs hold no colon"))
        .env("HOME", home.at_home(""))
        .env("TZ", "UTC")
        .env("XDG_CONFIG_HOME", home.at_home("../config"))
        .output()
        .expect("a shell runs");
    let text = String::from_utf8(output.stdout).expect("commands print UTF-8");
    let dir = home.path("").canonicalize().expect("the folder is there");
    Some(text.replace(&dir.display().to_string(), SHOWN_DIR))
}

/// Replaces what varies from run to run: dates, times, hashes and scores.
fn normalised(text: &str) -> String {
    let mut text = text.to_owned();
    for (pattern, instead) in [
        (r"\d{4}-\d\d-\d\d", "DAY"),
        (r"\d\d:\d\d(:\d\d)?", "TIME"),
        (r"\b[0-9a-f]{7,}\b", "HEX"),
        (r"\d\.\d+", "NUMBER"),
    ] {
        text = Regex::new(pattern).expect("the pattern is one").replace_all(&text, instead).into_owned();
    }
    text
}
