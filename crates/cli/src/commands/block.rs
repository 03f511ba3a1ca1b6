//! The `block` commands.

use memtape::blocks::PendingProposal;
use memtape::json;
use memtape::{
    At, Block, BlockLayer, BlockName, BlockOutcome, BlockVersion, Blocks, Form, Origin, Ref, Workspace,
};
use serde_json::{Value, json};

use super::branches::conflicts_about;
use super::history::{LogLine, compared, print_diff, print_line, restored_point};
use super::{audience, text_or_stdin};
use crate::args::{AudienceArgs, BlockCommand};
use crate::output::{Failure, Output, Result};
use crate::style::{Line, Role};

pub(super) fn run(workspace: &Workspace, output: &Output, at: &At, command: &BlockCommand) -> Result<()> {
    let asked = |asking: &AudienceArgs| -> Result<Blocks<'_>> {
        Ok(workspace.blocks().in_session(asking.session()).for_audience(audience(workspace, asking)?))
    };
    let name = |text: &str| BlockName::new(text).map_err(memtape::Error::from);
    let because = |reason: &Option<String>| workspace.blocks().because(reason.clone());
    match command {
        BlockCommand::List { layer, audience } => list(&asked(audience)?.list(*layer, at)?, output),
        BlockCommand::Show { name: text, audience: asking } => {
            let block = asked(asking)?.get(&name(text)?, at)?;
            let is_it =
                |reference: &Ref| reference.form == Form::BLOCKS && reference.key == block.name.as_str();
            let conflicts = conflicts_about(workspace, &audience(workspace, asking)?, at, is_it, output)?;
            show(&block, conflicts, output)
        }
        BlockCommand::Set { name: text, value, layer, reason } => {
            let from_stdin = text_or_stdin(value)?;
            // Piped input usually ends with a line feed that is not part of the value.
            let value = if value == "-" { without_line_end(&from_stdin) } else { &from_stdin };
            let name = name(text)?;
            done(&name, "set", because(reason).set(&name, value, *layer)?, output)
        }
        BlockCommand::Log { name: text, shown } => {
            let limit = shown.limit.unwrap_or(usize::MAX);
            let versions = asked(&shown.audience)?.history(&name(text)?, limit, at)?;
            log(&versions, output)
        }
        BlockCommand::Diff { name: text, sides } => {
            let (blocks, name) = (asked(&sides.audience)?, name(text)?);
            let last = |to: &At| Ok(blocks.history(&name, 1, to)?.first().map(|last| last.entry));
            let (from, to) = compared(workspace, &sides.points, &sides.audience, last)?;
            print_diff(json!({"name": name.as_str()}), &blocks.diff(&name, &from, &to)?, output)
        }
        BlockCommand::Restore { name: text, version, reason } => {
            let point = restored_point(workspace, version.version.as_deref(), at, None, "block log NAME")?;
            let name = name(text)?;
            done(&name, "restored", because(reason).restore(&name, &point)?, output)
        }
        BlockCommand::Approve { name: None, .. } => waiting(&workspace.blocks().waiting(at)?, output),
        BlockCommand::Approve { name: Some(text), force, reason } => {
            let (text, seen) = seen(text)?;
            let value = because(reason).approve(&name(text)?, seen, *force)?;
            match output.json {
                true => output.value(&json!({"name": text, "outcome": "approved", "value": value})),
                false => output.line(format_args!("{text}: approved, it says now: {value}")),
            }
        }
        BlockCommand::Reject { name: text, reason } => {
            because(reason).reject(&name(text)?)?;
            print_resolved(text, "rejected", output)
        }
    }
}

/// Splits `NAME@ENTRY` at its last `@`; a text without `@` is a name only.
fn seen(text: &str) -> Result<(&str, Option<u64>)> {
    let Some((name, entry)) = text.rsplit_once('@') else { return Ok((text, None)) };
    match entry.parse() {
        Ok(entry) => Ok((name, Some(entry))),
        Err(_) => Err(Failure::Usage(format!("{text:?} names no entry: say {name}, or {name}@ENTRY"))),
    }
}

fn without_line_end(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text)
}

fn list(blocks: &[Block], output: &Output) -> Result<()> {
    if output.json {
        return output.value(&Value::Array(blocks.iter().map(json::block).collect()));
    }
    let mut layer = None;
    for block in blocks {
        if layer.replace(block.layer) != Some(block.layer) {
            output.styled(&Line::default().with(Role::Heading, format!("layer {}", block.layer)))?;
        }
        let value = match &block.value {
            Some(value) if !value.is_empty() => format!(": {value}"),
            _ => " (empty)".to_owned(),
        };
        let computed = if block.is_computed { " (computed)" } else { "" };
        let waits = if block.waits { " [1 change pending]" } else { "" };
        let line = format!("{}{computed}{waits}{value}", block.name);
        output.line(format_args!("  {}", output.one_line_after(2, &line)))?;
    }
    Ok(())
}

fn show(block: &Block, conflicts: Value, output: &Output) -> Result<()> {
    if output.json {
        let mut value = json::block(block);
        value["conflicts"] = conflicts;
        return output.value(&value);
    }
    match &block.value {
        Some(value) => output.line(value),
        None => {
            output.note(format_args!("{0} is empty: `memtape block set {0} VALUE` sets it", block.name));
            Ok(())
        }
    }
}

/// Prints the outcome of a change; `said` is what was done.
fn done(name: &BlockName, said: &str, outcome: BlockOutcome, output: &Output) -> Result<()> {
    let (what, layer) = match outcome {
        BlockOutcome::Set(layer) => ("set", Some(layer)),
        BlockOutcome::Unchanged => ("unchanged", None),
        BlockOutcome::Waits => ("waits", None),
    };
    if output.json {
        let layer = layer.map(BlockLayer::number);
        return output.value(&json!({"name": name.as_str(), "outcome": what, "layer": layer}));
    }
    match (outcome, layer) {
        (_, Some(layer)) => output.line(format_args!("{name}: {said}, layer {layer}")),
        (BlockOutcome::Waits, _) => output.line(format_args!("{name}: pending, the owner decides")),
        _ => output.line(format_args!("{name}: unchanged")),
    }
}

fn print_resolved(name: &str, what: &str, output: &Output) -> Result<()> {
    match output.json {
        true => output.value(&json!({"name": name, "outcome": what})),
        false => output.line(format_args!("{name}: {what}")),
    }
}

fn log(versions: &[BlockVersion], output: &Output) -> Result<()> {
    if output.json {
        let versions = versions.iter().map(|version| {
            json!({
                "entry": version.entry, "date": version.date.to_string(), "value": version.value,
                "layer": version.layer.number(), "origin": version.origin.map(Origin::as_str),
                "session": version.session, "reason": version.reason,
            })
        });
        return output.value(&Value::Array(versions.collect()));
    }
    for version in versions {
        let line = LogLine {
            id: format!("@{}", version.entry),
            date: version.date,
            act: &format!("layer {}", version.layer.number()),
            origin: version.origin,
            reason: version.reason.as_deref(),
            text: Some(version.value.clone().unwrap_or_else(|| "(empty)".to_owned())),
        };
        print_line(&line, output)?;
    }
    if versions.is_empty() {
        output.note("No versions.");
    }
    Ok(())
}

fn waiting(waiting: &[PendingProposal], output: &Output) -> Result<()> {
    if output.json {
        let waiting = waiting.iter().map(|waiting| {
            let memory = &waiting.proposal.memory;
            json!({
                "name": waiting.proposal.name.as_str(), "layer": waiting.proposal.layer.number(),
                "ref": memory.version().to_string(), "proposed_at": memory.created_at.to_string(),
                "origin": memory.origin.map(Origin::as_str), "session": memory.session,
                "value": memory.text, "current": waiting.current.as_ref().map(|memory| &memory.text),
                "stale": waiting.is_stale, "diff": waiting.diff,
            })
        });
        return output.value(&Value::Array(waiting.collect()));
    }
    for waiting in waiting {
        let memory = &waiting.proposal.memory;
        let by = memory.origin.map_or_else(String::new, |origin| format!(" by {}", origin.as_str()));
        let session = memory.session.as_ref().map_or_else(String::new, |session| format!(" in {session}"));
        let date = output.second(memory.created_at);
        let stale = if waiting.is_stale { " [stale: the block was changed since]" } else { "" };
        output.line(format_args!("{} proposed {date}{by}{session}{stale}", waiting.proposal.name))?;
        output.diff(&waiting.diff)?;
    }
    match waiting.first() {
        Some(first) => output.note(format_args!(
            "`memtape block approve {0}@{1}` sets it, `memtape block reject {0}` drops it",
            first.proposal.name,
            first.proposal.memory.id.entry()
        )),
        None => output.note("No pending changes."),
    }
    Ok(())
}
