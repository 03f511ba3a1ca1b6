//! The laws of the design as property tests over every form that has steps.

#![allow(clippy::unwrap_used, reason = "these are tests")]

use memtape::Backend;
use memtape_testkit::{Step, isolation, laws};
use proptest::prelude::*;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() }
}

fn holds(verdict: laws::Verdict) -> Result<(), TestCaseError> {
    verdict.map_err(TestCaseError::fail)
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn law_1_the_index_is_the_index_rebuilt(steps in Step::many(25)) {
        holds(laws::rebuild(&steps))?;
    }

    #[test]
    fn law_2_what_was_acknowledged_is_there_again(steps in Step::many(25)) {
        holds(laws::reopened(&steps))?;
    }

    #[test]
    fn law_5_an_entry_shows_what_it_showed_as_the_head(steps in Step::many(25)) {
        holds(laws::time(&steps))?;
    }

    #[test]
    fn law_8_no_answer_is_longer_than_its_limit(
        steps in Step::many(25),
        query in "\\PC{0,40}",
        limit in 0_usize..6,
    ) {
        holds(laws::budget(&steps, &query, limit))?;
    }
}

proptest! {
    #![proptest_config(config(24))]

    #[test]
    fn law_4_nobody_is_shown_what_is_not_theirs(world in isolation::worlds()) {
        holds(isolation::isolation(&world, Backend::SqliteFts))?;
    }
}

proptest! {
    #![proptest_config(config(2))]

    #[test]
    fn law_4_nor_what_means_the_same(world in isolation::worlds()) {
        holds(isolation::isolation(&world, Backend::Hybrid))?;
    }
}
