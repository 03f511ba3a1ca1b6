//! `consolidate`, `prune` of facts, and what `status` says of observations.

use expect_test::expect;

use crate::harness::Home;

/// Facts, statements and lines of which some say the same, and some say otherwise.
fn home() -> Home {
    let home = Home::new();
    home.setup(&[
        "remember 'Ana sails on Sundays'",
        "fact add Ana 'sails on' Sundays",
        "fact add Ana 'lives in' Lisbon",
        "fact add Ana 'lives in' Porto --scope work --confidence .6",
        "add --text 'ana lives in lisbon' --kind fact --scope user --channel telegram --chat-id 1 --sender-id 42",
        "add --text 'Ana lives in Lisbon!' --kind fact",
    ]);
    home
}

#[test]
fn a_report_is_settled_by_the_commands_it_prints() {
    let home = home();
    home.check(
        &[
            "consolidate",
            "fact deprecate ledger:0a18f0bb03f6cb47@8",
            "consolidate --apply-safe",
            "consolidate",
            "consolidate --apply-safe",
            "consolidate --report --json",
            "consolidate --at 10",
            "consolidate --session telegram:1 --user 42",
        ],
        &expect![],
    );
}

#[test]
fn only_the_owner_does_what_is_safe() {
    home().check(
        &[
            "consolidate --apply-safe --session telegram:1",
            "consolidate --apply-safe --report",
            "consolidate --apply-safe --at 3",
        ],
        &expect![],
    );
}

#[test]
fn facts_are_pruned_by_confidence_or_use_and_statements_as_before() {
    home().check(
        &[
            "prune --below .7 --dry-run",
            "prune --below .7",
            "prune --below .7",
            "prune --unused-days 0 --dry-run --json",
            "prune --unused-days 30",
            "prune --below 2",
            "prune --below .5 --kind fact",
            "prune --kind fact --dry-run",
            "fact history Ana 'lives in' --scope work",
        ],
        &expect![],
    );
}

#[test]
fn observations_of_a_conversation_wait_until_it_is_over() {
    let home = Home::new();
    home.check(
        &[
            "fact observe Ana likes tea --session telegram:42",
            "status",
            "tape handoff done --session telegram:42",
            "status",
        ],
        &expect![],
    );
}
