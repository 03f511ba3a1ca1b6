//! The files of a workspace on its tape, and in git, read by git itself.

use std::collections::BTreeMap;
use std::path::Path;

use git2::{ObjectType, Repository};
use memtape::{At, FilePath, Workspace};
use memtape_testkit::secrets::files_with;

pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// A secret that redaction finds.
pub(crate) const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

/// Writes a file.
pub(crate) fn write(workspace: &Workspace, path: &str, text: &str) {
    workspace.files().write(&FilePath::new(path).unwrap(), text).unwrap();
}

/// The files that the tape has.
pub(crate) fn on_tape(workspace: &Workspace) -> Files {
    let listed = workspace.files().list(None, &At::head()).unwrap();
    let read = |path: &FilePath| workspace.files().read(path, &At::head()).unwrap().bytes;
    listed.iter().map(|file| (file.path.to_string(), read(&file.path))).collect()
}

/// The files that the checked-out commit has; none before the first one.
pub(crate) fn committed(dir: &Path) -> Files {
    let Ok(repository) = Repository::open(dir) else { return Files::new() };
    let Ok(tree) = repository.head().and_then(|head| head.peel_to_tree()) else { return Files::new() };
    let mut found = Files::new();
    tree.walk(git2::TreeWalkMode::PreOrder, |folder, entry| {
        if entry.kind() == Some(ObjectType::Blob) {
            let path = format!("{folder}{}", entry.name().unwrap());
            let bytes = repository.find_blob(entry.id()).unwrap().content().to_vec();
            found.insert(path.strip_prefix("files/").unwrap().to_owned(), bytes);
        }
        git2::TreeWalkResult::Ok
    })
    .unwrap();
    found
}

/// The first lines of the commits' messages, the last one first.
pub(crate) fn messages(dir: &Path) -> Vec<String> {
    let repository = Repository::open(dir).unwrap();
    let mut walk = repository.revwalk().unwrap();
    walk.push_head().unwrap();
    walk.map(|id| repository.find_commit(id.unwrap()).unwrap().summary().unwrap().unwrap().to_owned())
        .collect()
}

/// Returns whether git has nothing to commit.
pub(crate) fn is_clean(dir: &Path) -> bool {
    let repository = Repository::open(dir).unwrap();
    let mut options = git2::StatusOptions::new();
    options.include_untracked(true);
    repository.statuses(Some(&mut options)).unwrap().is_empty()
}

/// Checks that no object of git contains a text.
pub(crate) fn assert_not_in_git(dir: &Path, text: &str) {
    let repository = Repository::open(dir).unwrap();
    let odb = repository.odb().unwrap();
    let mut count = 0;
    odb.foreach(|id| {
        count += 1;
        let object = odb.read(*id).unwrap();
        let holds = object.data().windows(text.len()).any(|window| window == text.as_bytes());
        assert!(!holds, "{} {id} holds it", object.kind());
        true
    })
    .unwrap();
    assert!(count > 0, "there are objects");
    assert_eq!(files_with(dir, text).unwrap(), Vec::<String>::new());
}

/// Commits a file beside memtape's own, as a person does.
pub(crate) fn commit_by_hand(dir: &Path, path: &str, text: &str, message: &str) {
    let repository = Repository::open(dir).unwrap();
    let head = repository.head().unwrap().peel_to_commit().unwrap();
    let blob = repository.blob(text.as_bytes()).unwrap();
    let mut update = git2::build::TreeUpdateBuilder::new();
    update.upsert(path, blob, git2::FileMode::Blob);
    let tree = update.create_updated(&repository, &head.tree().unwrap()).unwrap();
    let tree = repository.find_tree(tree).unwrap();
    let by = git2::Signature::now("Ana", "ana@example.com").unwrap();
    repository.commit(Some("HEAD"), &by, &by, message, &tree, &[&head]).unwrap();
}
