//! The `import` command.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;
use std::process::ExitCode;

use jiff::tz::TimeZone;
use memtape::{Backend, Error, Imported, Session, Warning, Workspace};
use memtape_import::{Counts, Input, Kind, Listing, Report, Settings, sources};
use serde_json::{Value, json};

use super::{Context, Waiting};
use crate::args::{ImportArgs, SharedArgs};
use crate::output::{Failure, Output, Result, counted};

/// Maximum number of places that are listed of one sort.
const SHOWN: usize = 20;

/// Lists the programs whose memory a path looks like. It needs no workspace.
pub(super) fn detect(context: &Context<'_>, args: &ImportArgs) -> Result<ExitCode> {
    let output = context.output;
    let input = Input::open(&args.path, &TimeZone::UTC)?;
    let found = sources::detect(&input)?;
    if output.json {
        let found = found.iter().map(
            |(source, files)| json!({"source": source.name(), "about": source.about(), "files": files.len()}),
        );
        output.value(&found.collect::<Vec<_>>().into())?;
        return Ok(ExitCode::SUCCESS);
    }
    if found.is_empty() {
        let why = format!("{} looks like the memory of no program that can be imported", args.path.display());
        return Err(Error::NotFound(why).into());
    }
    for (source, files) in found {
        let files = counted(files.len() as u64, "file", "files");
        output.line(format_args!("{}: {}, {files}", source.name(), source.about()))?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn run(
    workspace: &Workspace,
    output: &Output,
    args: &ImportArgs,
    shared: &SharedArgs,
) -> Result<()> {
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
    print(&report, args.dry_run, output)?;
    let has_messages = report.kinds.iter().any(|(kind, counts)| kind.form == "messages" && counts.added > 0);
    if has_messages && !args.dry_run && workspace.config().recall.backend == Backend::Hybrid {
        output.note(
            "The messages are found by their words. To find them by meaning, too: memtape reindex --vectors",
        );
    }
    Ok(())
}

/// Imports an export of memtape.
fn memtape(workspace: &Workspace, output: &Output, args: &ImportArgs) -> Result<()> {
    if let Some(option) = args.option_of_other_sources() {
        return Err(Failure::Usage(format!("import memtape has no {option}: it imports the tape as it is")));
    }
    let file = args.path.as_path();
    let waiting = Waiting::new("entries imported");
    let imported = if file == Path::new("-") {
        workspace.import_tape(io::stdin().lock(), |lines| waiting.tick(lines, None))
    } else if file.is_dir() {
        return Err(Failure::Usage(format!("cannot read {}: it is a folder", file.display())));
    } else {
        let open =
            || File::open(file).map_err(|e| Failure::Usage(format!("cannot read {}: {e}", file.display())));
        // A pipe cannot be read twice, so its lines are not counted.
        let all = match file.is_file() {
            true => super::ingest::count_lines(open()?).ok(),
            false => None,
        };
        workspace.import_tape(BufReader::new(open()?), |lines| waiting.tick(lines, all))
    };
    drop(waiting);
    let Imported { added, present, redacted } = imported?;
    if output.json {
        return output.value(&json!({"added": added, "present": present, "redacted": redacted}));
    }
    let present = match present {
        0 => String::new(),
        n => format!(", {} there already", counted(n, "was", "were")),
    };
    output.line(format_args!("✓ Imported {}{present}", counted(added, "entry", "entries")))
}

fn print(report: &Report, is_dry: bool, output: &Output) -> Result<()> {
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
    list(&report.beside, output, |place, path| format!("{place} is in {path}"));
    if report.proposed.count > 0 {
        let proposals = counted(report.proposed.count, "change", "changes");
        let wait = if is_dry { "would wait" } else { "wait" };
        output.line(format_args!(
            "{proposals} of the agent's identity {wait} for you: memtape block approve"
        ))?;
    }
    if report.quarantined > 0 {
        let entries = counted(report.quarantined, "entry", "entries");
        let did = if is_dry { "Would quarantine" } else { "Quarantined" };
        output.line(format_args!("{did} {entries} that read like instructions to a model."))?;
    }
    if report.left_out.count > 0 {
        output.line(format_args!("Left out {}.", counted(report.left_out.count, "item", "items")))?;
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
