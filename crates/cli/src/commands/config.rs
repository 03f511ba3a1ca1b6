//! `config`, and where every command finds its configuration.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use memtape::config::{self, Origin, Setting, Sources};
use serde_json::{Value, json};

use super::Context;
use crate::locate;
use crate::output::{Output, Result};

/// Values that are longer do not move the column behind them.
const COLUMN_MAX: usize = 60;

pub(super) fn run(context: &Context<'_>, key: Option<&str>) -> Result<ExitCode> {
    // Where no workspace is found there is still the owner's own configuration.
    let place = locate::place(context.cli.workspace.as_deref(), context.output).ok();
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

/// Where the configuration of a command is read, given the workspace's folder.
pub(super) fn sources(context: &Context<'_>, workspace: Option<PathBuf>) -> Sources {
    let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
    let ours = env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MEMTAPE_"));
    Sources {
        user_dir: locate::user_dir().ok(),
        workspace,
        environment: ours.map(|(name, value)| (text(name), text(value))).collect(),
        flags: match context.cli.config.is_empty() {
            true => Vec::new(),
            false => flags(env::args_os().map(text)),
        },
    }
}

/// Every `--config` of a line that was understood: of those before and after a command's name clap keeps the
/// latter only.
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
        Origin::UserFile(path) | Origin::WorkspaceFile(path) => {
            value["file"] = json!(path.display().to_string());
        }
        Origin::Environment(variable) => value["variable"] = json!(variable),
        Origin::Default | Origin::Flag => {}
    }
    value
}
