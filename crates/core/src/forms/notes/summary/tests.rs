use proptest::prelude::*;

use super::super::sections::tests::markdown;
use super::*;

fn today() -> Date {
    "2026-02-26".parse().unwrap()
}

/// Returns the caller's summary, or a computed one.
fn summary(own: Option<&str>) -> Summary<'_> {
    own.map_or(Summary::Computed, Summary::New)
}

fn brought(text: &str, own: Option<&str>) -> String {
    String::from_utf8(bring_up_to_date(text.as_bytes(), summary(own), today())).unwrap()
}

#[test]
fn the_first_summary_is_read() {
    for (text, expected) in [
        ("# T\n\n> Summary: user name, role\n\n- a\n", Some("user name, role")),
        ("# T\n", None),
        ("", None),
        ("> Summary: first\n> Summary: second\n", Some("first")),
        (">   Summary:\t trimmed \u{3000}\r\n", Some("trimmed")),
        (">Summary:tight", Some("tight")),
        ("> Summary:\n> Summary: second\n", Some("second")),
        ("> Summary:   \n", None),
        (" > Summary: indented\n", None),
        ("```\n> Summary: code\n```\n> Summary: text\n", Some("text")),
        ("\u{FEFF}> Summary: marked\n", Some("marked")),
        ("# T\n\n## B\n> Summary: the block's\n", None),
        ("> Summary: file\n\n## B\n> Summary: the block's\n", Some("file")),
    ] {
        assert_eq!(read(text.as_bytes()).as_deref(), expected, "{text:?}");
    }
}

/// The original implementation read `>Summary: x`, but replaced only `> Summary: x`.
#[test]
fn a_detected_summary_is_replaced() {
    for old in [">Summary: old", "> Summary: old", ">\t Summary:old", "> Summary:", ">Summary: "] {
        let text = format!("# T\n{old}\n- a\n");
        assert_eq!(brought(&text, Some("new")), "# T\n> Summary: new\n- a\n", "{old}");
    }
    // A line with the same summary keeps its spelling.
    assert_eq!(brought(">Summary: same\n- a\n", Some("same")), ">Summary: same\n- a\n");
    // The original implementation expanded a "$" in the new text.
    assert_eq!(brought("> Summary: x\n", Some("$& $1")), "> Summary: $& $1\n");
}

#[test]
fn a_summary_is_made_of_the_bullets_keys() {
    assert_eq!(
        brought("# User Facts\n\n- Name: Zhang San\n- likes green tea\n- Updated: 2026-02-24\n", None),
        "# User Facts\n\n> Summary: Name, likes green tea\n\n- Name: Zhang San\n- likes green tea\n- Updated: 2026-02-26\n"
    );
}

#[test]
fn a_computed_summary_leaves_out_the_keys_that_would_be_redacted_in_it() {
    let text = "- WLAN-Passwort: [redacted:password]\n- Türcode: 1928\n- Haus: rot\n- Büro4711: oben\n";
    let summary = of_entries(text.as_bytes()).unwrap();
    assert_eq!(summary, "WLAN-Passwort, Türcode, Haus");
    assert_eq!(secrets::find(&format!("> Summary: {summary}")), []);
}

#[test]
fn a_summary_is_made_of_the_entries_summaries() {
    let text = "# 2026-02 Episodes\r\n\r\n## Leak\r\n- Summary: stdout leak → transport\r\n- Updated: 2026-02-01\r\n\r\n## Short ID\r\n- Task: x\r\n";
    assert_eq!(
        brought(text, None),
        text.replace("Episodes\r\n", "Episodes\r\n\r\n> Summary: stdout leak → transport, Short ID\r\n")
    );
}

#[test]
fn a_summary_comes_after_the_title_or_first() {
    for (text, expected) in [
        ("# T\n- a: x\n", "# T\n\n> Summary: a\n\n- a: x\n"),
        ("# T", "# T\n\n> Summary: s\n"),
        ("", "> Summary: s\n"),
        ("- a: x\n", "> Summary: a\n\n- a: x\n"),
        ("\n- a: x\n", "> Summary: a\n\n- a: x\n"),
        ("\u{FEFF}- a: x\n", "\u{FEFF}> Summary: a\n\n- a: x\n"),
        ("---\nx: y\n---\n- a: x\n", "---\nx: y\n---\n\n> Summary: a\n\n- a: x\n"),
        ("```\n# code\n```\n- a: x\n", "> Summary: a\n\n```\n# code\n```\n- a: x\n"),
        // The heading of a block is not a title: the summary would become a part of the block.
        ("## B\ntext\n", "> Summary: B\n\n## B\ntext\n"),
    ] {
        let own = (!text.contains("a: x") && !text.contains("## B")).then_some("s");
        assert_eq!(brought(text, own), expected, "{text:?}");
    }
    // Prose has no computed summary, so an existing one is kept.
    assert_eq!(brought("# T\n\n> Summary: old\n\nprose\n", None), "# T\n\n> Summary: old\n\nprose\n");
}

#[test]
fn a_summary_is_bounded_and_prefers_the_newest() {
    let text: String = (0..50).map(|n| format!("- k{n}: v\n")).collect();
    let summary = of_entries(text.as_bytes()).unwrap();
    assert!(summary.starts_with("k30, ") && summary.ends_with(", k49"), "{summary}");
    let text: String = (0..50).map(|n| format!("## {n} {}\n", "long ".repeat(20))).collect();
    let summary = of_entries(text.as_bytes()).unwrap();
    assert!(summary.chars().count() <= CHARS_MAX && summary.contains("49 long"), "{summary}");
    let own = "x".repeat(1000);
    assert_eq!(read(brought("", Some(&own)).as_bytes()).unwrap().chars().count(), CHARS_MAX);
    assert_eq!(brought("", Some("two\nlines\u{2028}\0")), "> Summary: two lines\n");
}

#[test]
fn a_persons_words_after_updated_are_theirs() {
    for text in ["- Updated: yesterday\n", "text\n  - Updated: 2026-02-24\n"] {
        assert_eq!(updated(text.as_bytes(), today()), text.as_bytes());
    }
    assert_eq!(updated(b"* **Updated:** 2026-02-24  \r\n", today()), b"* **Updated:** 2026-02-26  \r\n");
    assert_eq!(
        updated(b"- Updated: 2026-01-01\n## B\n- Updated: 2026-01-01\n", today()),
        b"- Updated: 2026-02-26\n## B\n- Updated: 2026-01-01\n"
    );
}

proptest! {
    #[test]
    fn bringing_up_to_date_twice_is_once(
        bytes in markdown(),
        own in proptest::option::of("[ -~\n\r\u{e9}]{0,30}"),
    ) {
        let once = bring_up_to_date(&bytes, summary(own.as_deref()), today());
        prop_assert_eq!(&bring_up_to_date(&once, summary(own.as_deref()), today()), &once);
    }

    #[test]
    fn the_callers_own_summary_is_read_back(bytes in markdown(), own in "[a-z$&,]{1,30}") {
        let brought = bring_up_to_date(&bytes, Summary::New(&own), today());
        prop_assert_eq!(read(&brought), Some(own));
    }

    #[test]
    fn no_other_line_changes(bytes in markdown(), own in "[a-z]{1,30}") {
        let lines_of = |bytes: &[u8]| -> Vec<Vec<u8>> {
            let whole = String::from_utf8_lossy(bytes).into_owned();
            let kept = whole.lines().map(|line| line.trim_start_matches('\u{FEFF}'));
            let kept = kept.filter(|line| !line.trim().is_empty() && !line.contains("Summary:"));
            kept.filter(|line| !line.contains("Updated:")).map(|line| line.trim_end().as_bytes().to_vec()).collect()
        };
        let brought = bring_up_to_date(&bytes, Summary::New(&own), today());
        prop_assert_eq!(lines_of(&brought), lines_of(&bytes));
    }
}
