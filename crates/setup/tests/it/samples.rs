//! The sample configurations of every client: the result of adding memtape, and that removing restores them.

use expect_test::{Expect, expect, expect_file};
use memtape_setup::Client;

use crate::harness::{Home, Sample, samples};

/// Returns a text with visible white space: `→` is a tab, and `␍` a carriage return.
fn visible(text: &str) -> String {
    let text = text.replace('\t', "→").replace('\r', "␍");
    if text.is_empty() || text.ends_with('\n') { text } else { format!("{text}[no line end]\n") }
}

/// Returns what becomes of a sample, or why it is refused.
fn outcome(client: Client, sample: &Sample) -> String {
    let home = Home::new();
    let path = sample.text.as_ref().map(|text| home.write(&sample.file, text));
    match home.plan_add(client) {
        Ok(plan) => {
            let notices: String = plan.notes.iter().map(|notice| format!("notice: {notice}\n")).collect();
            plan.apply().unwrap();
            let after = std::fs::read_to_string(home.path(&sample.file)).unwrap();
            format!("{}{}", notices.replace(home.path("").to_str().unwrap(), "~/"), visible(&after))
        }
        Err(e) => {
            let unchanged = path.map(|path| std::fs::read_to_string(path).unwrap());
            assert_eq!(unchanged, sample.text, "{}", sample.title);
            format!("error: {}\n", home.shown(&e))
        }
    }
}

#[test]
fn every_sample_becomes_what_is_expected() {
    for client in Client::ALL {
        let texts = samples(client)
            .into_iter()
            .map(|sample| format!("=== {}: {}\n{}", sample.file, sample.title, outcome(client, &sample)));
        let expected = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/expected");
        expect_file![format!("{expected}/{}.txt", client.id())].assert_eq(&texts.collect::<String>());
    }
}

/// Returns a sample in several spellings that mean the same.
pub(crate) fn variants(sample: &Sample) -> Vec<Sample> {
    let Some(text) = &sample.text else { return vec![sample.clone()] };
    let texts = [
        text.clone(),
        text.replace('\n', "\r\n"),
        format!("\u{feff}{text}"),
        text.trim_end().to_owned(),
        text.trim_end().replace('\n', "\r\n"),
        format!("{text}\n\n"),
        text.replace("  ", "\t"),
    ];
    texts.into_iter().map(|text| Sample { text: Some(text), ..sample.clone() }).collect()
}

#[test]
fn adding_twice_changes_nothing_and_removing_restores_every_byte() {
    let mut count = 0;
    for client in Client::ALL {
        for sample in samples(client).iter().flat_map(variants) {
            let home = Home::new();
            let path = sample.text.as_ref().map(|text| home.write(&sample.file, text));
            let before = home.files();
            let Ok(plan) = home.plan_add(client) else { continue };
            let diff = plan.diff();
            plan.apply().unwrap();
            let added = home.files();
            let again = home.plan_add(client).unwrap();
            assert!(again.is_unchanged(), "{sample:?}\n{}", again.diff());
            assert_eq!((again.diff(), again.apply().unwrap()), (String::new(), Vec::new()));
            assert_eq!(home.files(), added);
            let what = || format!("{} {:?}\n{diff}", client.id(), sample);
            home.remove(client);
            if sample.has_memtape() {
                let text = std::fs::read_to_string(path.unwrap()).unwrap_or_default();
                assert!(!text.contains("memtape"), "{}{text}", what());
            } else {
                assert!(home.files() == before, "{}{:?}", what(), home.files());
            }
            assert!(home.plan_remove(client).unwrap().is_unchanged(), "{}", what());
            count += 1;
        }
    }
    assert!(count > 300, "{count}");
}

#[test]
fn removing_needs_the_backup_only_for_white_space() {
    for client in Client::ALL {
        for sample in samples(client).iter().flat_map(variants) {
            let home = Home::new();
            let Some(text) = &sample.text else { continue };
            let path = home.write(&sample.file, text);
            let Ok(plan) = home.plan_add(client) else { continue };
            let backups: Vec<_> = plan.apply().unwrap().into_iter().filter_map(|file| file.backup).collect();
            backups.iter().for_each(|backup| std::fs::remove_file(backup).unwrap());
            if sample.has_memtape() {
                continue;
            }
            home.remove(client);
            let words = |text: &str| text.replace('\u{feff}', "").split_whitespace().collect::<String>();
            let after = std::fs::read_to_string(path).unwrap_or_default();
            // An object that was empty is removed, or the whole file.
            let pruned =
                |text: &str| words(text).replace("\"Stop\":[]", "").replace(",}", "}").replace("{}", "");
            assert_eq!(pruned(&after), pruned(text), "{} {sample:?}", client.id());
        }
    }
}

#[test]
fn removals_from_older_samples() {
    let show = |client, title: &str, expected: Expect| {
        let sample = samples(client).into_iter().find(|sample| sample.title == title).unwrap();
        let home = Home::new();
        let path = home.write(&sample.file, sample.text.as_deref().unwrap());
        home.remove(client);
        expected.assert_eq(&visible(&std::fs::read_to_string(path).unwrap_or("(deleted)\n".to_owned())));
    };
    show(
        Client::ClaudeCode,
        "an older entry",
        expect![[r#"
        {
          "mcpServers": {
            "other": {"command": "other"}
          }
        }
    "#]],
    );
    show(
        Client::ClaudeCode,
        "older hooks",
        expect![[r#"
        {
          "hooks": {
            "SessionStart": [
              {
                "hooks": [
                  { "type": "command", "command": "notify.sh" }
                ]
              }
            ]
          }
        }
    "#]],
    );
    show(
        Client::Codex,
        "an older entry",
        expect![[r#"
        model = "gpt-5"

        # memory

        # another
        [mcp_servers.other]
        command = "other"
    "#]],
    );
    show(
        Client::Codex,
        "an older entry at the beginning",
        expect![[r#"
        [other]
        x = 1
    "#]],
    );
    show(
        Client::Cursor,
        "an older entry",
        expect![[r#"
        (deleted)
    "#]],
    );
}
