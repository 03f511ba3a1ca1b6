//! `recall` and `show`.

use memtape::{At, Hit, Memory, Recall, Ref, Shown, Workspace};
use serde_json::{Value, json};

use super::audience;
use crate::args::{AudienceArgs, RecallArgs};
use crate::output::{Output, Result};

pub(super) fn recall(workspace: &Workspace, output: &Output, at: &At, args: &RecallArgs) -> Result<()> {
    let recall = Recall {
        query: args.query.clone(),
        audience: audience(workspace, &args.audience)?,
        forms: args.form.clone(),
        limit: args.limit,
    };
    let recalled = workspace.recall(&recall, at)?;
    if output.json {
        let hits: Vec<_> = recalled.hits.iter().map(hit_json).collect();
        return output.value(&json!({"hits": hits, "note": recalled.note}));
    }
    for hit in &recalled.hits {
        print_hit(hit, output)?;
    }
    match recalled.note {
        Some(note) => output.line(note),
        None => Ok(()),
    }
}

/// Prints a hit: what names it and where it came from, and under it the text.
pub(super) fn print_hit(hit: &Hit, output: &Output) -> Result<()> {
    let mut head = vec![hit.reference.to_string(), format!("score {:.2}", hit.score)];
    head.extend(hit.memory.session.clone());
    head.extend(hit.speaker.clone());
    head.push(when(&hit.memory));
    output.line(head.join(" · "))?;
    let text = with_image(&hit.memory.text, hit.image.as_deref());
    output.line(format_args!("  {}", output.one_line(&text)))
}

/// A text, and the caption of the picture that went with it.
fn with_image(text: &str, image: Option<&str>) -> String {
    match image {
        Some(image) => format!("{text} [image: {image}]").trim_start().to_owned(),
        None => text.to_owned(),
    }
}

/// When it was said, or else when it was recorded.
fn when(memory: &Memory) -> String {
    match memory.said_at {
        Some(at) => at.strftime("%Y-%m-%d %H:%M").to_string(),
        None => format!("recorded {}", memory.created_at.strftime("%Y-%m-%d %H:%M")),
    }
}

fn hit_json(hit: &Hit) -> Value {
    let mut value = memory_json(&hit.reference, &hit.memory, hit.speaker.as_deref());
    value["score"] = json!(hit.score);
    value["image"] = json!(hit.image);
    value
}

fn memory_json(reference: &Ref, memory: &Memory, speaker: Option<&str>) -> Value {
    json!({
        "ref": reference.to_string(),
        "form": memory.form.as_str(),
        "session": memory.session,
        "scope": memory.scope,
        "speaker": speaker,
        "origin": memory.origin.map(memtape::Origin::as_str),
        "branch": memory.branch,
        "said_at": memory.said_at.map(|at| at.to_string()),
        "date": memory.created_at.to_string(),
        "text": memory.text,
    })
}

pub(super) fn show(
    workspace: &Workspace,
    output: &Output,
    at: &At,
    reference: &str,
    asking: &AudienceArgs,
) -> Result<()> {
    let reference: Ref = reference.parse().map_err(memtape::Error::from)?;
    let shown = workspace.show(&reference, &audience(workspace, asking)?, at)?;
    if output.json {
        let shown: Vec<_> = shown.iter().map(shown_json).collect();
        return output.value(&Value::Array(shown));
    }
    for (n, shown) in shown.iter().enumerate() {
        if n > 0 {
            output.line("")?;
        }
        print_shown(shown, output)?;
    }
    Ok(())
}

fn shown_json(shown: &Shown) -> Value {
    let mut value = memory_json(&shown.reference, &shown.memory, shown.speaker.as_deref());
    value["image"] = json!(shown.image);
    value["retired_by"] = json!(shown.retired_by);
    value
}

fn print_shown(shown: &Shown, output: &Output) -> Result<()> {
    let Shown { reference, memory, speaker, image, retired_by } = shown;
    output.line(reference)?;
    for line in with_image(&memory.text, image.as_deref()).lines() {
        output.line(format!("  {line}").trim_end())?;
    }
    let origin = memory.origin.map_or(String::new(), |origin| format!(", from {}", origin.as_str()));
    let session = memory.session.as_ref().map_or(String::new(), |session| format!(", in {session}"));
    let recorded = memory.created_at.strftime("%Y-%m-%d %H:%M:%S UTC");
    output.line(format_args!("recorded  entry {}, {recorded}{origin}{session}", memory.id.entry()))?;
    if let Some(speaker) = speaker {
        let said =
            memory.said_at.map_or(String::new(), |at| at.strftime(", %Y-%m-%d %H:%M:%S UTC").to_string());
        output.line(format_args!("said      by {speaker}{said}"))?;
    }
    output.line(format_args!("scope     {}", memory.scope))?;
    match retired_by {
        Some(entry) => output.line(format_args!("retired   by entry {entry}")),
        None => output.line("standing"),
    }
}
