//! The `consolidate` command: duplicates, contradictions, conflicts, and uncertain, stale or expired
//! memories.

use memtape::consolidate::{Disputed, Group, ReportPart, ReportedMemory, Truncated};
use memtape::{At, Consolidation, Workspace};
use serde_json::{Value, json};

use super::audience;
use crate::args::ConsolidateArgs;
use crate::output::{Output, Result, counted};

pub(super) fn run(workspace: &Workspace, output: &Output, at: &At, args: &ConsolidateArgs) -> Result<()> {
    let audience = audience(workspace, &args.asking.audience())?;
    if args.apply_safe {
        let done = workspace.consolidate(&audience)?;
        return match output.json {
            true => output.value(&json!({"duplicates": done.duplicates, "expired": done.expired})),
            false => {
                let removed = [
                    (done.duplicates, "duplicate", "duplicates"),
                    (done.expired, "expired memory", "expired memories"),
                ];
                let removed = removed.into_iter().filter(|(n, ..)| *n > 0);
                let removed: Vec<_> = removed.map(|(n, one, many)| counted(n as u64, one, many)).collect();
                match removed.is_empty() {
                    true => output.line("nothing to remove"),
                    false => output.line(format_args!("{} removed", removed.join(" and "))),
                }
            }
        };
    }
    let found = workspace.consolidation(&audience, at)?;
    match output.json {
        true => output.value(&report_json(&found)),
        false => output.text(&found.render(&ReportPart::ALL)),
    }
}

fn report_json(found: &Consolidation) -> Value {
    json!({
        "considered": found.considered,
        "lifetimes": found.lifetimes,
        "confidence": found.confidence,
        "duplicates": listed_json(&found.duplicates, group_json),
        "safe": found.safe,
        "contradictions": listed_json(&found.contradictions, group_json),
        "conflicts": listed_json(&found.conflicts, disputed_json),
        "low_confidence": listed_json(&found.low_confidence, item_json),
        "stale": listed_json(&found.stale, item_json),
        "stale_days": found.stale_days,
        "expired": listed_json(&found.expired, item_json),
    })
}

fn listed_json<T>(listed: &Truncated<T>, one: impl Fn(&T) -> Value) -> Value {
    json!({"found": listed.shown.iter().map(one).collect::<Vec<_>>(), "more": listed.more})
}

fn group_json(group: &Group) -> Value {
    listed_json(group, item_json)
}

fn disputed_json(conflict: &Disputed) -> Value {
    json!({
        "ref": conflict.reference.to_string(),
        "source": conflict.source,
        "ours": conflict.ours.as_ref().map(item_json),
        "theirs": conflict.theirs.as_ref().map(item_json),
        "commands": conflict.commands,
    })
}

fn item_json(item: &ReportedMemory) -> Value {
    json!({
        "ref": item.reference.to_string(),
        "text": item.text,
        "scope": item.scope,
        "place": item.place,
        "confidence": item.confidence,
        "stated_at": item.stated_at.to_string(),
        "quarantined": item.quarantined,
        "commands": item.commands,
    })
}
