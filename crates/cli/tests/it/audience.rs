//! The options `--session`, `--user`, `--scope` and `--sensitivity`: the audience of a command and of a memory.

mod users;

use expect_test::expect;

use crate::harness::Home;

/// Returns a workspace that declares a user, with memories for every audience.
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
        "remember 'Ana is shy in the garden' --user @ana --sensitivity private",
        "remember 'The garden gate opens with 1234' --session telegram:1 --sensitivity confidential",
        "remember 'The garden closes at six' --session telegram:1 --scope global",
        "remember 'The garden of the others is small' --session telegram:2",
        "zone daily '- mowed the garden' --date 2024-05-01 --session telegram:1",
        "ingest talk.jsonl",
    ]);
    home
}

#[test]
fn remember_prints_the_text_and_its_ref() {
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
        &expect![[r#"
            $ memtape remember tea --session telegram:1
            remembered (zone:09abc70e319b5f64@5)
            $ memtape remember tea --session telegram:1:thread
            it was there already (zone:09abc70e319b5f64)
            $ memtape remember tea --session telegram:2
            remembered (zone:2222367085267e0d@8)
            $ memtape remember tea --user telegram:42
            remembered (zone:7256cc859a0c347d@11)
            $ memtape remember tea --session telegram:1 --user 42 --scope user
            it was there already (zone:7256cc859a0c347d)
            $ memtape remember tea --session telegram:1 --scope global
            remembered (zone:a9f74d1ec36ebdeb@14)
            $ memtape remember tea
            it was there already (zone:a9f74d1ec36ebdeb)
            $ memtape remember tea --scope all
            it was there already (zone:a9f74d1ec36ebdeb)
            $ memtape remember tea --sensitivity private
            remembered (zone:2c5bf3e95e4c1ffa@17)
            $ memtape remember tea --sensitivity private
            it was there already (zone:2c5bf3e95e4c1ffa)
            $ memtape remember coffee --session telegram:1 --sensitivity confidential --json
            {"changed":true,"refs":["zone:5417b0afa03d2aa6@20"]}
            $ memtape status
            workspace  [DIR] ([ID])
            branch     main
            entries    21, the last of [NOW] UTC
            messages   0 in 0 conversations
            zone       version 7: 26 bytes of long-term memory, 0 daily notes
            notes      0 files, 0B
            files      0 files, 0B
            blocks     0 set
            statements 0
            vectors    none pending
        "#]],
    );
}

#[test]
fn each_audience_sees_its_own_memories() {
    let home = home();
    home.check(
        &[
            "zone show",
            "zone show --session telegram:1",
            "zone show --session telegram:1 --user 42",
            "zone show --session telegram:2",
        ],
        &expect![[r#"
            $ memtape zone show
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            ### The workspace's (`memory_save` replaces these lines)
            The garden opens at nine
            The garden closes at six

            ### User telegram:42's
            Ana grows roses in her garden
            Ana is shy in the garden

            ### Chat telegram:1's
            The garden shed is green

            ### Chat telegram:2's
            The garden of the others is small
            </memory>
            $ memtape zone show --session telegram:1
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            ### This chat's (`memory_save` replaces these lines)
            The garden shed is green

            ### The workspace's
            The garden opens at nine
            The garden closes at six
            </memory>
            $ memtape zone show --session telegram:1 --user 42
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            ### This chat's (`memory_save` replaces these lines)
            The garden shed is green

            ### The workspace's
            The garden opens at nine
            The garden closes at six

            ### The user's
            Ana grows roses in her garden
            Ana is shy in the garden
            </memory>
            $ memtape zone show --session telegram:2
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            ### This chat's (`memory_save` replaces these lines)
            The garden of the others is small

            ### The workspace's
            The garden opens at nine
            The garden closes at six
            </memory>
        "#]],
    );
}

#[test]
fn one_kind_of_scope_can_be_asked_for() {
    let home = home();
    home.check(
        &[
            "zone show --session telegram:2 --user 42 --scope user",
            "zone show --session telegram:3 --scope chat",
            "zone show --scope chat",
            "zone show --scope global",
            "zone show --session telegram:2 --scope all",
            "zone recall garden --session telegram:2",
            "zone recall 1234",
        ],
        &expect![[r#"
            $ memtape zone show --session telegram:2 --user 42 --scope user
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            Ana grows roses in her garden
            Ana is shy in the garden
            </memory>
            $ memtape zone show --session telegram:3 --scope chat
            $ memtape zone show --scope chat
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            ### Chat telegram:1's
            The garden shed is green

            ### Chat telegram:2's
            The garden of the others is small
            </memory>
            $ memtape zone show --scope global
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            The garden opens at nine
            The garden closes at six
            </memory>
            $ memtape zone show --session telegram:2 --scope all
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            ### This chat's (`memory_save` replaces these lines)
            The garden of the others is small

            ### The workspace's
            The garden opens at nine
            The garden closes at six
            </memory>
            $ memtape zone recall garden --session telegram:2
            [zone:6a4ed29678db1709] The garden of the others is small
            [zone:4549b46a2b71bf36] The garden closes at six
            [zone:a10e7756b7f64468] The garden opens at nine
            $ memtape zone recall 1234
            (no matches for '1234')
        "#]],
    );
}

#[test]
fn recall_is_limited_to_the_audience() {
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
    expect![[r#"

        channel:telegram:chat:1 · # 2024-05-01

        - mowed the garden
        channel:telegram:chat:1 · The garden shed is green
        channel:telegram:chat:1 · the garden party is in May
        channel:telegram:chat:2 · The garden of the others is small
        channel:telegram:chat:2 · the garden needs water
        channel:telegram:user:42 · Ana grows roses in her garden
        channel:telegram:user:42 · Ana is shy in the garden
        workspace:[ID]:global · The garden closes at six
        workspace:[ID]:global · The garden opens at nine
        --session telegram:1
        channel:telegram:chat:1 · # 2024-05-01

        - mowed the garden
        channel:telegram:chat:1 · The garden shed is green
        channel:telegram:chat:1 · the garden party is in May
        workspace:[ID]:global · The garden closes at six
        workspace:[ID]:global · The garden opens at nine
        --session telegram:1 --user 42
        channel:telegram:chat:1 · # 2024-05-01

        - mowed the garden
        channel:telegram:chat:1 · The garden shed is green
        channel:telegram:chat:1 · the garden party is in May
        channel:telegram:user:42 · Ana grows roses in her garden
        channel:telegram:user:42 · Ana is shy in the garden
        workspace:[ID]:global · The garden closes at six
        workspace:[ID]:global · The garden opens at nine
        --session telegram:1 --user 42 --scope user
        channel:telegram:user:42 · Ana grows roses in her garden
        channel:telegram:user:42 · Ana is shy in the garden
        --session telegram:2 --scope chat
        channel:telegram:chat:2 · The garden of the others is small
        channel:telegram:chat:2 · the garden needs water
        --user discord:ana
        channel:telegram:user:42 · Ana grows roses in her garden
        channel:telegram:user:42 · Ana is shy in the garden
        workspace:[ID]:global · The garden closes at six
        workspace:[ID]:global · The garden opens at nine
        --user telegram:7
        workspace:[ID]:global · The garden closes at six
        workspace:[ID]:global · The garden opens at nine
        --scope global
        workspace:[ID]:global · The garden closes at six
        workspace:[ID]:global · The garden opens at nine
    "#]]
    .assert_eq(&asking.map(found).concat());
}

#[test]
fn a_ref_outside_the_audience_is_not_found() {
    let home = home();
    let reference = |line: &str, text: &str| {
        let memories = home.run(&format!("recall '{text}' -n 1 --json {line}")).json();
        memories["hits"][0]["ref"].as_str().unwrap().to_owned()
    };
    let shed = reference("--session telegram:1 --scope chat", "shed green");
    let (reference, entry) = shed.split_once('@').unwrap();
    let elsewhere = |reference: &str, asking: &str| {
        home.run(&format!("show {reference} {asking}")).snapshot().replace(reference, "REF")
    };
    for asking in ["--session telegram:2", "--user @ana", "--session telegram:1 --scope global"] {
        assert_eq!(elsewhere(reference, asking), elsewhere("zone:0123456789abcdef", asking));
        let nothing = format!("zone:0123456789abcdef@{entry}");
        assert_eq!(elsewhere(&shed, asking), elsewhere(&nothing, asking));
    }
    home.check(
        &[
            &format!("show {reference} --session telegram:1"),
            &format!("show {reference} --session telegram:2"),
            &format!("show {reference} --session telegram:2 --json"),
            "show zone:2024-05-01/channel:telegram:chat:1 --session telegram:1",
            "show zone:2024-05-01/channel:telegram:chat:1 --user @ana",
            "show zone:2024-05-01",
        ],
        &expect![[r#"
            $ memtape show zone:153edd97f054bd57 --session telegram:1
            zone:153edd97f054bd57@11
              The garden shed is green
            recorded  entry 11, [NOW] UTC, from user, in telegram:1
            scope     channel:telegram:chat:1
            current
            $ memtape show zone:153edd97f054bd57 --session telegram:2
            ! error: zone:153edd97f054bd57 is not current
            ! hint: an earlier point may show it: --at POINT
            [exit 3]
            $ memtape show zone:153edd97f054bd57 --session telegram:2 --json
            ! {"error":{"kind":"not_found","message":"zone:153edd97f054bd57 is not current","hint":"an earlier point may show it: --at POINT"}}
            [exit 3]
            $ memtape show zone:2024-05-01/channel:telegram:chat:1 --session telegram:1
            zone:2024-05-01/channel:telegram:chat:1@26
              # 2024-05-01

              - mowed the garden
            recorded  entry 26, [NOW] UTC, from user, in telegram:1
            scope     channel:telegram:chat:1
            current
            $ memtape show zone:2024-05-01/channel:telegram:chat:1 --user @ana
            ! error: zone:2024-05-01/channel:telegram:chat:1 is not current
            ! hint: an earlier point may show it: --at POINT
            [exit 3]
            $ memtape show zone:2024-05-01
            ! error: zone:2024-05-01 is not current
            ! hint: an earlier point may show it: --at POINT
            [exit 3]
        "#]],
    );
}

#[test]
fn the_owner_sees_confidential_memories_by_ref() {
    let home = Home::new();
    let remembered = home
        .run("remember 'the gate opens with 1234' --session telegram:1 --sensitivity confidential --json")
        .json();
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
        &expect![[r#"
            $ memtape show zone:15e9ca3f872fccc5@5
            zone:15e9ca3f872fccc5@5
              the gate opens with [redacted:pin]
            recorded  entry 5, [NOW] UTC, from user, in telegram:1
            scope     channel:telegram:chat:1 (confidential)
            current
            $ memtape show zone:15e9ca3f872fccc5@5 --session telegram:1
            ! error: there is no zone:15e9ca3f872fccc5@5
            [exit 3]
            $ memtape recall gate
            No matches.
            $ memtape zone show
            $ memtape tool call memory_recall '{"query":"gate"}'
            (no matches for 'gate')
            $ memtape zone forget gate --session telegram:1
            ! error: no line of the zone contains "gate"
            [exit 3]
            $ memtape zone forget gate
            ! error: no line of the zone contains "gate"
            [exit 3]
        "#]],
    );
}

#[test]
fn a_tool_is_limited_to_the_audience() {
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
        &expect![[r#"
            $ memtape tool call memory_recall --session telegram:2
            ## Long-term Memory
            ### This chat's
            The garden of the others is small

            ### The workspace's
            The garden opens at nine
            The garden closes at six
            $ memtape tool call memory_recall '{"query":"shed"}' --session telegram:2
            [zone:4549b46a2b71bf36] The garden closes at six
            [zone:6a4ed29678db1709] The garden of the others is small
            [messages:31] user: the garden needs water
            [zone:a10e7756b7f64468] The garden opens at nine (weak)
            $ memtape tool call memory_forget '{"text":"shed"}' --session telegram:2
            ! error: no line of the zone contains "shed"
            [exit 3]
            $ memtape tool call memory_forget '{"text":"garden"}' --session telegram:2
            forgotten
            $ memtape tool call memory_save '{"content":"only this"}' --session telegram:2
            saved to long-term memory (this chat's lines; the workspace's are unchanged)
            $ memtape tool call memory_show --session telegram:2 --scope chat
            long_term=yes (only this)
            daily_notes=0
            $ memtape tool call memory_clear --owner --session telegram:2
            memory cleared
            $ memtape tool call memory_forget '{"text":"garden"}' --session telegram:1
            ! error: 2 lines of the zone contain "garden"; pass one of them in full:
            !   The garden shed is green
            !   - mowed the garden
            [exit 4]
            $ memtape tool call memory_forget '{"text":"garden"}'
            ! error: 2 lines of the zone contain "garden"; pass one of them in full:
            !   The garden opens at nine
            !   The garden closes at six
            [exit 4]
            $ memtape zone show --session telegram:1 --user 42
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            ### This chat's (`memory_save` replaces these lines)
            The garden shed is green

            ### The workspace's
            The garden opens at nine
            The garden closes at six

            ### The user's
            Ana grows roses in her garden
            Ana is shy in the garden
            </memory>
        "#]],
    );
}

#[test]
fn clear_removes_only_the_selected_scope() {
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
        &expect![[r#"
            $ memtape zone clear --yes --scope global
            2 memories forgotten (an earlier point still shows them: --at)
            $ memtape zone clear --yes --session telegram:2
            1 memory forgotten (an earlier point still shows it: --at)
            $ memtape zone show
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            ### User telegram:42's
            Ana grows roses in her garden
            Ana is shy in the garden

            ### Chat telegram:1's
            The garden shed is green
            </memory>
            $ memtape zone clear --yes --scope chat
            ! note: chat telegram:1 has such lines (`--session telegram:1` forgets them there)
            ! error: no chat is specified
            ! hint: specify the chat with --session
            [exit 2]
            $ memtape zone clear --yes
            nothing to forget
            ! note: chat telegram:1 has such lines (`--session telegram:1` forgets them there)
            ! note: user telegram:42 has such lines (`--user telegram:42` forgets them there)
            $ memtape zone show
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            ### User telegram:42's
            Ana grows roses in her garden
            Ana is shy in the garden

            ### Chat telegram:1's
            The garden shed is green
            </memory>
        "#]],
    );
}
