//! The `block` commands, `turn --trigger`, and blocks in the output of other commands.

use expect_test::expect;

use crate::harness::Home;

#[test]
#[allow(clippy::too_many_lines, reason = "it is one session")]
fn blocks_are_set_listed_and_restored() {
    let home = Home::new();
    home.check(
        &[
            "block list --layer 2",
            "block get current_focus",
            "block set current_focus tea",
            "block set current_focus 'memory architecture' --reason 'a new week'",
            "block set current_focus 'memory architecture'",
            "block set zeal 'for tea' --layer 3",
            "block get current_focus",
            "block get current_fokus",
            "block get nothing_like_it",
            "block get current_focus --at 4",
            "block get current_focus --json",
            "block history current_focus",
            "block history current_focus -n 1 --json",
            "block restore current_focus",
            "block restore current_focus --at 4",
            "block set current_focus x --at 4",
            "block list",
            "show blocks:current_focus",
            "forget blocks:zeal --yes",
            "block history zeal",
            "undo",
            "block get zeal",
            "diff 4 5",
        ],
        &expect![[r#"
            $ memtape block list --layer 2
            layer 2 (identity)
              communication_style (empty)
              persona (empty)
              values (empty)
            $ memtape block get current_focus
            ! current_focus is empty: `memtape block set current_focus VALUE` sets it
            $ memtape block set current_focus tea
            current_focus: set, layer 4 (working)
            $ memtape block set current_focus 'memory architecture' --reason 'a new week'
            current_focus: set, layer 4 (working)
            $ memtape block set current_focus 'memory architecture'
            current_focus: unchanged
            $ memtape block set zeal 'for tea' --layer 3
            zeal: set, layer 3 (semantic)
            $ memtape block get current_focus
            memory architecture
            $ memtape block get current_fokus
            ! error: there is no block current_fokus: did you mean current_focus?
            [exit 3]
            $ memtape block get nothing_like_it
            ! error: there is no block nothing_like_it
            ! hint: `memtape block list` lists the blocks
            [exit 3]
            $ memtape block get current_focus --at 4
            tea
            $ memtape block get current_focus --json
            {"name":"current_focus","layer":4,"value":"memory architecture","computed":false,"ref":"blocks:current_focus@5","updated_at":"[NOW]","origin":"user","waits":false,"conflicts":[]}
            $ memtape block history current_focus
            @5 [NOW] layer 4 by user (a new week): memory architecture
            @4 [NOW] layer 4 by user: tea
            $ memtape block history current_focus -n 1 --json
            [{"entry":5,"date":"[NOW]","value":"memory architecture","layer":4,"origin":"user","session":"cli:direct","reason":"a new week"}]
            $ memtape block restore current_focus
            ! error: name the version to restore, or a point with --at POINT (`memtape block log NAME` lists the versions)
            [exit 2]
            $ memtape block restore current_focus --at 4
            current_focus: restored, layer 4 (working)
            $ memtape block set current_focus x --at 4
            ! error: unexpected argument '--at' found
            !
            ! Usage: memtape block set <NAME> <VALUE>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape block list
            layer 2 (identity)
              communication_style (empty)
              persona (empty)
              values (empty)
            layer 3 (semantic)
              limitations (empty)
              owner_context (empty)
              patterns (empty)
              zeal: for tea
            layer 4 (working)
              current_focus: tea
              goals (empty)
              recent_insights (computed): []
              recent_research (computed): []
              schedule (empty)
            $ memtape show blocks:current_focus
            blocks:current_focus@7
              tea
            recorded  entry 7, [NOW] UTC, from user, in cli:direct
            scope     workspace:[ID]:global
            current
            $ memtape forget blocks:zeal --yes
            blocks:zeal@6 · workspace:[ID]:global · for tea
            1 memory forgotten (an earlier point still shows it: --at)
            $ memtape block history zeal
            @8 [NOW] layer 3 by user: (empty)
            @6 [NOW] layer 3 by user: for tea
            $ memtape undo
            undid @8 ([COMMIT] @10)
            + blocks:zeal for tea (restored)
            $ memtape block get zeal
            for tea
            $ memtape diff 4 5
            main@4 → main@5: 1 changed
            ~ blocks:current_focus memory architecture (was: tea)
        "#]],
    );
}

#[test]
fn an_invalid_block_is_refused() {
    let home = Home::new();
    home.check(
        &[
            "block set Persona x",
            "block set '../x' x",
            "block set recent_insights x",
            "block set goals x --layer 5",
            "block set goals 'much too long' --config blocks.max_chars=5",
            "block history nothing",
            "block approve goals",
            "block approve --force",
            "block restore goals --at 2",
            "forget blocks:goals --yes",
            "forget blocks:recent_insights --yes",
            "block get goals --json",
            "block get nothing --json",
        ],
        &expect![[r#"
            $ memtape block set Persona x
            ! error: invalid block name "Persona": a name starts with a letter from a to z, contains only such letters, digits, _, - and ., and has at most 64 characters
            [exit 2]
            $ memtape block set '../x' x
            ! error: invalid block name "../x": a name starts with a letter from a to z, contains only such letters, digits, _, - and ., and has at most 64 characters
            [exit 2]
            $ memtape block set recent_insights x
            ! error: block recent_insights is computed from the files: write a file in insights/ or research/ instead
            [exit 5]
            $ memtape block set goals x --layer 5
            ! error: invalid value '5' for '--layer <N>': the layers of blocks are 2 (identity), 3 (semantic) and 4 (working)
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape block set goals 'much too long' --config blocks.max_chars=5
            ! error: the value is 8 characters over the limit of 5
            [exit 2]
            $ memtape block history nothing
            ! error: there is no block nothing
            ! hint: `memtape block list` lists the blocks
            [exit 3]
            $ memtape block approve goals
            ! error: no proposal for block goals is pending
            ! hint: `memtape block approve` lists the pending proposals
            [exit 3]
            $ memtape block approve --force
            ! error: the following required arguments were not provided:
            !   <NAME>
            !
            ! Usage: memtape block approve --force <NAME>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape block restore goals --at 2
            ! error: block goals was empty at that point
            ! hint: `memtape block log goals` lists its versions
            [exit 3]
            $ memtape forget blocks:goals --yes
            ! error: blocks:goals is not current
            ! hint: an earlier point may show it: --at POINT
            [exit 3]
            $ memtape forget blocks:recent_insights --yes
            ! error: blocks:recent_insights is not current
            ! hint: an earlier point may show it: --at POINT
            [exit 3]
            $ memtape block get goals --json
            {"name":"goals","layer":4,"value":null,"computed":false,"ref":null,"updated_at":null,"origin":null,"waits":false,"conflicts":[]}
            $ memtape block get nothing --json
            ! {"error":{"kind":"not_found","message":"there is no block nothing","hint":"`memtape block list` lists the blocks"}}
            [exit 3]
        "#]],
    );
}

#[test]
#[allow(clippy::too_many_lines, reason = "it is one session")]
fn a_change_of_identity_waits_for_the_owner() {
    let home = Home::new();
    home.check(
        &[
            "block set persona 'Calm and exact'",
            r#"tool call memory_set_block '{"name":"persona","value":"Loud"}'"#,
            r#"tool call memory_set_block '{"name":"persona","value":"Loud","layer":4}'"#,
            r#"tool call memory_forget '{"ref":"blocks:persona"}'"#,
            "block get persona",
            "block approve",
            "block approve --json",
            "block set persona 'Calm and kind'",
            "block approve persona@4",
            "block approve persona",
            "block approve persona --force --reason 'they asked twice'",
            "block approve",
            r#"tool call memory_set_block '{"name":"values","value":"Honesty"}'"#,
            "block list --layer 2",
            "block reject values",
            "why blocks:persona",
            "recall 'loud honesty' --config recall.backend=sqlite_fts",
        ],
        &expect![[r#"
            $ memtape block set persona 'Calm and exact'
            persona: set, layer 2 (identity)
            $ memtape tool call memory_set_block '{"name":"persona","value":"Loud"}'
            Cannot modify identity blocks (layer 2). These require owner approval. The change of 'persona' is pending: `memtape block approve persona`
            $ memtape tool call memory_set_block '{"name":"persona","value":"Loud","layer":4}'
            ! error: block persona belongs to layer 2 (identity), which cannot change: omit `layer`
            [exit 2]
            $ memtape tool call memory_forget '{"ref":"blocks:persona"}'
            ! error: only the owner can change blocks of the identity layer: on the command line, run `memtape forget blocks:persona`
            [exit 5]
            $ memtape block get persona
            Calm and exact
            $ memtape block approve
            persona proposed [NOW] by assistant in cli:direct
            --- persona (current)
            +++ persona (proposed)
            @@ -1 +1 @@
            -Calm and exact
            +Loud
            ! `memtape block approve persona@6` sets it, `memtape block reject persona` drops it
            $ memtape block approve --json
            [{"name":"persona","layer":2,"ref":"blocks:proposed/persona@6","proposed_at":"[NOW]","origin":"assistant","session":"cli:direct","value":"Loud","current":"Calm and exact","stale":false,"diff":"--- persona (current)\n+++ persona (proposed)\n@@ -1 +1 @@\n-Calm and exact\n+Loud\n"}]
            $ memtape block set persona 'Calm and kind'
            persona: set, layer 2 (identity)
            $ memtape block approve persona@4
            ! error: the proposal of entry 4 for persona is no longer pending: the pending one is persona@6
            ! hint: `memtape block approve` lists the pending proposals
            [exit 3]
            $ memtape block approve persona
            ! error: stale: block persona changed after the proposal; it now contains "Calm and kind", and the proposal is "Loud"
            ! hint: `memtape block approve persona --force` applies it anyway, `memtape block reject persona` rejects it
            [exit 4]
            $ memtape block approve persona --force --reason 'they asked twice'
            persona: approved, it says now: Loud
            $ memtape block approve
            ! No pending changes.
            $ memtape tool call memory_set_block '{"name":"values","value":"Honesty"}'
            Cannot modify identity blocks (layer 2). These require owner approval. The change of 'values' is pending: `memtape block approve values`
            $ memtape block list --layer 2
            layer 2 (identity)
              communication_style (empty)
              persona: Loud
              values [1 change pending] (empty)
            $ memtape block reject values
            values: rejected
            $ memtape why blocks:persona
            blocks:persona@4
              Calm and exact
            created   by entry 4 (block.set), [NOW] UTC, from user
            superseded by entry 7 (block.set), [NOW] UTC, from user
            blocks:persona@7
              Calm and kind
            created   by entry 7 (block.set), [NOW] UTC, from user
            superseded by entry 8 (block.set), [NOW] UTC, from user, because: they asked twice
            blocks:persona@8
              Loud
            created   by entry 8 (block.set), [NOW] UTC, from user, because: they asked twice
            approved  blocks:proposed/persona@6, which an agent had proposed
            current
            $ memtape recall 'loud honesty' --config recall.backend=sqlite_fts
            blocks:persona@8 · score [SCORE] · cli:direct · recorded [NOW]
              Loud
        "#]],
    );
}

#[test]
fn a_turn_can_begin_without_a_message() {
    let home = Home::new();
    home.check(
        &[
            "turn --trigger perch -m '2hr tick: I prefer tea' --reply 'Nothing to do.' --session telegram:7",
            "turn --trigger cron -m 'weekly review' --user 7 --session telegram:7",
            "turn --trigger often -m x",
        ],
        &expect![[r#"
            $ memtape turn --trigger perch -m '2hr tick: I prefer tea' --reply 'Nothing to do.' --session telegram:7
            message  messages:6
            reply    messages:7

            recalled 0
            No matches.

            captured 0
            $ memtape turn --trigger cron -m 'weekly review' --user 7 --session telegram:7
            ! error: a cron turn has no sender: omit the user and the message that it replies to
            [exit 2]
            $ memtape turn --trigger often -m x
            ! error: invalid value 'often' for '--trigger <KIND>': unknown trigger "often": expected message, perch or cron
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
}

#[test]
fn a_ref_of_a_block_may_use_its_alias() {
    let home = Home::new();
    home.setup(&["block set focus one"]);
    home.check(
        &["show blocks:focus", "why blocks:focus", "show focus", "resolve blocks:focus --ours"],
        &expect![[r#"
            $ memtape show blocks:focus
            blocks:current_focus@4
              one
            recorded  entry 4, [NOW] UTC, from user, in cli:direct
            scope     workspace:[ID]:global
            current
            $ memtape why blocks:focus
            blocks:current_focus@4
              one
            created   by entry 4 (block.set), [NOW] UTC, from user
            current
            $ memtape show focus
            blocks:current_focus@4
              one
            recorded  entry 4, [NOW] UTC, from user, in cli:direct
            scope     workspace:[ID]:global
            current
            $ memtape resolve blocks:focus --ours
            ! error: no open conflict about blocks:current_focus
            ! hint: `memtape conflicts` lists the open conflicts
            [exit 3]
        "#]],
    );
}
