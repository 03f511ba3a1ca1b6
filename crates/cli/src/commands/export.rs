//! The `export` command.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use memtape::export::Format;
use memtape::{At, Error, Export, Exported, Form, Workspace};
use serde_json::json;

use super::audience;
use crate::args::ExportArgs;
use crate::output::{Failure, Output, Result, counted};

pub(super) fn export(workspace: &Workspace, output: &Output, at: &At, args: &ExportArgs) -> Result<()> {
    let format = args.format.format();
    let export = Export {
        audience: audience(workspace, &args.audience)?,
        format,
        form: args.form,
        history: args.history,
        confidential: args.confidential,
    };
    let is_document1 = args.form == Some(Form::LEDGER) && matches!(format, Format::Json | Format::Markdown);
    if args.history && !is_document1 && format != Format::Files {
        let message = "--history is for facts alone: add --form ledger, and --format json or markdown";
        return Err(Failure::Usage(message.into()));
    }
    let to = args.out.as_deref().unwrap_or(Path::new(format.default_path()));
    if to == Path::new("-") {
        if format == Format::Files {
            return Err(Failure::Usage(
                "a directory of files does not go to standard output: name it with --out".into(),
            ));
        }
        let exported = print(workspace, output, &export, at)?;
        note(output, &exported);
        return Ok(());
    }
    let exported = workspace.export_to(&export, at, to, args.force)?;
    note(output, &exported);
    let Exported { memories, entries, commits, events, left_out, other_forms, of_others } = exported;
    if output.json {
        return output.value(&json!({
            "out": to.display().to_string(),
            "memories": memories,
            "entries": entries,
            "commits": commits,
            "events": events,
            "left_out": left_out,
            "other_forms": other_forms,
            "of_others": of_others,
        }));
    }
    let count = |n: usize, one: &str, many: &str| (n > 0).then(|| counted(n as u64, one, many));
    let parts = [
        Some(counted(memories as u64, "memory", "memories")),
        count(events, "event", "events"),
        count(commits, "commit", "commits"),
    ];
    let parts = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let of = count(entries, "entry", "entries").map_or_else(String::new, |entries| format!(" in {entries}"));
    output.line(format_args!("✓ Exported {parts}{of} to {}", to.display()))
}

/// Prints an export that is one file.
fn print(workspace: &Workspace, output: &Output, export: &Export, at: &At) -> Result<Exported> {
    let mut printer = BufWriter::new(Printer(output));
    let exported = workspace.export(export, at, &mut printer).and_then(|exported| {
        let ended = if export.format == Format::Jsonl { Ok(()) } else { printer.write_all(b"\n") };
        let printed = ended.and_then(|()| printer.flush());
        printed.map_err(|source| Error::Export { path: "standard output".into(), source })?;
        Ok(exported)
    });
    exported.map_err(|e| match e {
        Error::Export { source, .. } => Failure::Output(source),
        other => other.into(),
    })
}

/// Reports what was left out.
fn note(output: &Output, exported: &Exported) {
    if exported.left_out > 0 {
        output.note(format_args!(
            "{} left out: --confidential exports them",
            counted(exported.left_out as u64, "confidential memory was", "confidential memories were")
        ));
    }
    if exported.of_others > 0 {
        let of_others = counted(
            exported.of_others as u64,
            "memory of a chat or a user was",
            "memories of chats and users were",
        );
        output
            .note(format_args!("{of_others} left out: --session or --user exports them, jsonl exports all"));
    }
    if exported.other_forms > 0 {
        output.note(format_args!(
            "{} left out: jsonl, json, markdown and files hold every form",
            counted(
                exported.other_forms as u64,
                "memory of another form was",
                "memories of other forms were"
            )
        ));
    }
}

/// Standard output, as a writer.
struct Printer<'a>(&'a Output);

impl Write for Printer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.bytes(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(Failure::Output(e)) => Err(e),
            Err(_) => Err(io::Error::other("cannot print")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
