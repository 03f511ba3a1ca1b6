//! The JSON forms of what the library returns, the same for every face.

use jiff::Timestamp;
use memtape_core::change::without_confidential_text;
use memtape_core::forms::blocks::Listed as Block;
use memtape_core::forms::statements::view::StoredStatement;
use memtape_core::forms::zone::ZoneView;
use memtape_core::prompt::TooSmall;
use memtape_core::recall::fit::Left;
use memtape_core::recall::rank::Terms;
use memtape_core::{Audience, Change, Form, Lifetime, Memory, Origin, Ref, Sensitivity};
use memtape_index::LoggedCommit;
use serde_json::{Value, json};

use crate::branches::OpenConflict;
use crate::ledger::Fact;
use crate::log::{message, text};
use crate::recall::Hit;
use crate::show::Shown;
use crate::toolbox::Tool;
use crate::turn::{Captured, FinishedTurn, NotKept, Unfinished};
use crate::upstream::UpstreamStatus;
use crate::why::{ChangeEntry, MemoryVersion, QuotedMessage, Why};

/// Returns a tool as JSON, with the JSON Schema of its arguments.
#[must_use]
pub fn tool(tool: &Tool) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description,
        "toolset": tool.toolset.as_str(),
        "read_only": tool.read_only,
        "destructive": tool.destructive,
        "input_schema": tool.schema(),
    })
}

/// Returns the state of an upstream as JSON; null if the workspace has none.
#[must_use]
pub fn upstream(status: Option<&UpstreamStatus>) -> Value {
    let Some(status) = status else { return Value::Null };
    let contact = status.contact.and_then(|contact| Timestamp::try_from(contact).ok());
    json!({
        "address": status.upstream,
        "head": status.head.as_ref().ok(),
        "behind": status.head.as_ref().ok().map(|head| head.saturating_sub(status.entry)),
        "error": status.head.as_ref().err(),
        "contact": contact.map(|contact| contact.to_string()),
    })
}

/// Returns a memory as JSON: its `ref`, scope, date and the fields of its form.
#[must_use]
pub fn memory(reference: &Ref, memory: &Memory, speaker: Option<&str>) -> Value {
    let mut value = json!({
        "ref": reference.to_string(),
        "form": memory.form.as_str(),
        "session": memory.session,
        "scope": memory.scope,
        "sensitivity": memory.sensitivity.as_str(),
        "speaker": speaker,
        "origin": memory.origin.map(Origin::as_str),
        "branch": memory.branch,
        "said_at": memory.said_at.map(|at| at.to_string()),
        "date": memory.created_at.to_string(),
        "text": memory.text,
    });
    if let Some(data) = StoredStatement::data(memory).filter(|_| memory.form == Form::STATEMENTS) {
        // A permanent statement does not expire; its `expires_at` is the end of its retention.
        let is_permanent = memory.lifetime == Lifetime::Permanent;
        let end = memory.expires_at.map(|at| at.to_string());
        let end = end.as_ref();
        value["statement"] = json!({
            "category": memory.category,
            "importance": memory.importance,
            "confidence": memory.confidence,
            "lifetime": memory.lifetime,
            "expires_at": end.filter(|_| !is_permanent),
            "retained_until": end.filter(|_| is_permanent),
            "source": data.source,
            "since": data.since.to_string(),
            "date": data.date.map(|date| date.to_string()),
            "from": data.from,
            "place": data.place,
        });
    }
    if let Some(fact) = Fact::read(memory.clone()) {
        value["fact"] = statement_fact(&fact);
    }
    value
}

/// Returns the fields of a fact that other memories do not have.
fn statement_fact(fact: &Fact) -> Value {
    let Fact { data, memory } = fact;
    let mut value = json!({
        "id": data.event,
        "event_type": data.event_type,
        "subject": data.subject,
        "predicate": data.predicate,
        "object": data.object,
        "topic": fact.topic(),
        "confidence": memory.confidence,
        "source": data.source,
        "evidence": data.evidence,
        "parent_id": data.parent_id,
        "timestamp": data.timestamp,
        "lifetime": fact.lifetime(),
        "expires_at": memory.expires_at.map(|at| at.to_string()),
        "since": data.since.to_string(),
    });
    if let Some(observed) = &data.observed {
        value["observed"] = json!(observed);
    }
    value
}

/// Returns a hit of a recall: its memory, score and the terms of the score.
#[must_use]
pub fn hit(hit: &Hit) -> Value {
    let mut value = memory(&hit.reference, &hit.memory, hit.speaker.as_deref());
    value["score"] = json!(hit.score);
    value["weak"] = json!(hit.terms.is_weak());
    value["earlier"] = json!(hit.is_earlier());
    value["contested"] = json!(hit.is_contested);
    value["newer"] = json!(hit.newer.as_ref().map(|newer| {
        json!({
            "ref": newer.reference.to_string(),
            "answers": newer.answers,
            "replaces": newer.replaces,
        })
    }));
    value["image"] = json!(hit.image);
    value["also"] = json!(hit.also.iter().map(ToString::to_string).collect::<Vec<_>>());
    value["terms"] = terms(&hit.terms);
    value
}

/// Returns how many matches a recall left out, by reason.
#[must_use]
pub fn left(left: &Left) -> Value {
    json!({
        "over_results": left.over_results,
        "folded": left.folded,
        "of_user": left.of_user,
        "over_budget": left.over_budget,
    })
}

/// Returns the terms of a score.
fn terms(terms: &Terms) -> Value {
    json!({
        "words": terms.words,
        "meaning": terms.meaning,
        "next": terms.next,
        "answer": terms.answer,
        "session": terms.session,
        "speaker": terms.speaker,
        "day": terms.day,
        "length": terms.length,
        "bm25": terms.bm25,
        "cosine": terms.cosine,
        "best": terms.best,
        "sure": terms.sure,
        "relevance": terms.relevance,
        "importance": terms.importance,
        "recency": terms.recency,
        "weights": {
            "relevance": terms.weights.relevance,
            "importance": terms.weights.importance,
            "recency": terms.weights.recency,
        },
    })
}

/// Returns a memory with what else is known about it.
#[must_use]
pub fn shown(shown: &Shown) -> Value {
    let mut value = memory(&shown.reference, &shown.memory, shown.speaker.as_deref());
    value["image"] = json!(shown.image);
    value["retired_by"] = json!(shown.retired_by);
    if shown.memory.form == Form::STATEMENTS {
        value["statement"]["ended"] = json!(shown.has_ended);
    }
    value
}

/// Returns a turn that has ended.
#[must_use]
pub fn turn(turn: &FinishedTurn) -> Value {
    let reference = |reference: &Option<Ref>| json!(reference.as_ref().map(ToString::to_string));
    let captured = |captured: &Captured| {
        json!({
            "ref": captured.outcome.reference().to_string(),
            "outcome": captured.outcome.as_str(),
            "category": captured.category,
            "scope": captured.scope.layer().as_str(),
            "lifetime": captured.lifetime,
            "importance": captured.importance,
            "confidence": captured.confidence,
            "rule": captured.rule,
            "text": captured.text,
        })
    };
    let dropped = |dropped: &NotKept| json!({"why": dropped.why.to_string(), "text": dropped.text});
    let counters: serde_json::Map<_, _> =
        turn.counters.named().into_iter().map(|(name, n)| (name.to_owned(), json!(n))).collect();
    json!({
        "remembered": turn.remembered,
        "message": reference(&turn.message),
        "reply": reference(&turn.reply),
        "recalled": turn.recalled.hits.iter().map(hit).collect::<Vec<_>>(),
        "note": turn.recalled.note,
        "left": left(&turn.recalled.left),
        "memory": turn.memory,
        "too_small": turn.too_small.map(too_small),
        "captured": turn.captured.iter().map(captured).collect::<Vec<_>>(),
        "forgotten": turn.forgotten.iter().map(|m| memory(&m.version(), m, None)).collect::<Vec<_>>(),
        "copies": turn.copies.iter().map(hit).collect::<Vec<_>>(),
        "dropped": turn.dropped.iter().map(dropped).collect::<Vec<_>>(),
        "unfinished": unfinished(&turn.unfinished),
        "counters": counters,
    })
}

/// Returns the budget in which a message does not fit, and the smallest one that works.
#[must_use]
pub fn too_small(too_small: TooSmall) -> Value {
    json!({"budget": too_small.budget, "least": too_small.least})
}

/// Returns interrupted turns of a conversation.
#[must_use]
pub fn unfinished(turns: &[Unfinished]) -> Value {
    let turn = |turn: &Unfinished| json!({"message": turn.message.to_string(), "text": turn.text});
    turns.iter().map(turn).collect()
}

/// Returns where a memory comes from and where it went.
#[must_use]
pub fn why(why: &Why) -> Value {
    let change = |change: &ChangeEntry| {
        json!({
            "entry": change.entry,
            "date": change.date.to_string(),
            "name": change.name,
            "origin": change.origin,
            "reason": change.reason,
        })
    };
    let spoken = |spoken: &QuotedMessage| {
        json!({
            "ref": spoken.reference.to_string(),
            "speaker": spoken.speaker,
            "said_at": spoken.said_at.to_string(),
            "session": spoken.session,
            "text": spoken.text,
        })
    };
    let version = |version: &MemoryVersion| {
        let mut value = memory(&version.reference, &version.memory, None);
        value["created"] = change(&version.change);
        value["from"] = json!(version.from.as_ref().map(spoken));
        value["changed_by"] = json!(version.changed_by.as_ref().map(spoken));
        value["place"] = json!(version.place);
        value["rule"] = json!(version.rule);
        value["removed"] = json!(version.end.as_ref().map(change));
        value["superseded"] = json!(version.is_superseded);
        value
    };
    json!({
        "versions": why.versions.iter().map(version).collect::<Vec<_>>(),
        "recalls": why.recalls.iter().map(spoken).collect::<Vec<_>>(),
        "captured": why.captured.iter().map(version).collect::<Vec<_>>(),
    })
}

/// Returns a block.
#[must_use]
pub fn block(block: &Block) -> Value {
    json!({
        "name": block.name.as_str(),
        "layer": block.layer.number(),
        "value": block.value,
        "computed": block.is_computed,
        "ref": block.reference.as_ref().map(ToString::to_string),
        "updated_at": block.updated_at.map(|at| at.to_string()),
        "origin": block.origin.map(Origin::as_str),
        "waits": block.waits,
    })
}

/// Returns the zone: its version, long-term lines and daily notes. The version is only for the owner, because it grows
/// with what every chat saves.
#[must_use]
pub fn zone(view: &ZoneView, audience: &Audience) -> Value {
    let dailies: serde_json::Map<_, _> =
        view.dailies.keys().map(|date| (date.to_string(), json!(view.daily_text(*date)))).collect();
    let version = (*audience == Audience::owner()).then(|| ("version".to_owned(), json!(view.version)));
    let texts = [("long_term", json!(view.long_term_text())), ("dailies", Value::Object(dailies))];
    let texts = texts.map(|(name, value)| (name.to_owned(), value));
    version.into_iter().chain(texts).collect()
}

/// Returns a commit with its changes.
#[must_use]
pub fn commit(commit: &LoggedCommit) -> Value {
    let anchor = commit.anchor.as_ref();
    json!({
        "id": commit.id,
        "entry": commit.entry,
        "first": commit.first,
        "branch": commit.branch,
        "session": commit.session,
        "date": commit.date.to_string(),
        "origin": commit.origin.map(Origin::as_str),
        "message": message(commit),
        "reason": commit.reason,
        "parent_id": anchor.and_then(|anchor| anchor.parent_id.clone()),
        "events": anchor.map(|anchor| anchor.events.clone()),
        "metadata": anchor.map(|anchor| json!(anchor.metadata)),
        "changes": commit.changes.iter().map(change).collect::<Vec<_>>(),
        "more": commit.more,
    })
}

/// Returns a change: the memory before and after it.
#[must_use]
pub fn change(change: &Change) -> Value {
    json!({
        "kind": change.kind().as_str(),
        "ref": change.reference().map(|reference| reference.to_string()),
        "before": change.before.as_ref().map(side),
        "after": change.after.as_ref().map(side),
    })
}

/// Returns a side of a change or of a conflict: a memory, without what it says if it is confidential.
#[must_use]
pub fn side(memory: &Memory) -> Value {
    self::memory(&memory.version(), &without_confidential_text(memory.clone()), None)
}

/// Returns an open conflict as JSON, for the field `conflicts` of the memory that it concerns.
#[must_use]
pub fn conflict(conflict: &OpenConflict) -> Value {
    json!({
        "ref": conflict.reference.to_string(),
        "ours": conflict.ours.as_ref().map(|memory| text(Some(memory))),
        "theirs": conflict.theirs.as_ref().map(|memory| text(Some(memory))),
        "source": conflict.source,
        "commit": conflict.commit,
    })
}

/// Returns a ledger fact as in a listing: without what it says if it is confidential.
#[must_use]
pub fn fact(fact: &Fact) -> Value {
    let Fact { data, memory } = fact;
    let open = |text: &str| is_open(memory).then(|| text.to_owned());
    let mut value = json!({
        "ref": memory.version().to_string(),
        "id": data.event,
        "subject": open(&data.subject),
        "predicate": open(&data.predicate),
        "object": open(&data.object),
        "topic": fact.topic().and_then(open),
        "lifetime": fact.lifetime(),
        "scope": memory.scope,
        "sensitivity": memory.sensitivity.as_str(),
        "confidence": memory.confidence,
        "source": open(&data.source),
        "evidence": data.evidence.as_deref().and_then(open),
        "origin": memory.origin.map(Origin::as_str),
        "timestamp": data.timestamp,
        "expires_at": memory.expires_at.map(|at| at.to_string()),
    });
    if let Some(observed) = data.observed.as_ref().filter(|_| is_open(memory)) {
        value["observed"] = json!(observed);
    }
    value
}

/// Returns a memory as in a listing: without its text if it is confidential.
#[must_use]
pub fn listed(memory: &Memory) -> Value {
    let mut value = self::memory(&memory.version(), memory, None);
    if !is_open(memory) {
        value["text"] = Value::Null;
    }
    value
}

/// Returns whether a listing shows what a memory says.
fn is_open(memory: &Memory) -> bool {
    memory.sensitivity != Sensitivity::Confidential
}
