use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

fn check(text: &str, expected: &Expect) {
    let (kind, sections) = split(text.as_bytes());
    let names = names(sections[1..].iter().copied(), HashSet::new());
    let mut shown = format!("{kind:?}\n");
    for (n, section) in sections.iter().enumerate() {
        let name = n.checked_sub(1).map_or("", |n| &names[n]);
        shown += &format!("{name:?}: {:?}\n", String::from_utf8_lossy(section));
    }
    expected.assert_eq(&shown);
    assert_eq!(join(sections), text.as_bytes());
}

#[test]
fn a_fact_file_is_its_bullets() {
    check(
        "# User Facts\n\n> Summary: user name\n\n- Name: Zhang San\n- Language: Chinese,\n  and English\n\n  too\n\n* **Role:** developer\n+ likes green tea a lot, and says so\n- 10:30 is tea time\n- - -\n- Updated: 2026-02-24\n",
        &expect![[r##"
            Facts
            "": "# User Facts\n\n> Summary: user name\n"
            "Name": "\n- Name: Zhang San\n"
            "Language": "- Language: Chinese,\n  and English\n\n  too\n"
            "Role": "\n* **Role:** developer\n"
            "likes green tea a lot, and": "+ likes green tea a lot, and says so\n"
            "10:30 is tea time": "- 10:30 is tea time\n- - -\n"
            "Updated": "- Updated: 2026-02-24\n"
        "##]],
    );
}

#[test]
fn a_block_file_is_its_blocks() {
    check(
        "# 2026-02 Episodes\n\n> Summary: logger fix\n\n## Logger fix ##\n- Summary: pino\n\n```md\n## no heading\n```\n\n## Logger fix\n### Deeper\n- Date: 2026-02-24\n##\n## a@44",
        &expect![[r###"
            Blocks
            "": "# 2026-02 Episodes\n\n> Summary: logger fix\n"
            "Logger fix": "\n## Logger fix ##\n- Summary: pino\n\n```md\n## no heading\n```\n"
            "Logger fix~2": "\n## Logger fix\n### Deeper\n- Date: 2026-02-24\n"
            "(empty)": "##\n"
            "a 44": "## a@44"
        "###]],
    );
}

#[test]
fn files_of_any_shape_are_split() {
    check(
        "",
        &expect![[r#"
        Facts
        "": ""
    "#]],
    );
    check(
        "\n\n- a\r\n\r\n- b\r\n",
        &expect![[r#"
        Facts
        "": ""
        "a": "\n\n- a\r\n"
        "b": "\r\n- b\r\n"
    "#]],
    );
    check(
        "\u{FEFF}- a",
        &expect![[r#"
        Facts
        "": "\u{feff}"
        "a": "- a"
    "#]],
    );
    check(
        "\u{FEFF}---\ntags:\n- x\n## y\n---\n- a\n",
        &expect![[r#"
        Facts
        "": "\u{feff}---\ntags:\n- x\n## y\n---\n"
        "a": "- a\n"
    "#]],
    );
    check(
        "---\n- never closed\n",
        &expect![[r#"
        Facts
        "": "---\n"
        "never closed": "- never closed\n"
    "#]],
    );
    check(
        "- a\n\n# Other\n~~~\n- b\n~~\n~~~~\n- c ```x```\n- d\n",
        &expect![[r#"
        Facts
        "": ""
        "a": "- a\n"
        "Other": "\n# Other\n~~~\n- b\n~~\n~~~~\n"
        "c ```x": "- c ```x```\n"
        "d": "- d\n"
    "#]],
    );
}

#[test]
fn section_names_come_from_their_subject() {
    for (section, expected) in [
        ("- Name：张三", "Name"),
        ("- http://example.org is a page", "http://example.org is a page"),
        ("- see: ", "see"),
        ("- : nothing before", ": nothing before"),
        ("-  ", "(empty)"),
        ("- Likes\u{0} TEA", "likes tea"),
        ("## @7", "7"),
        ("prose", "prose"),
    ] {
        assert_eq!(name(section.as_bytes()), expected, "{section}");
    }
    assert_eq!(name("## ".to_owned().as_bytes()), "(empty)");
    assert!(name(format!("- {}", "长".repeat(500)).as_bytes()).chars().count() <= NAME_CHARS_MAX);
    assert!(name(format!("# {}", "x ".repeat(500)).as_bytes()).chars().count() <= NAME_CHARS_MAX);
}

#[test]
fn a_line_that_was_the_last_is_ended_where_another_follows() {
    assert_eq!(join([&b""[..], b"- a\r\n- b", b"- c\r\n"]), b"- a\r\n- b\r\n- c\r\n");
    assert_eq!(join([&b"- a"[..], b""]), b"- a");
}

#[test]
fn a_large_file_is_split_in_no_time() {
    let line = "- Key: a fact of some forty characters long\n";
    let text = line.repeat((5 << 20) / line.len());
    let before = std::time::Instant::now();
    let (_, sections) = split(text.as_bytes());
    assert_eq!(sections.len(), text.len() / line.len() + 1);
    assert_eq!(join(sections), text.as_bytes());
    // The limit is generous, because tests run unoptimized and in parallel.
    assert!(before.elapsed().as_secs() < 3, "{:?}", before.elapsed());
    let many = "- \n".repeat(SECTIONS_MAX + 10);
    let (_, sections) = split(many.as_bytes());
    assert_eq!(sections.len(), SECTIONS_MAX);
    assert_eq!(join(sections), many.as_bytes());
}

/// Generates Markdown, and texts that only resemble it.
pub(crate) fn markdown() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        Just("- Name: Zhang San"),
        Just("- a"),
        Just("* b: c"),
        Just("## Block"),
        Just("# Title"),
        Just("### Deep"),
        Just("- Summary: short"),
        Just("- Date: 2026-02-24"),
        Just("- Updated: 2026-02-24"),
        Just("> Summary: old"),
        Just(">Summary:x"),
        Just("> Summary:"),
        Just("```"),
        Just("~~~~"),
        Just("---"),
        Just("  more"),
        Just(""),
        Just(" "),
        Just("text"),
        Just("- - -"),
        Just("\u{FEFF}"),
        Just("- 键：值"),
    ];
    let end = prop_oneof![4 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r"), 1 => Just("")];
    let piece = prop_oneof![
        20 => (line, end).prop_map(|(line, end)| format!("{line}{end}").into_bytes()),
        1 => proptest::collection::vec(any::<u8>(), 0..6),
    ];
    proptest::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn splitting_and_joining_gives_the_same_bytes(bytes in markdown()) {
        let (_, sections) = split(&bytes);
        prop_assert_eq!(join(sections.iter().copied()), bytes.clone());
        // Only the preamble may be empty.
        prop_assert!(sections[1..].iter().all(|section| !section.is_empty()));
    }

    #[test]
    fn any_bytes_are_split(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        prop_assert_eq!(join(split(&bytes).1), bytes);
    }

    #[test]
    fn names_differ(bytes in markdown()) {
        let (_, sections) = split(&bytes);
        let names = names(sections[1..].iter().copied(), HashSet::from(["a".to_owned()]));
        let set: HashSet<_> = names.iter().collect();
        prop_assert_eq!(set.len(), names.len());
        prop_assert!(names.iter().all(|name| !name.is_empty() && name != "a"));
    }
}
