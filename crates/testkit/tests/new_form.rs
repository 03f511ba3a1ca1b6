//! A form that is not built in is fully integrated by its rules alone: it is recalled, merged, undone, listed in the
//! journal and guarded against secrets, and the laws hold for it.
//!
//! It is a separate program, because the registry of forms belongs to a process.

#![allow(clippy::unwrap_used, reason = "these are tests")]

use std::collections::HashSet;
use std::sync::Once;

use memtape::{At, Audience, ErrorKind, Form, Memory, Origin, Recall, Session, Workspace};
use memtape_core::created::{Created, Search};
use memtape_core::decision::{Context, Decision};
use memtape_core::form::{Merged, Recreation, RemovalCause, Rules};
use memtape_core::line::{Fields, LineType, field, text};
use memtape_core::meta::{Meta, Retire};
use memtape_core::safety::names::{NameField, Named};
use memtape_core::{Error, MemoryId, forms, payload};
use memtape_index::{Confidential, Question};
use memtape_tape::{Draft, Entry, Kind};
use memtape_testkit::step::Act;
use memtape_testkit::{Step, TestClock, TestWorkspace, laws, random, steps};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const TALLIES: Form = Form::named("tallies");
const SET: &str = "tally.set";

/// Counts of events by name. Two branches that both counted are merged by adding their counts.
#[derive(Debug)]
struct Tallies;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Tally {
    name: String,
    count: i64,
}

impl Tally {
    fn read(memory: &Memory) -> memtape_core::Result<Self> {
        let data = memory.data.as_deref().and_then(|data| serde_json::from_str(data).ok());
        data.ok_or_else(|| Error::Invalid(format!("{} cannot be read as a tally", memory.version())))
    }

    fn text(&self) -> String {
        format!("{} happened {} times", self.name, self.count)
    }

    fn draft(&self, meta: &Meta, ctx: &Context) -> memtape_core::Result<Draft> {
        Ok(Draft::new(Kind::Event, &json!({"name": SET, "data": self}), meta, &ctx.branch)?)
    }
}

impl Rules for Tallies {
    fn form(&self) -> Form {
        TALLIES
    }

    fn prefixes(&self) -> &'static [&'static str] {
        &["tally."]
    }

    fn owns(&self, event: &str) -> bool {
        event == SET
    }

    fn creates(&self, _event: &str, entry: &Entry, meta: &Meta) -> Vec<Created> {
        let Some(tally) = payload::data::<Tally>(entry) else { return Vec::new() };
        vec![Created {
            key: tally.name.clone(),
            data: serde_json::to_string(&tally).ok(),
            search: Search { own: tally.text(), ..Search::default() },
            text: tally.text(),
            ..Created::of(TALLIES, MemoryId::new(entry.id, 0), meta)
        }]
    }

    fn names(&self, _event: &str) -> &'static [NameField] {
        const { &[NameField { at: "/data/name", of: Named::of_kind("a tally") }] }
    }

    fn line_types(&self) -> &'static [LineType] {
        &[LineType { name: "tally", tells: "`tally.set`", fields: "`of`", made_by: None }]
    }

    fn line_type(&self, _event: &str, _entry: &Entry) -> Option<&'static str> {
        Some("tally")
    }

    fn line(&self, _event: &str, data: &Value, _meta: &Meta) -> Fields {
        Fields::from_iter([field("of", text(data, "name"))])
    }

    fn recreate(
        &self,
        memory: &Memory,
        _how: Recreation,
        meta: Meta,
        ctx: &Context,
    ) -> memtape_core::Result<Draft> {
        Tally::read(memory)?.draft(&meta, ctx)
    }

    fn retire(
        &self,
        memory: &Memory,
        _cause: &RemovalCause,
        meta: &Meta,
        ctx: &Context,
    ) -> memtape_core::Result<Draft> {
        let payload = json!({"name": SET, "data": {"of": memory.key}});
        Ok(Draft::new(Kind::Event, &payload, meta, &ctx.branch)?)
    }

    fn merge(&self, base: Option<&Memory>, ours: &Memory, theirs: &Memory) -> Merged {
        let count = |memory: &Memory| Tally::read(memory).map_or(0, |tally| tally.count);
        let before = base.map_or(0, count);
        let tally = Tally { name: ours.key.clone(), count: count(ours) + count(theirs) - before };
        let data = serde_json::to_string(&tally).ok();
        Merged::Joined(Box::new(Memory { text: tally.text(), data, ..ours.clone() }))
    }
}

/// Counts something once more.
#[derive(Clone, Debug)]
struct Count(&'static str);

impl Count {
    fn of(name: &str, workspace: &Workspace) -> memtape::Result<()> {
        let author = workspace.author(&Session::direct(), Origin::User);
        workspace.write(&author, |reader, point, ctx| {
            let question = Question {
                form: Some(TALLIES),
                key: Some(name.to_owned()),
                confidential: Confidential::ToOwner,
                ..Question::default()
            };
            let current = reader.memories(&question, point)?;
            let count =
                current.last().map_or(Ok(0), |memory| Tally::read(memory).map(|tally| tally.count))?;
            let tally = Tally { name: name.to_owned(), count: count + 1 };
            let retires = current.iter().map(|memory| Retire::Memory(memory.id));
            let draft = tally.draft(&ctx.meta().retiring(retires), ctx)?;
            Ok(Decision { drafts: vec![draft], outcome: () })
        })?;
        Ok(())
    }
}

impl Act for Count {
    fn run(&self, workspace: &Workspace, _clock: &TestClock) -> memtape::Result<()> {
        Self::of(self.0, workspace)
    }
}

/// Registers the form and its steps, once in this process.
fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        forms::register(&[&Tallies]).unwrap();
        steps::add(6, || Step::of(prop::sample::select(vec!["rain", "lateness"]).prop_map(Count)));
    });
}

fn current(workspace: &Workspace, at: &At) -> Vec<String> {
    let memories = workspace.memories(TALLIES, &Audience::owner(), at).unwrap();
    memories.into_iter().map(|memory| memory.text).collect()
}

#[test]
fn it_is_recalled_merged_undone_and_seen_in_the_journal() {
    register();
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    Count::of("rain", workspace).unwrap();
    let recalled = workspace.recall(&Recall::new("how often was there rain"), &At::head()).unwrap();
    assert_eq!(recalled.hits[0].reference.to_string().split('@').next(), Some("tallies:rain"));
    let branches = workspace.branches();
    branches.create("travel", None, &At::head()).unwrap();
    Count::of("rain", workspace).unwrap();
    branches.switch("travel", false).unwrap();
    Count::of("rain", workspace).unwrap();
    Count::of("rain", workspace).unwrap();
    branches.switch("main", false).unwrap();
    branches.merge("travel").unwrap();
    assert_eq!(current(workspace, &At::head()), ["rain happened 4 times"]);
    branches.undo().unwrap();
    assert_eq!(current(workspace, &At::head()), ["rain happened 2 times"]);
    let lines = workspace.journal().recent(&HashSet::new(), &At::head()).unwrap();
    assert!(lines.iter().any(|line| line.kind == "tally"), "{lines:?}");
    let refused = workspace.tape().append_event(SET, None, &Session::direct()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Refused);
    let refused = Count::of("ghp_0123456789abcdefABCDEF0123456789abcd", workspace).unwrap_err();
    assert!(refused.to_string().starts_with("the name of a tally contains a secret"), "{refused}");
    let status = workspace.status(&At::head()).unwrap();
    assert!(status.memories.contains(&(TALLIES, 1)), "{:?}", status.memories);
}

fn holds(verdict: laws::Verdict) -> Result<(), TestCaseError> {
    verdict.map_err(TestCaseError::fail)
}

proptest! {
    #![proptest_config(random(8))]

    #[test]
    fn law_1_holds_for_a_registered_form(steps in { register(); Step::many(25) }) {
        holds(laws::rebuild(&steps))?;
        holds(laws::reopened(&steps))?;
    }

    #[test]
    fn law_5_holds_for_a_registered_form(steps in { register(); Step::many(25) }) {
        holds(laws::time(&steps))?;
    }
}
