//! The `init`, `trust`, `status`, `reindex`, `man` and `completions` commands.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use clap_complete::Shell;
use clap_mangen::Man;
use memtape::{At, Form, Keeper, Status, Workspace};
use memtape_mind::heartbeat::{TASKS_FILE, TASKS_TEMPLATE};
use serde_json::json;

use super::{Context, Waiting, absolute};
use crate::args::Cli;
use crate::locate;
use crate::output::{Failure, Output, Result, counted};

/// The `.gitignore` of a workspace in a user's repository: what memtape derives from the tape, or keeps for
/// this machine only.
const GITIGNORE: &str = "\
# Derived from tape.jsonl: memtape makes them again.
/index-v*.db
/index-v*.db-shm
/index-v*.db-wal
/memory.db
/mirror/
/BRANCH
/archive/index-until-*.db
# Local to this copy of the workspace.
/lock
/heartbeat.lock
/tokens.json
/upstream-contact
/upstream-failure
/upstream-pending.json
/working-copy.json
/working-copy.files.json
/history.git/
/.memtape-git/
*.new
# Texts with secrets.
*.kept
*.kept[0-9]*
";
/// The first steps that `init` suggests, and what each does.
const NEXT_STEPS: [(&str, &str); 3] = [
    ("remember \"Ana likes tea\"", "remember a text"),
    ("recall tea", "find it again"),
    ("status", "show what the workspace contains"),
];

pub(super) fn init(context: &Context<'_>, dir: Option<&Path>) -> Result<ExitCode> {
    let shared = &context.cli.shared;
    let dir = match dir.or(shared.workspace.as_deref()) {
        Some(dir) if !shared.global => absolute(dir),
        Some(_) => return Err(Failure::Usage("--global names the directory already: leave DIR out".into())),
        None if shared.global => locate::own()?,
        None => absolute(Path::new(".")),
    };
    if let Some(file) = dir.ancestors().find(|dir| dir.is_file()) {
        return Err(Failure::Usage(format!("{} is a file, not a directory", file.display())));
    }
    let is_new = !Workspace::exists_in(&dir);
    let workspace = Workspace::init(&dir, context.options(&dir)?)?;
    // Creating a workspace implies trusting it. The workspace is complete without that.
    let dir = absolute(&dir);
    if let Err(failure) = locate::set_trusted(&dir, true) {
        let (_, why, _) = failure.described();
        let dir = locate::quoted(&dir);
        context.output.note(format_args!(
            "warning: {why}; the workspace is not trusted: name it with `-C {dir}`, or run `memtape trust {dir}` once that \
             file can be written"
        ));
    }
    make_note_folders(&workspace, context.output);
    write_tasks_file(&dir, context.output);
    let has_gitignore = keep_out_of_git(&workspace, &dir, context.output)?;
    let status = workspace.status(&At::head())?;
    context.output.warnings(workspace.take_warnings());
    if context.output.json {
        context.output.value(&json!({
            "workspace": dir.display().to_string(), "id": status.id, "entries": status.entries, "created": is_new,
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    if is_new {
        context.output.line(format_args!("Created the workspace {}.", dir.display()))?;
    } else {
        let entries = counted(status.entries, "entry", "entries");
        context.output.line(format_args!("The workspace {} exists already: {entries}.", dir.display()))?;
    }
    if has_gitignore {
        context.output.line("Wrote .gitignore, which keeps the index and other derived files out of git.")?;
    }
    if is_new {
        let option = match locate::is_selected(shared, &dir) {
            true if shared.global => " --global".to_owned(),
            true => String::new(),
            false => format!(" -C {}", locate::quoted(&dir)),
        };
        let commands = NEXT_STEPS.map(|(command, what)| (format!("memtape{option} {command}"), what));
        let width = commands.iter().map(|(command, _)| command.chars().count()).max().unwrap_or_default();
        context.output.line("Next steps:")?;
        for (command, what) in commands {
            context.output.line(format_args!("  {command:width$}   {what}"))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Creates the folders of notes, so that people find where to put files.
fn make_note_folders(workspace: &Workspace, output: &Output) {
    let notes = &workspace.config().notes;
    let root = notes.data_dir.as_deref().unwrap_or(workspace.dir());
    for folder in notes.folders.iter() {
        let folder = root.join(folder);
        // The workspace works without its folders, and creates a missing one with the first note.
        if let Err(e) = fs::create_dir_all(&folder) {
            output.note(format_args!("warning: cannot create {}: {e}", folder.display()));
        }
    }
}

/// Writes the file of the heartbeat's tasks, unless there is one.
fn write_tasks_file(dir: &Path, output: &Output) {
    let file = dir.join(TASKS_FILE);
    let written = fs::OpenOptions::new().write(true).create_new(true).open(&file);
    let written = written.and_then(|mut file| file.write_all(TASKS_TEMPLATE.as_bytes()));
    match written {
        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => {
            output.note(format_args!("warning: cannot write {}: {e}", file.display()));
        }
        _ => {}
    }
}

/// Writes a `.gitignore` into a workspace in a user's git repository. If there is one, which is the user's, names the
/// lines that it lacks instead. Returns whether it wrote one.
fn keep_out_of_git(workspace: &Workspace, dir: &Path, output: &Output) -> Result<bool> {
    let own = match workspace.history_keeper()? {
        Keeper::Memtape(path) | Keeper::Unsupported(Some(path)) => Some(absolute(&path)),
        _ => None,
    };
    let is_users = |git: &Path| git.exists() && own.as_deref() != Some(git);
    let file = dir.join(".gitignore");
    if !dir.ancestors().any(|above| is_users(&above.join(".git"))) {
        return Ok(false);
    }
    let written = fs::OpenOptions::new().write(true).create_new(true).open(&file);
    match written.and_then(|mut file| file.write_all(GITIGNORE.as_bytes())) {
        Ok(()) => return Ok(true),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => warn_of_missing_lines(&file, output),
        Err(e) => output.note(format_args!("warning: cannot write {}: {e}", file.display())),
    }
    Ok(false)
}

/// Names the lines that a user's `.gitignore` lacks.
fn warn_of_missing_lines(file: &Path, output: &Output) {
    let text = fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let has = |line: &str| text.lines().any(|own| own.trim_end() == line);
    let missing: Vec<_> = GITIGNORE.lines().filter(|line| !line.starts_with('#') && !has(line)).collect();
    if !missing.is_empty() {
        output.note(format_args!(
            "warning: {} is yours and stays as it is. Add these lines to it, or `git add` takes the index, the \
             tokens and other files that belong to this machine only:\n{}",
            file.display(),
            missing.join("\n")
        ));
    }
}

pub(super) fn trust(context: &Context<'_>, dir: Option<&Path>, remove: bool) -> Result<ExitCode> {
    let Some(dir) = dir else {
        if context.output.json {
            let dirs: Vec<_> = locate::trusted()?.iter().map(|dir| dir.display().to_string()).collect();
            context.output.value(&json!({"trusted": dirs}))?;
            return Ok(ExitCode::SUCCESS);
        }
        for dir in locate::trusted()? {
            context.output.line(dir.display())?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    let dir = absolute(dir);
    if !remove && !dir.is_dir() {
        return Err(memtape::Error::NotFound(format!("there is no directory {}", dir.display())).into());
    }
    let changed = locate::set_trusted(&dir, !remove)?;
    if context.output.json {
        context.output.value(
            &json!({"workspace": dir.display().to_string(), "trusted": !remove, "changed": changed}),
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    let what = match (remove, changed) {
        (false, true) => "is trusted from now on",
        (false, false) => "was trusted already",
        (true, true) => "is no longer trusted",
        (true, false) => "was not trusted",
    };
    context.output.line(format_args!("{} {what}", dir.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the status of the workspace, and reports that entries are lost if some are.
fn status_of(workspace: &Workspace, output: &Output, at: &At) -> Result<Status> {
    let status = workspace.status(at)?;
    if status.lost > 0 {
        let lost = counted(status.lost, "entry is", "entries are");
        output.note(format_args!("warning: the tape is damaged: {lost} lost (run `memtape verify`)"));
    }
    Ok(status)
}

pub(super) fn status(workspace: &Workspace, output: &Output, at: &At) -> Result<()> {
    let status = status_of(workspace, output, at)?;
    let waiting = match workspace.waiting(at) {
        // The remaining status does not need the model.
        Err(e @ memtape::Error::Model(_)) => {
            output.note(format_args!("warning: {e}"));
            None
        }
        other => Some(other?),
    };
    let conflicts = workspace.branches().conflicts(at)?.len();
    let upstream = workspace.upstream_status()?;
    let count = |form: Form| status.memories.iter().find(|(f, _)| *f == form).map_or(0, |(_, n)| *n);
    if output.json {
        let notes = super::working_copy::status(workspace, output, Form::NOTES, at)?;
        let files = super::working_copy::status(workspace, output, Form::FILES, at)?;
        let history = super::working_copy::history(workspace, output, count(Form::FILES) > 0)?;
        let statements: serde_json::Map<_, _> =
            status.statements.iter().map(|(category, n)| (category.to_string(), json!(n))).collect();
        let memories: serde_json::Map<_, _> =
            status.memories.iter().map(|(form, n)| (form.to_string(), json!(n))).collect();
        return output.value(&json!({
            "workspace": absolute(workspace.dir()).display().to_string(),
            "id": status.id,
            "upstream": memtape::json::upstream(upstream.as_ref()),
            "branch": status.branch,
            "entries": status.entries,
            "lost_entries": status.lost,
            "last_date": status.last_date.map(|date| date.to_string()),
            "conversations": status.conversations,
            "memories": memories,
            "statements": {"by_category": statements, "expired": status.expired},
            "blocks": {"waiting": status.proposals},
            "conflicts": conflicts,
            "observations": {"waiting": status.observations},
            "counters": status.counters,
            "notes": notes,
            "files": files,
            "history": history,
            "vectors": waiting.map(|w| json!({"waiting": {"known": w.known, "messages": w.messages}})),
            "zone": {
                "version": status.zone_version,
                "long_term_bytes": status.long_term_bytes,
                "daily_notes": status.daily_notes,
            },
        }));
    }
    let last =
        status.last_date.map_or(String::new(), |date| format!(", the last of {}", output.instant(date)));
    output.line(format_args!("workspace  {} ({})", absolute(workspace.dir()).display(), status.id))?;
    super::upstream::print(upstream.as_ref(), output)?;
    output.line(format_args!("branch     {}", status.branch))?;
    if conflicts > 0 {
        output.line(format_args!("conflicts  {conflicts} open (`memtape conflicts` lists them)"))?;
    }
    output.line(format_args!("entries    {}{last}", status.entries))?;
    output.line(format_args!(
        "messages   {} in {}",
        count(Form::MESSAGES),
        counted(status.conversations, "conversation", "conversations")
    ))?;
    output.line(format_args!(
        "zone       version {}: {} of long-term memory, {}",
        status.zone_version,
        counted(status.long_term_bytes as u64, "byte", "bytes"),
        counted(status.daily_notes as u64, "daily note", "daily notes")
    ))?;
    super::working_copy::status(workspace, output, Form::NOTES, at)?;
    super::working_copy::status(workspace, output, Form::FILES, at)?;
    super::working_copy::history(workspace, output, count(Form::FILES) > 0)?;
    print_blocks(&status, count(Form::BLOCKS), output)?;
    print_statements(&status, output)?;
    output.line(format_args!(
        "vectors    {}",
        match waiting.map(|waiting| waiting.known + waiting.messages) {
            None => "of no model that can be used".to_owned(),
            Some(0) => "none pending".to_owned(),
            Some(n) => format!("{} pending: `memtape reindex --vectors`", counted(n, "memory", "memories")),
        }
    ))?;
    super::remember::warn_of_size(output, status.long_term_bytes);
    Ok(())
}

/// Prints the number of blocks and of changes that wait for approval.
fn print_blocks(status: &Status, blocks: u64, output: &Output) -> Result<()> {
    let waiting = match status.proposals {
        0 => String::new(),
        n => format!("; {} pending: `memtape block approve`", counted(n as u64, "change", "changes")),
    };
    output.line(format_args!("blocks     {blocks} set{waiting}"))
}

/// Prints the number of statements and of observations, and the counters of turns.
fn print_statements(status: &Status, output: &Output) -> Result<()> {
    let count: u64 = status.statements.values().sum();
    let by_category: Vec<_> =
        status.statements.iter().map(|(category, n)| format!("{category} {n}")).collect();
    let by_category = if count == 0 { String::new() } else { format!(": {}", by_category.join(", ")) };
    let expired = match status.expired {
        0 => String::new(),
        n => format!("; {n} expired, removed by the next turns"),
    };
    output.line(format_args!("statements {count}{by_category}{expired}"))?;
    if status.observations > 0 {
        let observations = counted(status.observations as u64, "observation pending", "observations pending");
        output.line(format_args!("facts      {observations} for a commit"))?;
    }
    let counters = status.counters.named().into_iter().filter(|(_, n)| *n > 0);
    let counters: Vec<_> = counters.map(|(name, n)| format!("{name} {n}")).collect();
    match counters.is_empty() {
        true => Ok(()),
        false => output.line(format_args!("turns      {}", counters.join(", "))),
    }
}

pub(super) fn reindex(workspace: &Workspace, output: &Output, vectors: bool) -> Result<()> {
    if vectors {
        return make_vectors(workspace, output);
    }
    let last = workspace.reindex()?;
    match output.json {
        true => output.value(&json!({"entries": last})),
        false => output.line(format_args!("rebuilt the index from {}", counted(last, "entry", "entries"))),
    }
}

fn make_vectors(workspace: &Workspace, output: &Output) -> Result<()> {
    let made = embedded(workspace)?;
    match output.json {
        true => output.value(&json!({"vectors": made})),
        false => output.line(format_args!("computed {}", counted(made, "vector", "vectors"))),
    }
}

/// Computes all missing vectors, and returns their number.
pub(super) fn embedded(workspace: &Workspace) -> memtape::Result<u64> {
    let waiting = Waiting::new("vectors computed");
    workspace.make_vectors(|made, all| waiting.tick(made, Some(all)))
}

/// Prints the manual page, or writes a page for each command.
pub(super) fn man(context: &Context<'_>, dir: Option<&Path>) -> Result<ExitCode> {
    let Some(dir) = dir else {
        let mut page = Vec::new();
        let unusable = |e: io::Error| Failure::Unusable(format!("cannot make the manual page: {e}"));
        Man::new(Cli::grouped()).render(&mut page).map_err(unusable)?;
        context.output.text(&String::from_utf8_lossy(&page))?;
        return Ok(ExitCode::SUCCESS);
    };
    let unusable = |e: io::Error| Failure::Unusable(format!("{}: {e}", dir.display()));
    let mut command = Cli::grouped().disable_help_subcommand(true);
    command.build();
    fs::create_dir_all(dir).and_then(|()| write_pages(&command, dir)).map_err(unusable)?;
    context.output.line(format_args!("Wrote the manual pages to {}.", dir.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the manual pages of a command and of those below it. The foot of each names the program, not the command.
fn write_pages(command: &clap::Command, dir: &Path) -> io::Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        write_pages(below, dir)?;
    }
    let source = concat!("memtape ", env!("CARGO_PKG_VERSION"));
    Man::new(command.clone()).source(source).generate_to(dir).map(drop)
}

pub(super) fn completions(context: &Context<'_>, shell: Shell) -> Result<ExitCode> {
    // The generator panics on a write error, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::grouped(), "memtape", &mut script);
    context.output.text(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
