//! `--help`, `--version`, `completions`, and the reaction to invalid command lines.

mod refused;

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
