//! The plugin folder for Claude Code.

use std::fs;

use expect_test::expect;
use memtape_setup::{Command, Error, Platform, plugin};
use serde_json::Value;

fn command(program: &str) -> Command {
    Command { program: program.to_owned(), workspace: None }
}

#[test]
fn the_plugin_is_a_folder_with_four_files() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("memtape");
    plugin(&dir, &command("memtape"), Platform::Linux).unwrap().apply().unwrap();
    let read = |name: &str| fs::read_to_string(dir.join(name)).unwrap();
    let manifest: Value = serde_json::from_str(&read(".claude-plugin/plugin.json")).unwrap();
    assert_eq!(
        (&manifest["name"], &manifest["version"]),
        (&"memtape".into(), &env!("CARGO_PKG_VERSION").into())
    );
    expect![[r#"
        {
          "mcpServers": {
            "memtape": {
              "type": "stdio",
              "command": "memtape",
              "args": ["mcp"]
            }
          }
        }
    "#]]
    .assert_eq(&read(".mcp.json"));
    let hooks: Value = serde_json::from_str(&read("hooks/hooks.json")).unwrap();
    let events: Vec<_> = hooks["hooks"].as_object().unwrap().keys().collect();
    assert_eq!(events, ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"]);
    let skill = read("skills/memtape/SKILL.md");
    assert!(skill.starts_with("---\nname: memtape\ndescription: "), "{skill}");
    for tool in ["memory_recall", "memory_save", "memory_daily", "memory_add", "memory_forget", "memory_show"]
    {
        assert!(skill.contains(&format!("`{tool}`")), "{tool}");
    }
    // Claude Code cuts a longer description.
    let description = skill.lines().find_map(|line| line.strip_prefix("description: ")).unwrap();
    assert!(description.len() <= 1024);
}

#[test]
fn an_earlier_plugin_is_replaced_and_other_folders_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    plugin(dir, &command("memtape"), Platform::Linux).unwrap().apply().unwrap();
    assert!(plugin(dir, &command("memtape"), Platform::Linux).unwrap().is_unchanged());
    fs::write(dir.join("NOTES.md"), "mine").unwrap();
    plugin(dir, &command("/opt/memtape"), Platform::Linux).unwrap().apply().unwrap();
    assert!(fs::read_to_string(dir.join(".mcp.json")).unwrap().contains("/opt/memtape"));
    assert_eq!(fs::read_to_string(dir.join("NOTES.md")).unwrap(), "mine");

    fs::write(dir.join(".claude-plugin/plugin.json"), "{\"name\": \"other\"}").unwrap();
    let refused = plugin(dir, &command("memtape"), Platform::Linux);
    assert!(matches!(refused, Err(Error::NotAPlugin { .. })), "{refused:?}");
}
