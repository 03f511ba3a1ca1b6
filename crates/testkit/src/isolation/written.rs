//! A workspace in which the items of a world were written.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use memtape::ledger::{Named, NewFact};
use memtape::{
    Added, At, Audience, Backend, BlockName, Config, Durability, FilePath, Form, Memory, Mode, calendar,
};
use serde_json::json;

use super::sees::lives_in;
use super::world::{Asker, Home, NAME, Planted, SESSIONS, USERS, What, World, session, text_of, word};
use crate::laws::text;
use crate::workspace::{START, TestWorkspace};

/// The predicate of every ledger fact.
pub(super) const PREDICATE: &str = "notes";

/// A workspace in which the items of a world were written.
pub(super) struct Written<'a> {
    pub(super) world: &'a World,
    pub(super) test: TestWorkspace,
    /// The last entry after each item.
    pub(super) ends: Vec<u64>,
    /// The memory of each item; anchors and events have none.
    pub(super) memories: BTreeMap<usize, Memory>,
}

impl<'a> Written<'a> {
    pub(super) fn new(world: &'a World, backend: Backend) -> Result<Self, String> {
        let mut config = Config { durability: Durability::Os, ..Config::default() };
        config.recall.backend = backend;
        let declared = USERS.iter().filter(|user| user.1 == 0).map(|user| user.0.to_owned()).collect();
        config.users.insert(NAME.into(), declared);
        let test = TestWorkspace::configured(config);
        let mut ends = Vec::new();
        for (n, planted) in world.all_planted.iter().enumerate() {
            write(&test, planted, &text_of(n, planted)).map_err(text)?;
            ends.push(test.workspace.status(&At::head()).map_err(text)?.entries);
        }
        if backend == Backend::Hybrid {
            test.workspace.make_vectors(|_, _| ()).map_err(text)?;
        }
        let mut memories = BTreeMap::new();
        for form in Form::all() {
            for memory in test.workspace.memories(form, &Audience::owner(), &At::head()).map_err(text)? {
                let n = (0..world.all_planted.len()).find(|n| memory.text.contains(&word(*n)));
                memories.extend(n.map(|n| (n, memory)));
            }
        }
        Ok(Self { world, test, ends, memories })
    }

    pub(super) fn audience(&self, asker: &Asker) -> Result<Audience, String> {
        let user = asker.user_text();
        let session = asker.session.map(session);
        let audience = self.test.workspace.audience(session.as_ref(), user.as_deref()).map_err(text)?;
        Ok(match asker.layer {
            Some(layer) => audience.only(layer),
            None => audience,
        })
    }
}

/// Returns the name of the ledger fact that contains a word.
pub(super) fn about(word: &str) -> Named {
    Named { subject: word.to_owned(), predicate: PREDICATE.to_owned(), scope: None }
}

/// Writes an item. Messages, anchors and events are appended directly to the tape, because another program
/// may set metadata that no command sets.
fn write(test: &TestWorkspace, planted: &Planted, text: &str) -> memtape::Result<()> {
    let meta = json!({"session": SESSIONS[planted.session].0, "sensitivity": planted.sensitivity.as_str()})
        .to_string();
    let audience = match planted.home {
        Home::Chat(n) => Audience::of_chat(&session(n)),
        Home::User(n) => test.workspace.audience(None, Some(USERS[n].0))?,
        Home::Workspace => Audience::owner(),
    };
    let statements =
        test.workspace.statements().for_audience(audience.clone()).with_sensitivity(planted.sensitivity);
    let zone = test.workspace.zone().for_audience(audience.clone()).with_sensitivity(planted.sensitivity);
    let ledger = test.workspace.ledger().for_audience(audience.clone()).with_sensitivity(planted.sensitivity);
    let word = text.split(' ').next().unwrap_or_default();
    let told = |object: String| NewFact {
        confidence: 0.9,
        source: text.into(),
        ..NewFact::new(word, PREDICATE, object)
    };
    match planted.what {
        What::Message => {
            // The user's id contains the word too: it may be shown only to askers who may see the message.
            let meta = json!({"session": SESSIONS[planted.session].0, "user": format!("irc:{word}"),
                "sensitivity": planted.sensitivity.as_str()});
            test.append("message", &json!({"role": "user", "content": text}).to_string(), &meta.to_string());
        }
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
            let scope = lives_in(planted).map(|_| "session".to_owned());
            let told = NewFact { scope, evidence: Some(text.into()), ..told(text.to_owned()) };
            ledger.because(Some(text.into())).add(&told)?;
        }
        What::Disputed => {
            let branch = format!("branch{}", test.workspace.status(&At::head())?.entries);
            test.workspace.branches().create(&branch, None, &At::head())?;
            let other = test.again_on(&branch);
            let there = other.ledger().for_audience(audience).with_sensitivity(planted.sensitivity);
            there.add(&told(format!("{text} there")))?;
            ledger.add(&told(format!("{text} here")))?;
            let merged = test.workspace.branches().merge(&branch)?;
            assert_eq!(merged.conflicts.len(), 1, "the two sides are in conflict");
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
        What::Branch => {
            let branches = test.workspace.branches().for_audience(audience);
            branches.create(&format!("of-{word}"), Some(text), &At::head())?;
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
