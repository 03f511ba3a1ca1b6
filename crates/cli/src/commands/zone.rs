//! The `zone` commands.

use memtape::json;
use memtape::log::{LOG_CHANGES, message};
use memtape::zone::Item;
use memtape::{
    At, Audience, CommitQuestion, ErrorKind, Form, LoggedCommit, Mode, Origin, Outcome, Ref, Workspace, Zone,
    ZoneView, calendar,
};
use serde_json::json;

use super::history::{LogLine, compared, print_diff, print_line, restored_point};
use super::remember::{print_saved, warn_of_size};
use super::{audience, confirm, text_or_stdin};
use crate::args::{AudienceArgs, ZoneCommand};
use crate::output::{Output, Result, counted};
use crate::style::{Line, Role};

pub(super) fn run(workspace: &Workspace, output: &Output, at: &At, command: &ZoneCommand) -> Result<()> {
    let zone = |asking: &AudienceArgs| -> Result<_> {
        Ok(workspace.zone().in_session(asking.session()).for_audience(audience(workspace, asking)?))
    };
    match command {
        ZoneCommand::Show { audience } => {
            let (view, today) = zone(audience)?.view(at)?;
            warn_of_size(output, view.long_term_text().len());
            match output.json {
                true => output.value(&json::zone(&view)),
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
            let zone = zone(audience)?;
            let outcome = match (text, date) {
                (_, Some(date)) => zone.forget_day(workspace.day(date)?)?,
                (text, None) => forget(&zone, text.as_deref().unwrap_or_default())?,
            };
            print_forgotten(output, &outcome)
        }
        ZoneCommand::Clear { audience, yes } => {
            confirm("Forget all of long-term memory and every daily note?", *yes)?;
            print_forgotten(output, &zone(audience)?.clear()?)
        }
        ZoneCommand::List { audience } => list(&zone(audience)?.view(at)?.0, output),
        ZoneCommand::Log { limit, audience: asking } => {
            let question = commits(audience(workspace, asking)?, *limit);
            log(&workspace.log(&question, at)?, output)
        }
        ZoneCommand::Diff { points, audience: asking } => {
            let question = commits(audience(workspace, asking)?, Some(1));
            let last = |to: &At| Ok(workspace.log(&question, to)?.first().map(|last| last.entry));
            let (from, to) = compared(workspace, points, last)?;
            print_diff(json!({}), &zone(asking)?.diff(&from, &to)?, output)
        }
        ZoneCommand::Restore { version, audience } => {
            let point = restored_point(workspace, version.version.as_deref(), at, "zone log")?;
            print_restored(output, &zone(audience)?.restore(&point)?)
        }
        ZoneCommand::Export { audience } => {
            let (view, _) = zone(audience)?.view(at)?;
            match output.json {
                true => output.value(&json::zone(&view)),
                false => output.text(&view.export()),
            }
        }
        ZoneCommand::Prune { .. } => {
            let pruned = workspace.zone().prune()?;
            match output.json {
                true => output.value(&json!({"pruned": pruned})),
                false => {
                    let notes =
                        counted(pruned as u64, "daily note was past its", "daily notes were past their");
                    output.line(format_args!("{notes} time"))
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

/// Prints the lines of long-term memory, then those of each day's note, each with its ref and date.
fn list(view: &ZoneView, output: &Output) -> Result<()> {
    let days = view.dailies.iter().flat_map(|(day, items)| items.iter().map(move |item| (Some(*day), item)));
    let items: Vec<_> = view.long_term.iter().map(|item| (None, item)).chain(days).collect();
    let reference = |item: &Item| {
        Ref { form: Form::ZONE, key: item.key.clone(), entry: Some(item.id.entry()) }.to_string()
    };
    if output.json {
        let items = items.iter().map(|(day, item)| {
            json!({
                "ref": reference(item), "day": day.map(|day| day.to_string()), "text": item.text,
                "scope": item.scope.label(), "updated_at": item.updated_at.to_string(),
                "origin": item.origin.map(Origin::as_str), "quarantined": item.quarantined,
            })
        });
        return output.value(&items.collect());
    }
    for (day, item) in &items {
        let of = day.map_or_else(|| "long-term".to_owned(), |day| format!("note of {day}"));
        let date = output.day(item.updated_at);
        let line = Line::default().with(Role::Id, reference(item));
        output.listed(line.text(format!(" {date} {of}: {}", item.text)))?;
    }
    if items.is_empty() {
        output.note("there are no lines or notes yet: `memtape remember TEXT` adds a line");
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

fn print_restored(output: &Output, outcome: &Outcome) -> Result<()> {
    let (added, retired) = match outcome {
        Outcome::Changed { added, retired, .. } => (*added, *retired),
        Outcome::Present(_) | Outcome::Unchanged => (0, 0),
    };
    match (output.json, added + retired) {
        (true, _) => output.value(&json!({"restored": added, "retired": retired})),
        (false, 0) => output.line("it is as it was there"),
        (false, _) => {
            let parts = [(added, "restored"), (retired, "retired")].into_iter().filter(|(n, _)| *n > 0);
            let parts = parts.map(|(n, what)| format!("{} {what}", counted(n as u64, "memory", "memories")));
            output.line(parts.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Forgets a line of the zone, or the daily note of a `YYYY-MM-DD`.
fn forget(zone: &Zone<'_>, text: &str) -> Result<Outcome> {
    let Ok(day) = calendar::parse_day(text.trim()) else { return Ok(zone.forget_text(text)?) };
    match zone.forget_day(day) {
        // The text of a line may be a date. If there is none either, the error is about the missing note.
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(zone.forget_text(text).map_err(|_| e)?),
        forgotten => Ok(forgotten?),
    }
}

fn print_forgotten(output: &Output, outcome: &Outcome) -> Result<()> {
    let retired = match outcome {
        Outcome::Changed { retired, .. } => *retired,
        Outcome::Present(_) | Outcome::Unchanged => 0,
    };
    match (output.json, retired) {
        (true, _) => output.value(&json!({"retired": retired})),
        (false, 0) => output.line("there was nothing to forget"),
        (false, 1) => output.line("1 memory forgotten (an earlier point still shows it: --at)"),
        (false, n) => {
            output.line(format_args!("{n} memories forgotten (an earlier point still shows them: --at)"))
        }
    }
}
