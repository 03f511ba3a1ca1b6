//! The `remember` command.

use memtape::zone::LONG_TERM_BYTES_ADVISED;
use memtape::{Added, At, Ref, Workspace, ZoneOutcome};
use serde_json::json;

use super::statements::{print_added, statements};
use super::{audience, text_or_stdin};
use crate::args::RememberArgs;
use crate::output::{Output, Result};

/// Maximum number of refs that are listed; more are only counted.
const REFS_SHOWN: usize = 5;

/// Remembers a text as a line of long-term memory, or as a statement.
pub(super) fn run(workspace: &Workspace, output: &Output, args: &RememberArgs) -> Result<()> {
    let RememberArgs { text, kind, audience: asking, sensitivity } = args;
    let text = text_or_stdin(text)?;
    if let Some(category) = kind.category() {
        let statements = statements(workspace, asking)?.with_sensitivity(*sensitivity);
        return print_added(&statements.add(&Added::new(&text, category))?, output);
    }
    let zone = workspace.zone().in_session(asking.session()).for_audience(audience(workspace, asking)?);
    let zone = zone.with_sensitivity(*sensitivity);
    let (outcome, refs) = zone.remember(&text)?;
    print_saved(output, "remembered", &outcome, &refs)?;
    let (view, _) = zone.view(&At::head())?;
    warn_of_size(output, view.long_term_text().len());
    Ok(())
}

/// Prints the outcome of saving a text.
pub(super) fn print_saved(output: &Output, done: &str, outcome: &ZoneOutcome, refs: &[Ref]) -> Result<()> {
    let names = |refs: &[Ref]| refs.iter().map(ToString::to_string).collect::<Vec<_>>();
    let (changed, refs) = match outcome {
        ZoneOutcome::Changed { .. } => (true, names(refs)),
        ZoneOutcome::Present(refs) => (false, names(refs)),
        ZoneOutcome::Unchanged => (false, Vec::new()),
    };
    if output.json {
        return output.value(&json!({"changed": changed, "refs": refs}));
    }
    let refs = match refs.len() {
        0 => String::new(),
        1..=REFS_SHOWN => format!(" ({})", refs.join(", ")),
        n => format!(" ({n} lines)"),
    };
    match changed {
        true => output.line(format_args!("{done}{refs}")),
        false => output.line(format_args!("it was there already{refs}")),
    }
}

/// Warns on standard error if long-term memory is larger than advised for a prompt.
pub(super) fn warn_of_size(output: &Output, bytes: usize) {
    if bytes > LONG_TERM_BYTES_ADVISED {
        output.note(format_args!(
            "warning: long-term memory has {bytes} bytes; more than {LONG_TERM_BYTES_ADVISED} cost too much in every \
             prompt: shorten it with `memtape zone save`"
        ));
    }
}
