//! `init`, `trust`, `status`, `reindex`, `completions`, `--help`, and which workspace a command means.

use std::fs;

use expect_test::expect;

use crate::harness::Home;

#[test]
fn init_makes_a_workspace_and_trusts_it() {
    let home = Home::bare();
    home.check(
        &["init", "trust", "status", "tape log", "zone show", "init", "verify"],
        &expect![[r#"
            $ memtape init
            [DIR]: a new workspace, 3 entries
            blocks to set with `memtape block set NAME VALUE`: communication_style, persona, values, limitations, owner_context, patterns, current_focus, goals, schedule
            $ memtape trust
            [DIR]
            $ memtape status
            workspace  [DIR] ([ID])
            branch     main
            entries    3, the last of [NOW] UTC
            messages   0 in 0 conversations
            zone       version 1: 0 bytes of long-term memory, 0 daily notes
            notes      0 files, 0B
            files      0 files, 0B
            blocks     0 set
            statements 0
            vectors    none waits
            $ memtape tape log
            #1 [NOW] [anchor] session/start state={"owner":"human"} (cli:direct)
            #2 [NOW] [anchor] memory/open state={"version":1} (cli:direct)
            #3 [NOW] [anchor] memory/seal state={"version":1} (cli:direct)
            $ memtape zone show
            $ memtape init
            [DIR]: this workspace was here already, 3 entries
            $ memtape verify
            3 entries: all as they were written
        "#]],
    );
    let mut files: Vec<_> =
        fs::read_dir(home.path("")).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
    files.retain(|name| !name.ends_with("-wal") && !name.ends_with("-shm"));
    files.sort();
    assert_eq!(files, ["index-v6.db", "lock", "memory.db", "tape.jsonl"]);
}

#[test]
fn init_takes_a_folder_or_the_one_of_c() {
    let home = Home::bare();
    home.check(
        &["init a/b", "init a/b", "-C c init", "init d -C e --json", "trust"],
        &expect![[r#"
            $ memtape init a/b
            [DIR]/a/b: a new workspace, 3 entries
            blocks to set with `memtape block set NAME VALUE`: communication_style, persona, values, limitations, owner_context, patterns, current_focus, goals, schedule
            $ memtape init a/b
            [DIR]/a/b: this workspace was here already, 3 entries
            $ memtape -C c init
            [DIR]/c: a new workspace, 3 entries
            blocks to set with `memtape block set NAME VALUE`: communication_style, persona, values, limitations, owner_context, patterns, current_focus, goals, schedule
            $ memtape init d -C e --json
            {"workspace":"[DIR]/d","id":"[ID]","entries":3}
            $ memtape trust
            [DIR]/a/b
            [DIR]/c
            [DIR]/d
        "#]],
    );
    assert!(home.path("d/tape.jsonl").exists() && !home.path("e").exists());
    home.write("taken", "a file");
    home.check(
        &["init taken", "init taken/under"],
        &expect![[r#"
            $ memtape init taken
            ! error: cannot make [DIR]/taken: File exists (os error 17)
            ! hint: what was acknowledged before is safe; see to the disk, then try again
            [exit 7]
            $ memtape init taken/under
            ! error: cannot make [DIR]/taken/under: Not a directory (os error 20)
            ! hint: what was acknowledged before is safe; see to the disk, then try again
            [exit 7]
        "#]],
    );
}

#[test]
fn a_workspace_is_found_from_a_folder_in_it() {
    let home = Home::new();
    home.setup(&["remember tea"]);
    home.write("deep/er/file", "");
    let show = home.command("zone recall tea").from(&home.path("deep/er")).run();
    show.check(&expect![[r#"
        [zone:a9f74d1ec36ebdeb] tea
    "#]]);
}

#[test]
fn a_tape_that_is_not_trusted_is_left_alone() {
    let home = Home::new();
    home.setup(&["remember secret", "trust --remove ."]);
    home.write("deep/file", "");
    home.check(
        &["zone recall secret", "zone recall secret"],
        &expect![[r#"
            $ memtape zone recall secret
            (no memories stored)
            ! note: [DIR] holds a tape but is not trusted: `memtape trust [DIR]` to use it
            ! note: a new workspace was made in [HOME]/.memtape
            $ memtape zone recall secret
            (no memories stored)
            ! note: [DIR] holds a tape but is not trusted: `memtape trust [DIR]` to use it
        "#]],
    );
    home.command("zone recall secret").from(&home.path("deep")).run().check(&expect![[r#"
        (no memories stored)
        ! note: [DIR] holds a tape but is not trusted: `memtape trust [DIR]` to use it
    "#]]);
    home.check(
        &["-C . zone recall secret", "trust .", "zone recall secret"],
        &expect![[r#"
            $ memtape -C . zone recall secret
            [zone:2bb80d537b1da3e3] secret
            $ memtape trust .
            [DIR] is trusted from now on
            $ memtape zone recall secret
            [zone:2bb80d537b1da3e3] secret
        "#]],
    );
}

#[test]
fn trust_says_what_it_changed() {
    let home = Home::bare();
    home.write("a/file", "");
    home.check(
        &[
            "trust",
            "trust a",
            "trust a",
            "trust --json",
            "trust --remove a",
            "trust --remove a",
            "trust a --json",
            "trust --remove",
        ],
        &expect![[r#"
            $ memtape trust
            $ memtape trust a
            [DIR]/a is trusted from now on
            $ memtape trust a
            [DIR]/a was trusted already
            $ memtape trust --json
            {"trusted":["[DIR]/a"]}
            $ memtape trust --remove a
            [DIR]/a is trusted no longer
            $ memtape trust --remove a
            [DIR]/a was not trusted
            $ memtape trust a --json
            {"workspace":"[DIR]/a","trusted":true,"changed":true}
            $ memtape trust --remove
            ! error: the following required arguments were not provided:
            !   <DIR>
            !
            ! Usage: memtape trust --remove <DIR>
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
}

#[test]
fn the_workspace_at_home_makes_itself_with_a_notice() {
    let home = Home::bare();
    home.check(
        &["remember tea", "remember coffee", "zone recall"],
        &expect![[r#"
            $ memtape remember tea
            remembered (zone:a9f74d1ec36ebdeb@5)
            ! note: a new workspace was made in [HOME]/.memtape
            $ memtape remember coffee
            remembered (zone:37290d74ac4d186e@8)
            $ memtape zone recall
            ## Long-term Memory
            tea
            coffee
        "#]],
    );
    assert!(home.at_home(".memtape/tape.jsonl").exists());
}

#[test]
fn a_folder_at_home_that_holds_something_else_is_no_workspace() {
    let home = Home::bare();
    fs::create_dir(home.at_home(".memtape")).unwrap();
    fs::write(home.at_home(".memtape/notes.txt"), "mine").unwrap();
    home.run("remember tea").check(&expect![[r#"
        ! error: there is no workspace in [HOME]/.memtape
        ! hint: make one with `memtape init [HOME]/.memtape`
        [exit 3]
    "#]]);
    assert!(!home.at_home(".memtape/tape.jsonl").exists());
}

#[test]
fn a_home_that_cannot_hold_a_workspace_is_said_to_be_so() {
    let home = Home::bare();
    fs::write(home.at_home(".memtape"), "a file").unwrap();
    home.run("remember tea").check(&expect![[r#"
        ! error: cannot make [HOME]/.memtape: File exists (os error 17)
        ! hint: what was acknowledged before is safe; see to the disk, then try again
        [exit 7]
    "#]]);
}

#[test]
fn a_named_folder_without_a_workspace_is_an_error_that_names_init() {
    let home = Home::bare();
    home.check(
        &["-C nowhere status", "remember tea -C nowhere", "-C nowhere verify"],
        &expect![[r#"
            $ memtape -C nowhere status
            ! error: there is no workspace in nowhere
            ! hint: make one with `memtape init nowhere`
            [exit 3]
            $ memtape remember tea -C nowhere
            ! error: there is no workspace in nowhere
            ! hint: make one with `memtape init nowhere`
            [exit 3]
            $ memtape -C nowhere verify
            ! error: there is no workspace in nowhere
            ! hint: make one with `memtape init nowhere`
            [exit 3]
        "#]],
    );
    home.command("status").env("MEMTAPE_WORKSPACE", "nowhere").run().check(&expect![[r#"
        ! error: there is no workspace in nowhere
        ! hint: make one with `memtape init nowhere`
        [exit 3]
    "#]]);
    assert!(!home.path("nowhere").exists());
}

#[test]
fn the_variable_names_a_workspace_and_c_comes_before_it() {
    let home = Home::new();
    home.setup(&["remember here", "init ../other", "-C ../other remember there"]);
    let ask =
        |line: &str, variable: &str| home.command(line).env("MEMTAPE_WORKSPACE", variable).run().snapshot();
    expect![[r#"
        ## Long-term Memory
        there
        ---
        ## Long-term Memory
        here
        ---
        ## Long-term Memory
        here
    "#]]
    .assert_eq(
        &[ask("zone recall", "../other"), ask("-C . zone recall", "../other"), ask("zone recall", "")]
            .join("---\n"),
    );
}

#[test]
fn status_counts_what_the_workspace_holds() {
    let home = Home::new();
    home.write(
        "talk.jsonl",
        r#"{"role":"user","content":"Hello"}
{"role":"user","content":"Hi","session":"telegram:1"}
{"role":"assistant","content":"Hi!","session":"telegram:1"}
"#,
    );
    home.setup(&["ingest talk.jsonl", "remember tea", "zone daily 'did a thing'"]);
    home.check(&["status", "status --json", "status --at 4", "status --at 2024-01-01"], &expect![[r#"
        $ memtape status
        workspace  [DIR] ([ID])
        branch     main
        entries    12, the last of [NOW] UTC
        messages   3 in 2 conversations
        zone       version 3: 3 bytes of long-term memory, 1 daily note
        notes      0 files, 0B
        files      0 files, 0B
        blocks     0 set
        statements 0
        vectors    3 memories wait for `memtape reindex --vectors`
        $ memtape status --json
        {"workspace":"[DIR]","id":"[ID]","branch":"main","entries":12,"last_date":"[NOW]","conversations":2,"memories":{"blocks":0,"files":0,"ledger":0,"messages":3,"notes":0,"statements":0,"zone":2},"statements":{"by_category":{},"expired":0},"blocks":{"waiting":0},"observations":{"waiting":0},"counters":{"memory_recall_hit":0,"memory_recall_miss":0,"memory_capture_saved":0,"memory_capture_dropped_low_conf":0,"memory_capture_dropped_safety":0,"memory_capture_deduped":0,"memory_prompt_chars":0},"notes":{"files":0,"bytes":0,"branch":null,"odd":[],"secrets":[],"waiting":[]},"files":{"files":0,"bytes":0,"branch":null,"odd":[],"secrets":[],"waiting":[]},"history":"none","vectors":{"waiting":{"known":0,"messages":3}},"zone":{"version":3,"long_term_bytes":3,"daily_notes":1}}
        $ memtape status --at 4
        workspace  [DIR] ([ID])
        branch     main
        entries    6, the last of [NOW] UTC
        messages   3 in 2 conversations
        zone       version 1: 0 bytes of long-term memory, 0 daily notes
        notes      0 files, 0B
        files      0 files, 0B
        blocks     0 set
        statements 0
        vectors    3 memories wait for `memtape reindex --vectors`
        $ memtape status --at 2024-01-01
        workspace  [DIR] ([ID])
        branch     main
        entries    0
        messages   0 in 0 conversations
        zone       version 0: 0 bytes of long-term memory, 0 daily notes
        notes      0 files, 0B
        files      0 files, 0B
        blocks     0 set
        statements 0
        vectors    none waits
    "#]]);
}

#[test]
fn an_index_is_rebuilt_whether_asked_for_lost_or_damaged() {
    let home = Home::new();
    home.setup(&["remember tea"]);
    home.check(
        &["reindex", "reindex --json"],
        &expect![[r#"
            $ memtape reindex
            the index was built anew from 6 entries
            $ memtape reindex --json
            {"entries":6}
        "#]],
    );
    let index = home.path("index-v6.db");
    for name in ["index-v6.db", "index-v6.db-wal", "index-v6.db-shm"] {
        let _ = fs::remove_file(home.path(name));
    }
    home.run("zone recall").check(&expect![[r#"
        ## Long-term Memory
        tea
    "#]]);
    for name in ["index-v6.db-wal", "index-v6.db-shm"] {
        let _ = fs::remove_file(home.path(name));
    }
    fs::write(&index, "this is no database, whatever its name says".repeat(200)).unwrap();
    home.check(&["zone recall", "zone recall"], &expect![[r#"
        $ memtape zone recall
        ## Long-term Memory
        tea
        ! warning: the index was damaged (the index failed: file is not a database) and is rebuilt from the tape
        $ memtape zone recall
        ## Long-term Memory
        tea
    "#]]);
}

#[test]
fn completions_are_printed_for_every_shell() {
    let home = Home::bare();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = home.run(&format!("completions {shell}"));
        assert!(script.raw().contains("from-last-anchor"), "{shell}");
        assert_eq!(script.stderr, "");
    }
    home.run("completions tcsh").check(&expect![[r#"
        ! error: invalid value 'tcsh' for '<SHELL>'
        !   [possible values: bash, elvish, fish, powershell, zsh]
        !
        !   tip: a similar value exists: 'zsh'
        !
        ! For more information, try '--help'.
        [exit 2]
    "#]]);
    assert!(!home.at_home(".memtape").exists(), "no workspace is needed for it");
}

#[test]
#[allow(clippy::too_many_lines, reason = "it is one page")]
fn the_top_level_help() {
    let home = Home::bare();
    home.run("--help").check(&expect![[r#"
        Version control for an AI agent's memory.

        Everything an agent remembers stands on one append-only tape. Reading commands take --at POINT: an
        entry (42), a date or time (2026-02-10), or how long ago ("2 days ago").

        Usage: memtape [OPTIONS] <COMMAND>

        Commands:
          init           Make a workspace
          trust          Let a folder's tape be used from inside it; without a folder, list those that may
          demo           See memtape at work on a sample conversation, in a folder that is gone afterwards
          status         Say what the workspace holds
          verify         Check every line of the tape against its chain
          scan           Look for passwords, keys and other secrets in the tape and in the workspace's
                         files, and say where they are
          config         Print the configuration, and where each value comes from
          reindex        Build the index anew from the tape
          completions    Print completions for a shell
          ingest         Take in a conversation: JSON Lines
                         {"role","content","name"?,"session"?,"date"?,"image"?}
          turn           Handle a message as a turn: record it, say what is recalled for it, and capture
                         what is worth keeping
          prompt         Print what a model would be shown in a conversation, within a budget of tokens;
                         nothing is written
          recall         Find memories, by their words and by what they mean
          search         Find statements only, by their words and by what they mean
          add            Add a statement: a preference, a fact, a decision or what happened
          forget         Forget statements by their refs, or by words that they hold (earlier points still
                         show them)
          prune          Retire statements by age, kind or scope, or facts by confidence or use (earlier
                         points still show them)
          consolidate    Report what stands twice, contradicts, is doubtful, stale or over, with the command
                         that settles each
          backfill       Take in older memory files, once each: MEMORY.md, HISTORY.md, YYYY-MM-DD.md, and
                         the folders episodic, semantic and procedural
          log            Tell what was done: the commits, newest first, and what each changed
          diff           Tell how the memory at one point differs from that at another
          graph          Draw the commits of all branches, as a Mermaid diagram or a timeline
          view           Print what the persona of the branch knows, by topic, the surest first, as a prompt
                         gets it
          stats          Say how much there is of everything
          export         Write the facts to a file: for backup, or to read
          show           Show what a ref names, and where it came from; or a commit, and what it changed
          why            Say why something is remembered: the message it came from, every change to it,
                         every turn it was recalled for
          decay          Report what was not used for long, and how strongly it still stands; nothing is
                         removed
          journal        Print what happened, as JSON Lines: triggers, decisions, tools, messages, errors,
                         costs and changes of memory
          remember       Add a line to long-term memory
          zone           Long-term memory and daily notes
          fact           The ledger: facts of a subject, a predicate and an object
          branches       List the branches: each a persona's line of memory
          create-branch  Fork a branch from the current one; nobody goes there by that
          checkout       Go to a branch: the terminal and new conversations, or one conversation only
          delete-branch  Delete a branch; the tape keeps what stands on it
          merge          Take over what another branch changed. What both changed is a conflict: ours stands
                         until it is settled
          conflicts      List the conflicts that are open
          resolve        Settle a conflict
          cherry-pick    Take over what one commit of another branch changed
          revert         Take back what a commit of the current branch did
          undo           Take back the last change made at the terminal; again: the one before
          note           Notes: facts and episodes as Markdown files, which may be edited
          block          Blocks: short texts that every prompt shows, by name and layer
          file           Files: insights, research and drafts as Markdown files below files/, which may be
                         edited
          tape           The tape itself: its entries, anchors and segments
          tool           The tools an agent may call
          help           Print this message or the help of the given subcommand(s)

        Options:
          -C, --workspace <DIR>
                  The workspace's folder. Without it: $MEMTAPE_WORKSPACE, else the nearest trusted folder
                  above that holds a tape, else ~/.memtape

              --branch <BRANCH>
                  The branch to read and write [default: the one that the conversation is on]

              --at <POINT>
                  Read as of a point: [BRANCH@]ENTRY, a date or time, "2 days ago"

              --json
                  Print JSON: one document, or a line for each entry of the tape

              --config <KEY=VALUE>
                  Set a key of the configuration for this command (may be given more than once)

          -h, --help
                  Print help (see a summary with '-h')

          -V, --version
                  Print version
    "#]]);
}

#[test]
#[allow(clippy::too_many_lines, reason = "it is one page")]
fn the_short_help_and_the_version() {
    let home = Home::bare();
    home.run("-h").check(&expect![[r#"
        Version control for an AI agent's memory

        Usage: memtape [OPTIONS] <COMMAND>

        Commands:
          init           Make a workspace
          trust          Let a folder's tape be used from inside it; without a folder, list those that may
          demo           See memtape at work on a sample conversation, in a folder that is gone afterwards
          status         Say what the workspace holds
          verify         Check every line of the tape against its chain
          scan           Look for passwords, keys and other secrets in the tape and in the workspace's
                         files, and say where they are
          config         Print the configuration, and where each value comes from
          reindex        Build the index anew from the tape
          completions    Print completions for a shell
          ingest         Take in a conversation: JSON Lines
                         {"role","content","name"?,"session"?,"date"?,"image"?}
          turn           Handle a message as a turn: record it, say what is recalled for it, and capture
                         what is worth keeping
          prompt         Print what a model would be shown in a conversation, within a budget of tokens;
                         nothing is written
          recall         Find memories, by their words and by what they mean
          search         Find statements only, by their words and by what they mean
          add            Add a statement: a preference, a fact, a decision or what happened
          forget         Forget statements by their refs, or by words that they hold (earlier points still
                         show them)
          prune          Retire statements by age, kind or scope, or facts by confidence or use (earlier
                         points still show them)
          consolidate    Report what stands twice, contradicts, is doubtful, stale or over, with the command
                         that settles each
          backfill       Take in older memory files, once each: MEMORY.md, HISTORY.md, YYYY-MM-DD.md, and
                         the folders episodic, semantic and procedural
          log            Tell what was done: the commits, newest first, and what each changed
          diff           Tell how the memory at one point differs from that at another
          graph          Draw the commits of all branches, as a Mermaid diagram or a timeline
          view           Print what the persona of the branch knows, by topic, the surest first, as a prompt
                         gets it
          stats          Say how much there is of everything
          export         Write the facts to a file: for backup, or to read
          show           Show what a ref names, and where it came from; or a commit, and what it changed
          why            Say why something is remembered: the message it came from, every change to it,
                         every turn it was recalled for
          decay          Report what was not used for long, and how strongly it still stands; nothing is
                         removed
          journal        Print what happened, as JSON Lines: triggers, decisions, tools, messages, errors,
                         costs and changes of memory
          remember       Add a line to long-term memory
          zone           Long-term memory and daily notes
          fact           The ledger: facts of a subject, a predicate and an object
          branches       List the branches: each a persona's line of memory
          create-branch  Fork a branch from the current one; nobody goes there by that
          checkout       Go to a branch: the terminal and new conversations, or one conversation only
          delete-branch  Delete a branch; the tape keeps what stands on it
          merge          Take over what another branch changed. What both changed is a conflict: ours stands
                         until it is settled
          conflicts      List the conflicts that are open
          resolve        Settle a conflict
          cherry-pick    Take over what one commit of another branch changed
          revert         Take back what a commit of the current branch did
          undo           Take back the last change made at the terminal; again: the one before
          note           Notes: facts and episodes as Markdown files, which may be edited
          block          Blocks: short texts that every prompt shows, by name and layer
          file           Files: insights, research and drafts as Markdown files below files/, which may be
                         edited
          tape           The tape itself: its entries, anchors and segments
          tool           The tools an agent may call
          help           Print this message or the help of the given subcommand(s)

        Options:
          -C, --workspace <DIR>     The workspace's folder. Without it: $MEMTAPE_WORKSPACE, else the nearest
                                    trusted folder above that holds a tape, else ~/.memtape
              --branch <BRANCH>     The branch to read and write [default: the one that the conversation is
                                    on]
              --at <POINT>          Read as of a point: [BRANCH@]ENTRY, a date or time, "2 days ago"
              --json                Print JSON: one document, or a line for each entry of the tape
              --config <KEY=VALUE>  Set a key of the configuration for this command (may be given more than
                                    once)
          -h, --help                Print help (see more with '--help')
          -V, --version             Print version
    "#]]);
    home.run("--version").check(&expect![[r#"
        memtape 0.1.0
    "#]]);
}

#[test]
#[allow(clippy::too_many_lines, reason = "it is a list of commands")]
fn every_command_explains_itself() {
    let home = Home::bare();
    let mut found = Vec::new();
    let mut open = vec![String::new()];
    while let Some(command) = open.pop() {
        let help = home.run(&format!("{command} --help"));
        let first = help.raw().lines().next().unwrap_or_default();
        assert!(first.len() > 10 && first.starts_with(char::is_uppercase), "{command}: {first:?}");
        assert!(help.raw().contains("Usage: memtape"), "{command}");
        assert_eq!(help.stderr, "", "{command}");
        let commands = help.raw().lines().skip_while(|line| *line != "Commands:").skip(1);
        for line in commands.take_while(|line| !line.is_empty()) {
            // Under a command's name its text may go on.
            match line.strip_prefix("  ").and_then(|line| line.split_whitespace().next()) {
                Some(name) if !line.starts_with("   ") && name != "help" => {
                    open.push(format!("{command} {name}").trim().to_owned());
                }
                _ => {}
            }
        }
        found.push(command);
    }
    found.sort();
    expect![[r#"

        add
        backfill
        block
        block approve
        block get
        block history
        block list
        block reject
        block restore
        block set
        branches
        checkout
        cherry-pick
        completions
        config
        conflicts
        consolidate
        create-branch
        decay
        delete-branch
        demo
        diff
        export
        fact
        fact add
        fact confirm
        fact deprecate
        fact forget
        fact history
        fact list
        fact observe
        fact promote
        fact update
        file
        file archive
        file delete
        file list
        file log
        file restore
        file show
        file write
        forget
        graph
        ingest
        init
        journal
        journal add
        journal costs
        log
        merge
        note
        note append
        note delete
        note diff
        note list
        note log
        note patch
        note read
        note restore
        note show
        note split
        note write
        prompt
        prune
        recall
        reindex
        remember
        resolve
        revert
        scan
        search
        show
        stats
        status
        tape
        tape after
        tape anchors
        tape append
        tape archive
        tape between
        tape from-last-anchor
        tape handoff
        tape log
        tape reset
        tape search
        tool
        tool call
        tool list
        trust
        turn
        undo
        verify
        view
        why
        zone
        zone clear
        zone daily
        zone forget
        zone prune
        zone recall
        zone save
        zone show"#]]
    .assert_eq(&found.join("\n"));
    assert!(!home.at_home(".memtape").exists(), "help needs no workspace");
}

#[test]
fn what_is_no_command_is_explained() {
    let home = Home::bare();
    home.check(
        &["recal tea", "tape", "remember", "--nonsense"],
        &expect![[r#"
            $ memtape recal tea
            ! error: unrecognized subcommand 'recal'
            !
            !   tip: some similar subcommands exist: 'decay', 'recall'
            !
            ! Usage: memtape [OPTIONS] <COMMAND>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape tape
            ! The tape itself: its entries, anchors and segments
            !
            ! Usage: memtape tape [OPTIONS] <COMMAND>
            !
            ! Commands:
            !   log               Print entries as they were written
            !   anchors           Print the anchors
            !   search            Print the entries that hold a text, the newest first
            !   after             Print the entries after the last anchor of a name
            !   between           Print the entries between the last anchor END and the last anchor START before
            !                     it
            !   from-last-anchor  Print the entries after the last anchor
            !   append            Record an event
            !   handoff           Mark a place in a conversation: what a model is shown begins there
            !   archive           Close tape.jsonl as a segment of archive/ and begin a new one
            !   reset             Retire a conversation's messages, or everything (earlier points still show it)
            !   help              Print this message or the help of the given subcommand(s)
            !
            ! Options:
            !   -C, --workspace <DIR>     The workspace's folder. Without it: $MEMTAPE_WORKSPACE, else the nearest
            !                             trusted folder above that holds a tape, else ~/.memtape
            !       --branch <BRANCH>     The branch to read and write [default: the one that the conversation is
            !                             on]
            !       --at <POINT>          Read as of a point: [BRANCH@]ENTRY, a date or time, "2 days ago"
            !       --json                Print JSON: one document, or a line for each entry of the tape
            !       --config <KEY=VALUE>  Set a key of the configuration for this command (may be given more than
            !                             once)
            !   -h, --help                Print help
            !   -V, --version             Print version
            [exit 2]
            $ memtape remember
            ! error: the following required arguments were not provided:
            !   <TEXT>
            !
            ! Usage: memtape remember <TEXT>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape --nonsense
            ! error: unexpected argument '--nonsense' found
            !
            ! Usage: memtape [OPTIONS] <COMMAND>
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
}

#[test]
fn the_demo_shows_what_it_says() {
    let home = Home::bare();
    let ran = home.run("demo --keep shown");
    let text = ran.raw();
    assert_eq!(ran.code, 0, "{}", ran.snapshot());
    for (n, part) in (1..).zip([
        "A conversation goes in",
        "The owner dictates, and the agent keeps a diary",
        "A restart, with the index lost",
        "Questions, and where the answers came from",
        "In other words",
        "What a chat says stays there",
        "What is worth keeping, kept without being told",
        "As it was",
        "A persona of its own",
        "What a model is shown",
        "A torn tape",
    ]) {
        assert!(text.contains(&format!("\n{n}. {part}\n")), "{part}: {text}");
    }
    assert!(home.path("shown/tape.jsonl").exists(), "the workspace is kept where it was asked for");
    let again = home.run("demo --keep shown");
    assert_eq!(again.code, 2, "a folder that holds something is not written to: {}", again.snapshot());
}
