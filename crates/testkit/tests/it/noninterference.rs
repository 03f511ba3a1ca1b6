//! Law 4, *isolation*, for writing: the answers to somebody who is not the owner, and what they see afterwards, are
//! the same whether or not there are confidential memories with the same names and texts.

use std::collections::HashMap;
use std::fmt::Debug;

use memtape::consolidate::ReportPart;
use memtape::decay::DecayQuestion;
use memtape::journal::Question as JournalQuestion;
use memtape::ledger::{Filter, Ledger, Named, NewFact, NewValue, Target};
use memtape::tape::LogQuestion;
use memtape::{
    Added, At, Audience, Category, CommitQuestion, Form, Inbound, Layer, Mode, Ref, Reply, Selection,
    Sensitivity, Session, ViewQuestion,
};
use memtape_testkit::{TestWorkspace, random};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Lifetimes and topics of facts.
const PLACES: [Option<&str>; 4] = [None, Some("temporary"), Some("session"), Some("work")];
/// The values that facts have, the first of which the confidential ones have too.
const VALUES: [&str; 2] = ["5000", "3000"];
const STATEMENT: &str = "I prefer tea";
const LINES: &str = "the safe is blue\ntwice\ntwice";

/// A command of somebody who is not the owner.
#[derive(Clone, Debug)]
enum Act {
    Tool(&'static str, Value),
    Add(NewFact, Sensitivity),
    Observe(NewFact, Sensitivity),
    Update(Named, &'static str),
    Forget(Named),
    Deprecate(Named),
    Confirm(Named),
    /// Promotes the facts of a conversation and the temporary ones that are listed.
    Promote,
    State(Sensitivity),
    Save(Mode, Sensitivity),
    Daily(Sensitivity),
    ForgetLine(&'static str),
    /// Restores the zone to the time before all acts.
    RestoreZone,
    Prune,
    Say(&'static str),
}

/// A workspace, and the order in which the digests in its answers appeared first.
struct World {
    test: TestWorkspace,
    begin: u64,
    digests: HashMap<String, usize>,
}

fn chat() -> Session {
    Session::parse("telegram:1").unwrap()
}

fn named(place: Option<&str>) -> Named {
    Named { subject: "user".into(), predicate: "earns".into(), scope: place.map(str::to_owned) }
}

fn fact(place: Option<&str>, object: &str, days: Option<u32>) -> NewFact {
    let Named { subject, predicate, scope } = named(place);
    NewFact { scope, confidence: 0.9, days, ..NewFact::new(subject, predicate, object) }
}

impl World {
    /// Creates a workspace with confidential memories, or with memories of others in their place.
    fn new(has_confidential: bool) -> Self {
        let test = TestWorkspace::new();
        test.workspace.ledger().add(&NewFact { subject: "sky".into(), ..fact(None, "blue", None) }).unwrap();
        plant(&test, has_confidential);
        let begin = test.workspace.status(&At::head()).unwrap().entries;
        Self { test, begin, digests: HashMap::new() }
    }

    /// Returns a text with each digest as the number of those that appeared before it: ids of commits depend on all
    /// earlier ones.
    fn readable(&mut self, text: &str) -> String {
        let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        let mut readable = String::new();
        let mut rest = text;
        while let Some(start) = rest.find(is_digit) {
            let end = rest[start..].find(|c| !is_digit(c)).map_or(rest.len(), |length| start + length);
            let word = &rest[start..end];
            readable.push_str(&rest[..start]);
            match word.len() {
                8.. => {
                    let next = self.digests.len();
                    let number = *self.digests.entry(word.to_owned()).or_insert(next);
                    readable.push_str(&format!("#{number}"));
                }
                _ => readable.push_str(word),
            }
            rest = &rest[end..];
        }
        readable + rest
    }

    /// Runs a command, and returns the answer and, if `looks`, what the audience sees afterwards.
    fn run(&mut self, act: &Act, audience: &Audience, looks: bool) -> Vec<String> {
        let mut answers = vec![self.answer(act, audience)];
        if looks {
            answers.extend(self.seen(audience));
        }
        answers.iter().map(|answer| self.readable(answer)).collect()
    }

    fn ledger(&self, audience: &Audience) -> Ledger<'_> {
        self.test.workspace.ledger().for_audience(audience.clone())
    }

    fn answer(&self, act: &Act, audience: &Audience) -> String {
        let workspace = &self.test.workspace;
        let ledger = || self.ledger(audience);
        let zone = || workspace.zone().in_session(chat()).for_audience(audience.clone());
        match act {
            Act::Tool(name, arguments) => {
                let tools = workspace.tools().for_session(chat()).for_audience(audience.clone());
                shown(&tools.call(name, arguments.clone()))
            }
            Act::Add(fact, sensitivity) => shown(&ledger().with_sensitivity(*sensitivity).add(fact)),
            Act::Observe(fact, sensitivity) => shown(&ledger().with_sensitivity(*sensitivity).observe(fact)),
            Act::Update(named, object) => {
                let source = "agent_tool".into();
                let new = NewValue { object: (*object).into(), confidence: 0.9, source, quarantined: None };
                shown(&ledger().update(named, &new))
            }
            Act::Forget(named) => shown(&ledger().forget(named)),
            Act::Deprecate(named) => shown(&ledger().deprecate(&Target::Named(named.clone()))),
            Act::Confirm(named) => shown(&ledger().confirm(&Target::Named(named.clone()))),
            Act::Promote => {
                let facts = ledger().list(&Filter::default(), &At::head()).unwrap();
                let refs: Vec<Ref> = facts.iter().map(|fact| fact.memory.reference()).collect();
                refs.iter().map(|reference| shown(&ledger().promote(reference))).collect()
            }
            Act::State(sensitivity) => {
                let statements = workspace.statements().in_session(chat()).for_audience(audience.clone());
                let added = Added::new(STATEMENT, Category::Preference);
                shown(&statements.with_sensitivity(*sensitivity).add(&added))
            }
            Act::Save(mode, sensitivity) => shown(&zone().with_sensitivity(*sensitivity).save(LINES, *mode)),
            Act::Daily(sensitivity) => shown(&zone().with_sensitivity(*sensitivity).daily("- met Ana", None)),
            Act::ForgetLine(text) => shown(&zone().forget_text(text)),
            Act::RestoreZone => shown(&zone().restore(&At::entry(self.begin))),
            Act::Prune => {
                let statements = workspace.statements().in_session(chat()).for_audience(audience.clone());
                let all = Selection { categories: vec![Category::Preference], ..Selection::default() };
                shown(&statements.prune(&all))
            }
            Act::Say(text) => {
                let inbound = Inbound { user: Some("42".into()), ..Inbound::new(text) };
                shown(&workspace.conversation(chat()).turn(&inbound, |_| Ok(Reply::new("noted"))))
            }
        }
    }

    /// Returns what an audience sees.
    fn seen(&self, audience: &Audience) -> Vec<String> {
        let (workspace, at) = (&self.test.workspace, At::head());
        let mut seen = Vec::new();
        for form in Form::all() {
            seen.push(format!("{form}: {:?}", workspace.memories(form, audience, &at)));
        }
        seen.push(format!("facts: {:?}", self.ledger(audience).list(&Filter::default(), &at)));
        for place in PLACES {
            let history = self.ledger(audience).history(&Target::Named(named(place)), &at);
            seen.push(format!("history: {}", shown(&history)));
        }
        let statements = workspace.statements().for_audience(audience.clone());
        seen.push(format!("statements: {:?}", statements.list(&Selection::default(), &at)));
        let zone = workspace.zone().in_session(chat()).for_audience(audience.clone());
        seen.push(format!("zone: {:?}", zone.view(&at)));
        for everywhere in [false, true] {
            let question =
                CommitQuestion { audience: audience.clone(), everywhere, ..CommitQuestion::default() };
            seen.push(format!("log: {:?}", workspace.log(&question, &at)));
        }
        let tape = workspace.tape().for_audience(audience.clone());
        let entries = tape.log(&LogQuestion::default(), &at).unwrap();
        // The hash of an entry depends on all earlier ones.
        let entry = |entry: &memtape::Entry| {
            format!("{} {} {} {}", entry.id, entry.payload.get(), entry.meta.get(), entry.more)
        };
        seen.push(format!("tape: {:?}", entries.iter().map(entry).collect::<Vec<_>>()));
        let journal = workspace.journal().for_audience(audience.clone());
        seen.push(format!("journal: {:?}", journal.lines(&JournalQuestion::default(), &at)));
        seen.push(format!(
            "consolidation: {}",
            workspace.consolidation(audience, &at).unwrap().render(&ReportPart::ALL)
        ));
        seen.push(format!("stats: {:?}", workspace.stats(audience, &at)));
        let fading = DecayQuestion { audience: audience.clone(), days: 0, ..DecayQuestion::default() };
        seen.push(format!("decay: {:?}", workspace.decay(&fading, &at)));
        let view = ViewQuestion { audience: audience.clone(), ..ViewQuestion::default() };
        seen.push(format!("view: {:?}", workspace.view(&view, &at)));
        let tools = workspace.tools().for_session(chat()).for_audience(audience.clone());
        for tool in tools.list().filter(|tool| tool.read_only) {
            for arguments in [json!({}), json!({"query": "tea"}), json!({"query": "earns"})] {
                let reply = tools.call(tool.name, arguments.clone());
                seen.push(format!("{} {arguments}: {}", tool.name, shown(&reply)));
            }
        }
        seen
    }
}

/// Writes memories of every form that can be confidential: for the chat, its user and the workspace, or for others.
fn plant(test: &TestWorkspace, is_confidential: bool) {
    let other =
        |chat: &str| test.workspace.audience(Some(&Session::parse(chat).unwrap()), Some("9")).unwrap();
    let (audiences, sensitivity) = if is_confidential {
        let chat = test.workspace.audience(Some(&chat()), Some("42")).unwrap();
        ([chat.clone(), chat.only(Layer::User), Audience::owner()], Sensitivity::Confidential)
    } else {
        let chat = other("discord:8");
        ([chat.clone(), chat.only(Layer::User), other("discord:9")], Sensitivity::Normal)
    };
    for audience in audiences {
        let ledger = || test.workspace.ledger().for_audience(audience.clone()).with_sensitivity(sensitivity);
        for place in PLACES {
            if place != Some("session") || audience.layer().is_none() {
                ledger().add(&fact(place, VALUES[0], None)).unwrap();
            }
        }
        let gone = NewFact { predicate: "earned".into(), ..fact(None, VALUES[0], None) };
        let gone = ledger().add(&gone).unwrap().reference;
        test.workspace.ledger().deprecate(&Target::Ref(gone)).unwrap();
        let statements = test.workspace.statements().for_audience(audience.clone());
        let added = Added::new(STATEMENT, Category::Preference);
        statements.with_sensitivity(sensitivity).add(&added).unwrap();
        let zone = || test.workspace.zone().for_audience(audience.clone()).with_sensitivity(sensitivity);
        zone().save(LINES, Mode::Append).unwrap();
        zone().daily("- met Ana", None).unwrap();
    }
}

/// Returns an answer or the text of an error.
fn shown<T: Debug>(answer: &memtape::Result<T>) -> String {
    match answer {
        Ok(answer) => format!("{answer:?}"),
        Err(e) => format!("error: {e}"),
    }
}

/// Returns every command.
fn acts() -> Vec<Act> {
    let sensitivities = [Sensitivity::Normal, Sensitivity::Private, Sensitivity::Confidential];
    let mut acts = Vec::new();
    for place in PLACES {
        for value in VALUES {
            for sensitivity in sensitivities {
                acts.push(Act::Add(fact(place, value, None), sensitivity));
                acts.push(Act::Observe(fact(place, value, None), sensitivity));
            }
            acts.push(Act::Add(fact(place, value, Some(3)), Sensitivity::Normal));
            acts.push(Act::Add(fact(place, value, Some(3)), Sensitivity::Confidential));
            acts.push(Act::Update(named(place), value));
            let Named { subject, predicate, scope } = named(place);
            let add = json!({"subject": subject, "predicate": predicate, "object": value, "topic": scope});
            acts.push(Act::Tool("memory_add", add));
        }
        acts.extend([Act::Forget(named(place)), Act::Deprecate(named(place)), Act::Confirm(named(place))]);
    }
    let gone = Named { predicate: "earned".into(), ..named(None) };
    acts.extend([Act::Confirm(gone.clone()), Act::Update(gone, VALUES[1])]);
    for sensitivity in sensitivities {
        acts.extend([Act::State(sensitivity), Act::Daily(sensitivity)]);
        acts.extend([Mode::Append, Mode::Replace].map(|mode| Act::Save(mode, sensitivity)));
    }
    let tool = |name: &'static str, arguments: Value| Act::Tool(name, arguments);
    acts.extend([
        Act::Promote,
        Act::ForgetLine("twice"),
        Act::ForgetLine("safe"),
        Act::RestoreZone,
        Act::Prune,
        Act::Say(STATEMENT),
        Act::Say("forget that I prefer tea"),
        tool("memory_save", json!({"content": LINES, "mode": "append"})),
        tool("memory_save", json!({"content": "the safe is green"})),
        tool("memory_daily", json!({"content": "- met Ana"})),
        tool("memory_forget", json!({"text": "twice"})),
        tool("memory_forget", json!({"text": "prefer tea"})),
        tool("memory_forget", json!({"subject": "user", "predicate": "earns"})),
        tool("memory_forget", json!({"date": "2026-02-10"})),
    ]);
    acts
}

/// Runs commands with and without confidential memories, and compares what is answered and, after every few commands, what
/// is seen.
fn compare(acts: &[(Act, Option<Layer>)], every: usize) -> Result<(), String> {
    let mut worlds = [true, false].map(World::new);
    let everybody = worlds[0].test.workspace.audience(Some(&chat()), Some("42")).unwrap();
    for (n, (act, layer)) in acts.iter().enumerate() {
        let audience = layer.map_or(everybody.clone(), |layer| everybody.clone().only(layer));
        let looks = n % every == 0 || n + 1 == acts.len();
        let [with, without] = worlds.each_mut().map(|world| world.run(act, &audience, looks));
        for (with, without) in with.iter().zip(&without) {
            if with != without {
                return Err(format!("{n}: {act:?} for {layer:?}\nwith:    {with}\nwithout: {without}"));
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(random(12))]

    #[test]
    fn no_answer_depends_on_confidential_memories(
        acts in proptest::collection::vec(
            (prop::sample::select(acts()), prop::sample::select(vec![
                None, None, Some(Layer::Chat), Some(Layer::User), Some(Layer::Global),
            ])),
            1..12,
        )
    ) {
        compare(&acts, 2).map_err(TestCaseError::fail)?;
    }
}

#[test]
fn no_command_of_all_depends_on_confidential_memories() {
    for layer in [None, Some(Layer::User), Some(Layer::Global)] {
        let mut acts: Vec<_> = acts().into_iter().map(|act| (act, layer)).collect();
        compare(&acts, 16).unwrap();
        acts.reverse();
        compare(&acts, 16).unwrap();
    }
}
