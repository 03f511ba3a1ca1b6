//! The `view` command.

use memtape::ledger::Filter;
use memtape::log::text;
use memtape::view::ViewQuestion;
use memtape::{At, Fact, OpenConflict, Workspace};
use serde_json::{Value, json};

use super::audience;
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
            "facts": view.facts.iter().map(fact_json).collect::<Vec<_>>(),
            "left": view.left,
            "conflicts": view.conflicts.iter().map(conflict_json).collect::<Vec<_>>(),
        }));
    }
    match view.text.is_empty() {
        true => output.line("(nothing is known)")?,
        false => output.text(&view.text)?,
    }
    for conflict in &view.conflicts {
        let theirs =
            conflict.theirs.as_ref().map_or_else(|| "retired".to_owned(), |memory| text(Some(memory)));
        let (reference, source) = (&conflict.reference, conflict.source_name());
        output.line(format_args!("conflict: {reference} is on {source}: {}", output.one_line(&theirs)))?;
    }
    if !view.conflicts.is_empty() {
        output.note("hint: `memtape resolve REF --ours|--theirs|--both|--value TEXT` settles a conflict");
    }
    if view.left > 0 {
        let left = counted(view.left as u64, "more fact", "more facts");
        output.note(format_args!("{left}: ask for them with -n"));
    }
    Ok(())
}

/// Returns an open conflict as JSON, for the field `conflicts` of the memory that it concerns.
pub(super) fn conflict_json(conflict: &OpenConflict) -> Value {
    json!({
        "ref": conflict.reference.to_string(),
        "ours": conflict.ours.as_ref().map(|memory| text(Some(memory))),
        "theirs": conflict.theirs.as_ref().map(|memory| text(Some(memory))),
        "source": conflict.source,
        "commit": conflict.commit,
    })
}

fn fact_json(fact: &Fact) -> Value {
    let Fact { data, memory } = fact;
    json!({
        "ref": memory.version().to_string(),
        "id": data.event,
        "subject": data.subject,
        "predicate": data.predicate,
        "object": data.object,
        "scope": data.scope,
        "lifetime": fact.lifetime(),
        "confidence": memory.confidence,
        "source": data.source,
        "evidence": data.evidence,
        "origin": memory.origin.map(memtape::Origin::as_str),
        "timestamp": data.timestamp,
        "expires_at": memory.expires_at.map(|at| at.to_string()),
    })
}
