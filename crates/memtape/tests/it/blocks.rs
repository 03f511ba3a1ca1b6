//! Blocks: layers, versions, changes that wait for approval, and the view `memory_blocks`.

use memtape::blocks::PendingProposal;
use memtape::decay::DecayQuestion;
use memtape::{
    At, Audience, Block, BlockLayer, BlockName, BlockOutcome, Blocks, Config, ErrorKind, FilePath, Form,
    Inbound, Kind, Origin, Prompting, Recall, Reply, Resolution, Session, Trigger, Workspace,
};
use memtape_testkit::TestWorkspace;
use rusqlite::Connection;
use serde_json::json;

fn name(text: &str) -> BlockName {
    BlockName::new(text).unwrap()
}

fn set(workspace: &Workspace, block: &str, value: &str) {
    assert!(matches!(workspace.blocks().set(&name(block), value, None).unwrap(), BlockOutcome::Set(_)));
}

fn agent(workspace: &Workspace) -> Blocks<'_> {
    workspace.blocks().writing_as(Origin::Assistant)
}

fn value(workspace: &Workspace, block: &str) -> Option<String> {
    workspace.blocks().get(&name(block), &At::head()).unwrap().value
}

fn head(workspace: &Workspace) -> u64 {
    workspace.status(&At::head()).unwrap().entries
}

#[test]
fn setting_a_block_twice_makes_the_second_version_current() {
    let test = TestWorkspace::new();
    let w = &test.workspace;
    assert_eq!(value(w, "current_focus"), None);
    set(w, "current_focus", "tea");
    let before = head(w);
    test.clock.advance_days(1);
    set(w, "current_focus", "memory architecture");
    assert_eq!(value(w, "current_focus").unwrap(), "memory architecture");
    let then = w.blocks().get(&name("current_focus"), &At::entry(before)).unwrap();
    assert_eq!(then.value.unwrap(), "tea");
    // Setting the current value again writes nothing.
    let entries = head(w);
    let again = w.blocks().set(&name("current_focus"), "memory architecture", None).unwrap();
    assert_eq!((again, head(w)), (BlockOutcome::Unchanged, entries));
    let history = w.blocks().history(&name("current_focus"), 10, &At::head()).unwrap();
    let values: Vec<_> = history.iter().map(|version| version.value.clone().unwrap()).collect();
    assert_eq!(values, ["memory architecture", "tea"]);
    assert_eq!(w.blocks().history(&name("current_focus"), 1, &At::head()).unwrap().len(), 1);
    // A change of a block is a single entry, which the journal shows.
    assert_eq!(head(w), before + 1);
}

#[test]
fn known_names_are_listed_in_their_layers_before_they_are_set() {
    let test = TestWorkspace::new();
    let w = &test.workspace;
    w.blocks().set(&name("zeal"), "for tea", Some(BlockLayer::Semantic)).unwrap();
    let listed = |layer| -> Vec<String> {
        let blocks = w.blocks().list(layer, &At::head()).unwrap();
        blocks.into_iter().map(|block| format!("{} {}", block.layer.number(), block.name)).collect()
    };
    assert_eq!(
        listed(None),
        [
            "2 communication_style",
            "2 persona",
            "2 values",
            "3 limitations",
            "3 owner_context",
            "3 patterns",
            "3 zeal",
            "4 current_focus",
            "4 goals",
            "4 recent_insights",
            "4 recent_research",
            "4 schedule",
        ]
    );
    assert_eq!(listed(Some(BlockLayer::Identity)).len(), 3);
    let of = |block: &str| w.blocks().get(&name(block), &At::head()).unwrap();
    assert_eq!(of("recent_insights").value.unwrap(), "[]");
    assert_eq!(of("persona").value, None);
}

#[test]
fn a_name_keeps_its_layer_unless_the_owner_moves_it() {
    let test = TestWorkspace::new();
    let w = &test.workspace;
    let layer = |block: &str| w.blocks().get(&name(block), &At::head()).unwrap().layer;
    // A new block is on layer 4 unless another is requested, whoever creates it.
    agent(w).set(&name("inbox"), "one", None).unwrap();
    agent(w).set(&name("insight"), "one", Some(BlockLayer::Semantic)).unwrap();
    assert_eq!((layer("inbox"), layer("insight")), (BlockLayer::Working, BlockLayer::Semantic));
    let e = agent(w).set(&name("inbox"), "two", Some(BlockLayer::Semantic)).unwrap_err();
    assert!(e.to_string().contains("belongs to layer 4 (working)"), "{e}");
    assert_eq!(value(w, "inbox").unwrap(), "one");
    // The owner may change the layer without changing the text. Then the agent needs approval.
    let moved = w.blocks().set(&name("inbox"), "one", Some(BlockLayer::Identity)).unwrap();
    assert_eq!(moved, BlockOutcome::Set(BlockLayer::Identity));
    assert_eq!(agent(w).set(&name("inbox"), "two", None).unwrap(), BlockOutcome::Waits);
    set(w, "inbox", "three");
    assert_eq!(layer("inbox"), BlockLayer::Identity);
    // A forgotten block keeps its layer.
    w.blocks().forget(&name("inbox")).unwrap();
    agent(w).set(&name("inbox"), "four", None).unwrap();
    assert_eq!(w.memories(Form::BLOCKS, &Audience::owner(), &At::head()).unwrap().len(), 2);
    // A change of the layer alone is in the history.
    let history = w.blocks().history(&name("inbox"), 100, &At::head()).unwrap();
    let moved =
        |pair: &[memtape::BlockVersion]| pair[0].value == pair[1].value && pair[0].layer != pair[1].layer;
    assert_eq!(history.windows(2).filter(|pair| moved(pair)).count(), 1);
}

#[test]
fn a_value_that_is_too_long_is_refused_with_its_excess() {
    let mut config = Config::default();
    config.blocks.max_chars = 10;
    let test = TestWorkspace::configured(config);
    let blocks = test.workspace.blocks();
    blocks.set(&name("goals"), &"ä".repeat(10), None).unwrap();
    let e = blocks.set(&name("goals"), &"ä".repeat(12), None).unwrap_err();
    assert_eq!(
        (e.kind(), e.to_string()),
        (ErrorKind::Invalid, "the value is 2 characters over the limit of 10".into())
    );
    assert_eq!(blocks.set(&name("goals"), "", None).unwrap(), BlockOutcome::Set(BlockLayer::Working));
    assert!(blocks.set(&name("goals"), "a\0b", None).is_err());
    // A recall finds neither empty blocks nor changes that wait.
    agent(&test.workspace).set(&name("persona"), "likes tea", None).unwrap();
    let hits = test.workspace.recall(&Recall::new("persona likes tea goals"), &At::head()).unwrap().hits;
    assert!(hits.is_empty(), "{hits:?}");
}

#[test]
fn computed_blocks_are_never_set() {
    let test = TestWorkspace::new();
    for block in ["recent_insights", "recent_research"] {
        let e = test.workspace.blocks().set(&name(block), "[]", None).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Refused);
        assert!(test.workspace.blocks().forget(&name(block)).is_err());
    }
    // A foreign writer cannot set it either.
    test.append_raw(
        "event",
        r#"{"name":"block.set","data":{"name":"recent_insights","value":"x","layer":4}}"#,
    );
    test.append_raw("event", r#"{"name":"block.set","data":{"name":"Persona","value":"x","layer":4}}"#);
    test.append_raw("event", r#"{"name":"block.set","data":{"name":"goals","value":"x","layer":9}}"#);
    assert!(test.workspace.memories(Form::BLOCKS, &Audience::owner(), &At::head()).unwrap().is_empty());
}

#[test]
fn computed_blocks_follow_the_files_of_their_point() {
    let mut config = Config::default();
    config.blocks.index_items = 2;
    let test = TestWorkspace::configured(config);
    let w = &test.workspace;

    let write = |path: &str| w.files().write(&FilePath::new(path).unwrap(), "learnt").unwrap();
    write("insights/2026-02-08.md");
    write("insights/2026-02-10.md");
    let before = head(w);
    write("insights/2026-02-09.md");
    write("drafts/2026-02-10.md");
    write("research/memory-architecture/notes.md");
    let of = |block: &str, at: &At| w.blocks().get(&name(block), at).unwrap().value.unwrap();
    assert_eq!(of("recent_insights", &At::head()), r#"["2026-02-10","2026-02-09"]"#);
    assert_eq!(of("recent_insights", &At::entry(before)), r#"["2026-02-10","2026-02-08"]"#);
    assert_eq!(of("recent_research", &At::head()), r#"["memory-architecture"]"#);
    let listed = w.blocks().list(Some(BlockLayer::Working), &At::head()).unwrap();
    let insights = listed.into_iter().find(|block| block.name == name("recent_insights")).unwrap();
    assert_eq!(insights.value.unwrap(), r#"["2026-02-10","2026-02-09"]"#);
}

fn waiting(workspace: &Workspace) -> Vec<PendingProposal> {
    workspace.blocks().waiting(&At::head()).unwrap()
}

#[test]
fn a_change_of_identity_waits_until_the_owner_approves_it() {
    let test = TestWorkspace::new();
    let w = &test.workspace;
    set(w, "persona", "Calm");
    assert_eq!(agent(w).set(&name("persona"), "Loud", None).unwrap(), BlockOutcome::Waits);
    assert_eq!(value(w, "persona").unwrap(), "Calm");
    assert_eq!(w.status(&At::head()).unwrap().proposals, 1);
    // A newer proposal replaces it; the same proposal again writes nothing.
    agent(w).set(&name("persona"), "Calm and exact", None).unwrap();
    let entries = head(w);
    assert_eq!(agent(w).set(&name("persona"), "Calm and exact", None).unwrap(), BlockOutcome::Waits);
    assert_eq!((head(w), waiting(w).len()), (entries, 1));
    assert!(waiting(w)[0].diff.ends_with("-Calm\n+Calm and exact\n"), "{}", waiting(w)[0].diff);
    // Only the owner may approve or reject.
    assert_eq!(agent(w).approve(&name("persona"), None, true).unwrap_err().kind(), ErrorKind::Refused);
    assert_eq!(agent(w).reject(&name("persona")).unwrap_err().kind(), ErrorKind::Refused);
    w.blocks().approve(&name("persona"), None, false).unwrap();
    let persona: Block = w.blocks().get(&name("persona"), &At::head()).unwrap();
    assert_eq!((persona.value.as_deref(), persona.origin), (Some("Calm and exact"), Some(Origin::User)));
    assert!(waiting(w).is_empty());
    // The new version names the proposal.
    let memory = w.memories(Form::BLOCKS, &Audience::owner(), &At::head()).unwrap().pop().unwrap();
    assert!(memory.data.unwrap().contains("blocks:proposed/persona@"));
    assert_eq!(w.blocks().approve(&name("persona"), None, false).unwrap_err().kind(), ErrorKind::NotFound);
    // At an earlier point, the proposal still waits.
    assert_eq!(w.blocks().waiting(&At::entry(entries)).unwrap().len(), 1);
}

/// Nobody rejected what was approved on another branch, or what an undo removes.
#[test]
fn a_merge_or_an_undo_rejects_no_proposal() {
    let test = TestWorkspace::new();
    let w = &test.workspace;
    set(w, "persona", "Calm");
    agent(w).set(&name("persona"), "Calm and exact", None).unwrap();
    w.branches().create("dev", None, &At::head()).unwrap();
    let options = memtape::Options {
        branch: Some("dev".to_owned()),
        ..memtape_testkit::workspace::options(&test.clock)
    };
    let dev = Workspace::open(test.path(), options).unwrap();
    dev.blocks().approve(&name("persona"), None, false).unwrap();
    w.branches().merge("dev").unwrap();
    assert_eq!((value(w, "persona").as_deref(), waiting(w).len()), (Some("Calm and exact"), 0));
    let rejections = || {
        let log = w.tape().log(&memtape::tape::LogQuestion::default(), &At::head()).unwrap();
        log.iter().filter(|entry| entry.payload.get().contains("block.reject")).count()
    };
    for rejected in [0, 1] {
        agent(w).set(&name("persona"), "Loud", None).unwrap();
        w.branches().undo().unwrap();
        assert_eq!((waiting(w).len(), rejections()), (0, rejected));
        agent(w).set(&name("persona"), "Quiet", None).unwrap();
        w.blocks().reject(&name("persona")).unwrap();
    }
}

#[test]
fn only_the_owner_sees_pending_proposals() {
    let test = TestWorkspace::new();
    let w = &test.workspace;
    agent(w).set(&name("persona"), "PROPOSED", None).unwrap();
    let chat: Session = "telegram:2".parse().unwrap();
    let audience = w.audience(Some(&chat), Some("bob")).unwrap();
    let tools = w.tools().for_session(chat.clone()).for_audience(audience.clone());
    let history = tools.call("memory_history", json!({"show_events": true})).unwrap();
    let fading = DecayQuestion { audience, days: 0, ..DecayQuestion::default() };
    let mut told = vec![history, format!("{:?}", w.decay(&fading, &At::head()).unwrap())];
    for of in [chat, Session::direct()] {
        let asking = Prompting::default();
        let prompt = w.conversation(of).prompt(&Inbound::new("hi"), &asking, &At::head()).unwrap();
        told.push(format!("{prompt:?}"));
    }
    let fading = DecayQuestion { days: 0, ..DecayQuestion::default() };
    told.push(format!("{:?}", w.decay(&fading, &At::head()).unwrap()));
    assert!(told.iter().all(|told| !told.contains("PROPOSED")), "{told:#?}");
    assert_eq!(waiting(w)[0].proposal.memory.text, "PROPOSED");
}

#[test]
fn approve_refuses_a_proposal_that_was_not_seen() {
    let test = TestWorkspace::new();
    let w = &test.workspace;
    agent(w).set(&name("persona"), "I am kind", None).unwrap();
    let seen = head(w);
    agent(w).set(&name("persona"), "I am evil", None).unwrap();
    let e = w.blocks().approve(&name("persona"), Some(seen), true).unwrap_err();
    assert_eq!((e.kind(), value(w, "persona")), (ErrorKind::NotFound, None), "{e}");
    assert_eq!(w.blocks().approve(&name("persona"), Some(head(w)), false).unwrap(), "I am evil");
}

#[test]
fn a_proposal_is_stale_once_its_block_changed() {
    let test = TestWorkspace::new();
    let w = &test.workspace;
    set(w, "persona", "Calm");
    agent(w).set(&name("persona"), "Loud", None).unwrap();
    set(w, "persona", "Kind");
    assert!(waiting(w)[0].is_stale);
    let e = w.blocks().approve(&name("persona"), None, false).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Conflict);
    assert!(
        e.to_string().starts_with("stale:")
            && e.to_string().contains("Kind")
            && e.to_string().contains("Loud")
    );
    // Once the value is the one that the agent saw, the proposal is no longer stale.
    set(w, "persona", "Calm");
    assert!(!waiting(w)[0].is_stale);
    set(w, "persona", "Kind");
    w.blocks().approve(&name("persona"), None, true).unwrap();
    assert_eq!(value(w, "persona").unwrap(), "Loud");
    agent(w).set(&name("persona"), "Louder", None).unwrap();
    w.blocks().reject(&name("persona")).unwrap();
    assert_eq!((value(w, "persona").unwrap().as_str(), waiting(w).len()), ("Loud", 0));
    // A proposal that equals what the owner sets no longer waits.
    agent(w).set(&name("persona"), "Loudest", None).unwrap();
    set(w, "persona", "Loudest");
    assert!(waiting(w).is_empty());
}

#[test]
fn restore_reads_there_and_writes_at_the_head() {
    let test = TestWorkspace::new();
    let w = &test.workspace;
    let empty = head(w);
    set(w, "goals", "tea");
    let tea = head(w);
    set(w, "goals", "coffee");
    w.blocks().forget(&name("goals")).unwrap();
    assert_eq!(value(w, "goals"), None);
    w.blocks().restore(&name("goals"), &At::entry(tea)).unwrap();
    assert_eq!(value(w, "goals").unwrap(), "tea");
    let history = w.blocks().history(&name("goals"), 100, &At::head()).unwrap();
    let values: Vec<_> = history.iter().map(|version| version.value.as_deref()).collect();
    assert_eq!(values, [Some("tea"), None, Some("coffee"), Some("tea")]);
    assert_eq!(
        w.blocks().restore(&name("goals"), &At::entry(empty)).unwrap_err().kind(),
        ErrorKind::NotFound
    );
    // Undo removes the restored value.
    w.branches().undo().unwrap();
    assert_eq!(value(w, "goals"), None);
}

#[test]
fn branches_have_their_own_blocks_and_proposals_and_merge_by_name() {
    let test = TestWorkspace::new();
    let w = &test.workspace;
    set(w, "persona", "Calm");
    set(w, "goals", "tea");
    w.branches().create("work", None, &At::head()).unwrap();
    let work = test.again_on("work");
    set(&work, "goals", "ship");
    set(&work, "schedule", "mornings");
    set(&work, "persona", "Exact");
    agent(&work).set(&name("values"), "Honesty", None).unwrap();
    assert_eq!((value(w, "goals").unwrap().as_str(), waiting(w).len()), ("tea", 0));
    set(w, "goals", "coffee");
    // An agent may not merge a change of the owner's layer, but the owner may.
    let agents = w.branches().writing_as(Origin::Assistant);
    assert_eq!(agents.merge("work").unwrap_err().kind(), ErrorKind::Refused);
    let taken = w.branches().merge("work").unwrap();
    assert_eq!(taken.conflicts.len(), 1);
    assert_eq!(value(w, "schedule").unwrap(), "mornings");
    assert_eq!(value(w, "persona").unwrap(), "Exact");
    assert_eq!(waiting(w).len(), 1, "what waits there waits here");
    assert_eq!(value(w, "goals").unwrap(), "coffee", "until it is settled, ours stands");
    w.branches().resolve(&"blocks:goals".parse().unwrap(), &Resolution::Theirs).unwrap();
    assert_eq!(value(w, "goals").unwrap(), "ship");
    set(w, "persona", "Kind");
    let e = agents.undo().unwrap_err();
    assert!(e.to_string().contains("memtape undo"), "{e}");
    assert_eq!(value(w, "persona").unwrap(), "Kind");
}

#[test]
fn every_audience_of_the_workspace_reads_blocks_and_the_owner_writes() {
    let test = TestWorkspace::new();
    let w = &test.workspace;
    set(w, "goals", "tea");
    let session = Session::parse("telegram:7").unwrap();
    let chat = w.audience(Some(&session), None).unwrap();
    let theirs = w.blocks().for_audience(chat.clone()).in_session(session.clone());
    assert_eq!(theirs.get(&name("goals"), &At::head()).unwrap().value.unwrap(), "tea");
    for refused in [
        theirs.set(&name("goals"), "x", None).map(drop),
        theirs.forget(&name("goals")),
        theirs.approve(&name("goals"), None, true).map(|_| ()),
    ] {
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::Refused);
    }
    let tools = w.tools().for_audience(chat).for_session(session);
    let e = tools.call("memory_set_block", json!({"name": "goals", "value": "x"})).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Refused);
}

#[test]
fn a_turn_without_a_speaker_is_recorded_and_not_captured() {
    let test = TestWorkspace::new();
    let w = &test.workspace;
    let conversation = w.conversation(Session::direct());
    let inbound = |trigger| Inbound { trigger, ..Inbound::new("I prefer green tea. My name is Ana.") };
    for trigger in [Trigger::Perch, Trigger::Cron] {
        let turn = conversation.turn(&inbound(trigger), |_| Ok(Reply::new("Nothing to do."))).unwrap();
        assert!(turn.captured.is_empty() && turn.dropped.is_empty(), "{turn:?}");
        let begin: u64 = turn.message.unwrap().key.parse().unwrap();
        let entries = w.tape().log(&memtape::tape::LogQuestion::default(), &At::head()).unwrap();
        let of = |id: u64| entries.iter().find(|entry| entry.id == id).unwrap();
        assert_eq!(of(begin).kind, Kind::System);
        assert_eq!(Trigger::of(of(begin - 1)), trigger);
        let spoken = Inbound { user: Some("7".into()), ..inbound(trigger) };
        let e = conversation.turn(&spoken, |_| Ok(Reply::default())).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Invalid);
    }
    // A message from a user in a conversation without one is captured.
    let conversation = w.conversation(Session::parse("telegram:9").unwrap());
    let turn = conversation.turn(&inbound(Trigger::Message), |_| Ok(Reply::default())).unwrap();
    assert!(!turn.captured.is_empty());
}

fn database(test: &TestWorkspace) -> Connection {
    // A reading command updates the index from the tape.
    test.workspace.status(&At::head()).unwrap();
    Connection::open(test.path().join("memory.db")).unwrap()
}

fn rows(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(sql).unwrap();
    let columns = statement.column_count();
    let text = |row: &rusqlite::Row<'_>| {
        let cells = (0..columns).map(|n| row.get::<_, rusqlite::types::Value>(n));
        let cells: Vec<String> = cells
            .map(|cell| match cell.unwrap() {
                rusqlite::types::Value::Null => "NULL".into(),
                rusqlite::types::Value::Integer(n) => n.to_string(),
                rusqlite::types::Value::Text(text) => text,
                other => format!("{other:?}"),
            })
            .collect();
        Ok(cells.join("|"))
    };
    statement.query_map([], text).unwrap().map(Result::unwrap).collect()
}

#[test]
fn the_document_s_questions_run_on_the_view() {
    let test = TestWorkspace::new();
    let w = &test.workspace;
    set(w, "current_focus", "tea");
    test.clock.advance_days(1);
    set(w, "current_focus", "memory architecture");
    set(w, "persona", "Calm");
    agent(w).set(&name("persona"), "Loud", None).unwrap();
    set(w, "goals", "ship");
    w.blocks().forget(&name("goals")).unwrap();
    let db = database(&test);
    let of = "SELECT value FROM memory_blocks WHERE name = 'current_focus'";
    let before = "AND created_at < '2026-02-11' ORDER BY id DESC LIMIT 1";
    assert_eq!(rows(&db, &format!("{of} {before}")), ["tea"]);
    assert_eq!(rows(&db, &format!("{of} ORDER BY id DESC LIMIT 1")), ["memory architecture"]);
    assert_eq!(
        rows(
            &db,
            "SELECT name, value FROM memory_blocks
             WHERE id IN (SELECT MAX(id) FROM memory_blocks GROUP BY name) ORDER BY layer, name"
        ),
        ["persona|Calm", "current_focus|memory architecture", "goals|NULL"]
    );
    assert_eq!(
        rows(&db, "SELECT name, value, layer, created_at FROM memory_blocks ORDER BY id"),
        [
            "current_focus|tea|4|2026-02-10 10:00:00",
            "current_focus|memory architecture|4|2026-02-11 10:00:00",
            "persona|Calm|2|2026-02-11 10:00:00",
            "goals|ship|4|2026-02-11 10:00:00",
            "goals|NULL|4|2026-02-11 10:00:00",
        ]
    );
    for (sql, command) in [
        (
            "INSERT INTO memory_blocks (name, value, layer) VALUES ('current_focus', 'x', 4)",
            "memtape block restore NAME --at",
        ),
        ("UPDATE memory_blocks SET value = 'x'", "memtape block set NAME VALUE"),
        ("DELETE FROM memory_blocks", "memtape forget blocks:NAME"),
    ] {
        let e = db.execute(sql, []).unwrap_err().to_string();
        assert!(e.contains(command), "{e}");
    }
}

#[test]
fn the_views_show_the_checked_out_branch() {
    let test = TestWorkspace::new();
    let w = &test.workspace;
    let checkout = |branch: &str| w.branches().switch(branch, true).map(drop).unwrap();
    let state = |value: &str, text: &str| {
        set(w, "goals", value);
        w.statements().add(&memtape::Added::new(text, memtape::Category::Fact)).unwrap();
    };
    let shown = || {
        let db = database(&test);
        let goals = rows(&db, "SELECT value FROM memory_blocks WHERE name = 'goals' ORDER BY id");
        (goals.join(" "), rows(&db, "SELECT content FROM memory_entries ORDER BY content").join(" "))
    };
    let both = |goals: &str, entries: &str| (goals.to_owned(), entries.to_owned());
    state("one", "A");
    w.branches().create("deep", None, &At::head()).unwrap();
    state("two", "B");
    checkout("deep");
    assert_eq!(shown(), both("one", "A"));
    state("three", "C");
    w.branches().create("deeper", None, &At::head()).unwrap();
    state("four", "D");
    checkout("deeper");
    assert_eq!(shown(), both("one three", "A C"));
    // A branch that removes memories of its parent removes them only on itself.
    w.blocks().forget(&name("goals")).unwrap();
    let of =
        memtape::Selection { categories: vec![memtape::Category::Fact], ..memtape::Selection::default() };
    w.statements().prune(&of).unwrap();
    state("five", "E");
    assert_eq!(shown(), both("one three NULL five", "E"));
    checkout("deep");
    assert_eq!(shown(), both("one three four", "A C D"));
    checkout("main");
    w.branches().switch("main", false).unwrap();
    w.branches().delete("deeper").unwrap();
    assert_eq!(shown(), both("one two", "A B"));
    checkout("deep");
    assert_eq!(shown(), both("one three four", "A C D"));
    let visible = w.memories(Form::STATEMENTS, &Audience::owner(), &At::head()).unwrap().len();
    assert_eq!(visible, 3);
}

#[test]
fn a_block_s_name_can_make_its_value_a_secret() {
    let test = TestWorkspace::new();
    let w = &test.workspace;
    for (block, secret) in [
        ("wifi_password", "katze77!"),
        ("wifi_password", "banana7"),
        ("api_key", "abcd1234efgh5678ijkl"),
        ("pin", "4711"),
        ("door_code", "0645"),
    ] {
        for blocks in [w.blocks(), agent(w)] {
            blocks.set(&name(block), secret, None).unwrap();
            let stored = value(w, block).unwrap();
            assert!(stored.starts_with("[redacted:") && !stored.contains(secret), "{block}: {stored}");
        }
    }
    for (block, text) in [
        ("current_focus", "the release of 4711 pages"),
        ("password_policy", "at least 12 characters"),
        ("notes_on_keys", "the spare one is at Mia's"),
        ("shoe_size", "43"),
    ] {
        set(w, block, text);
        assert_eq!(value(w, block).unwrap(), text, "{block}");
    }
}

/// A restored value is still that of the tool that wrote it. The owner who states it makes it theirs.
#[test]
fn the_owner_adopts_a_value_by_stating_it_and_not_by_restoring_it() {
    let test = TestWorkspace::new();
    let name = BlockName::new("patterns").unwrap();
    let blocks = || test.workspace.blocks();
    let origin = || {
        let memories = test.workspace.memories(Form::BLOCKS, &Audience::owner(), &At::head()).unwrap();
        memories[0].origin
    };
    blocks().writing_as(Origin::Tool).set(&name, "works at night", None).unwrap();
    let then = At::entry(test.workspace.status(&At::head()).unwrap().entries);
    blocks().set(&name, "works by day", None).unwrap();
    blocks().restore(&name, &then).unwrap();
    assert_eq!(origin(), Some(Origin::Tool));
    blocks().set(&name, "works at night", None).unwrap();
    assert_eq!(origin(), Some(Origin::User));
}

#[test]
fn an_empty_block_has_no_line_in_a_diff() {
    let test = TestWorkspace::new();
    let w = &test.workspace;
    let name = BlockName::new("goals").unwrap();
    w.blocks().set(&name, "X", None).unwrap();
    let from = At::entry(w.status(&At::head()).unwrap().entries);
    w.blocks().set(&name, "", None).unwrap();
    let diff = w.blocks().diff(&name, &from, &At::head()).unwrap();
    assert!(diff.ends_with("@@ -1 +0,0 @@\n-X\n"), "{diff}");
}
