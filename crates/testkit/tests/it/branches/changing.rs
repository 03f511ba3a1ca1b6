//! Steps that add, change or forget an item on one branch: facts, lines and notes, statements, blocks, bullets.

use memtape::ledger::{Named, NewFact};
use memtape::{Added, At, BlockName, Category, ErrorKind};

use super::known::{Says, Source};
use super::shown::{DAY, bullet};
use super::steps::{BLOCKS, Step};
use super::world::{TEAS, World, session};

fn fact(n: u8) -> String {
    format!("fact user likes{n}")
}

fn named(n: u8) -> Named {
    Named { subject: "user".into(), predicate: format!("likes{n}"), scope: Some("permanent".into()) }
}

fn told(n: u8, value: u8) -> NewFact {
    let Named { subject, predicate, scope } = named(n);
    NewFact { scope, ..NewFact::new(subject, predicate, format!("value{value}")) }
}

impl World {
    pub(crate) fn facts(&mut self, step: &Step) {
        match *step {
            Step::Fact { branch, fact: n, value } => {
                let branch = self.branch(branch);
                let told = told(n, value);
                self.test.workspace.ledger().in_session(session(&branch)).add(&told).unwrap();
                let says = Some(Says::Value(told.object));
                if self.sides[&branch].says(&fact(n)) != says {
                    self.say(&branch, &fact(n), says);
                }
            }
            Step::ForgetFact { branch, fact: n } => {
                let branch = self.branch(branch);
                let done = self.test.workspace.ledger().in_session(session(&branch)).forget(&named(n));
                match self.sides[&branch].says(&fact(n)) {
                    Some(_) => {
                        done.unwrap();
                        self.say(&branch, &fact(n), None);
                    }
                    None => assert_eq!(done.unwrap_err().kind(), ErrorKind::NotFound),
                }
            }
            _ => unreachable!(),
        }
    }

    pub(crate) fn zone(&mut self, step: &Step) {
        match *step {
            Step::Line { branch, line } => {
                let (branch, line) = (self.branch(branch), format!("remember {line}"));
                self.test.workspace.zone().in_session(session(&branch)).remember(&line).unwrap();
                let slot = format!("line {line}");
                if self.sides[&branch].says(&slot).is_none() {
                    self.say(&branch, &slot, Some(Says::Text));
                }
            }
            Step::ForgetLine { branch, line } => {
                let (branch, line) = (self.branch(branch), format!("remember {line}"));
                let done = self.test.workspace.zone().in_session(session(&branch)).forget_text(&line);
                let slot = format!("line {line}");
                match self.sides[&branch].says(&slot) {
                    Some(_) => {
                        done.unwrap();
                        self.say(&branch, &slot, None);
                    }
                    None => assert_eq!(done.unwrap_err().kind(), ErrorKind::NotFound),
                }
            }
            Step::Note { branch, note } => {
                let (branch, note) = (self.branch(branch), format!("note{note}"));
                let notes = self.notes(&branch);
                let text = if notes.is_empty() { format!("# {DAY}\n\n{note}") } else { note.clone() };
                let slot = format!("note {text}");
                if self.sides[&branch].says(&slot).is_none() {
                    self.test
                        .workspace
                        .zone()
                        .in_session(session(&branch))
                        .daily(&note, Some(DAY.parse().unwrap()))
                        .unwrap();
                    self.say(&branch, &slot, Some(Says::Text));
                }
            }
            Step::ForgetNotes { branch } => {
                let branch = self.branch(branch);
                let notes = self.notes(&branch);
                let done =
                    self.test.workspace.zone().in_session(session(&branch)).forget_day(DAY.parse().unwrap());
                assert_eq!(done.is_ok(), !notes.is_empty());
                if done.is_ok() {
                    let did = notes.iter().map(|slot| self.write(&branch, slot, None, Source::Own)).collect();
                    self.group(&branch, did, None);
                }
            }
            _ => unreachable!(),
        }
    }

    /// Returns the pieces of the day's note.
    fn notes(&self, branch: &str) -> Vec<String> {
        let slots = self.sides[branch].slots.iter();
        let notes = slots.filter(|(slot, known)| slot.starts_with("note ") && known.says().is_some());
        notes.map(|(slot, _)| slot.clone()).collect()
    }

    pub(crate) fn statements(&mut self, step: &Step) {
        let text = |n: u8| format!("I like thing {n}");
        match *step {
            Step::Tell { branch, statement, importance } => {
                let branch = self.branch(branch);
                let text = text(statement);
                let added = Added {
                    importance: f64::from(importance) / 10.0,
                    ..Added::new(&text, Category::Preference)
                };
                self.test.workspace.statements().in_session(session(&branch)).add(&added).unwrap();
                let slot = format!("said {text}");
                let says = match self.sides[&branch].says(&slot) {
                    Some(Says::NewFact { importance: before, first, .. }) => {
                        Says::NewFact { importance: before.max(importance), last: self.now, first }
                    }
                    _ => Says::NewFact { importance, last: self.now, first: self.now },
                };
                self.say(&branch, &slot, Some(says));
            }
            Step::ForgetStatement { branch, statement } => {
                let branch = self.branch(branch);
                let slot = format!("said {}", text(statement));
                let statements = self.test.workspace.statements().in_session(session(&branch));
                let holding: Vec<_> = statements
                    .list(&memtape::Selection::default(), &At::head())
                    .unwrap()
                    .into_iter()
                    .filter(|held| held.memory.text == text(statement))
                    .map(|held| held.memory.reference())
                    .collect();
                assert_eq!(holding.len(), usize::from(self.sides[&branch].says(&slot).is_some()));
                if !holding.is_empty() {
                    statements.forget(&holding).unwrap();
                    self.say(&branch, &slot, None);
                }
            }
            _ => unreachable!(),
        }
    }

    pub(crate) fn blocks(&mut self, step: &Step) {
        let (branch, block, value) = match *step {
            Step::Block { branch, block, value } => (branch, block, Some(format!("value{value}"))),
            Step::ForgetBlock { branch, block } => (branch, block, None),
            _ => unreachable!(),
        };
        let (branch, name) = (self.branch(branch), BlockName::new(BLOCKS[block]).unwrap());
        let slot = format!("block {name}");
        let before = self.sides[&branch].says(&slot);
        let blocks = self.test.workspace.blocks().in_session(session(&branch));
        match &value {
            Some(value) => {
                blocks.set(&name, value, None).unwrap();
            }
            None if before.is_some() => blocks.forget(&name).unwrap(),
            None => assert_eq!(blocks.forget(&name).unwrap_err().kind(), ErrorKind::NotFound),
        }
        let says = value.map(Says::Value);
        if says != before {
            self.say(&branch, &slot, says);
        }
    }

    pub(crate) fn bullets(&mut self, step: &Step) {
        let (branch, tea, change) = match *step {
            Step::Bullet { branch, tea, line, value } => (branch, tea, Some((line, value))),
            Step::RemoveBullet { branch, tea } => (branch, tea, None),
            _ => unreachable!(),
        };
        let (branch, tea) = (self.branch(branch), format!("tea{tea}"));
        let slot = format!("bullet {tea}");
        let before = match self.sides[&branch].says(&slot) {
            Some(Says::Bullet(lines)) => Some(lines),
            _ => None,
        };
        let after = change.map(|(line, value)| {
            let mut lines = before.unwrap_or([value; 2]);
            lines[line] = value;
            lines
        });
        let notes = self.test.workspace.notes().in_session(session(&branch));
        let path = notes.path(TEAS).unwrap();
        let head = self.test.workspace.at(&format!("{branch}@head")).unwrap();
        let text = String::from_utf8(notes.read(&path, &head).unwrap().bytes()).unwrap();
        let [old, new] =
            [before, after].map(|lines| lines.map_or(String::new(), |lines| bullet(&tea, lines)));
        let text = match before {
            Some(_) => text.replacen(&old, &new, 1),
            None => text + &new,
        };
        notes.write(&path, &text).unwrap();
        if before != after {
            self.say(&branch, &slot, after.map(Says::Bullet));
        }
    }
}
