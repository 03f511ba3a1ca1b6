//! The branch commands: `branch`, `switch`, `merge`, `conflicts`, `resolve`, `cherry-pick`, `revert`, `undo` and
//! `redo`, and document 1's spellings `branches`, `create-branch`, `checkout` and `delete-branch`.

use memtape::branches::{
    BranchInfo, Branches, Committed, Contested, MergeOutcome, OpenConflict, Resolution, Reverted,
};
use memtape::json;
use memtape::log::{describe, short, text};
use memtape::{At, Audience, Change, Form, Memory, Ref, Session, Workspace};
use serde_json::{Value, json};

use super::{audience, text_or_stdin};
use crate::args::{
    AskingArgs, BranchCommand, BranchVerb, CreateArgs, DeleteArgs, MergeArgs, ResolveArgs, SwitchArgs,
};
use crate::output::{Failure, Output, Result, counted};

/// Maximum number of open conflicts that another command lists.
const CONFLICTS_SHOWN: usize = 5;

/// Returns the hint on how to resolve these conflicts of a branch. `--both` applies only to ledger facts.
fn resolve_hint<'r>(
    workspace: &Workspace,
    into: &str,
    mut conflicts: impl Iterator<Item = &'r Ref>,
) -> String {
    let command = workspace.branches().resolve_command("REF", into);
    let both = match conflicts.any(|reference| reference.form == Form::LEDGER) {
        true => ", a fact also with `--both`",
        false => "",
    };
    format!("resolve with `{command} --ours|--theirs|--value TEXT`{both}")
}

pub(super) fn run(workspace: &Workspace, output: &Output, at: &At, command: &BranchCommand) -> Result<()> {
    match command {
        BranchCommand::Branch { verb: None } => {
            list(&asked(workspace, &AskingArgs::default())?.list(at)?, output)
        }
        BranchCommand::Branch { verb: Some(BranchVerb::List { asking }) }
        | BranchCommand::Branches { asking } => list(&asked(workspace, asking)?.list(at)?, output),
        BranchCommand::Branch { verb: Some(BranchVerb::Create(args)) }
        | BranchCommand::CreateBranch(args) => create(workspace, output, args),
        BranchCommand::Branch { verb: Some(BranchVerb::Switch(args)) } | BranchCommand::Switch(args) => {
            switch(workspace, output, args)
        }
        BranchCommand::Branch { verb: Some(BranchVerb::Delete(args)) }
        | BranchCommand::DeleteBranch(args) => delete(workspace, output, args),
        BranchCommand::Branch { verb: Some(BranchVerb::Merge(args)) } | BranchCommand::Merge(args) => {
            merge(workspace, output, args)
        }
        BranchCommand::Conflicts { asking } => {
            conflicts(workspace, &asked(workspace, asking)?.conflicts(at)?, output)
        }
        BranchCommand::Resolve(args) => resolve(workspace, output, args),
        BranchCommand::CherryPick { commit, into, reason } => {
            let branches = into_branch(workspace, into.as_deref())?.because(reason.clone());
            let outcome = branches.cherry_pick(&workspace.at(commit)?)?;
            match &outcome.reverted {
                Some(reverted) => Err(reverted.error(&format!("{commit} was taken")).into()),
                None => {
                    picked(workspace, commit, &outcome, output)?;
                    without_conflicts(&outcome)
                }
            }
        }
        BranchCommand::Revert { commit, reason } => {
            let branches = workspace.branches().because(reason.clone());
            print_reverted("reverted", &branches.revert(&workspace.at(commit)?)?, output)
        }
        BranchCommand::Undo { session } => {
            print_reverted("undid", &in_session(workspace, session.as_ref()).undo()?, output)
        }
        BranchCommand::Redo { session } => {
            print_reverted("redid", &in_session(workspace, session.as_ref()).redo()?, output)
        }
    }
}

fn create(workspace: &Workspace, output: &Output, args: &CreateArgs) -> Result<()> {
    let CreateArgs { name, persona, from, asking } = args;
    let from = from.as_deref().map_or_else(|| Ok(At::head()), |from| workspace.at_or_branch(from))?;
    let name = asked(workspace, asking)?.create(name, persona.as_deref(), &from)?;
    match output.json {
        true => output.value(&json!({"branch": name, "outcome": "created"})),
        false => output.line(format_args!("Created {name} (`memtape switch {name}` switches to it).")),
    }
}

fn switch(workspace: &Workspace, output: &Output, args: &SwitchArgs) -> Result<()> {
    let SwitchArgs { name, session } = args;
    let branches = workspace.branches();
    let is_switched = match session {
        Some(session) => branches.in_session(session.clone()).switch(name, false)?,
        None => branches.switch(name, true)?,
    };
    let name = in_session(workspace, session.as_ref()).current(&At::head())?;
    let who = session.as_ref().map_or_else(String::new, |session| format!(" in {session}"));
    match output.json {
        true => {
            output.value(&json!({"branch": name, "outcome": if is_switched { "switched" } else { "there" }}))
        }
        false if is_switched => output.line(format_args!("Switched to {name}{who}.")),
        false => output.line(format_args!("Already on {name}{who}.")),
    }
}

fn delete(workspace: &Workspace, output: &Output, args: &DeleteArgs) -> Result<()> {
    let name = &args.name;
    let entry = workspace.branches().delete(name)?;
    match output.json {
        true => output.value(&json!({"branch": name, "outcome": "deleted", "entry": entry})),
        false => output.line(format_args!(
            "Deleted {name} @{entry}. The tape keeps it: `memtape branch create NEW --from {name}@{entry}` brings it \
             back under another name."
        )),
    }
}

fn merge(workspace: &Workspace, output: &Output, args: &MergeArgs) -> Result<()> {
    let MergeArgs { source, into, dry_run, reason } = args;
    let branches = into_branch(workspace, into.as_deref())?.because(reason.clone());
    let outcome = if *dry_run { branches.would_merge(source)? } else { branches.merge(source)? };
    if let Some(reverted) = &outcome.reverted {
        return Err(reverted.error(&format!("branch {source:?} was merged")).into());
    }
    merged(workspace, source, &outcome, *dry_run, output)?;
    without_conflicts(&outcome)
}

/// Fails if a merge or a cherry-pick, which is printed, leaves conflicts open.
fn without_conflicts(outcome: &MergeOutcome) -> Result<()> {
    match outcome.conflicts.is_empty() && outcome.still_open.is_empty() {
        true => Ok(()),
        false => Err(Failure::Conflicts),
    }
}

/// Returns the branch operations that change a branch, which may be no other one than that of `--branch`.
fn into_branch<'a>(workspace: &'a Workspace, into: Option<&str>) -> Result<Branches<'a>> {
    if let (Some(into), Some(branch)) = (into, workspace.branch().filter(|branch| Some(*branch) != into)) {
        let why = format!("--into names {into:?}, and --branch {branch:?}: name one of them");
        return Err(Failure::Usage(why));
    }
    Ok(workspace.branches().into_branch(into.map(str::to_owned)))
}

/// Returns the branch operations for a conversation, or for the terminal if there is none.
fn in_session<'a>(workspace: &'a Workspace, session: Option<&Session>) -> Branches<'a> {
    let branches = workspace.branches();
    session.iter().fold(branches, |branches, session| branches.in_session((*session).clone()))
}

/// Returns the branch operations for the audience that the arguments select.
fn asked<'a>(workspace: &'a Workspace, asking: &AskingArgs) -> Result<Branches<'a>> {
    let asking = asking.audience();
    Ok(workspace.branches().in_session(asking.session()).for_audience(audience(workspace, &asking)?))
}

fn list(branches: &[BranchInfo], output: &Output) -> Result<()> {
    if output.json {
        return output.value(&Value::Array(branches.iter().map(branch_json).collect()));
    }
    for branch in branches {
        let mark = if branch.is_current { '*' } else { '-' };
        let mut line = format!("{mark} {}", branch.name);
        if let Some(persona) = &branch.persona {
            line.push_str(&format!(" (persona: {persona})"));
        }
        if let Some((parent, entry)) = &branch.parent {
            line.push_str(&format!(" · from {parent}@{entry}"));
        }
        if let Some(date) = branch.created_at {
            line.push_str(&format!(" · {}", output.minute(date)));
        }
        if let Some(commits) = branch.commits {
            line.push_str(&format!(" · {}", counted(commits, "commit", "commits")));
        }
        if branch.is_default {
            line.push_str(" · new conversations begin here");
        }
        if !branch.sessions.is_empty() {
            line.push_str(&format!(" · {}", branch.sessions.join(", ")));
        }
        output.line(output.one_line(&line))?;
    }
    Ok(())
}

fn branch_json(branch: &BranchInfo) -> Value {
    json!({
        "name": branch.name,
        "parent": branch.parent.as_ref().map(|(parent, _)| parent),
        "forked_at": branch.parent.as_ref().map(|(_, entry)| entry),
        "persona": branch.persona,
        "created_at": branch.created_at.map(|at| at.to_string()),
        "commits": branch.commits,
        "current": branch.is_current,
        "default": branch.is_default,
        "sessions": branch.sessions,
    })
}

fn merged(
    workspace: &Workspace,
    source: &str,
    outcome: &MergeOutcome,
    dry_run: bool,
    output: &Output,
) -> Result<()> {
    if output.json {
        let mut value = outcome_json(outcome);
        value["source"] = source.into();
        value["dry_run"] = dry_run.into();
        return output.value(&value);
    }
    let into = &outcome.into;
    let is_new = outcome.commit.is_some()
        || (dry_run
            && !(outcome.changed.is_empty() && outcome.conflicts.is_empty() && outcome.resolved == 0));
    match (is_new, outcome.still_open.len() as u64) {
        (false, 0) => return output.line(format_args!("{source} is already merged into {into}")),
        (false, open) => {
            output.line(format_args!(
                "{source} is already merged into {into}, but for {} still open:",
                counted(open, "conflict that is", "conflicts that are")
            ))?;
            return contested(workspace, into, &outcome.still_open, output);
        }
        (true, _) if dry_run => {
            output.line(format_args!("merging {source} into {into} would change:"))?;
        }
        (true, _) => {
            output.line(format_args!("merged {source} into {into}{}", named(outcome.commit.as_ref())))?;
        }
    }
    changes(&outcome.changed, output)?;
    left_open(workspace, outcome, output)
}

fn picked(workspace: &Workspace, commit: &str, outcome: &MergeOutcome, output: &Output) -> Result<()> {
    if output.json {
        let mut value = outcome_json(outcome);
        value["picked"] = commit.into();
        return output.value(&value);
    }
    let into = &outcome.into;
    if outcome.commit.is_none() {
        return match outcome.still_open.len() as u64 {
            0 => output.line(format_args!("nothing to take: {into} already has the change of {commit}")),
            open => {
                let open = counted(open, "conflict that is", "conflicts that are");
                output.line(format_args!("nothing to take from {commit}, but {open} still open:"))?;
                contested(workspace, into, &outcome.still_open, output)
            }
        };
    }
    output.line(format_args!("picked {commit} into {into}{}", named(outcome.commit.as_ref())))?;
    changes(&outcome.changed, output)?;
    left_open(workspace, outcome, output)
}

/// Prints the conflicts of a merge or cherry-pick: how many are resolved, and which are open.
fn left_open(workspace: &Workspace, outcome: &MergeOutcome, output: &Output) -> Result<()> {
    if outcome.resolved > 0 {
        let resolved = counted(outcome.resolved as u64, "earlier conflict", "earlier conflicts");
        output.line(format_args!("{resolved} resolved"))?;
    }
    let open = outcome.conflicts.len() + outcome.still_open.len();
    if open > 0 {
        let count = counted(open as u64, "conflict", "conflicts");
        output.line(format_args!("{count}; our side is current until it is resolved:"))?;
    }
    contested(workspace, &outcome.into, &outcome.conflicts, output)?;
    contested(workspace, &outcome.into, &outcome.still_open, output)
}

fn contested(workspace: &Workspace, into: &str, conflicts: &[Contested], output: &Output) -> Result<()> {
    for conflict in conflicts {
        output.line(conflict.reference.to_string())?;
        sides(conflict.ours.as_ref(), conflict.theirs.as_ref(), output)?;
    }
    if !conflicts.is_empty() {
        let references = conflicts.iter().map(|conflict| &conflict.reference);
        output.note(resolve_hint(workspace, into, references));
    }
    Ok(())
}

fn sides(ours: Option<&Memory>, theirs: Option<&Memory>, output: &Output) -> Result<()> {
    for (whose, side) in [("ours  ", ours), ("theirs", theirs)] {
        output.line(format_args!("  {whose}  {}", output.one_line_after(10, &side_text(side))))?;
    }
    Ok(())
}

fn side_text(side: Option<&Memory>) -> String {
    side.map_or_else(|| "(deleted)".to_owned(), |memory| text(Some(memory)))
}

fn changes(changes: &[Change], output: &Output) -> Result<()> {
    for change in changes {
        output.line(output.one_line(&describe(change)))?;
    }
    Ok(())
}

/// Formats the name of a new commit as ` (ID @ENTRY)`, or nothing if no commit was created.
fn named(commit: Option<&Committed>) -> String {
    commit.map_or_else(String::new, |commit| format!(" ({} @{})", short(&commit.id), commit.entry))
}

fn outcome_json(outcome: &MergeOutcome) -> Value {
    let contested = |conflicts: &[Contested]| -> Vec<Value> {
        let json = conflicts.iter().map(|conflict| {
            json!({
                "ref": conflict.reference.to_string(),
                "ours": conflict.ours.as_ref().map(json::side),
                "theirs": conflict.theirs.as_ref().map(json::side),
            })
        });
        json.collect()
    };
    json!({
        "into": outcome.into,
        "commit": outcome.commit.as_ref().map(commit_json),
        "changed": outcome.changed.iter().map(json::change).collect::<Vec<_>>(),
        "conflicts": contested(&outcome.conflicts),
        "still_open": contested(&outcome.still_open),
        "resolved": outcome.resolved,
    })
}

fn commit_json(commit: &Committed) -> Value {
    json!({"entry": commit.entry, "id": commit.id})
}

/// Prints the open conflicts of a result, one per line and at most [`CONFLICTS_SHOWN`], and how to resolve
/// them.
pub(super) fn note_conflicts<'c>(
    workspace: &Workspace,
    conflicts: impl Iterator<Item = &'c OpenConflict>,
    output: &Output,
) -> Result<()> {
    let conflicts: Vec<_> = conflicts.collect();
    for conflict in conflicts.iter().take(CONFLICTS_SHOWN) {
        output.line(output.one_line(&conflict_line(conflict)))?;
    }
    match conflicts.len().saturating_sub(CONFLICTS_SHOWN) as u64 {
        0 => {}
        more => output.line(format_args!(
            "{} more (`memtape conflicts` lists them)",
            counted(more, "conflict", "conflicts")
        ))?,
    }
    hint_of(workspace, &conflicts, output);
    Ok(())
}

/// Prints how to resolve open conflicts, if there are any. They are all of one branch.
fn hint_of(workspace: &Workspace, conflicts: &[&OpenConflict], output: &Output) {
    if let Some(conflict) = conflicts.first() {
        let references = conflicts.iter().map(|conflict| &conflict.reference);
        output.note(resolve_hint(workspace, &conflict.into, references));
    }
}

/// Returns the open conflicts about the memories of a text that a command prints, for its JSON. Without `--json`, names
/// them on standard error: standard output contains the text and nothing else.
pub(super) fn conflicts_about(
    workspace: &Workspace,
    asking: &Audience,
    at: &At,
    is_printed: impl Fn(&Ref) -> bool,
    output: &Output,
) -> Result<Value> {
    let open = workspace.open_conflicts(asking, at)?;
    let open: Vec<_> = open.values().flatten().filter(|conflict| is_printed(&conflict.reference)).collect();
    if !output.json && !open.is_empty() {
        for conflict in &open {
            output.note(output.one_line(&conflict_line(conflict)));
        }
        hint_of(workspace, &open, output);
    }
    Ok(open.into_iter().map(json::conflict).collect())
}

fn conflict_line(conflict: &OpenConflict) -> String {
    let (reference, source) = (&conflict.reference, conflict.source_name());
    format!("conflict: {reference} · {source} has {}", side_text(conflict.theirs.as_ref()))
}

fn conflicts(workspace: &Workspace, conflicts: &[OpenConflict], output: &Output) -> Result<()> {
    if output.json {
        let json = conflicts.iter().map(|conflict| {
            let side = |side: &Option<Memory>| {
                let mut side = side.as_ref().map(json::side);
                // Without `source`, the audience may not see the other branch, so the name is hidden too.
                if let (Some(side), None) = (&mut side, &conflict.source) {
                    side["branch"] = Value::Null;
                }
                side
            };
            json!({
                "ref": conflict.reference.to_string(),
                "ours": side(&conflict.ours),
                "theirs": side(&conflict.theirs),
                "base": side(&conflict.base),
                "commit": conflict.commit,
                "source": conflict.source,
                "into": conflict.into,
            })
        });
        return output.value(&Value::Array(json.collect()));
    }
    for conflict in conflicts {
        let OpenConflict { reference, ours, theirs, base, commit, .. } = conflict;
        let source = conflict.source_name();
        output.line(format_args!("{reference} · {source} into {} @{commit}", conflict.into))?;
        sides(ours.as_ref(), theirs.as_ref(), output)?;
        if let Some(base) = base {
            output.line(format_args!("  before  {}", output.one_line_after(10, &side_text(Some(base)))))?;
        }
    }
    if conflicts.is_empty() {
        return output.line("No conflicts.");
    }
    hint_of(workspace, &conflicts.iter().collect::<Vec<_>>(), output);
    Ok(())
}

fn resolve(workspace: &Workspace, output: &Output, args: &ResolveArgs) -> Result<()> {
    let reference = args.reference.as_deref().unwrap_or_default();
    let reference: Ref = reference.parse().map_err(memtape::Error::from)?;
    let how = match &args.value {
        Some(value) => Resolution::Value(text_or_stdin(value)?),
        None if args.theirs => Resolution::Theirs,
        None if args.both => Resolution::Both,
        None => Resolution::Ours,
    };
    let resolved = workspace.branches().because(args.reason.clone()).resolve(&reference, &how)?;
    if output.json {
        return output.value(&json!({
            "ref": resolved.reference.to_string(),
            "commit": resolved.commit.as_ref().map(commit_json),
            "changed": resolved.changed.iter().map(json::change).collect::<Vec<_>>(),
        }));
    }
    output.line(format_args!("resolved {}{}", resolved.reference, named(resolved.commit.as_ref())))?;
    changes(&resolved.changed, output)?;
    match resolved.changed.is_empty() {
        true => output.line("kept our version"),
        false => Ok(()),
    }
}

pub(super) fn print_reverted(done: &str, back: &Reverted, output: &Output) -> Result<()> {
    if output.json {
        let mut value = json!({
            "reverted": back.entry,
            "commit": back.commit.as_ref().map(commit_json),
            "changed": back.changed.iter().map(json::change).collect::<Vec<_>>(),
        });
        if let Some(entry) = back.messages_at {
            value["messages_at"] = entry.into();
        }
        return output.value(&value);
    }
    output.line(format_args!("{done} @{}{}", back.entry, named(back.commit.as_ref())))?;
    changes(&back.changed, output)?;
    match back.messages_at {
        Some(entry) => {
            output.line(format_args!("the messages before it stay removed (--at {entry} shows them)"))
        }
        None => Ok(()),
    }
}
