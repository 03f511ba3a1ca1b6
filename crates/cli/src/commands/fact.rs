//! The `fact` commands, which work on the ledger.

use memtape::branches::OpenConflict;
use memtape::json;
use memtape::ledger::{
    Done, Fact, Filter, How, Ledger, Named, NewFact, NewValue, Restored, Retired, Target, USER_SOURCE,
    percent,
};
use memtape::why::{ChangeEntry, MemoryVersion};
use memtape::{At, Form, Ref, Sensitivity, Workspace};
use serde_json::{Value, json};

use super::branches::note_conflicts;
use super::history::{LogLine, compared, print_diff, print_line, restored_point};
use super::{audience, recall, text_or_stdin};
use crate::args::{AskingArgs, AudienceArgs, DiffPoints, FactArgs, FactCommand, FactOrder};
use crate::output::{Failure, Output, Result, counted, one_line};
use crate::style::{Line, Role};

/// Maximum number of facts in a listing, unless all are requested.
const LISTED: usize = 50;

pub(super) fn run(workspace: &Workspace, output: &Output, at: &At, command: &FactCommand) -> Result<()> {
    let changing = |more: &crate::args::ChangeArgs| {
        Ok::<_, Failure>(ledger(workspace, &more.asking)?.because(more.reason.clone()))
    };
    match command {
        FactCommand::Add { fact, confidence } => {
            let ledger = ledger(workspace, &fact.asking)?.with_sensitivity(fact.sensitivity);
            done(&ledger.add(&new_fact(fact, *confidence)?)?, output)
        }
        FactCommand::Observe { fact, confidence } => {
            let ledger = ledger(workspace, &fact.asking)?.with_sensitivity(fact.sensitivity);
            done(&ledger.observe(&new_fact(fact, *confidence)?)?, output)
        }
        FactCommand::Update { subject, predicate, new, more } => {
            let new = NewValue {
                object: text_or_stdin(new)?,
                confidence: memtape::ledger::ADDED_CONFIDENCE,
                source: USER_SOURCE.into(),
                quarantined: None,
            };
            done(&changing(more)?.update(&named(subject, predicate, more.scope.as_deref()), &new)?, output)
        }
        FactCommand::Forget { subject, predicate, more } => {
            let forgotten = changing(more)?.forget(&named(subject, predicate, more.scope.as_deref()))?;
            print_removed("forgotten", &forgotten, output)
        }
        FactCommand::Confirm { what, more } => {
            done(&changing(more)?.confirm(&what.target(more.scope.as_deref())?)?, output)
        }
        FactCommand::Deprecate { what, more } => {
            let gone = changing(more)?.deprecate(&what.target(more.scope.as_deref())?)?;
            print_removed("deprecated", &gone, output)
        }
        FactCommand::List { topic, lifetime, subject, predicate, by, all, asking } => {
            let filter = Filter {
                subject: subject.clone(),
                predicate: predicate.clone(),
                topic: topic.clone(),
                lifetime: *lifetime,
                scope: None,
            };
            let facts = ledger(workspace, asking)?.list(&filter, at)?;
            let facts = match by {
                FactOrder::Sure => facts,
                FactOrder::Strength => workspace.by_strength(&facts, |fact| &fact.memory, at)?,
            };
            let open = workspace.open_conflicts(&audience(workspace, &asking.audience())?, at)?;
            let is_listed = |conflict: &&OpenConflict| {
                let is_it = |fact: &Fact| fact.memory.key == conflict.reference.key;
                conflict.reference.form == Form::LEDGER
                    && (filter == Filter::default() || facts.iter().any(is_it))
            };
            let open: Vec<_> = open.values().flatten().filter(is_listed).collect();
            list(workspace, &facts, &open, *all, output)
        }
        FactCommand::Show { what, which, asking } => {
            show(workspace, output, at, &what.target(which.scope.as_deref())?, &asking.audience())
        }
        FactCommand::Log { what, which, limit, asking } => {
            let versions = ledger(workspace, asking)?.history(&what.target(which.scope.as_deref())?, at)?;
            log(&versions, *limit, output)
        }
        FactCommand::Diff { what, which, asking } => {
            let (target, points) = what.split(which.scope.as_deref()).map_err(Failure::Usage)?;
            diff(workspace, asking, &target, &points, output)
        }
        FactCommand::Restore { what, which, reason } => {
            let (target, version) = what.split(which.scope.as_deref()).map_err(Failure::Usage)?;
            let point = restored_point(workspace, version.as_deref(), at, None, "fact log REF")?;
            let ledger = workspace.ledger().because(reason.clone());
            restored(&ledger, &target, ledger.restore(&target, &point)?, output)
        }
        FactCommand::Promote { reference, asking } => {
            let reference: Ref = reference.parse().map_err(memtape::Error::from)?;
            done(&ledger(workspace, asking)?.promote(&reference)?, output)
        }
    }
}

fn diff(
    workspace: &Workspace,
    asking: &AskingArgs,
    target: &Target,
    points: &DiffPoints,
    output: &Output,
) -> Result<()> {
    let ledger = ledger(workspace, asking)?;
    let last = |to: &At| {
        let versions = ledger.history(target, to)?;
        let changes = versions.iter().flat_map(|version| [Some(&version.change), version.end.as_ref()]);
        Ok(changes.flatten().map(|change| change.entry).max())
    };
    let (from, to) = compared(workspace, points, &asking.audience(), last)?;
    print_diff(json!({}), &ledger.diff(target, &from, &to)?, output)
}

fn ledger<'a>(workspace: &'a Workspace, asking: &AskingArgs) -> Result<Ledger<'a>> {
    let asking = asking.audience();
    let audience = audience(workspace, &asking)?;
    Ok(workspace.ledger().in_session(asking.session()).for_audience(audience))
}

fn new_fact(args: &FactArgs, confidence: f64) -> Result<NewFact> {
    Ok(NewFact {
        subject: args.subject.clone(),
        predicate: args.predicate.clone(),
        object: text_or_stdin(&args.object)?,
        scope: args.scope.clone(),
        confidence,
        source: args.source.clone(),
        evidence: args.evidence.clone(),
        days: args.days,
        quarantined: None,
    })
}

fn named(subject: &str, predicate: &str, scope: Option<&str>) -> Named {
    Named { subject: subject.to_owned(), predicate: predicate.to_owned(), scope: scope.map(str::to_owned) }
}

/// Returns the name of a change's outcome for JSON, and its text for people.
fn outcome(how: How) -> (&'static str, &'static str) {
    match how {
        How::Saved => ("saved", "added"),
        How::Confirmed => ("confirmed", "confirmed"),
        How::Present => ("present", "it was there already"),
        How::Replaced => ("replaced", "replaced"),
        How::Doubted => ("doubted", "doubted"),
        How::Restored => ("restored", "restored"),
    }
}

fn done(done: &Done, output: &Output) -> Result<()> {
    let (name, said) = outcome(done.how);
    let before = done.before.as_ref().filter(|_| done.how != How::Present);
    if output.json {
        return output.value(&json!({
            "outcome": name,
            "ref": done.reference.to_string(),
            "text": done.text,
            "confidence": done.value.confidence,
            "event": done.event,
            "commit": done.commit.as_ref().map(|commit| &commit.id),
            "before": before.map(json::fact),
        }));
    }
    let text = one_line(&done.text);
    let now = percent(done.value.confidence);
    let was = before.map(|before| percent(before.confidence()));
    let change = match was.filter(|was| *was != now && done.how != How::Replaced) {
        Some(was) => format!("{now}%, before {was}%"),
        None => format!("{now}%"),
    };
    output.line(format_args!("{said}: {text} ({change})"))?;
    if let Some(before) = before.filter(|_| done.how == How::Replaced) {
        output.line(format_args!("before: {} ({}%)", shown(before), percent(before.confidence())))?;
    }
    let commit = done.commit.as_ref().map_or(String::new(), |commit| format!(", commit {}", commit.id));
    output.line(format_args!("{}{commit}", done.reference))
}

fn print_removed(what: &str, retired: &Retired, output: &Output) -> Result<()> {
    let commit = retired.commit.as_ref().map(|commit| commit.id.as_str());
    if output.json {
        let facts: Vec<_> = retired.facts.iter().map(json::fact).collect();
        return output.value(&json!({what: facts, "commit": commit}));
    }
    for fact in &retired.facts {
        output.styled(&line(fact, output))?;
    }
    let commit = commit.map_or(String::new(), |commit| format!(", commit {commit}"));
    let count = counted(retired.facts.len() as u64, "fact", "facts");
    let them = if retired.facts.len() == 1 { "it" } else { "them" };
    output.line(format_args!("{count} {what}{commit} (an earlier point still shows {them}: --at)"))
}

fn list(
    workspace: &Workspace,
    facts: &[Fact],
    conflicts: &[&OpenConflict],
    all: bool,
    output: &Output,
) -> Result<()> {
    let most = if all { usize::MAX } else { LISTED };
    let more = facts.len().saturating_sub(most);
    if output.json {
        let listed: Vec<_> = facts.iter().take(most).map(json::fact).collect();
        let conflicts: Vec<_> = conflicts.iter().map(|conflict| json::conflict(conflict)).collect();
        return output.value(&json!({"facts": listed, "more": more, "conflicts": conflicts}));
    }
    for fact in facts.iter().take(most) {
        output.styled(&line(fact, output))?;
    }
    match more {
        0 if facts.is_empty() => output.note("No facts."),
        0 => {}
        more => output.note(format_args!("{more} more: --all lists them")),
    }
    note_conflicts(workspace, conflicts.iter().copied(), output)
}

/// Formats a fact: `ledger:0123456789abcdef@5 · work/technical · user prefers Python (90%)`. A fact that
/// belongs to a channel also shows its scope.
fn line(fact: &Fact, output: &Output) -> Line {
    let memory = &fact.memory;
    let mut line = Line::default().with(Role::Id, memory.version().to_string());
    line = line.text(format!(" · {}", fact.place()));
    if memory.scope.starts_with("channel:") {
        line = line.text(" · ").with(Role::Scope, memory.scope.clone());
    }
    if let Some(end) = memory.expires_at {
        line = line.text(format!(" · until {}", output.minute(end)));
    }
    line.text(format!(" · {} ({}%)", shown(fact), percent(fact.confidence())))
}

/// Returns the text of a fact, or `(confidential)`.
fn shown(fact: &Fact) -> String {
    match hidden(fact) {
        true => "(confidential)".to_owned(),
        false => one_line(&fact.memory.text),
    }
}

fn hidden(fact: &Fact) -> bool {
    fact.memory.sensitivity == Sensitivity::Confidential
}

/// Prints facts with all their details.
fn show(
    workspace: &Workspace,
    output: &Output,
    at: &At,
    target: &Target,
    asking: &AudienceArgs,
) -> Result<()> {
    let audience = audience(workspace, asking)?;
    let mut refs = Vec::new();
    match target {
        Target::Ref(reference) => refs.push(reference.clone()),
        Target::Named(_) => {
            let ledger = workspace.ledger().in_session(asking.session()).for_audience(audience.clone());
            for version in ledger.history(target, at)? {
                let reference = version.memory.reference();
                if !refs.contains(&reference) {
                    refs.push(reference);
                }
            }
        }
    }
    let mut shown = Vec::new();
    for reference in &refs {
        shown.extend(workspace.show(reference, &audience, at)?);
    }
    recall::print_all(workspace, output, at, &shown, &audience)
}

/// Prints what a restoration changed, and the facts that are current now.
fn restored(ledger: &Ledger<'_>, target: &Target, restored: Restored, output: &Output) -> Result<()> {
    let Restored { added, retired: removed } = restored;
    if output.json {
        return output.value(&json!({"restored": added, "removed": removed}));
    }
    if added + removed == 0 {
        return output.line("nothing to restore");
    }
    let parts = [(added, "restored"), (removed, "removed")].into_iter().filter(|(n, _)| *n > 0);
    let parts = parts.map(|(n, what)| format!("{} {what}", counted(n as u64, "fact", "facts")));
    output.line(parts.collect::<Vec<_>>().join(", "))?;
    let versions = ledger.history(target, &At::head())?;
    let current = versions.into_iter().filter(|version| version.end.is_none());
    current
        .filter_map(|version| Fact::read(version.memory))
        .try_for_each(|fact| output.styled(&line(&fact, output)))
}

/// Prints the versions of facts, newest first. A version that ended without a successor has a line for its
/// end.
fn log(versions: &[MemoryVersion], limit: Option<usize>, output: &Output) -> Result<()> {
    let limit = limit.unwrap_or(usize::MAX);
    let read = |version: &MemoryVersion| Fact::read(version.memory.clone());
    if output.json {
        let versions = versions.iter().rev().filter_map(|version| Some((version, read(version)?)));
        let versions = versions.take(limit).map(|(version, fact)| {
            let mut value = json::fact(&fact);
            value["by"] = change_json(&version.change);
            value["end"] = json!(version.end.as_ref().map(change_json));
            value
        });
        return output.value(&versions.collect());
    }
    let mut lines = Vec::new();
    for version in versions {
        let Some(fact) = read(version) else { continue };
        let evidence = fact.data.evidence.as_deref().filter(|_| !hidden(&fact));
        let evidence = evidence.map_or_else(String::new, |text| format!("; evidence: {text}"));
        // What a contradicting observation said, if the value stayed.
        let observed = fact.data.observed.as_ref().filter(|_| !hidden(&fact));
        let observed = observed.map_or_else(String::new, |observed| {
            format!("; observed: {}, {}%", one_line(&observed.object), percent(observed.confidence))
        });
        let (text, confidence) = (shown(&fact), percent(fact.confidence()));
        let source = if hidden(&fact) { String::new() } else { format!(", source {}", fact.data.source) };
        let text = format!("{} · {text} ({confidence}%{source}{evidence}{observed})", fact.place());
        lines.push((&version.change, fact.memory.version().to_string(), text));
        let is_followed = |end: &ChangeEntry| versions.iter().any(|other| other.change.entry == end.entry);
        if let Some(end) = version.end.as_ref().filter(|end| !is_followed(end)) {
            let id = Ref { entry: Some(end.entry), ..fact.memory.reference() }.to_string();
            lines.push((end, id, format!("{} · (removed)", fact.place())));
        }
    }
    lines.sort_by_key(|(change, ..)| std::cmp::Reverse(change.entry));
    for (change, id, text) in lines.into_iter().take(limit) {
        let line = LogLine {
            id,
            date: change.date,
            act: change.name.strip_prefix("ledger.").unwrap_or(&change.name),
            origin: change.origin,
            reason: change.reason.as_deref(),
            text: Some(text),
        };
        print_line(&line, output)?;
    }
    Ok(())
}

fn change_json(change: &ChangeEntry) -> Value {
    json!({
        "entry": change.entry,
        "date": change.date.to_string(),
        "name": change.name,
        "origin": change.origin.map(memtape::Origin::as_str),
        "reason": change.reason,
    })
}
