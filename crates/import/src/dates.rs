//! The dates of messages and statements that have none, and of the tool calls and tape entries beside them.
//!
//! A message whose date is missing, cannot be read, is the beginning of 1970 or is in the future is as old as the one
//! before it in its conversation. The first ones of a conversation are as old as the first one with a date and, if there
//! is none, as the file. So is a statement. **Invariant.** The items keep their order.

use std::collections::HashMap;
use std::mem;

use jiff::Timestamp;

use crate::input::Input;
use crate::item::{Content, Item, Message};

/// Maximum number of items that wait for the first date of their conversation.
const WAITING_MAX: usize = 500;
/// Number of bytes of text from which they no longer wait.
const BYTES_MAX: usize = 4 << 20;

/// Gives dates to what was said in conversations.
pub(crate) struct Dates<'d> {
    input: &'d Input,
    now: Timestamp,
    /// The last date of each conversation.
    last: HashMap<Option<String>, Timestamp>,
    /// Items of one file. The first is part of a conversation of which nothing has a date so far, and so are those that
    /// have none.
    waiting: Vec<Item>,
    /// About how many bytes they have.
    bytes: usize,
}

/// An item, and whether its own date was missing or not usable.
pub(crate) type Dated = (Item, bool);

impl<'d> Dates<'d> {
    pub(crate) fn new(input: &'d Input, now: Timestamp) -> Self {
        Self { input, now, last: HashMap::new(), waiting: Vec::new(), bytes: 0 }
    }

    /// Takes an item, and returns those whose date is known now.
    pub(crate) fn take(&mut self, mut item: Item) -> Vec<Dated> {
        if let Some(said_at) = item.content.said_at_mut() {
            // Zero is how some programs write that they do not know it.
            *said_at = said_at.filter(|said_at| *said_at <= self.now && *said_at != Timestamp::UNIX_EPOCH);
        }
        let of_file = self.waiting.first().filter(|first| first.place.file == item.place.file);
        let Some(session) = conversation(&item.content).map(<Option<&String>>::cloned) else {
            if of_file.is_some() {
                return self.wait(item);
            }
            let item = self.dated_as_file(item);
            return self.flush(None).into_iter().chain([item]).collect();
        };
        let is_beside = of_file.is_some_and(|first| conversation(&first.content) == Some(session.as_ref()));
        let own = item.content.said_at_mut().and_then(|said_at| *said_at);
        let date = own.or_else(|| self.last.get(&session).copied());
        let mut ready = match (is_beside, date) {
            (true, None) => Vec::new(),
            (true, date) => self.flush(date),
            (false, _) => self.flush(None),
        };
        let Some(date) = date else {
            ready.extend(self.wait(item));
            return ready;
        };
        self.last.insert(session, date);
        ready.push((dated(item, Some(date)), own.is_none()));
        ready
    }

    /// Lets an item wait, and returns those that have waited if they are too many.
    fn wait(&mut self, item: Item) -> Vec<Dated> {
        self.bytes += item.content.bytes();
        self.waiting.push(item);
        match self.waiting.len() >= WAITING_MAX || self.bytes >= BYTES_MAX {
            true => self.flush(None),
            false => Vec::new(),
        }
    }

    /// Returns the items that wait, with a date, or with that of their file.
    pub(crate) fn flush(&mut self, date: Option<Timestamp>) -> Vec<Dated> {
        let waiting = mem::take(&mut self.waiting);
        self.bytes = 0;
        let date = date.or_else(|| waiting.first().and_then(|first| self.date_of_file(first)));
        waiting
            .into_iter()
            .map(|item| match conversation(&item.content) {
                Some(_) => (dated(item, date), true),
                None => self.dated_as_file(item),
            })
            .collect()
    }

    /// Returns an item of no conversation; a statement that has no date has that of its file.
    fn dated_as_file(&self, item: Item) -> Dated {
        match &item.content {
            Content::Statement(statement) if statement.said_at.is_none() => {
                let date = self.date_of_file(&item);
                (dated(item, date), true)
            }
            _ => (item, false),
        }
    }

    fn date_of_file(&self, item: &Item) -> Option<Timestamp> {
        self.input.changed_at(&item.place.file).filter(|date| *date <= self.now)
    }
}

/// Returns the conversation that an item is a part of; `None` if it is part of none.
fn conversation(content: &Content) -> Option<Option<&String>> {
    match content {
        Content::Message(Message { session, .. })
        | Content::ToolCalls { session, .. }
        | Content::Entry { session, .. } => Some(session.as_ref()),
        _ => None,
    }
}

/// Returns an item with a date, unless it has one.
fn dated(mut item: Item, date: Option<Timestamp>) -> Item {
    if let Some(said_at) = item.content.said_at_mut() {
        *said_at = said_at.or(date);
    }
    item
}
