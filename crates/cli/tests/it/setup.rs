//! The command `setup`: its output, and the command that a client runs. `crates/setup` tests the configuration files.

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::harness::{Home, Ran};

/// Runs a command with the built program on the `PATH`.
fn run(home: &Home, line: &str) -> Ran {
    let folder = Path::new(env!("CARGO_BIN_EXE_memtape")).parent().expect("a program is in a folder");
    home.command(line).env("PATH", folder).run()
}

fn check(home: &Home, lines: &[&str], expect: &Expect) {
    let ran = lines.iter().map(|line| format!("$ memtape {line}\n{}", run(home, line).snapshot()));
    expect.assert_eq(&ran.collect::<String>().replace("\n \n", "\n\n"));
}

fn server(file: &Path) -> Value {
    let text = fs::read_to_string(file).expect("the file was written");
    serde_json::from_str::<Value>(&text).expect("it is JSON")["mcpServers"]["memtape"].clone()
}

#[test]
fn a_client_is_set_up_once_and_removed_again() {
    let home = Home::bare();
    fs::create_dir(home.at_home(".claude")).unwrap();
    let own = "{\n  \"numStartups\": 3\n}\n";
    fs::write(home.at_home(".claude.json"), own).unwrap();
    check(
        &home,
        &[
            "setup claude-code",
            "setup claude-code",
            "setup claude-code --remove",
            "setup claude-code --remove",
        ],
        &expect![[r#"
            $ memtape setup claude-code
            Set up Claude Code.
              changed  [HOME]/.claude.json (backup: [HOME]/.claude.json.memtape-backup)
              created  [HOME]/.claude/settings.json
            Restart Claude Code. `/mcp` then lists memtape, and `/hooks` its hooks.
            `memtape setup claude-code --remove` removes it.
            $ memtape setup claude-code
            Claude Code is already set up.
            $ memtape setup claude-code --remove
            Removed memtape from Claude Code.
              restored [HOME]/.claude.json
              deleted  [HOME]/.claude/settings.json
            Restart Claude Code.
            $ memtape setup claude-code --remove
            memtape is not set up in Claude Code.
        "#]],
    );
    assert_eq!(fs::read_to_string(home.at_home(".claude.json")).unwrap(), own);
    assert!(!home.at_home(".claude/settings.json").exists());
}

#[test]
fn a_dry_run_and_a_print_change_nothing() {
    let home = Home::bare();
    check(
        &home,
        &[
            "setup cursor --dry-run",
            "setup cursor --dry-run --remove",
            "setup zed --print",
            "setup opencode --print --project",
            "setup cursor --dry-run --json",
            "setup cursor --print --json",
        ],
        &expect![[r#"
            $ memtape setup cursor --dry-run
            --- /dev/null
            +++ [HOME]/.cursor/mcp.json
            @@ -0,0 +1,9 @@
            +{
            +  "mcpServers": {
            +    "memtape": {
            +      "type": "stdio",
            +      "command": "memtape",
            +      "args": ["mcp"]
            +    }
            +  }
            +}
            ! note: [HOME]/.cursor does not exist: Cursor is not installed, or was never started
            $ memtape setup cursor --dry-run --remove
            Nothing would change.
            $ memtape setup zed --print
            [CONFIG]/zed/settings.json:
            {
              "context_servers": {
                "memtape": {
                  "command": "memtape",
                  "args": ["mcp"]
                }
              }
            }
            $ memtape setup opencode --print --project
            [DIR]/opencode.json:
            {
              "mcp": {
                "memtape": {
                  "type": "local",
                  "command": ["memtape", "mcp"],
                  "enabled": true
                }
              }
            }
            $ memtape setup cursor --dry-run --json
            {"client":"cursor","diff":"--- /dev/null\n+++ [HOME]/.cursor/mcp.json\n@@ -0,0 +1,9 @@\n+{\n+  \"mcpServers\": {\n+    \"memtape\": {\n+      \"type\": \"stdio\",\n+      \"command\": \"memtape\",\n+      \"args\": [\"mcp\"]\n+    }\n+  }\n+}\n"}
            ! note: [HOME]/.cursor does not exist: Cursor is not installed, or was never started
            $ memtape setup cursor --print --json
            {"client":"cursor","files":[{"file":"[HOME]/.cursor/mcp.json","content":"{\n  \"mcpServers\": {\n    \"memtape\": {\n      \"type\": \"stdio\",\n      \"command\": \"memtape\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n"}]}
        "#]],
    );
    assert!(!home.at_home(".cursor").exists());
}

#[test]
fn a_client_that_is_not_installed_is_set_up_with_a_note() {
    let home = Home::bare();
    check(
        &home,
        &["setup windsurf", "setup vscode --json", "setup zed --remove"],
        &expect![[r#"
        $ memtape setup windsurf
        Set up Windsurf.
          created  [HOME]/.codeium/windsurf/mcp_config.json
        Restart Windsurf, or refresh its list of MCP servers.
        `memtape setup windsurf --remove` removes it.
        ! note: [HOME]/.codeium/windsurf does not exist: Windsurf is not installed, or was never started
        $ memtape setup vscode --json
        {"client":"vscode","files":[{"file":"[CONFIG]/Code/User/mcp.json","action":"created","backup":null}]}
        ! note: [CONFIG]/Code does not exist: VS Code is not installed, or was never started
        $ memtape setup zed --remove
        memtape is not set up in Zed.
    "#]],
    );
}

#[test]
fn a_project_has_files_of_its_own() {
    let home = Home::bare();
    check(
        &home,
        &["setup vscode --project", "setup vscode --project --remove", "setup claude-desktop --project"],
        &expect![[r#"
            $ memtape setup vscode --project
            Set up VS Code.
              created  [DIR]/.vscode/mcp.json
            Run `MCP: List Servers` in the command palette of VS Code, and start memtape there.
            `memtape setup vscode --project --remove` removes it.
            $ memtape setup vscode --project --remove
            Removed memtape from VS Code.
              deleted  [DIR]/.vscode/mcp.json
            Restart VS Code.
            $ memtape setup claude-desktop --project
            ! error: Claude Desktop has no configuration file for a project
            [exit 2]
        "#]],
    );
}

#[test]
fn an_uneditable_file_is_refused_with_the_text_to_add() {
    let home = Home::bare();
    for folder in [".openclaw", ".cursor", ".gemini"] {
        fs::create_dir(home.at_home(folder)).unwrap();
    }
    fs::write(home.at_home(".openclaw/openclaw.json"), "{\n  agents: {{ }}\n}\n").unwrap();
    fs::write(home.at_home(".cursor/mcp.json"), "{\"mcpServers\": {\"memtape\": {\"command\": \"x\"}}}")
        .unwrap();
    fs::write(home.at_home(".gemini/settings.json"), "[]").unwrap();
    check(
        &home,
        &[
            "setup openclaw --project",
            "setup cursor",
            "setup cursor --remove",
            "setup gemini-cli",
            "setup gemini-cli --remove --json",
            "setup emacs",
            "setup zed --plugin x",
            "setup claude-code --plugin x --project",
            "setup cursor --branch main",
        ],
        &expect![[r#"
            $ memtape setup openclaw --project
            ! error: OpenClaw has no configuration file for a project
            [exit 2]
            $ memtape setup cursor
            ! error: [HOME]/.cursor/mcp.json:1: the server "memtape" there does not run `memtape mcp`
            ! hint: rename it or remove it, and try again
            [exit 5]
            $ memtape setup cursor --remove
            memtape is not set up in Cursor.
            ! note: [HOME]/.cursor/mcp.json:1: the server "memtape" there does not run `memtape mcp`, so it stays
            $ memtape setup gemini-cli
            ! error: [HOME]/.gemini/settings.json:1: the file does not contain an object
            ! hint: correct it and try again, or add this by hand:
            ! [HOME]/.gemini/settings.json:
            ! {
            !   "mcpServers": {
            !     "memtape": {
            !       "command": "memtape",
            !       "args": ["mcp"]
            !     }
            !   }
            ! }
            [exit 5]
            $ memtape setup gemini-cli --remove --json
            ! {"error":{"kind":"refused","message":"[HOME]/.gemini/settings.json:1: the file does not contain an object","hint":"nothing was changed; correct it and try again"}}
            [exit 5]
            $ memtape setup emacs
            ! error: invalid value 'emacs' for '<CLIENT>'
            !   [possible values: claude-code, claude-desktop, codex, cursor, vscode, windsurf, zed, opencode, gemini-cli, copilot-cli, openclaw]
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape setup zed --plugin x
            ! error: zed has no plugin: only claude-code has
            [exit 2]
            $ memtape setup claude-code --plugin x --project
            ! error: the argument '--plugin <DIR>' cannot be used with '--project'
            !
            ! Usage: memtape setup --plugin <DIR> <CLIENT>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape setup cursor --branch main
            ! error: unexpected argument '--branch' found
            !
            ! Usage: memtape setup <CLIENT>
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
    let refused = run(&home, "setup openclaw").snapshot();
    assert!(refused.starts_with("! error: [HOME]/.openclaw/openclaw.json:2: "), "{refused}");
    assert!(refused.contains("!   \"mcp\": {\n!     \"servers\": {\n"), "{refused}");
}

#[test]
fn the_program_is_named_by_its_path_unless_it_is_on_the_path() {
    let home = Home::bare();
    let file = home.at_home(".cursor/mcp.json");
    run(&home, "setup cursor").raw();
    assert_eq!(server(&file)["command"], "memtape");
    home.run("setup cursor").raw();
    assert_eq!(server(&file)["command"], env!("CARGO_BIN_EXE_memtape"));
    // Another program of that name on the path is not this one.
    home.write("bin/memtape", "#!/bin/sh\n");
    home.command("setup cursor").env("PATH", home.path("bin")).run().raw();
    assert_eq!(server(&file)["command"], env!("CARGO_BIN_EXE_memtape"));
    // The desktop starts applications without the user's path.
    run(&home, "setup claude-desktop").raw();
    let file = home.at_home("../config/Claude/claude_desktop_config.json");
    assert_eq!(server(&file)["command"], env!("CARGO_BIN_EXE_memtape"));
}

#[test]
fn a_second_configuration_with_hooks_is_reported() {
    let home = Home::new();
    fs::create_dir(home.at_home(".claude")).unwrap();
    let note = |line: &str| run(&home, line).stderr;
    assert_eq!(note("setup claude-code"), "");
    let too = "has memtape too, so hooks run twice";
    let of_own = note("-C . setup claude-code --project");
    let lines: Vec<_> = of_own.lines().collect();
    assert_eq!(
        lines[0],
        format!("note: your own configuration {too}: `memtape setup claude-code --remove` removes it there")
    );
    assert_eq!(lines[1], "note: [DIR] is in a file of the project: others may not have it");
    let of_project = note("setup claude-code");
    assert!(
        of_project.starts_with(&format!("note: the configuration of this project {too}")),
        "{of_project}"
    );
    assert_eq!(note("setup claude-code --project --remove"), "");
    assert_eq!(note("setup claude-code"), "");
}

#[test]
fn a_workspace_that_the_client_cannot_use_is_reported() {
    let home = Home::bare();
    let note = |line: &str| run(&home, line).stderr;
    fs::create_dir_all(home.at_home(".memtape/claude")).unwrap();
    fs::create_dir_all(home.at_home(".cursor")).unwrap();
    assert_eq!(note("setup cursor"), "", "the first session creates it");
    fs::write(home.at_home(".memtape/notes.txt"), "mine").unwrap();
    let said = "note: [HOME]/.memtape is no workspace yet: `memtape init [HOME]/.memtape` creates it\n";
    assert_eq!(note("setup cursor"), said);
    assert_eq!(note("setup cursor --remove"), "");
    let ran = home.command("hook SessionStart --timeout 60000").stdin("{}").run();
    assert!(ran.stderr.contains("(create one with `memtape init [HOME]/.memtape`)"), "{}", ran.snapshot());
    fs::remove_file(home.at_home(".memtape/notes.txt")).unwrap();
    let ran =
        home.command("hook SessionStart --timeout 60000").stdin(r#"{"session_id":"a","cwd":"/x"}"#).run();
    assert!(ran.stdout.contains("Your memory follows") && ran.stderr.is_empty(), "{}", ran.snapshot());
}

#[test]
fn the_workspace_is_named_only_if_it_was_chosen() {
    let home = Home::new();
    let file = home.at_home(".cursor/mcp.json");
    let arguments = |line: &str| {
        let ran = run(&home, line);
        assert_eq!(ran.code, 0, "{}", ran.snapshot());
        (server(&file)["args"].to_string(), ran.stderr)
    };
    assert_eq!(arguments("setup cursor").0, r#"["mcp"]"#);
    let dir = home.path("").canonicalize().unwrap();
    let dir = dir.to_str().unwrap();
    assert_eq!(arguments("-C . setup cursor"), (format!(r#"["-C","{dir}","mcp"]"#), String::new()));
    assert_eq!(arguments("setup cursor -C ../work").0, format!(r#"["-C","{dir}","mcp"]"#));
    let own = home.at_home(".memtape");
    assert_eq!(arguments("setup cursor --global").0, format!(r#"["-C","{}","mcp"]"#, own.display()));
    let (_, note) = arguments("setup cursor -C elsewhere");
    assert_eq!(
        note,
        "note: [DIR]/elsewhere is no workspace yet: `memtape init [DIR]/elsewhere` creates it\n"
    );
    let (_, note) = arguments("setup cursor -C 'my work'");
    assert!(note.ends_with("`memtape init '[DIR]/my work'` creates it\n"), "{note}");
}

#[test]
fn the_plugin_is_written_to_a_folder() {
    let home = Home::bare();
    fs::create_dir(home.at_home(".claude")).unwrap();
    home.write("mine/notes.md", "mine");
    check(
        &home,
        &[
            "setup claude-code --plugin plugin",
            "setup claude-code --plugin plugin",
            "setup claude-code --plugin mine",
            "setup claude-code --json",
            "setup claude-code --plugin plugin",
        ],
        &expect![[r#"
            $ memtape setup claude-code --plugin plugin
            Wrote the plugin for Claude Code.
              created  [DIR]/plugin/.claude-plugin/plugin.json
              created  [DIR]/plugin/hooks/hooks.json
              created  [DIR]/plugin/.mcp.json
              created  [DIR]/plugin/skills/memtape/SKILL.md
            Start Claude Code with `claude --plugin-dir [DIR]/plugin`, or add the directory to a marketplace.
            `/mcp` then lists memtape, and `/hooks` its hooks.
            $ memtape setup claude-code --plugin plugin
            The plugin is up to date.
            Start Claude Code with `claude --plugin-dir [DIR]/plugin`, or add the directory to a marketplace.
            `/mcp` then lists memtape, and `/hooks` its hooks.
            $ memtape setup claude-code --plugin mine
            ! error: [DIR]/mine is neither empty nor an earlier plugin of memtape
            ! hint: choose another directory
            [exit 5]
            $ memtape setup claude-code --json
            {"client":"claude-code","files":[{"file":"[HOME]/.claude.json","action":"created","backup":null},{"file":"[HOME]/.claude/settings.json","action":"created","backup":null}]}
            $ memtape setup claude-code --plugin plugin
            The plugin is up to date.
            Start Claude Code with `claude --plugin-dir [DIR]/plugin`, or add the directory to a marketplace.
            `/mcp` then lists memtape, and `/hooks` its hooks.
            ! note: your own configuration has memtape too, so hooks run twice: `memtape setup claude-code --remove` removes it there
        "#]],
    );
    let hooks = fs::read_to_string(home.path("plugin/hooks/hooks.json")).unwrap();
    assert!(hooks.contains("\"memtape hook SessionStart\""), "{hooks}");
}

#[cfg(unix)]
#[test]
fn a_write_that_fails_leaves_no_backup() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let home = Home::bare();
    let folders = [home.at_home(".cursor"), home.at_home("dotfiles")];
    for folder in &folders {
        fs::create_dir(folder).unwrap();
    }
    fs::write(home.at_home("dotfiles/mcp.json"), "{\"a\": 1}").unwrap();
    symlink("../dotfiles/mcp.json", home.at_home(".cursor/mcp.json")).unwrap();
    // The backup can be written, and the file behind the link cannot.
    for (folder, mode) in folders.iter().zip([0o777, 0o555]) {
        fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
    }
    let ran = home.command("setup cursor").unprivileged().run();
    assert_eq!(ran.code, 7, "{}", ran.snapshot());
    assert!(!ran.stderr.contains("memtape-backup"), "{}", ran.snapshot());
    assert!(!home.at_home(".cursor/mcp.json.memtape-backup").exists());
    assert_eq!(fs::read_to_string(home.at_home("dotfiles/mcp.json")).unwrap(), "{\"a\": 1}");
}

#[cfg(unix)]
#[test]
fn a_write_that_fails_after_another_one_reports_what_was_changed() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = Home::bare();
    fs::create_dir(home.at_home(".claude")).unwrap();
    fs::write(home.at_home(".claude.json"), "{}").unwrap();
    for (folder, mode) in [("", 0o777), (".claude", 0o555)] {
        fs::set_permissions(home.at_home(folder), fs::Permissions::from_mode(mode)).unwrap();
    }
    let ran = home.command("setup claude-code").unprivileged().run();
    assert_eq!(ran.code, 7, "{}", ran.snapshot());
    let expected = "! note: changed [HOME]/.claude.json (backup: [HOME]/.claude.json.memtape-backup)
! note: `memtape setup claude-code --remove` removes memtape from all of its files
! error: cannot write [HOME]/.claude/settings.json: ";
    assert!(ran.snapshot().starts_with(expected), "{}", ran.snapshot());
    let removed = home.command("setup claude-code --remove").unprivileged().run();
    assert_eq!(removed.code, 0, "{}", removed.snapshot());
    assert_eq!(fs::read_to_string(home.at_home(".claude.json")).unwrap(), "{}");
}

#[cfg(unix)]
#[test]
fn a_file_whose_group_cannot_be_kept_is_not_for_another_group() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let home = Home::bare();
    let set = |name: &str, mode: u32| {
        fs::set_permissions(home.at_home(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    fs::create_dir(home.at_home(".cursor")).unwrap();
    fs::write(home.at_home(".cursor/mcp.json"), "{\"a\": 1}").unwrap();
    set(".cursor", 0o777);
    set(".cursor/mcp.json", 0o664);
    let group = fs::metadata(home.at_home(".cursor/mcp.json")).unwrap().gid();
    let ran = home.command("setup cursor").unprivileged().run();
    assert_eq!(ran.code, 0, "{}", ran.snapshot());
    for name in [".cursor/mcp.json", ".cursor/mcp.json.memtape-backup"] {
        let found = fs::metadata(home.at_home(name)).unwrap();
        let expected = if found.gid() == group { 0o664 } else { 0o604 };
        assert_eq!(found.mode() & 0o777, expected, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_configuration_is_refused() {
    let home = Home::bare();
    fs::create_dir(home.at_home(".cursor")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(home.at_home(".cursor/mcp.json")).status();
    assert!(made.is_ok_and(|status| status.success()));
    check(
        &home,
        &["setup cursor", "setup cursor --dry-run", "setup cursor --remove"],
        &expect![[r#"
            $ memtape setup cursor
            ! error: [HOME]/.cursor/mcp.json is not a regular file
            ! hint: nothing was changed; correct it and try again
            [exit 5]
            $ memtape setup cursor --dry-run
            ! error: [HOME]/.cursor/mcp.json is not a regular file
            ! hint: nothing was changed; correct it and try again
            [exit 5]
            $ memtape setup cursor --remove
            ! error: [HOME]/.cursor/mcp.json is not a regular file
            ! hint: nothing was changed; correct it and try again
            [exit 5]
        "#]],
    );
}
