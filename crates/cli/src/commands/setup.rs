//! The `setup` command.

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use memtape_setup::{Action, Client, Command, Error, Plan, Platform, Scope, Snippet, System, Written};
use serde_json::{Value, json};

use super::{Context, absolute};
use crate::args::SetupArgs;
use crate::locate;
use crate::output::{Failure, Output, Result};

/// The name of the program on the `PATH`.
const PROGRAM: &str = "memtape";

pub(super) fn run(context: &Context<'_>, args: &SetupArgs) -> Result<ExitCode> {
    let variable = |name: &str| env::var_os(name);
    let system = System {
        home: locate::home()?,
        project: env::current_dir()
            .map_err(|e| Failure::Unusable(format!("cannot read the current directory: {e}")))?,
        platform: match env::consts::OS {
            "windows" => Platform::Windows,
            "macos" => Platform::MacOs,
            _ => Platform::Linux,
        },
        variable: &variable,
    };
    let command = command(context, args)?;
    let run = Run {
        args,
        scope: if args.project { Scope::Project } else { Scope::User },
        command: &command,
        system: &system,
        output: context.output,
    };
    match &args.plugin {
        Some(dir) => run.plugin(&absolute(dir))?,
        None => run.configuration()?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the command that the client runs.
fn command(context: &Context<'_>, args: &SetupArgs) -> Result<Command> {
    let shared = &context.cli.shared;
    let workspace = match &shared.workspace {
        Some(dir) => Some(absolute(dir)),
        None if shared.global => Some(locate::own()?),
        None => None,
    };
    let used = locate::server_place(shared)?;
    let dir = absolute(&used.dir);
    if !args.remove && !used.is_fresh() && !memtape::Workspace::exists_in(&dir) {
        let (name, quoted) = (dir.display(), locate::quoted(&dir));
        context
            .output
            .note(format_args!("note: {name} is no workspace yet: `memtape init {quoted}` creates it"));
    }
    let own = env::current_exe().map_err(|e| Failure::Unusable(format!("cannot find this program: {e}")))?;
    let found = on_path().filter(|found| absolute(found) == absolute(&own));
    let program = match found {
        Some(_) if !args.client.needs_full_path() => PROGRAM.to_owned(),
        // A link on the `PATH` stays when the program behind it is replaced by another version.
        found => utf8(found.unwrap_or(own))?,
    };
    Ok(Command { program, workspace: workspace.map(utf8).transpose()? })
}

/// Returns the program that a shell would run by the name of this one.
fn on_path() -> Option<PathBuf> {
    let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders)
        .map(|folder| folder.join(&name))
        .find(|file| file.is_absolute() && file.is_file())
}

fn utf8(path: PathBuf) -> Result<String> {
    path.into_os_string().into_string().map_err(|path| {
        Failure::Usage(format!("{} is not UTF-8, so it cannot be written to a configuration", path.display()))
    })
}

struct Run<'a> {
    args: &'a SetupArgs,
    scope: Scope,
    command: &'a Command,
    system: &'a System<'a>,
    output: &'a Output,
}

impl Run<'_> {
    /// Changes the client's configuration, or shows how it would change.
    fn configuration(&self) -> Result<()> {
        let client = self.args.client;
        if self.args.print {
            return self.print(&self.snippets()?);
        }
        let plan = match self.args.remove {
            true => memtape_setup::remove(client, self.scope, self.command, self.system),
            false => memtape_setup::add(client, self.scope, self.command, self.system),
        };
        let plan = plan.map_err(|e| self.failure(&e))?;
        for note in &plan.notes {
            self.output.note(format_args!("note: {note}"));
        }
        let Some(written) = self.write(&plan)? else { return Ok(()) };
        let name = client.name();
        let result = match (self.args.remove, written.is_empty()) {
            (false, false) => format!("Set up {name}."),
            (false, true) => format!("{name} is already set up."),
            (true, false) => format!("Removed memtape from {name}."),
            (true, true) => format!("memtape is not set up in {name}."),
        };
        self.report(&result, &written)?;
        if !self.args.remove {
            self.note_of_others(&plan);
        }
        if written.is_empty() {
            return Ok(());
        }
        if self.args.remove {
            return self.line(format!("Restart {name}."));
        }
        self.line(next_step(client))?;
        self.line(format!("`{}` removes it.", self.removal()))
    }

    /// Returns the command that removes memtape from the client.
    fn removal(&self) -> String {
        let project = if self.args.project { " --project" } else { "" };
        format!("memtape setup {}{project} --remove", self.args.client.id())
    }

    /// Writes the plugin to a directory, or shows how its files would change.
    fn plugin(&self, dir: &Path) -> Result<()> {
        if self.args.client != Client::ClaudeCode {
            return Err(Failure::Usage(format!(
                "{} has no plugin: only claude-code has",
                self.args.client.id()
            )));
        }
        let plan = memtape_setup::plugin(dir, self.command, self.system.platform);
        let plan = plan.map_err(|e| self.failure(&e))?;
        if self.args.print {
            let files = plan.changes.into_iter();
            let files = files.map(|file| Snippet { path: file.path, text: file.after.unwrap_or_default() });
            return self.print(&files.collect::<Vec<_>>());
        }
        let Some(written) = self.write(&plan)? else { return Ok(()) };
        let result = match written.is_empty() {
            true => "The plugin is up to date.",
            false => "Wrote the plugin for Claude Code.",
        };
        self.report(result, &written)?;
        self.note_of_hooks(Scope::User, &plan);
        self.line(format!(
            "Start Claude Code with `claude --plugin-dir {}`, or add the directory to a marketplace.",
            dir.display()
        ))?;
        self.line("`/mcp` then lists memtape, and `/hooks` its hooks.")
    }

    /// Warns of what the files of a plan mean to other projects and people.
    fn note_of_others(&self, plan: &Plan) {
        self.note_of_hooks(if self.args.project { Scope::User } else { Scope::Project }, plan);
        let Command { program, workspace } = self.command;
        let local = workspace.as_ref().or(Some(program).filter(|program| *program != PROGRAM));
        if let Some(path) = local.filter(|_| self.args.project) {
            self.output
                .note(format_args!("note: {path} is in a file of the project: others may not have it"));
        }
    }

    /// Warns if the client's configuration for another scope than that of a plan has hooks of memtape too.
    fn note_of_hooks(&self, other: Scope, plan: &Plan) {
        let client = self.args.client;
        let found = memtape_setup::remove(client, other, self.command, self.system);
        let is_planned = |path: &Path| plan.changes.iter().any(|change| change.path == path);
        let mut changes = found.into_iter().flat_map(|plan| plan.changes);
        let has_too = changes.any(|change| change.before != change.after && !is_planned(&change.path));
        if has_too && matches!(client, Client::ClaudeCode | Client::Codex) {
            let (whose, option) = match other {
                Scope::User => ("your own configuration", ""),
                Scope::Project => ("the configuration of this project", " --project"),
            };
            let remedy = format!("`memtape setup {}{option} --remove` removes it there", client.id());
            self.output.note(format_args!("note: {whose} has memtape too, so hooks run twice: {remedy}"));
        }
    }

    /// Makes the changes of a plan. `None` if they were only shown.
    fn write(&self, plan: &Plan) -> Result<Option<Vec<Written>>> {
        if !self.args.dry_run {
            let applied = plan.apply();
            if let Err(Error::Stopped { written, .. }) = &applied {
                for file in written {
                    self.output.note(format_args!("note: {} {}", verb(file.action), named(file)));
                }
                if !self.args.remove && self.args.plugin.is_none() {
                    self.output.note(format_args!(
                        "note: `{}` removes memtape from all of its files",
                        self.removal()
                    ));
                }
            }
            return applied.map(Some).map_err(|e| self.failure(&e));
        }
        let diff = plan.diff();
        match (self.output.json, diff.is_empty()) {
            (true, _) => self.output.value(&json!({"client": self.args.client.id(), "diff": diff}))?,
            (false, true) => self.output.line("Nothing would change.")?,
            (false, false) => self.output.diff(&diff)?,
        }
        Ok(None)
    }

    fn report(&self, result: &str, written: &[Written]) -> Result<()> {
        if self.output.json {
            let files: Vec<Value> = written.iter().map(file_json).collect();
            return self.output.value(&json!({"client": self.args.client.id(), "files": files}));
        }
        self.output.line(result)?;
        for file in written {
            self.output.line(format_args!("  {:9}{}", verb(file.action), named(file)))?;
        }
        Ok(())
    }

    fn print(&self, files: &[Snippet]) -> Result<()> {
        if self.output.json {
            let file =
                |file: &Snippet| json!({"file": file.path.display().to_string(), "content": file.text});
            let files: Vec<Value> = files.iter().map(file).collect();
            return self.output.value(&json!({"client": self.args.client.id(), "files": files}));
        }
        self.output.text(&pasted(files))
    }

    fn snippets(&self) -> Result<Vec<Snippet>> {
        let snippets = memtape_setup::snippets(self.args.client, self.scope, self.command, self.system);
        snippets.map_err(|e| self.failure(&e))
    }

    /// Prints a line for a person.
    fn line(&self, text: impl std::fmt::Display) -> Result<()> {
        if self.output.json { Ok(()) } else { self.output.line(text) }
    }

    /// Returns the failure for an error. If a file cannot be changed, its hint is what to add to it by hand.
    fn failure(&self, e: &Error) -> Failure {
        let message = e.to_string();
        let hint = match e {
            Error::NoProjectFile { .. } => return Failure::Usage(message),
            Error::Io { .. } => return Failure::Unusable(message),
            Error::Stopped { error, .. } => match **error {
                Error::NotAFile { .. } => "correct it and try again".to_owned(),
                _ => return self.failure(error),
            },
            Error::Changed { .. } => "try again".to_owned(),
            Error::Foreign { .. } => "rename it or remove it, and try again".to_owned(),
            Error::NotAPlugin { .. } => "choose another directory".to_owned(),
            Error::Malformed { path, .. } if !self.args.remove => {
                let files = self.snippets().unwrap_or_default();
                let files: Vec<_> = files.into_iter().filter(|file| file.path == *path).collect();
                format!("correct it and try again, or add this by hand:\n{}", pasted(&files).trim_end())
            }
            _ => "nothing was changed; correct it and try again".to_owned(),
        };
        Failure::Refused { message, hint }
    }
}

/// Formats what to paste into files: each after its path.
fn pasted(files: &[Snippet]) -> String {
    let files = files.iter().map(|file| format!("{}:\n{}", file.path.display(), file.text));
    files.collect::<Vec<_>>().join("\n")
}

/// Returns the name of a file, with that of the backup that was made.
fn named(Written { path, action, backup }: &Written) -> String {
    let backup = match backup {
        Some(backup) if *action != Action::Restored => format!(" (backup: {})", backup.display()),
        _ => String::new(),
    };
    format!("{}{backup}", path.display())
}

fn verb(action: Action) -> &'static str {
    match action {
        Action::Created => "created",
        Action::Changed => "changed",
        Action::Restored => "restored",
        Action::Deleted => "deleted",
    }
}

fn file_json(Written { path, action, backup }: &Written) -> Value {
    let backup =
        backup.as_ref().filter(|_| *action != Action::Restored).map(|path| path.display().to_string());
    json!({"file": path.display().to_string(), "action": verb(*action), "backup": backup})
}

/// Returns what to do before the client uses memtape.
fn next_step(client: Client) -> &'static str {
    match client {
        Client::ClaudeCode => "Restart Claude Code. `/mcp` then lists memtape, and `/hooks` its hooks.",
        Client::ClaudeDesktop => {
            "Quit Claude Desktop and start it again. Its developer settings then list memtape."
        }
        Client::Codex => {
            "Restart Codex, and trust the hooks of memtape with `/hooks`: they do not run before."
        }
        Client::Cursor => "Restart Cursor, and turn memtape on in its settings of MCP servers.",
        Client::VsCode => {
            "Run `MCP: List Servers` in the command palette of VS Code, and start memtape there."
        }
        Client::Windsurf => "Restart Windsurf, or refresh its list of MCP servers.",
        Client::Zed => "Zed starts memtape by itself. The settings of its agent panel show whether it runs.",
        Client::OpenCode => "Restart opencode. `opencode mcp list` then shows memtape.",
        Client::GeminiCli => "Restart Gemini CLI. `/mcp` then lists memtape.",
        Client::CopilotCli => "Restart Copilot CLI. `/mcp show` then lists memtape.",
        Client::OpenClaw => {
            "Restart the gateway of OpenClaw. `openclaw mcp probe memtape` checks the server."
        }
    }
}
