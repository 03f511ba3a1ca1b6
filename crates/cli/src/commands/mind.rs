//! The commands that ask a language model: `agent`, `reflect`, `heartbeat`, `doctor` and `resolve --model`.

use std::env;
use std::io::{self, IsTerminal as _};
use std::thread;
use std::time::Duration;

use memtape::{FinishedTurn, Inbound, Ref, Session, Trigger, Workspace, json};
use memtape_mind::heartbeat::{HeartbeatReport, heartbeat as beat_once};
use memtape_mind::{
    Agent, AgentTurn, Background, Error, Event, Judged, Models, PERCH, Processed, Reflect, Reflected,
    Reflector, Request, Resolved, Skipped, after_turn,
};
use serde_json::{Value, json};

use super::text_or_stdin;
use crate::args::{AgentArgs, HeartbeatArgs, ReflectArgs};
use crate::output::{Failure, Output, Result, counted};

mod chat;

const SECONDS_A_MINUTE: u64 = 60;
const SECONDS_AN_HOUR: u64 = 3600;
/// Maximum tokens of the answer that shows that a model works.
const CHECK_TOKENS: u32 = 256;

/// Returns the configured models; `None` if there are none.
fn configured(workspace: &Workspace) -> memtape_mind::Result<Option<Models>> {
    Models::open(&workspace.config().model, &|name| env::var(name).ok())
}

/// Returns the configured models.
pub(super) fn models(workspace: &Workspace) -> Result<Models> {
    Ok(configured(workspace)?.ok_or(Error::NoModel)?)
}

pub(super) fn agent(workspace: &Workspace, output: &Output, args: &AgentArgs) -> Result<()> {
    let models = models(workspace)?;
    let text = match (&args.message, args.perch) {
        (Some(text), _) => text_or_stdin(text)?,
        (None, true) => PERCH.to_owned(),
        (None, false) if io::stdin().is_terminal() => {
            return chat::run(workspace, &models, output, args);
        }
        (None, false) => text_or_stdin("-")?,
    };
    let trigger = if args.perch { Trigger::Perch } else { Trigger::Message };
    let inbound = Inbound { trigger, user: args.speaker.user(&args.session)?, ..Inbound::new(text.trim()) };
    let turn = answer(workspace, &models, output, &args.session, &inbound)?;
    let background = work_after(workspace, &models, &args.session, &turn);
    if output.json {
        output.value(&json!({
            "reply": turn.reply, "calls": turn.calls, "turn": json::turn(&turn.turn),
            "failure": turn.failure.as_ref().map(ToString::to_string), "background": background_json(&background),
        }))?;
    }
    print_background(&background, output);
    match turn.failure {
        Some(failure) => Err(failure.into()),
        None => Ok(()),
    }
}

/// Does the work after a turn. A failure is a warning: the turn has ended, and the work is done after the next one.
fn work_after(workspace: &Workspace, models: &Models, session: &Session, turn: &AgentTurn) -> Background {
    after_turn(workspace, models, session, turn.is_full)
        .unwrap_or_else(|e| Background { failures: vec![e], ..Background::default() })
}

/// Runs a turn, and prints the reply while it arrives.
fn answer(
    workspace: &Workspace,
    models: &Models,
    output: &Output,
    session: &Session,
    inbound: &Inbound,
) -> Result<AgentTurn> {
    let mut printed = Ok(());
    let turn = Agent::new(workspace, models).turn(session, inbound, &mut |event| match event {
        Event::Text(text) if !output.json && printed.is_ok() => printed = output.text(text),
        Event::Call(call) if output.terminal => output.note(format_args!("[{}]", call.name)),
        _ => {}
    })?;
    printed?;
    if !output.json && !turn.reply.ends_with('\n') && !turn.reply.is_empty() {
        output.text("\n")?;
    }
    report_unfinished(&turn.turn, output);
    Ok(turn)
}

fn report_unfinished(turn: &FinishedTurn, output: &Output) {
    for unfinished in &turn.unfinished {
        output.note(format_args!("warning: an earlier turn did not end: {}", unfinished.message));
    }
}

/// Reports the work after a turn on standard error.
fn print_background(background: &Background, output: &Output) {
    if output.json {
        return;
    }
    let Processed { recorded, forgotten, questions, switched, .. } = &background.processed;
    warn_of_unreadable(&background.processed, output);
    for fact in recorded {
        output.note(format_args!("[remembered {}: {}]", fact.reference, fact.text));
    }
    for text in forgotten {
        output.note(format_args!("[forgotten: {text}]"));
    }
    for question in questions {
        output.note(format_args!("[needs your decision: {question} (memtape conflicts)]"));
    }
    if let Some(branch) = switched {
        output.note(format_args!("[switched to branch {branch}]"));
    }
    if let Some(reflected) = background.reflected.as_ref().filter(|reflected| !reflected.written.is_empty()) {
        output.note(format_args!("[wrote {}]", reflected.written.join(", ")));
    }
    if background.summary.is_some() {
        output.note("[conversation shortened to a summary]");
    }
    for failure in &background.failures {
        output.note(format_args!("warning: {failure}"));
    }
}

/// Warns of the parts of an answer that could not be read.
fn warn_of_unreadable(processed: &Processed, output: &Output) {
    for Skipped { text, why } in &processed.unreadable {
        output.note(format_args!(
            "warning: a fact of the model cannot be read ({why}): {}",
            output.one_line(text)
        ));
    }
}

pub(super) fn reflect(workspace: &Workspace, output: &Output, args: &ReflectArgs) -> Result<()> {
    let models = models(workspace)?;
    let reflected = Reflector::new(workspace, &models).reflect(&args.session, Reflect::Now)?;
    if output.json {
        return output.value(&reflected_json(&reflected));
    }
    if !reflected.assessment.is_empty() {
        output.line(&reflected.assessment)?;
    }
    reflected.written.iter().try_for_each(|path| output.line(format_args!("wrote {path}")))
}

pub(super) fn heartbeat(workspace: &Workspace, output: &Output, args: &HeartbeatArgs) -> Result<()> {
    let every = match &args.every {
        Some(text) => duration(text)?,
        None => workspace.config().mind.heartbeat,
    };
    loop {
        let done = beat(workspace, output);
        output.warnings(workspace.take_warnings());
        if args.once {
            return done;
        }
        if let Err(failure) = done {
            // The next heartbeat may succeed.
            let _ = output.failure(&failure);
        }
        thread::sleep(every);
    }
}

fn beat(workspace: &Workspace, output: &Output) -> Result<()> {
    // What needs no model is done without one.
    let (models, unusable) = match configured(workspace) {
        Ok(models) => (models, None),
        Err(e) => (None, Some(e)),
    };
    let mut beat = beat_once(workspace, models.as_ref())?;
    beat.failures.extend(unusable);
    // One failure is the error of the command, so that who runs it learns of it; the others are warnings.
    let failure = beat.failures.pop();
    print_beat(&beat, models.is_some(), failure.as_ref(), output)?;
    failure.map_or(Ok(()), |failure| Err(failure.into()))
}

fn print_beat(
    beat: &HeartbeatReport,
    has_model: bool,
    failure: Option<&Error>,
    output: &Output,
) -> Result<()> {
    if output.json {
        let processed = beat.processed.iter().map(|(session, processed)| {
            json!({"session": session.to_string(), "processed": processed_json(processed)})
        });
        let reflected = beat.reflected.iter().map(|(session, reflected)| {
            json!({"session": session.to_string(), "reflected": reflected_json(reflected)})
        });
        return output.value(&json!({
            "model": has_model, "processed": processed.collect::<Vec<_>>(), "reflected": reflected.collect::<Vec<_>>(),
            "duplicates": beat.consolidated.duplicates, "expired": beat.consolidated.expired, "vectors": beat.vectors,
            "judged": judged_json(&beat.judged, None),
            "tasks": beat.tasks.as_ref().map(|turn| turn.reply.clone()),
            "failures": beat.failures.iter().chain(failure).map(ToString::to_string).collect::<Vec<_>>(),
        }));
    }
    for (session, processed) in &beat.processed {
        warn_of_unreadable(processed, output);
        let counts = [
            (
                processed.recorded.len(),
                counted(processed.recorded.len() as u64, "fact recorded", "facts recorded"),
            ),
            (processed.forgotten.len(), format!("{} forgotten", processed.forgotten.len())),
            (
                processed.questions.len(),
                format!("{} to decide (memtape conflicts)", processed.questions.len()),
            ),
        ];
        let counts: Vec<_> = counts.into_iter().filter(|(n, _)| *n > 0).map(|(_, text)| text).collect();
        if !counts.is_empty() {
            output.line(format_args!("{session}: {}", counts.join(", ")))?;
        }
        if let Some(branch) = &processed.switched {
            output.line(format_args!("{session}: switched to branch {branch}"))?;
        }
    }
    for (session, reflected) in &beat.reflected {
        let what = match reflected.written.is_empty() {
            true => "nothing worth a note".to_owned(),
            false => format!("wrote {}", reflected.written.join(", ")),
        };
        output.line(format_args!("{session}: {what}"))?;
    }
    let removed = (beat.consolidated.duplicates + beat.consolidated.expired) as u64;
    if removed > 0 {
        output.line(format_args!(
            "Removed {}.",
            counted(removed, "duplicate or expired memory", "duplicate or expired memories")
        ))?;
    }
    print_judged(&beat.judged, output)?;
    if beat.vectors > 0 {
        output.line(format_args!("Computed {}.", counted(beat.vectors, "vector", "vectors")))?;
    }
    if let Some(turn) = &beat.tasks {
        output.line(format_args!("Tasks: {}", if turn.reply.is_empty() { "done" } else { &turn.reply }))?;
    }
    for failure in &beat.failures {
        output.note(format_args!("warning: {failure}"));
    }
    match has_model {
        _ if failure.is_some() => Ok(()),
        true => output.line("OK: heartbeat done"),
        false => output.line("OK: heartbeat done, without a model"),
    }
}

fn print_judged(judged: &Judged, output: &Output) -> Result<()> {
    for (reference, why) in &judged.proposed {
        output.line(format_args!("remove {reference}? {why}"))?;
    }
    if !judged.proposed.is_empty() {
        output.line("Nothing was removed: `memtape conflicts` lists what to decide.")?;
    }
    for path in &judged.summarised {
        output.line(format_args!("summarised {path}"))?;
    }
    if let Some(warning) = &judged.warning {
        output.note(format_args!("warning: {warning}"));
    }
    for failure in &judged.failures {
        output.note(format_args!("warning: {failure}"));
    }
    Ok(())
}

fn judged_json(judged: &Judged, failure: Option<&Error>) -> Value {
    json!({
        "proposed": judged.proposed.iter().map(|(reference, why)| {
            json!({"ref": reference.to_string(), "why": why})
        }).collect::<Vec<_>>(),
        "commit": judged.commit, "summarised": judged.summarised, "summary_commit": judged.summary_commit,
        "warning": judged.warning, "calls": judged.calls,
        "failures": judged.failures.iter().chain(failure).map(ToString::to_string).collect::<Vec<_>>(),
    })
}

/// Consolidates with the configured model.
pub(super) fn consolidate(workspace: &Workspace, output: &Output) -> Result<()> {
    let mut judged = memtape_mind::consolidate(workspace, &models(workspace)?)?;
    // As of a heartbeat, one failure is the error of the command.
    let failure = judged.failures.pop();
    match () {
        () if output.json => output.value(&judged_json(&judged, failure.as_ref()))?,
        () if failure.is_none() && judged.is_empty() => output.line("Nothing to consolidate.")?,
        () => print_judged(&judged, output)?,
    }
    failure.map_or(Ok(()), |failure| Err(failure.into()))
}

/// Resolves conflicts with the configured model.
pub(super) fn resolve(workspace: &Workspace, output: &Output, only: Option<&str>) -> Result<()> {
    let only: Option<Ref> = only.map(str::parse).transpose().map_err(memtape::Error::from)?;
    let resolved = memtape_mind::resolve(workspace, &models(workspace)?, &Session::direct(), only.as_ref())?;
    if output.json {
        let shown = resolved.iter().map(|resolved| {
            json!({"ref": resolved.reference.to_string(), "commit": resolved.commit, "why": resolved.why})
        });
        output.value(&shown.collect::<Value>())?;
    } else if resolved.is_empty() {
        output.line("No conflicts.")?;
    } else {
        for Resolved { reference, commit, why } in &resolved {
            match commit {
                Some(commit) => output.line(format_args!(
                    "resolved {reference} ({}): {why}",
                    commit.get(..8).unwrap_or(commit)
                ))?,
                None => output.line(format_args!("open {reference}: {why}"))?,
            }
        }
    }
    match resolved.iter().all(|resolved| resolved.commit.is_some()) {
        true => Ok(()),
        false => Err(Failure::Conflicts),
    }
}

pub(super) fn doctor(workspace: &Workspace, output: &Output) -> Result<()> {
    let models = configured(workspace)?;
    let request = Request {
        messages: vec![memtape_mind::Message::user("Answer with the word OK.")],
        max_tokens: CHECK_TOKENS,
        ..Request::default()
    };
    let mut checked = Vec::new();
    if let Some(models) = &models {
        let caller = models.caller(workspace, &Session::direct());
        for endpoint in [Some(models.main()), models.background()].into_iter().flatten() {
            checked.push((endpoint, caller.check(endpoint, &request)));
        }
    }
    if output.json {
        let shown = checked.iter().map(|(endpoint, answer)| {
            json!({
                "model": endpoint.model(), "base_url": endpoint.base_url(), "answers": answer.is_ok(),
                "error": answer.as_ref().err().map(ToString::to_string),
            })
        });
        output.value(&json!({"models": shown.collect::<Vec<_>>()}))?;
    } else {
        for (endpoint, answer) in &checked {
            let state = match answer {
                Ok(_) => "OK".to_owned(),
                Err(e) => e.to_string(),
            };
            output.line(format_args!("{} at {}: {state}", endpoint.model(), endpoint.base_url()))?;
        }
        if checked.is_empty() {
            output.line("No language model is configured. memtape works without one.")?;
            output.note("hint: set [model] in ~/.config/memtape/config.toml (docs/guides/models.md)");
        }
    }
    checked.into_iter().try_for_each(|(_, answer)| answer.map(|_| ()).map_err(Failure::from))
}

/// Parses a duration such as `30m`, `2h` or `90s`; a bare number is minutes.
fn duration(text: &str) -> Result<Duration> {
    let text = text.trim();
    let (number, seconds) = match text.char_indices().last() {
        Some((at, 's')) => (&text[..at], 1),
        Some((at, 'm')) => (&text[..at], SECONDS_A_MINUTE),
        Some((at, 'h')) => (&text[..at], SECONDS_AN_HOUR),
        _ => (text, SECONDS_A_MINUTE),
    };
    let number = number.parse::<u64>().ok().filter(|number| *number > 0);
    let seconds = number.and_then(|number| number.checked_mul(seconds));
    seconds.map(Duration::from_secs).ok_or_else(|| {
        Failure::Usage(format!("invalid time {text:?}: expected a number from 1 with s, m or h, such as 30m"))
    })
}

fn background_json(background: &Background) -> Value {
    json!({
        "processed": processed_json(&background.processed),
        "reflected": background.reflected.as_ref().map(reflected_json),
        "summary": background.summary,
        "failures": background.failures.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn processed_json(processed: &Processed) -> Value {
    json!({
        "messages": processed.messages, "calls": processed.calls,
        "recorded": processed.recorded.iter().map(|fact| {
            json!({"ref": fact.reference.to_string(), "text": fact.text})
        }).collect::<Vec<_>>(),
        "forgotten": processed.forgotten,
        "skipped": processed.skipped.iter().map(|skipped| {
            json!({"text": skipped.text, "why": skipped.why})
        }).collect::<Vec<_>>(),
        "unreadable": processed.unreadable.iter().map(|part| {
            json!({"text": part.text, "why": part.why})
        }).collect::<Vec<_>>(),
        "questions": processed.questions.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "commits": processed.commits, "switched": processed.switched,
    })
}

fn reflected_json(reflected: &Reflected) -> Value {
    json!({
        "assessment": reflected.assessment, "written": reflected.written, "task": reflected.task,
        "commit": reflected.commit, "calls": reflected.calls,
    })
}
