//! `export`.

use expect_test::expect;
use serde_json::Value;

use crate::harness::Home;

fn told() -> Home {
    let home = Home::new();
    home.setup(&[
        "fact add user 'prefers backend' Python --scope work/technical --confidence 0.9",
        "fact add user is 'café ☕'",
        "fact add user fears spiders --sensitivity confidential",
    ]);
    home
}

#[test]
fn an_export_says_what_it_wrote_and_what_it_left_out() {
    let home = told();
    home.check(
        &[
            "export",
            "export --history",
            "export --format markdown --history",
            "export --format files",
            "export --format files --confidential",
            "export --out elsewhere/here.json",
            "export --format files --out -",
            "export --confidential --session telegram:1",
            "--at 5 export --out early.json",
        ],
        &expect![],
    );
    let text = std::fs::read_to_string(home.path("memories.json")).unwrap_or_default();
    let value: Value = serde_json::from_str(&text).unwrap_or_default();
    assert_eq!(value["memories"][0]["object"], "Python");
    assert_eq!(value_without_time(home.run("export --history --out -").raw()), value_without_time(&text));
    assert_eq!(home.path("memory/HEAD").metadata().map(|file| file.len()).unwrap_or_default(), 4);
}

/// A document without the line that says when it was made.
fn value_without_time(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.contains("exported_at"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_file_that_is_no_export_stays() {
    let home = told();
    home.write("memories.json", "{\"mine\": true}");
    home.write("memory/notes.txt", "mine");
    home.check(
        &["export", "export --force", "export", "export --format files", "export --format files --force"],
        &expect![],
    );
}
