//! An import cuts nothing: every word of an older file, except in headings, is in one statement.

use memtape::{At, Audience, Backend, Config, Durability, Form};
use memtape_testkit::TestWorkspace;
use proptest::prelude::*;

/// The beginning of a line: a bullet at any depth, a continuation, a heading, code or a table.
fn beginning() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "",
        "",
        "- ",
        "- ",
        "* ",
        "  - ",
        "    - ",
        "\t- ",
        "1. ",
        "  ",
        "   ",
        "# ",
        "### ",
        "| ",
        "> ",
        "[2025-11-03 18:30] ",
        "- [2025-11-03 18:30:00 UTC] ",
        "- [ ] ",
        "(",
        "<!-- -->",
        "#",
        "-",
    ])
}

fn line() -> impl Strategy<Value = Option<&'static str>> {
    prop_oneof![6 => beginning().prop_map(Some), 2 => Just(None)]
}

proptest! {
    #![proptest_config(memtape_testkit::random(20))]

    #[test]
    fn every_word_of_an_older_file_is_in_one_statement(
        lines in proptest::collection::vec(line(), 1..30),
        fences in proptest::collection::vec(any::<prop::sample::Index>(), 0..3),
        name in prop::sample::select(vec!["HISTORY.md", "2025-11-03.md", "semantic/facts.md", "MEMORY.md"]),
    ) {
        let mut text: Vec<String> = lines
            .iter()
            .zip(0..)
            .map(|(line, n): (_, usize)| line.map_or(String::new(), |line| format!("{line}word{n:02} more")))
            .collect();
        for fence in fences {
            text.insert(fence.index(text.len()), "```".into());
        }
        let mut config = Config { durability: Durability::Os, ..Config::default() };
        config.recall.backend = Backend::SqliteFts;
        let test = TestWorkspace::configured(config);
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("semantic")).unwrap();
        std::fs::write(folder.path().join(name), text.join("\n")).unwrap();
        test.workspace.statements().backfill(Some(folder.path()), false).unwrap();
        let all = test.workspace.memories(Form::STATEMENTS, &Audience::owner(), &At::head()).unwrap();
        for (n, line) in lines.iter().enumerate() {
            let Some(line) = line else { continue };
            let word = format!("word{n:02}");
            let count: usize = all.iter().map(|memory| memory.text.matches(&word).count()).sum();
            let is_heading = line.starts_with('#') && line.ends_with(' ');
            prop_assert!(
                count == 1 || (count == 0 && is_heading),
                "{word} stands {count} times in {:?} of\n{}", all.iter().map(|m| &m.text).collect::<Vec<_>>(), text.join("\n")
            );
        }
    }
}
