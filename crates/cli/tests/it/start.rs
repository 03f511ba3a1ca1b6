//! `init`, `trust`, `demo`, and the selection of the workspace.

mod trust;

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
            Created the workspace [DIR].
            Next steps:
              memtape remember "Ana likes tea"   remember a text
              memtape recall tea                 find it again
              memtape status                     show what the workspace contains
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
            vectors    none pending
            $ memtape tape log
            #1 [NOW] [anchor] session/start state={"owner":"human"} (cli:direct)
            #2 [NOW] [anchor] memory/open state={"version":1} (cli:direct)
            #3 [NOW] [anchor] memory/seal state={"version":1} (cli:direct)
            $ memtape zone show
            $ memtape init
            The workspace [DIR] exists already: 3 entries.
            $ memtape verify
            OK: 3 entries verified
        "#]],
    );
    let mut files: Vec<_> =
        fs::read_dir(home.path("")).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
    files.retain(|name| !name.ends_with("-wal") && !name.ends_with("-shm"));
    files.sort();
    assert_eq!(
        files,
        ["HEARTBEAT.md", "episodes", "facts", "index-v17.db", "lock", "memory.db", "tape.jsonl"]
    );
}

#[cfg(unix)]
#[test]
fn a_link_to_the_index_that_was_removed_comes_back() {
    let home = Home::new();
    fs::remove_file(home.path("memory.db")).unwrap();
    home.setup(&["status"]);
    assert!(home.path("memory.db").is_symlink());
}

#[test]
fn init_takes_a_folder_or_the_one_of_c() {
    let home = Home::bare();
    home.check(
        &["init a/b", "init a/b", "-C c init", "init d -C e --json", "trust"],
        &expect![[r#"
            $ memtape init a/b
            Created the workspace [DIR]/a/b.
            Next steps:
              memtape -C [DIR]/a/b remember "Ana likes tea"   remember a text
              memtape -C [DIR]/a/b recall tea                 find it again
              memtape -C [DIR]/a/b status                     show what the workspace contains
            $ memtape init a/b
            The workspace [DIR]/a/b exists already: 3 entries.
            $ memtape -C c init
            Created the workspace [DIR]/c.
            Next steps:
              memtape -C [DIR]/c remember "Ana likes tea"   remember a text
              memtape -C [DIR]/c recall tea                 find it again
              memtape -C [DIR]/c status                     show what the workspace contains
            $ memtape init d -C e --json
            {"workspace":"[DIR]/d","id":"[ID]","entries":3,"created":true}
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
            ! error: [DIR]/taken is a file, not a directory
            [exit 2]
            $ memtape init taken/under
            ! error: [DIR]/taken is a file, not a directory
            [exit 2]
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
fn the_workspace_at_home_is_used_only_if_it_is_asked_for() {
    let home = Home::bare();
    home.check(
        &[
            "remember tea",
            "zone recall",
            "--json tool call memory_show",
            "remember tea --global",
            "remember coffee --global",
            "zone recall --global",
            "zone recall",
            "remember cake",
            "scan",
            "scan --redact",
            "remember cake --global -C .",
            "-C . remember cake --global",
        ],
        &expect![[r#"
            $ memtape remember tea
            ! error: there is no workspace in [DIR] or above it
            ! hint: `memtape init` creates one here, `--global` uses ~/.memtape
            [exit 3]
            $ memtape zone recall
            ! error: there is no workspace in [DIR] or above it
            ! hint: `memtape init` creates one here, `--global` uses ~/.memtape
            [exit 3]
            $ memtape --json tool call memory_show
            ! {"error":{"kind":"not_found","message":"there is no workspace in [DIR] or above it","hint":"`memtape init` creates one here, `--global` uses ~/.memtape"}}
            [exit 3]
            $ memtape remember tea --global
            remembered (zone:a9f74d1ec36ebdeb@5)
            ! note: created the workspace [HOME]/.memtape
            $ memtape remember coffee --global
            remembered (zone:37290d74ac4d186e@8)
            $ memtape zone recall --global
            ## Long-term Memory
            tea
            coffee
            $ memtape zone recall
            ## Long-term Memory
            tea
            coffee
            ! note: there is no workspace here; reading [HOME]/.memtape
            $ memtape remember cake
            ! error: there is no workspace in [DIR] or above it
            ! hint: `memtape init` creates one here, `--global` uses ~/.memtape
            [exit 3]
            $ memtape scan
            No secrets.
            ! note: there is no workspace here; reading [HOME]/.memtape
            $ memtape scan --redact
            ! error: there is no workspace in [DIR] or above it
            ! hint: `memtape init` creates one here, `--global` uses ~/.memtape
            [exit 3]
            $ memtape remember cake --global -C .
            ! error: the option '--global' cannot be used with '--workspace <DIR>'
            !
            ! Usage: memtape [OPTIONS] <COMMAND>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape -C . remember cake --global
            ! error: the option '--global' cannot be used with '--workspace <DIR>'
            !
            ! Usage: memtape [OPTIONS] <COMMAND>
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
    assert!(home.at_home(".memtape/tape.jsonl").exists());
    // The variable and the directory do not matter to --global.
    home.setup(&["init"]);
    let ran = home.command("zone recall --global").env("MEMTAPE_WORKSPACE", ".").run();
    assert!(ran.raw().contains("coffee") && ran.stderr.is_empty(), "{}", ran.snapshot());
    assert!(!home.run("zone recall").raw().contains("coffee"));
}

#[test]
fn init_creates_the_workspace_at_home_if_it_is_asked_for() {
    let home = Home::bare();
    home.check(
        &["init --global", "init --global", "init --global here"],
        &expect![[r#"
            $ memtape init --global
            Created the workspace [HOME]/.memtape.
            Next steps:
              memtape --global remember "Ana likes tea"   remember a text
              memtape --global recall tea                 find it again
              memtape --global status                     show what the workspace contains
            $ memtape init --global
            The workspace [HOME]/.memtape exists already: 3 entries.
            $ memtape init --global here
            ! error: --global names the directory already: leave DIR out
            [exit 2]
        "#]],
    );
    assert!(home.at_home(".memtape/facts").is_dir());
}

#[test]
fn init_creates_the_folders_of_notes() {
    let home = Home::new();
    for folder in ["facts", "episodes"] {
        assert!(home.path(folder).is_dir(), "{folder}");
    }
    home.write("other/memtape.toml", "notes.folders = [\"diary\"]\n");
    home.setup(&["init other"]);
    assert!(home.path("other/diary").is_dir() && !home.path("other/facts").exists());
    home.setup(&["-C other note write diary/a.md tea", "-C other verify"]);
}

#[test]
fn init_keeps_derived_files_out_of_the_git_repository_of_a_user() {
    let home = Home::bare();
    home.write("code/.git/HEAD", "ref: refs/heads/main\n");
    home.check(
        &["init code/memory"],
        &expect![[r#"
            $ memtape init code/memory
            Created the workspace [DIR]/code/memory.
            Wrote .gitignore, which keeps the index and other derived files out of git.
            Next steps:
              memtape -C [DIR]/code/memory remember "Ana likes tea"   remember a text
              memtape -C [DIR]/code/memory recall tea                 find it again
              memtape -C [DIR]/code/memory status                     show what the workspace contains
        "#]],
    );
    home.setup(&["-C code/memory remember tea"]);
    let ignored = fs::read_to_string(home.path("code/memory/.gitignore")).unwrap();
    for entry in fs::read_dir(home.path("code/memory")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_kept =
            ["tape.jsonl", "facts", "episodes", "HEARTBEAT.md", ".gitignore"].contains(&name.as_str());
        let is_ignored = ignored.lines().filter_map(|line| line.strip_prefix('/')).any(|pattern| {
            let (start, end) = pattern.split_once('*').unwrap_or((pattern, ""));
            let start = start.trim_end_matches('/');
            name.starts_with(start) && name.ends_with(end) && (pattern.contains('*') || name == start)
        });
        assert_eq!(is_ignored, !is_kept, "{name}");
    }
    // An existing file of the user is not changed, but the user learns which lines it lacks.
    let most = ignored.lines().filter(|line| !["/tokens.json", "*.new"].contains(line));
    let most: String = ["mine"].into_iter().chain(most).map(|line| format!("{line}\n")).collect();
    home.write("code/other/.gitignore", &most);
    home.check(&["init code/other", "init code/memory"], &expect![[r#"
        $ memtape init code/other
        Created the workspace [DIR]/code/other.
        Next steps:
          memtape -C [DIR]/code/other remember "Ana likes tea"   remember a text
          memtape -C [DIR]/code/other recall tea                 find it again
          memtape -C [DIR]/code/other status                     show what the workspace contains
        ! warning: [DIR]/code/other/.gitignore is yours and stays as it is. Add these lines to it, or `git add` takes the index, the tokens and other files that belong to this machine only:
        ! /tokens.json
        ! *.new
        $ memtape init code/memory
        The workspace [DIR]/code/memory exists already: 6 entries.
    "#]]);
    assert_eq!(fs::read_to_string(home.path("code/other/.gitignore")).unwrap(), most);
    // The repository that memtape makes for files/ is not a user's.
    home.setup(&["init own", "-C own file write insights/a.md tea", "init own"]);
    assert!(home.path("own/.git").exists() && !home.path("own/.gitignore").exists());
}

#[test]
fn an_unrelated_folder_at_home_is_no_workspace() {
    let home = Home::bare();
    fs::create_dir(home.at_home(".memtape")).unwrap();
    fs::write(home.at_home(".memtape/notes.txt"), "mine").unwrap();
    home.run("remember tea --global").check(&expect![[r#"
        ! error: there is no workspace in [HOME]/.memtape
        ! hint: create one with `memtape init [HOME]/.memtape`
        [exit 3]
    "#]]);
    assert!(!home.at_home(".memtape/tape.jsonl").exists());
}

#[test]
fn an_unusable_home_directory_is_reported() {
    let home = Home::bare();
    fs::write(home.at_home(".memtape"), "a file").unwrap();
    home.run("remember tea --global").check(&expect![[r#"
        ! error: cannot make [HOME]/.memtape: File exists (os error 17)
        ! hint: acknowledged writes are safe; check the disk, then try again
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
            ! hint: create one with `memtape init nowhere`
            [exit 3]
            $ memtape remember tea -C nowhere
            ! error: there is no workspace in nowhere
            ! hint: create one with `memtape init nowhere`
            [exit 3]
            $ memtape -C nowhere verify
            ! error: there is no workspace in nowhere
            ! hint: create one with `memtape init nowhere`
            [exit 3]
        "#]],
    );
    home.command("status").env("MEMTAPE_WORKSPACE", "nowhere").run().check(&expect![[r#"
        ! error: there is no workspace in nowhere
        ! hint: create one with `memtape init nowhere`
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
fn the_demo_shows_what_it_announces() {
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
        "What is worth keeping, captured without a model",
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

#[test]
fn a_file_in_the_place_of_a_workspace_is_named() {
    let home = Home::bare();
    home.write("file", "text");
    home.check(
        &["-C file init", "init file/below"],
        &expect![[r#"
        $ memtape -C file init
        ! error: [DIR]/file is a file, not a directory
        [exit 2]
        $ memtape init file/below
        ! error: [DIR]/file is a file, not a directory
        [exit 2]
    "#]],
    );
}

/// A time zone that does not exist is reported; the times are in UTC then.
#[test]
fn an_unknown_time_zone_of_the_machine_is_reported() {
    let home = Home::new();
    let ran = home.command("status").env("TZ", "Foo/Bar").run();
    assert_eq!(ran.code, 0);
    assert!(ran.stderr.contains("warning: TZ is \"Foo/Bar\", which is no time zone"), "{}", ran.stderr);
    let ran = home.command("--config time_zone=UTC status").env("TZ", "Foo/Bar").run();
    assert!(!ran.stderr.contains("no time zone"), "{}", ran.stderr);
    assert!(!home.run("status").stderr.contains("no time zone"));
}

#[test]
fn the_next_steps_act_on_the_new_workspace() {
    let home = Home::bare();
    let steps = |line: &str| {
        let ran = home.run(line);
        let steps = ran.stdout.lines().filter(|line| line.starts_with("  memtape")).map(str::trim_start);
        steps.map(str::to_owned).next().unwrap_or_default()
    };
    assert!(
        steps("init 'a dir'").starts_with("memtape -C '[DIR]/a dir' remember"),
        "{}",
        home.run("init x").stdout
    );
    assert!(steps("init --global").starts_with("memtape --global remember"));
    assert!(steps("init").starts_with("memtape remember"));
}

#[test]
fn every_manual_page_names_the_version_of_the_program() {
    let home = Home::bare();
    home.setup(&["man --dir pages"]);
    let mut pages = 0;
    for page in fs::read_dir(home.path("pages")).unwrap() {
        let text = fs::read_to_string(page.unwrap().path()).unwrap();
        let source = format!("\"memtape {}\"", env!("CARGO_PKG_VERSION"));
        assert!(text.contains(".TH memtape") && text.contains(&source), "{text}");
        pages += 1;
    }
    assert!(pages > 50, "{pages}");
}
