//! The `view` command.

use memtape::json;
use memtape::ledger::Filter;
use memtape::view::ViewQuestion;
use memtape::{At, Workspace};
use serde_json::json;

use super::audience;
use super::branches::note_conflicts;
use crate::args::ViewArgs;
use crate::output::{Output, Result, counted};

pub(super) fn view(workspace: &Workspace, output: &Output, at: &At, args: &ViewArgs) -> Result<()> {
    let filter = Filter { topic: args.topic.clone(), lifetime: args.lifetime, ..Filter::default() };
    let question = ViewQuestion { audience: audience(workspace, &args.audience)?, filter, limit: args.limit };
    let view = workspace.view(&question, at)?;
    if output.json {
        return output.value(&json!({
            "branch": view.branch,
            "persona": view.persona,
            "facts": view.facts.iter().map(json::fact).collect::<Vec<_>>(),
            "left": view.left,
            "conflicts": view.conflicts.iter().map(json::conflict).collect::<Vec<_>>(),
        }));
    }
    match view.text.is_empty() {
        true => output.line("No facts.")?,
        false => output.text(&view.text)?,
    }
    note_conflicts(workspace, view.conflicts.iter(), output)?;
    if view.left > 0 {
        let left = counted(view.left as u64, "more fact", "more facts");
        output.note(format_args!("{left}: ask for them with -n"));
    }
    Ok(())
}
