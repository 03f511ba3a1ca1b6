//! The statement commands: `add`, `search`, `forget` and `prune`.

use std::fmt::Display;

use memtape::ledger::Unwanted;
use memtape::{
    Added, At, Blocks, Error, Form, Ledger, Memory, Recall, Ref, Selection, Sensitivity, StatementOutcome,
    Statements, Workspace, Zone, ZoneOutcome,
};
use serde_json::{Value, json};

use super::{audience, confirm, recall, text_or_stdin};
use crate::args::{AddArgs, AudienceArgs, ChatArgs, ForgetArgs, Forgotten, PruneArgs, SearchArgs};
use crate::output::{Failure, Output, Result, counted};

/// Maximum number of memories matching a query that are listed before the confirmation.
const LISTED: usize = 10;

/// Returns the statements for the audience that the arguments select.
pub(super) fn statements<'a>(workspace: &'a Workspace, asking: &AudienceArgs) -> Result<Statements<'a>> {
    let audience = audience(workspace, asking)?;
    Ok(workspace.statements().in_session(asking.session()).for_audience(audience))
}

/// Converts the arguments of a chat command to those that every command uses.
pub(super) fn asking(args: &ChatArgs) -> Result<AudienceArgs> {
    args.audience().map_err(Failure::Usage)
}

pub(super) fn add(workspace: &Workspace, output: &Output, args: &AddArgs) -> Result<()> {
    let statements = statements(workspace, &asking(&args.audience)?)?.with_sensitivity(args.sensitivity);
    let text = text_or_stdin(args.text())?;
    if text.trim().is_empty() {
        return Err(Failure::Usage("cannot keep an empty text".into()));
    }
    let category = args.kind.or_else(|| statements.category_of(&text)).ok_or_else(|| {
        let kinds = "--kind preference, --kind fact, --kind decision or --kind episodic";
        Failure::Usage(format!("the words do not show what kind of statement this is: add {kinds}"))
    })?;
    let added = Added { text, category, importance: args.importance, confidence: args.confidence };
    print_added(&statements.add(&added)?, output)
}

/// Prints the outcome of adding a statement.
pub(super) fn print_added(outcome: &StatementOutcome, output: &Output) -> Result<()> {
    let reference = outcome.reference();
    let (name, said) = match outcome {
        StatementOutcome::Saved(_) => ("saved", "added"),
        StatementOutcome::Confirmed(_) => ("confirmed", "already known: repeated"),
        StatementOutcome::Present(_) => ("present", "already known from a more trusted source"),
    };
    match output.json {
        true => output.value(&json!({"outcome": name, "ref": reference.to_string()})),
        false => output.line(format_args!("{said} ({reference})")),
    }
}

pub(super) fn search(workspace: &Workspace, output: &Output, at: &At, args: &SearchArgs) -> Result<()> {
    let question = Recall {
        audience: audience(workspace, &asking(&args.audience)?)?,
        forms: vec![Form::STATEMENTS],
        categories: args.kind.clone(),
        limit: args.limit,
        ..Recall::new(args.query())
    };
    recall::print(&workspace.recall(&question, at)?, args.explain, output)
}

pub(super) fn forget(workspace: &Workspace, output: &Output, args: &ForgetArgs) -> Result<()> {
    let asking = asking(&args.audience)?;
    let statements = statements(workspace, &asking)?.because(args.reason.clone());
    let (references, listed) = match args.target()? {
        Forgotten::Words(words) => (holding(&statements, &words)?, LISTED),
        Forgotten::Refs(references) => (references, usize::MAX),
    };
    // Each form is a change of its own. Nothing is forgotten unless the audience may forget all of it.
    let target = named(workspace, &statements, &asking, &references)?;
    if !args.yes {
        // The list is a part of the question, so it goes to standard error.
        for line in listing(&target, listed) {
            output.note(line);
        }
    }
    confirm(&format!("Forget {}?", counted(target.len() as u64, "memory", "memories")), args.yes)?;
    // Refs with a version: a memory that has changed since it was listed must not be forgotten.
    let of = |form: Form| target.iter().filter(move |memory| memory.form == form);
    let versions = |form: Form| of(form).map(Memory::version).collect::<Vec<Ref>>();
    let forms =
        [Form::STATEMENTS, Form::LEDGER, Form::ZONE].into_iter().filter(|form| of(*form).next().is_some());
    let changes = forms.count() + of(Form::BLOCKS).count();
    let mut forgotten = statements.forget(&versions(Form::STATEMENTS))?.len();
    let ledger = ledger(workspace, &asking)?.because(args.reason.clone());
    forgotten += ledger.forget_refs(&versions(Form::LEDGER))?.facts.len();
    let zone = zone(workspace, &asking)?.because(args.reason.clone());
    let of_zone = versions(Form::ZONE);
    if !of_zone.is_empty()
        && let ZoneOutcome::Changed { retired, .. } = zone.forget_refs(&of_zone)?
    {
        forgotten += retired;
    }
    let blocks = blocks(workspace, &asking)?.because(args.reason.clone());
    for reference in versions(Form::BLOCKS) {
        blocks.forget_ref(&reference)?;
        forgotten += 1;
    }
    if output.json {
        return output.value(&json!({"forgotten": target.iter().map(target_json).collect::<Vec<_>>()}));
    }
    if args.yes {
        for line in listing(&target, listed) {
            output.line(line)?;
        }
    }
    output.line(match forgotten {
        1 => "1 memory forgotten (an earlier point still shows it: --at)".to_owned(),
        n => format!("{n} memories forgotten (an earlier point still shows them: --at)"),
    })?;
    match changes {
        0 | 1 => Ok(()),
        n => output.line(format_args!("`memtape undo` takes back one of {n} changes: each form has its own")),
    }
}

/// Returns the memories that contain all words of a query and can be forgotten by ref.
fn holding(statements: &Statements<'_>, query: &str) -> Result<Vec<Ref>> {
    let found = statements.memories_holding(query)?;
    match found.is_empty() {
        true => Err(Error::NotFound(format!("no memory holds all the words of {query:?}")).into()),
        false => Ok(found.iter().map(Memory::version).collect()),
    }
}

/// Returns the ledger for the audience that the arguments select.
fn ledger<'a>(workspace: &'a Workspace, asking: &AudienceArgs) -> Result<Ledger<'a>> {
    let audience = audience(workspace, asking)?;
    Ok(workspace.ledger().in_session(asking.session()).for_audience(audience))
}

/// Returns the zone for the audience that the arguments select.
fn zone<'a>(workspace: &'a Workspace, asking: &AudienceArgs) -> Result<Zone<'a>> {
    let audience = audience(workspace, asking)?;
    Ok(workspace.zone().in_session(asking.session()).for_audience(audience))
}

/// Returns the blocks for the audience that the arguments select.
fn blocks<'a>(workspace: &'a Workspace, asking: &AudienceArgs) -> Result<Blocks<'a>> {
    let audience = audience(workspace, asking)?;
    Ok(workspace.blocks().in_session(asking.session()).for_audience(audience))
}

/// Returns the memories that refs name, each once: statements, ledger facts, blocks, and lines and notes of the zone.
/// Fails if one of them is not current, or the audience may not forget it.
fn named(
    workspace: &Workspace,
    statements: &Statements<'_>,
    asking: &AudienceArgs,
    references: &[Ref],
) -> Result<Vec<Memory>> {
    if let Some(message) = references.iter().find(|reference| reference.form == Form::MESSAGES) {
        return Err(Error::Invalid(format!(
            "{message}: messages are not forgotten one by one; `memtape tape reset --session SESSION` removes those of a \
             conversation"
        ))
        .into());
    }
    let page = references.iter().find(|reference| matches!(reference.form, Form::FILES | Form::NOTES));
    if let Some(page) = page {
        let command = if page.form == Form::FILES { "file" } else { "note" };
        let path = page.key.split('#').next().unwrap_or_default();
        return Err(Error::Invalid(format!(
            "{page} is text of a file: `memtape {command} delete {path}` deletes the file; edit the file to remove a part"
        ))
        .into());
    }
    let of = |form: Form| references.iter().filter(move |r| r.form == form).cloned().collect::<Vec<Ref>>();
    let mut target = statements.current(&of(Form::STATEMENTS))?;
    let facts = ledger(workspace, asking)?.current(&of(Form::LEDGER))?;
    target.extend(facts.into_iter().map(|fact| fact.memory));
    target.extend(zone(workspace, asking)?.current(&of(Form::ZONE))?);
    target.extend(blocks(workspace, asking)?.current(&of(Form::BLOCKS))?);
    Ok(target)
}

pub(super) fn prune(workspace: &Workspace, output: &Output, args: &PruneArgs) -> Result<()> {
    let statements = statements(workspace, &asking(&args.audience)?)?;
    let selection = Selection { older_than_days: args.older_than_days, categories: args.kind.clone() };
    let unwanted = Unwanted { below: args.below, unused_days: args.unused_days };
    if unwanted.is_set() {
        return prune_facts(workspace, output, args, &unwanted);
    }
    if !args.dry_run {
        let pruned = statements.prune(&selection)?;
        return match output.json {
            true => output.value(&json!({"pruned": pruned})),
            false => {
                output.line(format_args!("{} removed", counted(pruned as u64, "statement", "statements")))
            }
        };
    }
    let target = statements.prunable(&selection)?;
    if output.json {
        return output.value(&json!({"would_prune": target.iter().map(listed_json).collect::<Vec<_>>()}));
    }
    for memory in &target {
        output.line(listed(memory))?;
    }
    output.line(format_args!("{} would be removed", counted(target.len() as u64, "statement", "statements")))
}

fn prune_facts(workspace: &Workspace, output: &Output, args: &PruneArgs, unwanted: &Unwanted) -> Result<()> {
    let asking = asking(&args.audience)?;
    let ledger = workspace.ledger().in_session(asking.session()).for_audience(audience(workspace, &asking)?);
    if !args.dry_run {
        let pruned = ledger.prune(unwanted)?.facts.len();
        return match output.json {
            true => output.value(&json!({"pruned": pruned})),
            false => output.line(format_args!("{} removed", counted(pruned as u64, "fact", "facts"))),
        };
    }
    let target: Vec<Memory> = ledger.prunable(unwanted)?.into_iter().map(|fact| fact.memory).collect();
    if output.json {
        return output.value(&json!({"would_prune": target.iter().map(listed_json).collect::<Vec<_>>()}));
    }
    for memory in &target {
        output.line(listed(memory))?;
    }
    output.line(format_args!("{} would be removed", counted(target.len() as u64, "fact", "facts")))
}

/// Formats the first memories, one per line, and the number of those not listed.
fn listing(memories: &[Memory], at_most: usize) -> Vec<String> {
    let mut lines: Vec<String> = memories.iter().take(at_most).map(asked_for).collect();
    match memories.len().saturating_sub(at_most) {
        0 => {}
        more => lines.push(format!("and {more} more")),
    }
    lines
}

/// Formats a memory that the user named by its ref or its words; a confidential one is shown too.
fn asked_for(memory: &Memory) -> String {
    line(memory, &memory.text)
}

/// Formats a memory in a listing; the text of a confidential one is hidden.
fn listed(memory: &Memory) -> String {
    line(memory, shown_text(memory).unwrap_or("(confidential)"))
}

fn line(memory: &Memory, text: impl Display) -> String {
    let category = memory.category.map_or(String::new(), |category| format!("{category} · "));
    let text = text.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{} · {category}{} · {text}", memory.version(), memory.scope)
}

fn shown_text(memory: &Memory) -> Option<&str> {
    (memory.sensitivity != Sensitivity::Confidential).then_some(&memory.text)
}

fn target_json(memory: &Memory) -> Value {
    json!({
        "ref": memory.version().to_string(),
        "category": memory.category,
        "scope": memory.scope,
        "text": memory.text,
    })
}

fn listed_json(memory: &Memory) -> Value {
    let mut value = target_json(memory);
    value["text"] = json!(shown_text(memory));
    value
}
