//! Operations that read.

use memtape::ledger::Filter;
use memtape::view::ViewQuestion;
use memtape::{
    At, BlockName, CommitQuestion, EntryId, FilePath, Inbound, Recall, Ref, Role, Selection, journal, json,
};
use serde_json::{Value, json};

use super::super::answer::Failure;
use super::{Answer, Input, Kind, NUMBER_MAX, Operation, Parameter, get, page};

const AT: Parameter = ("at", Kind::Text, "The point to read at: [BRANCH@]ENTRY, a date or a time.");
const LIMIT: Parameter = ("limit", Kind::Range(1, NUMBER_MAX), "Maximum number of items.");
const AFTER: Parameter = ("after", Kind::Text, "Only items after this one: the `next` of the page before.");

/// The operations.
pub(super) const OPERATIONS: &[Operation] = &[
    get("/v1/tools", "The tools that can be called, with their JSON Schemas", &[], tools),
    get(
        "/v1/recall",
        "Memories that answer a question, best first",
        &[("query", Kind::Required, "The question."), LIMIT, AT],
        recall,
    ),
    get("/v1/brief", "What an agent should know at the start of a session", &[AT], session_brief),
    get(
        "/v1/prompt",
        "The prompt that a turn with a message would have; nothing is written",
        &[("message", Kind::Text, "The message."), ("budget", Kind::Count, "Maximum size in tokens."), AT],
        prompt,
    ),
    get("/v1/view", "The facts that are known, with open conflicts", &[AT], view),
    get("/v1/zone", "The zone: long-term lines and daily notes", &[AT], zone),
    get("/v1/facts", "The facts, highest confidence first", &[LIMIT, AFTER, AT], facts),
    get("/v1/statements", "The captured and added statements, oldest first", &[LIMIT, AFTER, AT], statements),
    get("/v1/blocks", "The blocks of the prompt", &[AT], blocks),
    get("/v1/blocks/{name}", "A block", &[AT], block),
    get("/v1/notes", "The notes", &[LIMIT, AFTER, AT], notes),
    get("/v1/notes/{*path}", "A note, such as facts/user.md", &[AT], note),
    get("/v1/files", "The files", &[LIMIT, AFTER, AT], files),
    get("/v1/files/{*path}", "A file", &[AT], file),
    get("/v1/memories/{ref}", "The memories that a ref names; its slashes are written %2F", &[AT], memory),
    get("/v1/memories/{ref}/why", "Where a memory comes from and where it went", &[AT], why),
    get(
        "/v1/journal",
        "The journal, oldest first",
        &[
            ("after", Kind::Count, "Only lines after this entry."),
            ("tail", Kind::Range(1, NUMBER_MAX), "Only this many lines, the last ones."),
            ("type", Kind::Text, "Only lines of this type."),
            LIMIT,
            AT,
        ],
        lines,
    ),
    get(
        "/v1/log",
        "The commits, newest first",
        &[("before", Kind::Count, "Only commits before this entry."), LIMIT, AT],
        log,
    ),
    get("/v1/status", "How much is remembered", &[AT], status),
];

fn tools(input: &Input<'_>) -> Answer {
    Ok(json!({"tools": input.caller.definitions().map(json::tool).collect::<Vec<_>>()}))
}

fn recall(input: &Input<'_>) -> Answer {
    let query = input.text("query").filter(|query| !query.trim().is_empty());
    let query = query.ok_or_else(|| Failure::invalid("`query` is empty"))?;
    let recall = Recall {
        audience: input.caller.audience(input.workspace)?,
        session: Some(input.caller.session.clone()),
        limit: input.count("limit").map(|limit| usize::try_from(limit).unwrap_or(usize::MAX)),
        ..Recall::new(query)
    };
    let recalled = input.workspace.recall(&recall, &input.at()?)?;
    let hits: Vec<_> = recalled.hits.iter().map(json::hit).collect();
    Ok(json!({"hits": hits, "left": json::left(&recalled.left)}))
}

fn session_brief(input: &Input<'_>) -> Answer {
    Ok(json!({"brief": input.caller.brief(input.workspace, &input.at()?)?}))
}

fn prompt(input: &Input<'_>) -> Answer {
    let inbound = Inbound {
        user: input.caller.user.clone(),
        is_owner: Some(input.caller.is_owner),
        ..Inbound::new(input.text("message").unwrap_or_default())
    };
    let budget = input.count("budget").map(|budget| usize::try_from(budget).unwrap_or(usize::MAX));
    let asking = input.caller.prompting(budget);
    let conversation = input.workspace.conversation(input.caller.session.clone());
    Ok(prompt_json(&conversation.prompt(&inbound, &asking, &input.at()?)?))
}

/// Returns a prompt in the shape of the APIs of model providers.
pub(super) fn prompt_json(prompt: &memtape::Prompt) -> Value {
    let message = |message: &memtape::PromptMessage| {
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        json!({"role": role, "content": message.content})
    };
    json!({
        "system": prompt.system,
        "messages": prompt.messages.iter().map(message).collect::<Vec<_>>(),
        "tokens": prompt.tokens,
        "budget": prompt.budget,
    })
}

fn view(input: &Input<'_>) -> Answer {
    let question =
        ViewQuestion { audience: input.caller.audience(input.workspace)?, ..ViewQuestion::default() };
    let view = input.workspace.view(&question, &input.at()?)?;
    Ok(json!({
        "branch": view.branch,
        "persona": view.persona,
        "text": view.text,
        "conflicts": view.conflicts.iter().map(json::conflict).collect::<Vec<_>>(),
    }))
}

/// Reads from one snapshot for the caller.
fn snapshot<T>(
    input: &Input<'_>,
    read: impl FnOnce(&memtape::Snapshot<'_>, &At<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let audience = input.caller.audience(input.workspace)?;
    let snapshot = input.workspace.snapshot(&audience, &input.at()?)?;
    read(&snapshot, &snapshot.at())
}

fn zone(input: &Input<'_>) -> Answer {
    let audience = input.caller.audience(input.workspace)?;
    snapshot(input, |snapshot, at| Ok(json::zone(&snapshot.zone().view(at)?.0, &audience)))
}

fn facts(input: &Input<'_>) -> Answer {
    let facts = snapshot(input, |snapshot, at| Ok(snapshot.facts().list(&Filter::default(), at)?))?;
    page(input, facts.iter().map(|fact| (fact.memory.version().to_string(), json::fact(fact))).collect())
}

fn statements(input: &Input<'_>) -> Answer {
    let stored =
        snapshot(input, |snapshot, at| Ok(snapshot.statements().list(&Selection::default(), at)?))?;
    let item = |statement: &memtape::StoredStatement| {
        (statement.memory.version().to_string(), json::listed(&statement.memory))
    };
    page(input, stored.iter().map(item).collect())
}

fn blocks(input: &Input<'_>) -> Answer {
    let blocks = snapshot(input, |snapshot, at| Ok(snapshot.blocks().list(None, at)?))?;
    Ok(json!({"items": blocks.iter().map(json::block).collect::<Vec<_>>(), "next": null}))
}

fn block(input: &Input<'_>) -> Answer {
    let name = BlockName::new(input.path("name")).map_err(memtape::Error::from)?;
    snapshot(input, |snapshot, at| Ok(json::block(&snapshot.blocks().get(&name, at)?)))
}

fn notes(input: &Input<'_>) -> Answer {
    let notes = snapshot(input, |snapshot, at| Ok(snapshot.notes().list(at)?))?;
    page(input, notes.iter().map(|note| (note.path.to_string(), json!(note))).collect())
}

fn note(input: &Input<'_>) -> Answer {
    snapshot(input, |snapshot, at| {
        let path = snapshot.notes().path(input.path("path"))?;
        Ok(json!({"path": path.as_str(), "text": snapshot.notes().read(&path, at)?.text()}))
    })
}

fn files(input: &Input<'_>) -> Answer {
    let files = snapshot(input, |snapshot, at| Ok(snapshot.files().list(None, at)?))?;
    let item = |file: &memtape::ListedFile| {
        let path = file.path.as_str().to_owned();
        (path.clone(), json!({"path": path, "updated_at": file.updated_at.to_string()}))
    };
    page(input, files.iter().map(item).collect())
}

fn file(input: &Input<'_>) -> Answer {
    let path = FilePath::new(input.path("path")).map_err(memtape::Error::from)?;
    let file = snapshot(input, |snapshot, at| Ok(snapshot.files().read(&path, at)?))?;
    Ok(match String::from_utf8(file.bytes) {
        Ok(text) => json!({"path": path.as_str(), "text": text}),
        Err(e) => json!({"path": path.as_str(), "base64": memtape::encoded_unless_text(e.as_bytes())}),
    })
}

fn reference(input: &Input<'_>) -> Result<Ref, Failure> {
    Ok(input.path("ref").parse().map_err(memtape::Error::from)?)
}

fn memory(input: &Input<'_>) -> Answer {
    let audience = input.caller.audience(input.workspace)?;
    let shown = input.workspace.show(&reference(input)?, &audience, &input.at()?)?;
    Ok(json!({"items": shown.iter().map(json::shown).collect::<Vec<_>>()}))
}

fn why(input: &Input<'_>) -> Answer {
    let audience = input.caller.audience(input.workspace)?;
    Ok(json::why(&input.workspace.why(&reference(input)?, &audience, &input.at()?)?))
}

fn lines(input: &Input<'_>) -> Answer {
    /// Default number of lines.
    const LIMIT: u64 = 100;
    /// Maximum number of lines.
    const LIMIT_MAX: u64 = 1000;
    let number = |count: u64| usize::try_from(count.min(LIMIT_MAX)).unwrap_or(usize::MAX);
    let question = journal::Question {
        types: input.text("type").map(str::to_owned).into_iter().collect(),
        tail: input.count("tail").map(number),
        after: input.count("after").unwrap_or_default(),
        ..journal::Question::default()
    };
    let most = number(input.count("limit").unwrap_or(LIMIT));
    snapshot(input, |snapshot, at| {
        let journal = snapshot.journal();
        journal.check_types(&question.types, at)?;
        let mut lines = Vec::new();
        let mut next: Option<EntryId> = None;
        let read = journal.each(&question, at, |line| {
            // An entry can have several lines, which are not separated.
            if lines.len() >= most && next != Some(line.entry) {
                return Err(Stop::Full);
            }
            next = Some(line.entry);
            lines.push(line.to_json());
            Ok(())
        });
        let is_full = match read {
            Ok(()) => false,
            Err(Stop::Full) => true,
            Err(Stop::Failed(e)) => return Err(e.into()),
        };
        Ok(json!({"items": lines, "next": next.filter(|_| is_full)}))
    })
}

/// Why the reading of lines stopped early.
enum Stop {
    Full,
    Failed(memtape::Error),
}

impl From<memtape::Error> for Stop {
    fn from(error: memtape::Error) -> Self {
        Self::Failed(error)
    }
}

fn log(input: &Input<'_>) -> Answer {
    /// Default number of commits.
    const LIMIT: u64 = 20;
    /// Maximum number of commits.
    const LIMIT_MAX: u64 = 200;
    /// Maximum number of changes of a commit.
    const CHANGES_MAX: usize = 50;
    let limit = input.count("limit").unwrap_or(LIMIT).min(LIMIT_MAX);
    let question = CommitQuestion {
        audience: input.caller.audience(input.workspace)?,
        before: input.count("before"),
        limit: usize::try_from(limit).ok(),
        changes: Some(CHANGES_MAX),
        ..CommitQuestion::default()
    };
    let commits = input.workspace.log(&question, &input.at()?)?;
    let next = commits.last().filter(|_| commits.len() as u64 == limit).map(|commit| commit.first);
    Ok(json!({"items": commits.iter().map(json::commit).collect::<Vec<_>>(), "next": next}))
}

fn status(input: &Input<'_>) -> Answer {
    if !input.caller.is_owner {
        // The size of other conversations is hidden from this caller.
        let branches = input.workspace.branches().for_audience(input.caller.audience(input.workspace)?);
        let branch = branches.in_session(input.caller.session.clone()).current(&input.at()?)?;
        return Ok(json!({"branch": branch}));
    }
    let status = input.workspace.status(&input.at()?)?;
    let mut upstream = json::upstream(input.workspace.upstream_status()?.as_ref());
    if upstream["error"].is_null()
        && let Some(upstream) = upstream.as_object_mut()
    {
        // It is the time of this request, and the entity tag would be another one each time.
        upstream.remove("contact");
    }
    let memories: serde_json::Map<_, _> =
        status.memories.iter().map(|(form, count)| (form.to_string(), json!(count))).collect();
    Ok(json!({
        "id": status.id,
        "branch": status.branch,
        "entries": status.entries,
        "last_date": status.last_date.map(|date| date.to_string()),
        "conversations": status.conversations,
        "memories": memories,
        "upstream": upstream,
    }))
}
