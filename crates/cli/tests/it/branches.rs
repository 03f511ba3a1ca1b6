//! The branch commands: personas, merges, conflicts, and undo.

mod conflicts;
mod reverting;

use std::fs;

use expect_test::expect;

use crate::harness::Home;

/// Returns a workspace in which main and a persona's branch have both changed since the fork.
fn forked() -> Home {
    let home = Home::new();
    home.setup(&[
        "fact add user prefers tea",
        "fact add user 'lives in' Porto",
        "remember 'Ana sings'",
        "create-branch planner --persona 'Plans journeys'",
        "fact add user 'flies from' Rotterdam --branch planner",
        "fact add user 'lives in' Utrecht --branch planner",
        "remember 'Ana swims' --branch planner",
        "fact forget user prefers --branch planner",
        "fact add user 'lives in' Lisbon",
    ]);
    home
}

#[test]
fn a_persona_is_forked_and_checked_out() {
    let home = Home::new();
    home.check(
        &[
            "branches",
            "create-branch planner --persona 'Plans journeys'",
            "create-branch planner",
            "create-branch 'a b'",
            "create-branch late --from 9999",
            "checkout planner",
            "checkout planner",
            "checkout nowhere",
            "branches",
            "checkout main --session telegram:7",
            "branches --json",
            "branches --session telegram:7",
        ],
        &expect![[r#"
            $ memtape branches
            * main · 0 commits · new conversations begin here
            $ memtape create-branch planner --persona 'Plans journeys'
            Created planner (`memtape switch planner` switches to it).
            $ memtape create-branch planner
            ! error: branch "planner" already exists
            ! hint: `memtape switch planner` switches to it
            [exit 4]
            $ memtape create-branch 'a b'
            ! error: invalid branch name "a b": ' ' is not a letter, a digit or one of . _ - /
            [exit 2]
            $ memtape create-branch late --from 9999
            ! error: the tape ends at entry 4: there is no entry 9999
            ! hint: entries are numbered from 1 to 4
            [exit 3]
            $ memtape checkout planner
            Switched to planner.
            $ memtape checkout planner
            Already on planner.
            $ memtape checkout nowhere
            ! error: there is no branch "nowhere"
            ! hint: `memtape branch list` lists the branches
            [exit 3]
            $ memtape branches
            - main · 0 commits
            * planner (persona: Plans journeys) · from main@3 · [NOW] · 0 commits · new conversations begin here · cli:direct
            $ memtape checkout main --session telegram:7
            Switched to main in telegram:7.
            $ memtape branches --json
            [{"name":"main","parent":null,"forked_at":null,"persona":null,"created_at":null,"commits":0,"current":false,"default":false,"sessions":["telegram:7"]},{"name":"planner","parent":"main","forked_at":3,"persona":"Plans journeys","created_at":"[NOW]","commits":0,"current":true,"default":true,"sessions":["cli:direct"]}]
            $ memtape branches --session telegram:7
            * main · telegram:7
            - planner (persona: Plans journeys) · from main@3 · [NOW] · new conversations begin here
        "#]],
    );
}

#[test]
fn an_impossible_merge_or_deletion_is_explained() {
    let home = forked();
    home.check(
        &[
            "merge main",
            "merge nowhere",
            "merge planner --into nowhere",
            "merge planner --at 3",
            "delete-branch main",
            "checkout planner --session telegram:7",
            "delete-branch planner",
            "checkout main --session telegram:7",
            "delete-branch planner",
            "delete-branch planner",
            "merge planner",
            "create-branch planner",
            "fact add a b c --branch planner",
            "fact list --branch planner",
            "branches",
        ],
        &expect![[r#"
            $ memtape merge main
            ! error: cannot merge branch "main" into itself
            ! hint: name another branch, or pass --into TARGET
            [exit 2]
            $ memtape merge nowhere
            ! error: there is no branch "nowhere"
            ! hint: `memtape branch list` lists the branches
            [exit 3]
            $ memtape merge planner --into nowhere
            ! error: there is no branch "nowhere"
            ! hint: `memtape branch list` lists the branches
            [exit 3]
            $ memtape merge planner --at 3
            ! error: unexpected argument '--at' found
            !
            ! Usage: memtape merge <SOURCE>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape delete-branch main
            ! error: branch main cannot be deleted: all other branches are forked from it
            [exit 5]
            $ memtape checkout planner --session telegram:7
            Switched to planner in telegram:7.
            $ memtape delete-branch planner
            ! error: branch "planner" is in use by telegram:7
            ! hint: switch it to another branch first: `memtape switch main --session telegram:7`
            [exit 5]
            $ memtape checkout main --session telegram:7
            Switched to main in telegram:7.
            $ memtape delete-branch planner
            Deleted planner @25. The tape keeps it: `memtape branch create NEW --from planner@25` brings it back under another name.
            $ memtape delete-branch planner
            ! error: branch "planner" was deleted by entry 25
            ! hint: `memtape branch create NEW --from planner@25` forks a branch from its last entry
            [exit 5]
            $ memtape merge planner
            ! error: branch "planner" was deleted by entry 25
            ! hint: `memtape branch create NEW --from planner@25` forks a branch from its last entry
            [exit 5]
            $ memtape create-branch planner
            Created planner (`memtape switch planner` switches to it).
            $ memtape fact add a b c --branch planner
            added: a b c (100%)
            ledger:47e760d1b57314f9@27, commit [ID]
            $ memtape fact list --branch planner
            ledger:47e760d1b57314f9@27 · permanent · a b c (100%)
            ledger:63c0cfd9d1ead1f9@21 · permanent · user lives in Lisbon (100%)
            ledger:c8cd02e8a340cb88@4 · permanent · user prefers tea (100%)
            $ memtape branches
            * main · 4 commits · new conversations begin here · telegram:7
            - planner · from main@25 · [NOW] · 1 commit
        "#]],
    );
}

#[test]
fn json_lists_the_changes_of_a_merge() {
    let home = forked();
    home.check(&["merge planner --json", "conflicts --json", "undo --json"], &expect![[r#"
        $ memtape merge planner --json
        {"into":"main","commit":{"entry":28,"id":"[ID]"},"changed":[{"kind":"added","ref":"ledger:7f1cac56ec9d4db3","before":null,"after":{"ref":"ledger:7f1cac56ec9d4db3@23","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":"[NOW]","date":"[NOW]","text":"user flies from Rotterdam","fact":{"id":"[ID]","event_type":"add","subject":"user","predicate":"flies from","object":"Rotterdam","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":null,"timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}}},{"kind":"removed","ref":"ledger:c8cd02e8a340cb88","before":{"ref":"ledger:c8cd02e8a340cb88@4","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":"[NOW]","date":"[NOW]","text":"user prefers tea","fact":{"id":"[ID]","event_type":"add","subject":"user","predicate":"prefers","object":"tea","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":null,"timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}},"after":null},{"kind":"added","ref":"zone:710b42679a44de1b","before":null,"after":{"ref":"zone:710b42679a44de1b@26","form":"zone","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":null,"date":"[NOW]","text":"Ana swims"}}],"conflicts":[{"ref":"ledger:63c0cfd9d1ead1f9","ours":{"ref":"ledger:63c0cfd9d1ead1f9@21","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":"[NOW]","date":"[NOW]","text":"user lives in Lisbon","fact":{"id":"[ID]","event_type":"modify","subject":"user","predicate":"lives in","object":"Lisbon","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":"[ID]","timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}},"theirs":{"ref":"ledger:63c0cfd9d1ead1f9@14","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"planner","said_at":"[NOW]","date":"[NOW]","text":"user lives in Utrecht","fact":{"id":"[ID]","event_type":"modify","subject":"user","predicate":"lives in","object":"Utrecht","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":"[ID]","timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}}}],"still_open":[],"resolved":0,"source":"planner","dry_run":false}
        [exit 1]
        $ memtape conflicts --json
        [{"ref":"ledger:63c0cfd9d1ead1f9","ours":{"ref":"ledger:63c0cfd9d1ead1f9@21","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":"[NOW]","date":"[NOW]","text":"user lives in Lisbon","fact":{"id":"[ID]","event_type":"modify","subject":"user","predicate":"lives in","object":"Lisbon","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":"[ID]","timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}},"theirs":{"ref":"ledger:63c0cfd9d1ead1f9@14","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"planner","said_at":"[NOW]","date":"[NOW]","text":"user lives in Utrecht","fact":{"id":"[ID]","event_type":"modify","subject":"user","predicate":"lives in","object":"Utrecht","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":"[ID]","timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}},"base":{"ref":"ledger:63c0cfd9d1ead1f9@6","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":"[NOW]","date":"[NOW]","text":"user lives in Porto","fact":{"id":"[ID]","event_type":"add","subject":"user","predicate":"lives in","object":"Porto","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":null,"timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}},"commit":28,"source":"planner","into":"main"}]
        $ memtape undo --json
        {"reverted":28,"commit":{"entry":34,"id":"[ID]"},"changed":[{"kind":"removed","ref":"ledger:7f1cac56ec9d4db3","before":{"ref":"ledger:7f1cac56ec9d4db3@23","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":"[NOW]","date":"[NOW]","text":"user flies from Rotterdam","fact":{"id":"[ID]","event_type":"add","subject":"user","predicate":"flies from","object":"Rotterdam","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":null,"timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}},"after":null},{"kind":"restored","ref":"ledger:c8cd02e8a340cb88","before":null,"after":{"ref":"ledger:c8cd02e8a340cb88@30","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":"[NOW]","date":"[NOW]","text":"user prefers tea","fact":{"id":"[ID]","event_type":"add","subject":"user","predicate":"prefers","object":"tea","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":"[ID]","timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}}},{"kind":"removed","ref":"zone:710b42679a44de1b","before":{"ref":"zone:710b42679a44de1b@26","form":"zone","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":null,"date":"[NOW]","text":"Ana swims"},"after":null}]}
    "#]]);
}

#[test]
fn a_branch_that_is_ignored_or_contradicted_is_an_error() {
    let home = Home::new();
    home.setup(&["remember tea", "branch create b", "remember milk --branch b"]);
    home.check(
        &[
            "zone list --branch nope --at main@3",
            "zone list --branch b --at main@4",
            "zone list --branch b --at b@head",
            "zone list --branch main --at 4",
            "zone restore b@head --branch main",
        ],
        &expect![[r#"
            $ memtape zone list --branch nope --at main@3
            ! error: there is no branch "nope"
            ! hint: `memtape branch list` lists the branches
            [exit 3]
            $ memtape zone list --branch b --at main@4
            ! error: the point is on branch "main", and the selected branch is "b": name one of them
            [exit 2]
            $ memtape zone list --branch b --at b@head
            zone:a9f74d1ec36ebdeb@5 [TODAY] long-term: tea
            zone:8825e76530f87ff5@9 [TODAY] long-term: milk
            $ memtape zone list --branch main --at 4
            zone:a9f74d1ec36ebdeb@5 [TODAY] long-term: tea
            $ memtape zone restore b@head --branch main
            1 memory restored
        "#]],
    );
}

#[test]
fn a_deleted_branch_is_named_by_its_entry() {
    let home = Home::new();
    home.setup(&["branch create b", "remember milk --branch b"]);
    home.check(
        &[
            "branch delete b -y",
            "branch create c --from b@6",
            "branch create b",
            "branch list",
            "zone show --branch c",
            "diff b@5 c",
            "branch create d --from c",
            "zone show --branch d",
            "branch create e --from nope",
            "switch nope",
            "merge nope",
            "branch create y --at @3",
        ],
        &expect![[r#"
            $ memtape branch delete b -y
            Deleted b @8. The tape keeps it: `memtape branch create NEW --from b@8` brings it back under another name.
            $ memtape branch create c --from b@6
            Created c (`memtape switch c` switches to it).
            $ memtape branch create b
            Created b (`memtape switch b` switches to it).
            $ memtape branch list
            * main · 0 commits · new conversations begin here
            - c · from b@7 · [NOW] · 0 commits
            - b · from main@9 · [NOW] · 0 commits
            $ memtape zone show --branch c
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            milk
            </memory>
            $ memtape diff b@5 c
            b@7 → c@10: no differences
            $ memtape branch create d --from c
            Created d (`memtape switch d` switches to it).
            $ memtape zone show --branch d
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            milk
            </memory>
            $ memtape branch create e --from nope
            ! error: "nope" is not a branch or a point
            [exit 3]
            $ memtape switch nope
            ! error: there is no branch "nope"
            ! hint: `memtape branch list` lists the branches
            [exit 3]
            $ memtape merge nope
            ! error: there is no branch "nope"
            ! hint: `memtape branch list` lists the branches
            [exit 3]
            $ memtape branch create y --at @3
            ! error: unexpected argument '--at' found
            !
            ! Usage: memtape branch create <NAME>
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
}

#[test]
fn an_entry_of_a_branch_is_that_of_the_branch_that_had_the_name_then() {
    let home = Home::new();
    home.setup(&[
        "remember tea",
        "branch create dev",
        "remember milk --branch dev",
        "branch delete dev -y",
        "branch create dev",
    ]);
    home.check(
        &["diff dev@11 main", "cherry-pick dev@12", "cherry-pick dev@6", "cherry-pick dev@10"],
        &expect![[r#"
            $ memtape diff dev@11 main
            dev@11 → main@12: 1 removed
            - zone:8825e76530f87ff5 milk
            $ memtape cherry-pick dev@12
            ! error: branch "dev" has no commit of its own up to entry 12
            ! hint: `memtape log` lists the commits
            [exit 2]
            $ memtape cherry-pick dev@6
            nothing to take: main already has the change of dev@6
            $ memtape cherry-pick dev@10
            picked dev@10 into main ([COMMIT] @16)
            + zone:8825e76530f87ff5 milk
        "#]],
    );
}

/// A log lists the versions of the branch that the terminal is on, also those that another conversation wrote there.
#[test]
fn a_listed_version_is_that_of_the_branch_of_the_log() {
    let home = Home::new();
    home.setup(&[
        "note write facts/x.md '- Is: first'",
        "branch create dev",
        "note write facts/x.md '- Is: second'",
        "note write facts/x.md '- Is: third' --branch dev",
        "note write facts/x.md '- Is: fourth' --branch dev",
        "remember Ana --branch dev",
        "remember Bob --branch dev",
        "switch dev",
    ]);
    let entries = |line: &str| -> Vec<u64> {
        let versions = home.run(line).json();
        versions.as_array().unwrap().iter().map(|version| version["entry"].as_u64().unwrap()).collect()
    };
    let has = |line: &str, expected: &str, other: &str| {
        let shown = home.run(line).stdout;
        assert!(shown.contains(expected) && !shown.contains(other), "{line}: {shown}");
    };
    let notes = entries("note log facts/x.md --json");
    let zone = entries("log --form zone --json");
    has("note diff facts/x.md", "-- Is: third\n+- Is: fourth", "first");
    has(
        &format!("note diff facts/x.md @{} @{}", notes[1], notes[0]),
        "-- Is: third\n+- Is: fourth",
        "second",
    );
    has("zone diff", "+Bob", "+Ana");
    has("diff", ": 1 added\n", "main");
    home.setup(&[
        &format!("note restore facts/x.md @{}", notes[1]),
        &format!("zone restore --at {}", zone[1]),
    ]);
    has("note show facts/x.md", "third", "second");
    has("zone show", "Ana", "Bob");
    // What another branch of this name had does not count: the new one is main until its fork.
    home.setup(&["switch main"]);
    let last = entries("note log facts/x.md --json")[0];
    home.setup(&["branch delete dev -y", "branch create dev", "switch dev"]);
    let restored = home.run(&format!("note restore facts/x.md @{last}"));
    assert_eq!(restored.stdout, "already there\n", "{}", restored.snapshot());
}

#[test]
fn commands_that_write_take_a_commit_and_no_moment() {
    let home = Home::new();
    home.setup(&["remember tea"]);
    let before = home.tape();
    home.check(
        &["revert 2030-01-01", "revert '2 days ago'", "cherry-pick today", "revert 8587", "revert 12345678"],
        &expect![[r#"
            $ memtape revert 2030-01-01
            ! error: a date, a time or an age names no commit: expected @ENTRY, or at least 7 digits of a commit id
            ! hint: `memtape log` lists the commits
            [exit 2]
            $ memtape revert '2 days ago'
            ! error: a date, a time or an age names no commit: expected @ENTRY, or at least 7 digits of a commit id
            ! hint: `memtape log` lists the commits
            [exit 2]
            $ memtape cherry-pick today
            ! error: a date, a time or an age names no commit: expected @ENTRY, or at least 7 digits of a commit id
            ! hint: `memtape log` lists the commits
            [exit 2]
            $ memtape revert 8587
            ! error: the tape ends at entry 6: there is no entry 8587, and a commit id needs at least 7 digits
            ! hint: `memtape log` lists the commits
            [exit 3]
            $ memtape revert 12345678
            ! error: the tape ends at entry 6: there is no entry 12345678
            ! hint: entries are numbered from 1 to 6
            [exit 3]
        "#]],
    );
    assert_eq!(home.tape(), before);
}

#[test]
fn a_chat_reads_and_writes_on_no_branch_of_another_one() {
    let home = Home::new();
    home.setup(&[
        r#"tool call memory_branch '{"action":"create","name":"divorce","persona":"Helps Bob"}' --session telegram:2"#,
    ]);
    home.check(
        &[
            "view --at divorce~34797e96@2 --session telegram:2",
            "view --at divorce~34797e96@2 --session telegram:9 --user 9",
            "prompt -m hello --branch divorce~34797e96 --session telegram:9",
            "turn hello --branch divorce~34797e96 --session telegram:9 --user 9",
            "remember tea --branch divorce~34797e96 --session telegram:9",
            r#"tool call memory_save '{"content":"tea"}' --branch divorce~34797e96 --session telegram:9"#,
            "remember tea --branch divorce~34797e96",
        ],
        &expect![[r#"
            $ memtape view --at divorce~34797e96@2 --session telegram:2
            # Memory [divorce~34797e96] (persona: Helps Bob)
            $ memtape view --at divorce~34797e96@2 --session telegram:9 --user 9
            ! error: there is no branch "divorce~34797e96"
            ! hint: `memtape branch list` lists the branches
            [exit 3]
            $ memtape prompt -m hello --branch divorce~34797e96 --session telegram:9
            ! error: there is no branch "divorce~34797e96"
            ! hint: `memtape branch list` lists the branches
            [exit 3]
            $ memtape turn hello --branch divorce~34797e96 --session telegram:9 --user 9
            ! error: there is no branch "divorce~34797e96"
            ! hint: `memtape branch list` lists the branches
            [exit 3]
            $ memtape remember tea --branch divorce~34797e96 --session telegram:9
            ! error: there is no branch "divorce~34797e96"
            ! hint: `memtape branch list` lists the branches
            [exit 3]
            $ memtape tool call memory_save '{"content":"tea"}' --branch divorce~34797e96 --session telegram:9
            ! error: there is no branch "divorce~34797e96"
            ! hint: `memtape branch list` lists the branches
            [exit 3]
            $ memtape remember tea --branch divorce~34797e96
            remembered (zone:a9f74d1ec36ebdeb@8)
        "#]],
    );
}

#[test]
fn a_switch_leaves_a_secret_in_a_file_that_is_the_same_on_both_branches() {
    let home = Home::new();
    let text = "- Key: ghp_16C7e42F292c6912E7710c838347Ae178B4a\n";
    home.write("facts/s.md", text);
    home.setup(&["status", "branch create dev", "switch dev"]);
    assert_eq!(fs::read_to_string(home.path("facts/s.md")).unwrap(), text);
    // On this branch another text would replace it.
    home.setup(&["switch main", "--branch dev note patch facts/s.md --old Key --new Token"]);
    assert_eq!(home.run("switch dev").code, 5);
    assert_eq!(fs::read_to_string(home.path("facts/s.md")).unwrap(), text);
}
