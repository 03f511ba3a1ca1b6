//! Exports of the whole memory, what other programs read of them, and imports.

use std::io::{BufReader, Read as _};

use expect_test::{Expect, expect};
use memtape::export::Format;
use memtape::ledger::NewFact;
use memtape::{
    Added, At, Audience, BlockName, Category, Error, ErrorKind, Export, FilePath, Form, Imported, Message,
    Origin, Salts as _, Session, Workspace,
};
use memtape_store::Replacement;
use memtape_testkit::TestWorkspace;
use memtape_testkit::exports::Made;
use serde_json::{Value, json};

fn fact(subject: &str, predicate: &str, object: &str) -> NewFact {
    NewFact {
        subject: subject.into(),
        predicate: predicate.into(),
        object: object.into(),
        scope: None,
        confidence: 0.9,
        source: "user_explicit".into(),
        evidence: None,
        days: None,
        quarantined: None,
    }
}

/// Returns a workspace with memories of every form, in two scripts.
fn everything() -> TestWorkspace {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    workspace.zone().remember("Alice likes green tea\n\n她喜欢绿茶").unwrap();
    workspace.zone().daily("met Bob", None).unwrap();
    workspace.zone().daily("planted beans", Some("2026-02-08".parse().unwrap())).unwrap();
    for (subject, predicate, object) in
        [("Alice", "knows", "Bob"), ("Bob", "lives in", "Porto"), ("Alice", "observation", "plays the viola")]
    {
        workspace.ledger().add(&fact(subject, predicate, object)).unwrap();
    }
    workspace.statements().add(&Added::new("I prefer trains", Category::Preference)).unwrap();
    workspace.blocks().set(&BlockName::new("goals").unwrap(), "learn Portuguese", None).unwrap();
    let notes = workspace.notes();
    notes.write(&notes.path("facts/user.md").unwrap(), "# User\n\n- Name: Alice\n```\ncode\n```\n").unwrap();
    workspace.files().write(&FilePath::new("drafts/plan.md").unwrap(), "one\ntwo\n").unwrap();
    let said = |role: &str, content: &str| Message {
        role: role.into(),
        content: content.into(),
        name: None,
        image: None,
        said_at: None,
    };
    let session = Session::parse("telegram:1").unwrap();
    let conversation = workspace.conversation(session);
    conversation.say(&said("user", "hello\nthere")).unwrap();
    conversation.say(&said("assistant", "你好")).unwrap();
    test
}

fn export(test: &TestWorkspace, format: Format) -> Made {
    Made::new(&test.workspace, &Export { format, ..Export::default() }, &At::head()).unwrap()
}

fn import(test: &TestWorkspace, text: &str) -> Result<Imported, Error> {
    test.workspace.import_tape(text.as_bytes(), |_| {})
}

fn refused(result: Result<Imported, Error>, expected: &Expect) -> ErrorKind {
    let e = result.unwrap_err();
    expected.assert_eq(&e.to_string());
    e.kind()
}

#[test]
fn markdown_has_every_form() {
    expect![[r#"
        # Memory Export

        Exported at 2026-02-10T10:00:00.000000+00:00: branch main, entry 25

        ## Zone

        ### Long-term memory

        ```
        Alice likes green tea

        她喜欢绿茶
        ```

        ### 2026-02-08

        ```
        # 2026-02-08

        planted beans
        ```

        ### 2026-02-10

        ```
        # 2026-02-10

        met Bob
        ```

        ## Blocks

        ### goals

        ```
        learn Portuguese
        ```

        ## Facts

        ### Alice

        - knows: **Bob** [90%]
        - observation: **plays the viola** [90%]

        ### Bob

        - lives in: **Porto** [90%]

        ## Statements

        - 2026-02-10 [preference] I prefer trains

        ## Notes

        ### facts/user.md

        ````
        # User

        > Summary: Name

        - Name: Alice
        ```
        code
        ```
        ````

        ## Files

        ### drafts/plan.md

        ```
        one
        two
        ```

        ## Conversations

        ### telegram:1

        - 2026-02-10 10:00 **user**: hello
          there
        - 2026-02-10 10:00 **assistant**: 你好
    "#]]
    .assert_eq(export(&everything(), Format::Markdown).text());
}

#[test]
fn a_folder_has_a_file_for_each_thing() {
    let made = export(&everything(), Format::Files);
    let shown = made.files.iter().filter(|(path, _)| !path.starts_with("memory/"));
    let shown: Vec<_> = shown.map(|(path, text)| format!("{path}: {text:?}")).collect();
    expect![[r##"
        blocks/goals.md: "learn Portuguese"
        conversations/telegram%3A1.md: "# telegram:1\n\n- 2026-02-10 10:00 **user**: hello\n  there\n- 2026-02-10 10:00 **assistant**: 你好\n"
        daily/2026-02-08.md: "# 2026-02-08\n\nplanted beans\n"
        daily/2026-02-10.md: "# 2026-02-10\n\nmet Bob\n"
        export.json: "{\n  \"format\": \"memtape files\",\n  \"memories\": 14,\n  \"commits\": 3,\n  \"events\": 3,\n  \"left_out\": 0,\n  \"files\": [\n    \"blocks/goals.md\",\n    \"conversations/telegram%3A1.md\",\n    \"daily/2026-02-08.md\",\n    \"daily/2026-02-10.md\",\n    \"files/drafts/plan.md\",\n    \"long-term.md\",\n    \"memory/HEAD\",\n    \"memory/MEMORY.md\",\n    \"memory/branches/main.json\",\n    \"memory/ledger/commits/91e8c5e952748e62.json\",\n    \"memory/ledger/commits/e3cc95699d4ebd13.json\",\n    \"memory/ledger/commits/e4f85dc53490290b.json\",\n    \"memory/ledger/events/19770467622de5da.json\",\n    \"memory/ledger/events/34fe1ca6ba519630.json\",\n    \"memory/ledger/events/80aa0b8e7f7f336b.json\",\n    \"memory/view/current.json\",\n    \"notes/facts/user.md\",\n    \"statements.md\"\n  ]\n}\n"
        files/drafts/plan.md: "one\ntwo\n"
        long-term.md: "Alice likes green tea\n\n她喜欢绿茶\n"
        notes/facts/user.md: "# User\n\n> Summary: Name\n\n- Name: Alice\n```\ncode\n```\n"
        statements.md: "- 2026-02-10 [preference] I prefer trains\n""##]]
    .assert_eq(&shown.join("\n"));
    assert_eq!(made.files["memory/HEAD"], "main");
    assert_eq!(made.files.keys().filter(|path| path.starts_with("memory/ledger/events/")).count(), 3);
}

#[test]
fn the_document_has_every_memory() {
    let made = export(&everything(), Format::Json);
    let value: Value = serde_json::from_str(made.text()).unwrap();
    let memories = value["memories"].as_array().unwrap();
    assert_eq!(memories.len(), made.exported.memories);
    for form in Form::all() {
        assert!(memories.iter().any(|memory| memory["form"] == form.as_str()), "{form}");
    }
    assert_eq!(value["branch"], "main");
}

/// Document 0's program takes the newest complete version of the zone, and shows its model what was said since the
/// last anchor.
#[test]
fn a_tape_for_document_0_has_the_zone_before_the_messages() {
    let test = everything();
    let made = export(&test, Format::Bub);
    let lines: Vec<Value> = made.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let shown: Vec<_> =
        lines.iter().map(|line| format!("{} {} {}", line["id"], line["kind"], line["payload"])).collect();
    let shown = shown.join("\n").replace("2026-02-10T10:00:00.000000+00:00", "[DATE]");
    expect![[r##"
        1 "anchor" {"name":"session/start","state":{"owner":"human"}}
        2 "anchor" {"name":"memory/open","state":{"version":4}}
        3 "event" {"name":"memory.long_term","data":{"content":"Alice likes green tea\n\n她喜欢绿茶","updated_at":"[DATE]"}}
        4 "event" {"name":"memory.daily","data":{"date":"2026-02-10","content":"# 2026-02-10\n\nmet Bob","updated_at":"[DATE]"}}
        5 "event" {"name":"memory.daily","data":{"date":"2026-02-08","content":"# 2026-02-08\n\nplanted beans","updated_at":"[DATE]"}}
        6 "anchor" {"name":"memory/seal","state":{"version":4}}
        7 "message" {"role":"user","content":"hello\nthere"}
        8 "message" {"role":"assistant","content":"你好"}"##]]
    .assert_eq(&shown);
    assert!(lines.iter().all(|line| line["date"].as_str().is_some_and(|date| date.ends_with("+00:00"))));
    let forms = [Form::LEDGER, Form::STATEMENTS, Form::BLOCKS, Form::NOTES, Form::FILES];
    let others =
        forms.map(|form| test.workspace.memories(form, &Audience::owner(), &At::head()).unwrap().len());
    assert_eq!(made.exported.other_forms, others.iter().sum::<usize>());
}

#[test]
fn a_graph_has_a_relation_where_a_value_is_an_entity() {
    let made = export(&everything(), Format::McpMemory);
    expect![[r#"
        {"type":"entity","name":"Alice","entityType":"subject","observations":["plays the viola"]}
        {"type":"entity","name":"Bob","entityType":"subject","observations":["lives in: Porto"]}
        {"type":"relation","from":"Alice","to":"Bob","relationType":"knows"}
    "#]]
    .assert_eq(made.text());
}

/// No text of a memory looks like a part of the document.
#[test]
fn a_text_in_markdown_is_between_fences() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    workspace.zone().remember("# Blocks\n```\n## Notes").unwrap();
    let chat = Audience::of_chat(&Session::parse("telegram:1").unwrap());
    workspace.zone().for_audience(chat).remember("theirs").unwrap();
    workspace.blocks().set(&BlockName::new("goals").unwrap(), "learn\n\n## Files", None).unwrap();
    let made = export(&test, Format::Markdown);
    let (_, text) = made.text().split_once("entry ").unwrap();
    expect![[r#"
        10

        ## Zone

        ### Long-term memory

        ````
        # Blocks
        ```
        ## Notes
        ````

        ### Long-term memory (channel:telegram:chat:1)

        ```
        theirs
        ```

        ## Blocks

        ### goals

        ```
        learn

        ## Files
        ```
    "#]]
    .assert_eq(text);
}

/// Another program would show everybody what is a chat's.
#[test]
fn a_format_without_scopes_has_no_lines_of_chats() {
    let test = everything();
    let chat = Audience::of_chat(&Session::parse("telegram:1").unwrap());
    test.workspace.zone().for_audience(chat.clone()).remember("Ana is pregnant").unwrap();
    test.workspace.zone().for_audience(chat.clone()).daily("Ana called", None).unwrap();
    for format in [Format::Bub, Format::Files] {
        let asked = Export { format, form: Some(Form::ZONE), ..Export::default() };
        let made = Made::new(&test.workspace, &asked, &At::head()).unwrap();
        assert_eq!((made.exported.memories, made.exported.of_others), (4, 2));
        assert!(made.all().contains("Alice likes") && !made.all().contains("Ana"), "{}", made.all());
        let asked = Export { audience: chat.clone(), ..asked };
        let made = Made::new(&test.workspace, &asked, &At::head()).unwrap();
        assert_eq!((made.exported.memories, made.exported.of_others), (6, 0));
        assert!(made.all().contains("Alice likes") && made.all().contains("Ana"), "{}", made.all());
    }
    let fact = fact("Ana", "fears", "moths");
    test.workspace.ledger().for_audience(chat.clone()).add(&fact).unwrap();
    for format in [Format::Files, Format::McpMemory] {
        let asked = Export { format, form: Some(Form::LEDGER), ..Export::default() };
        let made = Made::new(&test.workspace, &asked, &At::head()).unwrap();
        assert_eq!(made.exported.of_others, 1);
        assert!(!made.all().contains("moths"), "{}", made.all());
        let asked = Export { audience: chat.clone(), ..asked };
        let made = Made::new(&test.workspace, &asked, &At::head()).unwrap();
        assert_eq!(made.exported.of_others, 0);
        assert!(made.all().contains("moths"), "{}", made.all());
    }
}

#[test]
fn an_entity_of_two_types_keeps_both() {
    let test = TestWorkspace::new();
    for (scope, object) in [(None, "person"), (Some("work"), "baker")] {
        let fact = NewFact { scope: scope.map(str::to_owned), ..fact("Ana", "entity type", object) };
        test.workspace.ledger().add(&fact).unwrap();
    }
    expect![[r#"
        {"type":"entity","name":"Ana","entityType":"person","observations":["entity type: baker"]}
    "#]]
    .assert_eq(export(&test, Format::McpMemory).text());
}

#[test]
fn a_format_without_a_place_for_a_form_is_refused() {
    let test = everything();
    let asked = Export { format: Format::Bub, form: Some(Form::NOTES), ..Export::default() };
    let e = Made::new(&test.workspace, &asked, &At::head()).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Invalid);
    expect!["this format cannot hold memories of the form notes"].assert_eq(&e.to_string());
}

#[test]
fn the_files_of_an_imported_workspace_are_written() {
    let source = everything();
    let test = TestWorkspace::at(&source.clock);
    let tape = export(&source, Format::Jsonl);
    let imported = import(&test, tape.text()).unwrap();
    assert_eq!((imported.added, imported.present), (tape.exported.entries as u64, 0));
    for path in ["facts/user.md", "files/drafts/plan.md"] {
        let [theirs, ours] = [&source, &test].map(|test| std::fs::read(test.path().join(path)).unwrap());
        assert_eq!(theirs, ours, "{path}");
    }
    // The import is a workspace like any other, and its files are no edits.
    test.workspace.zone().remember("it goes on").unwrap();
    assert_eq!(entries(&test.workspace), entries(&source.workspace) + 3);
    assert_eq!(test.workspace.take_warnings(), []);
}

fn entries(workspace: &Workspace) -> u64 {
    workspace.status(&At::head()).unwrap().entries
}

#[test]
fn a_cut_import_goes_on_where_it_stopped() {
    let source = everything();
    let test = TestWorkspace::at(&source.clock);
    let tape = export(&source, Format::Jsonl);
    let lines: Vec<&str> = tape.text().split_inclusive('\n').collect();
    // The last line here is in the middle of a group.
    let cut = lines[..5].concat();
    let kind = refused(
        import(&test, &cut),
        &expect!["the import is cut off: the group of line 5 is not complete; what is before it is imported"],
    );
    assert_eq!(kind, ErrorKind::Invalid);
    assert_eq!(entries(&test.workspace), 3);
    let rest = import(&test, tape.text()).unwrap();
    assert_eq!((rest.added, rest.present), (lines.len() as u64 - 3, 3));
    assert_eq!(import(&test, tape.text()).unwrap().added, 0);
    // A later export of the same tape adds what is new.
    source.workspace.zone().remember("later").unwrap();
    assert_eq!(import(&test, export(&source, Format::Jsonl).text()).unwrap().added, 3);
    // An earlier one has nothing new.
    assert_eq!(import(&test, tape.text()).unwrap().added, 0);
}

#[test]
fn memories_of_its_own_stay() {
    let tape = export(&everything(), Format::Jsonl);
    let test = TestWorkspace::new();
    test.workspace.zone().remember("mine").unwrap();
    let before = entries(&test.workspace);
    let kind = refused(
        import(&test, tape.text()),
        &expect!["the workspace has memories of its own: entry 6 is not an entry of the import"],
    );
    assert_eq!((kind, entries(&test.workspace)), (ErrorKind::Conflict, before));
}

/// An import that is refused changes nothing, whatever it had to redact.
#[test]
fn an_import_that_is_refused_states_no_redaction() {
    let source = TestWorkspace::new();
    let payload = json!({"role": "user", "content": "my token is ghp_0123456789abcdefABCDEF0123456789abcd"});
    source.append_raw("message", &payload.to_string());
    let test = TestWorkspace::new();
    test.workspace.zone().remember("mine").unwrap();
    let tape = || std::fs::read(test.path().join("tape.jsonl")).unwrap();
    let before = tape();
    assert!(import(&test, export(&source, Format::Jsonl).text()).is_err());
    assert!(tape() == before);
    assert_eq!(test.workspace.take_warnings(), []);
}

#[test]
fn what_is_erased_does_not_come_back() {
    let source = everything();
    let whole = export(&source, Format::Jsonl);
    let old = TestWorkspace::at(&source.clock);
    import(&old, whole.text()).unwrap();
    let author = source.workspace.author(&Session::direct(), Origin::User);
    assert!(whole.text().contains("Alice likes green tea"));
    let line = whole.text().lines().position(|line| line.contains("Alice likes green tea")).unwrap();
    let store =
        memtape_store::Store::open(source.path(), memtape_testkit::workspace::store_options(&source.clock));
    let id = line as u64 + 1;
    store.unwrap().erase(&author, "asked to", |_| Ok(vec![Replacement::Entry { id, with: None }])).unwrap();
    let erased = export(&source, Format::Jsonl);
    assert!(!erased.text().contains("Alice likes green tea"));
    let new = TestWorkspace::at(&source.clock);
    import(&new, erased.text()).unwrap();
    assert!(Workspace::verify(new.path()).unwrap().tape.bad.is_empty());
    // A workspace that still has the text is told so, instead of being left with it unawares.
    let kind = refused(
        import(&old, erased.text()),
        &expect!["the import has erased the text of entry 5, and this workspace still has it"],
    );
    assert_eq!(kind, ErrorKind::Conflict);
}

#[test]
fn secrets_are_redacted_before_they_are_written() {
    const TOKEN: &str = "ghp_0123456789abcdefABCDEF0123456789abcd";
    let source = TestWorkspace::new();
    let payload = json!({"role": "user", "content": format!("my token is {TOKEN}")});
    source.append_raw("message", &payload.to_string());
    let tape = export(&source, Format::Jsonl);
    let test = TestWorkspace::at(&source.clock);
    for added in [tape.exported.entries as u64, 0] {
        let imported = import(&test, tape.text()).unwrap();
        assert_eq!((imported.added, imported.redacted), (added, 1));
        assert!(!std::fs::read_to_string(test.path().join("tape.jsonl")).unwrap().contains(TOKEN));
        assert!(Workspace::verify(test.path()).unwrap().tape.bad.is_empty());
        assert_eq!(entries(&test.workspace), tape.exported.entries as u64 + 1, "one event states it");
    }
    let messages = test.workspace.memories(Form::MESSAGES, &Audience::owner(), &At::head()).unwrap();
    assert_eq!(messages[0].text, "my token is [redacted:github-token]");
    // The statement of the redaction is not in the way of a later export.
    source.workspace.zone().remember("later").unwrap();
    assert_eq!(import(&test, export(&source, Format::Jsonl).text()).unwrap().added, 3);
    assert!(Workspace::verify(test.path()).unwrap().tape.bad.is_empty());
}

/// An export ends in the statement of what it left out, which no later export has.
#[test]
fn a_later_export_without_confidential_memories_adds_what_is_new() {
    let source = TestWorkspace::new();
    let test = TestWorkspace::at(&source.clock);
    let remember = |text: &str| source.workspace.zone().remember(text).unwrap();
    let verified = || Workspace::verify(test.path()).unwrap().tape.bad;
    let secret = |text: &str| {
        let statements = source.workspace.statements().with_sensitivity(memtape::Sensitivity::Confidential);
        statements.add(&Added::new(text, Category::Fact)).unwrap();
    };
    remember("a");
    secret("Ana is diabetic");
    import(&test, export(&source, Format::Jsonl).text()).unwrap();
    // The same export again, which has a date of its own.
    source.clock.advance_days(1);
    let before = std::fs::read(test.path().join("tape.jsonl")).unwrap();
    assert_eq!(import(&test, export(&source, Format::Jsonl).text()).unwrap().added, 0);
    assert_eq!(std::fs::read(test.path().join("tape.jsonl")).unwrap(), before);
    for text in ["b", "c"] {
        remember(text);
        secret(text);
        let later = export(&source, Format::Jsonl);
        assert!(import(&test, later.text()).unwrap().added > 0);
        assert_eq!(std::fs::read_to_string(test.path().join("tape.jsonl")).unwrap(), later.text());
        assert_eq!(verified(), []);
        let lines = test.workspace.memories(Form::ZONE, &Audience::owner(), &At::head()).unwrap();
        assert!(lines.iter().any(|line| line.text == text), "{text}");
    }
    // What the copy lacks stays erased, and stated, if a later export has it.
    remember("d");
    let whole = Export { format: Format::Jsonl, confidential: true, ..Export::default() };
    let whole = Made::new(&source.workspace, &whole, &At::head()).unwrap();
    assert!(whole.text().contains("diabetic"));
    import(&test, whole.text()).unwrap();
    assert_eq!(verified(), []);
    let prompt = test.workspace.journal().tail(&std::collections::HashSet::new(), &At::head()).unwrap();
    assert!(!prompt.contains("erase"), "{prompt}");
    // Memories of its own are in the way.
    test.workspace.zone().remember("mine").unwrap();
    remember("e");
    assert_eq!(import(&test, export(&source, Format::Jsonl).text()).unwrap_err().kind(), ErrorKind::Conflict);
}

/// Events that state erasures make way for the rest of the source. If that is cut off, they are stated again.
#[test]
fn an_import_that_stops_leaves_no_erasure_without_its_statement() {
    let source = TestWorkspace::new();
    let test = TestWorkspace::at(&source.clock);
    let verified = || Workspace::verify(test.path()).unwrap().tape.bad;
    source.workspace.zone().remember("a").unwrap();
    let statements = source.workspace.statements().with_sensitivity(memtape::Sensitivity::Confidential);
    statements.add(&Added::new("Ana is diabetic", Category::Fact)).unwrap();
    import(&test, export(&source, Format::Jsonl).text()).unwrap();
    for text in ["b", "c"] {
        source.workspace.zone().remember(text).unwrap();
    }
    let whole = std::fs::read_to_string(source.path().join("tape.jsonl")).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let e = import(&test, &lines[..lines.len() - 1].concat()).unwrap_err();
    assert!(e.to_string().contains("the import is cut off"), "{e}");
    assert_eq!(verified(), []);
    // As after an interruption between the two: the event is missing, and nothing else.
    let tape = test.path().join("tape.jsonl");
    let text = std::fs::read_to_string(&tape).unwrap();
    let (before, event) = text.trim_end().rsplit_once('\n').unwrap();
    assert!(event.contains("tape.erase"), "{event}");
    std::fs::write(&tape, format!("{before}\n")).unwrap();
    assert_ne!(verified(), []);
    import(&test, &whole).unwrap();
    assert_eq!(verified(), []);
    let zone = test.workspace.memories(Form::ZONE, &Audience::owner(), &At::head()).unwrap();
    assert_eq!(zone.len(), 3);
}

/// An index in the archive may be the only copy of what a tape has lost.
#[test]
fn an_import_keeps_the_indexes_in_the_archive() {
    let source = everything();
    let test = TestWorkspace::at(&source.clock);
    test.workspace.zone().remember("precious").unwrap();
    entries(&test.workspace);
    std::fs::remove_file(test.path().join("tape.jsonl")).unwrap();
    let mut salts = memtape_testkit::counting_salts();
    for _ in 0..2 {
        salts.next_salt();
    }
    let options = memtape_testkit::workspace::options(&source.clock);
    let again = Workspace::init(test.path(), memtape::Options { salts: Box::new(salts), ..options }).unwrap();
    entries(&again);
    let kept = || {
        let dir = test.path().join("archive");
        let names = std::fs::read_dir(dir).unwrap().map(|file| file.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().starts_with("index-until-")).count()
    };
    assert_eq!(kept(), 1);
    again.import_tape(export(&source, Format::Jsonl).text().as_bytes(), |_| {}).unwrap();
    assert_eq!(kept(), 1);
    // So does one that continues an earlier import.
    let statements = source.workspace.statements().with_sensitivity(memtape::Sensitivity::Confidential);
    for text in ["Ana is diabetic", "Ana is tall"] {
        statements.add(&Added::new(text, Category::Fact)).unwrap();
        again.import_tape(export(&source, Format::Jsonl).text().as_bytes(), |_| {}).unwrap();
    }
    assert_eq!(kept(), 1);
}

/// An input that has a machine write to the upstream, once it was read up to an offset.
struct Overtaken<'w> {
    rest: &'w [u8],
    at: usize,
    other: Option<&'w Workspace>,
}

impl std::io::Read for Overtaken<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        if self.rest.len() <= self.at
            && let Some(other) = self.other.take()
        {
            other.zone().remember("faster").unwrap();
        }
        self.rest.read(buf)
    }
}

#[test]
fn an_import_into_a_shared_tape_that_is_overtaken_says_what_is_there() {
    let source = TestWorkspace::new();
    for n in 0..400 {
        source.workspace.zone().remember(&format!("line {n}")).unwrap();
    }
    let tape = export(&source, Format::Jsonl);
    let upstream = memtape_testkit::upstreams::new("memory");
    let [one, two] = [1, 2].map(|_| {
        let dir = tempfile::tempdir().unwrap();
        let options = memtape_testkit::workspace::options(&source.clock);
        let upstream = Some(std::sync::Arc::clone(&upstream));
        let workspace = Workspace::replica(dir.path(), memtape::Options { upstream, ..options }).unwrap();
        (workspace, dir)
    });
    let rest = tape.text().as_bytes();
    let input = Overtaken { rest, at: rest.len() / 20, other: Some(&two.0) };
    let e = one.0.import_tape(BufReader::new(input), |_| {}).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Conflict, "{e}");
    assert!(e.to_string().contains("when only entries 1 to 1"), "{e}");
}

#[test]
fn what_is_no_tape_is_refused() {
    let tape = export(&everything(), Format::Jsonl);
    let changed = tape.text().replacen("green", "black", 1);
    let moved = {
        let lines: Vec<&str> = tape.text().split_inclusive('\n').collect();
        [lines[..3].concat(), lines[6..].concat()].concat()
    };
    for (text, expected) in [
        ("", expect!["the import has no entry"]),
        ("hello\n", expect!["line 1 is not a line of a tape: not JSON"]),
        ("{\"type\":\"entity\"}\n", expect![[r#"line 1 is not a line of a tape: unknown field `type`"#]]),
        (
            &changed,
            expect![
                "line 5 is not a line of a tape: entry 5 does not match its hash; what is before it is imported"
            ],
        ),
    ] {
        let test = TestWorkspace::new();
        assert_eq!(refused(import(&test, text), &expected), ErrorKind::Invalid);
    }
    // Where lines are missing, only who knows about them goes on.
    let test = TestWorkspace::new();
    let e = import(&test, &moved).unwrap_err();
    expect!["entries 4 to 6 are missing before line 4; what is before it is imported"]
        .assert_eq(&e.to_string());
    assert_eq!((e.kind(), entries(&test.workspace)), (ErrorKind::Invalid, 3));
    test.workspace.import_tape_with_gaps(moved.as_bytes(), |_| {}).unwrap();
    assert!(!Workspace::verify(test.path()).unwrap().tape.bad.is_empty());
    // A line that is there twice, or that was written after another one.
    let lines: Vec<&str> = tape.text().split_inclusive('\n').collect();
    let repeated = [&lines[..4], &lines[3..]].concat().concat();
    let other = TestWorkspace::new();
    other.workspace.zone().remember("another tape").unwrap();
    let other = export(&other, Format::Jsonl);
    let other: Vec<&str> = other.text().split_inclusive('\n').collect();
    let spliced = [&lines[..5], &other[5..]].concat().concat();
    for (text, expected, kept) in [
        (&repeated, expect!["line 5 is entry 4 again; what is before it is imported"], 3),
        (&lines[3..].concat(), expect!["entries 1 to 3 are missing before line 1"], 3),
        (
            &spliced,
            expect!["line 6 is not the one that was written after entry 5; what is before it is imported"],
            3,
        ),
    ] {
        // A new workspace has the beginning of a conversation.
        let test = TestWorkspace::new();
        test.workspace.conversation(Session::direct()).start().unwrap();
        assert_eq!(refused(import(&test, text), &expected), ErrorKind::Invalid);
        assert_eq!(entries(&test.workspace), kept, "{expected:?}");
        assert!(Workspace::verify(test.path()).unwrap().tape.bad.is_empty());
    }
}

/// What waits for the owner is no secret from the owner.
#[test]
fn proposals_are_exported_for_the_owner_alone() {
    let source = TestWorkspace::new();
    let persona = BlockName::new("persona").unwrap();
    source.workspace.blocks().set(&persona, "Calm", None).unwrap();
    source.workspace.blocks().writing_as(Origin::Assistant).set(&persona, "Loud and proud", None).unwrap();
    for format in [Format::Jsonl, Format::Json, Format::Markdown, Format::Files] {
        let made = export(&source, format);
        assert!(made.all().contains("Loud and proud"), "{format:?}: {}", made.all());
        assert_eq!(made.exported.left_out, 0);
        let audience = Audience::of_chat(&Session::parse("telegram:1").unwrap());
        let asked = Export { format, audience, ..Export::default() };
        let made = Made::new(&source.workspace, &asked, &At::head()).unwrap();
        assert!(!made.all().contains("Loud and proud"), "{format:?}: {}", made.all());
    }
    let test = TestWorkspace::at(&source.clock);
    import(&test, export(&source, Format::Jsonl).text()).unwrap();
    let waiting = test.workspace.blocks().waiting(&At::head()).unwrap();
    assert_eq!(waiting[0].proposal.memory.text, "Loud and proud");
    let commits = test.workspace.log(&memtape::CommitQuestion::default(), &At::head()).unwrap();
    let messages: Vec<_> = commits.iter().map(memtape::log::message).collect();
    expect![[r#"
        remembered: [proposal for block persona]
        remembered: Calm"#]]
    .assert_eq(&messages.join("\n"));
}

#[test]
fn a_line_without_an_end_needs_no_memory() {
    let test = TestWorkspace::new();
    let endless = BufReader::new(std::io::repeat(b'x').take(200 << 20));
    let kind = refused(
        test.workspace.import_tape(endless, |_| {}),
        &expect!["line 1 is not a line of a tape: it is longer than 134217728 bytes"],
    );
    assert_eq!(kind, ErrorKind::Invalid);
}
