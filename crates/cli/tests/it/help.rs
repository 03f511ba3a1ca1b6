//! `--help`, `--version`, `completions`, and the reaction to invalid command lines.

use expect_test::expect;

use crate::harness::{Home, Ran};

#[test]
#[allow(clippy::too_many_lines, reason = "it is one page")]
fn the_top_level_help() {
    let home = Home::bare();
    home.run("--help").check(&expect![[r#"
        Version control for an AI agent's memory.

        Every memory is a line in an append-only log: read it as of any moment, branch it, merge it, undo
        anything.

        Usage: memtape [OPTIONS] <COMMAND>

        Everyday:
          init          Create a workspace
          remember      Remember a text
          recall        Find memories by words and by meaning
          show          Show a memory and where it came from, or a commit
          forget        Forget memories by ref or by words
          status        Show what the workspace contains

        History:
          log           Show the commits, newest first, and what each changed
          diff          Compare the memory at two points
          why           Explain where a memory came from and where it was used
          undo          Undo the last change made at the terminal
          redo          Redo the last change that was undone
          revert        Revert a commit of the current branch
          branch        List, create, switch, merge and delete branches
          switch        Switch to a branch
          merge         Merge another branch
          conflicts     List the open conflicts
          resolve       Resolve a conflict
          cherry-pick   Apply one commit of another branch
          graph         Draw the commits of all branches
          inspect       Look at the memory in a browser, and take back what is wrong

        Notes and files:
          note          Read and edit notes: facts and episodes in Markdown files
          file          Read and edit long Markdown files below files/
          zone          Read and edit long-term memory and daily notes

        Facts:
          fact          Read and edit the ledger of facts
          view          Print the facts of the branch by topic, surest first
          add           Add a preference, fact, decision or event
          search        Find statements by words and by meaning
          prune         Remove old statements, or doubtful or unused facts
          consolidate   Report duplicates, contradictions and stale memories
          decay         Report memories that were not used for a long time

        Blocks:
          block         Read and edit blocks, the short texts of every prompt

        Agents:
          agent         Chat with an agent that uses this memory
          reflect       Write notes about a conversation
          heartbeat     Maintain the memory at regular intervals
          turn          Run a turn: record a message, recall, capture
          prompt        Print the prompt that a model would get
          tool          List and call the tools for agents
          journal       Print what happened, as JSON Lines
          ingest        Import a conversation from JSON Lines

        Connecting agents:
          setup         Add memtape to an MCP client, or remove it
          mcp           Serve one agent over standard input and output (MCP)
          serve         Serve agents over HTTP: MCP, JSON and the inspector
          token         Manage the tokens of the HTTP server
          hook          Handle an event of a coding agent, from its hooks
          memory-tool   Run commands of Claude's memory tool from standard input

        Tape:
          tape          Inspect the tape: entries, anchors and segments
          verify        Check every line of the tape against its hash chain
          stats         Count entries, messages, turns, commits and memories
          export        Export the memory to a file or a directory
          import        Import the memory of another program
          backfill      Import older memory files, once each
          backup        Back up the tape to object storage or a directory
          restore       Restore a workspace from a backup

        Many machines:
          clone         Copy the memory of an upstream into a new workspace
          push          Copy the workspace to a new upstream, and make it a replica

        Maintenance:
          config        Print the configuration and the source of each value
          doctor        Check the configured language models
          scan          Find passwords, keys and other secrets
          reindex       Rebuild the index from the tape
          trust         Trust the tape of a directory, or list the trusted ones
          demo          Run a tour on a sample conversation in a temporary directory
          completions   Print shell completions
          man           Print the manual page, or write one for each command

        `memtape help COMMAND` explains a command.

        Options:
          -C, --workspace <DIR>
                  The workspace's directory [default: $MEMTAPE_WORKSPACE, else the nearest trusted directory
                  above that has a tape]

              --global
                  Use your own workspace, ~/.memtape, which belongs to no directory

              --branch <BRANCH>
                  The branch to read and write [default: the branch of the conversation]

              --at <POINT>
                  Read as of a point: [BRANCH@]ENTRY, a date or time (its end), or an age such as "2 days
                  ago"

              --json
                  Print JSON: one document, or one line for each entry of the tape

              --config <KEY=VALUE>
                  Set a configuration key for this command (repeatable)

              --color <WHEN>
                  When to print colors [default: auto]

                  Possible values:
                  - auto:   On a terminal, unless NO_COLOR is set; everywhere if CLICOLOR_FORCE is set
                  - always: Everywhere
                  - never:  Nowhere

              --no-pager
                  Do not send long output through a pager

          -h, --help
                  Print help (see a summary with '-h')

          -V, --version
                  Print version
    "#]]);
}

/// Returns a help page without its list of commands, and that list.
fn without_commands(help: &Ran) -> (String, String) {
    let page = help.snapshot();
    let (before, rest) = page.split_once("Everyday:\n").expect("the page lists commands");
    let (commands, after) = rest.split_once("\nOptions:\n").expect("options follow the commands");
    (format!("{before}[COMMANDS]\n\nOptions:\n{after}"), commands.to_owned())
}

#[test]
fn the_short_help_and_the_version() {
    let home = Home::bare();
    let (page, commands) = without_commands(&home.run("-h"));
    expect![[r#"
        Version control for an AI agent's memory

        Usage: memtape [OPTIONS] <COMMAND>

        [COMMANDS]

        Options:
          -C, --workspace <DIR>     The workspace's directory [default: $MEMTAPE_WORKSPACE, else the nearest
                                    trusted directory above that has a tape]
              --global              Use your own workspace, ~/.memtape, which belongs to no directory
              --branch <BRANCH>     The branch to read and write [default: the branch of the conversation]
              --at <POINT>          Read as of a point: [BRANCH@]ENTRY, a date or time (its end), or an age
                                    such as "2 days ago"
              --json                Print JSON: one document, or one line for each entry of the tape
              --config <KEY=VALUE>  Set a configuration key for this command (repeatable)
              --color <WHEN>        When to print colors [default: auto] [possible values: auto, always,
                                    never]
              --no-pager            Do not send long output through a pager
          -h, --help                Print help (see more with '--help')
          -V, --version             Print version
    "#]]
    .assert_eq(&page);
    assert_eq!(commands, without_commands(&home.run("--help")).1, "both list the same");
    home.run("--version").check(&expect![[r#"
        memtape 0.1.0
    "#]]);
}

/// Calls `each` with every command and its help page, the program first.
fn each_help(home: &Home, mut each: impl FnMut(&str, &Ran)) {
    let mut open = vec![String::new()];
    while let Some(command) = open.pop() {
        let help = home.run(&format!("{command} --help"));
        // The page of the program itself has a heading for each group.
        let is_heading = |line: &str| line == "Commands:" || line == "Everyday:";
        let commands = help.raw().lines().skip_while(|line| !is_heading(line)).skip(1);
        let is_end = |line: &str| line == "Options:" || (line.is_empty() && !command.is_empty());
        for line in commands.take_while(|line| !is_end(line)) {
            // The description of a command may continue on the next line.
            match line.strip_prefix("  ").and_then(|line| line.split_whitespace().next()) {
                Some(name) if !line.starts_with("   ") && name != "help" => {
                    open.push(format!("{command} {name}").trim().to_owned());
                }
                _ => {}
            }
        }
        each(&command, &help);
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "it is a list of commands")]
fn every_command_explains_itself() {
    let home = Home::bare();
    let mut found = Vec::new();
    each_help(&home, |command, help| {
        let first = help.raw().lines().next().unwrap_or_default();
        assert!(first.len() > 5 && first.starts_with(char::is_uppercase), "{command}: {first:?}");
        assert!(help.raw().contains("Usage: memtape"), "{command}");
        assert_eq!(help.stderr, "", "{command}");
        found.push(command.to_owned());
    });
    found.sort();
    expect![[r#"

        add
        agent
        backfill
        backup
        block
        block approve
        block diff
        block list
        block log
        block reject
        block restore
        block set
        block show
        branch
        branch create
        branch delete
        branch list
        branch merge
        branch switch
        cherry-pick
        clone
        completions
        config
        conflicts
        consolidate
        decay
        demo
        diff
        doctor
        export
        fact
        fact add
        fact confirm
        fact deprecate
        fact diff
        fact forget
        fact list
        fact log
        fact observe
        fact promote
        fact restore
        fact show
        fact update
        file
        file archive
        file delete
        file diff
        file list
        file log
        file restore
        file show
        file write
        forget
        graph
        heartbeat
        hook
        import
        ingest
        init
        inspect
        journal
        journal add
        journal costs
        log
        man
        mcp
        memory-tool
        merge
        note
        note append
        note delete
        note diff
        note list
        note log
        note patch
        note restore
        note show
        note split
        note write
        prompt
        prune
        push
        recall
        redo
        reflect
        reindex
        remember
        resolve
        restore
        revert
        scan
        search
        serve
        setup
        show
        stats
        status
        switch
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
        token
        token add
        token list
        token remove
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
        zone diff
        zone export
        zone forget
        zone list
        zone log
        zone prune
        zone recall
        zone restore
        zone save
        zone show"#]]
    .assert_eq(&found.join("\n"));
    assert!(!home.at_home(".memtape").exists(), "help needs no workspace");
}

/// The shared options, each as it is given.
const SHARED: [&str; 9] = [
    "--workspace .",
    "--global",
    "--branch main",
    "--at 1",
    "--json",
    "--config recall.max_results=3",
    "--color never",
    "--no-pager",
    "-C .",
];

/// What a command does not list it refuses, so that no help page hides or promises anything.
#[test]
fn a_command_lists_the_shared_options_that_it_uses_and_refuses_the_others() {
    let home = Home::bare();
    let mut commands = Vec::new();
    each_help(&home, |command, help| {
        // Groups list what their commands use.
        if !help.raw().contains("\nCommands:\n") && !command.is_empty() {
            commands.push((command.to_owned(), help.raw().to_owned()));
        }
    });
    commands.sort();
    assert!(commands.len() > 80, "the walk finds the commands: {}", commands.len());
    let mut table = String::new();
    for option in SHARED {
        let name = option.split(' ').next().unwrap_or_default();
        let is_listed = |help: &str| {
            help.lines().any(|line| {
                let mut words = line.split([' ', ',']).filter(|word| !word.is_empty());
                words.next() == Some(name) || line.trim_start().starts_with('-') && words.next() == Some(name)
            })
        };
        let (with, without): (Vec<_>, Vec<_>) = commands.iter().partition(|(_, help)| is_listed(help));
        for (command, _) in &without {
            for line in [format!("{command} {option}"), format!("{option} {command}")] {
                let ran = home.run(&line);
                // A command that takes any text names the value of the option, not the option.
                // A hook reports it, and never fails its client.
                let refused = if command == "hook" { 0 } else { 2 };
                assert_eq!(ran.code, refused, "{line}: {}", ran.snapshot());
                assert_ne!(ran.stderr, "", "{line}");
            }
        }
        let names = |commands: &[&(String, String)]| {
            commands.iter().map(|(command, _)| command.as_str()).collect::<Vec<_>>().join(", ")
        };
        table += &match with.len() > without.len() {
            true => format!("{name}: all but {}\n", names(&without)),
            false => format!("{name}: {}\n", names(&with)),
        };
    }
    expect![[r#"
        --workspace: all but clone, completions, demo, man, restore, trust
        --global: all but clone, completions, demo, man, restore, trust
        --branch: all but backup, branch delete, branch switch, clone, completions, config, demo, doctor, init, man, push, reindex, restore, scan, setup, switch, tape archive, token add, token list, token remove, tool list, trust, verify
        --at: block list, block log, block restore, block show, branch list, conflicts, consolidate, decay, export, fact list, fact log, fact restore, fact show, file list, file log, file restore, file show, graph, journal costs, log, memory-tool, note list, note log, note restore, note show, prompt, recall, search, show, stats, status, tape after, tape anchors, tape between, tape from-last-anchor, tape log, tape search, tool call, view, why, zone export, zone list, zone log, zone recall, zone restore, zone show
        --json: all but completions, demo, hook, inspect, man, mcp, serve
        --config: all but completions, demo, man, restore, setup, token add, token list, token remove, trust, verify
        --color: all but 
        --no-pager: block diff, block log, block show, diff, fact diff, fact log, fact show, file diff, file log, file show, log, note diff, note log, note show, recall, show, tape log, zone diff, zone log, zone show
        -C: all but clone, completions, demo, man, restore, trust
    "#]].assert_eq(&table);
    assert!(!home.path("tape.jsonl").exists() && !home.at_home(".memtape").exists());
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
            ! Inspect the tape: entries, anchors and segments
            !
            ! Usage: memtape tape [OPTIONS] <COMMAND>
            !
            ! Commands:
            !   log               Print entries as they were written
            !   anchors           Print the anchors
            !   search            Print the entries that contain a text, newest first
            !   after             Print the entries after the last anchor of a name
            !   between           Print the entries between two anchors
            !   from-last-anchor  Print the entries after the last anchor
            !   append            Record an event
            !   handoff           Mark where a model's context of a conversation begins
            !   archive           Close tape.jsonl as a segment and begin a new one
            !   reset             Remove a conversation's messages, or everything
            !   help              Print this message or the help of the given subcommand(s)
            !
            ! Options:
            !   -h, --help     Print help (see more with '--help')
            !   -V, --version  Print version
            !
            ! Shared options:
            !   -C, --workspace <DIR>     The workspace's directory [default: $MEMTAPE_WORKSPACE, else the nearest
            !                             trusted directory above that has a tape]
            !       --global              Use your own workspace, ~/.memtape, which belongs to no directory
            !       --branch <BRANCH>     The branch to read and write [default: the branch of the conversation]
            !       --at <POINT>          Read as of a point: [BRANCH@]ENTRY, a date or time (its end), or an age
            !                             such as "2 days ago"
            !       --json                Print JSON: one document, or one line for each entry of the tape
            !       --config <KEY=VALUE>  Set a configuration key for this command (repeatable)
            !       --color <WHEN>        When to print colors [default: auto] [possible values: auto, always,
            !                             never]
            !       --no-pager            Do not send long output through a pager
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
fn a_wrong_number_is_explained() {
    let home = Home::new();
    home.check(
        &[
            "decay --days x",
            "zone recall --days 99999999999",
            "fact add a b c --days ''",
            "prune --older-than-days -1",
            "prune --unused-days 1.5",
            "prompt --budget many",
            "tape search x -n 0",
            "tape log -n 0",
            "log -n 0",
            "hook Stop --timeout soon",
        ],
        &expect![[r#"
            $ memtape decay --days x
            ! error: invalid value 'x' for '--days <N>': expected a whole number from 0
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape zone recall --days 99999999999
            ! error: invalid value '99999999999' for '--days <N>': the number is too large
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape fact add a b c --days ''
            ! error: invalid value '' for '--days <N>': expected a whole number from 0
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape prune --older-than-days -1
            ! error: unexpected argument '-1' found
            !
            ! Usage: memtape prune [OPTIONS]
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape prune --unused-days 1.5
            ! error: invalid value '1.5' for '--unused-days <N>': expected a whole number from 0
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape prompt --budget many
            ! error: invalid value 'many' for '--budget <TOKENS>': expected a whole number from 0
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape tape search x -n 0
            ! error: invalid value '0' for '--limit <N>': expected a whole number from 1
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape tape log -n 0
            ! error: invalid value '0' for '--limit <N>': expected a whole number from 1, or all
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape log -n 0
            ! error: invalid value '0' for '--limit <N|all>': expected a whole number from 1, or all
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape hook Stop --timeout soon
            ! memtape: invalid value 'soon' for '--timeout <MS>': expected a whole number from 0
        "#]],
    );
}

#[test]
fn a_wrong_name_or_address_is_explained() {
    let home = Home::new();
    home.write("a-file", "");
    home.check(
        &[
            "decay --form messages",
            "serve --listen localhost",
            "inspect --listen 80",
            "add x --kind nope",
            "show foo",
            "remember x --user ana",
            "-C a-file status",
        ],
        &expect![[r#"
            $ memtape decay --form messages
            ! error: invalid value 'messages' for '--form <FORM>': expected blocks, files, ledger, notes, statements or zone
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape serve --listen localhost
            ! error: invalid value 'localhost' for '--listen <ADDRESS>': expected an IP address with a port, such as 127.0.0.1:7117
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape inspect --listen 80
            ! error: invalid value '80' for '--listen <ADDRESS>': expected an IP address with a port, such as 127.0.0.1:7117
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape add x --kind nope
            ! error: invalid value 'nope' for '--kind <KIND>': expected preference, fact, decision or episodic
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape show foo
            ! error: "foo" names no memory or commit: expected FORM:KEY, the name of a block, @ENTRY, or at least 7 digits of a commit id
            [exit 2]
            $ memtape remember x --user ana
            ! error: invalid user "ana": expected CHANNEL:ID, or @NAME for a user that the configuration declares
            [exit 2]
            $ memtape -C a-file status
            ! error: there is no workspace in a-file
            ! hint: it is a file: name the directory of the workspace
            [exit 3]
        "#]],
    );
}
