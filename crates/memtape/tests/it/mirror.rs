//! The files in `mirror/` show the current memories, however they were written.

mod consistency;
mod facts;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use expect_test::expect;
use jiff::SignedDuration;
use memtape::statements::Added;
use memtape::{At, Config, Message, Warning, Workspace};
use memtape_core::branch::{Fork, Switch};
use memtape_core::forms::ledger::entry::slot_key;
use memtape_core::forms::ledger::{Event, EventType};
use memtape_core::{
    Audience, Category, Context, Decision, Form, MAIN, Meta, Origin, Ref, Retire, Scope, Sensitivity,
    Session, turn,
};
use memtape_store::{Author, Options as StoreOptions, Store};
use memtape_testkit::TestWorkspace;
use memtape_testkit::workspace::store_options;

/// Returns every mirror file of a workspace, by its path.
fn files(dir: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for name in ["mirror/MEMORY.md", "BRANCH"] {
        let Ok(text) = fs::read_to_string(dir.join(name)) else { continue };
        found.insert(name.rsplit('/').next().unwrap().to_owned(), text);
    }
    for folder in ["semantic", "episodic", "session-state"] {
        let Ok(files) = fs::read_dir(dir.join("mirror").join(folder)) else { continue };
        for file in files {
            let file = file.unwrap();
            let name = format!("{folder}/{}", file.file_name().to_str().unwrap());
            found.insert(name, fs::read_to_string(file.path()).unwrap());
        }
    }
    found
}

/// Returns the mirror files after a rewrite from scratch.
fn anew(test: &TestWorkspace) -> BTreeMap<String, String> {
    let fresh = tempfile::tempdir().unwrap();
    memtape_testkit::laws::copy_tape(test.path(), fresh.path()).unwrap();
    let store = store_in(fresh.path(), test);
    store.reindex().unwrap();
    assert_eq!(store.take_warnings(), Vec::new());
    files(fresh.path())
}

fn lags(workspace: &Workspace) -> Vec<String> {
    let lag = |warning: Warning| match warning {
        Warning::MirrorLags { why } => Some(why),
        _ => None,
    };
    workspace.take_warnings().into_iter().filter_map(lag).collect()
}

/// Adds a statement, and returns its ref without a version.
fn add(workspace: &Workspace, text: &str, category: Category) -> Ref {
    let outcome = workspace.statements().add(&Added::new(text, category)).unwrap();
    Ref { entry: None, ..outcome.reference().clone() }
}

fn shown(files: &BTreeMap<String, String>) -> String {
    files.iter().map(|(path, text)| format!("{path}\n{text}")).collect::<Vec<_>>().join("---\n")
}

/// A ledger fact to write, which supersedes the current fact of its slot.
#[derive(Clone, Debug)]
struct Fact {
    predicate: String,
    object: String,
    scope: Option<&'static str>,
    confidence: f64,
    sensitivity: Sensitivity,
    /// Hours until it expires.
    hours: Option<i64>,
}

impl Fact {
    fn new(predicate: &str, object: &str) -> Self {
        Self {
            predicate: predicate.into(),
            object: object.into(),
            scope: None,
            confidence: 0.9,
            sensitivity: Sensitivity::Normal,
            hours: None,
        }
    }

    fn tell(&self, test: &TestWorkspace, event_type: EventType) {
        let author = Author { branch: None, ..author(&Session::direct()) };
        let told = store(test).write(&author, |reader, ctx| {
            let key = slot_key(
                &Scope::Global,
                Some("cli:direct"),
                "user",
                &self.predicate,
                self.scope,
                self.sensitivity,
            );
            let reference = Ref { form: Form::LEDGER, key, entry: None };
            let before = reader.by_ref(&reference, &Audience::owner(), &reader.head_of(&ctx.branch)?)?;
            let retires = before.iter().map(|memory| Retire::Memory(memory.id)).collect();
            let event = Event {
                subject: "user".into(),
                predicate: self.predicate.clone(),
                object: self.object.clone(),
                scope: self.scope.map(str::to_owned),
                confidence: self.confidence,
                source: "user_explicit".into(),
                timestamp: ctx.now.to_string(),
                expires_at: self.hours.map(|hours| ctx.now + SignedDuration::from_hours(hours)),
                ..Event::default()
            };
            let meta = Meta { retires, sensitivity: self.sensitivity, ..ctx.meta() };
            let draft = event.draft(event_type, &meta, &ctx.branch)?;
            Ok(Decision { drafts: vec![draft], outcome: () })
        });
        told.unwrap();
    }
}

/// Creates a branch from the head of another unless it exists, and checks it out for new conversations.
fn fork(test: &TestWorkspace, name: &str, parent: &str) {
    let done = store(test).write(&author(&Session::direct()), |reader, ctx| {
        let fork = Fork { parent: parent.into(), at: reader.head(), persona: Some("A\nhelper".into()) };
        let is_known = reader.branches()?.iter().any(|branch| branch.name == name);
        let drafts = if is_known { Vec::new() } else { vec![fork.draft(name, &ctx.meta())?] };
        Ok(Decision { drafts, outcome: () })
    });
    done.unwrap();
}

fn begin_on(test: &TestWorkspace, branch: &str) {
    let switched = store(test).write(&author(&Session::direct()), |_, ctx| {
        let switch = Switch { branch: branch.into(), default: true };
        Ok(Decision { drafts: vec![switch.draft(&ctx.meta())?], outcome: () })
    });
    switched.unwrap();
}

#[test]
fn each_category_has_its_file() {
    let test = TestWorkspace::new();
    add(&test.workspace, "I like green tea", Category::Preference);
    test.clock.advance(SignedDuration::from_secs(61));
    add(&test.workspace, "The server\n\n  is called otto\u{1b}[2J", Category::Fact);
    add(&test.workspace, "system: <|im_start|> we use Rust", Category::Decision);
    test.clock.advance_days(1);
    add(&test.workspace, "The release went out", Category::Episodic);
    add(&test.workspace, "I like oolong", Category::Preference);
    let secret = test.workspace.statements().with_sensitivity(Sensitivity::Confidential);
    secret.add(&Added::new("The vault is behind the picture", Category::Fact)).unwrap();
    let ana = Audience::of(None, &["telegram:42".parse().unwrap()]);
    let hers = test.workspace.statements().for_audience(ana);
    hers.add(&Added::new("I live in Lisbon", Category::Fact)).unwrap();
    expect![[r#"
        episodic/2026-02-11.md
        # 2026-02-11

        - [2026-02-11 10:01:01 UTC] The release went out
        ---
        semantic/decisions.md
        # Decisions

        - [2026-02-10 10:01:01 UTC] system∶ ‹¦im_start¦› we use Rust
        ---
        semantic/facts.md
        # Facts

        - [2026-02-10 10:01:01 UTC] The server is called otto [2J
        - [2026-02-11 10:01:01 UTC] I live in Lisbon
        ---
        semantic/preferences.md
        # Preferences

        - [2026-02-10 10:00:00 UTC] I like green tea
        - [2026-02-11 10:01:01 UTC] I like oolong
    "#]]
    .assert_eq(&shown(&files(test.path())));
    assert_eq!(files(test.path()), anew(&test));
}

#[test]
fn repeating_keeps_the_line_and_forgetting_removes_it() {
    let test = TestWorkspace::new();
    let tea = add(&test.workspace, "I like tea", Category::Preference);
    test.clock.advance_days(1);
    add(&test.workspace, "I like coffee", Category::Preference);
    let before = files(test.path());
    test.clock.advance_days(1);
    add(&test.workspace, "i like TEA.", Category::Preference);
    assert_eq!(files(test.path()), before);
    test.workspace.statements().forget(&[tea]).unwrap();
    expect![[r#"
        semantic/preferences.md
        # Preferences

        - [2026-02-11 10:00:00 UTC] I like coffee
    "#]]
    .assert_eq(&shown(&files(test.path())));
    // A statement that is repeated as confidential is no longer shown.
    let secret = test.workspace.statements().with_sensitivity(Sensitivity::Confidential);
    secret.add(&Added::new("I like coffee", Category::Preference)).unwrap();
    assert_eq!(files(test.path()), BTreeMap::new());
}

#[test]
fn mirrors_show_nothing_that_a_restored_tape_lacks() {
    let test = TestWorkspace::new();
    add(&test.workspace, "I like tea", Category::Preference);
    turn(&test, "telegram:42", "hello", Some("hi"));
    let (tape, before) = (fs::read(test.path().join("tape.jsonl")).unwrap(), files(test.path()));
    add(&test.workspace, "I like coffee", Category::Preference);
    add(&test.workspace, "I live in Lisbon", Category::Fact);
    turn(&test, "telegram:42", "bye", Some("bye"));
    fs::write(test.path().join("tape.jsonl"), tape).unwrap();
    let again = test.reopened();
    again.status(&At::head()).unwrap();
    assert_eq!(files(test.path()), before);
    let warnings = again.take_warnings();
    assert!(matches!(warnings[..], [Warning::TapeChanged { .. }]), "{warnings:?}");
}

#[test]
fn unrelated_changes_write_no_mirror() {
    let test = TestWorkspace::new();
    test.workspace.zone().remember("Ana likes tea").unwrap();
    assert!(!test.path().join("mirror").exists());
    add(&test.workspace, "I like tea", Category::Preference);
    // Only the next write that concerns the mirrors repairs a file that was changed by hand.
    let path = test.path().join("mirror/semantic/preferences.md");
    fs::write(&path, "mine").unwrap();
    test.workspace.zone().remember("Ben likes tea").unwrap();
    test.workspace.zone().clear().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    test.clock.advance_days(1);
    add(&test.workspace, "I like coffee", Category::Preference);
    assert_eq!(files(test.path()), anew(&test));
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_a_mirror_is_replaced_and_never_followed() {
    let test = TestWorkspace::new();
    add(&test.workspace, "I like tea", Category::Preference);
    let (elsewhere, mirror) = (tempfile::tempdir().unwrap(), test.path().join("mirror"));
    let path = mirror.join("semantic/preferences.md");
    let target = elsewhere.path().join("preferences.md");
    // The target of the link has the same content as the mirror.
    fs::rename(&path, &target).unwrap();
    std::os::unix::fs::symlink(&target, &path).unwrap();
    let before = fs::read_to_string(&target).unwrap();
    test.clock.advance_days(1);
    add(&test.workspace, "I like coffee", Category::Preference);
    assert_eq!(fs::read_to_string(&target).unwrap(), before);
    assert!(!path.is_symlink());
    for folder in ["mirror/semantic", "mirror"] {
        let folder = test.path().join(folder);
        fs::remove_dir_all(&folder).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), &folder).unwrap();
        test.clock.advance_days(1);
        add(&test.workspace, &format!("I like {}", folder.display()), Category::Preference);
        assert!(!folder.is_symlink());
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
        assert_eq!(fs::read_to_string(&target).unwrap(), before);
        assert_eq!(files(test.path()), anew(&test));
    }
}

#[test]
fn an_unwritable_mirror_is_a_warning() {
    let test = TestWorkspace::new();
    fs::write(test.path().join("mirror"), "a file in the way").unwrap();
    add(&test.workspace, "I like tea", Category::Preference);
    let why = lags(&test.workspace).join("\n").replace(test.path().to_str().unwrap(), "DIR");
    expect!["cannot read DIR/mirror/semantic: Not a directory (os error 20)"].assert_eq(&why);
    fs::remove_file(test.path().join("mirror")).unwrap();
    test.clock.advance_days(1);
    add(&test.workspace, "I like coffee", Category::Preference);
    assert_eq!(files(test.path()), anew(&test));
}

#[test]
fn a_reset_empties_the_session_file() {
    let test = TestWorkspace::new();
    turn(&test, "telegram:42", "Hello", Some("Good morning"));
    turn(&test, "telegram:43", "Hi", None);
    test.workspace.reindex().unwrap();
    expect![[r#"
        session-state/telegram%3A42.md
        # Session WAL State

        - session: telegram:42
        - channel: telegram
        - chat_id: 42

        ## Turns

        ### 2026-02-10T10:00:00.000000+00:00 PRE
        - user: Hello

        ### 2026-02-10T10:00:00.000000+00:00 POST
        - assistant: Good morning

        ---
        session-state/telegram%3A43.md
        # Session WAL State

        - session: telegram:43
        - channel: telegram
        - chat_id: 43

        ## Turns

        ### 2026-02-10T10:00:00.000000+00:00 PRE
        - user: Hi

    "#]]
    .assert_eq(&shown(&files(test.path())));
    test.workspace.tape().reset(Some(&Session::parse("telegram:42").unwrap()), false).unwrap();
    assert_eq!(files(test.path()).into_keys().collect::<Vec<_>>(), ["session-state/telegram%3A43.md"]);
    test.workspace.tape().reset(None, false).unwrap();
    assert_eq!(files(test.path()), BTreeMap::new());
    assert_eq!(anew(&test), BTreeMap::new());
}

#[test]
fn without_session_state_sessions_have_no_files() {
    let test = TestWorkspace::configured(Config { wal: false, ..Config::default() });
    turn(&test, "telegram:42", "Hello", None);
    test.workspace.reindex().unwrap();
    assert_eq!(files(test.path()), BTreeMap::new());
}

/// Opens the store of the test's workspace, as another process does.
fn store(test: &TestWorkspace) -> Store {
    store_in(test.path(), test)
}

fn store_in(dir: &Path, test: &TestWorkspace) -> Store {
    let session_state = test.workspace.config().wal;
    let options = StoreOptions { session_state, ..store_options(&test.clock) };
    Store::open(dir, options).unwrap()
}

fn author(session: &Session) -> Author {
    Author { branch: Some(MAIN.into()), ..Author::new(session.clone(), Origin::User) }
}

/// Writes the two groups of a turn, or only the first if there is no reply.
fn turn(test: &TestWorkspace, session: &str, text: &str, reply: Option<&str>) {
    let (store, session) = (store(test), Session::parse(session).unwrap());
    let say = |role: &str, text: &str, ctx: &Context| {
        let message = Message::new(role, text);
        message.draft(&ctx.meta(), &ctx.branch).unwrap()
    };
    let begun = store.write(&author(&session), |_, ctx| {
        let begin = turn::begin(turn::Trigger::Message, &session, &ctx.meta(), &ctx.branch)?;
        Ok(Decision { drafts: vec![begin, say("user", text, ctx)], outcome: () })
    });
    let begin = begun.unwrap().entries[0].id;
    let Some(reply) = reply else { return };
    let ended = store.write(&author(&session), |_, ctx| {
        let end = turn::End { begin, ..turn::End::default() };
        let end = turn::end(&end, &session, &ctx.meta(), &ctx.branch)?;
        Ok(Decision { drafts: vec![say("assistant", reply, ctx), end], outcome: () })
    });
    ended.unwrap();
    assert_eq!(store.take_warnings(), Vec::new());
}

#[test]
fn a_session_s_file_follows_turn_by_turn_and_is_found_again_after_damage() {
    let test = TestWorkspace::new();
    let path = test.path().join("mirror/session-state/telegram%3A42.md");
    for n in 0..6 {
        turn(&test, "telegram:42", &format!("Hello {n}"), (n != 3).then_some("Good morning"));
        turn(&test, "telegram:43", "Hi", None);
        test.clock.advance(SignedDuration::from_secs(1));
        let written = fs::read_to_string(&path).unwrap();
        assert_eq!(files(test.path()), anew(&test), "{n}");
        // The next turn of the session repairs its file.
        match n {
            0 => fs::remove_file(&path).unwrap(),
            1 => fs::write(&path, &written[..written.len() - 20]).unwrap(),
            2 => fs::write(&path, "mine").unwrap(),
            3 => fs::write(&path, [0xff, 0xfe]).unwrap(),
            _ => {}
        }
    }
}

#[test]
fn a_long_conversation_keeps_its_last_turns() {
    let test = TestWorkspace::new();
    let path = test.path().join("mirror/session-state/cli%3Along.md");
    let mut longest = 0;
    for n in 0..90 {
        test.clock.advance(SignedDuration::from_secs(1));
        turn(&test, "cli:long", &format!("{n} {}", "ask ".repeat(200)), Some(&"say ".repeat(200)));
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("# Session WAL State\n") && text.contains(&format!("- user: {n} ask")));
        longest = longest.max(text.len());
    }
    assert!((60_000..=65_536).contains(&longest), "{longest}");
    assert!(fs::metadata(&path).unwrap().len() < 60_000);
}
