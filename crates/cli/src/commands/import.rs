//! The `import` command.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use jiff::tz::TimeZone;
use memtape::import::is_tape;
use memtape::{Backend, Error, Imported, Session, Warning, Workspace};
use memtape_import::{Counts, Input, Kind, Listing, Report, Settings, sources};
use serde_json::{Value, json};

use super::{Context, Waiting};
use crate::args::{ImportArgs, MEMTAPE, MEMTAPE_ABOUT, SharedArgs};
use crate::output::{Failure, Output, Result, counted};

/// Maximum number of places that are listed of one sort.
const SHOWN: usize = 20;

/// Lists the programs whose memory a path looks like. It needs no workspace.
pub(super) fn detect(context: &Context<'_>, args: &ImportArgs) -> Result<ExitCode> {
    let output = context.output;
    check_options(args)?;
    let input = Input::open(&args.path, &TimeZone::UTC)?;
    let tapes = tapes(&args.path);
    let mut found = Vec::new();
    if !tapes.is_empty() {
        found.push((MEMTAPE, MEMTAPE_ABOUT, tapes.len()));
    }
    // The lines of a tape look like those of Bub, whose format they extend.
    if !args.path.is_file() || tapes.is_empty() {
        let others = sources::detect(&input)?;
        found.extend(others.iter().map(|(source, files)| (source.name(), source.about().reads, files.len())));
    }
    if output.json {
        let found = found
            .iter()
            .map(|(source, about, files)| json!({"source": source, "about": about, "files": files}));
        output.value(&found.collect::<Vec<_>>().into())?;
        return Ok(ExitCode::SUCCESS);
    }
    if found.is_empty() {
        output.line(format_args!("No program's memory is recognized in {}.", args.path.display()))?;
    }
    for (source, about, files) in found {
        let files = counted(files as u64, "file", "files");
        output.line(format_args!("{source}: {about}, {files}"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses an option that does not apply to the source.
fn check_options(args: &ImportArgs) -> Result<()> {
    match args.option_of_other_sources() {
        Some(option) => Err(Failure::Usage(format!("import {} has no {option}", args.source))),
        None => Ok(()),
    }
}

/// Returns the exports and tapes of memtape at a path: the file itself, or files directly in the directory.
fn tapes(path: &Path) -> Vec<PathBuf> {
    let files = match fs::read_dir(path) {
        Ok(entries) => {
            let files = entries.flatten().map(|entry| entry.path());
            files.filter(|file| file.extension().is_some_and(|ending| ending == "jsonl")).collect()
        }
        Err(_) => vec![path.to_owned()],
    };
    let is_tape = |file: &PathBuf| {
        file.is_file() && File::open(file).is_ok_and(|file| is_tape(BufReader::new(file)).unwrap_or(false))
    };
    files.into_iter().filter(is_tape).collect()
}

pub(super) fn run(
    workspace: &Workspace,
    output: &Output,
    args: &ImportArgs,
    shared: &SharedArgs,
) -> Result<()> {
    check_options(args)?;
    if args.is_memtape() {
        if shared.branch.is_some() {
            return Err(Failure::Usage(
                "import memtape has no --branch: a tape has all of its branches".into(),
            ));
        }
        return memtape(workspace, output, args);
    }
    let source = sources::find(&args.source)?;
    let input = Input::open(&args.path, workspace.time_zone())?;
    let settings = Settings {
        session: args.session.clone().unwrap_or_else(Session::direct),
        capture: args.capture,
        dry_run: args.dry_run,
    };
    let waiting = Waiting::new("kB imported");
    let report = memtape_import::import(workspace, source, &input, &settings, &mut |read, all| {
        waiting.tick(read.div_ceil(1000), Some(all.div_ceil(1000)));
    })?;
    drop(waiting);
    if args.dry_run {
        would_warn(workspace, output);
    }
    if output.json {
        let mut value = report.to_json();
        if let Value::Object(fields) = &mut value {
            fields.insert("dry_run".into(), args.dry_run.into());
        }
        return output.value(&value);
    }
    list(&report.left_out, output, |place, why| format!("left out {place}: {why}"));
    print(&report, args, shared.branch.as_deref(), output)?;
    let has_messages = report.kinds.iter().any(|(kind, counts)| kind.form == "messages" && counts.added > 0);
    if has_messages && !args.dry_run {
        suggest_vectors(workspace, output);
    }
    Ok(())
}

/// Says how imported messages are found by meaning, if they could be.
fn suggest_vectors(workspace: &Workspace, output: &Output) {
    if workspace.config().recall.backend == Backend::Hybrid {
        output.note(
            "The messages are found by their words. To find them by meaning, too: memtape reindex --vectors",
        );
    }
}

/// Imports an export of memtape.
fn memtape(workspace: &Workspace, output: &Output, args: &ImportArgs) -> Result<()> {
    let file = args.path.as_path();
    let scratch = if args.dry_run { Some(workspace.scratch()?) } else { None };
    let target = scratch.as_ref().map_or(workspace, |scratch| scratch.workspace());
    let waiting = Waiting::new("entries imported");
    let imported = if file == Path::new("-") {
        take(target, args, io::stdin().lock(), |lines| waiting.tick(lines, None))
    } else if file.is_dir() {
        let message = format!("cannot read {}: it is a directory; name the tape in it", file.display());
        return Err(Failure::Usage(message));
    } else {
        let open = || super::ingest::open(file);
        // A pipe cannot be read twice, so its lines are not counted.
        let all = match file.is_file() {
            true => super::ingest::count_lines(open()?).ok(),
            false => None,
        };
        take(target, args, BufReader::new(open()?), |lines| waiting.tick(lines, all))
    };
    drop(waiting);
    if let Some(scratch) = &scratch {
        scratch.warn_of_secrets(workspace);
        would_warn(workspace, output);
    }
    let imported = imported.map_err(|e| if args.dry_run { would(e) } else { e });
    let Imported { added, present, erased, redacted, messages } = imported?;
    if output.json {
        return output.value(&json!({
            "added": added, "present": present, "erased": erased, "redacted": redacted, "dry_run": args.dry_run,
        }));
    }
    let entries = counted(added, "entry", "entries");
    let present = match (present, args.dry_run) {
        (0, _) => String::new(),
        (n, false) => format!(", {} there already", counted(n, "was", "were")),
        (n, true) => format!(", {} there already", counted(n, "is", "are")),
    };
    let did = if args.dry_run { "Would import" } else { "✓ Imported" };
    output.line(format_args!("{did} {entries}{present}"))?;
    if erased > 0 {
        let texts = counted(erased, "entry is", "entries are");
        output.line(format_args!(
            "The texts of {texts} erased here and stay so: import into a new workspace to have them."
        ))?;
    }
    if args.dry_run {
        return Ok(());
    }
    if added > 0 && messages > 0 {
        suggest_vectors(workspace, output);
    }
    Ok(())
}

/// Returns the error of a dry run, which keeps nothing.
fn would(e: Error) -> Error {
    match e {
        Error::Hinted { error, hint } => Error::Hinted { error: Box::new(would(*error)), hint },
        Error::Invalid(why) => Error::Invalid(why.replace("; what is before it is imported", "")),
        other => other,
    }
}

/// Imports a tape with the options of the command.
fn take(
    workspace: &Workspace,
    args: &ImportArgs,
    input: impl io::BufRead,
    progress: impl FnMut(u64),
) -> memtape::Result<Imported> {
    match args.allow_gaps {
        true => workspace.import_tape_with_gaps(input, progress),
        false => workspace.import_tape(input, progress),
    }
}

fn print(report: &Report, args: &ImportArgs, branch: Option<&str>, output: &Output) -> Result<()> {
    let is_dry = args.dry_run;
    let of = |number: fn(&Counts) -> u64| {
        let counts = report.kinds.iter().filter(move |(_, counts)| number(counts) > 0);
        let text = |(kind, counts): (&Kind, &Counts)| counted(number(counts), kind.one, kind.many);
        counts.map(text).collect::<Vec<_>>().join(", ")
    };
    let added = of(|counts| counts.added);
    let source = &report.source;
    output.line(match (added.is_empty(), is_dry) {
        (true, false) => format!("Nothing new from {source}."),
        (true, true) => format!("Would import nothing new from {source}."),
        (false, false) => format!("Imported from {source}: {added}."),
        (false, true) => format!("Would import from {source}: {added}."),
    })?;
    if report.captured > 0 {
        let captured = counted(report.captured, "statement", "statements");
        let did = if is_dry { "Would capture" } else { "Captured" };
        output.line(format_args!("{did} {captured} from conversations."))?;
    }
    let present = of(|counts| counts.present);
    if !present.is_empty() {
        output.line(format_args!("Already there: {present}."))?;
    }
    let removed = of(|counts| counts.removed);
    if !removed.is_empty() {
        let did = if is_dry { "Would remove" } else { "Removed" };
        output.line(format_args!("{did} what {source} no longer has: {removed}."))?;
    }
    list(&report.beside, output, |place, path| format!("{place} is in {path}"));
    if report.proposed.count > 0 {
        let proposals = counted(report.proposed.count, "change", "changes");
        let wait = match (is_dry, report.proposed.count) {
            (true, _) => "would wait",
            (false, 1) => "waits",
            (false, _) => "wait",
        };
        output.line(format_args!(
            "{proposals} of the agent's identity {wait} for you: memtape block approve"
        ))?;
    }
    if report.undated.count > 0 {
        let items = counted(report.undated.count, "item has", "items have");
        output.line(format_args!(
            "{items} no readable date. The date of a message beside it, or of the file, stands in for it."
        ))?;
    }
    super::ingest::print_unwanted(report.unwanted, output)?;
    if report.quarantined > 0 {
        let entries = counted(report.quarantined, "entry", "entries");
        let did = if is_dry { "Would quarantine" } else { "Quarantined" };
        output.line(format_args!("{did} {entries} that read like instructions to a model."))?;
    }
    if !is_dry {
        print_undo(report, args, branch, output)?;
    }
    if report.left_out.items > 0 {
        output.line(format_args!("Left out {}.", counted(report.left_out.items, "item", "items")))?;
    }
    Ok(())
}

/// Says how the import is undone, unless that is one `undo` without options.
fn print_undo(report: &Report, args: &ImportArgs, branch: Option<&str>, output: &Output) -> Result<()> {
    let option =
        |name: &str, value: Option<&str>| value.map_or(String::new(), |value| format!(" --{name} {value}"));
    let session = args.session.as_ref().map(ToString::to_string);
    let session = option("session", session.as_deref());
    let others = report.branch_commits.iter().map(|(name, commits)| (Some(name.as_str()), *commits));
    for (branch, commits) in [(branch, report.commits)].into_iter().chain(others) {
        let on = branch.map_or(String::new(), |branch| format!(" on branch {branch}"));
        let options = option("branch", branch) + &session;
        let made = counted(commits, "commit", "commits");
        match commits {
            0 => {}
            1 if options.is_empty() => {}
            1 => output.line(format_args!("Made {made}{on}: memtape undo{options} takes it back."))?,
            _ => output.line(format_args!(
                "Made {made}{on}: memtape undo{options} takes back the last one, {commits} times all."
            ))?,
        }
    }
    if report.capture_commits > 0 {
        let commits = counted(report.capture_commits, "commit", "commits");
        let branch = option("branch", branch);
        output.line(format_args!(
            "What was captured is {commits} of the conversations: memtape undo{branch} --session CHAT takes back the last one."
        ))?;
    }
    Ok(())
}

/// Prints the warnings of a dry run.
fn would_warn(workspace: &Workspace, output: &Output) {
    for warning in workspace.take_warnings() {
        match warning {
            Warning::Redacted { kinds } => {
                output.note(format_args!("warning: a secret would be redacted ({})", kinds.join(", ")));
            }
            warning => output.warnings(vec![warning]),
        }
    }
}

/// Lists places on standard error.
fn list(listing: &Listing, output: &Output, line: impl Fn(String, &str) -> String) {
    for (place, remark) in listing.listed.iter().take(SHOWN) {
        output.note(line(place.to_string(), remark));
    }
    let more = listing.count.saturating_sub(SHOWN as u64);
    if more > 0 {
        output.note(format_args!("{more} more (--json lists them)"));
    }
}
