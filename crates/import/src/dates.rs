//! The dates of messages that have none.
//!
//! A message whose date is missing, cannot be read or is in the future is as old as the one before it in its
//! conversation. The first ones of a conversation are as old as the first one with a date and, if there is none, as the
//! file. **Invariant.** The items keep their order.

use std::collections::HashMap;

use jiff::Timestamp;

use crate::input::Input;
use crate::item::{Content, Item};

/// Maximum number of messages that wait for the first date of their conversation.
const WAITING_MAX: usize = 500;

/// Gives dates to messages.
pub(crate) struct Dates<'d> {
    input: &'d Input,
    now: Timestamp,
    /// The last date of each conversation.
    last: HashMap<Option<String>, Timestamp>,
    /// Messages without a date, all of one file and one conversation, of which none has a date so far.
    waiting: Vec<Item>,
}

/// An item, and whether its own date was missing or not usable.
pub(crate) type Dated = (Item, bool);

impl<'d> Dates<'d> {
    pub(crate) fn new(input: &'d Input, now: Timestamp) -> Self {
        Self { input, now, last: HashMap::new(), waiting: Vec::new() }
    }

    /// Takes an item, and returns those whose date is known now.
    pub(crate) fn take(&mut self, mut item: Item) -> Vec<Dated> {
        if let Some(said_at) = item.content.said_at_mut() {
            *said_at = said_at.filter(|said_at| *said_at <= self.now);
        }
        let Content::Message(message) = &item.content else {
            return self.flush(None).into_iter().chain([(item, false)]).collect();
        };
        let before = self.waiting.first().is_none_or(|first| is_beside(first, &item));
        let date = message.said_at.or_else(|| self.last.get(&message.session).copied());
        let mut ready = match (before, date) {
            (true, None) => Vec::new(),
            (true, date) => self.flush(date),
            (false, _) => self.flush(None),
        };
        let Some(date) = date else {
            self.waiting.push(item);
            if self.waiting.len() >= WAITING_MAX {
                ready.extend(self.flush(None));
            }
            return ready;
        };
        self.last.insert(message.session.clone(), date);
        let is_undated = message.said_at.is_none();
        ready.push((dated(item, Some(date)), is_undated));
        ready
    }

    /// Returns the messages that wait, with a date, or with that of their file.
    pub(crate) fn flush(&mut self, date: Option<Timestamp>) -> Vec<Dated> {
        let waiting = std::mem::take(&mut self.waiting);
        let of_file = |first: &Item| self.input.changed_at(&first.place.file);
        let date = date.or_else(|| waiting.first().and_then(of_file).filter(|date| *date <= self.now));
        waiting.into_iter().map(|item| (dated(item, date), true)).collect()
    }
}

/// Returns whether two messages are of one file and one conversation.
fn is_beside(one: &Item, other: &Item) -> bool {
    let session = |item: &Item| match &item.content {
        Content::Message(message) => message.session.clone(),
        _ => None,
    };
    one.place.file == other.place.file && session(one) == session(other)
}

fn dated(mut item: Item, date: Option<Timestamp>) -> Item {
    if let Some(said_at) = item.content.said_at_mut() {
        *said_at = date;
    }
    item
}
