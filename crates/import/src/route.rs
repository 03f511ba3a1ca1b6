//! Turns an item into a record of the library.

use memtape::bulk::{Record, SaidContent, SaidItem, Statement as Kept};
use memtape::ledger::{Named, NewFact, Step};
use memtape::statements::{IMPORTED_CONFIDENCE, IMPORTED_IMPORTANCE};
use memtape::{BlockLayer, Scope, Sensitivity, Session, Source as Recorded, ToolUse, User};

use crate::item::{Content, Fact, FactChange, Item, ItemScope, Line, Lines, Message, Statement};

/// What an item is, for the report: its plural, and the form that it is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    /// One of them.
    pub one: &'static str,
    /// Several of them.
    pub many: &'static str,
    /// The form.
    pub form: &'static str,
}

impl Kind {
    /// Returns whether `undo` takes it back. Every branch shows what it does not.
    pub(crate) fn is_undone(&self) -> bool {
        !["messages", "journal", "tape"].contains(&self.form)
    }
}

/// Returns what an item is.
pub(crate) fn kind(content: &Content) -> Kind {
    let (one, many, form) = match content {
        Content::Message(_) => ("message", "messages", "messages"),
        Content::ToolCalls { .. } => ("group of tool calls", "groups of tool calls", "messages"),
        Content::Statement(_) | Content::Deleted => ("statement", "statements", "statements"),
        Content::Fact(_) => ("fact", "facts", "ledger"),
        Content::Lines(Lines { date: None, .. }) => ("long-term line", "long-term lines", "zone"),
        Content::Daily { .. } | Content::Lines(_) => ("daily note", "daily notes", "zone"),
        Content::Note { .. } => ("note", "notes", "notes"),
        Content::File { .. } => ("file", "files", "files"),
        Content::Block { .. } => ("block version", "block versions", "blocks"),
        Content::Journal { .. } => ("journal line", "journal lines", "journal"),
        Content::Entry { .. } => ("tape entry", "tape entries", "tape"),
    };
    Kind { one, many, form }
}

/// What the items of an import have in common.
pub(crate) struct Router<'r> {
    /// The name of the source.
    pub(crate) source: &'r str,
    /// The conversation of what names none.
    pub(crate) session: &'r Session,
    /// The current time.
    pub(crate) now: jiff::Timestamp,
}

impl Router<'_> {
    /// Returns an item as a record.
    ///
    /// # Errors
    /// A message if the record cannot be written because a label is not valid, or a number is out of range.
    pub(crate) fn record(&self, item: Item) -> Result<Record, String> {
        let place = item.place.to_string();
        Ok(match item.content {
            Content::Message(message) => self.message(message)?,
            Content::ToolCalls { session, calls, said_at } => {
                let session = self.session(session.as_deref())?;
                let uses = calls.into_iter().map(|call| ToolUse {
                    name: call.name,
                    arguments: call.arguments,
                    result: call.result,
                });
                let content = SaidContent::Tools(uses.collect(), said_at);
                said(SaidItem { session, user: None, content, messages: 1 })
            }
            Content::Statement(statement) => self.statement(statement, place)?,
            Content::Deleted => Record::Deleted,
            Content::Fact(fact) => self.fact(fact, place)?,
            Content::Lines(Lines { date, lines, scope }) => {
                let line = |line: Line| memtape::bulk::Line { text: line.text, said_at: line.said_at };
                let lines = lines.into_iter().map(line).collect();
                Record::Lines { date, lines, scope: to_scope(&scope)?, place }
            }
            Content::Daily { date, text, nth, said_at, scope } => {
                Record::Daily { date, text, nth, said_at, scope: to_scope(&scope)?, place }
            }
            Content::Note { path, text } => Record::Note { path, text, place },
            Content::File { path, text } => Record::File { path, text, place },
            Content::Block { name, value, layer, said_at } => {
                let layer = layer.map(|layer| BlockLayer::new(layer.into())).transpose();
                let layer = layer.map_err(|e| e.to_string())?;
                let place = match said_at {
                    Some(said_at) => format!("{place}, set {said_at}"),
                    None => place,
                };
                Record::Block { name, value, layer, place }
            }
            Content::Journal { kind, mut data, session, said_at } => {
                if let Some(said_at) = said_at.filter(|_| !data.contains_key("ts")) {
                    data.insert("ts".into(), said_at.to_string().into());
                }
                Record::Journal { kind, data: data.into(), session: self.session(session.as_deref())? }
            }
            Content::Entry { entry, session, said_at } => {
                Record::Entry { entry, session: self.session(session.as_deref())?, said_at }
            }
        })
    }

    fn session(&self, label: Option<&str>) -> Result<Session, String> {
        label.map_or_else(
            || Ok(self.session.clone()),
            |label| Session::parse(label).map_err(|e| e.to_string()),
        )
    }

    fn message(&self, message: Message) -> Result<Record, String> {
        let Message { session, user, role, text, name, said_at } = message;
        let session = self.session(session.as_deref())?;
        let user = user.map(|user| session.user(&user)).transpose().map_err(|e| e.to_string())?;
        let message = memtape::Message { role, content: text, name, image: None, said_at };
        let content = SaidContent::Message(message);
        Ok(said(SaidItem { session, user, content, messages: 1 }))
    }

    fn statement(&self, statement: Statement, place: String) -> Result<Record, String> {
        let importance = share("importance", statement.importance.unwrap_or(IMPORTED_IMPORTANCE))?;
        let confidence = share("confidence", statement.confidence.unwrap_or(IMPORTED_CONFIDENCE))?;
        let kept = Kept {
            importance,
            confidence,
            source: Recorded::Import,
            since: statement.since.filter(|since| Some(*since) != statement.said_at),
            expires_at: statement.expires_at,
            date: statement.date,
            place: Some(place),
            ..Kept::new(statement.text, statement.category, statement.said_at.unwrap_or(self.now))
        };
        let sensitivity = match statement.is_private {
            true => Sensitivity::Confidential,
            false => Sensitivity::Normal,
        };
        let scope = match &statement.scope {
            ItemScope::Unknown => None,
            scope => Some(to_scope(scope)?),
        };
        Ok(Record::Statement { statement: kept, scope, sensitivity })
    }

    fn fact(&self, fact: Fact, place: String) -> Result<Record, String> {
        let Fact {
            change,
            subject,
            predicate,
            object,
            topic,
            confidence,
            source,
            evidence,
            said_at,
            scope,
            ..
        } = fact;
        let step = match change {
            FactChange::Record | FactChange::Observe => {
                let fact = NewFact {
                    subject,
                    predicate,
                    object,
                    scope: topic,
                    confidence: share("confidence", confidence.unwrap_or(IMPORTED_CONFIDENCE))?,
                    source: source.unwrap_or_else(|| self.source.to_owned()),
                    evidence: evidence.or(Some(place)),
                    days: None,
                    quarantined: None,
                };
                if change == FactChange::Record { Step::Add(fact) } else { Step::Observe(fact) }
            }
            FactChange::Deprecate => Step::Deprecate(Named { subject, predicate, scope: topic }),
            FactChange::Forget => Step::Forget(Named { subject, predicate, scope: topic }),
        };
        let session = match &scope {
            ItemScope::Chat(label) => self.session(Some(label))?,
            ItemScope::Workspace | ItemScope::User(_) | ItemScope::Unknown => self.session.clone(),
        };
        Ok(Record::Fact { step, scope: to_scope(&scope)?, session, said_at })
    }
}

fn said(item: SaidItem) -> Record {
    Record::Message { item, is_unwanted: false }
}

fn to_scope(scope: &ItemScope) -> Result<Scope, String> {
    match scope {
        ItemScope::Workspace | ItemScope::Unknown => Ok(Scope::Global),
        ItemScope::Chat(label) => {
            Session::parse(label).map(|session| Scope::of_chat(&session)).map_err(|e| e.to_string())
        }
        ItemScope::User(label) => label.parse::<User>().map(Scope::User).map_err(|e| e.to_string()),
    }
}

fn share(what: &str, number: f64) -> Result<f64, String> {
    match (0.0..=1.0).contains(&number) {
        true => Ok(number),
        false => Err(format!("its {what} is not a number from 0 to 1")),
    }
}
