//! Command lines that are refused, and how the refusal is explained.

use expect_test::expect;

use super::each_help;
use crate::harness::Home;

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
