//! Exports of the whole memory, what other programs read of them, and imports.

mod importing;

use std::io::{BufReader, Read as _};

use expect_test::{Expect, expect};
use memtape::export::Format;
use memtape::ledger::NewFact;
use memtape::{
    Added, At, Audience, BlockName, Category, Error, ErrorKind, Export, FilePath, Form, Imported, Inbound,
    Memory, Message, Origin, Recall, Reply, Salts as _, Session, Workspace,
};
use memtape_store::Replacement;
use memtape_testkit::TestWorkspace;
use memtape_testkit::exports::Made;
use serde_json::{Value, json};

fn fact(subject: &str, predicate: &str, object: &str) -> NewFact {
    NewFact { confidence: 0.9, ..NewFact::new(subject, predicate, object) }
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
    let said = |role: &str, content: &str| Message::new(role, content);
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

fn entries(workspace: &Workspace) -> u64 {
    workspace.status(&At::head()).unwrap().entries
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
