//! `prompt`.

use expect_test::expect;

use crate::harness::Home;

#[test]
fn a_prompt_is_shown_by_sections_and_a_small_budget_is_refused() {
    let home = Home::new();
    home.setup(&["block set persona 'A calm helper.'", "remember 'Ana likes tea'"]);
    home.check(
        &[
            "prompt --trigger 'what does Ana like?' --show sections",
            "prompt --trigger 'what does Ana like?' --budget 300 --show sections",
            "prompt --budget 10",
            "prompt --budget nothing",
            "prompt --kind dance",
            "prompt --at 1 --kind perch --trigger look --show sections",
        ],
        &expect![[r#""#]],
    );
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
