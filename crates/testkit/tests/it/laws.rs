//! The laws of the design as property tests over every form that has steps.

use memtape::{Backend, Budget};
use memtape_testkit::{Step, TestWorkspace, exports, isolation, laws, random};
use proptest::prelude::*;

fn holds(verdict: laws::Verdict) -> Result<(), TestCaseError> {
    verdict.map_err(TestCaseError::fail)
}

proptest! {
    #![proptest_config(random(12))]

    #[test]
    fn law_1_the_index_is_the_index_rebuilt(steps in Step::many(25)) {
        holds(laws::rebuild(&steps))?;
    }

    #[test]
    fn law_2_acknowledged_entries_survive_a_crash(steps in Step::many(25)) {
        holds(laws::reopened(&steps))?;
    }

    #[test]
    fn law_5_a_point_shows_the_same_as_when_it_was_the_head(steps in Step::many(25)) {
        holds(laws::time(&steps))?;
    }

    #[test]
    fn law_8_no_answer_is_longer_than_its_limit(
        steps in Step::many(25),
        query in "\\PC{0,40}",
        limit in 0_usize..6,
        total in 0_usize..60,
        each in 0_usize..40,
    ) {
        holds(laws::budget(&steps, &query, limit, Budget { total, each }))?;
    }
}

proptest! {
    #![proptest_config(random(6))]

    #[test]
    fn an_import_is_the_export_again(steps in Step::many(20), cut in 0_usize..10_000) {
        holds(exports::round_trip(&steps, cut))?;
    }

    #[test]
    fn an_import_has_what_the_audience_of_the_export_sees(steps in Step::many(25)) {
        holds(exports::round_trip_of_audiences(&steps))?;
    }

    #[test]
        fn law_4_no_audience_sees_memories_of_others(world in isolation::worlds()) {
        holds(isolation::isolation(&world, Backend::SqliteFts))?;
    }
}

#[test]
fn law_4_holds_in_the_recorded_worlds() {
    for world in isolation::known_worlds() {
        isolation::isolation(&world, Backend::SqliteFts).unwrap();
    }
}

proptest! {
    #![proptest_config(random(2))]

    #[test]
    fn law_4_holds_for_search_by_meaning(world in isolation::worlds()) {
        holds(isolation::isolation(&world, Backend::Hybrid))?;
    }
}

/// Parts of queries that have a meaning somewhere: to FTS5, to JSON, to a terminal, to who writes from right to left.
fn odd() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("\"".to_owned()),
        Just("'".to_owned()),
        "(AND|OR|NOT|NEAR|NEAR/3|-|\\+|\\*|\\^|:|self:|\\(|\\)|\\{|\\}|%|;|\\\\|\\|0)",
        "[\\x00-\\x1f\\x7f]{1,4}",
        "[אבגשלום]{1,6}",
        "[\u{202a}-\u{202e}\u{2066}-\u{2069}\u{feff}]{1,2}",
        Just("👩‍👩‍👧‍👦☕🏽🇵🇹".to_owned()),
        "[的茶한カ]{1,5}",
        Just("tea".to_owned()),
        Just(String::new()),
        "\\PC{0,12}",
        Just("x".repeat(5000)),
    ];
    proptest::collection::vec(part, 0..8).prop_map(|parts| parts.join(" "))
}

/// A workspace that holds something of every form, and odd texts themselves.
fn something() -> TestWorkspace {
    let test = TestWorkspace::new();
    test.workspace.zone().remember("User likes \"green\" tea AND 茶 ☕\n- שלום").unwrap();
    test.workspace.zone().daily("- NEAR(tea, 2)", None).unwrap();
    test.append_raw("message", r#"{"role":"user","content":"tea\u0000 and * : ^"}"#);
    test
}

#[test]
fn no_query_is_an_error() {
    let test = something();
    let many = |word: &dyn Fn(usize) -> String| (0..10_000).map(word).collect::<Vec<_>>().join(" ");
    let long = [many(&|_| "tea".into()), many(&|n| format!("w{n}")), many(&|_| "\"".into()), String::new()];
    let mut runner = proptest::test_runner::TestRunner::new(random(300));
    runner.run(&odd(), |query| holds(laws::any_query(&test.workspace, &query, Backend::SqliteFts))).unwrap();
    let mut runner = proptest::test_runner::TestRunner::new(random(12));
    runner.run(&odd(), |query| holds(laws::any_query(&test.workspace, &query, Backend::Hybrid))).unwrap();
    for query in &long {
        for backend in Backend::ALL {
            laws::any_query(&test.workspace, query, backend).unwrap();
        }
    }
}
