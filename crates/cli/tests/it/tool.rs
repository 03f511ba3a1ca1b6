//! The `tool` commands.

use expect_test::expect;

use crate::harness::Home;

#[test]
fn the_list_names_each_tool_with_its_arguments() {
    let home = Home::new();
    home.check(&["tool list"], &expect![[r#"
        $ memtape tool list
        memory_recall {query?, days?, limit?, offset?}
          Recall memories. With a query: the messages and memories that answer it, best first; (weak) marks remote matches, (open conflict) a memory with another version. Without: long-term memory and the notes of the last days.
        memory_save {content, mode?}
          Save long-term memory: lasting preferences and facts, one per line. By default the content replaces all of it; with mode "append" its lines are added. In a chat only the chat's lines are saved; the workspace's and the user's are unchanged.
        memory_daily {content, date?}
          Add to the daily notes of today or of another date: what was done and what happened.
        memory_add {subject, predicate, object, topic?, confidence?, evidence?}
          Store a fact as subject, predicate and object. If the slot has a value, the same value confirms it and another value replaces it; earlier values stay in the history.
        memory_forget {ref?, text?, date?, subject?, predicate?, topic?, reason?}
          Forget a memory: by its ref, as recall returns it (facts, statements, long-term lines, daily notes); facts by subject and predicate, in every topic unless `topic` names one; a long-term line by its text (all of it, or a part that only one line contains); or a daily note by its date. Earlier points still show it.
        memory_show {}
          Show a summary of the memory zone: its version, long-term memory and daily notes.
        memory_search {query?, subject?, predicate?, topic?, limit?}
          Search facts by the words of a query (all must match), by subject, by predicate, and by topic with its subtopics, or by lifetime (permanent, session, temporary). Highest confidence first; (open conflict) marks a fact with another value.
        memory_update {subject, predicate, new_value, topic?, reason?}
          Give an existing fact a new value, in any topic; if several topics have it, `topic` selects one. Earlier values stay in the history.
        memory_branch {action, name?, persona?}
          Manage personas, each with its own branch of memory: list them, show the current one, switch this conversation to another, or create one (forked from the current branch; this conversation switches to it). Other conversations stay on their branches.
        memory_history {limit?, show_events?}
          List the commits on this branch, newest first: what was remembered, changed and forgotten. With show_events, each with its changes.
        memory_consolidate {action?}
          Report what to consolidate: duplicates, contradictions, and memories that are uncertain, unused or expired, each with its ref. Changes nothing.
        memory_list {after?}
          List the memory files, each with its summary and its size in bytes: lasting facts, and episodes of past work. Read the files that are relevant to the task with memory_read.
        memory_read {path, offset?}
          Read a memory file, FOLDER/NAME.md. Read a long file in parts, by offset.
        memory_write {path, content}
          Write or overwrite a memory file: lasting facts as `- Key: value` lines. The line `> Summary:` is updated automatically. To change a part, use memory_patch.
        memory_patch {path, patches?, old_str?, new_str?}
          Replace text in a memory file: each old text must occur in it exactly once. Either all patches are applied or none. Pass `patches`, or one patch as `old_str` and `new_str`.
        memory_append {path, entry, summary?}
          Add an entry to a memory file, such as an episode to the month's, `episodes/2026-02.md`: `## Title`, then `- Summary:` in under ten words, `- Date:`, what was done, what was learnt. With `summary`, that is the file's summary.
        memory_get_block {name, offset?}
          Read a block in full, such as current_focus: the short texts that every prompt shows. Read a long block in parts, by offset.
        memory_set_block {name, value, layer?}
          Set a block; older versions are kept. Layer 3 is for what you learnt (owner_context, patterns, limitations), layer 4 for current work (current_focus, goals, schedule, and new names). Layer 2 is identity (persona, values, communication_style): a change is pending until the owner approves it.
        memory_list_blocks {}
          List the blocks by layer, each with the beginning of its text.
        memory_block_history {name, limit?}
          List the last versions of a block, oldest first.
        memory_journal {type, data}
          Add a line to the journal: a decision with its reason, an error with its recovery, what was read, what a call cost, or a type of your own. Messages, tool use, insights and changes of memory are recorded automatically.
        memory_file_read {path, offset?}
          Read a file of long-term memory: insights/DAY.md, research/PROJECT/NAME.md, or any other path, such as drafts/NAME.md. Read a long file in parts, by offset.
        memory_file_write {path, content}
          Write or overwrite a file of long-term memory: learnings as insights/DAY.md, research as research/PROJECT/NAME.md, anything else under any other path, such as drafts/NAME.md. Every version is kept.
        memory_skill {name?, offset?}
          Load a skill by name, as the prompt lists it. Without a name, list the skills and the skipped files. Read a long skill in parts, by offset.
    "#]]);
    let core = home.run("tool list").stdout;
    let all = home.run("tool list --owner").stdout;
    expect![[r#"
        memory_clear {}
          Clear the long-term memory and the daily notes that memory_save and memory_daily write. Earlier points still show them.
    "#]]
    .assert_eq(all.strip_prefix(&core).unwrap());
}

#[test]
fn json_has_the_schema_of_each_tool() {
    let home = Home::new();
    let tools = home.run("tool list --owner --json").json();
    for tool in tools.as_array().unwrap() {
        let fields: Vec<_> = tool.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(fields, ["name", "description", "toolset", "read_only", "destructive", "input_schema"]);
        assert_eq!(tool["input_schema"]["type"], "object");
        assert_eq!(tool["input_schema"]["additionalProperties"], false);
    }
    let of = |name: &str| tools.as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap();
    assert_eq!(of("memory_save")["input_schema"]["required"], serde_json::json!(["content"]));
    assert_eq!(of("memory_recall")["read_only"], true);
    assert_eq!(of("memory_clear")["toolset"], "owner");
    assert_eq!(of("memory_clear")["destructive"], true);
}

#[test]
fn each_tool_can_be_called() {
    let home = Home::new();
    home.check(
        &[
            "tool call memory_show",
            "tool call memory_recall",
            "tool call memory_save '{\"content\":\"User likes tea.\"}'",
            "tool call memory_save '{\"content\":\"User lives in Porto.\",\"mode\":\"append\"}' --json",
            "tool call memory_save '{\"content\":\"User likes tea.\",\"mode\":\"append\"}'",
            "tool call memory_daily '{\"content\":\"- moved\"}'",
            "tool call memory_daily '{\"content\":\"- packed\",\"date\":\"2024-02-29\"}' --session telegram:1 --config zone.retention_days=36500",
            "tool call memory_recall '{\"query\":\"tea\"}'",
            "tool call memory_recall '{\"days\":1}'",
            // By words only: how near the heading of a daily note is to a question depends on the day.
            "tool call memory_recall '{\"query\":\"user\",\"limit\":1}' --json --config recall.backend=sqlite_fts",
            "tool call memory_show '{}'",
            "tool call memory_forget '{\"text\":\"likes tea\",\"reason\":\"asked to\"}'",
            "tool call memory_forget '{\"date\":\"2024-02-29\"}'",
            "tool call memory_clear --owner",
            "tool call memory_show --json",
        ],
        &expect![[r#"
            $ memtape tool call memory_show
            version=1
            long_term=no
            daily_notes=0
            $ memtape tool call memory_recall
            (no memories stored)
            $ memtape tool call memory_save '{"content":"User likes tea."}'
            saved to long-term memory
            $ memtape tool call memory_save '{"content":"User lives in Porto.","mode":"append"}' --json
            {"reply":"saved to long-term memory"}
            $ memtape tool call memory_save '{"content":"User likes tea.","mode":"append"}'
            already in long-term memory
            $ memtape tool call memory_daily '{"content":"- moved"}'
            appended to daily notes (today)
            $ memtape tool call memory_daily '{"content":"- packed","date":"2024-02-29"}' --session telegram:1 --config zone.retention_days=36500
            appended to daily notes (2024-02-29)
            $ memtape tool call memory_recall '{"query":"tea"}'
            [zone:73e258d02bf7ff96] User likes tea.
            [zone:751f43d66e7c4181] User lives in Porto. (weak)
            $ memtape tool call memory_recall '{"days":1}'
            ## Long-term Memory
            User likes tea.
            User lives in Porto.

            ### [TODAY]
            # [TODAY]

            - moved
            $ memtape tool call memory_recall '{"query":"user","limit":1}' --json --config recall.backend=sqlite_fts
            {"reply":"[zone:73e258d02bf7ff96] User likes tea.\n(1 more: raise the limit, or use other words)"}
            $ memtape tool call memory_show '{}'
            version=5
            long_term=yes (User likes tea.
            User lives in Porto.)
            daily_notes=2 (latest: [TODAY])
            $ memtape tool call memory_forget '{"text":"likes tea","reason":"asked to"}'
            forgotten
            $ memtape tool call memory_forget '{"date":"2024-02-29"}'
            ! error: the daily note of 2024-02-29 belongs to channel:telegram:chat:1 and cannot be changed from here
            [exit 5]
            $ memtape tool call memory_clear --owner
            memory cleared
            $ memtape tool call memory_show --json
            {"reply":"version=7\nlong_term=no\ndaily_notes=1 (latest: 2024-02-29)"}
        "#]],
    );
    home.run("show zone:2024-02-29 --at 15").check(&expect![[r#"
        ! error: zone:2024-02-29 is not current
        ! hint: an earlier point may show it: --at POINT
        [exit 3]
    "#]]);
}

#[test]
fn dotted_names_mean_the_same() {
    let home = Home::new();
    home.check(
        &[
            "tool call memory.save '{\"content\":\"tea\"}'",
            "tool call memory.recall",
            "tool call memory.clear",
        ],
        &expect![[r#"
            $ memtape tool call memory.save '{"content":"tea"}'
            saved to long-term memory
            $ memtape tool call memory.recall
            ## Long-term Memory
            tea
            $ memtape tool call memory.clear
            ! error: memory_clear is a tool for the owner: it can be called only where the owner allows it
            [exit 5]
        "#]],
    );
}

#[test]
fn an_unknown_tool_is_an_error() {
    let home = Home::new();
    home.check(
        &[
            "tool call memory_erase",
            "tool call memory_erase --owner --json",
            "tool call Memory_Save",
            "tool call ''",
            "tool call",
        ],
        &expect![[r#"
            $ memtape tool call memory_erase
            ! error: unknown tool "memory_erase": expected one of memory_recall, memory_save, memory_daily, memory_add, memory_forget, memory_show, memory_search, memory_update, memory_branch, memory_history, memory_consolidate, memory_list, memory_read, memory_write, memory_patch, memory_append, memory_get_block, memory_set_block, memory_list_blocks, memory_block_history, memory_journal, memory_file_read, memory_file_write, memory_skill
            [exit 3]
            $ memtape tool call memory_erase --owner --json
            ! {"error":{"kind":"not_found","message":"unknown tool \"memory_erase\": expected one of memory_recall, memory_save, memory_daily, memory_add, memory_forget, memory_show, memory_search, memory_update, memory_branch, memory_history, memory_consolidate, memory_list, memory_read, memory_write, memory_patch, memory_append, memory_get_block, memory_set_block, memory_list_blocks, memory_block_history, memory_journal, memory_file_read, memory_file_write, memory_skill, memory_clear","hint":null}}
            [exit 3]
            $ memtape tool call Memory_Save
            ! error: unknown tool "Memory_Save": expected one of memory_recall, memory_save, memory_daily, memory_add, memory_forget, memory_show, memory_search, memory_update, memory_branch, memory_history, memory_consolidate, memory_list, memory_read, memory_write, memory_patch, memory_append, memory_get_block, memory_set_block, memory_list_blocks, memory_block_history, memory_journal, memory_file_read, memory_file_write, memory_skill
            [exit 3]
            $ memtape tool call ''
            ! error: unknown tool "": expected one of memory_recall, memory_save, memory_daily, memory_add, memory_forget, memory_show, memory_search, memory_update, memory_branch, memory_history, memory_consolidate, memory_list, memory_read, memory_write, memory_patch, memory_append, memory_get_block, memory_set_block, memory_list_blocks, memory_block_history, memory_journal, memory_file_read, memory_file_write, memory_skill
            [exit 3]
            $ memtape tool call
            ! error: the following required arguments were not provided:
            !   <NAME>
            !
            ! Usage: memtape tool call <NAME> [ARGUMENTS]
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
}

#[test]
fn the_owners_tool_needs_the_owner() {
    let home = Home::new();
    home.setup(&["remember tea"]);
    let before = home.tape();
    home.check(&["tool call memory_clear", "tool call memory_clear --json"], &expect![[r#"
        $ memtape tool call memory_clear
        ! error: memory_clear is a tool for the owner: it can be called only where the owner allows it
        [exit 5]
        $ memtape tool call memory_clear --json
        ! {"error":{"kind":"refused","message":"memory_clear is a tool for the owner: it can be called only where the owner allows it","hint":null}}
        [exit 5]
    "#]]);
    assert_eq!(home.tape(), before);
    home.check(
        &["tool call memory_clear --owner", "tool call memory_clear --owner"],
        &expect![[r#"
            $ memtape tool call memory_clear --owner
            memory cleared
            $ memtape tool call memory_clear --owner
            memory cleared
        "#]],
    );
}

#[test]
fn arguments_that_do_not_fit_are_explained() {
    let home = Home::new();
    let before = home.tape();
    home.check(
        &[
            "tool call memory_save '{\"content\":'",
            "tool call memory_save tea",
            "tool call memory_save",
            "tool call memory_save '{\"content\":7}'",
            "tool call memory_save '{\"content\":\"\"}'",
            "tool call memory_save '{\"content\":\"tea\",\"mode\":\"merge\"}'",
            "tool call memory_save '{\"text\":\"tea\"}'",
            "tool call memory_daily '{\"content\":\"tea\",\"date\":\"soon\"}'",
            "tool call memory_recall '{\"days\":-1}'",
            "tool call memory_forget",
            "tool call memory_forget '{\"text\":\"tea\",\"date\":\"2024-02-29\"}'",
            "tool call memory_forget '{\"text\":\"tea\"}'",
            "tool call memory_forget '{\"ref\":\"messages:1\"}'",
            "tool call memory_forget '{\"ref\":\"tea\"}'",
            "tool call memory_forget '{\"ref\":\"zone:0123456789abcdef\"}' --json",
        ],
        &expect![[r#"
            $ memtape tool call memory_save '{"content":'
            ! error: ARGUMENTS is not JSON: EOF while parsing a value at line 1 column 11
            [exit 2]
            $ memtape tool call memory_save tea
            ! error: ARGUMENTS is not JSON: expected ident at line 1 column 2
            [exit 2]
            $ memtape tool call memory_save
            ! error: invalid arguments: missing field `content`
            [exit 2]
            $ memtape tool call memory_save '{"content":7}'
            ! error: invalid argument content: invalid type: integer `7`, expected a string
            [exit 2]
            $ memtape tool call memory_save '{"content":""}'
            ! error: cannot remember an empty text
            ! hint: memory_forget removes memories
            [exit 2]
            $ memtape tool call memory_save '{"content":"tea","mode":"merge"}'
            ! error: invalid argument mode: unknown variant `merge`, expected `replace` or `append`
            [exit 2]
            $ memtape tool call memory_save '{"text":"tea"}'
            ! error: invalid arguments: unknown field `text`, expected `content` or `mode`
            [exit 2]
            $ memtape tool call memory_daily '{"content":"tea","date":"soon"}'
            ! error: invalid day "soon": expected 2026-02-10, yesterday or "2 days ago"
            [exit 2]
            $ memtape tool call memory_recall '{"days":-1}'
            ! error: invalid argument days: invalid value: integer `-1`, expected an integer that is not negative
            [exit 2]
            $ memtape tool call memory_forget
            ! error: pass exactly one of: ref, text, date, subject with predicate
            [exit 2]
            $ memtape tool call memory_forget '{"text":"tea","date":"2024-02-29"}'
            ! error: pass exactly one of: ref, text, date, subject with predicate
            [exit 2]
            $ memtape tool call memory_forget '{"text":"tea"}'
            ! error: no line of the zone contains "tea"
            [exit 3]
            $ memtape tool call memory_forget '{"ref":"messages:1"}'
            ! error: messages cannot be forgotten: memory_forget removes facts, statements, blocks, and the zone's lines and notes
            [exit 5]
            $ memtape tool call memory_forget '{"ref":"tea"}'
            ! error: invalid ref "tea": expected FORM:KEY or FORM:KEY@ENTRY
            [exit 2]
            $ memtape tool call memory_forget '{"ref":"zone:0123456789abcdef"}' --json
            ! {"error":{"kind":"not_found","message":"zone:0123456789abcdef is not current","hint":null}}
            [exit 3]
        "#]],
    );
    assert_eq!(home.tape(), before);
}

#[test]
fn arguments_are_an_object() {
    let home = Home::new();
    for arguments in ["[]", "7", "\"tea\"", "true"] {
        let ran = home.command("tool call memory_save").arg(arguments).run();
        assert_eq!(ran.code, 2, "{arguments}: {}", ran.snapshot());
    }
}

#[test]
fn arguments_are_no_list() {
    let ran = Home::new().command("tool call memory_save").arg(r#"["tea"]"#).run();
    assert_eq!(ran.code, 2, "{}", ran.snapshot());
}

#[test]
fn errors_of_commands_name_commands() {
    let home = Home::new();
    home.setup(&["block set patterns Tea."]);
    for line in [
        "note read facts/tea.md",
        "note log facts/tea.md",
        "note write facts/tea.md tea --session telegram:1",
        "block get nothing",
        "block set patterns tea --session telegram:1",
        "file write drafts/tea.md tea --session telegram:1",
        "fact update user is here",
        "show zone:0123456789abcdef",
        "checkout nowhere",
        "remember tea --scope chat",
        "zone save tea --scope user",
    ] {
        let ran = home.run(line);
        assert!(ran.code != 0 && !ran.stderr.contains("memory_"), "{line}: {}", ran.stderr);
    }
}

#[test]
fn a_tool_that_fails_sets_the_exit_status() {
    let home = Home::new();
    for (name, arguments, code) in [
        ("memory_branch", r#"{"action":"switch","name":"nowhere"}"#, 3),
        ("memory_update", r#"{"subject":"user","predicate":"is","new_value":"here"}"#, 3),
        ("memory_forget", r#"{"text":"nothing"}"#, 3),
        ("memory_read", r#"{"path":"facts/tea.md"}"#, 3),
    ] {
        let ran = home.run(&format!("tool call {name} '{arguments}'"));
        assert_eq!(ran.code, code, "{name}: {} {}", ran.stdout, ran.stderr);
    }
}

#[test]
fn sizes_are_those_of_the_audience() {
    let home = Home::new();
    home.setup(&["remember tea --session telegram:1"]);
    let bytes = || home.run("stats --session telegram:1 --json").json()["bytes"].clone();
    let before = bytes();
    assert!(before["index"].is_null(), "{before}");
    home.setup(&["remember 'a long text about something else' --session telegram:2"]);
    assert_eq!(bytes(), before);
}

#[test]
fn a_missing_block_sets_the_exit_status() {
    let home = Home::new();
    home.check(
        &[
            "tool call memory_get_block '{\"name\":\"nope\"}'",
            "tool call memory_block_history '{\"name\":\"nope\"}'",
        ],
        &expect![[r#"
            $ memtape tool call memory_get_block '{"name":"nope"}'
            ! error: there is no block nope
            ! hint: memory_list_blocks lists the blocks
            [exit 3]
            $ memtape tool call memory_block_history '{"name":"nope"}'
            ! error: there is no block nope
            ! hint: memory_list_blocks lists the blocks
            [exit 3]
        "#]],
    );
}

#[test]
fn the_toolset_of_the_owner_needs_a_flag() {
    let home = Home::new();
    home.setup(&["remember tea"]);
    for line in ["tool call memory_clear --toolset owner", "tool list --toolset owner"] {
        let ran = home.run(line);
        assert!(ran.code == 2 && ran.stderr.contains("pass --owner"), "{line}: {}", ran.snapshot());
    }
    assert!(home.run("zone show").raw().contains("tea"));
    home.setup(&["tool list --toolset owner --owner", "tool call memory_clear --toolset owner --owner"]);
    assert!(!home.run("zone show").raw().contains("tea"));
}
