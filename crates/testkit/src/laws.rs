//! The laws of the design, tested with the steps of every form.
//!
//! Each function runs steps in a new workspace and fails with a text that states which law was violated and
//! how.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;

use memtape::decay::DecayQuestion;
use memtape::journal::Question as JournalQuestion;
use memtape::recall::HITS_MAX;
use memtape::tape::LogQuestion;
use memtape::toolbox::Tool;
use memtape::{
    At, Audience, Backend, BlockName, Budget, Error, ErrorKind, Form, Inbound, Layer, Left, Memory,
    Prompting, Recall, Toolbox, Workspace,
};
use memtape_core::prompt::{Estimate, MESSAGE_TOKENS, Tokens as _};
use memtape_tape::{FileStorage, Position, Scanned, Segments, Storage};
use serde_json::json;

use crate::dump::dump;
use crate::forms::blocks::NAMES;
use crate::forms::{messages, zone};
use crate::step::Step;
use crate::workspace::{TestWorkspace, options};

/// The result of a law: nothing, or a description of the violation.
pub type Verdict = Result<(), String>;

/// Law 1, *rebuild*: the index equals the index rebuilt from the tape, and the index resumed from any entry.
///
/// # Errors
/// A description of the violation.
pub fn rebuild(steps: &[Step]) -> Verdict {
    let test = TestWorkspace::new();
    run(&test, steps)?;
    view(&test.workspace, &At::head())?;
    let expected = dump(test.path()).map_err(text)?;
    let copy = tempfile::tempdir().map_err(text)?;
    copy_tape(test.path(), copy.path())?;
    let rebuilt = Workspace::open(copy.path(), options(&test.clock)).map_err(text)?;
    view(&rebuilt, &At::head())?;
    same("rebuilt", &expected, &dump(copy.path()).map_err(text)?)?;
    // Another process that has read up to some group resumes from there.
    for prefix in prefixes(test.path())? {
        let copy = tempfile::tempdir().map_err(text)?;
        copy_tape(test.path(), copy.path())?;
        let whole = fs::read(copy.path().join("tape.jsonl")).map_err(text)?;
        fs::write(copy.path().join("tape.jsonl"), &whole[..prefix]).map_err(text)?;
        let resumed = Workspace::open(copy.path(), options(&test.clock)).map_err(text)?;
        view(&resumed, &At::head())?;
        fs::write(copy.path().join("tape.jsonl"), &whole).map_err(text)?;
        view(&resumed, &At::head())?;
        same("resumed", &expected, &dump(copy.path()).map_err(text)?)?;
    }
    Ok(())
}

/// Law 5, *time*: a view at an entry, prompts included, is the same now as when that entry was the head.
///
/// # Errors
/// A description of the violation.
pub fn time(steps: &[Step]) -> Verdict {
    let test = TestWorkspace::new();
    let show = |head: u64| -> Result<String, String> {
        let at = At::entry(head);
        // Only one conversation's prompt per entry, because rendering prompts is slow.
        let n = u8::try_from(head % 3).unwrap_or_default();
        Ok(view(&test.workspace, &at)? + &prompt(&test.workspace, n, &at)?)
    };
    let mut seen: Vec<(u64, String)> = Vec::new();
    for step in steps {
        step.run(&test.workspace, &test.clock).map_err(text)?;
        let head = test.workspace.status(&At::head()).map_err(text)?.entries;
        seen.push((head, show(head)?));
    }
    for (entry, then) in seen {
        same(&format!("at entry {entry}"), &then, &show(entry)?)?;
    }
    Ok(())
}

/// Law 2, for views: a workspace that is opened again shows everything that was acknowledged.
///
/// # Errors
/// A description of the violation.
pub fn reopened(steps: &[Step]) -> Verdict {
    let test = TestWorkspace::new();
    run(&test, steps)?;
    same("opened again", &view(&test.workspace, &At::head())?, &view(&test.reopened(), &At::head())?)?;
    let verified = Workspace::verify(test.path()).map_err(text)?;
    if verified.tape.bad.is_empty() && verified.tape.torn.is_none() && verified.missing_since.is_none() {
        Ok(())
    } else {
        Err(format!("the tape does not verify: {verified:?}"))
    }
}

/// Law 8, *budget*: no recall, no prompt and no tool reply exceeds its limit.
///
/// # Errors
/// A description of the violation.
pub fn budget(steps: &[Step], query: &str, limit: usize, budget: Budget) -> Verdict {
    let test = TestWorkspace::new();
    run(&test, steps)?;
    let words = Some(Backend::SqliteFts);
    let recall = Recall { limit: Some(limit), budget: Some(budget), backend: words, ..Recall::new(query) };
    for recall in
        [recall.clone(), Recall { backend: None, ..recall.clone() }, Recall { limit: None, ..recall }]
    {
        let hits = test.workspace.recall(&recall, &At::head()).map_err(text)?.hits;
        let most = recall.limit.unwrap_or(test.workspace.config().recall.max_results);
        if hits.len() > most {
            return Err(format!("{} hits where {most} were asked for", hits.len()));
        }
        let shown = |hit: &memtape::Hit| hit.memory.text.chars().count().min(budget.each);
        let characters: usize = hits.iter().map(shown).sum();
        if characters > budget.total {
            return Err(format!("{characters} characters where {} fit", budget.total));
        }
    }
    let context = test.workspace.ledger().context(&At::head()).map_err(text)?.chars().count();
    if context > test.workspace.config().ledger.max_context_chars {
        return Err(format!("{context} characters of what a persona knows"));
    }
    for tokens in [limit * 150, budget.total * 40, test.workspace.config().prompt.budget] {
        prompt_fits(&test.workspace, query, tokens)?;
    }
    let tools = test.workspace.tools();
    for name in NAMES {
        reply_fits(&tools, "memory_get_block", &json!({"name": name}))?;
        reply_fits(&tools, "memory_block_history", &json!({"name": name, "limit": 1000}))?;
    }
    let takes_nothing = |tool: &&Tool| tool.schema().get("required").is_none();
    for tool in tools.list().filter(|tool| tool.read_only).filter(takes_nothing) {
        reply_fits(&tools, tool.name, &serde_json::Value::Null)?;
    }
    for arguments in
        [json!({"query": query}), json!({"query": query, "limit": 1000}), json!({"days": 100_000})]
    {
        reply_fits(&tools, "memory_recall", &arguments)?;
    }
    for arguments in [json!({"limit": 1000}), json!({"query": "tea", "limit": 1000})] {
        reply_fits(&tools, "memory_search", &arguments)?;
    }
    Ok(())
}

/// Checks that a prompt does not exceed its token budget. If the budget is refused, the error states the
/// smallest one that works.
fn prompt_fits(workspace: &Workspace, text_of: &str, budget: usize) -> Verdict {
    let inbound = Inbound::new(text_of);
    for n in 0..3 {
        let conversation = workspace.conversation(messages::session(n));
        let ask = |budget| {
            let asking = Prompting { budget: Some(budget), ..Prompting::default() };
            conversation.prompt(&inbound, &asking, &At::head())
        };
        let (budget, prompt) = match ask(budget) {
            Err(Error::Refused(why)) => {
                let least = why.rsplit(' ').find_map(|word| word.parse().ok());
                let least = least.filter(|least| *least > budget).ok_or(why)?;
                (least, ask(least).map_err(text)?)
            }
            asked => (budget, asked.map_err(text)?),
        };
        let messages =
            prompt.messages.iter().map(|message| Estimate.count(&message.content) + MESSAGE_TOKENS);
        let tokens = Estimate.count(&prompt.system) + messages.sum::<usize>();
        if tokens > budget || tokens != prompt.tokens {
            return Err(format!(
                "a prompt of {tokens} tokens (it says {}) where {budget} fit",
                prompt.tokens
            ));
        }
    }
    Ok(())
}

fn reply_fits(tools: &Toolbox<'_>, name: &str, arguments: &serde_json::Value) -> Verdict {
    let reply = match tools.call(name, arguments.clone()) {
        Err(error) if error.kind() == ErrorKind::NotFound => error.to_string(),
        reply => reply.map_err(text)?,
    };
    let length = reply.chars().count();
    match length > memtape::toolbox::REPLY_CHARS_MAX {
        true => Err(format!("{name} {arguments} answers {length} characters")),
        false => Ok(()),
    }
}

/// Checks that any query is answered: with hits, with the number of hits left out, or with a note that states
/// why there are none.
///
/// # Errors
/// A description of the violation.
pub fn any_query(workspace: &Workspace, query: &str, backend: Backend) -> Verdict {
    let recall = Recall { backend: Some(backend), ..Recall::new(query) };
    let recalled = workspace.recall(&recall, &At::head()).map_err(text)?;
    let says_nothing = recalled.hits.is_empty() && recalled.left == Left::default();
    match says_nothing == recalled.note.is_some() {
        true => Ok(()),
        false => Err(format!("{query:?} is answered by {recalled:?}")),
    }
}

/// Returns everything that readers see at a point as text: over every form, for each of a few audiences.
///
/// # Errors
/// The text of the workspace's error if a read fails.
pub fn view(workspace: &Workspace, at: &At) -> Result<String, String> {
    let mut out = String::new();
    for audience in zone::audiences() {
        out.push_str(&format!("to {audience:?}\n"));
        out.push_str(&workspace.zone().for_audience(audience.clone()).context(at).map_err(text)?);
        for form in Form::all() {
            for memory in workspace.memories(form, &audience, at).map_err(text)? {
                let Memory {
                    id, text, scope, sensitivity, category, importance, confidence, expires_at, ..
                } = memory;
                let more = format!("{category:?} {importance:?} {confidence:?} {expires_at:?}");
                out.push_str(&format!("{form} {} {scope} {sensitivity} {more} {text:?}\n", id.number()));
            }
        }
        let blocks = workspace.blocks().for_audience(audience.clone());
        out.push_str(&format!("{:?}\n", blocks.list(None, at).map_err(text)?));
        out.push_str(&format!("waiting: {:?}\n", blocks.waiting(at).map_err(text)?));
        for name in NAMES {
            let name = BlockName::new(name).map_err(text)?;
            let history = blocks.history(&name, usize::MAX, at).map_err(|e| e.to_string());
            out.push_str(&format!("{name}: {history:?}\n"));
        }
        let ledger = workspace.ledger().for_audience(audience.clone());
        out.push_str(&ledger.context(at).map_err(text)?);
        out.push_str(&format!("recalled: {:?}\n", recalled(workspace, &audience, at)?));
        let journal = workspace.journal().for_audience(audience.clone());
        for line in journal.lines(&JournalQuestion::default(), at).map_err(text)? {
            out.push_str(&format!("{line}\n"));
        }
        out.push_str(&journal.tail(&HashSet::new(), at).map_err(text)?);
        let fading = DecayQuestion { audience: audience.clone(), days: 0, ..DecayQuestion::default() };
        for faded in workspace.decay(&fading, at).map_err(text)?.faded {
            let (id, strength, recalls) = (faded.memory.id.number(), faded.strength, faded.recalls);
            out.push_str(&format!("fading: {id} {strength} {recalls}\n"));
        }
        let tape = workspace.tape().for_audience(audience);
        let log: Vec<_> = tape.log(&LogQuestion::default(), at).map_err(text)?.iter().map(|e| e.id).collect();
        out.push_str(&format!("log: {log:?}\n"));
    }
    for n in 0..3 {
        let conversation = workspace.conversation(messages::session(n));
        let ids: Vec<_> = conversation.context(at).map_err(text)?.iter().map(|entry| entry.id).collect();
        out.push_str(&format!("context {n}: {ids:?}\n"));
    }
    Ok(out)
}

/// Returns the prompt of a turn at a fixed time. It recalls nothing, because the ranking of recalled memories
/// depends on scores.
fn prompt(workspace: &Workspace, n: u8, at: &At) -> Result<String, String> {
    let said_at = "2026-06-01T12:00:00Z".parse().map_err(text)?;
    // The text has no word to search for.
    let inbound = Inbound { said_at: Some(said_at), ..Inbound::new("?") };
    let conversation = workspace.conversation(messages::session(n));
    Ok(conversation.prompt(&inbound, &Prompting::default(), at).map_err(text)?.text())
}

/// Returns the refs that a word search finds at a point, unordered: later entries change the scores, but not
/// the set of hits.
fn recalled(workspace: &Workspace, audience: &Audience, at: &At) -> Result<BTreeSet<String>, String> {
    let scopes = audience.scopes().unwrap_or_default();
    if scopes.iter().any(|scope| scope.layer() == Layer::User) {
        // A recall takes only the best few of a user's memories, and their choice depends on the scores.
        return Ok(BTreeSet::new());
    }
    let recall = Recall {
        audience: audience.clone(),
        backend: Some(Backend::SqliteFts),
        limit: Some(HITS_MAX),
        ..Recall::new("tea message number be kind")
    };
    let hits = workspace.recall(&recall, at).map_err(text)?.hits;
    Ok(hits
        .into_iter()
        .flat_map(|hit| [hit.reference].into_iter().chain(hit.also))
        .map(|r| r.to_string())
        .collect())
}

pub(crate) fn run(test: &TestWorkspace, steps: &[Step]) -> Verdict {
    for step in steps {
        step.run(&test.workspace, &test.clock).map_err(|e| format!("{step:?} failed: {e}"))?;
    }
    Ok(())
}

/// Copies a tape and its archived segments, without the index.
///
/// # Errors
/// The text of the I/O error if a file cannot be copied.
pub fn copy_tape(from: &Path, to: &Path) -> Verdict {
    fs::copy(from.join("tape.jsonl"), to.join("tape.jsonl")).map_err(text)?;
    if from.join("archive").exists() {
        fs::create_dir_all(to.join("archive")).map_err(text)?;
        for file in fs::read_dir(from.join("archive")).map_err(text)? {
            let file = file.map_err(text)?;
            fs::copy(file.path(), to.join("archive").join(file.file_name())).map_err(text)?;
        }
    }
    Ok(())
}

/// Returns a few lengths of the active segment at which a group ends.
fn prefixes(dir: &Path) -> Result<Vec<usize>, String> {
    let storage: std::sync::Arc<dyn Storage> = std::sync::Arc::new(FileStorage::new(dir));
    let segments = Segments::open(&storage).map_err(text)?;
    let mut ends = Vec::new();
    segments
        .scan(Position::START)
        .run(|scanned| {
            if let Scanned::Group(group) = scanned
                && group.end.segment == segments.active()
            {
                ends.push(usize::try_from(group.end.offset).unwrap_or_default());
            }
            Ok::<(), memtape_tape::Error>(())
        })
        .map_err(text)?;
    let step = (ends.len() / 4).max(1);
    Ok(ends.into_iter().step_by(step).collect())
}

pub(crate) fn same(what: &str, expected: &str, found: &str) -> Verdict {
    if expected == found {
        return Ok(());
    }
    let difference = expected.lines().zip(found.lines()).find(|(a, b)| a != b);
    Err(match difference {
        Some((a, b)) => format!("{what}: expected\n  {a}\nfound\n  {b}"),
        None => {
            format!("{what}: {} lines expected, {} found", expected.lines().count(), found.lines().count())
        }
    })
}

pub(crate) fn text(e: impl std::fmt::Display) -> String {
    e.to_string()
}
