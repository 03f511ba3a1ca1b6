//! `memory_recall`: days, parts of words, and what it says if nothing matches.

use super::*;

#[test]
fn a_query_can_be_limited_to_the_last_days() {
    let test = TestWorkspace::new();
    call(&test, "memory_save", r#"{"content":"Ana grows tea in pots."}"#).unwrap();
    test.clock.advance(SignedDuration::from_hours(24 * 30));
    call(&test, "memory_save", r#"{"content":"Ben grows tea in fields.","mode":"append"}"#).unwrap();
    let all = call(&test, "memory_recall", r#"{"query":"tea"}"#).unwrap();
    assert!(all.contains("Ana") && all.contains("Ben"), "{all}");
    let lately = call(&test, "memory_recall", r#"{"query":"tea","days":7}"#).unwrap();
    assert!(!lately.contains("Ana") && lately.contains("Ben"), "{lately}");
    test.clock.advance(SignedDuration::from_hours(24 * 30));
    let none = call(&test, "memory_recall", r#"{"query":"tea","days":1}"#).unwrap();
    assert_eq!(none, "(no matches for 'tea' in the last day)");
}

/// Other forms may have memories when the zone has none.
#[test]
fn recall_does_not_say_that_nothing_is_stored_because_nothing_matches() {
    let mut config = memtape_testkit::config();
    config.recall.backend = Backend::SqliteFts;
    config.recall.user_layer_results = 0;
    let test = TestWorkspace::configured(config);
    test.workspace.ledger().add(&NewFact::new("Ana", "likes", "tea")).unwrap();
    for query in ["xylophone quartz", "?!"] {
        let none = test.workspace.tools().call("memory_recall", json!({"query": query})).unwrap();
        assert_eq!(none, format!("(no matches for '{query}')"));
    }
    let session = Session::parse("telegram:9").unwrap();
    let audience = test.workspace.audience(Some(&session), Some("5")).unwrap();
    let own = audience.clone().only(Layer::User);
    let statements = test.workspace.statements().for_audience(own).in_session(session.clone());
    statements.add(&Added::new("I work at Acme", Category::Fact)).unwrap();
    // A line that is left out is not shown as one with parts of the words.
    let zone =
        test.workspace.zone().for_audience(audience.clone().only(Layer::User)).in_session(session.clone());
    zone.remember("I moved to Porto").unwrap();
    let tools = test.workspace.tools().for_session(session).for_audience(audience);
    for query in ["where do I work", "Porto"] {
        let found = tools.call("memory_recall", json!({"query": query})).unwrap();
        assert_eq!(found, "(1 not shown: raise the limit, or use other words)");
    }
}

#[test]
fn parts_of_words_are_found_in_the_last_days_too() {
    let mut config = memtape_testkit::config();
    config.recall.backend = Backend::SqliteFts;
    let test = TestWorkspace::configured(config);
    call(&test, "memory_save", r#"{"content":"The depot code is QX-7731-ZULU"}"#).unwrap();
    let recall = |arguments: Value| test.workspace.tools().call("memory_recall", arguments).unwrap();
    // More days than there are dates are all days.
    for days in [json!(null), json!(7), json!(5_000_000_000_u64)] {
        let found = recall(json!({"query": "31-ZU", "days": days}));
        assert!(found.ends_with("] The depot code is QX-7731-ZULU"), "{days}: {found}");
    }
    test.clock.advance_days(30);
    assert_eq!(recall(json!({"query": "31-ZU", "days": 7})), "(no matches for '31-ZU' in the last 7 days)");
}

#[test]
fn whoever_sits_at_this_machine_does_not_count_as_pretending_to_be_the_owner() {
    let test = TestWorkspace::new();
    let found = |session: &str, user: &str, text: &str| {
        let inbound = Inbound { user: Some(user.into()), ..Inbound::new(text) };
        let conversation = test.workspace.conversation(Session::parse(session).unwrap());
        conversation.turn(&inbound, |_| Ok(Reply::new("ok"))).unwrap();
        test.workspace.tools().call("memory_recall", json!({"query": text})).unwrap()
    };
    let found_here = found("project:%2Fgarden:t1", "project:owner", "Where did I put the shovel?");
    assert!(found_here.contains("] owner") && !found_here.contains("so called"), "{found_here}");
    let elsewhere = found("telegram:1", "owner", "Who moved the wheelbarrow?");
    assert!(elsewhere.contains("'owner', so called"), "{elsewhere}");
}
