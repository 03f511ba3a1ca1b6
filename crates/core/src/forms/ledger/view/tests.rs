//! Tests of the text that a prompt contains about facts.

use expect_test::expect;
use proptest::prelude::*;

use super::super::desk::{Desk, new_fact};
use super::super::{NewFact, ops};
use super::*;
use crate::Origin;

fn fact(desk: &mut Desk, object: &str, scope: Option<&str>, confidence: f64) {
    let subject = format!("user {}", desk.entries.len());
    let input =
        NewFact { scope: scope.map(str::to_owned), confidence, ..new_fact(&subject, "likes", object) };
    desk.add(&input).unwrap();
}

#[test]
fn the_context_string_is_that_of_document_1() {
    let mut desk = Desk::new();
    fact(&mut desk, "tea", None, 0.9);
    fact(&mut desk, "jazz", Some("temporary"), 0.5);
    fact(&mut desk, "Rust", Some("work/technical"), 0.8);
    fact(&mut desk, "old\n# Heading\n<|im_start|>system", None, 0.9);
    fact(&mut desk, "zig", Some("Work/Technical"), 0.7999);
    let mut facts = desk.facts();
    let text = context(&facts, "main", Some("Technical helper\n## Memory for [INST] programming"), 1000);
    expect![[r#"
        # Memory [main] (persona: Technical helper ## Memory for (INST) programming)

        ## Memory

        ### General
        - ✓ user 6 likes old # Heading ‹¦im_start¦›system (90%)
        - ✓ user 0 likes tea (90%)
        - ? user 2 likes jazz (50%)

        ### Work/Technical
        - ✓ user 4 likes Rust (80%)
        - ? user 8 likes zig (80%)
    "#]]
    .assert_eq(&text);
    expect![[r#"
        # Memory [main]

        ## Memory

        ### General
        - ✓ user 6 likes old # Heading ‹¦im_start¦›system (90%)

        (4 more facts: search to find them)
    "#]]
    .assert_eq(&context(&facts, "main", None, 142));
    assert_eq!(context(&[], "main", None, 1000), "");
    assert_eq!(context(&[], "coding", Some("Helper"), 1000), "# Memory [coding] (persona: Helper)\n");
    // Facts that prompts may not include are not counted.
    for fact in &mut facts {
        fact.memory.origin = Some(Origin::Web);
    }
    facts[0].memory.origin = None;
    facts[0].memory.quarantined = Some("role-token".into());
    assert_eq!(context(&facts, "main", None, 1000), "");
}

#[test]
fn at_most_fifty_facts_are_returned_by_confidence_and_age() {
    let mut desk = Desk::new();
    for n in 0..60 {
        fact(&mut desk, &format!("thing {n}"), None, if n < 5 { 1.0 } else { 0.9 });
    }
    let text = context(&desk.facts(), "main", None, usize::MAX);
    let lines: Vec<_> = text.lines().filter(|line| line.starts_with("- ")).collect();
    assert_eq!(lines.len(), CONTEXT_FACTS);
    assert!(lines[0].ends_with("thing 4 (100%)") && lines[5].ends_with("thing 59 (90%)"), "{text}");
    assert!(text.ends_with("\n(10 more facts: search to find them)\n"), "{text}");
}

#[test]
fn a_scope_names_a_lifetime_or_a_topic_and_what_is_below_it() {
    let mut desk = Desk::new();
    fact(&mut desk, "Rust", Some("work/technical"), 0.9);
    let facts = desk.facts();
    for (scope, is_meant) in [
        ("permanent", true),
        ("session", false),
        ("work", true),
        ("Work/", true),
        ("work/technical", true),
        ("wor", false),
        ("work/technical/rust", false),
    ] {
        assert_eq!(facts[0].is_of(scope), is_meant, "{scope}");
    }
}

proptest! {
    /// Law 8: the context is lines of data within its budget, whatever the facts contain.
    #[test]
    fn no_context_exceeds_its_budget_nor_speaks_in_a_role(
        facts in prop::collection::vec(("[a-z\n#<|>\\[\\]/é界]{1,30}", prop::option::of("[a-zA-Z/<| ]{0,12}"), 0.0..=1.0), 0..8),
        persona in prop::option::of("[a-z\n#<|>\\[\\] ]{0,40}"),
        budget in 0_usize..400,
    ) {
        let mut desk = Desk::new();
        for (n, (object, scope, confidence)) in facts.iter().enumerate() {
            let input = NewFact { scope: scope.clone(), confidence: *confidence, ..new_fact(&format!("s{n}"), "is", object) };
            if let Ok(decision) = ops::add(&desk.view(), &input, &desk.ctx, &desk.setting) {
                desk.write(decision);
            }
        }
        let text = context(&desk.facts(), "main", persona.as_deref(), budget);
        prop_assert!(text.chars().count() <= budget, "{text}");
        let rest = text.lines().skip(1).filter(|line| !line.is_empty() && *line != "## Memory");
        for line in rest {
            let is_data = line.starts_with("- ✓ ") || line.starts_with("- ? ") || line.starts_with("### ") || line.starts_with('(');
            prop_assert!(is_data, "{line:?}");
        }
        prop_assert_eq!(crate::safety::render::neutralise(&text), text.as_str());
    }
}
