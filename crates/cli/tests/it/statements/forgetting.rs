//! `forget` and `prune`.

use expect_test::expect;
use serde_json::json;

use super::home;
use crate::harness::Home;

#[test]
fn forget_asks_and_prints_the_removed_statements() {
    let home = home();
    let before = home.tape();
    home.check(
        &["forget --query harbour", "forget statements:5c6ad4bb4fa5a7b4", "forget --query coffee --yes"],
        &expect![[r#"
            $ memtape forget --query harbour
            ! statements:5ec0627c6fd5e3f1@4 · fact · workspace:[ID]:global · The harbour opens at six
            ! statements:24d18b672f75fc75@7 · episodic · channel:telegram:chat:2 · Met Rui at the harbour
            ! error: confirmation needed: Forget 2 memories?
            ! hint: pass --yes to confirm
            [exit 5]
            $ memtape forget statements:5c6ad4bb4fa5a7b4
            ! error: statements:5c6ad4bb4fa5a7b4 is not current
            [exit 3]
            $ memtape forget --query coffee --yes
            ! error: no memory holds all the words of "coffee"
            [exit 3]
        "#]],
    );
    assert_eq!(home.tape(), before, "nothing was forgotten");
    home.check(
        &[
            "forget --query harbour --session telegram:2 --yes --reason 'it was wrong'",
            "forget --query harbour --yes --json",
            "forget --query code --yes",
            "search harbour",
            "search harbour --at 8 -n 1",
        ],
        &expect![[r#"
            $ memtape forget --query harbour --session telegram:2 --yes --reason 'it was wrong'
            statements:24d18b672f75fc75@7 · episodic · channel:telegram:chat:2 · Met Rui at the harbour
            1 memory forgotten (an earlier point still shows it: --at)
            $ memtape forget --query harbour --yes --json
            {"forgotten":[{"ref":"statements:5ec0627c6fd5e3f1@4","category":"fact","scope":"workspace:[ID]:global","text":"The harbour opens at six"}]}
            $ memtape forget --query code --yes
            ! error: no memory holds all the words of "code"
            [exit 3]
            $ memtape search harbour
            statements:1c20e09c4428054a@5 · score [SCORE] · preference · channel:telegram:user:42 · importance 0.80 · confidence 1.00 · [NOW]
              I prefer boats with a red sail
            statements:f0a908d50866c6c8@6 · score [SCORE] · decision · channel:telegram:chat:1 · importance 0.80 · confidence 1.00 · [NOW]
              We sail on Sundays
            $ memtape search harbour --at 8 -n 1
            statements:5ec0627c6fd5e3f1@4 · score [SCORE] · fact · workspace:[ID]:global · importance 0.80 · confidence 1.00 · [NOW]
              The harbour opens at six
        "#]],
    );
    assert!(String::from_utf8_lossy(&home.tape()).contains(r#""reason":"it was wrong""#));
}

#[test]
fn refs_of_the_zone_go_through_the_zone_and_messages_are_reset() {
    let home = home();
    home.write("talk.jsonl", "{\"role\":\"user\",\"content\":\"hello\"}\n");
    home.setup(&["ingest talk.jsonl", "remember 'The harbour is loud'"]);
    let hits = home.run("recall 'harbour code 1234 loud' --json").json();
    let hits = hits["hits"].as_array().unwrap();
    let named = |form: &str| {
        let hit = hits.iter().find(|hit| hit["form"] == form).unwrap();
        hit["ref"].as_str().unwrap().split('@').next().unwrap().to_owned()
    };
    let (statement, line) = (named("statements"), named("zone"));
    home.check(
        &[
            "forget messages:9",
            &format!("forget {statement} {line} messages:9 --yes"),
            &format!("forget {line} {statement}"),
            &format!("forget {line} {statement} --yes"),
            &format!("forget {statement} --yes"),
            &format!("forget {line} --yes"),
            "zone show",
        ],
        &expect![[r#"
            $ memtape forget messages:9
            ! error: messages:9: messages are not forgotten one by one; `memtape tape reset --session SESSION` removes those of a conversation
            [exit 2]
            $ memtape forget statements:5ec0627c6fd5e3f1 zone:7e4b60aed1ca44ca messages:9 --yes
            ! error: messages:9: messages are not forgotten one by one; `memtape tape reset --session SESSION` removes those of a conversation
            [exit 2]
            $ memtape forget zone:7e4b60aed1ca44ca statements:5ec0627c6fd5e3f1
            ! statements:5ec0627c6fd5e3f1@4 · fact · workspace:[ID]:global · The harbour opens at six
            ! zone:7e4b60aed1ca44ca@11 · workspace:[ID]:global · The harbour is loud
            ! error: confirmation needed: Forget 2 memories?
            ! hint: pass --yes to confirm
            [exit 5]
            $ memtape forget zone:7e4b60aed1ca44ca statements:5ec0627c6fd5e3f1 --yes
            statements:5ec0627c6fd5e3f1@4 · fact · workspace:[ID]:global · The harbour opens at six
            zone:7e4b60aed1ca44ca@11 · workspace:[ID]:global · The harbour is loud
            2 memories forgotten (an earlier point still shows them: --at)
            `memtape undo` takes back one of 2 changes: each form has its own
            $ memtape forget statements:5ec0627c6fd5e3f1 --yes
            ! error: statements:5ec0627c6fd5e3f1 is not current
            [exit 3]
            $ memtape forget zone:7e4b60aed1ca44ca --yes
            ! error: zone:7e4b60aed1ca44ca is not current
            ! hint: an earlier point may show it: --at POINT
            [exit 3]
            $ memtape zone show
        "#]],
    );
}

#[test]
fn more_than_ten_are_counted() {
    let home = Home::new();
    home.write("old/MEMORY.md", (1..=12).map(|n| format!("- boat number {n}\n")).collect::<String>());
    home.setup(&["backfill old"]);
    let ran = home.run("forget --query boat");
    assert_eq!((ran.code, ran.stderr.lines().filter(|line| line.contains("boat number")).count()), (5, 10));
    assert!(
        ran.stderr.contains("and 2 more\n") && ran.stderr.contains("Forget 12 memories?"),
        "{}",
        ran.snapshot()
    );
    assert_eq!(
        home.run("forget --query boat --yes --json").json()["forgotten"].as_array().unwrap().len(),
        12
    );
    assert_eq!(home.run("status --json").json()["statements"], json!({"by_category": {}, "expired": 0}));
}

#[test]
fn pruning_is_listed_before_it_is_done() {
    let home = home();
    home.check(
        &[
            "prune --scope chat --dry-run",
            "prune --kind fact --dry-run",
            "prune --kind fact --dry-run --json",
            "prune --kind fact --session telegram:1 --dry-run",
            "prune --scope user --json",
            "prune --kind decision --channel telegram --chat-id 1",
            "prune --kind fact",
            "prune --older-than-days 0 --kind episodic",
            "status",
        ],
        &expect![[r#"
            $ memtape prune --scope chat --dry-run
            statements:f0a908d50866c6c8@6 · decision · channel:telegram:chat:1 · We sail on Sundays
            statements:24d18b672f75fc75@7 · episodic · channel:telegram:chat:2 · Met Rui at the harbour
            2 statements would be removed
            $ memtape prune --kind fact --dry-run
            statements:5ec0627c6fd5e3f1@4 · fact · workspace:[ID]:global · The harbour opens at six
            statements:fe90964f1569c662@8 · fact · workspace:[ID]:global · (confidential)
            2 statements would be removed
            $ memtape prune --kind fact --dry-run --json
            {"would_prune":[{"ref":"statements:5ec0627c6fd5e3f1@4","category":"fact","scope":"workspace:[ID]:global","text":"The harbour opens at six"},{"ref":"statements:fe90964f1569c662@8","category":"fact","scope":"workspace:[ID]:global","text":null}]}
            $ memtape prune --kind fact --session telegram:1 --dry-run
            0 statements would be removed
            $ memtape prune --scope user --json
            {"pruned":1}
            $ memtape prune --kind decision --channel telegram --chat-id 1
            1 statement removed
            $ memtape prune --kind fact
            2 statements removed
            $ memtape prune --older-than-days 0 --kind episodic
            1 statement removed
            $ memtape status
            workspace  [DIR] ([ID])
            branch     main
            entries    13, the last of [NOW] UTC
            messages   0 in 0 conversations
            zone       version 1: 0 bytes of long-term memory, 0 daily notes
            notes      0 files, 0B
            files      0 files, 0B
            blocks     0 set
            statements 0
            vectors    none pending
        "#]],
    );
}

#[test]
fn forget_by_words_offers_matches_of_every_form() {
    let home = Home::new();
    home.setup(&[
        "add 'The harbour opens at six' --kind fact",
        "remember 'The harbour is loud'",
        "fact add harbour 'lies in' Lisbon",
        "zone daily 'walked to the harbour'",
    ]);
    let asked = home.run("forget harbour opens");
    assert_eq!(asked.code, 5, "nobody said yes: {}", asked.snapshot());
    assert!(asked.stderr.contains("The harbour opens at six"), "{}", asked.stderr);
    let before = home.tape();
    assert_eq!(home.run("forget nothing like it --yes").code, 3);
    assert_eq!(home.tape(), before);
    let forgotten = home.run("forget harbour --yes --json").json();
    let refs: Vec<_> = forgotten["forgotten"].as_array().unwrap().iter().map(|m| m["ref"].clone()).collect();
    let forms: Vec<_> =
        refs.iter().map(|r| r.as_str().unwrap().split(':').next().unwrap().to_owned()).collect();
    assert_eq!(forms, ["statements", "ledger", "zone"]);
    assert!(
        home.run("zone show").stdout.contains("walked to the harbour"),
        "a daily note has a command of its own"
    );
    assert_eq!(home.run("forget harbour --yes").code, 3);
}

/// Of refs of several forms, nothing is forgotten if one of them may not be.
#[test]
fn nothing_is_forgotten_unless_everything_may_be() {
    let home = Home::new();
    let line = home.run("remember 'The pier is closed'").stdout;
    let line = line.split(['(', '@']).nth(1).unwrap().to_owned();
    let ana = "--session telegram:ana --user ana";
    home.setup(&["block set current_focus ships", "fact add Ana likes boats"]);
    let added = home.run(&format!("add --text 'I like red sails' --kind preference {ana}")).stdout;
    let statement = added.split(['(', '@', ')']).nth(1).unwrap().to_owned();
    let before = home.tape();
    for (line, code, why) in [
        (format!("{statement} blocks:current_focus {ana}"), 5, "only the owner can write blocks"),
        (format!("{statement} {line} {ana}"), 5, "belongs to the workspace and cannot be changed from here"),
        (format!("{statement} blocks:current_focus@99"), 3, "blocks:current_focus@99 is not current"),
        (format!("{statement} zone:0123456789abcdef"), 3, "zone:0123456789abcdef is not current"),
    ] {
        let ran = home.run(&format!("forget {line} --yes"));
        assert!(ran.code == code && ran.stderr.contains(why), "{line}: {}", ran.snapshot());
    }
    assert_eq!(home.tape(), before, "nothing was forgotten");
    let twice =
        format!("forget blocks:current_focus {line} blocks:focus {line} {statement} {statement} --yes");
    let ran = home.run(&twice);
    assert!(ran.code == 0 && ran.stdout.contains("\n3 memories forgotten"), "{}", ran.snapshot());
}
