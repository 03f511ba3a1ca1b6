//! The sessions of Codex: rollout files, JSON Lines below `sessions/YYYY/MM/DD` and `archived_sessions`.
//!
//! Three generations of lines exist: bare items of a conversation (until September 2025), the same in an envelope
//! `{timestamp, type, payload}`, and since then also events. Where there are events, they are read: they state exactly
//! what the person typed and what was answered. Since codex-cli 0.145, they may be events of completed items. Sessions of subagents are left out, since an agent wrote their prompts.
//! A session that was forked from another begins with a copy of its messages, which are read only once: a message is
//! identified by the session that it was first part of, and by all messages up to it.

use std::collections::HashMap;

use jiff::Timestamp;
use memtape::bulk;
use memtape::{PROJECT_CHANNEL, project_chat, repository_identity_of_url, typed};
use serde_json::{Map, Value};

use super::fields::{counted, filled, text_of, thread_label, typed_of};
use super::{names, sniff};
use crate::error::Result;
use crate::input::zstd::PACKED;
use crate::input::{Input, Listed};
use crate::item::{Content, Item, Message, Place, digest};
use crate::source::{About, Route, Sink, Source};

/// The folders of sessions in `~/.codex`.
const SESSIONS: [&str; 2] = ["sessions", "archived_sessions"];
/// What Codex itself remembers, in `~/.codex`.
const MEMORIES: [&str; 2] = ["memories/MEMORY.md", "memories/memory_summary.md"];
/// The endings of the files of sessions: Codex packs old ones.
const ENDINGS: [&str; 2] = [".jsonl", PACKED];
/// The event of an item of a turn that is complete.
const COMPLETED: &str = "item_completed";
/// The types of the parts of such an item that are texts.
const TEXTS: [&str; 2] = ["text", "Text"];
/// The fields of a line in an envelope.
const ENVELOPE: [&str; 2] = ["type", "payload"];

/// Codex.
pub(crate) struct Codex;

impl Source for Codex {
    fn about(&self) -> &'static About {
        &About {
            name: "codex",
            reads: "Codex: ~/.codex, or a folder or file of its sessions",
            versions: "codex-cli 0.1 to 0.145: rollouts without envelope (2025), with envelope, with events, with completed items; plain and packed (.jsonl.zst)",
            routes: &[
                Route {
                    item: "prompt and reply of a session",
                    form: "message of the conversation project:REPOSITORY:SESSION",
                },
                Route {
                    item: "memories/MEMORY.md, memories/memory_summary.md",
                    form: "note facts/codex-NAME.md",
                },
                Route { item: "session of a subagent, tool call, reasoning, context", form: "left out" },
            ],
        }
    }

    fn files(&self, input: &Input) -> Result<Vec<String>> {
        let (memories, rollouts, _) = find(input)?;
        Ok([memories, rollouts].concat())
    }

    fn detects(&self, input: &Input) -> Result<bool> {
        Ok(find(input)?.1.iter().any(|file| sniff::line(input, file, is_rollout)))
    }

    fn read(&self, input: &Input, sink: &mut dyn Sink) -> Result<()> {
        let (memories, rollouts, folders) = find(input)?;
        let mut paths = names::Taken::default();
        for file in &memories {
            if let Some(text) = input.text_or_skip(file, sink).filter(|text| !text.trim().is_empty()) {
                let name = file.rsplit('/').next().unwrap_or(file);
                let path = paths.note("facts", &format!("codex/{name}"));
                let id = format!("{file}@{}", digest(&text));
                sink.item(Item { id, place: Place::file(file), content: Content::Note { path, text } })?;
            }
        }
        let mut said = HashMap::new();
        for file in &rollouts {
            read_rollout(input, file, &mut said, sink)?;
        }
        folders.iter().try_for_each(|folder| input.report_passed_over(folder, sink))
    }
}

/// Finds the memories, the rollouts, and the folders that have rollouts.
fn find(input: &Input) -> Result<(Vec<String>, Vec<String>, &'static [&'static str])> {
    if let Some(file) = input.only_file() {
        return Ok((Vec::new(), vec![file.to_owned()], &[]));
    }
    let memories = MEMORIES.iter().filter(|file| input.has_file_or_link(file));
    let memories: Vec<_> = memories.map(|file| (*file).to_owned()).collect();
    let is_rollout = |entry: &Listed| {
        entry.name.starts_with("rollout-") && ENDINGS.iter().any(|ending| entry.name.ends_with(ending))
    };
    let mut rollouts = Vec::new();
    for folder in SESSIONS {
        rollouts.extend(input.files_below(folder, is_rollout)?);
    }
    let mut folders: &[&str] = &SESSIONS;
    // The path may be the folder of sessions itself, or of a day.
    if rollouts.is_empty() && memories.is_empty() {
        folders = &[""];
        rollouts = input.files_below("", is_rollout)?;
    }
    // The name begins with the time, so a session comes before those that were forked from it.
    rollouts.sort_by_key(|file| file.rsplit('/').next().unwrap_or(file).to_owned());
    Ok((memories, rollouts, folders))
}

fn is_rollout(line: &Map<String, Value>) -> bool {
    ENVELOPE.iter().all(|field| line.contains_key(*field)) || line.contains_key("record_type")
}

/// What is known of a session from its first line.
struct Session {
    id: String,
    /// The repository, or the folder of the agent.
    project: String,
    started: Option<Timestamp>,
    is_of_subagent: bool,
    /// The session that it was forked from.
    parent: Option<String>,
    /// The first session of which it is a copy of a copy; itself if it is no copy.
    root: String,
}

/// What was read of the sessions before, by their ids.
type Said = HashMap<String, Rollout>;

/// What was read of a session.
struct Rollout {
    root: String,
    /// The digests of its messages.
    messages: Vec<u64>,
}

impl Session {
    /// Reads the first line of a rollout, in its envelope or without.
    fn of(input: &Input, line: &Map<String, Value>) -> Option<Self> {
        let fields = match filled(line, "type") {
            Some("session_meta") => line.get("payload")?.as_object()?,
            Some(_) => return None,
            None => line,
        };
        let url = fields.get("git").and_then(|git| git.get("repository_url")).and_then(Value::as_str);
        let repository = url.map(repository_identity_of_url).filter(|name| !name.is_empty());
        let source = fields.get("source");
        let is_named = |value: &Value| value.as_str().is_some_and(|name| name.starts_with("subagent"));
        let id = filled(fields, "id").or_else(|| filled(fields, "session_id"))?;
        let parent = filled(fields, "forked_from_id");
        Some(Self {
            root: parent.unwrap_or(id).to_owned(),
            id: id.to_owned(),
            project: repository.or_else(|| filled(fields, "cwd").map(str::to_owned)).unwrap_or_default(),
            started: input.instant_of(fields.get("timestamp")),
            is_of_subagent: source.is_some_and(|source| source.get("subagent").is_some() || is_named(source)),
            parent: parent.map(str::to_owned),
        })
    }
}

/// Reads a rollout.
fn read_rollout(input: &Input, file: &str, said: &mut Said, sink: &mut dyn Sink) -> Result<()> {
    // The first pass finds out whether there are events, and in bare rollouts the folder.
    let mut session: Option<Session> = None;
    let mut has_events = false;
    input.for_json_lines(file, &mut sniff::Nowhere, &mut |_, line, _| {
        match (&mut session, Session::of(input, &line)) {
            (None, first) => session = first,
            // The copy begins with the description of the other session, and a copy of a copy with both.
            (Some(session), Some(other)) if other.id != session.id => {
                session.root.clone_from(&other.root);
                session.parent.get_or_insert(other.id);
            }
            _ => {}
        }
        has_events |= event(&line).is_some_and(|(role, _)| role == "user");
        if let Some(session) = session.as_mut().filter(|session| session.project.is_empty()) {
            session.project = folder_of_context(&line).unwrap_or_default();
        }
        Ok(())
    })?;
    let Some(session) = session else {
        sink.unreadable(Place::file(file), "it does not begin with the description of a session");
        return Ok(());
    };
    if session.is_of_subagent {
        sink.skip(Place::file(file), "it is the session of a subagent");
        return Ok(());
    }
    let project = if session.project.is_empty() { "unknown" } else { &session.project };
    let label = thread_label(PROJECT_CHANNEL, &project_chat(project), &session.id);
    let parent = session.parent.as_ref().and_then(|id| said.get(id));
    let root = parent.map_or(&session.root, |parent| &parent.root).clone();
    let mut copied = parent.map(|parent| parent.messages.clone()).unwrap_or_default();
    let mut own: Vec<u64> = Vec::new();
    let mut so_far = bulk::digest(&root);
    let (mut left_out, mut repeated) = (0, 0);
    // Some versions report a message by both kinds of events.
    let mut last: Option<(u64, bool)> = None;
    input.for_json_lines(file, sink, &mut |number, line, sink| {
        let spoken = if has_events { event(&line) } else { item(&line) };
        let Some((role, text)) = spoken.filter(|(_, text)| !text.is_empty()) else {
            left_out += 1;
            return Ok(());
        };
        let digest = bulk::digest(&format!("{role}\n{text}"));
        let this = (digest, is_completed(&line));
        if last.replace(this) == Some((digest, !this.1)) {
            left_out += 1;
            last = None;
            return Ok(());
        }
        own.push(digest);
        so_far = bulk::digest(&format!("{so_far:016x}{digest:016x}"));
        if copied.get(own.len() - 1) == Some(&digest) {
            repeated += 1;
            return Ok(());
        }
        copied.clear();
        let message = Message {
            session: Some(label.clone()),
            user: (role == "user").then(|| "owner".to_owned()),
            role: role.to_owned(),
            text,
            name: None,
            said_at: input.instant_of(line.get("timestamp")).or(session.started),
        };
        // A rollout only grows, and the copy in a fork has the same messages on other lines.
        let id = format!("{root}:{}:{so_far:016x}", own.len());
        sink.item(Item { id, place: Place::line(file, number), content: Content::Message(message) })
    })?;
    if left_out > 0 {
        let what = counted(left_out, "line", "lines");
        sink.skip_several(Place::file(file), left_out, &format!("{what} without a prompt or a reply"));
    }
    if repeated > 0 {
        let what = counted(repeated, "message", "messages");
        sink.skip_several(
            Place::file(file),
            repeated,
            &format!("{what} of the session that it was forked from"),
        );
    }
    said.insert(session.id, Rollout { root, messages: own });
    Ok(())
}

/// Returns the role and the words of an event that is a prompt or a reply.
fn event(line: &Map<String, Value>) -> Option<(&'static str, String)> {
    if filled(line, "type") != Some("event_msg") {
        return None;
    }
    let payload = line.get("payload")?.as_object()?;
    if filled(payload, "type")? == COMPLETED {
        let item = payload.get("item")?.as_object()?;
        let content = item.get("content");
        return match filled(item, "type")? {
            "UserMessage" => Some(("user", typed_of(content, &TEXTS))),
            "AgentMessage" => Some(("assistant", text_of(content, &TEXTS))),
            _ => None,
        };
    }
    let text = filled(payload, "message")?;
    match filled(payload, "type")? {
        // The first versions also reported the contexts as messages of the person.
        "user_message" if filled(payload, "kind").is_none_or(|kind| kind == "plain") => {
            Some(("user", typed(text).to_owned()))
        }
        "agent_message" => Some(("assistant", text.trim().to_owned())),
        _ => None,
    }
}

fn is_completed(line: &Map<String, Value>) -> bool {
    let kind = line.get("payload").and_then(|payload| payload.get("type"));
    kind.and_then(Value::as_str) == Some(COMPLETED)
}

/// Returns the role and the words of an item of a conversation that is a prompt or a reply.
fn item(line: &Map<String, Value>) -> Option<(&'static str, String)> {
    let item = match filled(line, "type") {
        Some("response_item") => line.get("payload")?.as_object()?,
        _ => line,
    };
    if filled(item, "type") != Some("message") {
        return None;
    }
    let content = item.get("content");
    match filled(item, "role")? {
        "user" => Some(("user", typed_of(content, &["input_text"]))),
        "assistant" => Some(("assistant", text_of(content, &["output_text"]))),
        _ => None,
    }
}

/// Returns the folder that the context at the beginning of a bare rollout names.
fn folder_of_context(line: &Map<String, Value>) -> Option<String> {
    let text = text_of(line.get("content"), &["input_text"]);
    let (_, rest) = text.strip_prefix("<environment_context>")?.split_once("<cwd>")?;
    let (folder, _) = rest.split_once("</cwd>")?;
    Some(folder.trim().to_owned())
}
