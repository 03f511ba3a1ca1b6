//! What the tests of sources share.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;
use memtape::{At, Audience, Form, Scope, Workspace};
use memtape_import::{About, Content, Input, Item, Place, Report, Result, Settings, Sink, Source, sources};
use memtape_testkit::TestWorkspace;

/// Returns the path of a fixture.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// Returns every item and every skip of a fixture `SOURCE/CASE`, one a line.
pub(crate) fn read(name: &str) -> String {
    let source = name.split('/').next().unwrap();
    read_path(source, &fixture(name))
}

/// Returns every item and every skip of a path.
pub(crate) fn read_path(source: &str, path: &Path) -> String {
    let mut listing = Listing::default();
    let input = Input::open(path, &TimeZone::UTC).unwrap();
    match sources::find(source).and_then(|source| source.read(&input, &mut listing)) {
        Ok(()) => listing.0,
        Err(e) => format!("{}error: {e}\n", listing.0),
    }
}

/// A sink that lists what it takes.
#[derive(Default)]
pub(crate) struct Listing(pub(crate) String);

impl Sink for Listing {
    fn item(&mut self, item: Item) -> Result<()> {
        let Item { id, place, content } = item;
        writeln!(self.0, "{place} [{id}] {content:?}").unwrap();
        Ok(())
    }

    fn skip_several(&mut self, place: Place, _: u64, why: &str) {
        writeln!(self.0, "{place} skipped: {why}").unwrap();
    }
}

/// A source of these items.
pub(crate) struct Items<'e> {
    pub(crate) contents: Vec<Content>,
    /// What happens after the last one.
    pub(crate) at_end: &'e (dyn Fn() -> Result<()> + Sync),
}

impl Source for Items<'_> {
    fn about(&self) -> &'static About {
        &About { name: "items", reads: "nothing", versions: "", routes: &[] }
    }

    fn files(&self, _: &Input) -> Result<Vec<String>> {
        Ok(vec!["a".into()])
    }

    fn read(&self, _: &Input, sink: &mut dyn Sink) -> Result<()> {
        for (n, content) in (1..).zip(self.contents.clone()) {
            sink.item(Item { id: n.to_string(), place: Place::line("a", n), content })?;
        }
        (self.at_end)()
    }
}

/// Imports a fixture `SOURCE/CASE` into a new workspace, and returns the report and what the workspace then contains.
///
/// A dry run before it must report the same, and a second import must change nothing.
pub(crate) fn import(name: &str) -> String {
    let test = workspace();
    import_into(&test, name.split('/').next().unwrap(), &fixture(name), &Settings::default())
}

/// Returns a workspace on a day after everything in the fixtures.
pub(crate) fn workspace() -> TestWorkspace {
    let test = TestWorkspace::new();
    test.clock.advance_days(60);
    test
}

/// Imports a path as [`import`] does.
pub(crate) fn import_into(test: &TestWorkspace, source: &str, path: &Path, settings: &Settings) -> String {
    let before = tape(test);
    let dry = run(&test.workspace, source, path, &Settings { dry_run: true, ..settings.clone() });
    assert!(tape(test) == before, "a dry run writes nothing");
    let report = run(&test.workspace, source, path, settings);
    assert_eq!(dry, report, "a dry run reports what the import does");
    let (tape, contents) = (tape(test), contents(test));
    let again = run(&test.workspace, source, path, settings);
    assert_eq!((again.added(), again.captured), (0, 0), "nothing is imported twice");
    assert_eq!(self::contents(test), contents);
    assert!(self::tape(test) == tape, "nothing is written the second time");
    format!("{}{contents}", shown(&report))
}

/// Runs an import.
pub(crate) fn run(workspace: &Workspace, source: &str, path: &Path, settings: &Settings) -> Report {
    let input = Input::open(path, &TimeZone::UTC).unwrap();
    memtape_import::import(workspace, sources::find(source).unwrap(), &input, settings, &mut |_, _| {})
        .unwrap()
}

/// Returns a report as text.
fn shown(report: &Report) -> String {
    let mut text = String::new();
    for (kind, counts) in &report.kinds {
        let (added, present, left_out) = (counts.added, counts.present, counts.left_out);
        writeln!(
            text,
            "{} -> {}: {added} added, {present} present, {left_out} left out",
            kind.many, kind.form
        )
        .unwrap();
    }
    let lists = [
        ("left out", &report.left_out),
        ("beside", &report.beside),
        ("proposed", &report.proposed),
        ("undated", &report.undated),
    ];
    for (what, list) in lists {
        list.listed.iter().for_each(|(place, remark)| writeln!(text, "{what} {place}: {remark}").unwrap());
    }
    writeln!(text, "quarantined {}, captured {}", report.quarantined, report.captured).unwrap();
    text
}

/// Lists the current memories of every branch, without their refs.
fn contents(test: &TestWorkspace) -> String {
    let mut text = String::new();
    for branch in test.workspace.branches().list(&At::head()).unwrap() {
        writeln!(text, "== {}", branch.name).unwrap();
        let workspace = test.again_on(&branch.name);
        for form in Form::all() {
            for memory in workspace.memories(form, &Audience::owner(), &At::head()).unwrap() {
                let scope = Scope::from_label(&memory.scope).and_then(|scope| scope.label());
                let scope = scope.map_or(String::new(), |scope| format!(" {scope}"));
                let marked = if memory.quarantined.is_some() { " quarantined" } else { "" };
                let said_at = memory.said_at.map_or(String::new(), |at| format!(" {at}"));
                writeln!(text, "{form}{scope}{said_at}{marked} {:?}", memory.text).unwrap();
            }
        }
    }
    text
}

/// Returns the bytes of the tape.
fn tape(test: &TestWorkspace) -> Vec<u8> {
    std::fs::read(test.path().join("tape.jsonl")).unwrap()
}
