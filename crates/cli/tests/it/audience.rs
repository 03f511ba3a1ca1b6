//! `--session`, `--user`, `--scope` and `--sensitivity`: who is asking, and for whom something is remembered.

use expect_test::expect;

use crate::harness::Home;

/// A workspace that declares a user, with something for everybody it knows.
fn home() -> Home {
    let home = Home::new();
    home.write("memtape.toml", "[users]\nana = [\"telegram:42\", \"discord:ana\"]\n");
    home.write(
        "talk.jsonl",
        r#"{"role":"user","content":"the garden party is in May","session":"telegram:1:plans"}
{"role":"user","content":"the garden needs water","session":"telegram:2"}
"#,
    );
    home.setup(&[
        "remember 'The garden opens at nine'",
        "remember 'Ana grows roses in her garden' --session telegram:1 --user 42 --scope user",
        "remember 'The garden shed is green' --session telegram:1",
        "remember 'Ana is shy in the garden' --user ana --sensitivity private",
        "remember 'The garden gate opens with 1234' --session telegram:1 --sensitivity confidential",
        "remember 'The garden closes at six' --session telegram:1 --scope global",
        "remember 'The garden of the others is small' --session telegram:2",
        "zone daily '- mowed the garden' --date 2024-05-01 --session telegram:1",
        "ingest talk.jsonl",
    ]);
    home
}

#[test]
fn what_is_remembered_is_said_back_with_its_ref() {
    let home = Home::new();
    home.check(
        &[
            "remember tea --session telegram:1",
            "remember tea --session telegram:1:thread",
            "remember tea --session telegram:2",
            "remember tea --user telegram:42",
            "remember tea --session telegram:1 --user 42 --scope user",
            "remember tea --session telegram:1 --scope global",
            "remember tea",
            "remember tea --scope all",
            "remember tea --sensitivity private",
            "remember tea --sensitivity private",
            "remember coffee --session telegram:1 --sensitivity confidential --json",
            "status",
        ],
        &expect![[""]],
    );
}

#[test]
fn each_is_shown_their_own() {
    let home = home();
    home.check(
        &[
            "zone show",
            "zone show --session telegram:1",
            "zone show --session telegram:1 --user 42",
            "zone show --session telegram:2 --user 42 --scope user",
            "zone show --session telegram:2",
            "zone show --session telegram:3 --scope chat",
            "zone show --scope chat",
            "zone show --scope global",
            "zone show --session telegram:2 --scope all",
            "zone recall garden --session telegram:2",
            "zone recall 1234",
        ],
        &expect![[""]],
    );
}

#[test]
fn a_declared_user_is_one_person_on_every_channel() {
    let home = home();
    home.check(
        &[
            "zone show --user ana",
            "zone show --user discord:ana --scope user",
            "zone show --session discord:9 --user ana --scope user",
            "zone show --session telegram:9 --user 42 --scope user",
            "zone show --user telegram:ana --scope user",
            "zone show --session slack:1 --user ana --scope user",
        ],
        &expect![[""]],
    );
}

#[test]
fn recall_finds_what_is_the_askers() {
    let home = home();
    let found = |line: &str| {
        let hits = home.run(&format!("recall garden -n 20 --json {line}")).json()["hits"].clone();
        let mut texts: Vec<String> = hits
            .as_array()
            .into_iter()
            .flatten()
            .map(|hit| format!("{} · {}\n", hit["scope"].as_str().unwrap(), hit["text"].as_str().unwrap()))
            .collect();
        texts.sort();
        let id = home.run("status --json").json()["id"].as_str().unwrap().to_owned();
        format!("{line}\n{}", texts.concat().replace(&id, "[ID]"))
    };
    let asking = [
        "",
        "--session telegram:1",
        "--session telegram:1 --user 42",
        "--session telegram:1 --user 42 --scope user",
        "--session telegram:2 --scope chat",
        "--user discord:ana",
        "--user telegram:7",
        "--scope global",
    ];
    expect![[""]].assert_eq(&asking.map(found).concat());
}

#[test]
fn a_ref_of_somebody_elses_names_nothing() {
    let home = home();
    let reference = |line: &str, text: &str| {
        let memories = home.run(&format!("recall '{text}' -n 1 --json {line}")).json();
        memories["hits"][0]["ref"].as_str().unwrap().to_owned()
    };
    let shed = reference("--session telegram:1 --scope chat", "shed green");
    let (thing, entry) = shed.split_once('@').unwrap();
    let elsewhere = |reference: &str, asking: &str| {
        home.run(&format!("show {reference} {asking}")).snapshot().replace(reference, "REF")
    };
    for asking in ["--session telegram:2", "--user ana", "--session telegram:1 --scope global"] {
        assert_eq!(elsewhere(thing, asking), elsewhere("zone:0123456789abcdef", asking));
        let nothing = format!("zone:0123456789abcdef@{entry}");
        assert_eq!(elsewhere(&shed, asking), elsewhere(&nothing, asking));
    }
    home.check(
        &[
            &format!("show {thing} --session telegram:1"),
            &format!("show {thing} --session telegram:2"),
            &format!("show {thing} --session telegram:2 --json"),
            "show zone:2024-05-01/channel:telegram:chat:1 --session telegram:1",
            "show zone:2024-05-01/channel:telegram:chat:1 --user ana",
            "show zone:2024-05-01",
        ],
        &expect![[""]],
    );
}

#[test]
fn what_is_confidential_the_owner_sees_by_its_ref() {
    let home = Home::new();
    let remembered =
        home.run("remember 'the gate opens with 1234' --session telegram:1 --sensitivity confidential --json").json();
    let reference = remembered["refs"][0].as_str().unwrap();
    home.check(
        &[
            &format!("show {reference}"),
            &format!("show {reference} --session telegram:1"),
            "recall gate",
            "zone show",
            "tool call memory_recall '{\"query\":\"gate\"}'",
            "zone forget gate --session telegram:1",
            "zone forget gate",
        ],
        &expect![[""]],
    );
}

#[test]
fn a_tool_sees_and_changes_what_is_the_askers() {
    let home = home();
    home.check(
        &[
            "tool call memory_recall --session telegram:2",
            "tool call memory_recall '{\"query\":\"shed\"}' --session telegram:2",
            "tool call memory_forget '{\"text\":\"shed\"}' --session telegram:2",
            "tool call memory_forget '{\"text\":\"garden\"}' --session telegram:2",
            "tool call memory_save '{\"content\":\"only this\"}' --session telegram:2",
            "tool call memory_show --session telegram:2 --scope chat",
            "tool call memory_clear --owner --session telegram:2",
            "tool call memory_forget '{\"text\":\"garden\"}' --session telegram:1",
            "tool call memory_forget '{\"text\":\"garden\"}'",
            "zone show --session telegram:1 --user 42",
        ],
        &expect![[""]],
    );
}

#[test]
fn clearing_takes_what_was_asked_for() {
    let home = home();
    home.check(
        &[
            "zone clear --yes --scope global",
            "zone clear --yes --session telegram:2",
            "zone show",
            "zone clear --yes --scope chat",
            "zone clear --yes",
            "zone show",
        ],
        &expect![[""]],
    );
}

#[test]
fn who_is_not_known_is_an_error() {
    let home = home();
    let before = home.tape();
    home.check(
        &[
            "zone show --user bob",
            "zone show --user 42",
            "recall garden --user :42",
            "show zone:0123456789abcdef --user telegram:",
            "tool call memory_show --user bob --json",
            "remember tea --scope chat",
            "remember tea --scope user",
            "remember tea --scope user --session telegram:1",
            "remember tea --scope chat --user ana",
            "zone save tea --scope chat --json",
            "zone daily tea --scope user",
            "zone forget garden --scope chat",
            "tool call memory_save '{\"content\":\"tea\"}' --scope chat",
            "remember tea --sensitivity secret",
            "zone show --scope team",
            "zone show --session ''",
        ],
        &expect![[""]],
    );
    assert_eq!(home.tape(), before);
}
