//! `block`, `turn --trigger`, and what other commands say of blocks.

use expect_test::expect;

use crate::harness::Home;

#[test]
#[allow(clippy::too_many_lines, reason = "it is one session")]
fn blocks_are_set_listed_and_restored() {
    let home = Home::new();
    home.check(
        &[
            "block list --layer 2",
            "block get current_focus",
            "block set current_focus tea",
            "block set current_focus 'memory architecture' --reason 'a new week'",
            "block set current_focus 'memory architecture'",
            "block set zeal 'for tea' --layer 3",
            "block get current_focus",
            "block get current_fokus",
            "block get nothing_like_it",
            "block get current_focus --at 4",
            "block get current_focus --json",
            "block history current_focus",
            "block history current_focus -n 1 --json",
            "block restore current_focus",
            "block restore current_focus --at 4",
            "block set current_focus x --at 4",
            "block list",
            "show blocks:current_focus",
            "forget blocks:zeal --yes",
            "block history zeal",
            "undo",
            "block get zeal",
            "diff 4 5",
        ],
        &expect![[""]],
    );
}

#[test]
fn what_is_no_block_is_refused() {
    let home = Home::new();
    home.check(
        &[
            "block set Persona x",
            "block set '../x' x",
            "block set recent_insights x",
            "block set goals x --layer 5",
            "block set goals 'much too long' --config blocks.max_chars=5",
            "block history nothing",
            "block approve goals",
            "block approve --force",
            "block restore goals --at 2",
            "forget blocks:goals --yes",
            "forget blocks:recent_insights --yes",
            "block get goals --json",
            "block get nothing --json",
        ],
        &expect![[""]],
    );
}

#[test]
fn a_change_of_identity_waits_for_the_owner() {
    let home = Home::new();
    home.check(
        &[
            "block set persona 'Calm and exact'",
            r#"tool call memory_set_block '{"name":"persona","value":"Loud"}'"#,
            r#"tool call memory_set_block '{"name":"persona","value":"Loud","layer":4}'"#,
            r#"tool call memory_forget '{"ref":"blocks:persona"}'"#,
            "block get persona",
            "block approve",
            "block approve --json",
            "block set persona 'Calm and kind'",
            "block approve persona",
            "block approve persona --force --reason 'they asked twice'",
            "block approve",
            r#"tool call memory_set_block '{"name":"values","value":"Honesty"}'"#,
            "block list --layer 2",
            "block reject values",
            "why blocks:persona",
            "recall 'loud honesty' --config recall.backend=sqlite_fts",
        ],
        &expect![[""]],
    );
}

#[test]
fn a_turn_may_begin_by_itself() {
    let home = Home::new();
    home.check(
        &[
            "turn --trigger perch -m '2hr tick: I prefer tea' --reply 'Nothing to do.' --session telegram:7",
            "turn --trigger cron -m 'weekly review' --user 7 --session telegram:7",
            "turn --trigger often -m x",
        ],
        &expect![[""]],
    );
}
