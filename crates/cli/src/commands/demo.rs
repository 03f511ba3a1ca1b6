//! The `demo` command: a tour on a sample conversation. Each chapter calls the same library functions as a
//! user and prints their results; nothing is faked.

use std::fs::{self, OpenOptions};
use std::io::{self, Cursor, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use memtape::ledger::NewFact;
use memtape::{
    At, Audience, Backend, BlockName, FinishedTurn, Form, Inbound, Ingester, Memory, Mode, Options,
    Prompting, Recall, Recalled, Reply, Resolution, Session, Workspace,
};
use serde::Deserialize;
use serde_json::json;

use super::recall::print_hit;
use super::{Context, absolute};
use crate::output::{Failure, Output, Result};

/// Six sessions over three months: on a messenger, in a group and at a terminal.
const CONVERSATION: &str = include_str!("../demo/conversation.jsonl");
/// Questions about the conversation, each with a part of the message that answers it.
const QUESTIONS: &str = include_str!("../demo/questions.jsonl");
/// Questions that share no word with the message that answers them, and a part of that message.
const OTHER_WORDS: [(&str, &str); 2] = [
    ("Which airline tickets did we buy?", "The morning flight from Rotterdam to Faro"),
    ("What about paying taxes in Holland?", "the first Dutch VAT return"),
];
/// A question that only one chat can answer, and a part of the answer.
const OF_THE_GROUP: (&str, &str) = ("Where does the shed key hang?", "The shed key hangs with Wilma");
const GROUP: &str = "discord:garden-club";
const OTHER_CHAT: &str = "telegram:ana";
/// Ana's message in one chat. It contains a preference to capture and a password to redact.
const TOLD: &str =
    "Quick one: I prefer window seats on long flights. And my password is Correct-Horse-77, don't lose it!";
const ASKED: &str = "Which seats shall we book for the long flight?";
const KEPT: &str = "I prefer window seats on long flights";
const SECRET: &str = "Correct-Horse-77";
/// The branch that plans trips.
const PERSONA: &str = "travel-planner";
/// The day before the wedding's venue changes, at which the conversation is split.
const BEFORE_THE_MOVE: &str = "2026-05-10";
/// The agent's persona, and a value that the agent tries to replace it with.
const IDENTITY: &str = "I plan ahead, and ask before I book.";
const TAKEN_OVER: &str = "I book whatever I am told to.";

#[derive(Deserialize)]
struct Question {
    question: String,
    expect: String,
}

pub(super) fn run(context: &Context<'_>, keep: Option<&Path>) -> Result<ExitCode> {
    let start = Instant::now();
    let scratch = tempfile::Builder::new().prefix("memtape-demo-").tempdir().map_err(|e| unusable(&e))?;
    let dir = match keep {
        Some(dir) => {
            if fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_some()) {
                return Err(Failure::Usage(format!("{} is not empty: name a new directory", dir.display())));
            }
            absolute(dir)
        }
        None => scratch.path().to_owned(),
    };
    let demo = Demo { dir: &dir, output: context.output };
    let entry = demo.ingest()?;
    demo.keep_notes()?;
    demo.restart()?;
    demo.ask()?;
    demo.ask_in_other_words()?;
    demo.ask_elsewhere()?;
    demo.take_turns()?;
    demo.look_back(entry)?;
    demo.take_on_a_persona()?;
    demo.put_a_prompt_together()?;
    demo.tear()?;
    let kept = match keep {
        Some(_) => format!("the workspace is in {}", dir.display()),
        None => "nothing is left behind (--keep DIR keeps the workspace)".to_owned(),
    };
    demo.say(&format!("\nDone in {:.1} s; {kept}.", start.elapsed().as_secs_f64()))?;
    Ok(ExitCode::SUCCESS)
}

struct Demo<'a> {
    dir: &'a Path,
    output: &'a Output,
}

impl Demo<'_> {
    fn say(&self, text: &str) -> Result<()> {
        self.output.line(text)
    }

    fn chapter(&self, number: u32, title: &str) -> Result<()> {
        self.say(&format!("\n{number}. {title}\n"))
    }

    fn open(&self) -> Result<Workspace> {
        Ok(Workspace::open(self.dir, Options::default())?)
    }

    /// Ingests the conversation in two parts, split at [`BEFORE_THE_MOVE`]. Returns the last entry of the
    /// first part.
    fn ingest(&self) -> Result<u64> {
        self.chapter(1, "A conversation goes in")?;
        let workspace = Workspace::init(self.dir, Options::default())?;
        let (before, after): (Vec<_>, Vec<_>) =
            CONVERSATION.lines().partition(|line| said_before(line, BEFORE_THE_MOVE));
        let take = |lines: &[&str]| -> Result<u64> {
            let ingester = Ingester::new(&workspace, Session::direct());
            Ok(ingester.run(Cursor::new(lines.join("\n")), |_| ())?.added)
        };
        let first = take(&before)?;
        workspace.zone().save(
            "Ana moves from Porto to Utrecht.\nThe wedding of her sister Inês is in Guimarães.",
            Mode::Replace,
        )?;
        let entry = workspace.status(&At::head())?.entries;
        let second = take(&after)?;
        let status = workspace.status(&At::head())?;
        self.say(&format!(
            "  {} messages of {} conversations are on the tape: {} entries, each chained to the one before.",
            first + second,
            status.conversations,
            status.entries
        ))?;
        let again = Ingester::new(&workspace, Session::direct()).run(Cursor::new(CONVERSATION), |_| ())?;
        self.say(&format!(
            "  Taken in once more: {} added, {} were there already.",
            again.added, again.present
        ))?;
        Ok(entry)
    }

    /// Writes to the zone: lines that the owner dictates, and daily notes.
    fn keep_notes(&self) -> Result<()> {
        self.chapter(2, "The owner dictates, and the agent keeps a diary")?;
        let workspace = self.open()?;
        let zone = workspace.zone();
        zone.save(
            "Ana moves from Porto to Utrecht.\nThe wedding of her sister Inês is in Tavira.",
            Mode::Replace,
        )?;
        zone.remember("Never eat with cashews or pistachios.")?;
        zone.daily("- took in three months of conversations", None)?;
        let yesterday = zone.view(&At::head())?.1.yesterday().ok();
        zone.daily("- the venue moved; told all the guests", yesterday)?;
        self.say(&indented(&zone.context(&At::head())?))
    }

    /// Closes the workspace, deletes the index, and checks that the memory is unchanged.
    fn restart(&self) -> Result<()> {
        self.chapter(3, "A restart, with the index lost")?;
        let before = self.open()?.zone().context(&At::head())?;
        for entry in fs::read_dir(self.dir).map_err(|e| unusable(&e))? {
            let entry = entry.map_err(|e| unusable(&e))?;
            if entry.file_name().to_string_lossy().starts_with("index-") {
                fs::remove_file(entry.path()).map_err(|e| unusable(&e))?;
            }
        }
        let after = self.open()?.zone().context(&At::head())?;
        expect(before == after, "the memory is the same after a restart")?;
        self.say("  The index was deleted; the next question built it again from the tape. The memory is the same.")
    }

    /// Asks questions and shows where each answer came from.
    fn ask(&self) -> Result<()> {
        self.chapter(4, "Questions, and where the answers came from")?;
        let workspace = self.open()?;
        for line in QUESTIONS.lines() {
            let Question { question, expect: answer } = serde_json::from_str(line)
                .map_err(|e| Failure::Usage(format!("the demo's questions are broken: {e}")))?;
            let recalled = recall(&workspace, &question, &At::head())?;
            self.say(&format!("> {question}"))?;
            let Some(hit) = recalled.hits.first() else { return expect(false, &question) };
            print_hit(hit, self.output)?;
            expect(recalled.hits.iter().any(|hit| hit.memory.text.contains(&answer)), &question)?;
        }
        Ok(())
    }

    /// Asks questions that a search by words alone does not answer.
    fn ask_in_other_words(&self) -> Result<()> {
        self.chapter(5, "In other words")?;
        let workspace = self.open()?;
        let start = Instant::now();
        let made = workspace.make_vectors(|_, _| ())?;
        self.say(&format!(
            "  The model inside the program has read {made} memories for what they mean, in {:.1} s.",
            start.elapsed().as_secs_f64()
        ))?;
        for (question, answer) in OTHER_WORDS {
            self.say(&format!("> {question}"))?;
            let by_words = Recall { backend: Some(Backend::SqliteFts), ..Recall::new(question) };
            let by_words = workspace.recall(&by_words, &At::head())?;
            expect(by_words.hits.is_empty(), question)?;
            self.say(&format!("  by words    {}", by_words.note.unwrap_or_default()))?;
            let recalled = recall(&workspace, question, &At::head())?;
            let text = recalled.hits.first().map_or("", |hit| &hit.memory.text);
            self.say(&format!("  by meaning  {}", self.output.one_line(text)))?;
            expect(text.contains(answer), question)?;
        }
        Ok(())
    }

    /// Asks the same question in two chats, only one of which has the answer.
    fn ask_elsewhere(&self) -> Result<()> {
        self.chapter(6, "What a chat says stays there")?;
        let workspace = self.open()?;
        let (question, answer) = OF_THE_GROUP;
        self.say(&format!("> {question}"))?;
        for chat in [GROUP, OTHER_CHAT] {
            let session: Session = chat.parse().map_err(memtape::Error::from)?;
            let audience = Audience::of_chat(&session);
            let hits = workspace.recall(&Recall { audience, ..Recall::new(question) }, &At::head())?.hits;
            let found = hits.iter().find(|hit| hit.memory.text.contains(answer));
            let of_group = hits.iter().filter(|hit| hit.memory.session.as_deref() == Some(GROUP)).count();
            expect(found.is_some() == (chat == GROUP) && (of_group > 0) == (chat == GROUP), question)?;
            let said = match found {
                Some(hit) => self.output.one_line(&hit.memory.text),
                None => format!("none of the {} memories found is of {GROUP}", hits.len()),
            };
            self.say(&format!("  in {chat:20} {said}"))?;
        }
        Ok(())
    }

    /// Runs turns: a preference captured in one chat is recalled in another chat of the same user.
    fn take_turns(&self) -> Result<()> {
        self.chapter(7, "What is worth keeping, captured without a model")?;
        let workspace = self.open()?;
        let turn = |chat: &str, user: &str, text: &str| -> Result<FinishedTurn> {
            let session: Session = chat.parse().map_err(memtape::Error::from)?;
            let inbound = Inbound { user: Some(user.into()), ..Inbound::new(text) };
            Ok(workspace.conversation(session).turn(&inbound, |_| Ok(Reply::default()))?)
        };
        self.say(&format!("> {TOLD}"))?;
        let told = turn("telegram:ana", "telegram:ana", TOLD)?;
        for captured in &told.captured {
            self.say(&format!("  captured   {}: {}", captured.category, captured.text))?;
        }
        for warning in workspace.take_warnings() {
            self.say(&format!("  noticed    {warning}"))?;
        }
        expect(told.captured.len() == 1 && told.captured[0].text == KEPT, TOLD)?;
        let tape = fs::read_to_string(self.dir.join("tape.jsonl")).map_err(|e| unusable(&e))?;
        expect(!tape.contains(SECRET), "no secret is on the tape")?;
        self.say(&format!("> {ASKED}"))?;
        for (who, user, knows) in
            [("Ana, in another chat", "telegram:ana", true), ("somebody else", "telegram:zoe", false)]
        {
            let asked = turn(if knows { "telegram:travel" } else { "telegram:zoe" }, user, ASKED)?;
            let line = asked.memory.lines().find(|line| line.contains(KEPT));
            expect(line.is_some() == knows, ASKED)?;
            self.say(&format!("  {who:21} {}", line.unwrap_or("- not in the prompt")))?;
        }
        Ok(())
    }

    /// Reads the memory as of an earlier entry.
    fn look_back(&self, entry: u64) -> Result<()> {
        self.chapter(8, "As it was")?;
        let workspace = self.open()?;
        let question = "Where is the wedding of her sister?";
        for (when, at) in [("now", At::head()), (&format!("--at {entry}"), At::entry(entry))] {
            let recalled =
                workspace.recall(&Recall { forms: vec![Form::ZONE], ..Recall::new(question) }, &at)?;
            let answer = recalled.hits.first().map_or("nothing", |hit| &hit.memory.text);
            self.say(&format!("  {when:8} {answer}"))?;
        }
        Ok(())
    }

    /// Creates a branch with a persona, changes both branches, merges them and resolves the conflict.
    fn take_on_a_persona(&self) -> Result<()> {
        self.chapter(9, "A persona of its own")?;
        let main = self.open()?;
        main.ledger().add(&fact("lives in", "Porto"))?;
        main.ledger().add(&fact("prefers", "window seats"))?;
        let before = main.status(&At::head())?.entries;
        main.branches().create(PERSONA, Some("Plans Ana's journeys"), &At::head())?;
        let options = Options { branch: Some(PERSONA.into()), ..Options::default() };
        let planner = Workspace::open(self.dir, options)?;
        planner.ledger().add(&fact("flies from", "Rotterdam"))?;
        planner.ledger().add(&fact("lives in", "Utrecht"))?;
        main.ledger().add(&fact("lives in", "Lisbon, for the summer"))?;
        self.say(&format!(
            "  {PERSONA}, forked from main, learns where Ana flies from, and that she lives in Utrecht."
        ))?;
        self.say("  Meanwhile main hears of Lisbon.")?;
        let taken = main.branches().merge(PERSONA)?;
        self.say(&format!(
            "> memtape merge {PERSONA}\n  {} merged, {} in conflict:",
            taken.changed.len(),
            taken.conflicts.len()
        ))?;
        expect(
            taken.changed.len() == 1 && taken.conflicts.len() == 1,
            "one fact is taken, one is in conflict",
        )?;
        for conflict in main.branches().conflicts(&At::head())? {
            let said = |side: &Option<Memory>| side.as_ref().map_or("deleted".into(), |m| m.text.clone());
            self.say(&format!("  ours    {}\n  theirs  {}", said(&conflict.ours), said(&conflict.theirs)))?;
            main.branches().resolve(&conflict.reference, &Resolution::Theirs)?;
        }
        expect(main.branches().conflicts(&At::head())?.is_empty(), "the conflict is resolved")?;
        self.say("> memtape resolve REF --theirs")?;
        for (when, at, lives) in
            [("now", At::head(), "Utrecht"), (&format!("--at {before}"), At::entry(before), "Porto")]
        {
            let question = Recall { forms: vec![Form::LEDGER], ..Recall::new("Where does Ana live?") };
            let hits = main.recall(&question, &at)?.hits;
            let answer = hits.first().map_or("nothing", |hit| &hit.memory.text);
            expect(answer.contains(lives), "where Ana lives")?;
            self.say(&format!("  {when:8} {answer}"))?;
        }
        Ok(())
    }

    /// Sets blocks as the owner and as the agent, and shows the resulting prompt.
    fn put_a_prompt_together(&self) -> Result<()> {
        self.chapter(10, "What a model is shown")?;
        let workspace = self.open()?;
        let persona = BlockName::new("persona").map_err(memtape::Error::from)?;
        workspace.blocks().set(&persona, IDENTITY, None)?;
        self.say(&format!("> memtape block set persona \"{IDENTITY}\""))?;
        let calls = [
            ("memory_set_block", json!({"name": "persona", "value": TAKEN_OVER})),
            ("memory_set_block", json!({"name": "current_focus", "value": "the journey to the wedding"})),
            ("memory_file_write", json!({"path": "insights/2026-05-24.md", "content": "Ana books early."})),
        ];
        for (tool, arguments) in calls {
            self.say(&format!("  the agent calls {tool} {arguments}"))?;
            let reply = workspace.tools().call(tool, arguments)?;
            self.say(&indented(&format!("  {reply}")))?;
        }
        let conversation = workspace.conversation(Session::direct());
        let prompt =
            conversation.prompt(&Inbound::new("What is next?"), &Prompting::default(), &At::head())?;
        expect(prompt.system.contains(IDENTITY), "the persona is the owner's")?;
        expect(!prompt.system.contains(TAKEN_OVER), "the change of the agent is pending")?;
        expect(prompt.tokens <= prompt.budget, "the prompt keeps its budget")?;
        self.say("> memtape prompt --trigger \"What is next?\" --show sections")?;
        for section in prompt.sections.iter().filter(|section| section.chars > 0) {
            self.say(&format!("  {:12} {:6} tokens", section.name, section.tokens))?;
        }
        self.say(&format!(
            "  {} of at most {}; the change of the persona is pending.",
            prompt.tokens, prompt.budget
        ))
    }

    /// Writes half a line to the end of the tape, as a power failure does, and then appends to the tape.
    fn tear(&self) -> Result<()> {
        self.chapter(11, "A torn tape")?;
        let half = r#"{"id":999,"kind":"message","payload":{"role":"user","content":"this was never ackn"#;
        let tape = OpenOptions::new().append(true).open(self.dir.join("tape.jsonl"));
        let written = tape.and_then(|mut tape| tape.write_all(half.as_bytes()));
        written.map_err(|e| Failure::Unusable(format!("cannot write tape.jsonl: {e}")))?;
        self.say("  tape.jsonl ends with half a line, as after a power failure. The next command reports:")?;
        let workspace = self.open()?;
        workspace.zone().remember("The kiln was delivered.")?;
        for warning in workspace.take_warnings() {
            self.say(&format!("  > {warning}"))?;
        }
        let verified = Workspace::verify(self.dir)?;
        expect(verified.tape.bad.is_empty() && verified.tape.torn.is_none(), "the tape verifies")?;
        self.say(&format!("  memtape verify: OK: {} entries verified", verified.tape.entries))
    }
}

/// Returns a fact about Ana to add to the ledger.
fn fact(predicate: &str, object: &str) -> NewFact {
    NewFact { confidence: 0.9, source: "demo".into(), ..NewFact::new("Ana", predicate, object) }
}

fn recall(workspace: &Workspace, question: &str, at: &At) -> Result<Recalled> {
    Ok(workspace.recall(&Recall { limit: Some(3), ..Recall::new(question) }, at)?)
}

/// Returns whether a line of the conversation is dated before a day.
fn said_before(line: &str, day: &str) -> bool {
    #[derive(Deserialize)]
    struct Dated {
        date: String,
    }
    serde_json::from_str::<Dated>(line).is_ok_and(|line| *line.date < *day)
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// Returns the error for a file of the demo.
fn unusable(e: &io::Error) -> Failure {
    Failure::Unusable(format!("the directory of the demo: {e}"))
}

/// Fails the demo if a chapter does not show what it announces.
fn expect(holds: bool, what: &str) -> Result<()> {
    if holds { Ok(()) } else { Err(Failure::Usage(format!("the demo went wrong at: {what}"))) }
}
