//! Regression tests for defects of the original implementation.

use memtape::{At, Session, calendar};
use memtape_testkit::TestWorkspace;

use super::{contents, day, long_term, names, say};

/// In nanobot, every memory write removed the conversation from the prompt, because its anchors counted.
#[test]
fn defect_memory_writes_do_not_cut_the_conversation() {
    let test = TestWorkspace::new();
    let session = Session::direct();
    say(&test.workspace, "cli:direct", "user", "remember: I like tea");
    test.workspace.zone().remember("likes tea").unwrap();
    say(&test.workspace, "cli:direct", "assistant", "noted");
    let context = test.workspace.conversation(session.clone()).context(&At::head()).unwrap();
    assert_eq!(contents(&context), ["remember: I like tea", "noted"]);
    test.workspace.tape().handoff("phase-2", None, &session).unwrap();
    say(&test.workspace, "cli:direct", "user", "and now?");
    say(&test.workspace, "chat:other", "user", "somebody else");
    test.workspace.zone().daily("- went on", None).unwrap();
    let context = test.workspace.conversation(session.clone()).context(&At::head()).unwrap();
    assert_eq!(contents(&context), ["and now?"]);
    let anchors = test.workspace.tape().anchors(Some(&session), false, None, &At::head()).unwrap();
    assert_eq!(anchors.len(), 2, "session/start and the handoff");
}

/// The original set a new date on every item at every rewrite.
#[test]
fn defect_updated_at_is_when_the_item_changed() {
    let test = TestWorkspace::new();
    let zone = test.workspace.zone();
    zone.remember("old line").unwrap();
    test.clock.advance_days(3);
    zone.remember("new line").unwrap();
    zone.daily("- and a note", None).unwrap();
    let (view, _) = zone.view(&At::head()).unwrap();
    let dates: Vec<_> =
        view.long_term.iter().map(|item| calendar::day(item.updated_at, &jiff::tz::TimeZone::UTC)).collect();
    assert_eq!(dates, [day("2026-02-10").unwrap(), day("2026-02-13").unwrap()]);
}

/// The original took a seal of a high version without an opening for the zone, and hid everything until the
/// version was exceeded.
#[test]
fn defect_orphan_anchors_hide_nothing() {
    let test = TestWorkspace::new();
    let zone = test.workspace.zone();
    zone.remember("still here").unwrap();
    // A foreign writer leaves a seal of version 99 without an opening, and an opening without a seal.
    test.append_raw("anchor", r#"{"name":"memory/seal","state":{"version":99}}"#);
    test.append_raw("anchor", r#"{"name":"memory/open","state":{"version":7}}"#);
    test.append_raw("anchor", r#"{"name":"memory/seal"}"#);
    assert_eq!(long_term(&test.workspace), "still here");
    zone.remember("and this").unwrap();
    assert_eq!(long_term(&test.reopened()), "still here\nand this");
}

/// In nanobot, the first of two writers with the same version won and the later update was lost. A corrupt line inside
/// a zone silently removed an item.
#[test]
fn defect_two_writers_lose_no_update() {
    let test = TestWorkspace::new();
    let other = test.reopened();
    for n in 0..5 {
        test.workspace.zone().remember(&format!("mine {n}")).unwrap();
        other.zone().remember(&format!("theirs {n}")).unwrap();
    }
    assert_eq!(long_term(&test.workspace).lines().count(), 10);
    assert_eq!(long_term(&other), long_term(&test.workspace));
}

/// In nanobot, a cached snapshot showed the memory again after a reset.
#[test]
fn defect_a_reset_resets_every_view() {
    let test = TestWorkspace::new();
    let other = test.reopened();
    test.workspace.zone().remember("gone").unwrap();
    say(&test.workspace, "chat:1", "user", "gone too");
    assert_eq!(long_term(&other), "gone");
    let reset = test.workspace.tape().reset(None, false).unwrap();
    for workspace in [&test.workspace, &other] {
        assert_eq!(workspace.zone().context(&At::head()).unwrap(), "");
        let context = workspace.conversation(Session::parse("chat:1").unwrap()).context(&At::head()).unwrap();
        assert!(context.is_empty());
        assert!(workspace.recall(&memtape::Recall::new("gone"), &At::head()).unwrap().hits.is_empty());
    }
    let kept = std::fs::read_to_string(test.path().join(reset.zone_kept.unwrap())).unwrap();
    assert_eq!(kept, "# Long-term Memory\n\ngone\n");
    assert_eq!(names(&test.workspace)[8..], ["session/start", "memory/open", "memory/seal"]);
    // The version number continues, and earlier points are unchanged.
    assert_eq!(test.workspace.zone().view(&At::head()).unwrap().0.version, 3);
    assert_eq!(test.workspace.zone().view(&At::entry(reset.anchor - 1)).unwrap().0.long_term_text(), "gone");
}
