//! The clients: their names, and where each keeps which part of its configuration.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::error::{Error, Result};

/// A program that runs MCP servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// Claude Code.
    ClaudeCode,
    /// The Claude desktop application.
    ClaudeDesktop,
    /// Codex, as a terminal program and as an extension.
    Codex,
    /// Cursor.
    Cursor,
    /// Visual Studio Code.
    VsCode,
    /// Windsurf.
    Windsurf,
    /// Zed.
    Zed,
    /// opencode.
    OpenCode,
    /// Gemini CLI.
    GeminiCli,
    /// GitHub Copilot CLI.
    CopilotCli,
    /// OpenClaw.
    OpenClaw,
}

/// The configuration to change: the user's or the project's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The user's, for all projects.
    User,
    /// The project's.
    Project,
}

/// The operating system, as far as paths and shells depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// Linux and other Unix systems.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

/// The surroundings that decide where configuration files are.
pub struct System<'a> {
    /// The user's home folder.
    pub home: PathBuf,
    /// The project's folder.
    pub project: PathBuf,
    /// The operating system.
    pub platform: Platform,
    /// Returns the value of an environment variable. An empty value counts as none.
    pub variable: &'a dyn Fn(&str) -> Option<OsString>,
}

impl System<'_> {
    /// Returns the folder that a variable names.
    fn folder(&self, variable: &str) -> Option<PathBuf> {
        let value = PathBuf::from((self.variable)(variable).filter(|value| !value.is_empty())?);
        Some(match value.strip_prefix("~") {
            Ok(below) => self.home.join(below),
            Err(_) => self.project.join(value),
        })
    }

    /// `$XDG_CONFIG_HOME`, else `~/.config`, which some clients use on every system.
    fn xdg(&self) -> PathBuf {
        let folder = (self.variable)("XDG_CONFIG_HOME").map(PathBuf::from).filter(|dir| dir.is_absolute());
        folder.unwrap_or_else(|| self.home.join(".config"))
    }

    /// The folder in which graphical applications keep their settings.
    fn applications(&self) -> PathBuf {
        match self.platform {
            Platform::Linux => self.xdg(),
            Platform::MacOs => self.home.join("Library/Application Support"),
            Platform::Windows => self.folder("APPDATA").unwrap_or_else(|| self.home.join("AppData/Roaming")),
        }
    }
}

/// A file that memtape adds something to.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) path: PathBuf,
    pub(crate) part: Part,
}

/// A part that memtape adds to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// An MCP server in JSON, below these keys, with these fields besides the command.
    Server { keys: &'static [&'static str], shape: Shape },
    /// An MCP server in TOML, as `[mcp_servers.memtape]`.
    TomlServer,
    /// Hooks in JSON for these events, each with its time limit in seconds.
    Hooks(&'static [(&'static str, u64)]),
}

/// The form of an MCP server in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `command` and `args`.
    Plain,
    /// `type` "stdio", `command` and `args`.
    Stdio,
    /// `type` "local", `command`, `args`, and all `tools`.
    AllTools,
    /// `type` "local", and the program and its arguments in one array `command`.
    OneArray,
}

/// The events that memtape handles. A hook must never hold up a session for long; the clients end `SessionEnd` after a
/// few seconds anyway.
pub(crate) const EVENTS: [(&str, u64); 5] =
    [("SessionStart", 10), ("UserPromptSubmit", 10), ("Stop", 10), ("PreCompact", 10), ("SessionEnd", 3)];

const MCP_SERVERS: &[&str] = &["mcpServers"];

impl Client {
    /// All clients, in the order in which they are listed.
    pub const ALL: [Self; 11] = [
        Self::ClaudeCode,
        Self::ClaudeDesktop,
        Self::Codex,
        Self::Cursor,
        Self::VsCode,
        Self::Windsurf,
        Self::Zed,
        Self::OpenCode,
        Self::GeminiCli,
        Self::CopilotCli,
        Self::OpenClaw,
    ];

    /// Returns the name on a command line: `claude-code`.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.names().0
    }

    /// Returns the product's name: `Claude Code`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.names().1
    }

    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::ClaudeCode => ("claude-code", "Claude Code"),
            Self::ClaudeDesktop => ("claude-desktop", "Claude Desktop"),
            Self::Codex => ("codex", "Codex"),
            Self::Cursor => ("cursor", "Cursor"),
            Self::VsCode => ("vscode", "VS Code"),
            Self::Windsurf => ("windsurf", "Windsurf"),
            Self::Zed => ("zed", "Zed"),
            Self::OpenCode => ("opencode", "opencode"),
            Self::GeminiCli => ("gemini-cli", "Gemini CLI"),
            Self::CopilotCli => ("copilot-cli", "Copilot CLI"),
            Self::OpenClaw => ("openclaw", "OpenClaw"),
        }
    }

    /// Returns whether the client runs servers with another `PATH`, so that it needs the program's full path.
    #[must_use]
    pub fn needs_full_path(self) -> bool {
        // The one is started by the desktop, the other by a service manager.
        matches!(self, Self::ClaudeDesktop | Self::OpenClaw)
    }

    /// Returns the folder that exists where the client was used.
    pub(crate) fn folder(self, system: &System<'_>) -> PathBuf {
        let home = &system.home;
        match self {
            Self::ClaudeCode => system.folder("CLAUDE_CONFIG_DIR").unwrap_or_else(|| home.join(".claude")),
            Self::ClaudeDesktop => system.applications().join("Claude"),
            Self::Codex => system.folder("CODEX_HOME").unwrap_or_else(|| home.join(".codex")),
            Self::Cursor => home.join(".cursor"),
            Self::VsCode => system.applications().join("Code"),
            Self::Windsurf => home.join(".codeium/windsurf"),
            Self::Zed => match system.platform {
                Platform::Linux => system.xdg().join("zed"),
                Platform::MacOs => home.join(".config/zed"),
                Platform::Windows => system.applications().join("Zed"),
            },
            Self::OpenCode => system.xdg().join("opencode"),
            Self::GeminiCli => {
                system.folder("GEMINI_CLI_HOME").unwrap_or_else(|| home.clone()).join(".gemini")
            }
            Self::CopilotCli => system.folder("COPILOT_HOME").unwrap_or_else(|| home.join(".copilot")),
            Self::OpenClaw => system.folder("OPENCLAW_STATE_DIR").unwrap_or_else(|| {
                system.folder("OPENCLAW_HOME").unwrap_or_else(|| home.clone()).join(".openclaw")
            }),
        }
    }

    /// Returns the files that memtape adds something to.
    ///
    /// # Errors
    /// [`Error::NoProjectFile`] if the client keeps no configuration in a project.
    pub(crate) fn targets(self, scope: Scope, system: &System<'_>) -> Result<Vec<Target>> {
        match scope {
            Scope::User => Ok(self.user_targets(system)),
            Scope::Project => {
                self.project_targets(&system.project).ok_or(Error::NoProjectFile { client: self.name() })
            }
        }
    }

    /// Returns the files that memtape is removed from: also those that an earlier run may have added it to.
    ///
    /// # Errors
    /// As [`Client::targets`].
    pub(crate) fn removed_from(self, scope: Scope, system: &System<'_>) -> Result<Vec<Target>> {
        let mut targets = self.targets(scope, system)?;
        if self == Self::OpenCode {
            // It reads both files, and which one memtape is added to depends on which one exists at that time.
            let others = targets.iter().map(|target| {
                let is_json = target.path.extension().is_some_and(|extension| extension == "json");
                self.server(target.path.with_extension(if is_json { "jsonc" } else { "json" }))
            });
            let others: Vec<_> = others.collect();
            targets.extend(others);
        }
        Ok(targets)
    }

    fn user_targets(self, system: &System<'_>) -> Vec<Target> {
        let folder = self.folder(system);
        let server = |path| vec![self.server(path)];
        match self {
            Self::ClaudeCode => {
                // Beside the folder, unless the folder was chosen.
                let chosen = system.folder("CLAUDE_CONFIG_DIR");
                let state = chosen.unwrap_or_else(|| system.home.clone()).join(".claude.json");
                vec![self.server(state), hooks(folder.join("settings.json"))]
            }
            Self::ClaudeDesktop => server(folder.join("claude_desktop_config.json")),
            Self::Codex => vec![self.server(folder.join("config.toml")), hooks(folder.join("hooks.json"))],
            Self::Cursor => server(folder.join("mcp.json")),
            Self::VsCode => server(folder.join("User/mcp.json")),
            Self::Windsurf => server(folder.join("mcp_config.json")),
            Self::Zed | Self::GeminiCli => server(folder.join("settings.json")),
            Self::OpenCode => server(json_or_jsonc(&folder.join("opencode.json"))),
            Self::CopilotCli => server(folder.join("mcp-config.json")),
            Self::OpenClaw => {
                let chosen = system.folder("OPENCLAW_CONFIG_PATH");
                server(chosen.unwrap_or_else(|| folder.join("openclaw.json")))
            }
        }
    }

    fn project_targets(self, project: &Path) -> Option<Vec<Target>> {
        let server = |path: &str| Some(vec![self.server(project.join(path))]);
        match self {
            Self::ClaudeCode => Some(vec![
                self.server(project.join(".mcp.json")),
                hooks(project.join(".claude/settings.json")),
            ]),
            Self::Codex => Some(vec![
                self.server(project.join(".codex/config.toml")),
                hooks(project.join(".codex/hooks.json")),
            ]),
            Self::Cursor => server(".cursor/mcp.json"),
            Self::VsCode => server(".vscode/mcp.json"),
            Self::Zed => server(".zed/settings.json"),
            Self::OpenCode => Some(vec![self.server(json_or_jsonc(&project.join("opencode.json")))]),
            Self::GeminiCli => server(".gemini/settings.json"),
            // It reads `.mcp.json` too, but that is Claude Code's, which does not take the entry in this form.
            Self::CopilotCli => server(".github/mcp.json"),
            Self::ClaudeDesktop | Self::Windsurf | Self::OpenClaw => None,
        }
    }

    fn server(self, path: PathBuf) -> Target {
        let (keys, shape): (&[&str], _) = match self {
            Self::Codex => return Target { path, part: Part::TomlServer },
            Self::ClaudeCode | Self::Cursor => (MCP_SERVERS, Shape::Stdio),
            Self::ClaudeDesktop | Self::Windsurf | Self::GeminiCli => (MCP_SERVERS, Shape::Plain),
            Self::VsCode => (&["servers"], Shape::Stdio),
            Self::Zed => (&["context_servers"], Shape::Plain),
            Self::OpenCode => (&["mcp"], Shape::OneArray),
            Self::CopilotCli => (MCP_SERVERS, Shape::AllTools),
            Self::OpenClaw => (&["mcp", "servers"], Shape::Plain),
        };
        Target { path, part: Part::Server { keys, shape } }
    }

    /// Returns whether the client's files are JSON5, rather than JSON with comments.
    pub(crate) fn uses_json5(self) -> bool {
        self == Self::OpenClaw
    }
}

impl FromStr for Client {
    type Err = String;

    /// Parses the name on a command line.
    ///
    /// # Errors
    /// A message that lists the names, if it is none.
    fn from_str(id: &str) -> std::result::Result<Self, String> {
        let found = Self::ALL.into_iter().find(|client| client.id() == id);
        found.ok_or_else(|| {
            let ids = Self::ALL.map(Self::id).join(", ");
            format!("unknown client {id:?}: expected one of {ids}")
        })
    }
}

fn hooks(path: PathBuf) -> Target {
    Target { path, part: Part::Hooks(&EVENTS) }
}

/// Returns the file that opencode reads: the one with comments if only that exists.
fn json_or_jsonc(path: &Path) -> PathBuf {
    let with_comments = path.with_extension("jsonc");
    if !path.exists() && with_comments.exists() { with_comments } else { path.to_owned() }
}
