//! Law 7, *working copy*, for names: after any command, every file that a person created is on the disk with its bytes,
//! or on the tape under its path, whatever its name is; and the tape contains no invented name.

use std::collections::BTreeMap;
use std::fs;

use memtape::{At, FilePath, Origin, Workspace};
use memtape_testkit::forms::notes::save;
use memtape_testkit::refusals::allow_refusals;
use memtape_testkit::{TestWorkspace, names};
use proptest::prelude::*;

const FOLDERS: [&str; 4] = ["files/drafts", "files/own folder", "facts", "episodes"];

#[derive(Clone, Debug)]
enum Act {
    /// A person makes a file, or writes it anew.
    Make(usize, String, String),
    /// A person renames the file that they created first.
    Rename(usize, String),
    /// A tool writes a file.
    Write(String, String),
    /// Forks a branch and checks it out.
    Fork(String),
    /// Checks out main.
    Main,
    /// A reading command.
    Status,
    /// Scans for secrets and redacts them.
    Scan,
}

fn acts() -> impl Strategy<Value = Act> {
    let folder = || 0..FOLDERS.len();
    prop_oneof![
        6 => (folder(), names::any(), "[a-z ]{1,12}").prop_map(|(n, name, text)| Act::Make(n, name, text)),
        1 => (folder(), names::any()).prop_map(|(n, name)| Act::Rename(n, name)),
        2 => (names::any(), "[a-z ]{1,12}").prop_map(|(name, text)| Act::Write(name, text)),
        1 => names::any().prop_map(Act::Fork),
        1 => Just(Act::Main),
        2 => Just(Act::Status),
        1 => Just(Act::Scan),
    ]
}

type Made = BTreeMap<String, Vec<u8>>;

fn run(act: &Act, workspace: &Workspace, made: &mut Made) {
    let (dir, branches) = (workspace.dir(), workspace.branches());
    let at = |folder: usize, name: &str| format!("{}/{name}.md", FOLDERS[folder]);
    let done = match act {
        Act::Make(folder, name, text) => {
            let text = format!("- about: {text}\n").into_bytes();
            save(&dir.join(at(*folder, name)), &text);
            drop(made.insert(at(*folder, name), text));
            Ok(())
        }
        Act::Rename(folder, name) => {
            let (to, first) = (at(*folder, name), made.keys().find(|from| dir.join(from).exists()).cloned());
            if let Some(from) = first.filter(|_| dir.join(FOLDERS[*folder]).exists()) {
                fs::rename(dir.join(&from), dir.join(&to)).unwrap();
                let text = made.remove(&from).unwrap();
                made.insert(to, text);
            }
            Ok(())
        }
        Act::Write(name, text) => FilePath::new(&format!("drafts/tool {name}.md"))
            .map_err(memtape::Error::from)
            .and_then(|path| workspace.files().writing_as(Origin::Assistant).write(&path, text))
            .map(|_| ()),
        Act::Fork(name) => {
            let name = name.replace([' ', ':', '@'], "-");
            branches.create(&name, None, &At::head()).and_then(|_| branches.switch(&name, true)).map(|_| ())
        }
        Act::Main => branches.switch("main", true).map(|_| ()),
        Act::Status => workspace.status(&At::head()).map(|_| ()),
        Act::Scan => workspace.scan_and_redact().map(|_| ()),
    };
    allow_refusals(done).unwrap();
}

/// Returns the files and notes on the tape, on every branch.
fn on_tape(workspace: &Workspace) -> Vec<Made> {
    let entries = workspace.status(&At::head()).unwrap().entries;
    let branches = workspace.branches().list(&At::head()).unwrap();
    let of = |branch: &str| {
        let at = workspace.at(&format!("{branch}@{entries}")).unwrap();
        let files = workspace.files().list(None, &at).unwrap();
        let text = |path: &FilePath| workspace.files().read(path, &at).unwrap().bytes;
        let files = files.iter().map(|file| (format!("files/{}", file.path), text(&file.path)));
        let notes = workspace.notes().view(&at).unwrap();
        files.chain(notes.files().map(|file| (file.path.to_string(), file.bytes()))).collect()
    };
    branches.iter().map(|branch| of(&branch.name)).collect()
}

fn assert_nothing_is_lost(workspace: &Workspace, made: &Made) {
    let is_there = |(path, text): &(&String, &Vec<u8>)| {
        fs::read(workspace.dir().join(path)).is_ok_and(|standing| standing == **text)
    };
    let gone: Vec<_> = made.iter().filter(|made| !is_there(made)).collect();
    if !gone.is_empty() {
        let tape = on_tape(workspace);
        for (path, text) in gone {
            assert!(tape.iter().any(|files| files.get(path) == Some(text)), "{path} is lost");
        }
    }
    let tape = fs::read_to_string(workspace.dir().join("tape.jsonl")).unwrap();
    assert!(!tape.contains("[redacted:"), "no text held a secret, and no name is redacted");
}

proptest! {
    #![proptest_config(memtape_testkit::random(16))]

    #[test]
    fn law_7_a_persons_file_is_on_disk_or_on_the_tape(acts in prop::collection::vec(acts(), 1..16)) {
        let test = TestWorkspace::new();
        let mut made = Made::new();
        for act in &acts {
            run(act, &test.workspace, &mut made);
            assert_nothing_is_lost(&test.workspace, &made);
        }
    }
}
