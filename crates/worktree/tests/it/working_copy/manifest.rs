//! The manifest: unreadable, missing, of another root, and of long edits.

use super::*;

#[test]
fn an_unreadable_manifest_is_an_error_with_a_hint() {
    let dir = tempfile::tempdir().unwrap();
    let copy = holding(dir.path(), &[("facts/a.md", "a")]);
    let path = dir.path().join(MANIFEST_FILE);
    let whole: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let with = |key: &str, value: serde_json::Value| {
        let mut changed = whole.clone();
        changed[key] = value;
        changed.to_string()
    };
    let outside = serde_json::json!({"facts/../../x.md": whole["files"]["facts/a.md"]});
    for (text, why) in [
        (with("version", 5.into()), "version 5"),
        (with("colour", "red".into()), "colour"),
        (with("files", outside), "x.md"),
        ("{".to_owned(), "EOF"),
    ] {
        fs::write(&path, text).unwrap();
        let failed = copy.look().unwrap_err();
        assert_eq!(failed.kind(), Kind::Corrupt);
        let said = failed.to_string();
        assert!(said.contains(why) && said.contains("Move it away"), "{said}");
        assert!(copy.writing().is_err());
    }
    fs::remove_file(&path).unwrap();
    symlink(dir.path().join("facts/a.md"), &path).unwrap();
    assert_eq!(copy.look().unwrap_err().kind(), Kind::Corrupt);
}

#[test]
fn without_a_manifest_different_files_count_as_edits() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    holding(
        root,
        &[
            ("facts/same.md", "same"),
            ("facts/old.md", "old"),
            ("facts/edited.md", "mine"),
            ("facts/new.md", "new"),
        ],
    );
    fs::remove_file(root.join(MANIFEST_FILE)).unwrap();
    let copy = copy(root);
    let look = copy.look().unwrap();
    assert_eq!((&look.base, told(&look)), (&None, Vec::new()));
    let tape = view(&[
        ("facts/same.md", "same"),
        ("facts/old.md", "newer"),
        ("facts/edited.md", "theirs"),
        ("facts/gone.md", "gone"),
    ]);
    let digests = tape.iter().map(|(path, text)| (path.clone(), Hash::of(text))).collect();
    let mut writing = copy.writing().unwrap();
    writing
        .assume(&base(9), &digests, |path, sha256| {
            (path == "facts/old.md" && *sha256 == Hash::of(b"old")).then(|| base(5))
        })
        .unwrap();
    let look = writing.look().unwrap();
    let told = told(&look);
    let what: Vec<_> = told.iter().map(|(path, what, _)| (path.as_str(), what.clone())).collect();
    assert_eq!(what, [("facts/edited.md", What::Edited), ("facts/new.md", What::New)]);
    // A file that is older than the tape is pending.
    assert_eq!(look.pending, ["facts/gone.md", "facts/old.md"]);
    assert_eq!(writing.manifest().unwrap().base_of("facts/old.md"), &base(5));
    assert_eq!(files(root)["facts/edited.md"], b"mine");
}

#[test]
fn the_manifest_of_another_root_counts_as_none() {
    let dir = tempfile::tempdir().unwrap();
    let at = |root: &Path| WorkingCopy::open(dir.path(), root, &FOLDERS, Durability::Os).unwrap();
    let roots = [dir.path().to_owned(), dir.path().join("notes"), dir.path().with_extension("elsewhere")];
    for (n, root) in roots.iter().enumerate() {
        let copy = at(root);
        let mut writing = copy.writing().unwrap();
        writing.assume(&base(0), &BTreeMap::new(), |_, _| None).unwrap();
        let look = writing.look().unwrap();
        checkout(&mut writing, &look, &base(1), view(&[("facts/a.md", "a")])).unwrap();
        assert_eq!((copy.other_root().unwrap(), copy.manifest().unwrap().is_some()), (None, true));
        for other in roots.iter().enumerate().filter(|(other, _)| *other != n).map(|(_, other)| at(other)) {
            assert_eq!(other.manifest().unwrap(), None);
            assert_eq!(other.other_root().unwrap().as_ref(), Some(root));
            assert_eq!(told(&other.look().unwrap()), []);
        }
        fs::remove_dir_all(root.join("facts")).unwrap();
    }
    fs::remove_dir(&roots[2]).unwrap();
    // A workspace may be moved.
    let moved = tempfile::tempdir().unwrap();
    fs::copy(dir.path().join(MANIFEST_FILE), moved.path().join(MANIFEST_FILE)).unwrap();
    let copy = WorkingCopy::open(moved.path(), &roots[2], &FOLDERS, Durability::Os).unwrap();
    assert!(copy.manifest().unwrap().is_some());
}

/// The manifest has the texts of all edits that are being recorded, each of which may have 16 MiB.
#[test]
fn long_edits_leave_the_manifest_readable() {
    let dir = tempfile::tempdir().unwrap();
    let copy = holding(dir.path(), &[("facts/a.md", "a")]);
    for name in ["b", "c"] {
        fs::write(dir.path().join(format!("facts/{name}.md")), "a".repeat(9 << 20)).unwrap();
    }
    let mut writing = copy.writing().unwrap();
    let look = writing.look().unwrap();
    writing.begin_edits(&look.changes).unwrap();
    assert!(fs::metadata(dir.path().join(MANIFEST_FILE)).unwrap().len() > 16 << 20);
    assert_eq!(copy.look().unwrap().changes.len(), 2);
    assert_eq!(copy.writing().unwrap().begun_edits().len(), 2);
}
