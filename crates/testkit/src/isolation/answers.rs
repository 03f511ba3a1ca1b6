//! Calls every read for one asker at one point: those without a query, and those with one.
//!
//! Every new read must be added here; otherwise the law does not cover it.

use std::collections::HashSet;

use memtape::consolidate::ReportPart;
use memtape::decay::DecayQuestion;
use memtape::export::Format;
use memtape::journal::Question as JournalQuestion;
use memtape::ledger::{Filter, Target};
use memtape::log;
use memtape::tape::LogQuestion;
use memtape::{
    At, Audience, Backend, BlockName, Category, CommitQuestion, Export, FilePath, Form, Recall, Recalled,
    ViewQuestion,
};
use serde_json::json;

use super::sees::{lives_in, sees};
use super::world::{Asker, Home, Planted, SESSIONS, What, session};
use super::written::{Written, about};
use crate::exports::Made;
use crate::laws::{Verdict, text};

/// The answer of one call to an asker.
pub(super) struct Answer {
    /// The name of the call.
    pub(super) call: String,
    pub(super) text: String,
    /// Whether the call shows memories that were not requested by name.
    pub(super) by_itself: bool,
}

impl Answer {
    /// Returns whether the answer may contain an item. The tape is read by whole chats, so a session fact
    /// counts there as recorded in the chat of its session.
    pub(super) fn may_hold(&self, asker: &Asker, planted: &Planted) -> bool {
        match lives_in(planted).filter(|_| self.call.contains("tape")) {
            Some(lived) => sees(
                asker,
                &Planted { what: What::Fact { session: false }, home: Home::Chat(lived), ..planted.clone() },
                self.by_itself,
            ),
            None => sees(asker, planted, self.by_itself),
        }
    }
}

impl Written<'_> {
    /// Returns the answers of all reads without a query.
    pub(super) fn unasked(&self, asker: &Asker, audience: &Audience, at: &At) -> Result<Vec<Answer>, String> {
        let workspace = &self.test.workspace;
        let mut answers = Vec::new();
        let mut add = |call: &str, by_itself, text: String| {
            answers.push(Answer { call: call.to_owned(), text, by_itself });
        };
        for form in Form::all() {
            add("memories", false, format!("{:?}", workspace.memories(form, audience, at)));
        }
        let found = workspace.consolidation(audience, at).map_err(text)?;
        add("consolidation", false, format!("{found:?}\n{}", found.render(&ReportPart::ALL)));
        let zone = workspace.zone().for_audience(audience.clone());
        add("zone view", true, format!("{:?}", zone.view(at).map_err(text)?));
        add("zone context", true, zone.context(at).map_err(text)?);
        for days in [0, 1, 40] {
            add("zone recall", true, zone.recall(None, Some(days), 20, at).map_err(text)?);
        }
        let blocks = workspace.blocks().for_audience(audience.clone());
        add("blocks", false, format!("{:?}", blocks.list(None, at).map_err(text)?));
        add("waiting blocks", false, format!("{:?}", blocks.waiting(at).map_err(text)?));
        let goals = BlockName::new("goals").map_err(text)?;
        add("a block", false, format!("{:?}", blocks.history(&goals, 100, at).map_err(text)?));
        self.pages(audience, at, &mut add)?;
        let ledger = workspace.ledger().for_audience(audience.clone());
        add("facts", false, format!("{:?}", ledger.list(&Filter::default(), at)));
        add("facts' context", true, ledger.context(at).map_err(text)?);
        let asked_in = session(asker.session.unwrap_or_default());
        let tools = workspace.tools().for_session(asked_in).for_audience(audience.clone()).at(at.clone());
        for tool in tools.list().filter(|tool| tool.read_only) {
            for arguments in [
                json!({}),
                json!({"days": 40}),
                json!({"query": "tea", "limit": 40}),
                json!({"show_events": true}),
            ] {
                let reply = tools.call(tool.name, arguments.clone());
                add(&format!("{} {arguments}", tool.name), true, format!("{reply:?}"));
            }
        }
        let open = workspace.open_conflicts(audience, at).map_err(text)?;
        add("open conflicts", false, format!("{open:?}"));
        self.told(audience, at, &mut add)?;
        let tape = workspace.tape().for_audience(audience.clone());
        add("tape log", false, format!("{:?}", tape.log(&LogQuestion::default(), at)));
        let last = LogQuestion { limit: Some(9), ..LogQuestion::default() };
        add("tape log", false, format!("{:?}", tape.log(&last, at)));
        let journal = workspace.journal().for_audience(audience.clone());
        for of in std::iter::once(None).chain((0..SESSIONS.len()).map(|n| Some(session(n)))) {
            let all = JournalQuestion { session: of, ..JournalQuestion::default() };
            add("journal", true, format!("{:?}", journal.lines(&all, at)));
            let types = memtape::journal::types().map(|known| known.name.to_owned()).collect();
            let tail = JournalQuestion { tail: Some(9), types, ..all };
            add("journal", true, format!("{:?}", journal.lines(&tail, at)));
        }
        add("the journal's tail", true, format!("{:?}", journal.tail(&HashSet::new(), at)));
        let fading = DecayQuestion { audience: audience.clone(), days: 0, ..DecayQuestion::default() };
        add("decay", true, format!("{:?}", workspace.decay(&fading, at)));
        for of in std::iter::once(None).chain((0..SESSIONS.len()).map(|n| Some(session(n)))) {
            let of = of.as_ref();
            add("tape anchors", false, format!("{:?}", tape.anchors(of, true, None, at)));
            add("tape from last anchor", false, format!("{:?}", tape.from_last_anchor(of, &[], at)));
            add("tape after", false, format!("{:?}", tape.after_anchor("phase", of, &[], at)));
            let (start, end) = ("session/start", "phase");
            add("tape between", false, format!("{:?}", tape.between_anchors((start, end), of, &[], at)));
        }
        Ok(answers)
    }

    /// Adds the answers about notes and files, which a person may edit.
    fn pages(&self, audience: &Audience, at: &At, add: &mut impl FnMut(&str, bool, String)) -> Verdict {
        let workspace = &self.test.workspace;
        let notes = workspace.notes().for_audience(audience.clone());
        let files = notes.view(at).map_err(text)?;
        add("notes", false, format!("{files:?}"));
        add("index of notes", true, notes.index(at).map_err(text)?);
        for file in files.files() {
            let log = notes.log(&file.path, at);
            add("log of a note", false, format!("{log:?}"));
        }
        for end in &self.ends {
            let path = notes.path(&format!("facts/page{end}.md")).map_err(text)?;
            add("a note", false, format!("{:?}", notes.read(&path, at).map_err(|e| e.to_string())));
            add(
                "diff of a note",
                false,
                format!("{:?}", notes.diff(&path, &At::entry(1), at).map_err(|e| e.to_string())),
            );
        }
        let long = workspace.files().for_audience(audience.clone());
        add("files", false, format!("{:?}", long.list(None, at).map_err(text)?));
        for end in &self.ends {
            let path = FilePath::new(&format!("drafts/page{end}.md")).map_err(text)?;
            add("a file", false, format!("{:?}", long.read(&path, at).map_err(|e| e.to_string())));
            add("log of a file", false, format!("{:?}", long.log(&path, at).map_err(|e| e.to_string())));
        }
        let tools = workspace.tools().for_audience(audience.clone()).at(at.clone());
        for directory in ["", "/facts", "/drafts"] {
            let view = json!({"command": "view", "path": format!("/memories{directory}")});
            let reply = tools.memory_tool(view).map_err(|e| e.to_string());
            add("a directory of the memory tool", true, format!("{reply:?}"));
        }
        for end in &self.ends {
            for folder in ["facts", "drafts"] {
                let view = json!({"command": "view", "path": format!("/memories/{folder}/page{end}.md")});
                let reply = tools.memory_tool(view).map_err(|e| e.to_string());
                add("a view of the memory tool", false, format!("{reply:?}"));
            }
        }
        Ok(())
    }

    /// Adds the answers about commits and about all memories. Of confidential memories, even the owner sees
    /// only the ref there.
    fn told(&self, audience: &Audience, at: &At, add: &mut impl FnMut(&str, bool, String)) -> Verdict {
        let workspace = &self.test.workspace;
        for everywhere in [false, true] {
            let question =
                CommitQuestion { audience: audience.clone(), everywhere, ..CommitQuestion::default() };
            let commits = workspace.log(&question, at).map_err(text)?;
            let lines: Vec<_> = commits.iter().map(log::message).collect();
            add("log", true, format!("{commits:?} {lines:?}"));
        }
        for end in &self.ends {
            let shown = workspace.show_commit(&format!("@{end}"), audience, at).map_err(|e| e.to_string());
            add("show of a commit", true, format!("{shown:?}"));
        }
        // A diff names its points itself, and may show items after `at`.
        if at.is_head() {
            let middle = format!("@{}", self.ends[self.ends.len() / 2]);
            for (from, to) in [("@1", middle.as_str()), (&middle, "head")] {
                add("diff", true, format!("{:?}", workspace.diff(from, to, audience, None).map_err(text)?));
            }
        }
        let graph = workspace.graph(audience, 50, at).map_err(text)?;
        add("graph", true, graph.mermaid() + &graph.timeline(workspace.time_zone()));
        let view = ViewQuestion { audience: audience.clone(), ..ViewQuestion::default() };
        add("view", true, format!("{:?}", workspace.view(&view, at).map_err(text)?));
        add("stats", true, format!("{:?}", workspace.stats(audience, at).map_err(text)?));
        for format in Format::ALL {
            for form in [None].into_iter().chain(Form::all().map(Some)) {
                let export =
                    Export { audience: audience.clone(), format, form, history: true, confidential: false };
                // The owner's tape has whole chats, as the log of the tape has.
                let is_tape = format == Format::Jsonl && form.is_none() && *audience == Audience::owner();
                let call = if is_tape { "export of the tape" } else { "export" };
                let made = Made::new(workspace, &export, at).map(|made| made.all());
                add(call, true, format!("{format:?} {form:?} {}", made.unwrap_or_else(|e| e.to_string())));
            }
        }
        Ok(())
    }

    /// Returns the answers of all reads with a query.
    pub(super) fn asked(
        &self,
        query: &str,
        audience: &Audience,
        backend: Backend,
        at: &At,
    ) -> Result<Vec<Answer>, String> {
        let workspace = &self.test.workspace;
        let mut answers = Vec::new();
        let mut add = |call: &str, by_itself, text: String| {
            answers.push(Answer { call: format!("{call} {query:?}"), text, by_itself });
        };
        let recalled = workspace.recall(&recall(query, audience, backend), at).map_err(text)?;
        let hits: Vec<_> =
            recalled.hits.iter().map(|hit| (&hit.reference, &hit.memory.text, &hit.also)).collect();
        add("recall", true, format!("{hits:?} {:?} {:?}", recalled.left, recalled.note));
        let search = Recall { forms: vec![Form::STATEMENTS], ..recall(query, audience, backend) };
        for categories in [vec![], vec![Category::Decision, Category::Fact]] {
            let search = Recall { categories, ..search.clone() };
            let Recalled { hits, left, note, shown: _ } = workspace.recall(&search, at).map_err(text)?;
            let hits: Vec<_> = hits.iter().map(|hit| (&hit.reference, &hit.memory.text, &hit.also)).collect();
            add("search", true, format!("{hits:?} {left:?} {note:?}"));
        }
        if at.is_head() {
            let statements = workspace.statements().for_audience(audience.clone());
            let held = statements.holding(query).map_err(|e| e.to_string());
            add("holding", true, format!("{held:?}"));
        }
        let zone = workspace.zone().for_audience(audience.clone());
        add("zone recall", true, zone.recall(Some(query), None, 20, at).map_err(text)?);
        let tools = workspace.tools().for_audience(audience.clone()).at(at.clone());
        let reply = tools.call("memory_recall", json!({"query": query}));
        add("memory_recall", true, format!("{reply:?}"));
        let ledger = workspace.ledger().for_audience(audience.clone());
        let facts = ledger.search(Some(query), &Filter::default(), at).map_err(|e| e.to_string());
        add("facts", true, format!("{facts:?}"));
        let history = ledger.history(&Target::Named(about(query)), at).map_err(|e| e.to_string());
        add("facts' history", false, format!("{history:?}"));
        let tape = workspace.tape().for_audience(audience.clone());
        add("tape search", false, format!("{:?}", tape.search(query, None, &[], 50, at)));
        add("tape after", false, format!("{:?}", tape.after_anchor(query, None, &[], at)));
        Ok(answers)
    }
}

/// Returns the recall of a query for an audience.
pub(super) fn recall(query: &str, audience: &Audience, backend: Backend) -> Recall {
    Recall { audience: audience.clone(), backend: Some(backend), ..Recall::new(query) }
}
