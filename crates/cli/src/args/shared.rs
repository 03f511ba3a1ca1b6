//! The options that many commands share.
//!
//! **Invariant.** A command has only the options that it uses, so that its help lists none that it would ignore or
//! refuse. They may also be before the command's name.

use std::any::Any;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, ValueEnum as _};

use crate::style::Color;

/// The values of the shared options.
#[derive(Args, Default)]
pub(crate) struct SharedArgs {
    /// The workspace's directory [default: $MEMTAPE_WORKSPACE, else the nearest trusted directory above that has a
    /// tape]
    #[arg(short = 'C', long = "workspace", value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// Use your own workspace, ~/.memtape, which belongs to no directory
    #[arg(long)]
    pub(crate) global: bool,
    /// The branch to read and write [default: the branch of the conversation]
    #[arg(long, value_name = "BRANCH")]
    pub(crate) branch: Option<String>,
    /// Read as of a point: [BRANCH@]ENTRY, a date or time (its end), or an age such as "2 days ago"
    #[arg(long, value_name = "POINT")]
    pub(crate) at: Option<String>,
    /// Print JSON: one document, or one line for each entry of the tape
    #[arg(long)]
    pub(crate) json: bool,
    /// Set a configuration key for this command (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) config: Vec<String>,
    /// When to print colors [default: auto]
    #[arg(long, value_name = "WHEN")]
    pub(crate) color: Option<Color>,
    /// Do not send long output through a pager
    #[arg(long)]
    pub(crate) no_pager: bool,
    /// Whether the command is one that sends its output through a pager.
    #[arg(skip)]
    pub(crate) is_paged: bool,
}

/// The heading of the shared options in the help of a command.
const HEADING: &str = "Shared options";
/// The help of `--at` for the commands that restore a point.
const RESTORED_POINT: &str =
    "The point to restore: [BRANCH@]ENTRY, a date or time (its end), or an age such as \"2 days ago\"";

/// The help of `--workspace` for the commands that clients start, in any directory.
const SERVED_WORKSPACE: &str = "The workspace's directory [default: $MEMTAPE_WORKSPACE, else ~/.memtape]";

/// Returns whether a command uses a shared option. `path` has the names of the command and of the commands above it.
fn uses(path: &[&str], option: &str) -> bool {
    match option {
        "json" => !matches!(path, ["completions" | "man" | "demo" | "mcp" | "serve" | "inspect" | "hook"]),
        "workspace" | "global" => {
            !matches!(path, ["completions" | "man" | "demo" | "trust" | "clone" | "restore"])
        }
        "config" => !matches!(
            path,
            ["token", ..] | ["completions" | "man" | "demo" | "trust" | "verify" | "setup" | "restore"]
        ),
        "branch" => !matches!(
            path,
            ["completions"
                | "man"
                | "demo"
                | "trust"
                | "verify"
                | "init"
                | "clone"
                | "push"
                | "setup"
                | "config"
                | "doctor"
                | "scan"
                | "reindex"
                | "backup"
                | "restore"
                | "switch"
                | "delete-branch"]
                | ["branch", "switch" | "delete"]
                | ["tape", "archive"]
                | ["tool", "list"]
                | ["token", ..]
        ),
        "at" => reads_a_point(path),
        "no_pager" => is_paged(path),
        _ => true,
    }
}

/// Returns whether a command reads the memory as of a point, or restores a point.
fn reads_a_point(path: &[&str]) -> bool {
    matches!(
        path,
        ["status"
            | "recall"
            | "search"
            | "prompt"
            | "show"
            | "why"
            | "log"
            | "graph"
            | "view"
            | "stats"
            | "export"
            | "decay"
            | "consolidate"
            | "conflicts"
            | "branches"
            | "journal"]
            | ["journal", "costs"]
            | ["branch"]
            | ["branch", "list"]
            | ["note" | "file" | "block" | "fact" | "zone", "list" | "show" | "log" | "restore"]
            | ["zone", "recall" | "export"]
            | ["tape", "log" | "anchors" | "search" | "after" | "between" | "from-last-anchor"]
            // A tool checks itself whether it accepts a point.
            | ["tool", "call"]
            | ["memory-tool"]
    )
}

/// Returns whether a command sends its output through a pager.
fn is_paged(path: &[&str]) -> bool {
    matches!(
        path,
        ["log" | "journal" | "recall" | "show" | "diff"]
            | ["note" | "file" | "block" | "fact" | "zone", "show" | "log" | "diff"]
            | ["tape", "log"]
    )
}

/// Returns the definitions of the shared options.
fn definitions() -> Vec<Arg> {
    let command = SharedArgs::augment_args(Command::new("shared"));
    command.get_arguments().map(|option| option.clone().help_heading(HEADING)).collect()
}

/// Adds to each command the shared options that it or a command below it uses, and to the program all of them.
pub(super) fn add(command: Command) -> Command {
    let options = definitions();
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let command = names.iter().fold(command, |command, name| {
        command.mut_subcommand(name, |sub| add_below(sub, &mut vec![name.as_str()], &options))
    });
    command.args(options)
}

fn add_below(command: Command, path: &mut Vec<&str>, options: &[Arg]) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let mut used: Vec<&Arg> = Vec::new();
    let used_by = |path: &[&str], option: &Arg| uses(path, option.get_id().as_str());
    for option in options {
        let below = |name: &String| {
            let path: Vec<&str> = path.iter().copied().chain([name.as_str()]).collect();
            used_by(&path, option)
        };
        if (names.is_empty() || path[0] == "journal" || path[0] == "branch") && used_by(path, option)
            || names.iter().any(below)
        {
            used.push(option);
        }
    }
    let mut command = command;
    for name in &names {
        command = command.mut_subcommand(name, |sub| {
            let mut path: Vec<&str> = path.iter().copied().chain([name.as_str()]).collect();
            add_below(sub, &mut path, options)
        });
    }
    let restores = path.last() == Some(&"restore");
    let is_served = matches!(path.as_slice(), ["mcp" | "serve" | "hook" | "setup" | "token", ..]);
    for option in used {
        let option = option.clone();
        command = command.arg(match option.get_id().as_str() {
            "at" if restores => option.help(RESTORED_POINT),
            "workspace" if is_served => option.help(SERVED_WORKSPACE),
            _ => option,
        });
    }
    command
}

/// Returns the option of a command that uses the memory as it is now, if it is set.
fn option_of_now(path: &[&str], matches: &ArgMatches) -> Option<&'static str> {
    let options: &[(&str, &str)] = match path {
        ["consolidate"] => &[("apply_safe", "--apply-safe"), ("model", "--model")],
        ["journal"] => &[("follow", "--follow")],
        _ => &[],
    };
    options.iter().find(|(id, _)| matches.get_flag(id)).map(|(_, name)| *name)
}

/// Returns the values of the shared options, anywhere on the command line. The last one wins.
///
/// # Errors
/// [`ErrorKind::ArgumentConflict`] if the command does not use an option that is before its name, or an option of it
/// excludes `--at`.
pub(super) fn values(command: &mut Command, matches: &ArgMatches) -> Result<SharedArgs, clap::Error> {
    let mut levels = vec![matches];
    let mut path = Vec::new();
    while let Some((name, below)) = levels.last().and_then(|level| level.subcommand()) {
        path.push(name);
        levels.push(below);
    }
    for option in definitions() {
        let id = option.get_id().as_str();
        let is_set = |level: &&ArgMatches| {
            level.try_contains_id(id).unwrap_or_default()
                && level.value_source(id) == Some(clap::parser::ValueSource::CommandLine)
        };
        if !uses(&path, id) && levels.iter().any(is_set) {
            let name = option.get_long().unwrap_or(id);
            let message = format!("the option '--{name}' cannot be used with 'memtape {}'", path.join(" "));
            return Err(command.error(ErrorKind::ArgumentConflict, message));
        }
    }
    let is_on = |id| levels.iter().any(|level| level.try_get_one(id).ok().flatten() == Some(&true));
    let workspace = last(&levels, "workspace");
    if workspace.is_some() && is_on("global") {
        let message = "the option '--global' cannot be used with '--workspace <DIR>'";
        return Err(command.error(ErrorKind::ArgumentConflict, message));
    }
    let at = last(&levels, "at");
    if let (Some(option), true) = (levels.last().and_then(|level| option_of_now(&path, level)), at.is_some())
    {
        let message = format!("the argument '{option}' cannot be used with '--at <POINT>'");
        return Err(command.error(ErrorKind::ArgumentConflict, message));
    }
    Ok(SharedArgs {
        workspace,
        global: is_on("global"),
        branch: last(&levels, "branch"),
        at,
        json: is_on("json"),
        color: last(&levels, "color"),
        no_pager: is_on("no_pager"),
        is_paged: is_paged(&path),
        config: levels
            .iter()
            .filter_map(|level| level.try_get_many::<String>("config").ok().flatten())
            .flatten()
            .cloned()
            .collect(),
    })
}

/// Returns the value of an option on the innermost level that has one.
fn last<T: Any + Clone + Send + Sync>(levels: &[&ArgMatches], id: &str) -> Option<T> {
    levels.iter().rev().find_map(|level| level.try_get_one::<T>(id).ok().flatten()).cloned()
}

/// Returns the value of `--color` on a command line that may be wrong otherwise.
pub(crate) fn color_of(line: impl Iterator<Item = OsString>) -> Color {
    let words: Vec<String> = line.map(|word| word.to_string_lossy().into_owned()).collect();
    let mut values = words.iter().enumerate().filter_map(|(n, word)| match word.strip_prefix("--color")? {
        "" => words.get(n + 1).map(String::as_str),
        rest => rest.strip_prefix('='),
    });
    values
        .rfind(|value| Color::from_str(value, false).is_ok())
        .and_then(|value| Color::from_str(value, false).ok())
        .unwrap_or_default()
}
