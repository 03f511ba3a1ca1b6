//! Imports of a tape.

use super::*;

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

/// What an audience's export contains is recalled no longer where it is imported, if it is not recalled here.
#[test]
fn what_was_retracted_stays_so() {
    let source = TestWorkspace::new();
    let session = Session::parse("telegram:1").unwrap();
    let conversation = source.workspace.conversation(session.clone());
    for text in ["Don't remember this: I have gout", "I prefer quokka tea", "I own a boat"] {
        conversation.turn(&Inbound::new(text), |_| Ok(Reply::default())).unwrap();
    }
    let statements = source.workspace.statements();
    let found = statements.holding("quokka").unwrap();
    statements.forget(&found.iter().map(Memory::reference).collect::<Vec<_>>()).unwrap();
    let audience = Audience::of_chat(&session);
    let asked = Export { format: Format::Jsonl, audience: audience.clone(), ..Export::default() };
    let tape = Made::new(&source.workspace, &asked, &At::head()).unwrap();
    let test = TestWorkspace::at(&source.clock);
    import(&test, tape.text()).unwrap();
    for (query, is_recalled) in [("gout", false), ("quokka tea", false), ("boat", true)] {
        for workspace in [&source.workspace, &test.workspace] {
            let recall = Recall { audience: audience.clone(), ..Recall::new(query) };
            let hits = workspace.recall(&recall, &At::head()).unwrap().hits;
            let word = query.split(' ').next().unwrap();
            assert_eq!(hits.iter().any(|hit| hit.memory.text.contains(word)), is_recalled, "{query}");
        }
    }
    assert_eq!(Workspace::verify(test.path()).unwrap().tape.bad, []);
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
    assert_eq!(import(&test, whole.text()).unwrap().erased, 3);
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

/// Damaged lines can be repaired, and what they held is no longer in the index.
#[test]
fn an_import_replaces_no_tape_that_has_damage() {
    let source = everything();
    let test = TestWorkspace::at(&source.clock);
    test.workspace.conversation(Session::direct()).start().unwrap();
    let tape = test.path().join("tape.jsonl");
    let opening = std::fs::read_to_string(&tape).unwrap();
    test.workspace.zone().remember("Ana is allergic to cashews").unwrap();
    let whole = std::fs::read_to_string(&tape).unwrap();
    let damaged = opening.clone() + &whole[opening.len()..].replace("\"main\"", "\"mail\"");
    assert_ne!(damaged, whole);
    std::fs::write(&tape, &damaged).unwrap();
    let expected = expect!["the workspace has memories of its own: entry 1 is not an entry of the import"];
    let kind = refused(import(&test, export(&source, Format::Jsonl).text()), &expected);
    assert_eq!(kind, ErrorKind::Conflict);
    assert_eq!(std::fs::read_to_string(&tape).unwrap(), damaged);
}

#[test]
fn an_import_keeps_the_torn_tail_of_the_tape_that_it_replaces() {
    let source = everything();
    let test = TestWorkspace::at(&source.clock);
    test.workspace.conversation(Session::direct()).start().unwrap();
    let tape = test.path().join("tape.jsonl");
    let text = std::fs::read_to_string(&tape).unwrap();
    std::fs::write(&tape, format!("{text}{{\"id\":4,")).unwrap();
    import(&test, export(&source, Format::Jsonl).text()).unwrap();
    assert_eq!(std::fs::read_to_string(test.path().join("archive/torn-4")).unwrap(), "{\"id\":4,");
    assert_eq!(entries(&test.workspace), entries(&source.workspace));
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
    let beginning = export(&source, Format::Jsonl);
    for n in 0..400 {
        source.workspace.zone().remember(&format!("line {n}")).unwrap();
    }
    let tape = export(&source, Format::Jsonl);
    let upstream = memtape_testkit::upstreams::new("memory");
    let first = TestWorkspace::at(&source.clock);
    import(&first, beginning.text()).unwrap();
    first.workspace.push(&*upstream).unwrap();
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
    assert!(e.to_string().contains("when only entries 4 to 1"), "{e}");
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
