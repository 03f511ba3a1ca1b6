//! The files in `mirror/` show the current memories, however they were written.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use expect_test::expect;
use jiff::SignedDuration;
use memtape::branches::Resolution;
use memtape::statements::{Added, Selection};
use memtape::{At, Config, Message, Warning, Workspace};
use memtape_core::branch::{Fork, Switch};
use memtape_core::forms::ledger::entry::slot_key;
use memtape_core::forms::ledger::{Event, EventType};
use memtape_core::forms::statements::Retention;
use memtape_core::{
    Audience, Category, Context, Decision, Form, MAIN, Meta, Origin, Ref, Retire, Scope, Sensitivity,
    Session, turn,
};
use memtape_store::{Author, Options as StoreOptions, Store};
use memtape_testkit::TestWorkspace;
use memtape_testkit::workspace::store_options;
use proptest::prelude::*;

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

        - session_key: telegram:42
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

        - session_key: telegram:43
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
    Author {
        session: session.clone(),
        origin: Origin::User,
        branch: Some(MAIN.into()),
        scope: Scope::Global,
        sensitivity: Sensitivity::Normal,
        reason: None,
        call: None,
    }
}

/// Writes the two groups of a turn, or only the first if there is no reply.
fn turn(test: &TestWorkspace, session: &str, text: &str, reply: Option<&str>) {
    let (store, session) = (store(test), Session::parse(session).unwrap());
    let say = |role: &str, text: &str, ctx: &Context| {
        let message =
            Message { role: role.into(), content: text.into(), name: None, image: None, said_at: None };
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
            let key = slot_key(&Scope::Global, Some("cli:direct"), "user", &self.predicate, self.scope);
            let reference = Ref { form: Form::LEDGER, key, entry: None };
            let before = reader.by_ref(&reference, &Audience::owner(), &reader.head_of(&ctx.branch)?)?;
            let retires = before.iter().map(|memory| Retire::Memory(memory.id)).collect();
            let event = Event {
                id: String::new(),
                subject: "user".into(),
                predicate: self.predicate.clone(),
                object: self.object.clone(),
                scope: self.scope.map(str::to_owned),
                confidence: self.confidence,
                source: "user_explicit".into(),
                evidence: None,
                parent_id: None,
                timestamp: ctx.now.to_string(),
                expires_at: self.hours.map(|hours| ctx.now + SignedDuration::from_hours(hours)),
                said_at: None,
                since: None,
                stands: None,
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
fn the_facts_are_summed_up_for_people() {
    let test = TestWorkspace::new();
    Fact { confidence: 0.6, ..Fact::new("speaks", "Portuguese\n\n## Not a heading") }
        .tell(&test, EventType::Add);
    Fact::new("prefers", "dark mode").tell(&test, EventType::Add);
    let work = Fact { scope: Some("Work/Technical"), ..Fact::new("uses", "system: Rust") };
    work.tell(&test, EventType::Add);
    Fact { object: "<|im_start|> Rust".into(), ..work }.tell(&test, EventType::Modify);
    let secret = Fact { sensitivity: Sensitivity::Confidential, ..Fact::new("hides", "the key") };
    secret.tell(&test, EventType::Add);
    let soon = Fact { scope: Some("temporary"), hours: Some(48), ..Fact::new("is in", "Lisbon") };
    soon.tell(&test, EventType::Observe);
    Fact { scope: Some("session"), ..Fact::new("wants", "short answers") }.tell(&test, EventType::Observe);
    expect![[r#"
        MEMORY.md
        # Memory [main]

        ## General

        - ✓ user prefers dark mode (90%)
        - ? user speaks Portuguese ## Not a heading (60%)

        ## Work/Technical

        - ✓ user uses ‹¦im_start¦› Rust (90%)

        ## Temporary

        - ✓ user is in Lisbon (90%), until 2026-02-12 10:00 UTC

        ## Session cli:direct

        - ✓ user wants short answers (90%)
    "#]]
    .assert_eq(&shown(&files(test.path())));
    assert_eq!(files(test.path()), anew(&test));
    // The next write to the ledger removes expired facts from the mirror.
    test.clock.advance_days(3);
    Fact::new("prefers", "dark mode").tell(&test, EventType::Forget);
    expect![[r#"
        MEMORY.md
        # Memory [main]

        ## General

        - ? user speaks Portuguese ## Not a heading (60%)

        ## Work/Technical

        - ✓ user uses ‹¦im_start¦› Rust (90%)

        ## Session cli:direct

        - ✓ user wants short answers (90%)
    "#]]
    .assert_eq(&shown(&files(test.path())));
}

#[test]
fn the_files_show_the_branch_that_new_conversations_begin_on() {
    let test = TestWorkspace::new();
    Fact::new("prefers", "dark mode").tell(&test, EventType::Add);
    let tea = add(&test.workspace, "I like tea", Category::Preference);
    fork(&test, "helper", MAIN);
    begin_on(&test, "helper");
    expect![[r#"
        BRANCH
        helper
        ---
        MEMORY.md
        # Memory [helper] (persona: A helper)

        ## General

        - ✓ user prefers dark mode (90%)
        ---
        semantic/preferences.md
        # Preferences

        - [2026-02-10 10:00:00 UTC] I like tea
    "#]]
    .assert_eq(&shown(&files(test.path())));
    assert_eq!(files(test.path()), anew(&test));
    // Changes on main are no longer shown.
    let before = files(test.path());
    let on = |branch: &str| test.again_on(branch);
    on(MAIN).statements().forget(std::slice::from_ref(&tea)).unwrap();
    add(&on(MAIN), "I like coffee", Category::Preference);
    assert_eq!(files(test.path()), before);
    assert_eq!(files(test.path()), anew(&test));
    // Changes on the branch are shown.
    on("helper").statements().forget(&[tea]).unwrap();
    assert_eq!(files(test.path()).keys().collect::<Vec<_>>(), ["BRANCH", "MEMORY.md"]);
    assert_eq!(files(test.path()), anew(&test));
    begin_on(&test, MAIN);
    expect![[r#"
        BRANCH
        main
        ---
        MEMORY.md
        # Memory [main]

        ## General

        - ✓ user prefers dark mode (90%)
        ---
        semantic/preferences.md
        # Preferences

        - [2026-02-10 10:00:00 UTC] I like coffee
    "#]]
    .assert_eq(&shown(&files(test.path())));
    assert_eq!(files(test.path()), anew(&test));
}

#[test]
fn an_open_conflict_is_shown_until_it_is_resolved() {
    let test = TestWorkspace::new();
    let told = |object: &str, sensitivity| Fact { sensitivity, ..Fact::new("prefers", object) };
    told("tea", Sensitivity::Normal).tell(&test, EventType::Add);
    fork(&test, "helper", MAIN);
    begin_on(&test, "helper");
    told("coffee", Sensitivity::Normal).tell(&test, EventType::Modify);
    begin_on(&test, MAIN);
    told("milk", Sensitivity::Normal).tell(&test, EventType::Modify);
    let branches = test.workspace.branches();
    branches.merge("helper").unwrap();
    expect![[r#"
        BRANCH
        main
        ---
        MEMORY.md
        # Memory [main]

        ## General

        - ✓ user prefers milk (90%)

        ## Conflicts

        - ledger:c8cd02e8a340cb88: user prefers milk | user prefers coffee
    "#]]
    .assert_eq(&shown(&files(test.path())));
    assert_eq!(files(test.path()), anew(&test));
    let reference = branches.conflicts(&At::head()).unwrap().pop().unwrap().reference;
    branches.resolve(&reference, &Resolution::Ours).unwrap();
    assert!(!shown(&files(test.path())).contains("coffee"));
    assert_eq!(files(test.path()), anew(&test));
    // A confidential fact is in no file, on either side of the conflict.
    begin_on(&test, "helper");
    told("cocoa", Sensitivity::Confidential).tell(&test, EventType::Modify);
    begin_on(&test, MAIN);
    told("water", Sensitivity::Normal).tell(&test, EventType::Modify);
    branches.merge("helper").unwrap();
    assert_eq!(branches.conflicts(&At::head()).unwrap().len(), 1);
    let after = shown(&files(test.path()));
    assert!(after.contains("water") && !after.contains("cocoa") && !after.contains("Conflicts"), "{after}");
}

#[test]
fn only_the_most_confident_facts_are_shown_and_the_others_counted() {
    let test = TestWorkspace::new();
    for n in 0..203 {
        Fact { confidence: f64::from(n) / 300.0, ..Fact::new(&format!("says {n}"), "yes") }
            .tell(&test, EventType::Add);
    }
    let text = fs::read_to_string(test.path().join("mirror/MEMORY.md")).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("- ")).count(), 200);
    assert!(text.contains("- ? user says 202 yes (67%)\n- ? user says 201"), "{text}");
    assert!(!text.contains("says 2 yes") && text.contains("says 3 yes"));
    assert!(text.ends_with("\n3 more: `memtape fact list --all`\n"), "{text}");
    assert_eq!(files(test.path()), anew(&test));
}

/// A step in a random workspace.
#[derive(Clone, Debug)]
enum Step {
    Add {
        text: u8,
        category: usize,
        sensitivity: Sensitivity,
        user: bool,
        elsewhere: bool,
    },
    Forget(usize),
    Prune(usize),
    Expire,
    Tell {
        predicate: u8,
        object: u8,
        scope: usize,
        event_type: usize,
        hours: Option<i64>,
        hidden: bool,
    },
    /// Checks out one of the branches, which may not exist yet, for new conversations.
    Begin(usize),
    /// Forks a branch from another one.
    Fork(usize, usize),
    /// Merges a branch into the terminal's current one.
    Merge(usize),
    /// Undoes the last change.
    Undo,
    Reset,
    Remember,
    Wait(i64),
    /// Writes as a foreign program, which does not update mirrors.
    Foreign(u8),
    Damage(u8),
}

fn step() -> impl Strategy<Value = Step> {
    let sensitivity = prop_oneof![4 => Just(Sensitivity::Normal), 1 => Just(Sensitivity::Confidential)];
    prop_oneof![
        8 => (0_u8..6, 0_usize..4, sensitivity, any::<bool>(), any::<bool>())
            .prop_map(|(text, category, sensitivity, user, elsewhere)| {
                Step::Add { text, category, sensitivity, user, elsewhere }
            }),
        3 => any::<usize>().prop_map(Step::Forget),
        1 => (0_usize..4).prop_map(Step::Prune),
        1 => Just(Step::Expire),
        6 => (0_u8..4, 0_u8..3, 0_usize..4, 0_usize..6, proptest::option::of(1_i64..50), prop::bool::weighted(0.2))
            .prop_map(|(predicate, object, scope, event_type, hours, hidden)| {
                Step::Tell { predicate, object, scope, event_type, hours, hidden }
            }),
        2 => (0_usize..3).prop_map(Step::Begin),
        2 => (1_usize..3, 0_usize..3).prop_map(|(name, parent)| Step::Fork(name, parent)),
        3 => (0_usize..3).prop_map(Step::Merge),
        1 => Just(Step::Undo),
        1 => Just(Step::Reset),
        1 => Just(Step::Remember),
        4 => prop_oneof![0_i64..3, 3000_i64..200_000].prop_map(Step::Wait),
        1 => (0_u8..9).prop_map(Step::Foreign),
        1 => (0_u8..8).prop_map(Step::Damage),
    ]
}

/// The branches of random workspaces.
const BRANCHES: [&str; 3] = [MAIN, "helper", "deep/helper"];

/// Applies a step. Returns `false` if the mirrors may be out of date until the next write that concerns them.
fn run(step: &Step, test: &TestWorkspace, other: &Workspace) -> bool {
    match step {
        Step::Add { text, category, sensitivity, user, elsewhere } => {
            let workspace = if *elsewhere { other } else { &test.workspace };
            let mut statements = workspace.statements().with_sensitivity(*sensitivity);
            if *user {
                statements = statements.for_audience(Audience::of(None, &["telegram:42".parse().unwrap()]));
            }
            let added = Added::new(&format!("I say {text}"), Category::ALL[*category]);
            let _ = statements.add(&added);
        }
        Step::Forget(n) => {
            let held = test.workspace.statements().list(&Selection::default(), &At::head()).unwrap();
            if !held.is_empty() {
                test.workspace.statements().forget(&[held[n % held.len()].memory.reference()]).unwrap();
            }
        }
        Step::Prune(category) => {
            let categories = vec![Category::ALL[*category]];
            let selection = Selection { older_than_days: Some(1), categories };
            other.statements().prune(&selection).unwrap();
        }
        Step::Expire => {
            let expired = store(test).write(&author(&Session::direct()), |reader, ctx| {
                let over = reader.expired(&Audience::owner(), &reader.head_of(&ctx.branch)?, 10)?;
                Ok(memtape_core::forms::statements::ops::expire(&over, ctx)?)
            });
            expired.unwrap();
        }
        Step::Tell { predicate, object, scope, event_type, hours, hidden } => {
            let sensitivity = if *hidden { Sensitivity::Confidential } else { Sensitivity::Normal };
            let fact = Fact {
                scope: [None, Some("temporary"), Some("session"), Some("Work")][*scope],
                confidence: f64::from(*object) / 2.0,
                sensitivity,
                hours: *hours,
                ..Fact::new(&format!("says {predicate}"), &format!("thing {object}"))
            };
            fact.tell(test, EventType::ALL[*event_type]);
        }
        Step::Begin(branch) => {
            let branch = BRANCHES[*branch];
            if store(test).read(|reader| reader.writable(branch)).is_ok() {
                begin_on(test, branch);
            }
        }
        Step::Fork(name, parent) => {
            let parent = BRANCHES[*parent];
            if store(test).read(|reader| reader.writable(parent)).is_ok() && parent != BRANCHES[*name] {
                fork(test, BRANCHES[*name], parent);
            }
        }
        Step::Merge(branch) => drop(test.workspace.branches().merge(BRANCHES[*branch])),
        Step::Undo => drop(test.workspace.branches().undo()),
        Step::Reset => drop(test.workspace.tape().reset(None, false).unwrap()),
        Step::Remember => drop(test.workspace.zone().remember("a line")),
        Step::Wait(seconds) => test.clock.advance(SignedDuration::from_secs(*seconds)),
        Step::Foreign(n) => {
            let data = format!(
                r#"{{"text":"foreign {n}","category":"fact","importance":0.5,"confidence":1,"source":"import","said_at":"2026-02-0{}T00:00:00Z"}}"#,
                n + 1
            );
            test.append("event", &format!(r#"{{"name":"statement.add","data":{data}}}"#), "{}");
            return false;
        }
        Step::Damage(kind) => {
            damage(*kind, test);
            return false;
        }
    }
    true
}

/// Damages the mirrors as a crash or an edit by hand does. Damage to a file is only detected when the file is
/// written.
fn damage(kind: u8, test: &TestWorkspace) {
    let path = test.path().join("mirror/semantic/preferences.md");
    let index = || rusqlite::Connection::open(memtape_index::current_index(test.path()).unwrap()).unwrap();
    match kind {
        0 => drop(fs::remove_dir_all(test.path().join("mirror"))),
        1 => drop(fs::remove_file(&path)),
        2 => drop(fs::read(&path).map(|text| fs::write(&path, &text[..text.len() / 2]).unwrap())),
        3 => {
            drop(
                fs::read(&path).map(|text| fs::write(&path, [text, b"- mine\n".to_vec()].concat()).unwrap()),
            );
        }
        4 => index().execute_batch("DELETE FROM mirrored").unwrap(),
        5 => index().execute_batch("DELETE FROM mirrored; DELETE FROM mirror_files").unwrap(),
        6 => index().execute_batch("UPDATE mirrored SET entry = entry - 1").unwrap(),
        _ => drop(test.reopened().reindex()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn updated_mirrors_equal_rewritten_mirrors(steps in proptest::collection::vec(step(), 1..40)) {
        let retention = Retention([(Category::Preference, 1), (Category::Episodic, 2)].into());
        let test = TestWorkspace::configured(Config { retention, ..Config::default() });
        let other = test.reopened();
        let mut follows = true;
        for step in &steps {
            follows &= run(step, &test, &other);
            if follows {
                prop_assert_eq!(files(test.path()), anew(&test), "{:?}", step);
            }
        }
        test.clock.advance(SignedDuration::from_secs(1));
        add(&test.workspace, "the last one", Category::Preference);
        prop_assert_eq!(files(test.path()), anew(&test));
        prop_assert_eq!(lags(&test.workspace), Vec::<String>::new());
        prop_assert_eq!(lags(&other), Vec::<String>::new());
    }
}
