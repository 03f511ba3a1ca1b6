//! The `import` command.

use expect_test::expect;

use crate::harness::Home;

const TAPE: &str = r##"{"id": 1, "kind": "anchor", "payload": {"name": "memory/open", "state": {"version": 1}}, "meta": {}}
{"id": 2, "kind": "event", "payload": {"name": "memory.long_term", "data": {"content": "- drinks green tea", "updated_at": "2026-02-10T08:00:00+00:00"}}, "meta": {}}
{"id": 3, "kind": "anchor", "payload": {"name": "memory/seal", "state": {"version": 1}}, "meta": {}}
{"id": 4, "kind": "message", "payload": {"role": "user", "content": "I prefer window seats."}, "meta": {}, "date": "2026-03-01T08:00:00.000000+00:00"}
{"id": 5, "kind": "message", "payload": {"role": "assistant", "content": "Noted."}, "meta": {}, "date": "2026-03-01T08:00:01.000000+00:00"}
{"id": 6, "kind": "message
"##;

fn home() -> Home {
    let home = Home::new();
    home.write("tapes/5d41__ab.jsonl", TAPE);
    home
}

#[test]
fn a_dry_run_says_what_the_import_does_and_it_is_done_once() {
    home().check(
        &[
            "import detect tapes",
            "import bub tapes --dry-run",
            "import bub tapes --dry-run --capture",
            "zone show",
            "import bub tapes --capture",
            "import bub tapes --capture",
            "zone show",
            "search seats",
            "import bub tapes --json",
            "import detect tapes --json",
        ],
        &expect![[r#"
            $ memtape import detect tapes
            bub: tapes of Bub (HASH__NAME.jsonl), 1 file
            $ memtape import bub tapes --dry-run
            Would import from bub: 1 long-term line, 2 messages.
            Left out 1 item.
            ! left out 5d41__ab.jsonl:6: the line is not JSON: EOF while parsing a string
            $ memtape import bub tapes --dry-run --capture
            Would import from bub: 1 long-term line, 2 messages.
            Would capture 1 statement from conversations.
            Left out 1 item.
            ! left out 5d41__ab.jsonl:6: the line is not JSON: EOF while parsing a string
            $ memtape zone show
            $ memtape import bub tapes --capture
            Imported from bub: 1 long-term line, 2 messages.
            Captured 1 statement from conversations.
            What was captured is 1 commit of the conversations: memtape undo --session CHAT takes back the last one.
            Left out 1 item.
            ! left out 5d41__ab.jsonl:6: the line is not JSON: EOF while parsing a string
            ! The messages are found by their words. To find them by meaning, too: memtape reindex --vectors
            $ memtape import bub tapes --capture
            Nothing new from bub.
            Already there: 1 long-term line, 2 messages.
            Left out 1 item.
            ! left out 5d41__ab.jsonl:6: the line is not JSON: EOF while parsing a string
            $ memtape zone show
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            - drinks green tea
            </memory>
            $ memtape search seats
            statements:2ab7a959be898f5e@11 · score [SCORE] · preference · channel:bub:chat:ab · importance 0.85 · confidence 0.96 · 2026-03-01 08:00
              I prefer window seats
            $ memtape import bub tapes --json
            {"source":"bub","items":[{"item":"long-term line","form":"zone","added":0,"present":1,"left_out":0,"removed":0},{"item":"message","form":"messages","added":0,"present":2,"left_out":0,"removed":0}],"left_out_count":1,"left_out":[{"place":"5d41__ab.jsonl:6","why":"the line is not JSON: EOF while parsing a string"}],"beside":[],"proposed":[],"undated":[],"unwanted":0,"quarantined":0,"captured":0,"commits":0,"branch_commits":{},"capture_commits":0,"dry_run":false}
            $ memtape import detect tapes --json
            [{"source":"bub","about":"tapes of Bub (HASH__NAME.jsonl)","files":1}]
        "#]],
    );
}

#[test]
fn failures_say_what_to_do() {
    let home = home();
    home.write("empty/readme.txt", "nothing\n");
    home.write("export.zip", "PK\u{3}\u{4}rest");
    home.check(
        &[
            "import nobody tapes",
            "import pegasus tapes",
            "import bub missing",
            "import bub export.zip",
            "import detect empty",
            "import detect empty --json",
            "import detect empty --dry-run",
            "import detect empty --capture --json",
            "import detect empty --allow-gaps",
            "import detect",
            "import bub tapes --branch nowhere",
            "import bub tapes --session :",
            "import nobody tapes --json",
        ],
        &expect![[r#"
            $ memtape import nobody tapes
            ! error: there is no source "nobody"
            ! hint: the sources are anthropic-chat, basic-memory, bub, bud, claude-code, codex, letta, mcp-memory, mem0, nanobot, nanobot-ledger, openai-chat, openclaw, pegasus, yeoman
            [exit 2]
            $ memtape import pegasus tapes
            ! error: tapes holds nothing of pegasus: expected the memory folder of Pegasus (facts/, episodes/)
            ! hint: `memtape import detect tapes` shows what can be imported from there
            [exit 3]
            $ memtape import bub missing
            ! error: cannot read missing: there is no such file or folder
            [exit 3]
            $ memtape import bub export.zip
            ! error: export.zip is a zip archive: unpack it, and import the folder that it contains
            [exit 5]
            $ memtape import detect empty
            No program's memory is recognized in empty.
            $ memtape import detect empty --json
            []
            $ memtape import detect empty --dry-run
            ! error: import detect has no --dry-run
            [exit 2]
            $ memtape import detect empty --capture --json
            ! {"error":{"kind":"invalid","message":"import detect has no --capture","hint":null}}
            [exit 2]
            $ memtape import detect empty --allow-gaps
            ! error: import detect has no --allow-gaps
            [exit 2]
            $ memtape import detect
            ! error: the following required arguments were not provided:
            !   <PATH>
            !
            ! Usage: memtape import <SOURCE> <PATH>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape import bub tapes --branch nowhere
            ! error: there is no branch "nowhere"
            ! hint: `memtape branch list` lists the branches
            [exit 3]
            $ memtape import bub tapes --session :
            ! error: invalid value ':' for '--session <CHANNEL:CHAT[:THREAD]>': invalid session ":" (a part is empty): expected CHANNEL:CHAT or CHANNEL:CHAT:THREAD
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape import nobody tapes --json
            ! {"error":{"kind":"invalid","message":"there is no source \"nobody\"","hint":"the sources are anthropic-chat, basic-memory, bub, bud, claude-code, codex, letta, mcp-memory, mem0, nanobot, nanobot-ledger, openai-chat, openclaw, pegasus, yeoman"}}
            [exit 2]
        "#]],
    );
}

#[test]
fn the_help_lists_the_sources() {
    home().check(
        &["import -h"],
        &expect![[r#"
            $ memtape import -h
            Import the memory of another program

            Usage: memtape import [OPTIONS] <SOURCE> <PATH>

            Arguments:
              <SOURCE>  The program that wrote the memory, `memtape` for an export with its history, or `detect`
                        to list the programs whose memory PATH looks like
              <PATH>    The file or directory, which is only read; with `memtape`, - is standard input

            Options:
                  --dry-run
                      Report what the import would do, and change nothing
                  --session <CHANNEL:CHAT[:THREAD]>
                      The session of messages that name none [default: cli:direct]
                  --capture
                      Capture statements from what people said, as of the time when they said it
                  --allow-gaps
                      With `memtape`, import a tape in which entries are missing, such as the export of a
                      damaged workspace
              -h, --help
                      Print help (see more with '--help')
              -V, --version
                      Print version

            Shared options:
              -C, --workspace <DIR>     The workspace's directory [default: $MEMTAPE_WORKSPACE, else the nearest
                                        trusted directory above that has a tape]
                  --global              Use your own workspace, ~/.memtape, which belongs to no directory
                  --branch <BRANCH>     The branch to read and write [default: the branch of the conversation]
                  --json                Print JSON: one document, or one line for each entry of the tape
                  --config <KEY=VALUE>  Set a configuration key for this command (repeatable)
                  --color <WHEN>        When to print colors [default: auto] [possible values: auto, always,
                                        never]

            Sources:
              memtape         an export in the format jsonl, or the tape of another workspace
              anthropic-chat  the data export of Claude, unpacked
              basic-memory    a project folder of Basic Memory
              bub             tapes of Bub (HASH__NAME.jsonl)
              bud             the state of Bud (memory.db, journal.jsonl)
              claude-code     Claude Code: ~/.claude, one of its projects, or a repository
              codex           Codex: ~/.codex, or a folder or file of its sessions
              letta           agent files of Letta (.af)
              mcp-memory      the memory file of the MCP reference server
              mem0            memories of mem0: JSON of its API, or its history.db
              nanobot         a nanobot workspace (memory/MEMORY.md, HISTORY.md, history.jsonl)
              nanobot-ledger  the git-like memory of nanobot (memory/branches, memory/ledger)
              openai-chat     the data export of ChatGPT, unpacked
              openclaw        the workspace of an OpenClaw agent
              pegasus         the memory folder of Pegasus (facts/, episodes/)
              yeoman          the long-term memory of yeoman (longterm.db)
        "#]],
    );
}

#[test]
fn a_dry_run_warns_of_secrets() {
    let home = home();
    home.write("agent/MEMORY.md", "- the password is hunter2-Xk29vbQq\n");
    home.check(
        &["import openclaw agent --dry-run", "import openclaw agent"],
        &expect![[r#"
            $ memtape import openclaw agent --dry-run
            Would import from openclaw: 1 long-term line.
            ! warning: a secret would be redacted (password)
            $ memtape import openclaw agent
            Imported from openclaw: 1 long-term line.
            ! warning: a secret was redacted before writing (password)
        "#]],
    );
}

#[test]
fn messages_without_a_date_and_proposals_are_reported() {
    let home = Home::new();
    let line = |uuid: &str, time: &str, text: &str| {
        let message = format!(r#"{{"role":"user","content":"{text}"}}"#);
        format!(
            r#"{{"type":"user","uuid":"{uuid}","sessionId":"s","cwd":"/app","timestamp":{time},"message":{message}}}"#
        )
    };
    let lines = [
        line("1", "null", "I live in Porto."),
        line("2", "\"2024-03-02T08:00:00Z\"", "We moved here yesterday."),
        line("3", "\"2026-13-45T08:00:00Z\"", "I prefer window seats."),
        line("4", "\"9999-01-01T08:00:00Z\"", "The end \\ud83d"),
    ];
    home.write("a.jsonl", lines.join("\n") + "\n");
    home.write("agent/SOUL.md", "Calm and exact\n");
    home.check(
        &[
            "import claude-code a.jsonl --dry-run",
            "import claude-code a.jsonl --capture",
            "import claude-code a.jsonl --json",
            "search 'window seats'",
            "search Porto",
            "search moved",
            "import openclaw agent --dry-run",
            "import openclaw agent",
            "log -n 1",
        ],
        &expect![[r#"
            $ memtape import claude-code a.jsonl --dry-run
            Would import from claude-code: 4 messages.
            3 items have no readable date. The date of a message beside it, or of the file, stands in for it.
            $ memtape import claude-code a.jsonl --capture
            Imported from claude-code: 4 messages.
            Captured 2 statements from conversations.
            3 items have no readable date. The date of a message beside it, or of the file, stands in for it.
            What was captured is 2 commits of the conversations: memtape undo --session CHAT takes back the last one.
            ! The messages are found by their words. To find them by meaning, too: memtape reindex --vectors
            $ memtape import claude-code a.jsonl --json
            {"source":"claude-code","items":[{"item":"message","form":"messages","added":0,"present":4,"left_out":0,"removed":0}],"left_out_count":0,"left_out":[],"beside":[],"proposed":[],"undated":[],"unwanted":0,"quarantined":0,"captured":0,"commits":0,"branch_commits":{},"capture_commits":0,"dry_run":false}
            $ memtape search 'window seats'
            statements:3ce954ca0d15d3a1@12 · score [SCORE] · preference · channel:project:user:owner · importance 0.85 · confidence 0.96 · 2024-03-02 08:00
              I prefer window seats
            statements:058fef0fcbbee956@10 · score [SCORE] (weak) · fact · channel:project:user:owner · importance 0.80 · confidence 0.95 · 2024-03-02 08:00
              I live in Porto
            $ memtape search Porto
            statements:058fef0fcbbee956@10 · score [SCORE] · fact · channel:project:user:owner · importance 0.80 · confidence 0.95 · 2024-03-02 08:00
              I live in Porto
            statements:3ce954ca0d15d3a1@12 · score [SCORE] (weak) · preference · channel:project:user:owner · importance 0.85 · confidence 0.96 · 2024-03-02 08:00
              I prefer window seats
            $ memtape search moved
            statements:058fef0fcbbee956@10 · score [SCORE] · fact · channel:project:user:owner · importance 0.80 · confidence 0.95 · 2024-03-02 08:00
              I live in Porto
            statements:3ce954ca0d15d3a1@12 · score [SCORE] (weak) · preference · channel:project:user:owner · importance 0.85 · confidence 0.96 · 2024-03-02 08:00
              I prefer window seats
            $ memtape import openclaw agent --dry-run
            Would import from openclaw: 1 block version.
            1 change of the agent's identity would wait for you: memtape block approve
            $ memtape import openclaw agent
            Imported from openclaw: 1 block version.
            1 change of the agent's identity waits for you: memtape block approve
            $ memtape log -n 1
            commit @15 (main) · [NOW] · import
              remembered: [proposal for block persona]
                + blocks:proposed/persona [proposal for block persona]
            ! … 2 commits before these: `-n all` prints them
        "#]],
    );
    home.write("late.jsonl", line("5", "null", "I like tea."));
    let ran = home.run("import claude-code late.jsonl --json");
    assert!(ran.raw().contains("\"undated\":[{\"place\":\"late.jsonl:1\",\"dated\":\"20"), "{}", ran.raw());
}

/// What cannot be undone at once is said, and how to undo all of it.
#[test]
fn an_import_says_how_to_take_it_back() {
    let home = Home::new();
    let memory = |n: u32| format!(r#"{{"id":"{n}","memory":"memory {n}","created_at":"2026-01-01"}}"#);
    let memories: Vec<_> = (0..5001).map(memory).collect();
    home.write("memories.json", format!("[{}]", memories.join(",")));
    home.check(
        &["import mem0 memories.json"],
        &expect![[r#"
            $ memtape import mem0 memories.json
            Imported from mem0: 5001 statements.
            Made 2 commits: memtape undo takes back the last one, 2 times all.
        "#]],
    );
    home.setup(&["undo", "undo"]);
    home.check(
        &["search -q memory"],
        &expect![[r#"
            $ memtape search -q memory
            No matches.
        "#]],
    );
    home.write("one.json", format!("[{}]", memory(1)));
    home.setup(&["branch create work"]);
    home.check(
        &[
            "import mem0 one.json --branch work",
            "undo --branch work",
            "import mem0 one.json --session telegram:1",
            "undo --session telegram:1",
        ],
        &expect![[r#"
            $ memtape import mem0 one.json --branch work
            Imported from mem0: 1 statement.
            Made 1 commit on branch work: memtape undo --branch work takes it back.
            $ memtape undo --branch work
            undid @10012 ([COMMIT] @10014)
            - statements:bba2b7e7ea2e3604 memory 1
            $ memtape import mem0 one.json --session telegram:1
            Imported from mem0: 1 statement.
            Made 1 commit: memtape undo --session telegram:1 takes it back.
            $ memtape undo --session telegram:1
            undid @10016 ([COMMIT] @10018)
            - statements:bba2b7e7ea2e3604 memory 1
        "#]],
    );
}
