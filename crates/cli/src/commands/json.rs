//! The JSON form of a memory, shared by all commands.

use memtape::{Fact, Form, Lifetime, Memory, Ref, StoredStatement};
use serde_json::{Value, json};

/// Returns a memory as JSON: its `ref`, scope, date and the fields of its form.
pub(super) fn memory_json(reference: &Ref, memory: &Memory, speaker: Option<&str>) -> Value {
    let mut value = json!({
        "ref": reference.to_string(),
        "form": memory.form.as_str(),
        "session": memory.session,
        "scope": memory.scope,
        "sensitivity": memory.sensitivity.as_str(),
        "speaker": speaker,
        "origin": memory.origin.map(memtape::Origin::as_str),
        "branch": memory.branch,
        "said_at": memory.said_at.map(|at| at.to_string()),
        "date": memory.created_at.to_string(),
        "text": memory.text,
    });
    if let Some(StoredStatement { data, .. }) =
        StoredStatement::read(memory.clone()).filter(|_| memory.form == Form::STATEMENTS)
    {
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
        value["fact"] = fact_json(&fact);
    }
    value
}

/// Returns a fact in the fields of document 1.
fn fact_json(fact: &Fact) -> Value {
    let Fact { data, memory } = fact;
    json!({
        "id": data.event,
        "event_type": data.event_type,
        "subject": data.subject,
        "predicate": data.predicate,
        "object": data.object,
        "scope": data.scope,
        "confidence": memory.confidence,
        "source": data.source,
        "evidence": data.evidence,
        "parent_id": data.parent_id,
        "timestamp": data.timestamp,
        "lifetime": fact.lifetime(),
        "expires_at": memory.expires_at.map(|at| at.to_string()),
        "since": data.since.to_string(),
    })
}
