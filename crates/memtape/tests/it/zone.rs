//! The tests of document 0 and its Phase 3, and regression tests for defects of its original implementation.

mod defects;
mod replacing;

use expect_test::expect;
use memtape::tape::LogQuestion;
use memtape::{
    At, Audience, Clock as _, Form, Inbound, Kind, Layer, Message, Mode, Prompting, Sensitivity, Session,
    Workspace, ZoneOutcome, calendar,
};
use memtape_testkit::TestWorkspace;
use serde_json::json;

fn long_term(workspace: &Workspace) -> String {
    workspace.zone().view(&At::head()).unwrap().0.long_term_text()
}

fn day(text: &str) -> Option<jiff::civil::Date> {
    Some(calendar::parse_day(text).unwrap())
}

fn names(workspace: &Workspace) -> Vec<String> {
    let entries = workspace.tape().log(&LogQuestion::default(), &At::head()).unwrap();
    entries
        .iter()
        .map(|entry| {
            let payload: serde_json::Value = serde_json::from_str(entry.payload.get()).unwrap();
            payload["name"].as_str().unwrap_or(entry.kind.as_str()).to_owned()
        })
        .collect()
}

fn say(workspace: &Workspace, session: &str, role: &str, text: &str) -> u64 {
    let message = Message::new(role, text);
    workspace.conversation(Session::parse(session).unwrap()).say(&message).unwrap()
}

fn contents(entries: &[memtape::Entry]) -> Vec<String> {
    entries
        .iter()
        .map(|entry| {
            let payload: serde_json::Value = serde_json::from_str(entry.payload.get()).unwrap();
            payload["content"].as_str().unwrap_or_default().to_owned()
        })
        .collect()
}

#[test]
fn init_writes_the_start_and_an_empty_zone() {
    let test = TestWorkspace::new();
    assert_eq!(names(&test.workspace), ["session/start", "memory/open", "memory/seal"]);
    let (view, _) = test.workspace.zone().view(&At::head()).unwrap();
    assert_eq!(view.version, 1);
    assert!(view.is_empty());
    assert_eq!(test.workspace.zone().context(&At::head()).unwrap(), "");
    // Starting again adds nothing.
    test.workspace.conversation(Session::direct()).start().unwrap();
    assert_eq!(names(&test.workspace).len(), 3);
}

#[test]
fn a_version_is_an_open_anchor_the_changes_and_a_seal() {
    let test = TestWorkspace::new();
    test.workspace.zone().save("User likes Python", Mode::Replace).unwrap();
    test.workspace.zone().daily("- built it", None).unwrap();
    assert_eq!(
        names(&test.workspace)[3..],
        ["memory/open", "memory.long_term", "memory/seal", "memory/open", "memory.daily", "memory/seal"]
    );
    let log = test.workspace.tape().log(&LogQuestion::default(), &At::head()).unwrap();
    expect![[
        r##"{"name":"memory.daily","data":{"date":"2026-02-10","content":"# 2026-02-10\n\n- built it","updated_at":"2026-02-10T10:00:00Z"}}"##
    ]]
    .assert_eq(log[7].payload.get());
    assert_eq!(test.workspace.zone().view(&At::head()).unwrap().0.version, 3);
}

#[test]
fn a_daily_note_grows_and_has_one_heading() {
    let test = TestWorkspace::new();
    let zone = test.workspace.zone();
    zone.daily("- one", None).unwrap();
    zone.daily("- two", None).unwrap();
    zone.daily("# 2026-02-09\n\n- with its own heading", day("2026-02-09")).unwrap();
    let (view, today) = zone.view(&At::head()).unwrap();
    assert_eq!(view.daily_text(today).unwrap(), "# 2026-02-10\n\n- one\n- two");
    assert_eq!(
        view.daily_text(day("2026-02-09").unwrap()).unwrap(),
        "# 2026-02-09\n\n- with its own heading"
    );
}

#[test]
fn the_context_has_the_sections_of_the_document() {
    let test = TestWorkspace::new();
    let zone = test.workspace.zone();
    zone.save("User prefers Python 3.12. Always use type hints.", Mode::Replace).unwrap();
    zone.daily("- Designed memory architecture", day("2026-02-09")).unwrap();
    zone.daily("- Implemented tape memory zone", None).unwrap();
    zone.daily("- too old", day("2026-02-03")).unwrap();
    zone.daily("- not yet", day("2026-02-11")).unwrap();
    let context = zone.context(&At::head()).unwrap();
    expect![[r##"
        <memory>
        Use `memory_save` to update long-term memory, `memory_daily` to append to
        daily notes, and `memory_recall` to search past memories.

        ## Long-term Memory
        User prefers Python 3.12. Always use type hints.

        ## Today's Notes
        # 2026-02-10

        - Implemented tape memory zone

        ## Recent Notes
        ### 2026-02-09
        # 2026-02-09

        - Designed memory architecture
        </memory>
    "##]]
    .assert_eq(&context);
    assert_eq!(context, zone.context(&At::head()).unwrap(), "the same view gives the same bytes");
}

#[test]
fn no_memory_closes_the_memory_block() {
    let test = TestWorkspace::new();
    test.workspace.zone().save("a </memory> b </MEMORY> c", Mode::Replace).unwrap();
    let context = test.workspace.zone().context(&At::head()).unwrap();
    assert_eq!(context.to_lowercase().matches("</memory>").count(), 1);
    assert!(context.ends_with("</memory>\n"));
}

#[test]
fn seven_days_are_seven_dates_ending_today() {
    let test = TestWorkspace::new();
    let zone = test.workspace.zone();
    for n in 1..=14 {
        zone.daily(&format!("- day {n}"), day(&format!("2026-02-{n:02}"))).unwrap();
    }
    let (view, today) = zone.view(&At::head()).unwrap();
    let dates = |days| view.recent(today, days).iter().map(|(d, _)| d.day()).collect::<Vec<_>>();
    assert_eq!(dates(7), [10, 9, 8, 7, 6, 5, 4]);
    assert_eq!(dates(1), [10]);
    assert_eq!(dates(0), [0_i8; 0]);
}

#[test]
fn old_notes_are_pruned_and_nothing_is_written_where_none_is_old() {
    let test = TestWorkspace::new();
    let zone = test.workspace.zone();
    zone.daily("- kept", day("2026-01-12")).unwrap();
    zone.daily("- old", day("2026-01-11")).unwrap();
    zone.daily("- older", day("2025-06-01")).unwrap();
    assert_eq!(zone.prune().unwrap(), 2);
    let before = test.workspace.status(&At::head()).unwrap().entries;
    assert_eq!(zone.prune().unwrap(), 0);
    assert_eq!(test.workspace.status(&At::head()).unwrap().entries, before);
    assert_eq!(zone.view(&At::head()).unwrap().0.dailies.len(), 1);
    // The start of a session prunes automatically.
    test.clock.advance_days(1);
    assert_eq!(test.workspace.conversation(Session::direct()).start().unwrap(), 1);
}

#[test]
fn clearing_leaves_an_empty_zone_and_the_past() {
    let test = TestWorkspace::new();
    let zone = test.workspace.zone();
    zone.save("secret plans", Mode::Replace).unwrap();
    zone.daily("- note", None).unwrap();
    let before = test.workspace.status(&At::head()).unwrap().entries;
    zone.clear().unwrap();
    assert!(zone.view(&At::head()).unwrap().0.is_empty());
    assert_eq!(zone.context(&At::head()).unwrap(), "");
    assert_eq!(zone.view(&At::entry(before)).unwrap().0.long_term_text(), "secret plans");
    assert!(test.workspace.recall(&memtape::Recall::new("secret"), &At::head()).unwrap().hits.is_empty());
}

#[test]
fn a_line_is_forgotten_by_its_text_and_an_unclear_one_is_not() {
    let test = TestWorkspace::new();
    let zone = test.workspace.zone();
    zone.save("- likes tea\n- likes green tea\n- lives in Porto", Mode::Replace).unwrap();
    zone.daily("- drank tea\n- slept", None).unwrap();
    let e = zone.forget_text("tea").unwrap_err();
    assert!(e.to_string().contains("3 lines"), "{e}");
    zone.forget_text("Likes  TEA").unwrap();
    assert_eq!(long_term(&test.workspace), "- likes green tea\n- lives in Porto");
    zone.forget_text("Porto").unwrap();
    zone.forget_text("drank tea").unwrap();
    let (view, today) = zone.view(&At::head()).unwrap();
    assert_eq!(view.daily_text(today).unwrap(), "# 2026-02-10\n\n- slept");
    zone.forget_text("slept").unwrap();
    assert_eq!(zone.view(&At::head()).unwrap().0.dailies.len(), 0, "a heading alone is no note");
    assert!(zone.forget_text("nowhere").is_err());
    assert!(zone.forget_day(today).is_err());
}

#[test]
fn a_conversation_is_reset_alone() {
    let test = TestWorkspace::new();
    let (one, two) = (Session::parse("chat:1").unwrap(), Session::parse("chat:2").unwrap());
    say(&test.workspace, "chat:1", "user", "first");
    say(&test.workspace, "chat:2", "user", "second");
    test.workspace.zone().remember("kept").unwrap();
    test.workspace.tape().reset(Some(&one), true).unwrap();
    assert!(test.workspace.conversation(one.clone()).context(&At::head()).unwrap().is_empty());
    assert_eq!(contents(&test.workspace.conversation(two).context(&At::head()).unwrap()), ["second"]);
    assert_eq!(long_term(&test.workspace), "kept");
    assert!(test.workspace.tape().search("first", Some(&one), &[], 9, &At::head()).unwrap().is_empty());
    assert!(!test.workspace.tape().search("first", Some(&one), &[], 9, &At::entry(4)).unwrap().is_empty());
}

#[test]
fn memory_survives_an_archive() {
    let test = TestWorkspace::new();
    test.workspace.zone().remember("before").unwrap();
    test.workspace.archive().unwrap().unwrap();
    assert_eq!(test.workspace.archive().unwrap(), None);
    test.workspace.zone().remember("after").unwrap();
    assert_eq!(long_term(&test.reopened()), "before\nafter");
    assert_eq!(test.workspace.zone().view(&At::entry(6)).unwrap().0.long_term_text(), "before");
}

#[test]
fn names_of_memtapes_own_entries_are_refused() {
    let test = TestWorkspace::new();
    let tape = test.workspace.tape();
    assert!(tape.handoff("memory/seal", None, &Session::direct()).is_err());
    assert!(tape.append_event("memory.long_term", None, &Session::direct()).is_err());
    tape.append_event("deploy", Some(&serde_json::json!({"ok": true})), &Session::direct()).unwrap();
    assert_eq!(
        tape.log(&LogQuestion { kinds: vec![Kind::Event], ..LogQuestion::default() }, &At::head())
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn dates_follow_the_workspace_s_clock_and_points_its_days() {
    let test = TestWorkspace::new();
    let zone = test.workspace.zone();
    zone.remember("monday").unwrap();
    test.clock.advance_days(2);
    zone.remember("wednesday").unwrap();
    for (point, expected) in [
        ("2026-02-10", "monday"),
        ("2026-02-12", "monday\nwednesday"),
        ("2026-02-09", ""),
        ("1 day ago", "monday"),
    ] {
        let at = test.workspace.at(point).unwrap();
        assert_eq!(zone.view(&at).unwrap().0.long_term_text(), expected, "{point}");
    }
    assert!(test.workspace.status(&test.workspace.at("99").unwrap()).is_err());
    assert!(test.clock.now().to_string().starts_with("2026-02-12"));
}

#[test]
fn no_number_makes_it_panic() {
    let test = TestWorkspace::new();
    test.append_raw("anchor", r#"{"name":"memory/seal","state":{"version":18446744073709551615}}"#);
    test.append_raw(
        "anchor",
        r#"{"name":"branch/fork","state":{"parent":"main","at":18446744073709551615}}"#,
    );
    test.append_raw(
        "event",
        r#"{"name":"memory.long_term","data":{"content":"foreign","updated_at":"never"}}"#,
    );
    test.workspace.zone().remember("fine").unwrap();
    test.workspace.zone().recall(None, Some(u32::MAX), 5, &At::head()).unwrap();
    assert!(long_term(&test.workspace).contains("fine"));
}

#[test]
fn scopes_are_named_and_equal_lines_shown_once() {
    let test = TestWorkspace::new();
    let session = Session::parse("telegram:1").unwrap();
    let tools = |user: Option<&str>, arguments: (&str, serde_json::Value)| {
        let audience = test.workspace.audience(Some(&session), user).unwrap();
        let tools = test.workspace.tools().for_session(session.clone()).for_audience(audience);
        tools.call(arguments.0, arguments.1).unwrap()
    };
    let save = |text: &str| tools(Some("7"), ("memory_save", json!({ "content": text })));
    // If only the chat has lines, they are the whole zone.
    assert_eq!(save("sails at dawn"), "saved to long-term memory (this chat's lines)");
    assert_eq!(tools(Some("7"), ("memory_recall", json!({}))), "## Long-term Memory\nsails at dawn");
    test.workspace.zone().save("answer briefly\nuse metric units", Mode::Replace).unwrap();
    test.workspace.zone().daily("- all moved", None).unwrap();
    let user = test.workspace.audience(None, Some("telegram:7")).unwrap();
    test.workspace.zone().for_audience(user).save("prefers tea\nuse metric units", Mode::Replace).unwrap();
    let said = "use metric units\nsails at dusk\n### The workspace's\nanswer at length\nprefers tea";
    assert_eq!(
        save(said),
        "saved to long-term memory (this chat's lines; the workspace's and the user's are unchanged)"
    );
    tools(Some("7"), ("memory_daily", json!({"content": "- chatted"})));
    let shown = "### This chat's
sails at dusk
\\### The workspace's
answer at length

### The workspace's
answer briefly
use metric units

### The user's
prefers tea";
    let notes = "# 2026-02-10

- chatted

#### The workspace's
# 2026-02-10

- all moved";
    assert_eq!(
        tools(Some("7"), ("memory_recall", json!({}))),
        format!("## Long-term Memory\n{shown}\n\n### 2026-02-10\n#### This chat's\n{notes}")
    );
    let first: String = shown.chars().take(100).collect();
    let summary = tools(Some("7"), ("memory_show", json!({})));
    assert!(summary.contains(&format!("long_term=yes ({first}")), "{summary}");
    let audience = test.workspace.audience(Some(&session), Some("7")).unwrap();
    let context = test.workspace.zone().for_audience(audience).context(&At::head()).unwrap();
    let replaced =
        shown.replacen("### This chat's", "### This chat's (`memory_save` replaces these lines)", 1);
    assert!(context.contains(&format!("## Long-term Memory\n{replaced}\n\n## Today's Notes\n")), "{context}");
    let prompt = test.workspace.conversation(session.clone());
    let inbound = Inbound { user: Some("7".into()), ..Inbound::new("hello") };
    let prompt = prompt.prompt(&inbound, &Prompting::default(), &At::head()).unwrap();
    assert!(prompt.system.contains(&context), "{}", prompt.system);
    // An audience that sees only a part is told whose lines they are; the owner sees all scopes.
    let stranger = tools(None, ("memory_recall", json!({"days": 0})));
    assert!(stranger.contains("### The workspace's\nanswer briefly") && !stranger.contains("The user's"));
    let owner = test.workspace.zone().context(&At::head()).unwrap();
    for line in ["### The workspace's (`memory_save`", "### Chat telegram:1's", "### User telegram:7's"] {
        assert!(owner.contains(line), "{owner}");
    }
    assert_eq!(owner.matches("use metric units").count(), 1);
    let all = test.workspace.tools().call("memory_save", json!({"content": "answer briefly"})).unwrap();
    assert_eq!(
        all,
        "saved to long-term memory (the workspace's lines; the users' and the chats' are unchanged)"
    );
    // The workspace's line with the same text was removed, so the chat's own line is shown again.
    assert!(tools(Some("7"), ("memory_recall", json!({}))).contains("use metric units"));
}

#[test]
fn the_zone_is_restored_to_an_earlier_point() {
    let test = TestWorkspace::new();
    let chat = Session::parse("telegram:1").unwrap();
    let of_chat = test.workspace.zone().in_session(chat.clone()).for_audience(Audience::of_chat(&chat));
    let zone = test.workspace.zone();
    zone.save("alpha\n\nbeta\nalpha", Mode::Replace).unwrap();
    zone.daily("- one", None).unwrap();
    zone.daily("- two", None).unwrap();
    zone.daily("- before", day("2026-02-09")).unwrap();
    zone.with_sensitivity(Sensitivity::Confidential).save("the safe's number", Mode::Append).unwrap();
    let export = |at: &At| test.workspace.zone().view(at).unwrap().0.export();
    let then = At::entry(test.workspace.status(&At::head()).unwrap().entries);
    assert_eq!(test.workspace.zone().restore(&then).unwrap(), ZoneOutcome::Unchanged);
    test.workspace.zone().save("gamma\nalpha", Mode::Replace).unwrap();
    test.workspace.zone().forget_day(day("2026-02-09").unwrap()).unwrap();
    test.workspace.zone().daily("- three", None).unwrap();
    test.workspace.zone().daily("- after", day("2026-02-08")).unwrap();
    of_chat.save("of the chat", Mode::Replace).unwrap();
    let of_now = export(&At::head());
    assert!(matches!(test.workspace.zone().restore(&then).unwrap(), ZoneOutcome::Changed { .. }));
    // The lines of chats and confidential lines are unchanged.
    let of_workspace = test.workspace.zone().for_audience(Audience::owner().only(Layer::Global));
    assert_eq!(of_workspace.view(&At::head()).unwrap().0.export(), export(&then));
    assert_eq!(of_chat.view(&At::head()).unwrap().0.long_term.last().unwrap().text, "of the chat");
    let safe = "safe's number";
    assert!(!export(&At::head()).contains(safe));
    let all = test.workspace.memories(Form::ZONE, &Audience::owner(), &At::head()).unwrap();
    assert_eq!(all.iter().filter(|memory| memory.text.contains(safe)).count(), 1);
    // The restore is one commit, which can be undone like any other.
    test.workspace.branches().undo().unwrap();
    assert_eq!(export(&At::head()), of_now);
    // A chat restores only its own lines.
    assert!(matches!(of_chat.restore(&then).unwrap(), ZoneOutcome::Changed { added: 0, retired: 1, .. }));
    assert!(export(&At::head()).contains("gamma"));
}

#[test]
fn tools_read_days_as_people_name_them() {
    let test = TestWorkspace::new();
    let call = |tool: &str, arguments: serde_json::Value| test.workspace.tools().call(tool, arguments);
    for (date, said) in [("yesterday", "2026-02-09"), ("3 days ago", "2026-02-07"), ("today", "2026-02-10")] {
        let reply = call("memory_daily", json!({"content": "- moved", "date": date})).unwrap();
        assert_eq!(reply, format!("appended to daily notes ({said})"));
        assert_eq!(call("memory_forget", json!({"date": date})).unwrap(), "forgotten");
    }
    let e = call("memory_daily", json!({"content": "- moved", "date": "soon"})).unwrap_err();
    assert!(e.to_string().contains("invalid day"), "{e}");
}

#[test]
fn a_query_can_be_limited_to_the_last_days() {
    let test = TestWorkspace::new();
    let zone = || test.workspace.zone();
    zone().remember("old tea").unwrap();
    zone().daily("tea of that day", None).unwrap();
    test.clock.advance_days(9);
    zone().remember("new tea").unwrap();
    zone().daily("tea of today", None).unwrap();
    let found = |days| {
        let found = zone().recall(Some("tea"), days, 20, &At::head()).unwrap();
        found.lines().map(|line| line.split_once("] ").unwrap().1.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found(None), ["tea of today", "new tea", "tea of that day", "old tea"]);
    assert_eq!(found(Some(10)), found(None));
    assert_eq!(found(Some(9)), ["tea of today", "new tea"]);
    assert_eq!(
        zone().recall(Some("old"), Some(2), 20, &At::head()).unwrap(),
        "(no matches for 'old' in the last 2 days)"
    );
}

/// A text in decomposed characters is the same text.
#[test]
fn lines_are_found_whatever_their_unicode_normalization() {
    let test = TestWorkspace::new();
    let zone = test.workspace.zone();
    zone.remember("Cafe\u{301} Lisboa opens at 9").unwrap();
    assert!(matches!(zone.remember("Caf\u{e9} Lisboa opens at 9").unwrap().0, ZoneOutcome::Present(_)));
    assert!(zone.recall(Some("caf\u{e9}"), None, 5, &At::head()).unwrap().contains("Lisboa"));
    zone.forget_text("caf\u{e9} lisboa opens at 9").unwrap();
    assert_eq!(long_term(&test.workspace), "");
}
