//! Writing files: backups, permissions, links, and reasons to refuse.

use std::fs;

use expect_test::expect;
use memtape_setup::{Action, Client, Error, Written};

use crate::harness::Home;

const OTHER: &str = "{\"mcpServers\": {\"other\": {\"command\": \"other\"}}}\n";

/// Returns the names of the files in the home folder.
fn names(home: &Home) -> Vec<String> {
    home.files().into_iter().map(|(name, _)| name).collect()
}

#[test]
fn a_file_is_backed_up_before_the_first_change_only() {
    let home = Home::new();
    let path = home.write(".cursor/mcp.json", OTHER);
    let backup = home.path(".cursor/mcp.json.memtape-backup");
    let written = home.plan_add(Client::Cursor).unwrap().apply().unwrap();
    assert_eq!(
        written,
        [Written { path: path.clone(), action: Action::Changed, backup: Some(backup.clone()) }]
    );
    assert_eq!(fs::read_to_string(&backup).unwrap(), OTHER);

    // Another program: the entry is replaced, and the backup is still that from before memtape.
    let mut home = home;
    home.command.program = "/opt/memtape".to_owned();
    let written = home.plan_add(Client::Cursor).unwrap().apply().unwrap();
    assert_eq!(written, [Written { path: path.clone(), action: Action::Changed, backup: None }]);
    assert_eq!(names(&home), [".cursor/mcp.json", ".cursor/mcp.json.memtape-backup"]);

    let written = home.plan_remove(Client::Cursor).unwrap().apply().unwrap();
    assert_eq!(written, [Written { path: path.clone(), action: Action::Restored, backup: Some(backup) }]);
    assert_eq!(fs::read_to_string(path).unwrap(), OTHER);
    assert_eq!(names(&home), [".cursor/mcp.json"]);
}

#[test]
fn an_older_backup_is_never_overwritten() {
    let home = Home::new();
    home.write(".cursor/mcp.json", OTHER);
    home.write(".cursor/mcp.json.memtape-backup", "{\"of\": \"an earlier time\"}");
    home.add(Client::Cursor);
    assert_eq!(
        names(&home),
        [".cursor/mcp.json", ".cursor/mcp.json.memtape-backup", ".cursor/mcp.json.memtape-backup-2"]
    );
    home.remove(Client::Cursor);
    assert_eq!(names(&home), [".cursor/mcp.json", ".cursor/mcp.json.memtape-backup"]);
    assert_eq!(fs::read_to_string(home.path(".cursor/mcp.json")).unwrap(), OTHER);
}

#[test]
fn a_file_that_was_edited_since_keeps_its_backup() {
    let home = Home::new();
    let path = home.write(".cursor/mcp.json", OTHER);
    home.add(Client::Cursor);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("other", "another")).unwrap();
    home.remove(Client::Cursor);
    assert_eq!(fs::read_to_string(&path).unwrap(), OTHER.replace("other", "another"));
    assert_eq!(names(&home), [".cursor/mcp.json", ".cursor/mcp.json.memtape-backup"]);
}

#[test]
fn a_file_that_was_created_is_deleted_unless_others_wrote_into_it() {
    let home = Home::new();
    home.add(Client::ClaudeCode);
    assert_eq!(names(&home), [".claude.json", ".claude/settings.json"]);
    let path = home.path(".claude.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen('{', "{\n  \"numStartups\": 1,", 1)).unwrap();
    home.remove(Client::ClaudeCode);
    assert_eq!(names(&home), [".claude.json"]);
    assert_eq!(fs::read_to_string(path).unwrap(), "{\n  \"numStartups\": 1\n}\n");
}

#[test]
fn a_file_that_was_created_and_changed_later_is_deleted_too() {
    let mut home = Home::new();
    for program in ["memtape", "/opt/memtape", "/opt/other-name"] {
        home.command.program = program.to_owned();
        home.add(Client::Codex);
        assert_eq!(names(&home), [".codex/config.toml", ".codex/hooks.json"]);
    }
    home.remove(Client::Codex);
    assert_eq!(names(&home), Vec::<String>::new());
}

#[test]
fn an_entry_that_was_written_by_hand_is_kept_in_a_backup() {
    let by_hand = "{\"mcpServers\": {\"memtape\": {\"command\": \"memtape\", \"args\": [\"mcp\"], \"env\": {\"TZ\": \"UTC\"}}}}\n";
    let backup = ".gemini/settings.json.memtape-backup";
    for program in ["memtape", "/opt/memtape"] {
        let mut home = Home::new();
        home.write(".gemini/settings.json", by_hand);
        home.command.program = program.to_owned();
        home.add(Client::GeminiCli);
        home.remove(Client::GeminiCli);
        assert!(names(&home).contains(&backup.to_owned()), "{program}: {:?}", names(&home));
        assert_eq!(fs::read_to_string(home.path(backup)).unwrap(), by_hand, "{program}");
    }
}

/// An edit of a text by somebody else.
type Edit<'e> = &'e dyn Fn(&str) -> String;

#[test]
fn what_was_added_to_the_entry_since_is_kept_in_a_backup_when_it_is_removed() {
    let set = |text: &str| text.replacen("\"args\"", "\"env\": {\"TZ\": \"UTC\"}, \"args\"", 1);
    let in_two_lines = |text: &str| text.replacen("[\"mcp\"]", "[\n  \"mcp\"\n]", 1);
    let among_others = |text: &str| text.replacen("\"mcpServers\"", "\"a\": 1, \"mcpServers\"", 1);
    let cases: [(Edit<'_>, bool); 5] = [
        (&set, true),
        (&|text| among_others(&set(text)), true),
        (&among_others, false),
        // A client that writes the file anew adds nothing.
        (&in_two_lines, false),
        (&|text| among_others(&in_two_lines(text)), false),
    ];
    for (n, (edit, is_kept)) in cases.into_iter().enumerate() {
        let home = Home::new();
        let path = home.write(".cursor/mcp.json", OTHER);
        home.add(Client::Cursor);
        let edited = edit(&fs::read_to_string(&path).unwrap());
        fs::write(&path, &edited).unwrap();
        home.remove(Client::Cursor);
        let copy = fs::read_to_string(home.path(".cursor/mcp.json.memtape-backup-2")).ok();
        assert_eq!(copy, is_kept.then_some(edited), "{n}");
        assert!(!fs::read_to_string(&path).unwrap().contains("memtape"), "{n}");
    }
}

#[test]
fn what_a_client_adds_elsewhere_in_a_toml_file_needs_no_backup() {
    for (added, is_kept) in [
        ("\n[projects.\"/repo\"]\ntrust_level = \"trusted\"\n", false),
        ("\n[mcp_servers.memtape.env]\nTZ = \"UTC\"\n", true),
    ] {
        let home = Home::new();
        let path = home.write(".codex/config.toml", "model = \"x\"\n");
        home.add(Client::Codex);
        let edited = fs::read_to_string(&path).unwrap() + added;
        fs::write(&path, &edited).unwrap();
        home.remove(Client::Codex);
        let copy = fs::read_to_string(home.path(".codex/config.toml.memtape-backup-2")).ok();
        assert_eq!(copy, is_kept.then_some(edited), "{added}");
    }
}

#[test]
fn arguments_that_were_added_by_hand_stay() {
    for (client, file, before, after) in [
        (
            Client::Cursor,
            ".cursor/mcp.json",
            r#"{"mcpServers":{"memtape":{"command":"memtape","args":["-C","/x","mcp","--read-only"]}}}"#,
            r#"["mcp","--read-only"]"#,
        ),
        (
            Client::OpenCode,
            ".config/opencode/opencode.json",
            r#"{"mcp":{"memtape":{"type":"local","command":["mt/memtape","mcp","--tools","notes"]}}}"#,
            r#"["memtape","mcp","--tools","notes"]"#,
        ),
        (
            Client::Codex,
            ".codex/config.toml",
            "[mcp_servers.memtape]\ncommand = \"mt/memtape\"\nargs = [\"mcp\", \"--session\", \"telegram:ana\"]\n",
            r#"["mcp","--session","telegram:ana"]"#,
        ),
        (
            Client::ClaudeCode,
            ".claude/settings.json",
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"mt/memtape hook Stop 2>>/tmp/log"}]}]}}"#,
            r#""memtape hook Stop 2>>/tmp/log""#,
        ),
        (
            Client::ClaudeCode,
            ".claude/settings.json",
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"TZ=UTC mt/memtape hook Stop"}]}]}}"#,
            r#""TZ=UTC memtape hook Stop""#,
        ),
        (
            Client::ClaudeCode,
            ".claude/settings.json",
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"mt/memtape",
                "args":["--branch","my work","hook","--timeout","2000","Stop"]}]}]}}"#,
            r#""memtape --branch 'my work' hook --timeout 2000 Stop""#,
        ),
    ] {
        let home = Home::new();
        let path = home.write(file, before);
        home.add(client);
        let text = fs::read_to_string(&path).unwrap();
        let packed = text.replace("\", \"", "\",\"").replace("\n", "");
        assert!(packed.contains(after), "{text}");
        assert_eq!(text.matches("hook Stop").count(), after.matches("hook Stop").count(), "{text}");
        assert!(names(&home).iter().any(|name| name.ends_with(".memtape-backup")), "{file}");
    }
}

#[test]
fn a_dry_run_shows_the_difference() {
    let home = Home::new();
    let path = home.write(".cursor/mcp.json", "{\n  \"mcpServers\": {\n    \"a\": {}\n  }\n}\n");
    let diff = home.plan_add(Client::Cursor).unwrap().diff();
    expect![[r#"
        --- [FILE]
        +++ [FILE]
        @@ -1,5 +1,10 @@
         {
           "mcpServers": {
        -    "a": {}
        +    "a": {},
        +    "memtape": {
        +      "type": "stdio",
        +      "command": "memtape",
        +      "args": ["mcp"]
        +    }
           }
         }
    "#]]
    .assert_eq(&diff.replace(path.to_str().unwrap(), "[FILE]"));
    fs::remove_file(&path).unwrap();
    let diff = home.plan_add(Client::Cursor).unwrap().diff();
    assert!(diff.starts_with("--- /dev/null\n+++ "), "{diff}");
}

#[test]
fn a_file_that_changed_since_the_plan_is_not_written() {
    let home = Home::new();
    let path = home.write(".cursor/mcp.json", OTHER);
    let plan = home.plan_add(Client::Cursor).unwrap();
    fs::write(&path, "{\"theirs\": 1}").unwrap();
    let failed = plan.apply().unwrap_err();
    assert!(matches!(failed, Error::Changed { .. }), "{failed}");
    assert_eq!(fs::read_to_string(path).unwrap(), "{\"theirs\": 1}");
    assert_eq!(names(&home), [".cursor/mcp.json"]);
}

#[cfg(unix)]
#[test]
fn of_several_runs_at_once_one_makes_a_backup() {
    for _ in 0..20 {
        let home = Home::new();
        home.write(".cursor/mcp.json", OTHER);
        let plans: Vec<_> = (0..6).map(|_| home.plan_add(Client::Cursor).unwrap()).collect();
        std::thread::scope(|scope| {
            for plan in &plans {
                scope.spawn(|| match plan.apply() {
                    Ok(_) | Err(Error::Changed { .. }) => {}
                    Err(e) => panic!("{e}"),
                });
            }
        });
        assert_eq!(names(&home), [".cursor/mcp.json", ".cursor/mcp.json.memtape-backup"]);
        home.remove(Client::Cursor);
        assert_eq!(names(&home), [".cursor/mcp.json"]);
    }
}

#[test]
fn all_files_are_checked_before_one_is_written() {
    let home = Home::new();
    home.write(".claude.json", OTHER);
    home.write(".claude/settings.json", "{\"hooks\": [}");
    let before = home.files();
    assert!(matches!(home.plan_add(Client::ClaudeCode), Err(Error::Malformed { line: 1, .. })));
    assert_eq!(home.files(), before);
}

#[test]
fn a_file_in_another_encoding_is_refused() {
    let home = Home::new();
    let path = home.write(".cursor/mcp.json", "");
    fs::write(&path, b"{\n\"caf\xe9\": 1}").unwrap();
    let failed = home.plan_add(Client::Cursor).unwrap_err();
    assert_eq!(home.shown(&failed), "~/.cursor/mcp.json:2: the file is not UTF-8");
}

#[test]
fn a_server_that_is_written_with_dotted_keys_is_completed_and_removed() {
    for (before, added, removed) in [
        (
            "model = \"o3\"\nmcp_servers.memtape.command = \"memtape\"\n[tui]\n",
            "model = \"o3\"\nmcp_servers.memtape.command = \"memtape\"\nmcp_servers.memtape.args = [\"mcp\"]\n[tui]\n",
            "model = \"o3\"\n[tui]\n",
        ),
        (
            "[mcp_servers]\nmemtape.env.A = \"1\"\nmemtape.command = \"memtape\"\nother.command = \"other\"\n",
            "[mcp_servers]\nmemtape.env.A = \"1\"\nmemtape.command = \"memtape\"\nmemtape.args = [\"mcp\"]\n\
             other.command = \"other\"\n",
            "[mcp_servers]\nother.command = \"other\"\n",
        ),
        (
            "mcp_servers = { memtape.command = \"memtape\" }\n",
            "mcp_servers = { memtape.command = \"memtape\", memtape.args = [\"mcp\"] }\n",
            "",
        ),
    ] {
        let home = Home::new();
        let path = home.write(".codex/config.toml", before);
        home.add(Client::Codex);
        assert_eq!(fs::read_to_string(&path).unwrap(), added);
        if !removed.is_empty() {
            home.remove(Client::Codex);
            assert_eq!(fs::read_to_string(&path).unwrap(), removed);
        }
    }
}

#[test]
fn a_server_of_another_program_stays_when_memtape_is_removed() {
    let home = Home::new();
    let text = "{\"mcpServers\": {\"memtape\": {\"url\": \"https://example.com\"}}}";
    let path = home.write(".cursor/mcp.json", text);
    let plan = home.plan_remove(Client::Cursor).unwrap();
    assert!(plan.is_unchanged());
    assert!(
        plan.notes[0].ends_with("the server \"memtape\" there does not run `memtape mcp`, so it stays"),
        "{:?}",
        plan.notes
    );
    assert_eq!(fs::read_to_string(path).unwrap(), text);
}

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use memtape_setup::{Action, Client, Error};

    use super::{OTHER, names};
    use crate::harness::Home;

    #[test]
    fn a_file_and_its_backup_keep_the_permissions() {
        let home = Home::new();
        let path = home.write(".claude.json", "{}");
        for mode in [0o600, 0o640] {
            fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
            home.add(Client::ClaudeCode);
            let mode_of = |name| fs::metadata(home.path(name)).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode_of(".claude.json"), mode_of(".claude.json.memtape-backup")), (mode, mode));
            home.remove(Client::ClaudeCode);
            assert_eq!(mode_of(".claude.json"), mode);
        }
    }

    #[test]
    fn a_new_file_has_the_permissions_of_any_new_file() {
        let home = Home::new();
        home.add(Client::Cursor);
        let usual = fs::metadata(home.write("usual", "")).unwrap().permissions();
        assert_eq!(fs::metadata(home.path(".cursor/mcp.json")).unwrap().permissions(), usual);
    }

    #[test]
    fn a_link_is_followed() {
        let home = Home::new();
        let target = home.write("dotfiles/mcp.json", OTHER);
        fs::create_dir(home.path(".cursor")).unwrap();
        symlink("../dotfiles/mcp.json", home.path(".cursor/mcp.json")).unwrap();
        home.add(Client::Cursor);
        assert!(fs::symlink_metadata(home.path(".cursor/mcp.json")).unwrap().is_symlink());
        assert!(fs::read_to_string(&target).unwrap().contains("\"memtape\""));
        home.remove(Client::Cursor);
        assert!(fs::symlink_metadata(home.path(".cursor/mcp.json")).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&target).unwrap(), OTHER);
        assert_eq!(names(&home), [".cursor/mcp.json", "dotfiles/mcp.json"]);
    }

    #[test]
    fn a_link_to_nothing_creates_what_it_points_to() {
        let home = Home::new();
        fs::create_dir(home.path(".cursor")).unwrap();
        symlink("../dotfiles/mcp.json", home.path(".cursor/mcp.json")).unwrap();
        home.add(Client::Cursor);
        assert!(home.path("dotfiles/mcp.json").is_file());
        assert!(fs::symlink_metadata(home.path(".cursor/mcp.json")).unwrap().is_symlink());
        let written = home.plan_remove(Client::Cursor).unwrap().apply().unwrap();
        assert_eq!(written[0].action, Action::Deleted);
        assert!(!home.path("dotfiles/mcp.json").exists(), "memtape is in the file that the client reads");
        assert!(fs::symlink_metadata(home.path(".cursor/mcp.json")).unwrap().is_symlink());
        assert!(home.plan_remove(Client::Cursor).unwrap().is_unchanged());
    }

    #[test]
    fn a_chain_of_links_gets_its_bytes_back() {
        let home = Home::new();
        for text in [OTHER, "", "{}", "{}\n", "\u{feff}{}"] {
            fs::create_dir_all(home.path(".cursor")).unwrap();
            let target = home.write("dotfiles/mcp.json", text);
            symlink(&target, home.path("dotfiles/link.json")).unwrap();
            symlink("../dotfiles/link.json", home.path(".cursor/mcp.json")).unwrap();
            home.add(Client::Cursor);
            home.remove(Client::Cursor);
            for link in [".cursor/mcp.json", "dotfiles/link.json"] {
                assert!(fs::symlink_metadata(home.path(link)).unwrap().is_symlink(), "{text:?} {link}");
                fs::remove_file(home.path(link)).unwrap();
            }
            assert_eq!(fs::read_to_string(&target).unwrap(), text);
            assert_eq!(names(&home), ["dotfiles/mcp.json"]);
        }
    }

    #[test]
    fn what_is_no_regular_file_is_refused() {
        let home = Home::new();
        fs::create_dir_all(home.path(".cursor/mcp.json")).unwrap();
        fs::create_dir_all(home.path(".gemini")).unwrap();
        let pipe = home.path(".gemini/settings.json");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        fs::create_dir_all(home.path(".copilot")).unwrap();
        symlink("/dev/zero", home.path(".copilot/mcp-config.json")).unwrap();
        for (client, file) in [
            (Client::Cursor, "~/.cursor/mcp.json"),
            (Client::GeminiCli, "~/.gemini/settings.json"),
            (Client::CopilotCli, "~/.copilot/mcp-config.json"),
        ] {
            for failed in [home.plan_add(client).unwrap_err(), home.plan_remove(client).unwrap_err()] {
                assert!(matches!(failed, Error::NotAFile { .. }), "{failed}");
                assert_eq!(home.shown(&failed), format!("{file} is not a regular file"));
            }
        }
        // Another pipe by the name of a backup is no backup.
        home.write(".claude/settings.json", "{\"a\": 1}");
        let pipe = home.path(".claude/settings.json.memtape-backup");
        assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
        home.add(Client::ClaudeCode);
        home.remove(Client::ClaudeCode);
        assert_eq!(fs::read_to_string(home.path(".claude/settings.json")).unwrap(), "{\"a\": 1}");
    }

    #[test]
    fn links_in_a_circle_are_an_error() {
        let home = Home::new();
        fs::create_dir(home.path(".cursor")).unwrap();
        symlink("mcp.json", home.path(".cursor/mcp.json")).unwrap();
        assert!(home.plan_add(Client::Cursor).is_err());
    }
}
