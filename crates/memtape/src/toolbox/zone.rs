//! The tools for the zone (document 0, with its Phase 3).

use jiff::civil::Date;
use jiff::tz::TimeZone;
use memtape_core::audience::not_changeable;
use memtape_core::calendar;
use memtape_core::forms::zone::{Mode, Outcome, ZonePart};
use memtape_core::line::truncated;
use memtape_core::prompt::label;
use memtape_core::recall::fit::Budget;
use memtape_core::safety::render::neutral_line;
use memtape_core::{Audience, Form, Ref};
use memtape_tape::ErrorKind;
use serde::Deserialize;
use serde_json::json;

use super::{CONTESTED, Call, Example, Parameter, Tool, Toolset, arguments, ledger, part};
use crate::error::{Error, Result};
use crate::ledger::{Fact, Named, percent};
use crate::project::is_by_project_user;
use crate::recall::{Hit, Recalled};
use crate::zone::{LINES, RECENT_DAYS, Zone, no_matches};

/// Maximum length of long-term memory in a summary, in characters.
const PREVIEW_CHARS: usize = 100;
/// Maximum length of a memory in a recall, in characters; its reference shows all of it.
const HIT_CHARS: usize = 400;

/// The tool `memory_save`.
pub(super) const SAVE: Tool = Tool {
    name: "memory_save",
    description: "Save long-term memory: lasting preferences and facts, one per line. By default the \
                  content replaces all of it; with mode \"append\" its lines are added. In a chat only \
                  the chat's lines are saved; the workspace's and the user's are unchanged.",
    toolset: Toolset::Core,
    read_only: false,
    destructive: false,
    is_verbatim: false,
    examples: &[
        Example {
            after: &[],
            arguments: r#"{"content":"User prefers Python 3.12. Always use type hints."}"#,
            reply: "saved to long-term memory",
        },
        Example {
            after: &[],
            arguments: r#"{"content":"User lives in Porto.","mode":"append"}"#,
            reply: "saved to long-term memory",
        },
        Example {
            after: &[],
            arguments: r#"{"content":"User lives in Porto.","mode":"append"}"#,
            reply: "already in long-term memory",
        },
    ],
    parameters: &[
        Parameter::text("content", "The text to remember.").required(),
        Parameter::choice("mode", "\"replace\" (the default) or \"append\".", &["replace", "append"]),
    ],
    run: save,
};

/// The tool `memory_daily`.
pub(super) const DAILY: Tool = Tool {
    name: "memory_daily",
    description: "Add to the daily notes of today or of another date: what was done and what happened.",
    toolset: Toolset::Core,
    read_only: false,
    destructive: false,
    is_verbatim: false,
    examples: &[
        Example {
            after: &[],
            arguments: r#"{"content":"- Implemented the memory zone"}"#,
            reply: "appended to daily notes (today)",
        },
        Example {
            after: &[],
            arguments: r#"{"content":"- Designed it","date":"2026-02-09"}"#,
            reply: "appended to daily notes (2026-02-09)",
        },
    ],
    parameters: &[
        Parameter::text("content", "The text to note.").required(),
        Parameter::text("date", "The day: YYYY-MM-DD, \"yesterday\", \"2 days ago\" (default today)."),
    ],
    run: daily,
};

/// The tool `memory_recall`.
pub(super) const RECALL: Tool = Tool {
    name: "memory_recall",
    description: "Recall memories. With a query: the messages and memories that answer it, best first; (weak) marks \
                  remote matches, (open conflict) a memory with another version. Without: long-term memory and the \
                  notes of the last days.",
    toolset: Toolset::Core,
    read_only: true,
    destructive: false,
    is_verbatim: false,
    examples: &[
        Example { after: &[], arguments: r#"{"query":"tea"}"#, reply: "(no matches for 'tea')" },
        Example {
            after: &[("memory_save", r#"{"content":"User likes tea."}"#)],
            arguments: r#"{"query":"tea"}"#,
            reply: "[zone:73e258d02bf7ff96] User likes tea.",
        },
        Example { after: &[], arguments: r#"{"days":2}"#, reply: "## Long-term Memory\nUser likes tea." },
    ],
    parameters: &[
        Parameter::text("query", "Words to look for."),
        Parameter::count(
            "days",
            "Number of days to look back, including today. Without a query, the days of notes to show (default 7); with one, only memories of these days (default any).",
        ),
        Parameter::limit("limit", "Maximum number of memories for a query (default 8 unless configured)."),
        Parameter::count("offset", "Without a query, the offset to read from, in characters."),
    ],
    run: recall,
};

/// The tool `memory_show`.
pub(super) const SHOW: Tool = Tool {
    name: "memory_show",
    description: "Show a summary of the memory zone: its version, long-term memory and daily notes.",
    toolset: Toolset::Core,
    read_only: true,
    destructive: false,
    is_verbatim: false,
    examples: &[Example { after: &[], arguments: "{}", reply: "version=1\nlong_term=no\ndaily_notes=0" }],
    parameters: &[],
    run: show,
};

/// The tool `memory_forget`.
pub(super) const FORGET: Tool = Tool {
    name: "memory_forget",
    description: "Forget a memory: by its ref, as recall returns it (facts, statements, long-term \
                  lines, daily notes); facts by subject and predicate, in every topic unless `topic` \
                  names one; a long-term line by its text (all of it, or a part that only one line \
                  contains); or a daily note by its date. Earlier points still show it.",
    toolset: Toolset::Core,
    read_only: false,
    destructive: true,
    is_verbatim: false,
    examples: &[
        Example {
            after: &[("memory_save", r#"{"content":"User likes tea.\nUser lives in Porto."}"#)],
            arguments: r#"{"text":"likes tea"}"#,
            reply: "forgotten",
        },
        Example { after: &[], arguments: r#"{"ref":"zone:751f43d66e7c4181"}"#, reply: "forgotten" },
        Example {
            after: &[("memory_daily", r#"{"content":"- packed boxes"}"#)],
            arguments: r#"{"date":"2026-02-10","reason":"noted twice"}"#,
            reply: "forgotten",
        },
        Example {
            after: &[
                ("memory_add", r#"{"subject":"user","predicate":"prefers","object":"dark mode"}"#),
                (
                    "memory_add",
                    r#"{"subject":"user","predicate":"prefers","object":"Python","topic":"work"}"#,
                ),
            ],
            arguments: r#"{"subject":"user","predicate":"prefers"}"#,
            reply: "✓ 2 memories forgotten\n  user prefers Python [work]\n  user prefers dark mode [permanent]\ncommit: c37a7790",
        },
        Example {
            after: &[],
            arguments: r#"{"subject":"user","predicate":"prefers"}"#,
            reply: "no fact about user prefers",
        },
    ],
    parameters: &[
        Parameter::text("ref", "The reference of the memory, FORM:KEY."),
        Parameter::text("text", "The line, or a part of it."),
        Parameter::text("date", "The day of a daily note: YYYY-MM-DD, \"yesterday\", \"2 days ago\"."),
        Parameter::text("subject", "Who or what a fact is about; requires its predicate."),
        Parameter::text("predicate", "What a fact states about it."),
        Parameter::text("topic", "The topic or lifetime of the facts (default all).").also("scope"),
        Parameter::text("reason", "The reason."),
    ],
    run: forget,
};

/// The tool `memory_clear`.
pub(super) const CLEAR: Tool = Tool {
    name: "memory_clear",
    description: "Clear the long-term memory and the daily notes that memory_save and memory_daily write. Earlier points \
                  still show them.",
    toolset: Toolset::Owner,
    read_only: false,
    destructive: true,
    is_verbatim: false,
    examples: &[Example { after: &[], arguments: "{}", reply: "memory cleared" }],
    parameters: &[],
    run: clear,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Save {
    content: String,
    #[serde(default)]
    mode: SaveMode,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SaveMode {
    #[default]
    Replace,
    Append,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Daily {
    content: String,
    date: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recall {
    query: Option<String>,
    days: Option<u64>,
    limit: Option<usize>,
    #[serde(default)]
    offset: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Forget {
    #[serde(rename = "ref")]
    reference: Option<String>,
    text: Option<String>,
    date: Option<String>,
    subject: Option<String>,
    predicate: Option<String>,
    topic: Option<String>,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

fn save(call: &Call<'_>, value: serde_json::Value) -> Result<String> {
    let Save { content, mode } = arguments(value)?;
    let mode = match mode {
        SaveMode::Replace => Mode::Replace,
        SaveMode::Append => Mode::Append,
    };
    let (outcome, _) = call.zone().save(&content, mode)?;
    Ok(match outcome {
        Outcome::Changed { .. } => {
            let (view, _) = call.zone().view(call.at)?;
            let adds = mode == Mode::Replace && call.origin.is_foreign();
            let stays = match adds {
                true => "; the other lines stay, as you have read text of a tool or a page",
                false => "",
            };
            format!("saved to long-term memory{}{stays}", view.saved(mode == Mode::Replace && !adds))
        }
        Outcome::Present(_) | Outcome::Unchanged => "already in long-term memory".into(),
    })
}

fn daily(call: &Call<'_>, value: serde_json::Value) -> Result<String> {
    let Daily { content, date } = arguments(value)?;
    let day = date.as_deref().map(|date| call.workspace.day(date)).transpose()?;
    if let Some(day) = day {
        check_kept(call, day)?;
    }
    call.zone().daily(&content, day)?;
    Ok(format!("appended to daily notes ({})", day.map_or("today".to_owned(), |day| day.to_string())))
}

/// Returns an error for a day whose notes are so old that they are removed.
fn check_kept(call: &Call<'_>, day: Date) -> Result<()> {
    let days = call.workspace.config().zone.retention_days;
    let first = calendar::day(call.zone().first_of_days(days, call.at)?, call.workspace.time_zone());
    if days == 0 || day >= first {
        return Ok(());
    }
    Err(Error::Invalid(format!(
        "daily notes are kept for {days} days (zone.retention_days), so one for {day} would be removed: save it \
         with memory_save, or note it today"
    )))
}

fn recall(call: &Call<'_>, value: serde_json::Value) -> Result<String> {
    let Recall { query, days, limit, offset } = arguments(value)?;
    // So many days are all days.
    let days = days.map(|days| u32::try_from(days).unwrap_or(u32::MAX));
    if let Some(query) = query.filter(|query| !query.trim().is_empty()) {
        return found(call, &query, days, limit);
    }
    let days = days.unwrap_or(RECENT_DAYS);
    let text = call.zone().recall(None, Some(days), LINES, call.at)?;
    part(RECALL.name, json!({"days": days}), &text, offset)
}

/// Returns the memories that answer a query, one per line, as many as a prompt should contain.
fn found(call: &Call<'_>, query: &str, days: Option<u32>, limit: Option<usize>) -> Result<String> {
    let total = call.workspace.config().recall.max_prompt_chars;
    let recall = crate::recall::Recall {
        audience: call.audience.clone(),
        session: Some(call.session.clone()),
        limit,
        since: days.map(|days| call.zone().first_of_days(days, call.at)).transpose()?,
        budget: Some(Budget { total, each: HIT_CHARS }),
        ..crate::recall::Recall::new(query)
    };
    let Recalled { hits, left, .. } = call.workspace.recall(&recall, call.at)?;
    let mut lines: Vec<String> = hits.iter().map(|hit| line(hit, call.workspace.time_zone())).collect();
    let more = left.over_results + left.over_budget + left.of_user;
    if lines.is_empty() && more == 0 {
        // This finds parts of words.
        let found = call.zone().lines(query, days, LINES, call.at)?;
        return Ok(found.unwrap_or_else(|| no_matches(query, days)));
    }
    let what = if lines.is_empty() { "not shown" } else { "more" };
    match left.over_budget {
        _ if more == 0 => {}
        0 => lines.push(format!("({more} {what}: raise the limit, or use other words)")),
        _ => lines.push(format!("({more} {what}: use other words)")),
    }
    Ok(lines.join("\n"))
}

/// Renders `[zone:73e258d02bf7ff96] User likes tea.`, for a message with its speaker and date, after `earlier:` if a
/// newer hit seems to have replaced it, and before `(weak)` and `(open conflict)` where that holds.
fn line(hit: &Hit, zone: &TimeZone) -> String {
    let name = |speaker: &str| match is_by_project_user(&hit.memory) {
        true => speaker.to_owned(),
        false => label(speaker),
    };
    let said = match (&hit.speaker, hit.memory.said_at) {
        (Some(speaker), Some(at)) => format!("{}, {}: ", name(speaker), calendar::day(at, zone)),
        (Some(speaker), None) => format!("{}: ", name(speaker)),
        (None, _) => String::new(),
    };
    let text = hit.memory.form.rules().meaning(&hit.memory);
    let text = neutral_line(&text);
    let text = truncated(&text, HIT_CHARS, "…");
    let earlier = if hit.is_earlier() { "earlier: " } else { "" };
    let sure = Fact::read(hit.memory.clone()).map(|fact| format!(" ({}%)", percent(fact.confidence())));
    let weak = if hit.terms.is_weak() { " (weak)" } else { "" };
    let contested = if hit.is_contested { CONTESTED } else { "" };
    let sure = sure.unwrap_or_default();
    format!("[{}] {earlier}{said}{text}{sure}{weak}{contested}", hit.memory.reference())
}

fn show(call: &Call<'_>, value: serde_json::Value) -> Result<String> {
    let Nothing {} = arguments(value)?;
    let (view, _) = call.zone().view(call.at)?;
    let long_term = view.long_term_shown();
    let long_term = match long_term.is_empty() {
        true => "no".to_owned(),
        false => format!("yes ({})", truncated(&long_term, PREVIEW_CHARS, "...")),
    };
    let latest = view.dailies.keys().next_back();
    let latest = latest.map_or(String::new(), |date| format!(" (latest: {date})"));
    let notes = view.dailies.len();
    // The version grows with the memories of every chat, which only the owner may know of.
    let version = match *call.audience == Audience::owner() {
        true => format!("version={}\n", view.version),
        false => String::new(),
    };
    Ok(format!("{version}long_term={long_term}\ndaily_notes={notes}{latest}"))
}

fn forget(call: &Call<'_>, value: serde_json::Value) -> Result<String> {
    let Forget { reference, text, date, subject, predicate, topic, reason } = arguments(value)?;
    let zone = call.zone().because(reason.clone());
    let outcome = match (reference, text, date, subject, predicate) {
        (Some(reference), None, None, None, None) => {
            let reference: Ref = reference.parse()?;
            match reference.form {
                Form::ZONE => zone.forget_refs(&[reference])?,
                Form::LEDGER => return ledger::forget_ref(call, reference, reason),
                Form::STATEMENTS => {
                    call.statements().because(reason).forget(&[reference])?;
                    return Ok("forgotten".into());
                }
                Form::BLOCKS => {
                    call.blocks().because(reason).forget_ref(&reference)?;
                    return Ok("forgotten".into());
                }
                Form::NOTES => {
                    return Err(Error::Refused(
                        "a section of a note cannot be forgotten: remove its text from the file with \
                         memory_patch"
                            .into(),
                    ));
                }
                Form::FILES => {
                    return Err(Error::Refused(
                        "only the owner can delete a file: memory_file_write overwrites it".into(),
                    ));
                }
                Form::MESSAGES => {
                    return Err(Error::Refused(
                        "messages cannot be forgotten: memory_forget removes facts, statements, blocks, and the zone's \
                         lines and notes"
                            .into(),
                    ));
                }
                form => {
                    return Err(Error::Refused(format!(
                        "memory_forget cannot forget memories of the form {form}"
                    )));
                }
            }
        }
        (None, Some(text), None, None, None) => {
            or_elsewhere(&zone, ZonePart::Text(&text), zone.forget_text(&text))?
        }
        (None, None, Some(date), None, None) => {
            let date = call.workspace.day(&date)?;
            or_elsewhere(&zone, ZonePart::Day(date), zone.forget_day(date))?
        }
        (None, None, None, Some(subject), Some(predicate)) => {
            return ledger::forget(call, &Named { subject, predicate, scope: topic }, reason);
        }
        _ => {
            return Err(Error::Invalid(
                "pass exactly one of: ref, text, date, subject with predicate".into(),
            ));
        }
    };
    Ok(match outcome {
        Outcome::Changed { .. } => "forgotten".into(),
        Outcome::Present(_) | Outcome::Unchanged => "nothing to forget".into(),
    })
}

/// Returns the outcome, or a better error if what was not found is in another scope that the caller sees.
fn or_elsewhere(zone: &Zone<'_>, part: ZonePart<'_>, forgotten: Result<Outcome>) -> Result<Outcome> {
    let what = match part {
        ZonePart::Text(text) => format!("the line with {text:?}"),
        ZonePart::Day(date) => format!("the daily note of {date}"),
        ZonePart::All => return forgotten,
    };
    match forgotten {
        Err(e) if e.kind() == ErrorKind::NotFound => match zone.other_scopes(part)?.first() {
            Some(scope) => Err(not_changeable(what, scope).into()),
            None => Err(e),
        },
        forgotten => forgotten,
    }
}

fn clear(call: &Call<'_>, value: serde_json::Value) -> Result<String> {
    let Nothing {} = arguments(value)?;
    call.zone().clear()?;
    Ok("memory cleared".into())
}
