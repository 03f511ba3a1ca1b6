//! The tools of the ledger (document 1).

use std::collections::HashSet;

use memtape_core::forms::ledger::entry::{folded, lifetime};
use memtape_core::forms::messages::StoredMessage;
use memtape_core::line::truncated;
use memtape_core::safety::render::neutral_line;
use memtape_core::turn::message_of;
use memtape_core::{Layer, Lifetime, Ref, Sensitivity, User};
use memtape_tape::ErrorKind;
use serde::Deserialize;

use super::{CONTESTED, Call, Example, Parameter, Tool, Toolset, arguments};
use crate::error::{Error, Result};
use crate::ledger::{
    Done, Fact, Filter, How, Named, NewFact, NewValue, Retired, TOOL_CONFIDENCE, TOOL_SOURCE, percent,
};
use crate::workspace::At;

/// The default number of facts that a search returns (document 1).
const FOUND: usize = 10;
/// The default reason for forgetting a fact (document 1).
const FORGET_REASON: &str = "User requested";
/// Number of digits of an id that are shown (document 1).
const SHORT: usize = 8;
/// The names by which tools refer to the person who speaks, besides the name that the configuration declares or the
/// turn gives.
const SPEAKER: [&str; 6] = ["user", "the user", "i", "me", "myself", "the speaker"];
/// Maximum length of a fact in a line, in characters; its reference shows all of it.
const LINE_CHARS: usize = 400;

/// The tool `memory_add`.
pub(super) const ADD: Tool = Tool {
    name: "memory_add",
    description: "Store a fact as subject, predicate and object. If the slot has a value, the same \
                  value confirms it and another value replaces it; earlier values stay in the history.",
    toolset: Toolset::Core,
    read_only: false,
    destructive: false,
    is_verbatim: false,
    examples: &[
        Example {
            after: &[],
            arguments: r#"{"subject":"User","predicate":"prefers","object":"dark mode themes","topic":"permanent","confidence":0.9}"#,
            reply: "✓ Memory stored\n  User prefers dark mode themes (90%)\nref: ledger:c8cd02e8a340cb88@5\ncommit: ad194a0c",
        },
        Example {
            after: &[],
            arguments: r#"{"subject":"user","predicate":"prefers","object":"Dark Mode themes"}"#,
            reply: "✓ Memory already stored\n  User prefers dark mode themes (90%)\nref: ledger:c8cd02e8a340cb88@5",
        },
        Example {
            after: &[],
            arguments: r#"{"subject":"user","predicate":"prefers","object":"light mode","evidence":"said so today"}"#,
            reply: "✓ Memory updated\n  user prefers light mode (90%)\n  before: User prefers dark mode themes\nref: ledger:c8cd02e8a340cb88@8\ncommit: cd3b62d2",
        },
    ],
    parameters: &[
        Parameter::text("subject", "Who or what the fact is about: `user` for the person who speaks.")
            .required(),
        Parameter::text("predicate", "What the fact states about it.").required(),
        Parameter::text("object", "The value.").required(),
        Parameter::text(
            "topic",
            "A topic such as work/technical, or the lifetime: permanent, session, temporary.",
        )
        .also("scope"),
        Parameter::number("confidence", "The confidence, from 0 to 1."),
        Parameter::text("evidence", "The evidence for the fact."),
    ],
    run: add,
};

/// The tool `memory_search`.
pub(super) const SEARCH: Tool = Tool {
    name: "memory_search",
    description: "Search facts by the words of a query (all must match), by subject, by predicate, and \
                  by topic with its subtopics, or by lifetime (permanent, session, temporary). Highest \
                  confidence first; (open conflict) marks a fact with another value.",
    toolset: Toolset::Ledger,
    read_only: true,
    destructive: false,
    is_verbatim: false,
    examples: &[
        Example {
            after: &[],
            arguments: r#"{"query":"preference","topic":"permanent"}"#,
            reply: "No memories found matching your criteria.",
        },
        Example {
            after: &[
                ("memory_add", r#"{"subject":"User","predicate":"prefers","object":"dark mode themes"}"#),
                (
                    "memory_add",
                    r#"{"subject":"User","predicate":"prefers backend","object":"Python","topic":"work/technical","confidence":1}"#,
                ),
            ],
            arguments: r#"{"query":"preference","topic":"permanent"}"#,
            reply: "Found 2 memories:\n- User prefers backend Python [work/technical, 100%, agent_tool, 22cbba17] (ledger:1bd55b1c56bb8f73)\n- User prefers dark mode themes [permanent, 90%, agent_tool, 61d8952f] (ledger:c8cd02e8a340cb88)",
        },
        Example {
            after: &[],
            arguments: r#"{"topic":"work","limit":1}"#,
            reply: "Found 1 memory:\n- User prefers backend Python [work/technical, 100%, agent_tool, 22cbba17] (ledger:1bd55b1c56bb8f73)",
        },
    ],
    parameters: &[
        Parameter::text("query", "Words that the fact must all contain."),
        Parameter::text("subject", "Who or what the fact is about."),
        Parameter::text("predicate", "What the fact states about it."),
        Parameter::text(
            "topic",
            "A topic, which includes the topics below it, or a lifetime (permanent, session, temporary).",
        )
        .also("scope"),
        Parameter::limit("limit", "Maximum number of facts."),
    ],
    run: search,
};

/// The tool `memory_update`.
pub(super) const UPDATE: Tool = Tool {
    name: "memory_update",
    description: "Give an existing fact a new value, in any topic; if several topics have it, `topic` \
                  selects one. Earlier values stay in the history.",
    toolset: Toolset::Ledger,
    read_only: false,
    destructive: false,
    is_verbatim: false,
    examples: &[
        Example {
            after: &[],
            arguments: r#"{"subject":"user","predicate":"prefers backend","new_value":"Rust"}"#,
            reply: "no fact about user prefers backend: add it with memory_add",
        },
        Example {
            after: &[(
                "memory_add",
                r#"{"subject":"user","predicate":"prefers backend","object":"Python","topic":"work/technical"}"#,
            )],
            arguments: r#"{"subject":"user","predicate":"prefers backend","new_value":"Rust","reason":"it changed"}"#,
            reply: "✓ Memory updated\n  user prefers backend Rust (90%)\n  before: user prefers backend Python\nref: ledger:1bd55b1c56bb8f73@8\ncommit: aa704c51",
        },
    ],
    parameters: &[
        Parameter::text("subject", "Who or what the fact is about.").required(),
        Parameter::text("predicate", "What the fact states about it.").required(),
        Parameter::text("new_value", "The new value.").required(),
        Parameter::text("topic", "The topic or lifetime of the fact, if there are several.").also("scope"),
        Parameter::text("reason", "The reason."),
    ],
    run: update,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Add {
    subject: String,
    predicate: String,
    object: String,
    topic: Option<String>,
    #[serde(default = "usual_confidence")]
    confidence: f64,
    evidence: Option<String>,
}

fn usual_confidence() -> f64 {
    TOOL_CONFIDENCE
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    query: Option<String>,
    subject: Option<String>,
    predicate: Option<String>,
    topic: Option<String>,
    #[serde(default = "usual_limit")]
    limit: usize,
}

fn usual_limit() -> usize {
    FOUND
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Update {
    subject: String,
    predicate: String,
    new_value: String,
    topic: Option<String>,
    reason: Option<String>,
}

fn add(call: &Call<'_>, value: serde_json::Value) -> Result<String> {
    let Add { subject, predicate, object, topic, confidence, evidence } = arguments(value)?;
    let source = TOOL_SOURCE.to_owned();
    let fact = NewFact {
        subject,
        predicate,
        object,
        scope: topic,
        confidence,
        source,
        evidence,
        days: None,
        quarantined: None,
    };
    let ledger = if is_of_speaker(call, &fact)? {
        call.ledger().for_audience(call.audience.clone().only(Layer::User))
    } else {
        call.ledger()
    };
    Ok(done_text(&ledger.add(&fact)?))
}

/// Returns whether a fact is a lasting one about the person who speaks. It then belongs to that person in
/// every chat, as what capture keeps of them does.
fn is_of_speaker(call: &Call<'_>, fact: &NewFact) -> Result<bool> {
    let has_home = !call.audience.is_owner() && call.audience.clone().only(Layer::User).home().is_ok();
    let may_be =
        has_home && call.audience.layer().is_none() && lifetime(fact.scope.as_deref()) != Lifetime::Session;
    if !may_be {
        return Ok(false);
    }
    let subject = folded(&fact.subject);
    let is_named = SPEAKER.contains(&subject.as_str())
        || call.audience.user().is_some_and(|user| folded(&user.to_string()) == subject)
        || call.workspace.declared_name(call.audience).is_some_and(|name| folded(name) == subject);
    Ok(is_named || is_given_name(call, &subject)?)
}

/// Returns whether a turn of the person who speaks that has not ended gives them this name, as the journal and the
/// prompt show it.
fn is_given_name(call: &Call<'_>, folded_name: &str) -> Result<bool> {
    let user = call.audience.user().map(User::id);
    call.workspace.read(&At::head(), call.audience, call.session, |reader, point| {
        for begin in reader.open_turns(call.session)? {
            let said = reader.by_ref(&Ref::of_message(message_of(begin)), call.audience, point)?.pop();
            let Some(StoredMessage { data, .. }) = said.map(StoredMessage::read) else { continue };
            if data.user.as_deref() == user && data.name.is_some_and(|name| folded(&name) == folded_name) {
                return Ok(true);
            }
        }
        Ok(false)
    })
}

fn search(call: &Call<'_>, value: serde_json::Value) -> Result<String> {
    let Search { query, subject, predicate, topic, limit } = arguments(value)?;
    let scope = topic.filter(|topic| !topic.trim().is_empty());
    let filter = Filter { subject, predicate, scope, ..Filter::default() };
    let facts = call.ledger().search(query.as_deref(), &filter, call.at)?;
    let contested = call.workspace.contested(call.session, call.audience, call.at)?;
    let mut lines = match facts.len() {
        0 => return Ok("No memories found matching your criteria.".into()),
        1 => vec!["Found 1 memory:".to_owned()],
        n => vec![format!("Found {n} memories:")],
    };
    lines.extend(facts.iter().take(limit).map(|fact| found(fact, &contested)));
    match facts.len().saturating_sub(limit) {
        0 => {}
        more => lines.push(format!("({more} more: raise the limit)")),
    }
    Ok(lines.join("\n"))
}

fn update(call: &Call<'_>, value: serde_json::Value) -> Result<String> {
    let Update { subject, predicate, new_value, topic, reason } = arguments(value)?;
    let named = Named { subject, predicate, scope: topic };
    let source = TOOL_SOURCE.to_owned();
    let new = NewValue { object: new_value, confidence: TOOL_CONFIDENCE, source, quarantined: None };
    match call.ledger().because(reason).update(&named, &new) {
        Ok(done) => Ok(done_text(&done)),
        Err(e) if e.kind() == ErrorKind::NotFound => {
            Err(Error::NotFound(format!("{e}: add it with memory_add")))
        }
        Err(e) => Err(e),
    }
}

/// Forgets the facts that are named in words.
pub(super) fn forget(call: &Call<'_>, named: &Named, reason: Option<String>) -> Result<String> {
    let reason = reason.unwrap_or_else(|| FORGET_REASON.to_owned());
    Ok(forgotten(&call.ledger().because(Some(reason)).forget(named)?))
}

/// Forgets the fact of a reference.
pub(super) fn forget_ref(call: &Call<'_>, reference: Ref, reason: Option<String>) -> Result<String> {
    let reason = reason.unwrap_or_else(|| FORGET_REASON.to_owned());
    Ok(forgotten(&call.ledger().because(Some(reason)).forget_refs(&[reference])?))
}

/// Renders the outcome of a fact that was written.
fn done_text(done: &Done) -> String {
    let what = match done.how {
        How::Saved | How::Restored => "stored",
        How::Replaced => "updated",
        How::Confirmed | How::Doubted => "confirmed",
        How::Present => "already stored",
    };
    let mut lines = vec![format!("✓ Memory {what}")];
    lines.push(format!("  {} ({}%)", shown(&done.text), percent(done.value.confidence)));
    if let (How::Replaced, Some(before)) = (done.how, &done.before) {
        // A model reads the reply: it is not told a confidential value unasked, nor one of a tool or a page.
        let before = match before.memory.sensitivity {
            Sensitivity::Confidential => "(confidential)".to_owned(),
            _ if before.memory.is_untrusted() => before.memory.version().to_string(),
            _ => shown(&before.memory.text),
        };
        lines.push(format!("  before: {before}"));
    }
    lines.push(format!("ref: {}", done.reference));
    lines.extend(done.commit.as_ref().map(|commit| format!("commit: {}", &commit.id[..SHORT])));
    lines.join("\n")
}

fn forgotten(retired: &Retired) -> String {
    let mut lines = match retired.facts.len() {
        1 => vec!["✓ Memory forgotten".to_owned()],
        n => vec![format!("✓ {n} memories forgotten")],
    };
    // A model reads the reply, so a confidential fact is named by its reference only, and so is one of a tool or a page.
    let place = |fact: &Fact| match fact.memory.may_be_prompted() {
        false => format!("  {}", fact.memory.reference()),
        true => format!("  {} [{}]", shown(&fact.memory.text), shown(fact.place())),
    };
    lines.extend(retired.facts.iter().map(place));
    lines.extend(retired.commit.as_ref().map(|commit| format!("commit: {}", &commit.id[..SHORT])));
    lines.join("\n")
}

/// Renders `- User prefers dark mode [permanent, 90%, agent_tool, 264766e1] (ledger:0123456789abcdef)`, before
/// `(open conflict)` if it is contested.
fn found(fact: &Fact, contested: &HashSet<Ref>) -> String {
    let data = &fact.data;
    let id = data.event.get(..SHORT).unwrap_or(&data.event);
    let mark = if contested.contains(&fact.memory.reference()) { CONTESTED } else { "" };
    format!(
        "- {} [{}, {}%, {}, {id}] ({}){mark}",
        shown(&fact.memory.text),
        shown(fact.place()),
        percent(fact.confidence()),
        shown(&data.source),
        fact.memory.reference()
    )
}

/// Returns a text on one line. A model reads it, so prompt markup is neutralised.
fn shown(text: &str) -> String {
    truncated(&neutral_line(text), LINE_CHARS, "…").into_owned()
}
