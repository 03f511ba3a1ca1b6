//! Exports in the formats of document 1: fields, order, IDs and files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use expect_test::expect;
use memtape::export::Format;
use memtape::ledger::{Applying, Named, NewFact, Step};
use memtape::{Added, At, Audience, Category, ErrorKind, Export, Form, Sensitivity, Session};
use memtape_core::commit::{commit_id, id_of};
use memtape_testkit::TestWorkspace;
use memtape_testkit::exports::Made;
use serde_json::{Value, json};

fn fact(subject: &str, predicate: &str, object: &str, scope: Option<&str>) -> NewFact {
    NewFact { scope: scope.map(str::to_owned), confidence: 0.9, ..NewFact::new(subject, predicate, object) }
}

/// Returns a workspace with two branches, a confidential memory, a chat's memory, and text in several
/// scripts.
fn something() -> TestWorkspace {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    let ledger = || workspace.ledger();
    ledger().add(&fact("user", "prefers backend", "Python", Some("work/technical"))).unwrap();
    ledger().add(&fact("user", "prefers", "café ☕ \"crème\"", None)).unwrap();
    ledger()
        .with_sensitivity(Sensitivity::Confidential)
        .add(&fact("user", "fears", "spiders", None))
        .unwrap();
    let chat = Audience::of_chat(&Session::parse("telegram:1").unwrap());
    ledger().for_audience(chat).add(&fact("user", "lives in", "Porto", None)).unwrap();
    workspace.branches().create("team/ana", Some("Ana's own"), &At::head()).unwrap();
    workspace.branches().switch("team/ana", true).unwrap();
    ledger().add(&fact("user", "prefers backend", "Rust", Some("work/technical"))).unwrap();
    ledger().observe(&NewFact { confidence: 0.3, ..fact("user", "prefers", "tea", None) }).unwrap();
    workspace.branches().switch("main", true).unwrap();
    ledger().add(&fact("user", "owns", "a cat", None)).unwrap();
    ledger().forget(&Named { subject: "user".into(), predicate: "owns".into(), scope: None }).unwrap();
    ledger().add(&fact("写作", "是", "很好", None)).unwrap();
    workspace.branches().merge("team/ana").unwrap();
    test
}

/// What is not a file takes the export, and is not replaced by one.
#[cfg(unix)]
#[test]
fn a_pipe_takes_an_export() {
    use std::os::unix::fs::FileTypeExt as _;

    let test = something();
    let path = test.path().parent().unwrap().join(format!("pipe-{}", std::process::id()));
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let reading = std::thread::spawn({
        let path = path.clone();
        move || fs::read_to_string(path).unwrap()
    });
    let export = Export { format: Format::Jsonl, ..Export::default() };
    test.workspace.export_to(&export, &At::head(), &path, true).unwrap();
    assert!(reading.join().unwrap().contains("Porto"));
    assert!(fs::symlink_metadata(&path).unwrap().file_type().is_fifo());
    fs::remove_file(&path).unwrap();
}

fn export(test: &TestWorkspace, export: &Export) -> Made {
    Made::new(&test.workspace, export, &At::head()).unwrap()
}

/// Returns the options of an export of the facts in a format of document 1.
fn of_facts(format: Format) -> Export {
    Export { format, form: Some(Form::LEDGER), ..Export::default() }
}

fn document(test: &TestWorkspace, asked: &Export) -> Value {
    serde_json::from_str(export(test, asked).text()).unwrap()
}

#[test]
fn the_document_has_document_1_s_fields_in_its_order() {
    let test = something();
    let made = export(&test, &Export { history: true, ..of_facts(Format::Json) });
    let (text, exported) = (made.text(), made.exported);
    assert!(text.ends_with('}') && text.contains("café ☕ \\\"crème\\\""), "{text}");
    let value: Value = serde_json::from_str(text).unwrap();
    let fields = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    let mut shape = vec![fields(&value)];
    for list in ["branches", "memories", "history"] {
        shape.push(format!("{list}: {}", fields(&value[list][0])));
    }
    expect![[r#"
        exported_at current_branch branches memories history
        branches: name persona head created_at
        memories: id subject predicate object scope confidence source evidence timestamp whose
        history: id message branch events parent_id timestamp"#]]
    .assert_eq(&shape.join("\n"));
    let branches: Vec<_> =
        value["branches"].as_array().unwrap().iter().map(|b| (&b["name"], &b["persona"])).collect();
    assert_eq!(branches, [(&json!("main"), &json!("default")), (&json!("team/ana"), &json!("Ana's own"))]);
    let facts: Vec<_> = value["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| format!("{} {}", m["predicate"], m["object"]))
        .collect();
    expect![[r#"
        "lives in" "Porto"
        "是" "很好"
        "prefers backend" "Rust"
        "prefers" "café ☕ \"crème\"""#]]
    .assert_eq(&facts.join("\n"));
    assert_eq!((exported.memories, exported.left_out), (facts.len(), 1));
    // By default there is no history.
    assert_eq!(document(&test, &of_facts(Format::Json)).get("history"), None);
}

/// Replays the storage of document 1's program as that program does, and returns the facts of a branch. The ids must be
/// those of the document.
fn replayed(files: &BTreeMap<String, String>, branch: &str) -> Vec<String> {
    let read = |path: String| serde_json::from_str::<Value>(&files[&path]).unwrap();
    let mut commits = Vec::new();
    let mut head = read(format!("branches/{branch}.json"))["head"].clone();
    while let Some(id) = head.as_str() {
        let commit = read(format!("ledger/commits/{id}.json"));
        head = commit["parent_id"].clone();
        commits.push(commit);
    }
    let (mut slots, mut seen) = (BTreeMap::new(), BTreeSet::new());
    for id in commits.iter().rev().flat_map(|commit| commit["events"].as_array().unwrap()) {
        let event = read(format!("ledger/events/{}.json", id.as_str().unwrap()));
        if !seen.insert(id.as_str().unwrap().to_owned()) {
            continue;
        }
        let slot = format!("{} {} {}", event["subject"], event["predicate"], event["scope"]);
        match event["event_type"].as_str().unwrap() {
            "add" | "update" | "confirm" => _ = slots.insert(slot, event["object"].clone()),
            "deprecate" | "forget" => _ = slots.remove(&slot),
            _ => {}
        }
    }
    slots.into_iter().map(|(slot, object)| format!("{slot} {object}")).collect()
}

/// What is left out leaves no gap in the history, and no trace.
#[test]
fn document_1_s_program_reads_what_is_exported() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    let ledger = || workspace.ledger();
    let secret = || ledger().with_sensitivity(Sensitivity::Confidential);
    ledger().add(&fact("Ana", "city", "Lisbon", None)).unwrap();
    secret().add(&fact("Ana", "vault", "under stairs", None)).unwrap();
    ledger().add(&fact("Ana", "city", "Porto", None)).unwrap();
    ledger().observe(&NewFact { confidence: 0.6, ..fact("Ana", "city", "Rome", None) }).unwrap();
    ledger().add(&fact("Ana", "tea", "green", None)).unwrap();
    ledger().add(&fact("Ana", "tea", "black", None)).unwrap();
    workspace.branches().undo().unwrap();
    ledger().add(&fact("Ana", "pet", "Rex", None)).unwrap();
    workspace.branches().create("work", None, &At::head()).unwrap();
    ledger().observe(&NewFact { confidence: 0.9, ..fact("Ana", "pet", "Tim", None) }).unwrap();
    let chat = Audience::of_chat(&Session::parse("telegram:1").unwrap());
    ledger().for_audience(chat).add(&fact("Ana", "fears", "spiders", None)).unwrap();
    ledger().add(&fact("Ana", "job", "baker", None)).unwrap();
    // A commit of several facts of which one is confidential.
    let step = |predicate: &str, sensitivity| Applying {
        step: Step::Add(fact("Ana", predicate, "yes", None)),
        sensitivity,
    };
    let steps = [step("sings", Sensitivity::Normal), step("hides", Sensitivity::Confidential)];
    ledger().apply(&steps, "").unwrap();
    secret().add(&fact("Ana", "key", "under the mat", None)).unwrap();

    let made = export(&test, &of_facts(Format::Files));
    expect![[r#"
        "Ana" "city" null "Porto"
        "Ana" "job" null "baker"
        "Ana" "pet" null "Tim"
        "Ana" "sings" null "yes"
        "Ana" "tea" null "green""#]]
    .assert_eq(&replayed(&made.files, "main").join("\n"));
    expect![[r#"
        "Ana" "city" null "Porto"
        "Ana" "pet" null "Rex"
        "Ana" "tea" null "green""#]]
    .assert_eq(&replayed(&made.files, "work").join("\n"));
    let everything = Export { confidential: true, ..of_facts(Format::Files) };
    assert_eq!(replayed(&export(&test, &everything).files, "main").len(), 8);
    let others = Audience::of_chat(&Session::parse("telegram:2").unwrap());
    for audience in [Audience::owner(), others] {
        let hidden = hidden_ids(&test, &audience);
        for format in [Format::Files, Format::Json, Format::Markdown] {
            let asked = Export { audience: audience.clone(), history: true, ..of_facts(format) };
            let shown = export(&test, &asked).all();
            let found: Vec<_> = hidden.iter().filter(|id| shown.contains(&id[..8])).collect();
            assert!(found.is_empty(), "{asked:?}: {found:?}");
        }
    }
}

/// Whoever is given a directory learns nothing from it that was forgotten, or is on another branch.
#[test]
fn an_audience_gets_only_current_values() {
    let test = TestWorkspace::new();
    let ledger = || test.workspace.ledger();
    ledger().add(&fact("Ana", "plan", "elope", None)).unwrap();
    ledger().forget(&Named { subject: "Ana".into(), predicate: "plan".into(), scope: None }).unwrap();
    ledger().add(&fact("Ana", "city", "Lisbon", None)).unwrap();
    ledger().add(&fact("Ana", "city", "Porto", None)).unwrap();
    test.workspace.branches().create("work", None, &At::head()).unwrap();
    test.workspace.branches().switch("work", true).unwrap();
    ledger().add(&fact("Ana", "mood", "merry", None)).unwrap();
    test.workspace.branches().switch("main", true).unwrap();
    let chat = Audience::of_chat(&Session::parse("telegram:1").unwrap());
    for form in [None, Some(Form::LEDGER)] {
        let asked = Export { format: Format::Files, audience: chat.clone(), form, ..Export::default() };
        let made = export(&test, &asked);
        assert!(made.all().contains("Porto"), "{form:?}");
        for text in ["elope", "Lisbon", "merry"] {
            assert!(!made.all().contains(text), "{form:?}: {text}");
            assert!(export(&test, &Export { history: true, ..asked.clone() }).all().contains(text));
            let owners = Export { audience: Audience::owner(), ..asked.clone() };
            assert!(export(&test, &owners).all().contains(text));
        }
        if form.is_some() {
            assert_eq!(replayed(&made.files, "main"), ["\"Ana\" \"city\" null \"Porto\""]);
        }
    }
}

/// Returns the ids of the events that an export without what is confidential may not contain, and of their commits.
fn hidden_ids(test: &TestWorkspace, audience: &Audience) -> BTreeSet<String> {
    let tape = fs::read_to_string(test.path().join("tape.jsonl")).unwrap();
    let entries = tape.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut hidden = BTreeSet::new();
    for entry in entries {
        let (payload, meta) = (&entry["payload"], &entry["meta"]);
        let is_hidden =
            meta["sensitivity"] == "confidential" || !audience.is_owner() && !meta["scope"].is_null();
        match payload["name"].as_str().unwrap_or_default() {
            name if name.starts_with("ledger.") && is_hidden => {
                hidden.insert(payload["data"]["id"].as_str().unwrap().to_owned());
            }
            "memory/commit" => {
                let events = payload["state"]["events"].as_array().unwrap();
                if events.iter().any(|id| hidden.contains(id.as_str().unwrap())) {
                    hidden.insert(payload["state"]["id"].as_str().unwrap().to_owned());
                }
            }
            _ => {}
        }
    }
    assert!(hidden.len() > 3);
    hidden
}

/// The IDs in exported files are computed as the document specifies, and refer to each other.
#[test]
fn exported_ids_are_what_they_are_made_of() {
    let test = something();
    let Made { exported, files } = export(&test, &Export { confidential: true, ..of_facts(Format::Files) });
    let files: BTreeMap<_, _> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let read = |path: &str| serde_json::from_str::<Value>(files[path]).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut events = Vec::new();
    let mut commits = Vec::new();
    for path in files.keys() {
        if let Some(id) = path.strip_prefix("ledger/events/").and_then(|name| name.strip_suffix(".json")) {
            let event = read(path);
            let names = ["event_type", "object", "predicate", "scope", "subject", "timestamp"];
            let made = id_of(&names.map(|name| (name, event[name].clone())));
            assert_eq!((made.as_str(), &event["id"]), (id, &json!(id)), "{event}");
            events.push(id.to_owned());
        }
        if let Some(id) = path.strip_prefix("ledger/commits/").and_then(|name| name.strip_suffix(".json")) {
            let commit = read(path);
            let of: Vec<String> = commit["events"].as_array().unwrap().iter().map(text).collect();
            let made = commit_id(
                &text(&commit["branch"]),
                &of,
                commit["parent_id"].as_str(),
                &text(&commit["timestamp"]),
            );
            assert_eq!((made.as_str(), &commit["id"]), (id, &json!(id)), "{commit}");
            assert!(
                of.iter().all(|id| files.contains_key(format!("ledger/events/{id}.json").as_str())),
                "{commit}"
            );
            commits.push(id.to_owned());
        }
    }
    assert_eq!((exported.events, exported.commits), (events.len(), commits.len()));
    let heads = ["branches/main.json", "branches/team%2Fana.json"].map(|path| text(&read(path)["head"]));
    assert!(heads.iter().all(|head| commits.contains(head)), "{heads:?}");
    let view = read("view/current.json");
    assert_eq!((files["HEAD"], &view["head"]), ("main", &json!(heads[0])));
    let slot = &view["slots"]["user|prefers backend|work/technical"];
    assert_eq!((&slot["current"]["object"], slot["history"].as_array().unwrap().len()), (&json!("Rust"), 2));
    let merged = commits.iter().map(|id| read(&format!("ledger/commits/{id}.json")));
    let merged: Vec<_> = merged.filter(|commit| !commit["metadata"]["merge_source"].is_null()).collect();
    assert_eq!((merged.len(), &merged[0]["metadata"]["merge_source_head"]), (1, &json!(heads[1])));
    let event = files.iter().find(|(path, _)| path.starts_with("ledger/events/")).unwrap().1;
    let fields = serde_json::from_str::<Value>(event).unwrap();
    let fields: Vec<_> = fields.as_object().unwrap().keys().cloned().collect();
    assert_eq!(
        fields.join(" "),
        "event_type subject predicate object scope confidence source evidence sensitivity parent_id timestamp id"
    );
    assert!(event.starts_with("{\n  \"event_type\"") && event.ends_with('}'), "{event}");
}

#[test]
fn nothing_confidential_leaves_by_itself() {
    let test = something();
    let confidential = test.workspace.statements().with_sensitivity(Sensitivity::Confidential);
    confidential.add(&Added::new("I am afraid of spiders", Category::Fact)).unwrap();
    for asked in exports() {
        let spiders = asked.form.is_none_or(|form| form == Form::LEDGER) && asked.format != Format::Bub;
        let shown = export(&test, &asked);
        assert!(!shown.all().contains("spiders"), "{asked:?}");
        assert_eq!(shown.exported.left_out > 0, spiders, "{asked:?}");
        let whole = export(&test, &Export { confidential: true, ..asked.clone() });
        assert_eq!((whole.all().contains("spiders"), whole.exported.left_out), (spiders, 0), "{asked:?}");
        let chat = Audience::of_chat(&Session::parse("telegram:2").unwrap());
        let theirs = export(&test, &Export { audience: chat.clone(), ..asked.clone() });
        assert!(!theirs.all().contains("spiders") && !theirs.all().contains("Porto"), "{asked:?}");
        let refused = Export { audience: chat, confidential: true, ..asked };
        let refused = Made::new(&test.workspace, &refused, &At::head()).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Refused);
    }
}

/// Returns an export in every format, of everything and of the facts.
fn exports() -> impl Iterator<Item = Export> {
    let of = |form| move |format| Export { format, form, history: true, ..Export::default() };
    let without_bub = Format::ALL.into_iter().filter(|format| *format != Format::Bub);
    Format::ALL.into_iter().map(of(None)).chain(without_bub.map(of(Some(Form::LEDGER))))
}

#[test]
fn what_lives_as_long_as_a_conversation_leaves_with_that_one_only() {
    let test = TestWorkspace::new();
    let thread = |label: &str| Audience::of_chat(&Session::parse(label).unwrap());
    let ledger = test.workspace.ledger().for_audience(thread("telegram:1:a"));
    ledger.add(&fact("user", "is looking for", "a kiln", Some("session"))).unwrap();
    for asked in exports().filter(|asked| asked.format != Format::Bub) {
        let holds =
            |audience| export(&test, &Export { audience, ..asked.clone() }).all().contains("looking for");
        assert!(holds(thread("telegram:1:a")), "{asked:?}");
        assert!(!holds(thread("telegram:1:b")), "{asked:?}");
    }
}

#[test]
fn markdown_is_for_a_person() {
    let test = something();
    let exported = export(&test, &Export { history: true, ..of_facts(Format::Markdown) });
    let digits = |text: &str| {
        let lines =
            text.lines().map(|line| match line.find('`').or_else(|| line.find("head ").map(|n| n + 4)) {
                Some(n) if line.len() > n + 9 => format!("{}[ID]{}", &line[..=n], &line[n + 9..]),
                _ => line.to_owned(),
            });
        lines.collect::<Vec<_>>().join("\n")
    };
    expect![[r##"
        # Memory Export

        Exported at 2026-02-10T10:00:00.000000+00:00

        ## Branches

        - **main** (current): head [ID], persona: default
        - **team/ana**: head [ID], persona: Ana's own

        ## Memories

        ### user

        - lives in: **Porto** [90%] (channel:telegram:chat:1)
        - prefers backend: **Rust** [90%] (work/technical)
        - prefers: **café ☕ "crème"** [77%]

        ### 写作

        - 是: **很好** [90%]

        ## History

        - `[ID]` 2026-02-10T10:00:00.000000+00:00 [main] merge team/ana into main
        - `[ID]` 2026-02-10T10:00:00.000000+00:00 [main] add 写作 是
        - `[ID]` 2026-02-10T10:00:00.000000+00:00 [main] forget user owns
        - `[ID]` 2026-02-10T10:00:00.000000+00:00 [main] add user owns
        - `[ID]` 2026-02-10T10:00:00.000000+00:00 [main] add user lives in
        - `[ID]` 2026-02-10T10:00:00.000000+00:00 [main] add user prefers
        - `[ID]` 2026-02-10T10:00:00.000000+00:00 [main] add user prefers backend"##]]
    .assert_eq(&digits(exported.text()));
}

#[test]
fn nothing_is_replaced_unasked() {
    let test = something();
    let dir = tempfile::tempdir().unwrap();
    let write = |format, to: &Path, replace| {
        let asked = Export { format, ..Export::default() };
        test.workspace.export_to(&asked, &At::head(), to, replace).map_err(|e| e.kind())
    };
    let file = dir.path().join("memories.json");
    fs::write(&file, "{\"mine\": true}").unwrap();
    assert_eq!(write(Format::Json, &file, false), Err(ErrorKind::Refused));
    assert_eq!(fs::read_to_string(&file).unwrap(), "{\"mine\": true}");
    write(Format::Json, &file, true).unwrap();
    assert!(fs::read_to_string(&file).unwrap().contains("exported_at"));
    assert_eq!(write(Format::Json, dir.path(), true), Err(ErrorKind::Refused), "a folder stays");
    assert_eq!(write(Format::Files, dir.path(), true), Err(ErrorKind::Refused), "it is no export");
    let own = dir.path().join("memory");
    fs::create_dir(&own).unwrap();
    write(Format::Files, &own, false).unwrap();
    assert_eq!(write(Format::Files, &own, false), Err(ErrorKind::Refused));
    // A file of the earlier export goes, and one that somebody else put there stays.
    for file in ["memory/ledger/events/stale.json", "memory/ledger/events/own.json", ".git/HEAD"] {
        fs::create_dir_all(own.join(file).parent().unwrap()).unwrap();
        fs::write(own.join(file), "{}").unwrap();
    }
    let mark = fs::read_to_string(own.join("export.json")).unwrap();
    let mark = mark.replace("\"files\": [", "\"files\": [\"memory/ledger/events/stale.json\",");
    fs::write(own.join("export.json"), mark).unwrap();
    write(Format::Files, &own, true).unwrap();
    assert!(own.join("memory/ledger/events/own.json").exists() && own.join(".git/HEAD").exists());
    assert!(!own.join("memory/ledger/events/stale.json").exists() && own.join("memory/HEAD").exists());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "nothing half written is left");
}
