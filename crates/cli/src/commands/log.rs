//! The `log` and `diff` commands, and `show` of a commit.

use memtape::json;
use memtape::log::{LOG_CHANGES, describe, mark, message, name, notes, text};
use memtape::{At, Change, ChangeKind, CommitQuestion, Diff, LoggedCommit, Memory, ShownCommit, Workspace};
use serde_json::{Value, json};

use super::audience;
use crate::args::{DiffArgs, LogArgs};
use crate::output::{Output, Result, counted};
use crate::style::{Line, Role};

pub(super) fn log(workspace: &Workspace, output: &Output, at: &At, args: &LogArgs) -> Result<()> {
    let question = CommitQuestion {
        audience: audience(workspace, &args.audience)?,
        form: args.form,
        limit: args.limit.0,
        changes: Some(LOG_CHANGES),
        ..CommitQuestion::default()
    };
    let commits = workspace.log(&question, at)?;
    if output.json {
        return output.value(&Value::Array(commits.iter().map(json::commit).collect()));
    }
    for (n, commit) in commits.iter().enumerate() {
        if args.oneline {
            let line = Line::default().with(Role::Id, name(commit));
            output.listed(line.text(format!(" {}", message(commit))))?;
            continue;
        }
        if n > 0 {
            output.line("")?;
        }
        print_commit(commit, output)?;
    }
    if commits.is_empty() {
        return output.line("No commits.");
    }
    if args.limit.0.is_some_and(|limit| commits.len() >= limit) {
        match workspace.count_log(&question, at)?.saturating_sub(commits.len() as u64) {
            0 => {}
            more => output.note(format_args!(
                "… {} before these: `-n all` prints them",
                counted(more, "commit", "commits")
            )),
        }
    }
    Ok(())
}

/// Prints a commit in the log: its name, its message, and one line per change.
fn print_commit(commit: &LoggedCommit, output: &Output) -> Result<()> {
    let date = output.minute(commit.date);
    let origin = commit.origin.map_or(String::new(), |origin| format!(" · {}", origin.as_str()));
    let head = Line::default().with(Role::Heading, "commit ").with(Role::Id, name(commit));
    output.styled(&head.text(format!(" ({}) · {date}{origin}", commit.branch)))?;
    output.line(format_args!("  {}", message(commit)))?;
    print_changes(commit, output)
}

fn print_changes(commit: &LoggedCommit, output: &Output) -> Result<()> {
    for change in &commit.changes {
        output.styled(&changed("    ", change, output))?;
    }
    match commit.more {
        0 => Ok(()),
        n => output.line(format_args!(
            "    … {}: memtape show @{}",
            counted(n as u64, "more change", "more changes"),
            commit.entry
        )),
    }
}

/// Returns a change in one line, after an indentation, in the color of its kind.
fn changed(indentation: &str, change: &Change, output: &Output) -> Line {
    let role = match mark(change) {
        '+' => Role::Added,
        '-' => Role::Removed,
        _ => Role::Plain,
    };
    Line::default().text(indentation).with(role, output.one_line_after(indentation.len(), &describe(change)))
}

/// Prints a commit with all its details.
pub(super) fn print_shown(shown: &ShownCommit, output: &Output) -> Result<()> {
    if output.json {
        return output.value(&shown_json(shown));
    }
    let ShownCommit { commit, conflicts } = shown;
    let id = commit.id.as_ref().map_or(String::new(), |id| format!("{id} "));
    output.line(format_args!("commit {id}@{} ({})", commit.entry, commit.branch))?;
    output.line(format_args!("  {}", message(commit)))?;
    output.line(format_args!("recorded  {}", recorded(commit, output)))?;
    if let Some(reason) = &commit.reason {
        output.line(format_args!("because   {}", output.one_line_after(10, reason)))?;
    }
    print_metadata(commit, output)?;
    for conflict in conflicts {
        let side = |memory: &Option<Memory>| match memory {
            Some(memory) => format!("{} {}", memory.reference(), output.one_line(&text(Some(memory)))),
            None => "(removed)".to_owned(),
        };
        output.line(format_args!("conflict  ours:   {}", side(&conflict.ours)))?;
        output.line(format_args!("          theirs: {}", side(&conflict.theirs)))?;
    }
    let total = (commit.changes.len() + commit.more) as u64;
    output.line(format_args!("changed   {}", counted(total, "memory", "memories")))?;
    commit.changes.iter().try_for_each(|change| print_whole(change, output))
}

/// Prints a change with its full texts.
fn print_whole(change: &Change, output: &Output) -> Result<()> {
    let reference = change.shown().map_or_else(String::new, |memory| memory.version().to_string());
    let notes = notes(change);
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
    output.line(format_args!("  {} {reference}{notes}", mark(change)))?;
    let texts = [("-", &change.before), ("+", &change.after)];
    let is_another = change.before.as_ref().map(|m| &m.text) != change.after.as_ref().map(|m| &m.text);
    for (sign, memory) in texts.into_iter().filter_map(|(sign, side)| Some((sign, side.as_ref()?))) {
        let sign = if is_another { sign } else { " " };
        if is_another || sign == " " && change.after.as_ref() == Some(memory) {
            text(Some(memory))
                .lines()
                .try_for_each(|line| output.line(format_args!("      {sign} {line}")))?;
        }
    }
    Ok(())
}

/// Formats when, by whom and in which conversation a commit was recorded.
fn recorded(commit: &LoggedCommit, output: &Output) -> String {
    let entries = match commit.first == commit.entry {
        true => format!("entry {}", commit.entry),
        false => format!("entries {} to {}", commit.first, commit.entry),
    };
    let date = output.instant(commit.date);
    let origin = commit.origin.map_or(String::new(), |origin| format!(", from {}", origin.as_str()));
    let session = commit.session.as_ref().map_or(String::new(), |session| format!(", in {session}"));
    format!("{entries}, {date}{origin}{session}")
}

/// Prints the metadata of a commit's anchor.
fn print_metadata(commit: &LoggedCommit, output: &Output) -> Result<()> {
    let Some(anchor) = &commit.anchor else { return Ok(()) };
    if let Some(parent) = &anchor.parent_id {
        output.line(format_args!("parent    {parent}"))?;
    }
    let metadata = &anchor.metadata;
    if let Some(merge) = &metadata.merge {
        output.line(format_args!("merges    {}@{}", merge.source, merge.head))?;
    }
    let others = [
        ("picks", metadata.picks),
        ("reverts", metadata.reverts),
        ("undoes", metadata.undoes),
        ("redoes", metadata.redoes),
    ];
    for (what, entry) in others {
        if let Some(entry) = entry {
            output.line(format_args!("{what:<9} @{entry}"))?;
        }
    }
    match metadata.settles.len() as u64 {
        0 => Ok(()),
        n => output.line(format_args!("resolves  {}", counted(n, "conflict", "conflicts"))),
    }
}

fn shown_json(shown: &ShownCommit) -> Value {
    let mut value = json::commit(&shown.commit);
    let side = |memory: &Option<Memory>| memory.as_ref().map(json::side);
    let conflict = |conflict: &memtape::log::ShownConflict| {
        json!({
            "commit": conflict.id.commit,
            "n": conflict.id.n,
            "ours": side(&conflict.ours),
            "theirs": side(&conflict.theirs),
        })
    };
    value["conflicts"] = Value::Array(shown.conflicts.iter().map(conflict).collect());
    value
}

pub(super) fn diff(workspace: &Workspace, output: &Output, args: &DiffArgs) -> Result<()> {
    let asking = audience(workspace, &args.audience)?;
    let to = args.to.as_deref().map_or_else(|| Ok(At::head()), |to| workspace.at_or_branch(to))?;
    let from = match &args.from {
        Some(from) => workspace.at_or_branch(from)?,
        None => {
            let question = CommitQuestion {
                audience: asking.clone(),
                form: args.form,
                limit: Some(1),
                changes: Some(0),
                ..CommitQuestion::default()
            };
            match workspace.log(&question, &At::head())?.pop() {
                Some(last) => workspace.before(last.entry, &asking)?,
                None => At::entry(0),
            }
        }
    };
    let diff = workspace.difference(&from, &to, &asking, args.form)?;
    let Diff { from, to, changes } = &diff;
    if output.json {
        let stand = |(branch, entry): &(String, u64)| json!({"branch": branch, "entry": entry});
        let changes: Vec<_> = changes.iter().map(json::change).collect();
        return output.value(&json!({"from": stand(from), "to": stand(to), "changes": changes}));
    }
    let points = format!("{}@{} → {}@{}", from.0, from.1, to.0, to.1);
    if changes.is_empty() {
        return output.line(format_args!("{points}: no differences"));
    }
    let counts =
        [ChangeKind::Added, ChangeKind::Changed, ChangeKind::Retired].map(|kind| (kind, diff.count(kind)));
    let counts: Vec<_> =
        counts.iter().filter(|(_, n)| *n > 0).map(|(k, n)| format!("{n} {}", k.as_str())).collect();
    output.line(format_args!("{points}: {}", counts.join(", ")))?;
    changes.iter().try_for_each(|change| output.styled(&changed("", change, output)))
}
