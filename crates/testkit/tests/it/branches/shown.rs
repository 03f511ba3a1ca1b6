//! The view of a workspace, in the terms of the naive model.

use std::collections::BTreeSet;

use memtape::{Audience, Form, Memory, Workspace};

/// The day of all notes.
pub(crate) const DAY: &str = "2026-02-10";

/// Returns a bullet of the note.
pub(crate) fn bullet(tea: &str, [first, last]: [u8; 2]) -> String {
    format!("- {tea}: steeps {first} minutes\n  in water\n  of {last}0 degrees\n")
}

/// Returns the item that a memory is a version of, in the terms of the naive model.
pub(crate) fn merge_key_of(memory: &Memory) -> String {
    match memory.form {
        Form::LEDGER => {
            let data: serde_json::Value = serde_json::from_str(memory.data.as_deref().unwrap()).unwrap();
            let scope = data["scope"].as_str().filter(|scope| *scope != "permanent");
            let topic = scope.map_or(String::new(), |scope| format!(" in {scope}"));
            format!(
                "fact {} {}{topic}",
                data["subject"].as_str().unwrap(),
                data["predicate"].as_str().unwrap()
            )
        }
        Form::ZONE if memory.key.starts_with(DAY) => format!("note {}", memory.text),
        Form::ZONE => format!("line {}", memory.text),
        Form::BLOCKS => format!("block {}", memory.key),
        Form::NOTES => format!("bullet {}", memory.key.split_once('#').unwrap().1),
        _ => format!("said {}", memory.text),
    }
}

pub(crate) fn seconds(at: jiff::Timestamp) -> u64 {
    u64::try_from(at.as_second()).unwrap()
}

fn shown(memory: &Memory) -> String {
    let slot = merge_key_of(memory);
    let data = || serde_json::from_str::<serde_json::Value>(memory.data.as_deref().unwrap()).unwrap();
    match memory.form {
        Form::LEDGER => format!("{slot} = {}", data()["object"].as_str().unwrap()),
        Form::ZONE => slot,
        Form::BLOCKS | Form::NOTES => format!("{slot} = {}", memory.text),
        _ => {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "tenths")]
            let importance = (memory.importance.unwrap() * 10.0).round() as u8;
            let since: jiff::Timestamp = data()["since"].as_str().unwrap().parse().unwrap();
            format!("{slot} {importance} {} {}", seconds(memory.said_at.unwrap()), seconds(since))
        }
    }
}

/// Returns the view of a workspace on a branch at a point.
pub(crate) fn view(workspace: &Workspace, point: &str) -> BTreeSet<String> {
    let at = workspace.at(point).unwrap();
    let forms = [Form::BLOCKS, Form::LEDGER, Form::NOTES, Form::ZONE, Form::STATEMENTS].into_iter();
    let memories = forms.flat_map(|form| workspace.memories(form, &Audience::owner(), &at).unwrap());
    let is_heading = |memory: &Memory| memory.form == Form::NOTES && memory.key.ends_with('#');
    memories.filter(|memory| !is_heading(memory)).map(|memory| shown(&memory)).collect()
}

/// Returns the bits of the rank of an item on a branch at a point; `None` if it is part of no text.
pub(crate) fn place(workspace: &Workspace, point: &str, slot: &str) -> Option<u64> {
    let form = match slot.split_once(' ')?.0 {
        "line" | "note" => Form::ZONE,
        "bullet" => Form::NOTES,
        _ => return None,
    };
    let memories = workspace.memories(form, &Audience::owner(), &workspace.at(point).unwrap()).unwrap();
    let memory = memories.into_iter().find(|memory| merge_key_of(memory) == slot)?;
    let data: serde_json::Value = serde_json::from_str(memory.data.as_deref()?).unwrap();
    data["rank"].as_f64().map(f64::to_bits)
}
