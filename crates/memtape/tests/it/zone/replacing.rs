//! Texts that are saved over others.

use memtape::{At, Audience, Mode, Origin, Sensitivity, ZoneOutcome};
use memtape_testkit::TestWorkspace;
use serde_json::json;

use super::long_term;

#[test]
fn saving_replaces_and_appending_adds() {
    let test = TestWorkspace::new();
    let zone = test.workspace.zone();
    zone.save("first", Mode::Replace).unwrap();
    zone.save("second", Mode::Replace).unwrap();
    assert_eq!(long_term(&test.workspace), "second");
    zone.save("third", Mode::Append).unwrap();
    assert_eq!(long_term(&test.workspace), "second\nthird");
    let (outcome, _) = zone.remember("third").unwrap();
    assert!(matches!(outcome, ZoneOutcome::Present(refs) if refs.len() == 1));
    assert!(zone.save(" \n ", Mode::Replace).is_err());
    assert_eq!(long_term(&test.workspace), "second\nthird");
}

#[test]
fn text_comes_back_as_it_was_saved() {
    let test = TestWorkspace::new();
    for text in [
        "one line",
        "# Heading\n\n- a\n- b\n\n\n- after two empty lines",
        "```\n}\n}\n```\n---\n---",
        "  indented\n\ttabbed",
        "日本語\nالعربية\n☕",
    ] {
        test.workspace.zone().save(text, Mode::Replace).unwrap();
        assert_eq!(long_term(&test.workspace), text);
        // Saving the same text again changes nothing.
        let before = test.workspace.status(&At::head()).unwrap().entries;
        test.workspace.zone().save(text, Mode::Replace).unwrap();
        assert_eq!(test.workspace.status(&At::head()).unwrap().entries, before);
    }
}

#[test]
fn an_edited_text_keeps_its_order_and_the_history_of_what_stayed() {
    let test = TestWorkspace::new();
    let zone = test.workspace.zone();
    zone.save("a\nb\nc", Mode::Replace).unwrap();
    let old = zone.view(&At::head()).unwrap().0.long_term;
    test.clock.advance_days(1);
    zone.save("a\nx\nc\nd", Mode::Replace).unwrap();
    assert_eq!(long_term(&test.workspace), "a\nx\nc\nd");
    let new = zone.view(&At::head()).unwrap().0.long_term;
    // `updated_at` is the date of the last change of that item; a and c did not change.
    assert_eq!((new[0].id, new[2].id), (old[0].id, old[2].id));
    assert_eq!(new[0].updated_at, old[0].updated_at);
    assert!(new[1].updated_at > old[1].updated_at);
}

#[test]
fn inserting_again_and_again_at_one_place_keeps_the_order() {
    let test = TestWorkspace::new();
    let mut lines = vec!["top".to_owned(), "bottom".to_owned()];
    for n in 0..120 {
        lines.insert(1, format!("line {n}"));
        let text = lines.join("\n");
        test.workspace.zone().save(&text, Mode::Replace).unwrap();
        assert_eq!(long_term(&test.workspace), text, "after {n} insertions");
    }
}

/// An empty line that is hidden because its first line was forgotten must not reappear after another line is inserted
/// before it.
#[test]
fn a_saved_text_has_no_empty_line_of_a_forgotten_one() {
    let test = TestWorkspace::new();
    let zone = test.workspace.zone();
    zone.save("A\n\nB", Mode::Replace).unwrap();
    zone.forget_text("A").unwrap();
    assert_eq!(long_term(&test.workspace), "B");
    zone.save("X\nB", Mode::Replace).unwrap();
    assert_eq!(long_term(&test.workspace), "X\nB");
}

/// Nobody who writes the other lines has seen it.
#[test]
fn a_confidential_line_outlasts_a_replacement_of_the_others() {
    let test = TestWorkspace::new();
    let zone = || test.workspace.zone();
    let hidden = || zone().with_sensitivity(Sensitivity::Confidential);
    let (_, refs) = hidden().remember("My PIN hint is Rex").unwrap();
    let is_current = || {
        let shown = test.workspace.show(&refs[0], &Audience::owner(), &At::head()).unwrap();
        shown.iter().all(|shown| shown.retired_by.is_none())
    };
    zone().remember("Ana likes tea").unwrap();
    zone().save("Ana likes figs\nAna likes tea", Mode::Replace).unwrap();
    assert_eq!(long_term(&test.workspace), "Ana likes figs\nAna likes tea");
    assert!(is_current());
    hidden().save("Only this", Mode::Replace).unwrap();
    assert!(!is_current());
}

/// A prompt leaves out what a tool wrote, so a model that replaces the lines it was shown does not remove it.
#[test]
fn a_model_does_not_replace_what_its_prompt_leaves_out() {
    let test = TestWorkspace::new();
    let save = |origin: Origin, arguments: serde_json::Value| {
        test.workspace.tools().writing_as(origin).call("memory_save", arguments).unwrap()
    };
    test.workspace.zone().remember("tea").unwrap();
    save(Origin::Tool, json!({"content": "coffee", "mode": "append"}));
    save(Origin::Assistant, json!({"content": "tea\ncoffee"}));
    let lines = || -> Vec<_> {
        let (view, _) = test.workspace.zone().view(&At::head()).unwrap();
        view.long_term.iter().map(|item| (item.text.clone(), item.origin.unwrap())).collect()
    };
    let after = lines();
    let line = |text: &str, origin| (text.to_owned(), origin);
    let expected =
        [line("coffee", Origin::Assistant), line("coffee", Origin::Tool), line("tea", Origin::User)];
    assert_eq!(after.len(), 3);
    assert!(expected.iter().all(|line| after.contains(line)), "{after:?}");
    // The owner sees every line.
    test.workspace.zone().save("tea", Mode::Replace).unwrap();
    assert_eq!(lines(), [line("tea", Origin::User)]);
}
