//! The `prompt` command.

use expect_test::expect;

use crate::harness::Home;

#[test]
fn a_prompt_is_shown_by_sections_and_a_small_budget_is_refused() {
    let home = Home::new();
    home.setup(&["block set persona 'A calm helper.'", "remember 'Ana likes tea'"]);
    let lines = &[
        "prompt --trigger 'what does Ana like?' --show sections",
        "prompt --trigger 'what does Ana like?' --budget 300 --show sections",
        "prompt --budget 10",
        "prompt --budget nothing",
        "prompt --kind dance",
        "prompt --at 1 --kind perch --trigger look --show sections",
    ];
    let ran: String =
        lines.iter().map(|line| format!("$ memtape {line}\n{}", home.run(line).snapshot())).collect();
    // The length of today's name differs from day to day.
    let sizes = regex::Regex::new(r"(contract +|trigger +|in all +|at least )\d+").unwrap();
    expect![[r#"
        $ memtape prompt --trigger 'what does Ana like?' --show sections
        section        tokens  share  left out
        contract          [TOKENS]     1%
        identity           11    12%
        semantic            0    14%
        working             0    14%
        tools             723     4%
        skills              0     2%
        memory             47     8%
        ledger              0     5%
        notes               0     5%
        conversation        0    20%
        journal            69     8%
        recalled            0     4%
        trigger            [TOKENS]     3%
        in all           [TOKENS] of 32000
        $ memtape prompt --trigger 'what does Ana like?' --budget 300 --show sections
        ! error: a budget of 300 tokens is too small for the trigger and the minimum of each section: at least [TOKENS] are needed
        [exit 5]
        $ memtape prompt --budget 10
        ! error: a budget of 10 tokens is too small for the trigger and the minimum of each section: at least [TOKENS] are needed
        [exit 5]
        $ memtape prompt --budget nothing
        ! error: invalid value 'nothing' for '--budget <TOKENS>': expected a whole number from 0
        !
        ! For more information, try '--help'.
        [exit 2]
        $ memtape prompt --kind dance
        ! error: invalid value 'dance' for '--kind <KIND>': unknown trigger "dance": expected message, perch or cron
        !
        ! For more information, try '--help'.
        [exit 2]
        $ memtape prompt --at 1 --kind perch --trigger look --show sections
        section        tokens  share  left out
        contract          [TOKENS]     1%
        identity            0    12%
        semantic            0    14%
        working             0    14%
        tools             723     4%
        skills              0     2%
        memory              0     8%
        ledger              0     5%
        notes               0     5%
        conversation        0    20%
        journal            36     8%
        recalled            0     4%
        trigger            [TOKENS]     3%
        in all            [TOKENS] of 32000
    "#]].assert_eq(&sizes.replace_all(&ran, "$1[TOKENS]"));
}

#[test]
fn a_prompt_is_messages_for_a_model() {
    let home = Home::new();
    let messages = home.run("prompt --trigger hello --show messages").json_lines();
    assert_eq!(messages[0]["role"], "system");
    assert!(
        messages
            .last()
            .is_some_and(|last| last["content"].as_str().is_some_and(|text| text.ends_with(": hello")))
    );
    let all = home.run("prompt --trigger hello --json").json();
    assert_eq!(all["messages"].as_array().map(Vec::len), Some(messages.len() - 1));
    assert!(all["tokens"].as_u64() < all["budget"].as_u64());
}
