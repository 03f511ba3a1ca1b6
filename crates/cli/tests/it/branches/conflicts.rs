//! Conflicts: what is printed of them, and how they are resolved.

use expect_test::expect;

use super::forked;
use crate::harness::Home;

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
            "conflicts --branch planner",
            "resolve ledger:63c0cfd9d1ead1f9 --branch planner --ours",
        ],
        &expect![[r#"
            $ memtape merge planner --dry-run
            merging planner into main would change:
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
            ! resolve with `memtape resolve REF --branch planner --ours|--theirs|--value TEXT`, a fact also with `--both`
            [exit 1]
            $ memtape conflicts --branch planner
            ledger:63c0cfd9d1ead1f9 · main into planner @29
              ours    user lives in Utrecht
              theirs  user lives in Lisbon
              before  user lives in Porto
            ! resolve with `memtape resolve REF --branch planner --ours|--theirs|--value TEXT`, a fact also with `--both`
            $ memtape resolve ledger:63c0cfd9d1ead1f9 --branch planner --ours
            resolved ledger:63c0cfd9d1ead1f9 ([COMMIT] @30)
            kept our version
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
            {"ref":"ledger:63c0cfd9d1ead1f9","commit":{"entry":30,"id":"[ID]"},"changed":[{"kind":"changed","ref":"ledger:63c0cfd9d1ead1f9","before":{"ref":"ledger:63c0cfd9d1ead1f9@21","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":"[NOW]","date":"[NOW]","text":"user lives in Lisbon","fact":{"id":"[ID]","event_type":"modify","subject":"user","predicate":"lives in","object":"Lisbon","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":"[ID]","timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}},"after":{"ref":"ledger:63c0cfd9d1ead1f9@29","form":"ledger","session":"cli:direct","scope":"workspace:[ID]:global","sensitivity":"normal","speaker":null,"origin":"user","branch":"main","said_at":"[NOW]","date":"[NOW]","text":"user lives in Lisbon in summer","fact":{"id":"[ID]","event_type":"modify","subject":"user","predicate":"lives in","object":"Lisbon in summer","topic":null,"confidence":1.0,"source":"user_explicit","evidence":null,"parent_id":"[ID]","timestamp":"[NOW]+00:00","lifetime":"permanent","expires_at":null,"since":"[NOW]"}}}]}
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
    let view = home.run("view");
    let conflict = "conflict: ledger:63c0cfd9d1ead1f9 · planner has user lives in Utrecht\n";
    assert!(view.raw().contains(conflict), "{}", view.snapshot());
    assert!(view.stderr.contains("a fact also with `--both`"), "{}", view.snapshot());
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
            {"facts":[{"ref":"ledger:63c0cfd9d1ead1f9@21","id":"[ID]","subject":"user","predicate":"lives in","object":"Lisbon","topic":null,"lifetime":"permanent","scope":"workspace:[ID]:global","sensitivity":"normal","confidence":1.0,"source":"user_explicit","evidence":null,"origin":"user","timestamp":"[NOW]+00:00","expires_at":null},{"ref":"ledger:7f1cac56ec9d4db3@25","id":"[ID]","subject":"user","predicate":"flies from","object":"Rotterdam","topic":null,"lifetime":"permanent","scope":"workspace:[ID]:global","sensitivity":"normal","confidence":1.0,"source":"user_explicit","evidence":null,"origin":"user","timestamp":"[NOW]+00:00","expires_at":null}],"more":0,"conflicts":[{"ref":"ledger:63c0cfd9d1ead1f9","ours":"user lives in Lisbon","theirs":"user lives in Utrecht","source":"planner","commit":30}]}
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
            {"workspace":"[DIR]","id":"[ID]","upstream":null,"branch":"main","entries":34,"lost_entries":0,"last_date":"[NOW]","conversations":0,"memories":{"blocks":1,"files":0,"ledger":2,"messages":0,"notes":0,"statements":0,"zone":2},"statements":{"by_category":{},"expired":0},"blocks":{"waiting":0},"conflicts":0,"observations":{"waiting":0},"counters":{"memory_recall_hit":0,"memory_recall_miss":0,"memory_capture_saved":0,"memory_capture_dropped_low_conf":0,"memory_capture_dropped_safety":0,"memory_capture_deduped":0,"memory_prompt_chars":0},"notes":{"files":0,"bytes":0,"branch":null,"odd":[],"passed_over":{"count":0,"paths":[]},"secrets":[],"kept":[],"waiting":[]},"files":{"files":0,"bytes":0,"branch":null,"odd":[],"passed_over":{"count":0,"paths":[]},"secrets":[],"kept":[],"waiting":[]},"history":"none","vectors":{"waiting":{"known":0,"messages":0}},"zone":{"version":3,"long_term_bytes":19,"daily_notes":0}}
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

#[test]
fn the_branch_to_change_is_named_once() {
    let home = forked();
    home.check(
        &[
            "merge planner --into main --branch planner --dry-run",
            "cherry-pick planner@head --into main --branch planner",
        ],
        &expect![[r#"
            $ memtape merge planner --into main --branch planner --dry-run
            ! error: --into names "main", and --branch "planner": name one of them
            [exit 2]
            $ memtape cherry-pick planner@head --into main --branch planner
            ! error: --into names "main", and --branch "planner": name one of them
            [exit 2]
        "#]],
    );
}
