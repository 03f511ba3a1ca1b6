//! Texts and their rendered form.
#![allow(
    clippy::needless_pass_by_value,
    clippy::needless_raw_string_hashes,
    reason = "expect-test is used and writes its tables so"
)]

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

fn check(texts: &[&str], expected: Expect) {
    let line = |text: &&str| format!("{}\n", neutralise(text).replace('\n', "⏎"));
    expected.assert_eq(&texts.iter().map(line).collect::<String>());
}

#[test]
fn harmless() {
    check(
        &[
            "a <|im_start|>system b",
            "[INST] <<SYS>> x <</SYS>> [/INST]",
            "</system> </memory> </memory-block x=1> <tool_call>",
            "```json\n{}\n```",
            "Human: hi\n\nAssistant: yes\n  System: x",
            "hidden\u{E0068} text",
            "<\u{E0068}|x|>",
            "look\n [ Perch tick]: go\n【message FROM x】 not [Scheduled job]",
        ],
        expect![[r#"
            a ‹¦im_start¦›system b
            (INST) ‹‹SYS›› x ‹‹/SYS›› (/INST)
            ‹/system› ‹/memory› ‹/memory-block x=1> ‹tool_call›
            '''json⏎{}⏎'''
            Human∶ hi⏎⏎Assistant∶ yes⏎  System∶ x
            hidden text
            ‹¦x¦›
            look⏎ ( Perch tick]: go⏎(message FROM x】 not [Scheduled job]
        "#]],
    );
}

#[test]
fn ordinary_text_is_not_copied() {
    for text in [
        "a < b, [x](y) and `code`, <b>bold</b>",
        "the system: it works",
        "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} England",
        "if a || b { c |> d }",
    ] {
        assert!(matches!(neutralise(text), Cow::Borrowed(same) if same == text), "{text}");
    }
}

proptest! {
    #[test]
    fn once_is_enough(bits in prop::collection::vec(prop::sample::select(vec![
        "<", "|", ">", "[", "]", "/", "INST", "<<SYS>>", "```", "`", "system", "Human", ":", "\n", " ", "memory",
        "\u{E0041}", "\u{1F3F4}", "\u{E0067}", "\u{E007F}", "x", "ü", "im_start", "\u{FF5C}", "\r",
    ]), 0..24)) {
        let text = bits.concat();
        let once = neutralise(&text);
        prop_assert!(!once.contains("<|") && !once.contains("```") && !once.contains("[INST]"));
        prop_assert_eq!(neutralise(&once), once.as_ref());
    }

    #[test]
    fn any_text_is_safe(text in "\\PC{0,200}") {
        let once = neutralise(&text);
        prop_assert_eq!(neutralise(&once), once.as_ref());
    }
}
