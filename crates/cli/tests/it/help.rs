//! `--help`, `--version`, `completions`, and the reaction to invalid command lines.

use expect_test::expect;

use crate::harness::{Home, Ran};

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
                         {"role","content","name"?,"user"?,"session"?,"date"?,"image"?,"tool_calls"?}
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
          redo           Take back the last undo; again: the one before
          note           Notes: facts and episodes as Markdown files, which may be edited
          block          Blocks: short texts that every prompt shows, by name and layer
          file           Files: long texts as Markdown files below files/, which may be edited
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
    "#]]
    .assert_eq(&page);
    assert_eq!(commands, without_commands(&home.run("--help")).1, "both list the same");
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
        redo
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
        zone export
        zone forget
        zone prune
        zone recall
        zone restore
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
