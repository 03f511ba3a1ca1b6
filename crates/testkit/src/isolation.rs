//! Law 4, *isolation*: nothing outside an audience's scopes is returned by any read, tool or error text.
//!
//! Every memory holds a word that no other text has. What an asker may see is said here from the design ([`sees`]),
//! not from what the index does. Then everything that reads is called for that asker, and no answer may hold a word
//! that is not for them; whatever is for them must be found.

use std::collections::{BTreeMap, HashSet};

use jiff::ToSpan as _;
use memtape::consolidate::Part;
use memtape::decay::DecayQuestion;
use memtape::export::Format;
use memtape::journal::Question as JournalQuestion;
use memtape::ledger::{Filter, Meant, Named, Told};
use memtape::log;
use memtape::tape::LogQuestion;
use memtape::{
    Added, At, Audience, Backend, BlockName, Category, CommitQuestion, Config, Durability, Export, FilePath,
    Form, Inbound, Layer, Memory, Mode, Prompting, Recall, Recalled, Ref, Scope, Sensitivity, Session,
    Toolset, ViewQuestion, calendar,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::laws::{Verdict, text};
use crate::workspace::{START, TestWorkspace};

/// Conversations, and which chat each is in: threads share theirs, and ids that look alike are not the same.
const SESSIONS: [(&str, u8); 7] = [
    ("cli:direct", 0),
    ("telegram:1", 1),
    ("telegram:1:thread", 1),
    ("telegram:2", 2),
    ("discord:1", 3),
    ("discord:a%3Ab", 4),
    ("discord:a:b", 5),
];
/// Users, and which person each is.
const USERS: [(&str, u8); 4] = [("telegram:42", 0), ("discord:ana", 0), ("telegram:7", 1), ("discord:42", 2)];
/// The name under which the configuration declares the first person.
const NAME: &str = "ana";
/// What texts have in common.
const SHARED: [&str; 4] = ["likes green tea", "lives in Porto", "likes tea in Porto", "flies on Friday"];
/// A word that stands nowhere.
const GHOST: &str = "zqzzzk";
/// How all words that tell memories apart begin.
const PREFIX: &str = "zq";

/// What a thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Something said.
    Message,
    /// A line of long-term memory.
    Line,
    /// A piece of a daily note, so many days ago.
    Note(u8),
    /// A statement.
    Statement(Category),
    /// A fact, that may live as long as its conversation.
    Fact {
        /// Whether it does.
        session: bool,
    },
    /// A section of a note, which is always the workspace's.
    Section,
    /// A file.
    File,
    /// A block, which is always the workspace's.
    Block,
    /// An anchor with a state.
    Mark,
    /// An event that nobody knows.
    Event,
}

/// Whose a line or note is written to be.
#[derive(Clone, Copy, Debug)]
pub enum Home {
    /// That of a conversation's chat.
    Chat(usize),
    /// A user's.
    User(usize),
    /// The workspace's.
    Workspace,
}

/// Something written.
#[derive(Clone, Debug)]
pub struct Thing {
    what: What,
    session: usize,
    home: Home,
    sensitivity: Sensitivity,
    shared: usize,
}

/// Who asks.
#[derive(Clone, Debug)]
pub struct Asker {
    /// In a conversation.
    session: Option<usize>,
    /// As a user; after the last of them, by the declared name.
    user: Option<usize>,
    layer: Option<Layer>,
}

/// What is written, and who asks.
#[derive(Clone, Debug)]
pub struct World {
    things: Vec<Thing>,
    askers: Vec<Asker>,
    /// After how many of the things the earlier point is.
    earlier: prop::sample::Index,
}

/// Any world.
pub fn worlds() -> BoxedStrategy<World> {
    let things = proptest::collection::vec(thing(), 4..14);
    let askers = proptest::collection::vec(asker(), 3..6);
    (things, askers, any::<prop::sample::Index>())
        .prop_map(|(things, askers, earlier)| World { things, askers, earlier })
        .boxed()
}

fn thing() -> impl Strategy<Value = Thing> {
    let what = prop_oneof![
        4 => Just(What::Message),
        4 => Just(What::Line),
        3 => (0_u8..3).prop_map(What::Note),
        5 => prop::sample::select(Category::ALL.to_vec()).prop_map(What::Statement),
        5 => any::<bool>().prop_map(|session| What::Fact { session }),
        3 => Just(What::Section),
        2 => Just(What::Block),
        2 => Just(What::File),
        1 => Just(What::Mark),
        1 => Just(What::Event),
    ];
    let home = prop_oneof![
        3 => (0..SESSIONS.len()).prop_map(Home::Chat),
        3 => (0..USERS.len()).prop_map(Home::User),
        2 => Just(Home::Workspace),
    ];
    let sensitivity = prop_oneof![
        4 => Just(Sensitivity::Normal),
        2 => Just(Sensitivity::Private),
        2 => Just(Sensitivity::Confidential),
    ];
    (what, 0..SESSIONS.len(), home, sensitivity, 0..SHARED.len()).prop_map(
        |(what, session, home, sensitivity, shared)| match what {
            What::Section | What::Block | What::File => {
                Thing { what, session, home: Home::Workspace, sensitivity: Sensitivity::Normal, shared }
            }
            _ => Thing { what, session, home, sensitivity, shared },
        },
    )
}

fn asker() -> impl Strategy<Value = Asker> {
    let session = proptest::option::weighted(0.7, 0..SESSIONS.len());
    let user = proptest::option::weighted(0.6, 0..=USERS.len());
    let layer = prop_oneof![
        5 => Just(None),
        1 => Just(Some(Layer::Chat)),
        1 => Just(Some(Layer::User)),
        1 => Just(Some(Layer::Global)),
    ];
    (session, user, layer).prop_map(|(session, user, layer)| Asker { session, user, layer })
}

/// Whose a thing is, by the design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Chat(u8),
    Person(u8),
    Everybody,
}

/// Whose a thing is: what is said or marked belongs to its chat, a line or note to whom it was written for; what is
/// private is never the workspace's, and what was written at the terminal is then the terminal's.
fn owner(thing: &Thing) -> Owner {
    match (thing.what, thing.home) {
        (What::Message | What::Mark | What::Event, _) => Owner::Chat(SESSIONS[thing.session].1),
        (_, Home::Chat(session)) => Owner::Chat(SESSIONS[session].1),
        (_, Home::User(user)) => Owner::Person(USERS[user].1),
        (What::Fact { session: true }, Home::Workspace) => Owner::Chat(0),
        (_, Home::Workspace) if thing.sensitivity == Sensitivity::Private => Owner::Chat(0),
        (_, Home::Workspace) => Owner::Everybody,
    }
}

/// The conversation that a fact lives as long as; a user in none has no such facts.
fn lives_in(thing: &Thing) -> Option<usize> {
    match (thing.what, thing.home) {
        (What::Fact { session: true }, Home::Chat(session)) => Some(session),
        (What::Fact { session: true }, Home::Workspace) => Some(0),
        _ => None,
    }
}

/// Whether an asker may be shown a thing: their chat's, their own (of statements only what they prefer and what is so:
/// what was decided or happened elsewhere stays there) and the workspace's, and for who is the owner everything. What is confidential nobody but the owner sees, and it never shows by itself.
fn sees(asker: &Asker, thing: &Thing, by_itself: bool) -> bool {
    let is_owner = asker.session.is_none() && asker.user.is_none();
    let (layer, own) = match owner(thing) {
        Owner::Chat(chat) => (Layer::Chat, asker.session.is_some_and(|n| SESSIONS[n].1 == chat)),
        Owner::Person(person) => {
            (Layer::User, asker.user.is_some_and(|n| USERS.get(n).map_or(0, |user| user.1) == person))
        }
        Owner::Everybody => (Layer::Global, true),
    };
    let own = own
        && lives_in(thing).is_none_or(|session| asker.session == Some(session))
        && match (thing.what, layer) {
            (What::Statement(category), Layer::User) => {
                matches!(category, Category::Preference | Category::Fact)
            }
            _ => true,
        };
    let shown = thing.sensitivity != Sensitivity::Confidential || (is_owner && !by_itself);
    shown && (is_owner || own) && asker.layer.is_none_or(|wanted| wanted == layer)
}

/// The word that only the n-th thing holds: no part of another one, and stemmed to itself.
fn word(n: usize) -> String {
    const LETTERS: [char; 14] = ['b', 'c', 'd', 'f', 'g', 'h', 'j', 'm', 'n', 'p', 'r', 't', 'v', 'w'];
    [n / 14 % 14, n % 14, n * 5 % 14]
        .iter()
        .fold(PREFIX.to_owned(), |word, n| word + &LETTERS[*n].to_string())
        + "k"
}

/// A workspace in which a world was written.
struct Written<'a> {
    world: &'a World,
    test: TestWorkspace,
    /// The last entry after each thing.
    ends: Vec<u64>,
    /// The memory that each thing is; marks and events are none.
    memories: BTreeMap<usize, Memory>,
}

/// An answer to an asker.
struct Answer {
    /// What was called.
    call: String,
    text: String,
    /// Whether it shows what was not asked for by name.
    by_itself: bool,
}

impl Answer {
    /// Whether an asker may read of a thing in it. The tape is read by whole chats: what lives as long as a conversation
    /// was told in the chat.
    fn may_hold(&self, asker: &Asker, thing: &Thing) -> bool {
        match lives_in(thing).filter(|_| self.call.contains("tape")) {
            Some(lived) => sees(
                asker,
                &Thing { what: What::Fact { session: false }, home: Home::Chat(lived), ..thing.clone() },
                self.by_itself,
            ),
            None => sees(asker, thing, self.by_itself),
        }
    }
}

/// The law: what each asker is shown, at the head and at an earlier point, and what writing for them leaves alone.
///
/// # Errors
/// How it was broken.
pub fn isolation(world: &World, backend: Backend) -> Verdict {
    let written = Written::new(world, backend)?;
    let earlier = world.earlier.index(world.things.len());
    let whole = Asker { session: None, user: None, layer: None };
    for asker in world.askers.iter().chain([&whole]) {
        for (at, there) in [(At::head(), world.things.len()), (At::entry(written.ends[earlier]), earlier + 1)]
        {
            written.reads(asker, backend, &at, there)?;
        }
    }
    for (n, _) in SESSIONS.iter().enumerate() {
        written.conversation(n)?;
    }
    for asker in world.askers.iter().chain([&whole]) {
        written.writes(asker)?;
    }
    Ok(())
}

impl<'a> Written<'a> {
    fn new(world: &'a World, backend: Backend) -> Result<Self, String> {
        let mut config = Config { durability: Durability::Os, ..Config::default() };
        config.recall.backend = backend;
        let declared = USERS.iter().filter(|user| user.1 == 0).map(|user| user.0.to_owned()).collect();
        config.users.insert(NAME.into(), declared);
        let test = TestWorkspace::configured(config);
        let mut ends = Vec::new();
        for (n, thing) in world.things.iter().enumerate() {
            write(&test, thing, &text_of(n, thing)).map_err(text)?;
            ends.push(test.workspace.status(&At::head()).map_err(text)?.entries);
        }
        if backend == Backend::Hybrid {
            test.workspace.make_vectors(|_| ()).map_err(text)?;
        }
        let mut memories = BTreeMap::new();
        for form in Form::ALL {
            for memory in test.workspace.memories(form, &Audience::owner(), &At::head()).map_err(text)? {
                let n = (0..world.things.len()).find(|n| memory.text.contains(&word(*n)));
                memories.extend(n.map(|n| (n, memory)));
            }
        }
        Ok(Self { world, test, ends, memories })
    }

    fn audience(&self, asker: &Asker) -> Result<Audience, String> {
        let user = asker.user.map(|n| USERS.get(n).map_or(NAME, |user| user.0));
        let audience =
            self.test.workspace.audience(asker.session.map(session).as_ref(), user).map_err(text)?;
        Ok(match asker.layer {
            Some(layer) => audience.only(layer),
            None => audience,
        })
    }

    /// Fails where an answer holds a word that the asker may not see, but for one that stood in the question.
    fn check(&self, asker: &Asker, answer: &Answer, there: usize, asked: Option<usize>) -> Verdict {
        for (n, thing) in self.world.things.iter().enumerate() {
            let allowed = n < there && answer.may_hold(asker, thing);
            if !allowed && asked != Some(n) && answer.text.contains(&word(n)) {
                let Answer { call, text, .. } = answer;
                return Err(format!("{call} shows {asker:?} {thing:?}, {}:\n{text}", word(n)));
            }
        }
        Ok(())
    }

    /// Everything that reads, for one asker at one point, at which so many of the things are there.
    fn reads(&self, asker: &Asker, backend: Backend, at: &At, there: usize) -> Verdict {
        let audience = self.audience(asker)?;
        for answer in self.unasked(asker, &audience, at)? {
            self.check(asker, &answer, there, None)?;
        }
        for query in SHARED.iter().chain(&[PREFIX, "telegram", "2026-02-10", "\"", ""]) {
            for answer in self.asked(query, &audience, backend, at)? {
                self.check(asker, &answer, there, None)?;
            }
        }
        if let (Some(n), None) = (asker.session, asker.layer) {
            let user = asker.user.map(|n| USERS.get(n).map_or(NAME, |user| user.0).to_owned());
            let inbound = Inbound { user, ..Inbound::new(&SHARED.join(" ")) };
            let conversation = self.test.workspace.conversation(session(n));
            let prompt = conversation.prompt(&inbound, &Prompting::default(), at).map_err(text)?;
            let answer = Answer { call: "prompt".into(), text: prompt.text(), by_itself: true };
            self.check(asker, &answer, there, None)?;
        }
        let ghosts = self.asked(GHOST, &audience, backend, at)?;
        for (n, thing) in self.world.things.iter().enumerate() {
            let answers = self.asked(&word(n), &audience, backend, at)?;
            for (answer, ghost) in answers.iter().zip(&ghosts) {
                let allowed = n < there && answer.may_hold(asker, thing);
                self.check(asker, answer, there, Some(n))?;
                // A word that is not for them is as one that stands nowhere; what it means may lead elsewhere.
                let same = answer.text.replace(&word(n), GHOST) == ghost.text;
                if !allowed && !same && (backend == Backend::SqliteFts || answer.call.contains("tape")) {
                    let (call, text) = (&answer.call, &answer.text);
                    return Err(format!(
                        "{call} tells {asker:?} of {thing:?}:\n{text}\ninstead of\n{}",
                        ghost.text
                    ));
                }
            }
            self.found(n, thing, asker, (&audience, backend, at), there)?;
        }
        self.shows(asker, &audience, at, there)
    }

    /// What is shown without a query.
    fn unasked(&self, asker: &Asker, audience: &Audience, at: &At) -> Result<Vec<Answer>, String> {
        let workspace = &self.test.workspace;
        let mut answers = Vec::new();
        let mut add = |call: &str, by_itself, text: String| {
            answers.push(Answer { call: call.to_owned(), text, by_itself });
        };
        for form in Form::ALL {
            add("memories", false, format!("{:?}", workspace.memories(form, audience, at)));
        }
        let found = workspace.consolidation(audience, at).map_err(text)?;
        add("consolidation", false, format!("{found:?}\n{}", found.render(&Part::ALL)));
        let zone = workspace.zone().for_audience(audience.clone());
        add("zone view", true, format!("{:?}", zone.view(at).map_err(text)?));
        add("zone context", true, zone.context(at).map_err(text)?);
        for days in [0, 1, 40] {
            add("zone recall", true, zone.recall(None, days, 20, at).map_err(text)?);
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
        let tools = tools.with(Toolset::Ledger).with(Toolset::Notes).with(Toolset::Blocks);
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
        self.told(audience, at, &mut add)?;
        let tape = workspace.tape().for_audience(audience.clone());
        add("tape log", false, format!("{:?}", tape.log(&LogQuestion::default(), at)));
        let last = LogQuestion { limit: Some(9), ..LogQuestion::default() };
        add("tape log", false, format!("{:?}", tape.log(&last, at)));
        let journal = workspace.journal().for_audience(audience.clone());
        for of in std::iter::once(None).chain((0..SESSIONS.len()).map(|n| Some(session(n)))) {
            let all = JournalQuestion { session: of, ..JournalQuestion::default() };
            add("journal", false, format!("{:?}", journal.lines(&all, at)));
            let types = memtape::journal::TYPES.iter().map(|known| known.name.to_owned()).collect();
            let tail = JournalQuestion { tail: Some(9), types, ..all };
            add("journal", false, format!("{:?}", journal.lines(&tail, at)));
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

    /// What is told of the files that a person may edit.
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
        Ok(())
    }

    /// What tells of commits and of all facts. Of what is confidential not even the owner is told more than the ref.
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
        // It names its points itself: what is there later may show.
        if at.is_head() {
            let middle = format!("@{}", self.ends[self.ends.len() / 2]);
            for (from, to) in [("@1", middle.as_str()), (&middle, "head")] {
                add("diff", true, format!("{:?}", workspace.diff(from, to, audience, None).map_err(text)?));
            }
        }
        let graph = workspace.graph(audience, 50, at).map_err(text)?;
        add("graph", true, graph.mermaid() + &graph.timeline());
        let view = ViewQuestion { audience: audience.clone(), ..ViewQuestion::default() };
        add("view", true, format!("{:?}", workspace.view(&view, at).map_err(text)?));
        add("stats", true, format!("{:?}", workspace.stats(audience, at).map_err(text)?));
        for format in [Format::Json, Format::Markdown, Format::Files] {
            let export = Export { audience: audience.clone(), format, history: true, confidential: false };
            add("export", true, format!("{:?}", workspace.export(&export, at).map_err(text)?));
        }
        Ok(())
    }

    /// What answers a query.
    fn asked(
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
        let search = Recall { forms: vec![Form::Statements], ..recall(query, audience, backend) };
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
        add("zone recall", true, zone.recall(Some(query), 7, 20, at).map_err(text)?);
        let tools = workspace.tools().for_audience(audience.clone()).at(at.clone());
        let reply = tools.call("memory_recall", json!({"query": query}));
        add("memory_recall", true, format!("{reply:?}"));
        let ledger = workspace.ledger().for_audience(audience.clone());
        let facts = ledger.search(Some(query), &Filter::default(), at).map_err(|e| e.to_string());
        add("facts", true, format!("{facts:?}"));
        let history = ledger.history(&Meant::Named(about(query)), at).map_err(|e| e.to_string());
        add("facts' history", false, format!("{history:?}"));
        let tape = workspace.tape().for_audience(audience.clone());
        add("tape search", false, format!("{:?}", tape.search(query, None, &[], 50, at)));
        add("tape after", false, format!("{:?}", tape.after_anchor(query, None, &[], at)));
        Ok(answers)
    }

    /// What an asker may see is found by its word, and listed.
    fn found(
        &self,
        n: usize,
        thing: &Thing,
        asker: &Asker,
        (audience, backend, at): (&Audience, Backend, &At),
        there: usize,
    ) -> Verdict {
        let Some(memory) = self.memories.get(&n).filter(|_| n < there) else { return Ok(()) };
        let workspace = &self.test.workspace;
        if sees(asker, thing, true) {
            let hits = workspace.recall(&recall(&word(n), audience, backend), at).map_err(text)?.hits;
            if !hits.iter().any(|hit| hit.memory.id == memory.id) {
                return Err(format!("{asker:?} does not find {thing:?} by {}: {hits:?}", word(n)));
            }
        }
        if memory.form != Form::Messages && sees(asker, thing, true) {
            let question = CommitQuestion { audience: audience.clone(), ..CommitQuestion::default() };
            let commits = workspace.log(&question, at).map_err(text)?;
            if !format!("{commits:?}").contains(&word(n)) {
                return Err(format!("the log does not tell {asker:?} of {thing:?}: {commits:?}"));
            }
        }
        let listed = workspace.memories(memory.form, audience, at).map_err(text)?;
        match sees(asker, thing, false) && !listed.contains(memory) {
            true => Err(format!("{thing:?} is not listed for {asker:?}: {listed:?}")),
            false => Ok(()),
        }
    }

    /// Refs show what the asker sees; any other ref is as one that names nothing.
    fn shows(&self, asker: &Asker, audience: &Audience, at: &At, there: usize) -> Verdict {
        let show = |reference: &Ref| {
            let shown = self.test.workspace.show(reference, audience, at);
            shown
                .map(|shown| format!("{shown:?}"))
                .map_err(|e| e.to_string().replace(&reference.to_string(), "REF"))
        };
        for (n, memory) in &self.memories {
            for entry in [None, Some(memory.id.entry())] {
                let reference = Ref { entry, ..memory.reference() };
                let nothing = Ref { key: "9999999999999999".into(), ..reference.clone() };
                let shown = show(&reference);
                let allowed = *n < there && sees(asker, &self.world.things[*n], false);
                match &shown {
                    Ok(text) => {
                        let answer = Answer {
                            call: format!("show {reference}"),
                            text: text.clone(),
                            by_itself: false,
                        };
                        self.check(asker, &answer, there, None)?;
                    }
                    Err(_) if allowed => {
                        return Err(format!("{asker:?} is not shown {reference}: {shown:?}"));
                    }
                    Err(_) if shown == show(&nothing) => {}
                    Err(e) => return Err(format!("{reference} is told from nothing: {e}")),
                }
            }
        }
        Ok(())
    }

    /// A conversation shows what was said in it, and nothing confidential.
    fn conversation(&self, n: usize) -> Verdict {
        let conversation = self.test.workspace.conversation(session(n));
        let context = format!("{:?}", conversation.context(&At::head()).map_err(text)?);
        let last = format!("{:?}", conversation.last(100, &At::head()).map_err(text)?);
        for (m, thing) in self.world.things.iter().enumerate() {
            let said = thing.what == What::Message
                && thing.session == n
                && thing.sensitivity != Sensitivity::Confidential;
            let (in_context, in_last) = (context.contains(&word(m)), last.contains(&word(m)));
            if in_last != said || (in_context && !said) {
                let label = SESSIONS[n].0;
                return Err(format!(
                    "{label} shows {thing:?}: in context {in_context}, among the last {in_last}"
                ));
            }
        }
        Ok(())
    }

    /// What a tool writes for an asker changes nothing outside the asker's home.
    fn writes(&self, asker: &Asker) -> Verdict {
        let audience = self.audience(asker)?;
        let Ok(home) = audience.home() else { return Ok(()) };
        let workspace = &self.test.workspace;
        let is_owner = asker.session.is_none() && asker.user.is_none();
        if !is_owner && asker.layer.is_none() && home == Scope::Global {
            return Err(format!("{asker:?} writes for the whole workspace"));
        }
        // The owner may forget anybody's.
        let whole = audience == Audience::owner();
        let id = workspace.status(&At::head()).map_err(text)?.id;
        let label = home.text(&id);
        // A statement may also be taken away by the user whose it is.
        let mut own = audience.scopes().unwrap_or_default();
        own.retain(|scope| *scope != Scope::Global);
        own.push(home.clone());
        let own_labels: Vec<String> = own.iter().map(|scope| scope.text(&id)).collect();
        let others = || -> Result<String, String> {
            let mut seen = Vec::new();
            for form in Form::ALL {
                seen.extend(workspace.memories(form, &Audience::owner(), &At::head()).map_err(text)?);
            }
            seen.retain(|memory| match memory.form {
                Form::Ledger | Form::Statements if !is_owner => !own_labels.contains(&memory.scope),
                _ => memory.scope != label,
            });
            Ok(format!("{seen:?}"))
        };
        let tools = workspace.tools().for_audience(audience.clone()).with_owner_tools();
        let mut calls = vec![
            ("memory_save", json!({"content": "keeps bees", "mode": "append"})),
            ("memory_daily", json!({"content": "- fed the bees"})),
            ("memory_forget", json!({"text": PREFIX})),
            ("memory_forget", json!({"text": "likes"})),
            ("memory_add", json!({"subject": "ana", "predicate": PREDICATE, "object": "bees"})),
            (
                "memory_add",
                json!({"subject": "ana", "predicate": PREDICATE, "object": "bees", "scope": "session"}),
            ),
        ];
        if !whole {
            for (n, memory) in &self.memories {
                calls.push(("memory_forget", json!({"text": word(*n)})));
                let Named { subject, predicate, .. } = about(&word(*n));
                let fact = |more: Value| {
                    let mut fact = json!({"subject": subject, "predicate": predicate});
                    let fields = more.as_object().cloned().unwrap_or_default();
                    fact.as_object_mut().into_iter().for_each(|fact| fact.extend(fields.clone()));
                    fact
                };
                calls.push(("memory_update", fact(json!({"new_value": "bees"}))));
                calls.push(("memory_forget", fact(json!({}))));
                calls.push(("memory_add", fact(json!({"object": "wasps"}))));
                calls.push(("memory_forget", json!({"ref": memory.reference().to_string()})));
                calls.push(("memory_forget", json!({"ref": memory.version().to_string()})));
            }
            calls.push(("memory_forget", json!({"date": "2026-02-10"})));
            calls.push(("memory_save", json!({"content": "keeps no bees"})));
            calls.push(("memory_clear", json!({})));
        }
        let before = others()?;
        let elsewhere = self.elsewhere(&own)?;
        for (name, arguments) in calls {
            let reply = format!("{:?}", tools.call(name, arguments.clone()).map_err(|e| e.to_string()));
            let asked = (0..self.world.things.len()).find(|n| arguments.to_string().contains(&word(*n)));
            let answer = Answer { call: format!("{name} {arguments}"), text: reply, by_itself: true };
            self.check(asker, &answer, self.world.things.len(), asked)?;
            if !whole && others()? != before {
                return Err(format!("{name} {arguments} for {asker:?} changes what is not in {label}"));
            }
        }
        let shown = self.elsewhere(&own)?;
        let told = shown.iter().zip(&elsewhere).find(|(after, before)| !whole && after != before);
        told.map_or(Ok(()), |(after, before)| {
            let new = after.lines().filter(|line| !before.contains(line)).collect::<Vec<_>>().join("\n");
            Err(format!("who does not see {label} is shown what was written there for {asker:?}: {new}"))
        })
    }

    /// What those who see none of some scopes are shown of the zone and the tape.
    fn elsewhere(&self, own: &[Scope]) -> Result<Vec<String>, String> {
        let (workspace, at) = (&self.test.workspace, At::head());
        let mut shown = Vec::new();
        for asker in &self.world.askers {
            let audience = self.audience(asker)?;
            if audience.scopes().is_some_and(|scopes| !scopes.iter().any(|scope| own.contains(scope))) {
                shown.push(workspace.zone().for_audience(audience.clone()).context(&at).map_err(text)?);
                let tape = workspace.tape().for_audience(audience);
                let log = tape.log(&LogQuestion::default(), &at).map_err(text)?;
                shown.push(log.iter().map(|entry| format!("{entry:?}\n")).collect());
            }
        }
        Ok(shown)
    }
}

fn recall(query: &str, audience: &Audience, backend: Backend) -> Recall {
    Recall { audience: audience.clone(), backend: Some(backend), ..Recall::new(query) }
}

fn session(n: usize) -> Session {
    Session::parse(SESSIONS[n].0).unwrap_or_else(|_| Session::direct())
}

/// What every fact says of its subject.
const PREDICATE: &str = "notes";

/// What names the fact that holds a word.
fn about(word: &str) -> Named {
    Named { subject: word.to_owned(), predicate: PREDICATE.to_owned(), scope: None }
}

fn text_of(n: usize, thing: &Thing) -> String {
    format!("{} {}", word(n), SHARED[thing.shared])
}

/// Writes a thing. What a command cannot say of a message, another program may.
fn write(test: &TestWorkspace, thing: &Thing, text: &str) -> memtape::Result<()> {
    let meta =
        json!({"session": SESSIONS[thing.session].0, "sensitivity": thing.sensitivity.as_str()}).to_string();
    let audience = match thing.home {
        Home::Chat(n) => Audience::of_chat(&session(n)),
        Home::User(n) => test.workspace.audience(None, Some(USERS[n].0))?,
        Home::Workspace => Audience::owner(),
    };
    let statements =
        test.workspace.statements().for_audience(audience.clone()).with_sensitivity(thing.sensitivity);
    let zone = test.workspace.zone().for_audience(audience.clone()).with_sensitivity(thing.sensitivity);
    let ledger = test.workspace.ledger().for_audience(audience).with_sensitivity(thing.sensitivity);
    match thing.what {
        What::Message => test.append("message", &json!({"role": "user", "content": text}).to_string(), &meta),
        What::Mark => {
            test.append("anchor", &json!({"name": "phase", "state": {"about": text}}).to_string(), &meta);
        }
        What::Event => {
            test.append("event", &json!({"name": "seen", "data": {"about": text}}).to_string(), &meta);
        }
        What::Statement(category) => {
            statements.add(&Added::new(text, category))?;
        }
        What::Fact { .. } => {
            let lives = lives_in(thing).map(|_| "session".to_owned());
            let word = text.split(' ').next().unwrap_or_default();
            ledger.because(Some(text.into())).add(&Told {
                scope: lives,
                object: text.into(),
                confidence: 0.9,
                source: text.into(),
                evidence: Some(text.into()),
                days: None,
                quarantined: None,
                subject: word.into(),
                predicate: PREDICATE.into(),
            })?;
        }
        What::Section => {
            let notes = test.workspace.notes();
            let path = format!("facts/page{}.md", test.workspace.status(&At::head())?.entries);
            notes.append(&notes.path(&path)?, &format!("- {text}"), Some("a page"))?;
        }
        What::File => {
            let path = format!("drafts/page{}.md", test.workspace.status(&At::head())?.entries);
            test.workspace.files().write(&FilePath::new(&path)?, text)?;
        }
        What::Block => {
            let name = format!("block-{}", test.workspace.status(&At::head())?.entries);
            test.workspace.blocks().set(&BlockName::new(&name)?, text, None)?;
        }
        What::Line => {
            zone.save(text, Mode::Append)?;
        }
        What::Note(ago) => {
            let start = START.parse().map_err(|e| memtape::Error::Invalid(format!("{START}: {e}")))?;
            let today = calendar::day(start, test.workspace.time_zone());
            zone.daily(text, Some(today.saturating_sub(i64::from(ago).days())))?;
        }
    }
    Ok(())
}
