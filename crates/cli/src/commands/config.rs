//! The `config` command, and the configuration sources of every command.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use memtape::config::{self, Setting, SettingOrigin, Sources};
use serde_json::{Value, json};

use super::Context;
use crate::locate;
use crate::output::{Output, Result};

/// Settings longer than this, in characters, do not widen the column.
const COLUMN_MAX: usize = 60;

pub(super) fn run(context: &Context<'_>, key: Option<&str>) -> Result<ExitCode> {
    // Without a workspace, the user's configuration is still shown.
    let place = locate::place(&context.cli.shared, false, context.output).ok();
    let loaded = config::load(&sources(context, place.map(|place| place.dir)))?;
    for warning in loaded.warnings.iter().chain(&loaded.idle) {
        context.output.note(format_args!("warning: {warning}"));
    }
    let shown = match key {
        Some(key) => std::slice::from_ref(loaded.setting(key)?),
        None => &loaded.values,
    };
    match context.output.json {
        true => context.output.value(&Value::Array(shown.iter().map(setting_json).collect()))?,
        false => print(shown, context.output)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the sources of a command's configuration. `workspace` is the directory of the workspace.
pub(super) fn sources(context: &Context<'_>, workspace: Option<PathBuf>) -> Sources {
    Sources { flags: flags_of(context), ..Sources::of_process(workspace) }
}

/// Returns every `--config` value of the command line.
pub(super) fn flags_of(context: &Context<'_>) -> Vec<String> {
    match context.cli.shared.config.is_empty() {
        true => Vec::new(),
        false => flags(env::args_os().map(|word| word.to_string_lossy().into_owned())),
    }
}

/// Returns every `--config` value of a valid command line. Of a global option given both before and after the
/// command's name, clap keeps only the values after it.
fn flags(mut line: impl Iterator<Item = String>) -> Vec<String> {
    let mut flags = Vec::new();
    while let Some(word) = line.next().filter(|word| word != "--") {
        match word.strip_prefix("--config") {
            Some("") => flags.extend(line.next()),
            Some(rest) => flags.extend(rest.strip_prefix('=').map(str::to_owned)),
            None => {}
        }
    }
    flags
}

fn print(settings: &[Setting], output: &Output) -> Result<()> {
    let lines: Vec<_> = settings.iter().map(|s| (format!("{} = {}", s.key, s.text()), &s.origin)).collect();
    let lengths = lines.iter().map(|(line, _)| line.chars().count());
    let width = lengths.filter(|length| *length <= COLUMN_MAX).max().unwrap_or_default();
    for (line, origin) in lines {
        output.line(format_args!("{line:width$}   ({origin})"))?;
    }
    Ok(())
}

fn setting_json(setting: &Setting) -> Value {
    let mut value = json!({"key": setting.key, "value": setting.value, "origin": setting.origin.as_str()});
    match &setting.origin {
        SettingOrigin::UserFile(path) | SettingOrigin::WorkspaceFile(path) => {
            value["file"] = json!(path.display().to_string());
        }
        SettingOrigin::Environment(variable) => value["variable"] = json!(variable),
        SettingOrigin::Default | SettingOrigin::Flag => {}
    }
    value
}
