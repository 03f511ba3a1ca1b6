//! The `zone` commands.

use jiff::civil::Date;
use memtape::json;
use memtape::log::{LOG_CHANGES, message};
use memtape::zone::Item;
use memtape::{
    At, Audience, CommitQuestion, ErrorKind, Form, LoggedCommit, Mode, Origin, Ref, Scope, Sensitivity,
    Session, Workspace, Zone, ZoneOutcome, ZonePart, ZoneView,
};
use serde_json::json;

use super::history::{LogLine, compared, print_diff, print_line, restored_point};
use super::remember::{print_saved, warn_of_size};
use super::{audience, confirm, text_or_stdin};
use crate::args::{AudienceArgs, ZoneCommand};
use crate::output::{Failure, Output, Result, counted};
use crate::style::{Line, Role};

pub(super) fn run(workspace: &Workspace, output: &Output, at: &At, command: &ZoneCommand) -> Result<()> {
    let zone = |asking: &AudienceArgs| -> Result<_> {
        Ok(workspace.zone().in_session(asking.session()).for_audience(audience(workspace, asking)?))
    };
    match command {
        ZoneCommand::Show { audience: asking } => {
            let (view, today) = zone(asking)?.view(at)?;
            warn_of_size(output, view.long_term_text().len());
            match output.json {
                true => output.value(&json::zone(&view, &audience(workspace, asking)?)),
                false => output.text(&view.context(today)),
            }
        }
        ZoneCommand::Save { text, audience } => {
            let zone = zone(audience)?;
            let (outcome, refs) = zone.save(&text_or_stdin(text)?, Mode::Replace)?;
            print_saved(output, "saved", &outcome, &refs)?;
            let (view, _) = zone.view(&At::head())?;
            warn_of_size(output, view.long_term_text().len());
            Ok(())
        }
        ZoneCommand::Daily { text, date, audience } => {
            let date = date.as_deref().map(|date| workspace.day(date)).transpose()?;
            let (outcome, refs) = zone(audience)?.daily(&text_or_stdin(text)?, date)?;
            print_saved(output, "noted", &outcome, &refs)
        }
        ZoneCommand::Recall { query, days, audience } => {
            let text = zone(audience)?.recall(query.as_deref(), *days, usize::MAX, at)?;
            match output.json {
                true => output.value(&json!({"text": text})),
                false => output.line(text),
            }
        }
        ZoneCommand::Forget { text, date, audience } => {
            forget(workspace, &zone(audience)?, text.as_deref().unwrap_or_default(), date.as_deref(), output)
        }
        ZoneCommand::Clear { audience, yes } => clear(&zone(audience)?, audience, *yes, output),
        ZoneCommand::List { audience } => list(&zone(audience)?.view_with_confidential(at)?, output),
        ZoneCommand::Log { limit, audience: asking } => {
            let question = commits(audience(workspace, asking)?, *limit);
            log(&workspace.log(&question, at)?, output)
        }
        ZoneCommand::Diff { sides } => {
            let question = commits(audience(workspace, &sides.audience)?, Some(1));
            let last = |to: &At| Ok(workspace.log(&question, to)?.first().map(|last| last.entry));
            let (from, to) = compared(workspace, &sides.points, &sides.audience, last)?;
            print_diff(json!({}), &zone(&sides.audience)?.diff(&from, &to)?, output)
        }
        ZoneCommand::Restore { version, audience } => {
            let version = version.version.as_deref();
            let point = restored_point(workspace, version, at, Some(audience), "zone log")?;
            print_restored(output, &zone(audience)?.restore(&point)?)
        }
        ZoneCommand::Export { audience: asking } => {
            let (view, _) = zone(asking)?.view(at)?;
            match output.json {
                true => output.value(&json::zone(&view, &audience(workspace, asking)?)),
                false => output.text(&view.export()),
            }
        }
        ZoneCommand::Prune { .. } => {
            let pruned = workspace.zone().prune()?;
            match output.json {
                true => output.value(&json!({"pruned": pruned})),
                false => {
                    let notes = counted(pruned as u64, "daily note", "daily notes");
                    output.line(format_args!("removed {notes}"))
                }
            }
        }
    }
}

/// Returns the question for the commits that changed the zone.
fn commits(audience: Audience, limit: Option<usize>) -> CommitQuestion {
    let form = Some(Form::ZONE);
    CommitQuestion { audience, form, limit, changes: Some(LOG_CHANGES), ..CommitQuestion::default() }
}

/// Prints the lines of long-term memory, then those of each day's note, each with its ref and date. A confidential one is
/// shown only by its ref (`memtape show REF`).
fn list(view: &ZoneView, output: &Output) -> Result<()> {
    let days = view.dailies.iter().flat_map(|(day, items)| items.iter().map(move |item| (Some(*day), item)));
    let items: Vec<_> = view.long_term.iter().map(|item| (None, item)).chain(days).collect();
    let reference = |item: &Item| {
        Ref { form: Form::ZONE, key: item.key.clone(), entry: Some(item.id.entry()) }.to_string()
    };
    let text = |item: &Item| (item.sensitivity != Sensitivity::Confidential).then(|| item.text.clone());
    if output.json {
        let items = items.iter().map(|(day, item)| {
            json!({
                "ref": reference(item), "day": day.map(|day| day.to_string()), "text": text(item),
                "scope": item.scope.label(), "updated_at": item.updated_at.to_string(),
                "origin": item.origin.map(Origin::as_str), "quarantined": item.quarantined,
            })
        });
        return output.value(&items.collect());
    }
    for (day, item) in &items {
        let of = day.map_or_else(|| "long-term".to_owned(), |day| format!("note of {day}"));
        let of = match &item.scope {
            Scope::Global => of,
            scope => format!("{of} ({})", owner(scope)),
        };
        let date = output.day(item.updated_at);
        let line = Line::default().with(Role::Id, reference(item));
        let text = text(item).unwrap_or_else(|| "(confidential)".to_owned());
        output.listed(line.text(format!(" {date} {of}: {text}")))?;
    }
    if items.is_empty() {
        output.note("No lines or notes: `memtape remember TEXT` adds a line.");
    }
    Ok(())
}

/// Prints the commits that changed the zone, newest first.
fn log(commits: &[LoggedCommit], output: &Output) -> Result<()> {
    if output.json {
        return output.value(&commits.iter().map(json::commit).collect());
    }
    for commit in commits {
        let line = LogLine {
            id: format!("@{}", commit.entry),
            date: commit.date,
            act: "",
            origin: commit.origin,
            reason: commit.reason.as_deref(),
            text: Some(message(commit)),
        };
        print_line(&line, output)?;
    }
    Ok(())
}

fn print_restored(output: &Output, outcome: &ZoneOutcome) -> Result<()> {
    let (added, removed) = match outcome {
        ZoneOutcome::Changed { added, retired, .. } => (*added, *retired),
        ZoneOutcome::Present(_) | ZoneOutcome::Unchanged => (0, 0),
    };
    match (output.json, added + removed) {
        (true, _) => output.value(&json!({"restored": added, "removed": removed})),
        (false, 0) => output.line("nothing to restore"),
        (false, _) => {
            let parts = [(added, "restored"), (removed, "removed")].into_iter().filter(|(n, _)| *n > 0);
            let parts = parts.map(|(n, what)| format!("{} {what}", counted(n as u64, "memory", "memories")));
            output.line(parts.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Forgets the note of a day, or a line by its text; a text that is a day may be either.
fn forget(
    workspace: &Workspace,
    zone: &Zone<'_>,
    text: &str,
    date: Option<&str>,
    output: &Output,
) -> Result<()> {
    let part = match date.map(|date| workspace.day(date)).transpose()? {
        Some(date) => ZonePart::Day(date),
        None => workspace.day(text).map_or(ZonePart::Text(text), ZonePart::Day),
    };
    let others = zone.other_scopes(part)?;
    let forgotten = match part {
        ZonePart::Day(day) if date.is_none() => forget_day_or_text(zone, day, text),
        ZonePart::Day(day) => zone.forget_day(day).map_err(Failure::from),
        _ => zone.forget_text(text).map_err(Failure::from),
    };
    print_forgotten(output, forgotten, &others)
}

fn clear(zone: &Zone<'_>, asking: &AudienceArgs, yes: bool, output: &Output) -> Result<()> {
    let whose = match (&asking.session, asking.user.is_set()) {
        (None, false) => "the workspace's",
        (Some(_), _) => "the chat's",
        (None, true) => "the user's",
    };
    confirm(&format!("Forget {whose} long-term memory and daily notes?"), yes)?;
    let others = zone.other_scopes(ZonePart::All)?;
    print_forgotten(output, zone.clear().map_err(Failure::from), &others)
}

/// Forgets the daily note of a day; if there is none, the line with the text that means that day.
fn forget_day_or_text(zone: &Zone<'_>, day: Date, text: &str) -> Result<ZoneOutcome> {
    match zone.forget_day(day) {
        // If there is no such line either, the error is about the missing note.
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(zone.forget_text(text).map_err(|_| e)?),
        forgotten => Ok(forgotten?),
    }
}

/// Prints what was forgotten, and which scopes still have it. These are reported also if the command fails.
fn print_forgotten(output: &Output, forgotten: Result<ZoneOutcome>, others: &[Scope]) -> Result<()> {
    if let (Err(_), false) = (&forgotten, output.json) {
        note_others(output, others);
    }
    let removed = match forgotten? {
        ZoneOutcome::Changed { retired, .. } => retired,
        ZoneOutcome::Present(_) | ZoneOutcome::Unchanged => 0,
    };
    if output.json {
        let others: Vec<_> = others.iter().map(Scope::label).collect();
        return output.value(&json!({"removed": removed, "other_scopes": others}));
    }
    match removed {
        0 => output.line("nothing to forget")?,
        1 => output.line("1 memory forgotten (an earlier point still shows it: --at)")?,
        n => output.line(format_args!("{n} memories forgotten (an earlier point still shows them: --at)"))?,
    }
    note_others(output, others);
    Ok(())
}

/// Reports the scopes that still have what was to be forgotten, each with the option that selects it.
fn note_others(output: &Output, others: &[Scope]) {
    for scope in others {
        let option = match scope {
            Scope::Chat { channel, chat } => match Session::of_chat(channel, chat) {
                Ok(session) => format!("--session {session}"),
                Err(_) => "--session".to_owned(),
            },
            Scope::User(user) => format!("--user {user}"),
            Scope::Global => "--scope global".to_owned(),
        };
        output.note(format_args!("note: {} has such lines (`{option}` forgets them there)", owner(scope)));
    }
}

/// Names whose memories a scope has: `chat telegram:42`.
fn owner(scope: &Scope) -> String {
    match scope.parts() {
        Some((channel, id)) => format!("{} {channel}:{id}", scope.layer().as_str()),
        None => "the workspace".to_owned(),
    }
}
