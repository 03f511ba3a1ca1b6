//! The place of each client's configuration, and the text to paste there.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use expect_test::expect;
use memtape_setup::{Client, Command, Error, Platform, Scope, System, snippets};

use crate::harness::Home;

fn command() -> Command {
    Command { program: "memtape".to_owned(), workspace: None }
}

/// Returns the files of every client, one line each.
fn places(scope: Scope, platform: Platform, variables: &[(&str, &str)]) -> String {
    let variables: BTreeMap<_, _> = variables.iter().copied().collect();
    let variable = |name: &str| variables.get(name).map(OsString::from);
    let system =
        System { home: PathBuf::from("~"), project: PathBuf::from("/work"), platform, variable: &variable };
    let line = |client: Client| match snippets(client, scope, &command(), &system) {
        Ok(files) => {
            let files: Vec<_> = files.iter().map(|file| file.path.display().to_string()).collect();
            format!("{}: {}\n", client.id(), files.join(", "))
        }
        Err(e) => format!("{}: {e}\n", client.id()),
    };
    Client::ALL.into_iter().map(line).collect()
}

#[test]
fn the_files_of_a_user() {
    expect![[r#"
        claude-code: ~/.claude.json, ~/.claude/settings.json
        claude-desktop: ~/.config/Claude/claude_desktop_config.json
        codex: ~/.codex/config.toml, ~/.codex/hooks.json
        cursor: ~/.cursor/mcp.json
        vscode: ~/.config/Code/User/mcp.json
        windsurf: ~/.codeium/windsurf/mcp_config.json
        zed: ~/.config/zed/settings.json
        opencode: ~/.config/opencode/opencode.json
        gemini-cli: ~/.gemini/settings.json
        copilot-cli: ~/.copilot/mcp-config.json
        openclaw: ~/.openclaw/openclaw.json
    "#]]
    .assert_eq(&places(Scope::User, Platform::Linux, &[]));
    expect![[r#"
        claude-code: ~/.claude.json, ~/.claude/settings.json
        claude-desktop: ~/Library/Application Support/Claude/claude_desktop_config.json
        codex: ~/.codex/config.toml, ~/.codex/hooks.json
        cursor: ~/.cursor/mcp.json
        vscode: ~/Library/Application Support/Code/User/mcp.json
        windsurf: ~/.codeium/windsurf/mcp_config.json
        zed: ~/.config/zed/settings.json
        opencode: ~/.config/opencode/opencode.json
        gemini-cli: ~/.gemini/settings.json
        copilot-cli: ~/.copilot/mcp-config.json
        openclaw: ~/.openclaw/openclaw.json
    "#]]
    .assert_eq(&places(Scope::User, Platform::MacOs, &[("XDG_CONFIG_HOME", "relative")]));
    expect![[r#"
        claude-code: ~/.claude.json, ~/.claude/settings.json
        claude-desktop: /app-data/Claude/claude_desktop_config.json
        codex: ~/.codex/config.toml, ~/.codex/hooks.json
        cursor: ~/.cursor/mcp.json
        vscode: /app-data/Code/User/mcp.json
        windsurf: ~/.codeium/windsurf/mcp_config.json
        zed: /app-data/Zed/settings.json
        opencode: ~/.config/opencode/opencode.json
        gemini-cli: ~/.gemini/settings.json
        copilot-cli: ~/.copilot/mcp-config.json
        openclaw: ~/.openclaw/openclaw.json
    "#]]
    .assert_eq(&places(Scope::User, Platform::Windows, &[("APPDATA", "/app-data"), ("CODEX_HOME", "")]));
}

#[test]
fn files_of_a_user_with_separate_folders() {
    let variables = [
        ("XDG_CONFIG_HOME", "/xdg"),
        ("CLAUDE_CONFIG_DIR", "/claude"),
        ("CODEX_HOME", "codex"),
        ("GEMINI_CLI_HOME", "/gemini"),
        ("COPILOT_HOME", "/copilot"),
        ("OPENCLAW_HOME", "/claw"),
    ];
    expect![[r#"
        claude-code: /claude/.claude.json, /claude/settings.json
        claude-desktop: /xdg/Claude/claude_desktop_config.json
        codex: /work/codex/config.toml, /work/codex/hooks.json
        cursor: ~/.cursor/mcp.json
        vscode: /xdg/Code/User/mcp.json
        windsurf: ~/.codeium/windsurf/mcp_config.json
        zed: /xdg/zed/settings.json
        opencode: /xdg/opencode/opencode.json
        gemini-cli: /gemini/.gemini/settings.json
        copilot-cli: /copilot/mcp-config.json
        openclaw: /claw/.openclaw/openclaw.json
    "#]]
    .assert_eq(&places(Scope::User, Platform::Linux, &variables));
    let file = |name, value| {
        let all = places(Scope::User, Platform::Linux, &[(name, value), ("OPENCLAW_HOME", "/claw")]);
        all.lines().last().unwrap().to_owned()
    };
    assert_eq!(file("OPENCLAW_STATE_DIR", "/state"), "openclaw: /state/openclaw.json");
    assert_eq!(file("OPENCLAW_STATE_DIR", "~/state"), "openclaw: ~/state/openclaw.json");
    assert_eq!(file("OPENCLAW_CONFIG_PATH", "/my.json"), "openclaw: /my.json");
}

#[test]
fn the_files_of_a_project() {
    expect![[r#"
        claude-code: /work/.mcp.json, /work/.claude/settings.json
        claude-desktop: Claude Desktop has no configuration file for a project
        codex: /work/.codex/config.toml, /work/.codex/hooks.json
        cursor: /work/.cursor/mcp.json
        vscode: /work/.vscode/mcp.json
        windsurf: Windsurf has no configuration file for a project
        zed: /work/.zed/settings.json
        opencode: /work/opencode.json
        gemini-cli: /work/.gemini/settings.json
        copilot-cli: /work/.github/mcp.json
        openclaw: OpenClaw has no configuration file for a project
    "#]]
    .assert_eq(&places(Scope::Project, Platform::Linux, &[]));
}

#[test]
fn opencode_is_set_up_in_the_file_that_it_reads() {
    let home = Home::new();
    let file = || {
        home.with(|system| {
            let file = snippets(Client::OpenCode, Scope::User, &home.command, system).unwrap().remove(0).path;
            file.file_name().unwrap().to_str().unwrap().to_owned()
        })
    };
    assert_eq!(file(), "opencode.json");
    home.write(".config/opencode/opencode.jsonc", "{}");
    assert_eq!(file(), "opencode.jsonc");
    home.write(".config/opencode/opencode.json", "{}");
    assert_eq!(file(), "opencode.json");
}

#[test]
fn a_project_gets_its_own_files() {
    let home = Home::new();
    home.with(|system| {
        for client in Client::ALL {
            match memtape_setup::add(client, Scope::Project, &home.command, system) {
                Ok(plan) => {
                    assert_eq!(plan.notes, Vec::<String>::new());
                    assert!(
                        plan.apply().unwrap().iter().all(|file| file.path.starts_with(home.in_project("")))
                    );
                }
                Err(e) => assert!(matches!(e, Error::NoProjectFile { .. }), "{e}"),
            }
        }
        for client in Client::ALL {
            if let Ok(again) = memtape_setup::add(client, Scope::Project, &home.command, system) {
                assert!(again.is_unchanged(), "{}", again.diff());
            }
        }
    });
    assert_eq!(home.files(), []);
}

#[test]
fn claude_code_and_copilot_cli_have_entries_of_their_own_in_a_project() {
    let home = Home::new();
    let server = |file: &str| {
        let text = std::fs::read_to_string(home.in_project(file)).unwrap_or_default();
        let parsed: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        parsed["mcpServers"]["memtape"].to_string()
    };
    let of_claude_code = r#"{"type":"stdio","command":"memtape","args":["mcp"]}"#;
    let of_copilot_cli = r#"{"type":"local","command":"memtape","args":["mcp"],"tools":["*"]}"#;
    home.with(|system| {
        let clients = [Client::ClaudeCode, Client::CopilotCli];
        for (added, other) in [(clients[0], clients[1]), (clients[1], clients[0])] {
            for client in [added, other] {
                memtape_setup::add(client, Scope::Project, &home.command, system).unwrap().apply().unwrap();
            }
            assert_eq!(server(".mcp.json"), of_claude_code);
            assert_eq!(server(".github/mcp.json"), of_copilot_cli);
            memtape_setup::remove(added, Scope::Project, &home.command, system).unwrap().apply().unwrap();
            let left = [server(".mcp.json"), server(".github/mcp.json")];
            match other {
                Client::ClaudeCode => assert_eq!(left, [of_claude_code, "null"]),
                _ => assert_eq!(left, ["null", of_copilot_cli]),
            }
            memtape_setup::remove(other, Scope::Project, &home.command, system).unwrap().apply().unwrap();
        }
    });
}

#[test]
fn opencode_is_removed_from_both_files_that_it_reads() {
    let home = Home::new();
    let (json, jsonc) = (".config/opencode/opencode.json", ".config/opencode/opencode.jsonc");
    let text = "{\n  // mine\n  \"theme\": \"dark\"\n}\n";
    home.write(jsonc, text);
    home.add(Client::OpenCode);
    home.write(json, "{\"model\": \"x\"}\n");
    home.add(Client::OpenCode);
    home.remove(Client::OpenCode);
    let read = |file| std::fs::read_to_string(home.path(file)).unwrap();
    assert_eq!((read(jsonc).as_str(), read(json).as_str()), (text, "{\"model\": \"x\"}\n"));
    assert!(home.plan_remove(Client::OpenCode).unwrap().is_unchanged());
}

#[test]
fn a_command_with_a_workspace_is_the_same_for_the_server_and_the_hooks() {
    let command = Command {
        program: r"C:\Program Files\memtape.exe".to_owned(),
        workspace: Some(r"C:\Users\Ana\memory".to_owned()),
    };
    let system = System {
        home: PathBuf::from("~"),
        project: PathBuf::from("/work"),
        platform: Platform::Windows,
        variable: &|_| None,
    };
    let files = snippets(Client::Codex, Scope::User, &command, &system).unwrap();
    expect![[r#"
        [mcp_servers.memtape]
        command = "C:\\Program Files\\memtape.exe"
        args = ["-C", "C:\\Users\\Ana\\memory", "mcp"]
    "#]]
    .assert_eq(&files[0].text);
    let hooks: serde_json::Value = serde_json::from_str(&files[1].text).unwrap();
    expect![[r#""C:/Program Files/memtape.exe" -C C:/Users/Ana/memory hook Stop"#]]
        .assert_eq(hooks["hooks"]["Stop"][0]["hooks"][0]["command"].as_str().unwrap());
    let parsed: toml::Table = toml::from_str(&files[0].text).unwrap();
    assert_eq!(parsed["mcp_servers"]["memtape"]["command"].as_str(), Some(command.program.as_str()));
    assert_eq!(files[1].path.file_name(), Some(Path::new("hooks.json").as_os_str()));
}
