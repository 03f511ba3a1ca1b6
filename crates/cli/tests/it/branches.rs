//! The branch commands: personas, merges, conflicts, and undo.

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
fn a_branch_is_merged_and_its_conflicts_stay_open() {
    let home = forked();
    home.check(
        &[
            "merge planner --dry-run",
            "conflicts",
            "merge planner",
            "merge planner",
            "conflicts",
            "conflicts --at 22",
            "merge main --into planner",
        ],
        &expect![[r#"
            $ memtape merge planner --dry-run
            merging planner into main would come to this:
            + ledger:7f1cac56ec9d4db3 user flies from Rotterdam
            - ledger:c8cd02e8a340cb88 user prefers tea
            + zone:710b42679a44de1b Ana swims
            1 conflict; our side is current until it is resolved:
            ledger:63c0cfd9d1ead1f9
              ours    user lives in Lisbon
              theirs  user lives in Utrecht
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`, a fact also with `--both`
            [exit 1]
            $ memtape conflicts
            No conflicts.
            $ memtape merge planner
            merged planner into main ([COMMIT] @28)
            + ledger:7f1cac56ec9d4db3 user flies from Rotterdam
            - ledger:c8cd02e8a340cb88 user prefers tea
            + zone:710b42679a44de1b Ana swims
            1 conflict; our side is current until it is resolved:
            ledger:63c0cfd9d1ead1f9
              ours    user lives in Lisbon
              theirs  user lives in Utrecht
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`, a fact also with `--both`
            [exit 1]
            $ memtape merge planner
            planner is already merged into main, but for 1 conflict that is still open:
            ledger:63c0cfd9d1ead1f9
              ours    user lives in Lisbon
              theirs  user lives in Utrecht
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`, a fact also with `--both`
            [exit 1]
            $ memtape conflicts
            ledger:63c0cfd9d1ead1f9 · planner into main @28
              ours    user lives in Lisbon
              theirs  user lives in Utrecht
              before  user lives in Porto
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`, a fact also with `--both`
            $ memtape conflicts --at 22
            No conflicts.
            $ memtape merge main --into planner
            merged main into planner ([COMMIT] @29)
            1 conflict; our side is current until it is resolved:
            ledger:63c0cfd9d1ead1f9
              ours    user lives in Utrecht
              theirs  user lives in Lisbon
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`, a fact also with `--both`
            [exit 1]
        "#]],
    );
}

#[test]
fn a_resolved_conflict_stays_resolved() {
    let home = forked();
    home.setup(&["merge planner"]);
    home.check(
        &[
            "resolve ledger:0000000000000000 --ours",
            "resolve nothing --ours",
            "resolve ledger:63c0cfd9d1ead1f9",
            "resolve ledger:63c0cfd9d1ead1f9 --both --ours",
            "resolve ledger:63c0cfd9d1ead1f9 --both",
            "resolve ledger:63c0cfd9d1ead1f9 --both",
            "conflicts",
            "fact list",
            "merge planner",
            "merge main --into planner",
        ],
        &expect![[r#"
            $ memtape resolve ledger:0000000000000000 --ours
            ! error: no open conflict about ledger:0000000000000000
            ! hint: `memtape conflicts` lists the open conflicts
            [exit 3]
            $ memtape resolve nothing --ours
            ! error: invalid ref "nothing": expected FORM:KEY or FORM:KEY@ENTRY
            [exit 2]
            $ memtape resolve ledger:63c0cfd9d1ead1f9
            ! error: the following required arguments were not provided:
            !   <--model|--ours|--theirs|--both|--value <TEXT>>
            !
            ! Usage: memtape resolve <--model|--ours|--theirs|--both|--value <TEXT>> <REF>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape resolve ledger:63c0cfd9d1ead1f9 --both --ours
            ! error: the argument '--both' cannot be used with '--ours'
            !
            ! Usage: memtape resolve <--model|--ours|--theirs|--both|--value <TEXT>> <REF>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape resolve ledger:63c0cfd9d1ead1f9 --both
            resolved ledger:63c0cfd9d1ead1f9 ([COMMIT] @30)
            + ledger:57e2fbf60ba97fb7 user lives in Utrecht
            $ memtape resolve ledger:63c0cfd9d1ead1f9 --both
            ! error: no open conflict about ledger:63c0cfd9d1ead1f9
            ! hint: `memtape conflicts` lists the open conflicts
            [exit 3]
            $ memtape conflicts
            No conflicts.
            $ memtape fact list
            ledger:57e2fbf60ba97fb7@29 · planner · user lives in Utrecht (100%)
            ledger:63c0cfd9d1ead1f9@21 · permanent · user lives in Lisbon (100%)
            ledger:7f1cac56ec9d4db3@23 · permanent · user flies from Rotterdam (100%)
            $ memtape merge planner
            planner is already merged into main
            $ memtape merge main --into planner
            merged main into planner ([COMMIT] @33)
            + ledger:57e2fbf60ba97fb7 user lives in Utrecht
            ~ ledger:63c0cfd9d1ead1f9 user lives in Lisbon (was: user lives in Utrecht)
        "#]],
    );
}

#[test]
fn a_conflict_is_resolved_with_another_value() {
    let home = forked();
    home.setup(&["merge planner"]);
    home.check(
        &[
            "resolve ledger:63c0cfd9d1ead1f9 --value 'Lisbon in summer' --reason 'she said so' --json",
            "fact list --subject user",
            "undo",
            "merge planner",
        ],
        &expect![[r#"
            $ memtape resolve ledger:63c0cfd9d1ead1f9 --value 'Lisbon in summer' --reason 'she said so' --json
            {"ref":"ledger:63c0cfd9d1ead1f9","commit":{"entry":30,"id":"[ID]"},"changed":[{"kind":"changed","ref":"ledger:63c0cfd9d1ead1f9","before":{"ref":"ledger:63c0cfd9d1ead1f9@21","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":"[NOW]","date":"[NOW]","text":"user lives in Lisbon","fact":{"id":"[ID]","event_type":"modify","subject":"user","predicate":"lives in","object":"Lisbon","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":"[ID]","timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}},"after":{"ref":"ledger:63c0cfd9d1ead1f9@21","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":"[NOW]","date":"[NOW]","text":"user lives in Lisbon in summer","fact":{"id":"[ID]","event_type":"modify","subject":"user","predicate":"lives in","object":"Lisbon in summer","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":"[ID]","timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}}}]}
            $ memtape fact list --subject user
            ledger:63c0cfd9d1ead1f9@29 · permanent · user lives in Lisbon in summer (100%)
            ledger:7f1cac56ec9d4db3@23 · permanent · user flies from Rotterdam (100%)
            $ memtape undo
            undid @30 ([COMMIT] @32)
            ~ ledger:63c0cfd9d1ead1f9 user lives in Lisbon (was: user lives in Lisbon in summer; restored)
            $ memtape merge planner
            planner is already merged into main, but for 1 conflict that is still open:
            ledger:63c0cfd9d1ead1f9
              ours    user lives in Lisbon
              theirs  user lives in Utrecht
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`, a fact also with `--both`
            [exit 1]
        "#]],
    );
}

#[test]
#[allow(clippy::too_many_lines, reason = "it is one session")]
fn an_open_conflict_is_shown_by_every_related_command() {
    let home = forked();
    home.setup(&[
        "block set current_focus 'by train' --branch planner",
        "block set current_focus 'by ship'",
        "merge planner",
    ]);
    home.check(
        &[
            "status",
            "fact list",
            "fact list --subject user",
            "fact list --subject Ana",
            "fact list --session telegram:1",
            "show ledger:63c0cfd9d1ead1f9",
            "show blocks:current_focus",
            "show ledger:7f1cac56ec9d4db3",
            "fact list --json",
            "show ledger:63c0cfd9d1ead1f9 --json",
            "consolidate",
            "consolidate --json",
            "consolidate --session telegram:1",
            "tool call memory_consolidate '{}'",
            "resolve blocks:current_focus --both",
            "resolve blocks:current_focus --value 'by air'",
            "resolve ledger:63c0cfd9d1ead1f9 --theirs",
            "fact list",
            "status --json",
        ],
        &expect![[r#"
            $ memtape status
            workspace  [DIR] ([ID])
            branch     main
            conflicts  2 open (`memtape conflicts` lists them)
            entries    30, the last of [NOW] UTC
            messages   0 in 0 conversations
            zone       version 3: 19 bytes of long-term memory, 0 daily notes
            notes      0 files, 0B
            files      0 files, 0B
            blocks     1 set
            statements 0
            vectors    2 memories pending: `memtape reindex --vectors`
            $ memtape fact list
            ledger:63c0cfd9d1ead1f9@21 · permanent · user lives in Lisbon (100%)
            ledger:7f1cac56ec9d4db3@25 · permanent · user flies from Rotterdam (100%)
            conflict: ledger:63c0cfd9d1ead1f9 · planner has user lives in Utrecht
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`, a fact also with `--both`
            $ memtape fact list --subject user
            ledger:63c0cfd9d1ead1f9@21 · permanent · user lives in Lisbon (100%)
            ledger:7f1cac56ec9d4db3@25 · permanent · user flies from Rotterdam (100%)
            conflict: ledger:63c0cfd9d1ead1f9 · planner has user lives in Utrecht
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`, a fact also with `--both`
            $ memtape fact list --subject Ana
            ! No facts.
            $ memtape fact list --session telegram:1
            ledger:63c0cfd9d1ead1f9@21 · permanent · user lives in Lisbon (100%)
            ledger:7f1cac56ec9d4db3@25 · permanent · user flies from Rotterdam (100%)
            conflict: ledger:63c0cfd9d1ead1f9 · planner has user lives in Utrecht
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`, a fact also with `--both`
            $ memtape show ledger:63c0cfd9d1ead1f9
            ledger:63c0cfd9d1ead1f9@21
              user lives in Lisbon
            recorded  entry 21, [NOW] UTC, from user, in cli:direct
            scope     workspace:[ID]:global
            fact      permanent, confidence 1.00
            source    user_explicit
            event     [ID] (modify)
            said      [NOW] UTC, first [NOW] UTC
            current
            conflict: ledger:63c0cfd9d1ead1f9 · planner has user lives in Utrecht
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`, a fact also with `--both`
            $ memtape show blocks:current_focus
            blocks:current_focus@24
              by ship
            recorded  entry 24, [NOW] UTC, from user, in cli:direct
            scope     workspace:[ID]:global
            current
            conflict: blocks:current_focus · planner has by train
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`
            $ memtape show ledger:7f1cac56ec9d4db3
            ledger:7f1cac56ec9d4db3@25
              user flies from Rotterdam
            recorded  entry 25, [NOW] UTC, from user, in cli:direct
            scope     workspace:[ID]:global
            fact      permanent, confidence 1.00
            source    user_explicit
            event     [ID] (add)
            said      [NOW] UTC
            current
            $ memtape fact list --json
            {"facts":[{"ref":"ledger:63c0cfd9d1ead1f9@21","id":"[ID]","subject":"user","predicate":"lives in","object":"Lisbon","topic":null,"lifetime":"permanent","confidence":1.0,"source":"user_explicit","evidence":null,"timestamp":"[NOW]+00:00","expires_at":null,"scope":"workspace:[ID]:global","sensitivity":"normal"},{"ref":"ledger:7f1cac56ec9d4db3@25","id":"[ID]","subject":"user","predicate":"flies from","object":"Rotterdam","topic":null,"lifetime":"permanent","confidence":1.0,"source":"user_explicit","evidence":null,"timestamp":"[NOW]+00:00","expires_at":null,"scope":"workspace:[ID]:global","sensitivity":"normal"}],"more":0,"conflicts":[{"ref":"ledger:63c0cfd9d1ead1f9","ours":"user lives in Lisbon","theirs":"user lives in Utrecht","source":"planner","commit":30}]}
            $ memtape show ledger:63c0cfd9d1ead1f9 --json
            [{"ref":"ledger:63c0cfd9d1ead1f9@21","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":"[NOW]","date":"[NOW]","text":"user lives in Lisbon","fact":{"id":"[ID]","event_type":"modify","subject":"user","predicate":"lives in","object":"Lisbon","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":"[ID]","timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"},"image":null,"retired_by":null,"conflicts":[{"ref":"ledger:63c0cfd9d1ead1f9","ours":"user lives in Lisbon","theirs":"user lives in Utrecht","source":"planner","commit":30}]}]
            $ memtape consolidate
            2 facts (2 permanent), average confidence 100%; 0 statements; 2 lines and notes

            Open conflicts: 2
            - blocks:current_focus@30 with planner
                ours    by ship
                theirs  by train
                  memtape resolve blocks:current_focus@30 --ours
                  memtape resolve blocks:current_focus@30 --theirs
            - ledger:63c0cfd9d1ead1f9@30 with planner
                ours    user lives in Lisbon [100%]
                theirs  user lives in Utrecht [100%]
                  memtape resolve ledger:63c0cfd9d1ead1f9@30 --ours
                  memtape resolve ledger:63c0cfd9d1ead1f9@30 --theirs
            $ memtape consolidate --json
            {"considered":{"ledger":2,"statements":0,"zone":2},"lifetimes":{"permanent":2},"confidence":1.0,"duplicates":{"found":[],"more":0},"safe":0,"contradictions":{"found":[],"more":0},"conflicts":{"found":[{"ref":"blocks:current_focus@30","source":"planner","ours":{"ref":"blocks:current_focus@24","text":"by ship","scope":"workspace:[ID]:global","place":null,"confidence":null,"stated_at":"[NOW]","quarantined":null,"commands":[]},"theirs":{"ref":"blocks:current_focus@23","text":"by train","scope":"workspace:[ID]:global","place":null,"confidence":null,"stated_at":"[NOW]","quarantined":null,"commands":[]},"commands":["memtape resolve blocks:current_focus@30 --ours","memtape resolve blocks:current_focus@30 --theirs"]},{"ref":"ledger:63c0cfd9d1ead1f9@30","source":"planner","ours":{"ref":"ledger:63c0cfd9d1ead1f9@21","text":"user lives in Lisbon","scope":"workspace:[ID]:global","place":null,"confidence":1.0,"stated_at":"[NOW]","quarantined":null,"commands":[]},"theirs":{"ref":"ledger:63c0cfd9d1ead1f9@14","text":"user lives in Utrecht","scope":"workspace:[ID]:global","place":null,"confidence":1.0,"stated_at":"[NOW]","quarantined":null,"commands":[]},"commands":["memtape resolve ledger:63c0cfd9d1ead1f9@30 --ours","memtape resolve ledger:63c0cfd9d1ead1f9@30 --theirs"]}],"more":0},"low_confidence":{"found":[],"more":0},"stale":{"found":[],"more":0},"stale_days":90,"expired":{"found":[],"more":0}}
            $ memtape consolidate --session telegram:1
            2 facts (2 permanent), average confidence 100%; 0 statements; 2 lines and notes

            Open conflicts: 2
            - blocks:current_focus@30 with planner
                ours    by ship
                theirs  by train
            - ledger:63c0cfd9d1ead1f9@30 with planner
                ours    user lives in Lisbon [100%]
                theirs  user lives in Utrecht [100%]
              ours is current until the owner resolves the conflict
            $ memtape tool call memory_consolidate '{}'
            2 facts (2 permanent), average confidence 100%; 0 statements; 2 lines and notes

            Open conflicts: 2
            - blocks:current_focus@30 with planner
                ours    by ship
                theirs  by train
            - ledger:63c0cfd9d1ead1f9@30 with planner
                ours    user lives in Lisbon [100%]
                theirs  user lives in Utrecht [100%]
              ours is current until the owner resolves the conflict
            $ memtape resolve blocks:current_focus --both
            ! error: blocks:current_focus is not a fact: only one side can be kept
            ! hint: use --ours or --theirs, or another --value
            [exit 2]
            $ memtape resolve blocks:current_focus --value 'by air'
            resolved blocks:current_focus ([COMMIT] @32)
            ~ blocks:current_focus by air (was: by ship)
            $ memtape resolve ledger:63c0cfd9d1ead1f9 --theirs
            resolved ledger:63c0cfd9d1ead1f9 ([COMMIT] @34)
            ~ ledger:63c0cfd9d1ead1f9 user lives in Utrecht (was: user lives in Lisbon)
            $ memtape fact list
            ledger:63c0cfd9d1ead1f9@33 · permanent · user lives in Utrecht (100%)
            ledger:7f1cac56ec9d4db3@25 · permanent · user flies from Rotterdam (100%)
            $ memtape status --json
            {"workspace":"[DIR]","id":"[ID]","upstream":null,"branch":"main","entries":34,"lost_entries":0,"last_date":"[NOW]","conversations":0,"memories":{"blocks":1,"files":0,"ledger":2,"messages":0,"notes":0,"statements":0,"zone":2},"statements":{"by_category":{},"expired":0},"blocks":{"waiting":0},"conflicts":0,"observations":{"waiting":0},"counters":{"memory_recall_hit":0,"memory_recall_miss":0,"memory_capture_saved":0,"memory_capture_dropped_low_conf":0,"memory_capture_dropped_safety":0,"memory_capture_deduped":0,"memory_prompt_chars":0},"notes":{"files":0,"bytes":0,"branch":null,"odd":[],"passed_over":{"count":0,"paths":[]},"secrets":[],"waiting":[]},"files":{"files":0,"bytes":0,"branch":null,"odd":[],"passed_over":{"count":0,"paths":[]},"secrets":[],"waiting":[]},"history":"none","vectors":{"waiting":{"known":0,"messages":0}},"zone":{"version":3,"long_term_bytes":19,"daily_notes":0}}
        "#]],
    );
}

#[test]
fn a_commit_is_picked_reverted_and_undone() {
    let home = forked();
    home.check(
        &[
            "cherry-pick @12",
            "cherry-pick @12",
            "cherry-pick @14",
            "cherry-pick @14",
            "cherry-pick planner@head",
            "cherry-pick 1",
            "undo",
            "undo",
            "undo",
            "revert @9999",
            "revert @14",
            "revert @5",
            "fact add user 'lives in' Faro",
            "revert @7 --reason 'it was wrong'",
            "fact list",
        ],
        &expect![[r#"
            $ memtape cherry-pick @12
            picked @12 into main ([COMMIT] @24)
            + ledger:7f1cac56ec9d4db3 user flies from Rotterdam
            $ memtape cherry-pick @12
            nothing to take: main already has the change of @12
            $ memtape cherry-pick @14
            picked @14 into main ([COMMIT] @25)
            1 conflict; our side is current until it is resolved:
            ledger:63c0cfd9d1ead1f9
              ours    user lives in Lisbon
              theirs  user lives in Utrecht
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`, a fact also with `--both`
            [exit 1]
            $ memtape cherry-pick @14
            nothing to take from @14, but 1 conflict that is still open:
            ledger:63c0cfd9d1ead1f9
              ours    user lives in Lisbon
              theirs  user lives in Utrecht
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`, a fact also with `--both`
            [exit 1]
            $ memtape cherry-pick planner@head
            picked planner@head into main ([COMMIT] @27)
            - ledger:c8cd02e8a340cb88 user prefers tea
            $ memtape cherry-pick 1
            ! error: entry 1 is not part of a commit
            ! hint: `memtape log` lists the commits
            [exit 2]
            $ memtape undo
            undid @27 ([COMMIT] @29)
            + ledger:c8cd02e8a340cb88 user prefers tea (restored)
            $ memtape undo
            undid @25 ([COMMIT] @30)
            $ memtape undo
            undid @24 ([COMMIT] @32)
            - ledger:7f1cac56ec9d4db3 user flies from Rotterdam
            $ memtape revert @9999
            ! error: the tape ends at entry 32: there is no entry 9999, and a commit id needs at least 7 digits
            ! hint: `memtape log` lists the commits
            [exit 3]
            $ memtape revert @14
            ! error: commit @15 of branch "planner" is not part of branch "main"
            ! hint: `memtape cherry-pick @15` applies it
            [exit 2]
            $ memtape revert @5
            reverted @5 ([COMMIT] @34)
            - ledger:c8cd02e8a340cb88 user prefers tea
            $ memtape fact add user 'lives in' Faro
            replaced: user lives in Faro (100%)
            before: user lives in Lisbon (100%)
            ledger:63c0cfd9d1ead1f9@35, commit [ID]
            $ memtape revert @7 --reason 'it was wrong'
            ! error: cannot revert commit @7: ledger:63c0cfd9d1ead1f9 changed later; revert that first
            [exit 4]
            $ memtape fact list
            ledger:63c0cfd9d1ead1f9@35 · permanent · user lives in Faro (100%)
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
        {"into":"main","commit":{"entry":28,"id":"[ID]"},"changed":[{"kind":"added","ref":"ledger:7f1cac56ec9d4db3","before":null,"after":{"ref":"ledger:7f1cac56ec9d4db3@12","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"planner","said_at":"[NOW]","date":"[NOW]","text":"user flies from Rotterdam","fact":{"id":"[ID]","event_type":"add","subject":"user","predicate":"flies from","object":"Rotterdam","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":null,"timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}}},{"kind":"removed","ref":"ledger:c8cd02e8a340cb88","before":{"ref":"ledger:c8cd02e8a340cb88@4","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":"[NOW]","date":"[NOW]","text":"user prefers tea","fact":{"id":"[ID]","event_type":"add","subject":"user","predicate":"prefers","object":"tea","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":null,"timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}},"after":null},{"kind":"added","ref":"zone:710b42679a44de1b","before":null,"after":{"ref":"zone:710b42679a44de1b@17","form":"zone","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"planner","said_at":null,"date":"[NOW]","text":"Ana swims"}}],"conflicts":[{"ref":"ledger:63c0cfd9d1ead1f9","ours":{"ref":"ledger:63c0cfd9d1ead1f9@21","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":"[NOW]","date":"[NOW]","text":"user lives in Lisbon","fact":{"id":"[ID]","event_type":"modify","subject":"user","predicate":"lives in","object":"Lisbon","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":"[ID]","timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}},"theirs":{"ref":"ledger:63c0cfd9d1ead1f9@14","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"planner","said_at":"[NOW]","date":"[NOW]","text":"user lives in Utrecht","fact":{"id":"[ID]","event_type":"modify","subject":"user","predicate":"lives in","object":"Utrecht","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":"[ID]","timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}}}],"still_open":[],"resolved":0,"source":"planner","dry_run":false}
        [exit 1]
        $ memtape conflicts --json
        [{"ref":"ledger:63c0cfd9d1ead1f9","ours":{"ref":"ledger:63c0cfd9d1ead1f9@21","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":"[NOW]","date":"[NOW]","text":"user lives in Lisbon","fact":{"id":"[ID]","event_type":"modify","subject":"user","predicate":"lives in","object":"Lisbon","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":"[ID]","timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}},"theirs":{"ref":"ledger:63c0cfd9d1ead1f9@14","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"planner","said_at":"[NOW]","date":"[NOW]","text":"user lives in Utrecht","fact":{"id":"[ID]","event_type":"modify","subject":"user","predicate":"lives in","object":"Utrecht","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":"[ID]","timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}},"base":{"ref":"ledger:63c0cfd9d1ead1f9@6","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":"[NOW]","date":"[NOW]","text":"user lives in Porto","fact":{"id":"[ID]","event_type":"add","subject":"user","predicate":"lives in","object":"Porto","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":null,"timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}},"commit":28,"source":"planner","into":"main"}]
        $ memtape undo --json
        {"reverted":28,"commit":{"entry":34,"id":"[ID]"},"changed":[{"kind":"removed","ref":"ledger:7f1cac56ec9d4db3","before":{"ref":"ledger:7f1cac56ec9d4db3@23","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":"[NOW]","date":"[NOW]","text":"user flies from Rotterdam","fact":{"id":"[ID]","event_type":"add","subject":"user","predicate":"flies from","object":"Rotterdam","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":null,"timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}},"after":null},{"kind":"restored","ref":"ledger:c8cd02e8a340cb88","before":null,"after":{"ref":"ledger:c8cd02e8a340cb88@4","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":"[NOW]","date":"[NOW]","text":"user prefers tea","fact":{"id":"[ID]","event_type":"add","subject":"user","predicate":"prefers","object":"tea","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":null,"timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}}},{"kind":"removed","ref":"zone:710b42679a44de1b","before":{"ref":"zone:710b42679a44de1b@26","form":"zone","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":null,"date":"[NOW]","text":"Ana swims"},"after":null}]}
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
fn a_hint_to_revert_is_given_only_if_that_works() {
    let home = Home::new();
    home.setup(&["block set focus one", "block set focus two", "undo", "block set focus three"]);
    home.check(&["redo", "revert @5", "undo", "revert @7", "block show focus"], &expect![[r#"
        $ memtape redo
        ! error: nothing to redo: commit @8 follows the last undo @7
        ! hint: revert what changed later first (`memtape log` lists the commits), then `memtape revert @7` reverts it
        [exit 4]
        $ memtape revert @5
        ! error: commit @5 is already undone by @7
        ! hint: revert what changed later first (`memtape log` lists the commits), then `memtape revert @7` reverts it
        [exit 4]
        $ memtape undo
        undid @8 ([COMMIT] @10)
        ~ blocks:current_focus one (was: three; restored)
        $ memtape revert @7
        reverted @7 ([COMMIT] @12)
        ~ blocks:current_focus two (was: one; restored)
        $ memtape block show focus
        two
    "#]]);
    let home = Home::new();
    home.setup(&["fact add user prefers tea", "undo", "fact add user likes milk"]);
    home.check(
        &["redo", "revert @6", "view"],
        &expect![[r#"
        $ memtape redo
        ! error: nothing to redo: commit @9 follows the last undo @7
        ! hint: `memtape revert @7` reverts it
        [exit 4]
        $ memtape revert @6
        reverted @7 ([COMMIT] @11)
        + ledger:c8cd02e8a340cb88 user prefers tea (restored)
        $ memtape view
        # Memory [main]

        ## Memory

        ### General
        - ✓ user likes milk (100%)
        - ✓ user prefers tea (100%)
    "#]],
    );
}

#[test]
fn a_merge_that_was_reverted_is_named() {
    let home = Home::new();
    home.setup(&["branch create b", "fact add user prefers tea --branch b", "merge b", "revert main@head"]);
    home.check(
        &["merge b --dry-run", "merge b", "revert @10", "merge b", "fact list"],
        &expect![[r#"
        $ memtape merge b --dry-run
        ! error: branch "b" was merged by @8, and @10 reverted that
        ! hint: `memtape revert @10` brings it back
        [exit 4]
        $ memtape merge b
        ! error: branch "b" was merged by @8, and @10 reverted that
        ! hint: `memtape revert @10` brings it back
        [exit 4]
        $ memtape revert @10
        reverted @10 ([COMMIT] @12)
        + ledger:c8cd02e8a340cb88 user prefers tea (restored)
        $ memtape merge b
        b is already merged into main
        $ memtape fact list
        ledger:c8cd02e8a340cb88@11 · permanent · user prefers tea (100%)
    "#]],
    );
    let home = Home::new();
    home.setup(&[
        "branch create b",
        "fact add user prefers tea --branch b",
        "cherry-pick @6",
        "revert main@head",
    ]);
    home.check(&["cherry-pick @6", "cherry-pick @6 --json"], &expect![[r#"
        $ memtape cherry-pick @6
        ! error: @6 was cherry-picked by @8, and @10 reverted that
        ! hint: `memtape revert @10` brings it back
        [exit 4]
        $ memtape cherry-pick @6 --json
        ! {"error":{"kind":"conflict","message":"@6 was cherry-picked by @8, and @10 reverted that","hint":"`memtape revert @10` brings it back"}}
        [exit 4]
    "#]]);
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
fn what_is_shown_names_its_open_conflict() {
    let home = Home::new();
    let write = |tea: &str| {
        let note = format!("note write facts/tea.md '- Tea: {tea}'");
        let file = format!("file write drafts/tea.md 'The tea is {tea}.'");
        home.setup(&[&note, &file, &format!("block set current_focus {tea}")]);
    };
    write("green");
    home.setup(&["branch create planner", "switch planner"]);
    write("black");
    home.setup(&["switch main"]);
    write("white");
    home.check(
        &[
            "merge planner",
            "note show facts/tea.md",
            "note show facts/tea.md --json",
            "file show drafts/tea.md",
            "block show current_focus",
            "block show current_focus --json",
            "block show persona",
            "block show current_focus --at 8",
        ],
        &expect![[r#"
            $ memtape merge planner
            merged planner into main ([COMMIT] @16)
            3 conflicts; our side is current until it is resolved:
            blocks:current_focus
              ours    white
              theirs  black
            files:drafts/tea.md
              ours    The tea is white.
              theirs  The tea is black.
            notes:facts/tea.md#Tea
              ours    - Tea: white
              theirs  - Tea: black
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`
            [exit 1]
            $ memtape note show facts/tea.md
            > Summary: Tea

            - Tea: white
            ! conflict: notes:facts/tea.md#Tea · planner has - Tea: black
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`
            $ memtape note show facts/tea.md --json
            {"path":"facts/tea.md","text":"> Summary: Tea\n\n- Tea: white\n","base64":null,"conflicts":[{"ref":"notes:facts/tea.md#Tea","ours":"- Tea: white","theirs":"- Tea: black","source":"planner","commit":16}]}
            $ memtape file show drafts/tea.md
            The tea is white.
            ! conflict: files:drafts/tea.md · planner has The tea is black.
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`
            $ memtape block show current_focus
            white
            ! conflict: blocks:current_focus · planner has black
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`
            $ memtape block show current_focus --json
            {"name":"current_focus","layer":4,"value":"white","computed":false,"ref":"blocks:current_focus@15","updated_at":"[NOW]","origin":"user","waits":false,"conflicts":[{"ref":"blocks:current_focus","ours":"white","theirs":"black","source":"planner","commit":16}]}
            $ memtape block show persona
            ! persona is empty: `memtape block set persona VALUE` sets it
            $ memtape block show current_focus --at 8
            green
        "#]],
    );
    let recalled = home.run("recall 'white tea'").stdout;
    assert_eq!(recalled.matches(" (open conflict) · ").count(), 3, "{recalled}");
}
