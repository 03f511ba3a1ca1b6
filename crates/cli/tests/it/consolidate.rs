//! `consolidate`, `prune` of facts, and observations in `status`.

use expect_test::expect;

use crate::harness::Home;

/// Returns a workspace with facts, statements and lines, including duplicates and contradictions.
fn home() -> Home {
    let home = Home::new();
    home.setup(&[
        "remember 'Ana sails on Sundays'",
        "fact add Ana 'sails on' Sundays",
        "fact add Ana 'lives in' Lisbon",
        "fact add Ana 'lives in' Porto --topic work --confidence .6",
        "add --text 'ana lives in lisbon' --kind fact --scope user --channel telegram --chat-id 1 --sender-id 42",
        "add --text 'Ana lives in Lisbon!' --kind fact",
    ]);
    home
}

#[test]
fn the_commands_in_a_report_resolve_its_findings() {
    let home = home();
    home.check(
        &[
            "consolidate",
            "fact deprecate ledger:8c9d414928ae4aae@11",
            "consolidate --apply-safe",
            "consolidate",
            "consolidate --apply-safe",
            "consolidate --report --json",
            "consolidate --at 10",
            "consolidate --session telegram:1 --user 42",
        ],
        &expect![[r#"
            $ memtape consolidate
            3 facts (3 permanent), average confidence 87%; 2 statements; 1 line or note

            Duplicates: 2
            - zone:ab656eb1c47563e6@5 Ana sails on Sundays
              ledger:c8dcea12a1f3f3ae@7 Ana sails on Sundays [100%]
                  memtape forget ledger:c8dcea12a1f3f3ae@7
            - ledger:401cce7d4864a689@9 Ana lives in Lisbon [100%]
              statements:ad5c46cd62199c91@13 ana lives in lisbon [100%, channel:telegram:user:42]
                  memtape forget statements:ad5c46cd62199c91@13
              statements:b49620fd4e269a5d@14 Ana lives in Lisbon! [100%]
                  memtape forget statements:b49620fd4e269a5d@14
              1 duplicate can be removed safely: `memtape consolidate --apply-safe`

            Contradictions: 1
            - ledger:401cce7d4864a689@9 Ana lives in Lisbon [100%]
                  memtape fact deprecate ledger:401cce7d4864a689@9
              ledger:8c9d414928ae4aae@11 Ana lives in Porto [work, 60%]
                  memtape fact deprecate ledger:8c9d414928ae4aae@11

            Low confidence (below 70%): 1
            - ledger:8c9d414928ae4aae@11 Ana lives in Porto [work, 60%]
                  memtape fact confirm ledger:8c9d414928ae4aae@11
                  memtape fact deprecate ledger:8c9d414928ae4aae@11
            $ memtape fact deprecate ledger:8c9d414928ae4aae@11
            ledger:8c9d414928ae4aae@11 · work · Ana lives in Porto (60%)
            1 fact deprecated, commit [ID] (an earlier point still shows it: --at)
            $ memtape consolidate --apply-safe
            1 duplicate removed
            $ memtape consolidate
            2 facts (2 permanent), average confidence 100%; 1 statement; 1 line or note

            Duplicates: 2
            - zone:ab656eb1c47563e6@5 Ana sails on Sundays
              ledger:c8dcea12a1f3f3ae@7 Ana sails on Sundays [100%]
                  memtape forget ledger:c8dcea12a1f3f3ae@7
            - ledger:401cce7d4864a689@9 Ana lives in Lisbon [100%]
              statements:ad5c46cd62199c91@13 ana lives in lisbon [100%, channel:telegram:user:42]
                  memtape forget statements:ad5c46cd62199c91@13
            $ memtape consolidate --apply-safe
            nothing to remove
            $ memtape consolidate --report --json
            {"considered":{"ledger":2,"statements":1,"zone":1},"lifetimes":{"permanent":2},"confidence":1.0,"duplicates":{"found":[{"found":[{"ref":"zone:ab656eb1c47563e6@5","text":"Ana sails on Sundays","scope":"workspace:[ID]:global","place":null,"confidence":null,"stated_at":"[NOW]","quarantined":null,"commands":[]},{"ref":"ledger:c8dcea12a1f3f3ae@7","text":"Ana sails on Sundays","scope":"workspace:[ID]:global","place":null,"confidence":1.0,"stated_at":"[NOW]","quarantined":null,"commands":["memtape forget ledger:c8dcea12a1f3f3ae@7"]}],"more":0},{"found":[{"ref":"ledger:401cce7d4864a689@9","text":"Ana lives in Lisbon","scope":"workspace:[ID]:global","place":null,"confidence":1.0,"stated_at":"[NOW]","quarantined":null,"commands":[]},{"ref":"statements:ad5c46cd62199c91@13","text":"ana lives in lisbon","scope":"channel:telegram:user:42","place":null,"confidence":1.0,"stated_at":"[NOW]","quarantined":null,"commands":["memtape forget statements:ad5c46cd62199c91@13"]}],"more":0}],"more":0},"safe":0,"contradictions":{"found":[],"more":0},"conflicts":{"found":[],"more":0},"low_confidence":{"found":[],"more":0},"stale":{"found":[],"more":0},"stale_days":90,"expired":{"found":[],"more":0}}
            $ memtape consolidate --at 10
            2 facts (2 permanent), average confidence 100%; 0 statements; 1 line or note

            Duplicates: 1
            - zone:ab656eb1c47563e6@5 Ana sails on Sundays
              ledger:c8dcea12a1f3f3ae@7 Ana sails on Sundays [100%]
                  memtape forget ledger:c8dcea12a1f3f3ae@7
            $ memtape consolidate --session telegram:1 --user 42
            2 facts (2 permanent), average confidence 100%; 1 statement; 1 line or note

            Duplicates: 2
            - zone:ab656eb1c47563e6@5 Ana sails on Sundays
              ledger:c8dcea12a1f3f3ae@7 Ana sails on Sundays [100%]
            - ledger:401cce7d4864a689@9 Ana lives in Lisbon [100%]
              statements:ad5c46cd62199c91@13 ana lives in lisbon [100%, channel:telegram:user:42]
                  memtape forget statements:ad5c46cd62199c91@13 --session telegram:1 --user telegram:42
        "#]],
    );
}

#[test]
fn no_command_hides_a_duplicate_from_somebody() {
    let home = Home::new();
    home.setup(&[
        "fact add Ana 'lives in' Porto --session telegram:ana",
        "fact add Ana 'lives in' Porto",
        "fact add Ben 'lives in' Faro --session telegram:ben",
        "fact add Ben 'lives in' Faro --session discord:ben",
    ]);
    home.check(
        &["consolidate"],
        &expect![[r#"
        $ memtape consolidate
        4 facts (4 permanent), average confidence 100%; 0 statements; 0 lines and notes

        Duplicates: 2
        - ledger:401cce7d4864a689@6 Ana lives in Porto [100%]
          ledger:9d6895904cd5e14e@4 Ana lives in Porto [100%, channel:telegram:chat:ana]
              memtape forget ledger:9d6895904cd5e14e@4
        - ledger:97456d5d3c73355c@8 Ben lives in Faro [100%, channel:telegram:chat:ben]
          ledger:c1f07c385d717a15@10 Ben lives in Faro [100%, channel:discord:chat:ben]
    "#]],
    );
}

#[test]
fn only_the_owner_applies_the_safe_part() {
    home().check(
        &[
            "consolidate --apply-safe --session telegram:1",
            "consolidate --apply-safe --report",
            "consolidate --apply-safe --at 3",
            "--at 3 consolidate --apply-safe",
            "consolidate --model --at 3",
            "consolidate --model --sender-id zz",
        ],
        &expect![[r#"
            $ memtape consolidate --apply-safe --session telegram:1
            ! error: only the owner can consolidate
            ! hint: omit --session, --user and --scope
            [exit 5]
            $ memtape consolidate --apply-safe --report
            ! error: the argument '--apply-safe' cannot be used with '--report'
            !
            ! Usage: memtape consolidate --apply-safe
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape consolidate --apply-safe --at 3
            ! error: the argument '--apply-safe' cannot be used with '--at <POINT>'
            !
            ! Usage: memtape [OPTIONS] <COMMAND>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape --at 3 consolidate --apply-safe
            ! error: the argument '--apply-safe' cannot be used with '--at <POINT>'
            !
            ! Usage: memtape [OPTIONS] <COMMAND>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape consolidate --model --at 3
            ! error: the argument '--model' cannot be used with '--at <POINT>'
            !
            ! Usage: memtape [OPTIONS] <COMMAND>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape consolidate --model --sender-id zz
            ! error: the argument '--model' cannot be used with '--sender-id <ID>'
            !
            ! Usage: memtape consolidate --model
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
}

#[test]
fn facts_are_pruned_by_confidence_or_use_and_statements_as_before() {
    home().check(
        &[
            "prune --below .7 --dry-run",
            "prune --below .7",
            "prune --below .7",
            "prune --unused-days 0 --dry-run --json",
            "prune --unused-days 30",
            "prune --below 2",
            "prune --below .5 --kind fact",
            "prune --kind fact --dry-run",
            "fact history Ana 'lives in' --topic work",
        ],
        &expect![[r#"
            $ memtape prune --below .7 --dry-run
            ledger:8c9d414928ae4aae@11 · workspace:[ID]:global · Ana lives in Porto
            1 fact would be removed
            $ memtape prune --below .7
            1 fact removed
            $ memtape prune --below .7
            0 facts removed
            $ memtape prune --unused-days 0 --dry-run --json
            {"would_prune":[{"ref":"ledger:c8dcea12a1f3f3ae@7","category":null,"scope":"workspace:[ID]:global","text":"Ana sails on Sundays"},{"ref":"ledger:401cce7d4864a689@9","category":null,"scope":"workspace:[ID]:global","text":"Ana lives in Lisbon"}]}
            $ memtape prune --unused-days 30
            0 facts removed
            $ memtape prune --below 2
            ! error: confidence must be a number from 0 to 1, not 2
            [exit 2]
            $ memtape prune --below .5 --kind fact
            ! error: the argument '--below <CONFIDENCE>' cannot be used with '--kind <KIND>'
            !
            ! Usage: memtape prune --below <CONFIDENCE>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape prune --kind fact --dry-run
            statements:ad5c46cd62199c91@13 · fact · channel:telegram:user:42 · ana lives in lisbon
            statements:b49620fd4e269a5d@14 · fact · workspace:[ID]:global · Ana lives in Lisbon!
            2 statements would be removed
            $ memtape fact history Ana 'lives in' --topic work
            ledger:8c9d414928ae4aae@15 [NOW] deprecate by user (confidence below 0.7): work · (removed)
            ledger:8c9d414928ae4aae@11 [NOW] add by user: work · Ana lives in Porto (60%, source user_explicit)
        "#]],
    );
}

#[test]
fn observations_are_pending_until_the_conversation_ends() {
    let home = Home::new();
    home.check(
        &[
            "fact observe Ana likes tea --session telegram:42",
            "status",
            "tape handoff done --session telegram:42",
            "status",
        ],
        &expect![[r#"
            $ memtape fact observe Ana likes tea --session telegram:42
            added: Ana likes tea (60%)
            ledger:994f5eb511e55d45@4
            $ memtape status
            workspace  [DIR] ([ID])
            branch     main
            entries    4, the last of [NOW] UTC
            messages   0 in 0 conversations
            zone       version 1: 0 bytes of long-term memory, 0 daily notes
            notes      0 files, 0B
            files      0 files, 0B
            blocks     0 set
            statements 0
            facts      1 observation pending for a commit
            vectors    none pending
            $ memtape tape handoff done --session telegram:42
            entry 5
            $ memtape status
            workspace  [DIR] ([ID])
            branch     main
            entries    6, the last of [NOW] UTC
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
