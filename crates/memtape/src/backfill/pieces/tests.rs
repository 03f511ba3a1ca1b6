use expect_test::{Expect, expect};

use super::*;

fn check(text: &str, expected: &Expect) {
    let mut shown = String::new();
    for Piece { line, text, category, stamp } in pieces(text, &TimeZone::fixed(jiff::tz::offset(2))) {
        let category = category.map_or(String::new(), |category| format!(" {category}"));
        let stamp = stamp.map_or(String::new(), |stamp| format!(" {stamp}"));
        shown.push_str(&format!("{line}{category}{stamp} {text:?}\n"));
    }
    expected.assert_eq(&shown);
}

#[test]
fn each_bullet_is_a_piece_with_its_wrapped_lines_and_sub_bullets() {
    check(
        "- likes tea,\n  green above all\nand not too hot\n- has cats\n  - Miso\n    - is old\n  - Nori\n\n  Both are black.\n\n* one\n+ two\n1. three\n2) four\n",
        &expect![[r#"
            1 "likes tea, green above all and not too hot"
            4 "has cats\n- Miso\n  - is old\n- Nori\nBoth are black."
            11 "one"
            12 "two"
            13 "three"
            14 "four"
        "#]],
    );
}

#[test]
fn paragraphs_headings_rules_and_comments() {
    check(
        "\u{feff}# Title\n\nA paragraph\r\nof two lines.\r\n\nAnother one.\n---\nA third.\n<!-- hidden\n- hidden too -->\n\nShown <!-- not this --> again.\n## Preferences\n### Editors\n- uses vim\n## Decisions made\n- ship on Friday\n## Else\n#tag is no heading\n",
        &expect![[r##"
            3 "A paragraph of two lines."
            6 "Another one."
            8 "A third."
            12 "Shown  again."
            15 preference "uses vim"
            17 decision "ship on Friday"
            19 "#tag is no heading"
        "##]],
    );
}

#[test]
fn code_and_tables_keep_their_lines() {
    check(
        "Run this:\n```sh\n# no heading\n\n- no bullet <!-- no comment -->\n```\nthen look.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- a bullet\n\n  ```\n  code\n  ```\n",
        &expect![[r##"
            1 "Run this:\n```sh\n# no heading\n\n- no bullet <!-- no comment -->\n```\nthen look."
            9 "| a | b |\n|---|---|\n| 1 | 2 |"
            13 "a bullet\n  ```\n  code\n  ```"
        "##]],
    );
}

#[test]
fn only_valid_stamps_are_parsed_and_removed() {
    check(
        "[2026-02-10 10:00] met Ana\n[2026-02-11 09:30] met Ben\nover lunch\n\n- [2026-02-12 08:00:00 UTC] I like tea\n- [x] done\n- [2026-13-40 10:00] no day\n- [1770717600] seconds\n",
        &expect![[r#"
            1 2026-02-10T08:00:00Z "met Ana"
            2 2026-02-11T07:30:00Z "met Ben over lunch"
            5 2026-02-12T08:00:00Z "I like tea"
            6 "[x] done"
            7 "[2026-13-40 10:00] no day"
            8 "[1770717600] seconds"
        "#]],
    );
}
