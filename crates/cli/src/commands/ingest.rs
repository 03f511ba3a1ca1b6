//! The `ingest` command.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;

use memtape::{Backend, BadLine, Error, Ingested, Ingester, Workspace};
use serde_json::json;

use super::{Waiting, start};
use crate::args::IngestArgs;
use crate::output::{Failure, Output, Result, counted};

/// Maximum number of invalid lines that are listed.
const BAD_SHOWN: usize = 20;

/// Opens a file that the command line names.
pub(super) fn open(file: &Path) -> Result<File> {
    File::open(file).map_err(|e| {
        let message = format!("cannot read {}: {e}", file.display());
        match e.kind() {
            io::ErrorKind::NotFound => Error::NotFound(message).into(),
            _ => Failure::Usage(message),
        }
    })
}

pub(super) fn run(workspace: &Workspace, output: &Output, args: &IngestArgs) -> Result<()> {
    let IngestArgs { file, session, no_vectors } = args;
    let waiting = Waiting::new("lines imported");
    let ingester = Ingester::new(workspace, session.clone());
    let ingested = if file.as_path() == Path::new("-") {
        ingester.run(io::stdin().lock(), |lines| waiting.tick(lines, None))
    } else if file.is_dir() {
        return Err(Failure::Usage(format!("cannot read {}: it is a folder", file.display())));
    } else {
        let open = || open(file);
        // A pipe cannot be read twice, so its lines are not counted.
        let all = match file.is_file() {
            true => count_lines(open()?).ok(),
            false => None,
        };
        ingester.run(BufReader::new(open()?), |lines| waiting.tick(lines, all))
    };
    drop(waiting);
    let ingested = ingested?;
    if let Ingested { added: 0, present: 0, bad, .. } = &ingested
        && !bad.is_empty()
    {
        name_bad(bad, output);
        return Err(Error::Invalid("nothing could be read: no line of the input is a message".into()).into());
    }
    print(&ingested, output)?;
    if !no_vectors && workspace.config().recall.backend == Backend::Hybrid {
        // The messages are acknowledged and reported. Without the model, they are found by their words.
        io::stdout().flush().map_err(Failure::Output)?;
        if let Err(e) = start::embedded(workspace) {
            output.note(format_args!("warning: {e}"));
        }
    }
    Ok(())
}

/// Returns the number of lines in a file.
pub(super) fn count_lines(file: File) -> io::Result<u64> {
    let mut file = BufReader::new(file);
    let mut count = 0;
    loop {
        let read = file.fill_buf()?;
        if read.is_empty() {
            return Ok(count);
        }
        count += read.iter().filter(|byte| **byte == b'\n').count() as u64;
        let len = read.len();
        file.consume(len);
    }
}

fn print(ingested: &Ingested, output: &Output) -> Result<()> {
    let Ingested { added, present, unwanted, bad } = ingested;
    if output.json {
        let bad: Vec<_> = bad.iter().map(|bad| json!({"line": bad.line, "why": bad.why})).collect();
        return output.value(&json!({"added": added, "present": present, "unwanted": unwanted, "bad": bad}));
    }
    name_bad(bad, output);
    let present = match present {
        0 => String::new(),
        n => format!(", {} there already", counted(*n, "was", "were")),
    };
    let bad = match bad.len() {
        0 => String::new(),
        n => format!(", {} skipped", counted(n as u64, "line", "lines")),
    };
    output.line(format_args!("{} added{present}{bad}", counted(*added, "message", "messages")))?;
    print_unwanted(*unwanted, output)
}

/// Lists skipped lines on standard error.
fn name_bad(bad: &[BadLine], output: &Output) {
    for bad in bad.iter().take(BAD_SHOWN) {
        output.note(format_args!("skipped line {}: {}", bad.line, bad.why));
    }
    if bad.len() > BAD_SHOWN {
        let more = counted((bad.len() - BAD_SHOWN) as u64, "more line", "more lines");
        output.note(format_args!("{more} skipped"));
    }
}

/// States the number of messages that are not to be kept.
pub(super) fn print_unwanted(messages: u64, output: &Output) -> Result<()> {
    if messages == 0 {
        return Ok(());
    }
    let messages = counted(messages, "message is", "messages are");
    output.line(format_args!("{messages} not recalled, because a person asked not to keep what was said."))
}
