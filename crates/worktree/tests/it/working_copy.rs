//! The working copy: which edits it reports, which files it does not change, and its errors.

mod manifest;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::model::{FOLDERS, View, checkout, files};
use memtape_tape::{Durability, ErrorKind as Kind, Hash};
use memtape_worktree::working_copy::{
    Base, Look, MANIFEST_FILE, Odd, Replaced, Steps, What, WorkingCopy, Writing, replace_file,
    replace_file_over,
};

fn copy(root: &Path) -> WorkingCopy {
    WorkingCopy::open(root, root, &FOLDERS, Durability::Os).unwrap()
}

fn base(entry: u64) -> Base {
    Base { branch: "main".to_owned(), entry }
}

fn view(texts: &[(&str, &str)]) -> View {
    texts.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect()
}

/// A copy whose files are these, at entry 1.
fn holding(root: &Path, texts: &[(&str, &str)]) -> WorkingCopy {
    let copy = copy(root);
    let mut writing = copy.writing().unwrap();
    writing.assume(&base(0), &BTreeMap::new(), |_, _| None).unwrap();
    let look = writing.look().unwrap();
    let applied = checkout(&mut writing, &look, &base(1), view(texts)).unwrap();
    assert_eq!(applied, BTreeSet::new());
    assert_eq!(files(root), view(texts));
    drop(writing);
    copy
}

/// The tick of a file system's clock that is finer than FAT's.
const TICK: Duration = Duration::from_millis(40);

/// Storage whose clock has that tick.
struct FineClock;

impl Steps for FineClock {
    fn before(&self, _: &'static str) -> io::Result<()> {
        Ok(())
    }

    fn tick(&self) -> i64 {
        i64::try_from(TICK.as_nanos()).unwrap()
    }
}

fn with_fine_clock(root: &Path) -> WorkingCopy {
    WorkingCopy::over(root, root, &FOLDERS, Durability::Os, Arc::new(FineClock)).unwrap()
}

fn puts(texts: &[(&str, Option<&str>)]) -> BTreeMap<String, Option<Vec<u8>>> {
    texts.iter().map(|(path, text)| ((*path).to_owned(), text.map(|text| text.as_bytes().to_vec()))).collect()
}

/// Scans, and marks every change except those of these paths as recorded.
fn recorded_but(writing: &Writing<'_>, open: &[&str]) -> Look {
    let mut look = writing.look().unwrap();
    for change in &mut look.changes {
        let is_open = open.contains(&change.path.as_str());
        change.is_recorded = !is_open;
    }
    look
}

fn told(look: &Look) -> Vec<(String, What, Option<String>)> {
    let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
    look.changes.iter().map(|c| (c.path.clone(), c.what.clone(), c.bytes.as_ref().map(text))).collect()
}

fn odd(look: &Look) -> Vec<(&str, &Odd)> {
    let mut odd: Vec<_> = look.oddities.iter().map(|odd| (odd.path.as_str(), &odd.why)).collect();
    odd.sort_by_key(|(path, _)| *path);
    odd
}

#[test]
fn each_edit_is_reported_until_it_is_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    let copy =
        holding(root, &[("facts/a.md", "a"), ("facts/b.md", "b"), ("facts/c.md", "c"), ("facts/d.md", "d")]);
    assert_eq!(told(&copy.look().unwrap()), []);
    fs::write(root.join("facts/a.md"), "A").unwrap();
    fs::remove_file(root.join("facts/b.md")).unwrap();
    fs::rename(root.join("facts/c.md"), root.join("episodes/c.md")).unwrap_err();
    fs::create_dir(root.join("episodes")).unwrap();
    fs::rename(root.join("facts/c.md"), root.join("episodes/c.md")).unwrap();
    fs::write(root.join("episodes/new.md"), b"\xff new").unwrap();
    for stranger in ["facts/.#a.md", "facts/a.md~", "facts/.a.md.swp", "facts/4913", "facts/note.txt", "x.md"]
    {
        fs::write(root.join(stranger), "stranger").unwrap();
    }
    let mut writing = copy.writing().unwrap();
    let look = writing.look().unwrap();
    let from = "facts/c.md".to_owned();
    assert_eq!(
        told(&look),
        [
            ("episodes/c.md".to_owned(), What::Renamed { from }, Some("c".to_owned())),
            ("episodes/new.md".to_owned(), What::New, Some("\u{fffd} new".to_owned())),
            ("facts/a.md".to_owned(), What::Edited, Some("A".to_owned())),
            ("facts/b.md".to_owned(), What::Deleted, None),
        ]
    );
    assert_eq!(look.changes[1].bytes.as_deref(), Some(&b"\xff new"[..]));
    assert!(look.changes.iter().all(|change| change.base == base(1)));
    assert_eq!(odd(&look), []);
    // One file is replaced, one is merged; unrecorded ones are not changed, and reported again.
    let open = ["episodes/c.md", "episodes/new.md"];
    let look = recorded_but(&writing, &open);
    let puts = puts(&[
        ("facts/a.md", Some("A, and a tool's")),
        ("facts/b.md", None),
        ("episodes/new.md", Some("a tool's")),
    ]);
    assert_eq!(writing.apply(&look, &base(2), &puts).unwrap(), open.map(str::to_owned).into());
    let look = writing.look().unwrap();
    assert_eq!(fs::read(root.join("episodes/new.md")).unwrap(), b"\xff new");
    assert_eq!(
        told(&look).iter().map(|(path, ..)| &**path).collect::<Vec<_>>(),
        ["episodes/c.md", "episodes/new.md"]
    );
    assert_eq!(fs::read(root.join("facts/a.md")).unwrap(), b"A, and a tool's");
    for stranger in ["facts/.#a.md", "facts/a.md~", "facts/.a.md.swp", "facts/4913", "facts/note.txt", "x.md"]
    {
        assert_eq!(fs::read(root.join(stranger)).unwrap(), b"stranger");
    }
}

#[test]
fn an_unrecorded_edit_is_not_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("facts/a.md");
    let copy = holding(dir.path(), &[("facts/a.md", "a")]);
    let mut writing = copy.writing().unwrap();
    let before = writing.look().unwrap();
    fs::write(&path, "edited").unwrap();
    // One scan is from before the edit, and in the other the edit is not recorded.
    for look in [before, writing.look().unwrap()] {
        let applied = checkout(&mut writing, &look, &base(2), View::new()).unwrap();
        assert_eq!(applied, ["facts/a.md".to_owned()].into());
        assert_eq!(fs::read(&path).unwrap(), b"edited");
        assert_eq!(copy.look().unwrap().changes[0].base, base(1));
    }
    let look = writing.look().unwrap();
    let outside = writing.apply(&look, &base(2), &puts(&[("facts/../../x.md", Some("b"))]));
    assert_eq!(outside.unwrap_err().kind(), Kind::Invalid);
}

#[test]
fn an_edit_with_unchanged_size_and_times_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("facts/a.md");
    holding(dir.path(), &[("facts/a.md", "one")]);
    let copy = with_fine_clock(dir.path());
    // Within the tick in which the manifest was written, too.
    fs::write(&path, "two").unwrap();
    assert_eq!(told(&copy.look().unwrap()).len(), 1);
    fs::write(&path, "one").unwrap();
    std::thread::sleep(2 * TICK);
    let mut writing = copy.writing().unwrap();
    let look = writing.look().unwrap();
    assert_eq!((look.read, told(&look)), (1, Vec::new()));
    writing.record_metadata(&look).unwrap();
    assert_eq!(copy.look().unwrap().read, 0, "its times are known now");
    let times = fs::metadata(&path).unwrap().modified().unwrap();
    let manifest = fs::File::options().write(true).open(dir.path().join(MANIFEST_FILE)).unwrap();
    let written = manifest.metadata().unwrap().modified().unwrap();
    manifest.set_modified(times).unwrap();
    assert_eq!(copy.look().unwrap().read, 1, "a file that is no older than the manifest is read");
    manifest.set_modified(written).unwrap();
    fs::write(&path, "two").unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(times).unwrap();
    assert_eq!(told(&copy.look().unwrap()).len(), 1);
}

#[test]
fn special_files_are_reported_and_not_changed() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("workspace");
    fs::create_dir_all(root.join("facts")).unwrap();
    let secret = dir.path().join("secret.md");
    fs::write(&secret, "secret").unwrap();
    let copy = holding(&root, &[("facts/link.md", "l"), ("facts/hard.md", "h"), ("facts/Case.md", "c")]);
    fs::remove_file(root.join("facts/link.md")).unwrap();
    symlink(&secret, root.join("facts/link.md")).unwrap();
    fs::hard_link(root.join("facts/hard.md"), dir.path().join("elsewhere")).unwrap();
    fs::create_dir(root.join("facts/folder.md")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(root.join("facts/fifo.md")).status().unwrap();
    assert!(made.success());
    fs::write(root.join("facts/case.md"), "other").unwrap();
    fs::write(root.join("facts/a:b.md"), "").unwrap();
    fs::write(root.join("facts/.memtape-0-0.old"), "left").unwrap();
    symlink(dir.path(), root.join("episodes")).unwrap();
    let mut writing = copy.writing().unwrap();
    let look = writing.look().unwrap();
    assert_eq!(told(&look), []);
    let counts = "facts/Case.md".to_owned();
    assert_eq!(
        odd(&look),
        [
            ("episodes", &Odd::Link),
            ("facts/.memtape-0-0.old", &Odd::Leftover),
            ("facts/a:b.md", &Odd::Name),
            ("facts/case.md", &Odd::SameName { counts }),
            ("facts/fifo.md", &Odd::NoFile),
            ("facts/folder.md", &Odd::Folder),
            ("facts/hard.md", &Odd::HardLinks(2)),
            ("facts/link.md", &Odd::Link),
        ]
    );
    let paths = ["facts/link.md", "facts/hard.md", "facts/folder.md", "facts/fifo.md", "episodes/secret.md"];
    let moved = writing.apply(&look, &base(2), &puts(&paths.map(|path| (path, Some("tool"))))).unwrap();
    assert_eq!(moved, paths.map(str::to_owned).into());
    assert_eq!(fs::read(&secret).unwrap(), b"secret");
    assert_eq!(fs::read(dir.path().join("elsewhere")).unwrap(), b"h");
    assert_eq!(fs::read(root.join("facts/.memtape-0-0.old")).unwrap(), b"left");
    // After their removal, the pending edits are reported, and the old files do not count as deleted.
    fs::remove_file(root.join("facts/link.md")).unwrap();
    fs::remove_dir(root.join("facts/folder.md")).unwrap();
    let look = copy.look().unwrap();
    assert_eq!(look.pending, ["facts/folder.md", "facts/link.md"]);
    assert_eq!(told(&look), []);
    // A file that reappears is an edit of the text that was there before.
    fs::write(root.join("facts/link.md"), "mine").unwrap();
    let look = copy.look().unwrap();
    assert_eq!(told(&look), [("facts/link.md".to_owned(), What::Edited, Some("mine".to_owned()))]);
    assert_eq!(look.changes[0].base, base(1), "a file that was not replaced stands where it stood");
}

#[test]
fn a_replaced_file_keeps_its_permissions() {
    let dir = tempfile::tempdir().unwrap();
    let copy = holding(dir.path(), &[("facts/a.md", "a")]);
    let path = dir.path().join("facts/a.md");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let mut writing = copy.writing().unwrap();
    let look = writing.look().unwrap();
    assert_eq!(told(&look), [], "permissions are no edit");
    writing.apply(&look, &base(2), &puts(&[("facts/a.md", Some("b"))])).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn a_file_that_comes_back_is_read_by_nobody_else() {
    let dir = tempfile::tempdir().unwrap();
    let copy = holding(dir.path(), &[("facts/a.md", "a"), ("facts/b.md", "b")]);
    let mode = |name: &str| fs::metadata(dir.path().join(name)).unwrap().permissions().mode() & 0o777;
    let set = |name: &str, mode| {
        fs::set_permissions(dir.path().join(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    let apply = |entry, texts: &[(&str, Option<&str>)]| {
        let mut writing = copy.writing().unwrap();
        let look = writing.look().unwrap();
        assert_eq!(writing.apply(&look, &base(entry), &puts(texts)).unwrap(), BTreeSet::new());
    };
    let usual = mode("facts/b.md");
    set("facts/a.md", 0o600);
    apply(2, &[("facts/a.md", None), ("facts/b.md", None)]);
    apply(3, &[("facts/a.md", Some("new")), ("facts/b.md", Some("b"))]);
    assert_eq!(["facts/a.md", "facts/b.md"].map(mode), [0o600, usual]);
    // So does one that is moved.
    apply(4, &[("facts/a.md", None), ("facts/c.md", Some("new"))]);
    assert_eq!(mode("facts/c.md"), 0o600);
    // What counts is what a person set last.
    set("facts/c.md", 0o666);
    apply(5, &[("facts/c.md", None)]);
    apply(6, &[("facts/c.md", Some("new"))]);
    assert_eq!(mode("facts/c.md"), usual);
}

#[test]
fn a_missing_root_is_no_deletion() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("notes");
    fs::create_dir(&root).unwrap();
    let copy = WorkingCopy::open(dir.path(), &root, &FOLDERS, Durability::Os).unwrap();
    let mut writing = copy.writing().unwrap();
    writing.assume(&base(0), &BTreeMap::new(), |_, _| None).unwrap();
    let look = writing.look().unwrap();
    checkout(&mut writing, &look, &base(1), view(&[("facts/a.md", "a")])).unwrap();
    fs::rename(&root, dir.path().join("unmounted")).unwrap();
    for has_mount_point in [false, true] {
        if has_mount_point {
            fs::create_dir(&root).unwrap();
        }
        for text in [Some("b"), None] {
            let look = writing.look().unwrap();
            assert_eq!((told(&look), odd(&look)[0].1), (Vec::new(), &Odd::NoRoot));
            let applied = writing.apply(&look, &base(2), &puts(&[("facts/a.md", text)])).unwrap();
            assert_eq!(applied, ["facts/a.md".to_owned()].into());
            assert!(!root.join("facts").exists());
        }
    }
    fs::remove_dir(&root).unwrap();
    fs::rename(dir.path().join("unmounted"), &root).unwrap();
    assert_eq!(copy.look().unwrap().pending, ["facts/a.md"]);
    // Whoever deletes the files leaves the folder, or creates it again.
    drop(writing);
    let mut writing = copy.writing().unwrap();
    let look = writing.look().unwrap();
    writing.apply(&look, &base(3), &puts(&[("facts/a.md", Some("c"))])).unwrap();
    fs::remove_file(root.join("facts/a.md")).unwrap();
    assert_eq!(told(&copy.look().unwrap()), [("facts/a.md".to_owned(), What::Deleted, None)]);
}

/// Storage that accepts no changes.
struct ReadOnly;

impl Steps for ReadOnly {
    fn before(&self, _: &'static str) -> io::Result<()> {
        Err(ErrorKind::ReadOnlyFilesystem.into())
    }
}

#[test]
fn on_read_only_storage_files_are_not_updated() {
    let dir = tempfile::tempdir().unwrap();
    holding(dir.path(), &[("facts/a.md", "a")]);
    let copy =
        WorkingCopy::over(dir.path(), dir.path(), &FOLDERS, Durability::Os, Arc::new(ReadOnly)).unwrap();
    let mut writing = copy.writing().unwrap();
    let look = writing.look().unwrap();
    let failed = writing.apply(&look, &base(2), &puts(&[("facts/a.md", Some("b"))])).unwrap_err();
    assert!(failed.to_string().contains(MANIFEST_FILE), "{failed}");
    assert_eq!(writing.manifest().unwrap().base, base(1), "the next command brings the files up to date");
    assert_eq!(copy.look().unwrap().changes, []);
}

/// Storage that refuses some of the changes, by their number.
struct Refusing {
    refused: [usize; 2],
    count: AtomicUsize,
    exchanges: bool,
}

impl Steps for Refusing {
    fn before(&self, _: &'static str) -> io::Result<()> {
        match self.refused.contains(&self.count.fetch_add(1, Ordering::SeqCst)) {
            true => Err(ErrorKind::PermissionDenied.into()),
            false => Ok(()),
        }
    }

    fn exchanges(&self) -> bool {
        self.exchanges
    }
}

#[test]
fn a_text_that_cannot_be_kept_leaves_no_part_of_it() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    holding(root, &[("facts/a.md", "a")]);
    // The file is created, and a half of it written.
    let refusing = Refusing { refused: [1, 1], count: AtomicUsize::new(0), exchanges: true };
    let copy = WorkingCopy::over(root, root, &FOLDERS, Durability::Os, Arc::new(refusing)).unwrap();
    let writing = copy.writing().unwrap();
    assert!(writing.keep_beside("facts/a.md", b"a text").is_err());
    assert_eq!(fs::read_dir(root.join("facts")).unwrap().count(), 1);
    assert_eq!(writing.keep_beside("facts/a.md", b"a text").unwrap(), "facts/a.md.kept");
}

#[test]
fn a_file_that_cannot_be_replaced_keeps_no_other_file_from_it() {
    let old = [("facts/a.md", "a"), ("facts/b.md", "b"), ("facts/c.md", "c")];
    let new = [("facts/a.md", None), ("facts/b.md", Some("B")), ("facts/c.md", Some("C"))];
    let texts = view(&[("facts/b.md", "B"), ("facts/c.md", "C")]);
    let (mut applied, mut failed) = (0, 0);
    for exchanges in [true, false] {
        'first: for first in 0.. {
            for second in first.. {
                let dir = tempfile::tempdir().unwrap();
                let root = dir.path();
                holding(root, &old);
                let refusing = Refusing { refused: [first, second], count: AtomicUsize::new(0), exchanges };
                let refusing = Arc::new(refusing);
                let copy = WorkingCopy::over(root, root, &FOLDERS, Durability::Os, refusing.clone()).unwrap();
                let mut writing = copy.writing().unwrap();
                let look = writing.look().unwrap();
                let when = format!("{first} and {second} refused, {exchanges}");
                if let Ok(moved) = writing.apply(&look, &base(2), &puts(&new)) {
                    applied += 1;
                    failed += moved.len();
                    assert!(moved.len() <= 2 && (first != second || moved.len() <= 1), "{when}: {moved:?}");
                    assert!(writing.failed().keys().eq(&moved), "{when}: {:?}", writing.failed());
                    for (path, text) in new.iter().filter(|(path, _)| !moved.contains(*path)) {
                        assert_eq!(fs::read_to_string(root.join(path)).ok().as_deref(), *text, "{when}");
                    }
                    assert_eq!(copy.manifest().unwrap().unwrap().pending, moved, "{when}");
                }
                let steps = refusing.count.load(Ordering::SeqCst);
                let copy = self::copy(root);
                let mut writing = copy.writing().unwrap();
                let look = writing.look().unwrap();
                assert_eq!(told(&look), [], "{when}: nothing of it is an edit");
                assert_eq!(writing.apply(&look, &base(2), &puts(&new)).unwrap(), BTreeSet::new(), "{when}");
                assert_eq!(files(root), texts, "{when}");
                if first >= steps {
                    break 'first;
                }
                if second >= steps {
                    break;
                }
            }
        }
    }
    assert!(applied > 50 && failed > 50, "{applied} applied, {failed} failed");
}

#[test]
fn a_thousand_unchanged_files_are_not_read() {
    let dir = tempfile::tempdir().unwrap();
    let texts: View = (0..1_000).map(|n| (format!("facts/{n}.md"), vec![b'x'; 2_000])).collect();
    holding(dir.path(), &[]);
    let copy = with_fine_clock(dir.path());
    let mut writing = copy.writing().unwrap();
    let look = writing.look().unwrap();
    checkout(&mut writing, &look, &base(2), texts).unwrap();
    std::thread::sleep(2 * TICK);
    let look = writing.look().unwrap();
    assert_eq!((look.read, told(&look).len()), (1_000, 0));
    writing.record_metadata(&look).unwrap();
    let mut times: Vec<_> = (0..20)
        .map(|_| {
            let begun = Instant::now();
            let look = copy.look().unwrap();
            assert_eq!((look.read, look.changes.len()), (0, 0));
            begun.elapsed()
        })
        .collect();
    times.sort();
    println!("1,000 unchanged files: {:?} at best, {:?} half of the time", times[0], times[10]);
    // The limit is for a build without optimisation and concurrent tests; that of a release build is 10 ms.
    assert!(times[0] < Duration::from_millis(100), "{:?}", times[0]);
}

/// A person who saves a text before one of the steps of a replacement.
struct Saving {
    file: PathBuf,
    at: usize,
    count: AtomicUsize,
    exchanges: bool,
}

impl Steps for Saving {
    fn before(&self, _: &'static str) -> io::Result<()> {
        if self.count.fetch_add(1, Ordering::SeqCst) == self.at {
            let swap = self.file.with_extension("swp");
            fs::write(&swap, "the person's")?;
            fs::rename(&swap, &self.file)?;
        }
        Ok(())
    }

    fn exchanges(&self) -> bool {
        self.exchanges
    }
}

#[test]
fn a_text_that_is_saved_while_a_single_file_is_replaced_is_not_lost() {
    for (at, exchanges) in (0..12).flat_map(|at| [(at, true), (at, false)]) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("list.txt");
        fs::write(&file, "before").unwrap();
        let steps = Saving { file: file.clone(), at, count: AtomicUsize::new(0), exchanges };
        let replaced = replace_file_over(&file, b"before", b"after", &steps).unwrap();
        let has_saved = steps.count.load(Ordering::SeqCst) > at;
        let texts = files_in(dir.path());
        match has_saved {
            true => assert!(texts.contains(&"the person's".to_owned()), "{at}: {texts:?}, {replaced:?}"),
            false => assert_eq!((replaced, texts), (Replaced::Done, vec!["after".to_owned()])),
        }
    }
}

/// Returns the texts of all files in a folder.
fn files_in(dir: &Path) -> Vec<String> {
    let read = |entry: io::Result<fs::DirEntry>| fs::read_to_string(entry.unwrap().path()).unwrap();
    fs::read_dir(dir).unwrap().map(read).collect()
}

#[cfg(unix)]
#[test]
fn links_and_directories_are_not_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let (file, other) = (dir.path().join("a"), dir.path().join("b"));
    fs::write(&file, "before").unwrap();
    fs::hard_link(&file, &other).unwrap();
    let done = replace_file(&file, b"before", b"after").unwrap();
    assert_eq!(done, Replaced::LeftAlone(Odd::HardLinks(2)));
    assert_eq!(fs::read_to_string(&other).unwrap(), "before");
    fs::remove_file(&other).unwrap();
    assert_eq!(replace_file(&file, b"else", b"after").unwrap(), Replaced::Moved);
    assert_eq!(fs::read_to_string(&file).unwrap(), "before");
}
