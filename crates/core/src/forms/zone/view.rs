//! Views of the zone: its text, and the `<memory>` block of a prompt.
//!
//! A reader may see lines of several scopes. In that case the text names the scope of each group of lines,
//! begins with the reader's default write scope ([`ZoneView::home`]), and shows a text that occurs in several
//! scopes once, under the widest of them. If all lines belong to the default write scope, no scope is named.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::Timestamp;
use jiff::ToSpan as _;
use jiff::civil::Date;

use super::entry::ZoneData;
use crate::audience::Sensitivity;
use crate::memory::{Memory, MemoryId, Origin};
use crate::safety::render::{enclosed, neutral_line, neutralise};
use crate::scope::{Layer, Scope};

/// Number of days, including today, that the `<memory>` block and a recall without a query show.
pub const RECENT_DAYS: u32 = 7;
/// Upper limit for a number of days, so that date arithmetic stays inside the calendar.
pub const DAYS_MAX: u32 = 1_000_000;
/// Recommended maximum size of long-term memory in bytes; more is too much for every prompt.
pub const LONG_TERM_BYTES_ADVISED: usize = 4096;

/// The tools that the `<memory>` block names, and their uses.
const USES: [(&str, &str); 3] = [
    ("memory_save", "to update long-term memory"),
    ("memory_daily", "to append to\ndaily notes"),
    ("memory_recall", "to search past memories"),
];

/// The zone at a point.
#[derive(Clone, Debug, Default)]
pub struct ZoneView {
    /// The version of the last seal; 0 if there is none.
    pub version: u64,
    /// The long-term lines, sorted by rank.
    pub long_term: Vec<Item>,
    /// The pieces of each day's note, sorted by rank.
    pub dailies: BTreeMap<Date, Vec<Item>>,
    /// The default write scope of the reader.
    pub home: Scope,
}

/// The items of one scope, formatted for display.
struct Owned<'i> {
    /// The name of the scope; `None` if only items of the default write scope are shown.
    whose: Option<String>,
    is_home: bool,
    /// Each item with the ids of all memories that have the same text.
    items: Vec<(&'i Item, Vec<MemoryId>)>,
}

impl Owned<'_> {
    /// Returns the heading above the items. `home` is appended if they belong to the default write scope.
    fn heading(&self, hashes: &str, home: &str) -> String {
        let home = if self.is_home { home } else { "" };
        self.whose.as_ref().map_or_else(String::new, |whose| format!("{hashes} {whose}{home}\n"))
    }
}

/// Formatted items: each text with its separator or heading, and the ids of the memories it shows.
type Parts = Vec<(String, Vec<MemoryId>)>;

/// Concatenates the texts of the parts.
fn joined(parts: Parts) -> String {
    parts.into_iter().map(|(text, _)| text).collect()
}

/// A long-term line, or a piece of a daily note.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The memory's id.
    pub id: MemoryId,
    /// The memory's key.
    pub key: String,
    /// Its text.
    pub text: String,
    /// Number of empty lines before it.
    pub gap: u32,
    /// Its number among equal lines, or among equal pieces of its day.
    pub nth: u32,
    /// Sort key among the other items.
    pub rank: f64,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The origin of its last change; `None` if the entry does not record it.
    pub origin: Option<Origin>,
    /// Its scope.
    pub scope: Scope,
    /// Its sensitivity.
    pub sensitivity: Sensitivity,
    /// Whether it is quarantined: prompts do not include it unasked.
    pub quarantined: bool,
}

/// The `<memory>` block in parts, the least important last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// The opening tag and the hint about the tools that change the zone.
    pub open: String,
    /// Its lines.
    pub lines: Vec<ContextLine>,
    /// The closing tag.
    pub close: String,
}

/// A line of the `<memory>` block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContextLine {
    /// The line, with its line break.
    pub text: String,
    /// The memories that end on this line.
    pub ends: Vec<MemoryId>,
}

/// A text built from items, and the line on which each of them ends.
#[derive(Default)]
struct Written {
    text: String,
    lines: usize,
    ends: Vec<(usize, MemoryId)>,
}

impl Written {
    fn push(&mut self, text: &str) {
        self.lines += text.matches('\n').count();
        self.text.push_str(text);
    }

    /// Starts a section under a heading.
    fn begin(&mut self, heading: &str) {
        if !self.text.is_empty() {
            self.push("\n\n");
        }
        self.push(heading);
    }

    fn push_all(&mut self, parts: Parts) {
        for (text, ids) in parts {
            self.push(&text);
            self.ends.extend(ids.into_iter().map(|id| (self.lines, id)));
        }
    }

    /// Returns its lines, with any closing `</memory` tag in them escaped.
    fn lines(self) -> Vec<ContextLine> {
        let text = enclosed(&self.text, "</memory");
        let mut ends = self.ends.into_iter().peekable();
        let line = |(n, line): (usize, &str)| {
            let ends = std::iter::from_fn(|| ends.next_if(|(at, _)| *at <= n)).map(|(_, id)| id);
            ContextLine { text: format!("{line}\n"), ends: ends.collect() }
        };
        text.split('\n').enumerate().map(line).collect()
    }
}

impl Item {
    /// Returns whether a prompt shows the item unasked: it is not quarantined, and no tool or page wrote it.
    pub(super) fn is_for_prompts(&self) -> bool {
        !self.quarantined && !self.origin.is_some_and(Origin::is_foreign)
    }

    /// Returns the item as a prompt shows it.
    ///
    /// The owner's text in the workspace is unchanged; in any other item, markup that could pass for another role is
    /// neutralised.
    fn for_prompts(&self) -> Self {
        let is_the_owner_s = self.origin == Some(Origin::User) && self.scope == Scope::Global;
        let text = if is_the_owner_s { self.text.clone() } else { neutralise(&self.text).into_owned() };
        Self { text, ..self.clone() }
    }
}

impl ZoneView {
    /// Folds the visible memories of the zone, which may come in any order.
    #[must_use]
    pub fn fold(version: u64, memories: Vec<Memory>) -> Self {
        let mut view = Self { version, ..Self::default() };
        for memory in memories {
            let data: Option<ZoneData> = memory.data.as_deref().and_then(|d| serde_json::from_str(d).ok());
            let Some(data) = data else { continue };
            let item = Item {
                id: memory.id,
                key: memory.key,
                text: memory.text,
                gap: data.gap,
                nth: data.nth,
                rank: data.rank,
                updated_at: memory.created_at,
                origin: memory.origin,
                scope: Scope::from_label(&memory.scope).unwrap_or_default(),
                sensitivity: memory.sensitivity,
                quarantined: memory.quarantined.is_some(),
            };
            match data.date {
                Some(date) => view.dailies.entry(date).or_default().push(item),
                None => view.long_term.push(item),
            }
        }
        // A restored or copied memory has a newer id, so the rank decides its position and the id only breaks
        // ties.
        let in_order = |a: &Item, b: &Item| {
            let ties = || (&a.text, &a.key, a.nth).cmp(&(&b.text, &b.key, b.nth));
            a.rank.total_cmp(&b.rank).then_with(ties).then(a.id.cmp(&b.id))
        };
        view.long_term.sort_by(in_order);
        for pieces in view.dailies.values_mut() {
            pieces.sort_by(in_order);
        }
        view
    }

    /// Returns the part of the zone that a prompt shows unasked.
    fn for_prompts(&self) -> Self {
        let shown = |items: &[Item]| -> Vec<Item> {
            items.iter().filter(|item| item.is_for_prompts()).map(Item::for_prompts).collect()
        };
        let dailies = self.dailies.iter().map(|(date, pieces)| (*date, shown(pieces)));
        Self {
            version: self.version,
            home: self.home.clone(),
            long_term: shown(&self.long_term),
            dailies: dailies.filter(|(_, pieces)| !pieces.is_empty()).collect(),
        }
    }

    /// Returns the long-term lines, then the pieces of the notes of each day.
    pub(super) fn items(&self) -> impl Iterator<Item = &Item> {
        self.long_term.iter().chain(self.dailies.values().flatten())
    }

    /// Returns whether the zone has neither lines nor notes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.long_term.is_empty() && self.dailies.is_empty()
    }

    /// Returns the long-term text of all scopes, without naming the scopes.
    #[must_use]
    pub fn long_term_text(&self) -> String {
        self.long_term.iter().enumerate().map(|(n, item)| below(n, item) + &item.text).collect()
    }

    /// Returns the long-term text with the names of the scopes.
    #[must_use]
    pub fn long_term_shown(&self) -> String {
        joined(self.long_term_parts("", true))
    }

    /// Returns the long-term text item by item.
    ///
    /// `home` is appended to the heading of the default write scope.
    fn long_term_parts(&self, home: &str, once: bool) -> Parts {
        let mut parts = Parts::new();
        for owned in self.by_owner(&self.long_term, |item| &item.text, once) {
            for (n, (item, ids)) in owned.items.iter().enumerate() {
                let before = match n {
                    0 if parts.is_empty() => owned.heading("###", home),
                    0 => format!("\n\n{}", owned.heading("###", home)),
                    n => below(n, item),
                };
                parts.push((before + &self.without_headings(&owned, &item.text), ids.clone()));
            }
        }
        parts
    }

    /// Groups items by scope, the default write scope first.
    ///
    /// With `once`, a text that a wider scope has too is shown only there.
    fn by_owner<'i>(&self, items: &'i [Item], words: fn(&Item) -> &str, once: bool) -> Vec<Owned<'i>> {
        let mut owners: BTreeMap<(Reverse<Layer>, String), Vec<&Item>> = BTreeMap::new();
        for item in items {
            owners.entry((Reverse(item.scope.layer()), self.whose(&item.scope))).or_default().push(item);
        }
        let mut all: Vec<Owned<'i>> = Vec::new();
        let mut wider: HashMap<&str, (usize, usize)> = HashMap::new();
        for ((_, whose), items) in owners {
            let is_home = items.iter().any(|item| item.scope == self.home);
            let mut owned = Owned { whose: Some(whose), is_home, items: Vec::new() };
            for item in items {
                match wider.get(words(item)).filter(|_| once) {
                    Some(&(owner, n)) => all[owner].items[n].1.push(item.id),
                    None => owned.items.push((item, vec![item.id])),
                }
            }
            for (n, (item, _)) in owned.items.iter().enumerate() {
                wider.entry(words(item)).or_insert((all.len(), n));
            }
            all.push(owned);
        }
        all.retain(|owned| !owned.items.is_empty());
        all.sort_by_key(|owned| !owned.is_home);
        if let [only] = &mut all[..]
            && only.is_home
        {
            only.whose = None;
        }
        all
    }

    /// Returns the name of a scope from the reader's point of view.
    fn whose(&self, scope: &Scope) -> String {
        let named = |what: &str| {
            let (channel, id) = scope.parts().unwrap_or_default();
            neutral_line(&format!("{what} {channel}:{id}'s"))
        };
        match (scope, &self.home) {
            (Scope::Global, _) => "The workspace's".to_owned(),
            (Scope::Chat { .. }, home) if scope == home => "This chat's".to_owned(),
            (Scope::Chat { .. }, _) => named("Chat"),
            (Scope::User(_), Scope::Global) => named("User"),
            (Scope::User(user), Scope::User(home)) if user != home => {
                neutral_line(&format!("The user's on {}", user.channel()))
            }
            (Scope::User(_), _) => "The user's".to_owned(),
        }
    }

    /// Escapes lines that could pass for a heading that names a scope.
    fn without_headings(&self, owned: &Owned<'_>, text: &str) -> String {
        let is_forged = |line: &str| {
            let line = line.trim_start();
            let words = line.trim_start_matches('#').trim_start().to_lowercase();
            let names = ["the workspace's", "this chat's", "the user's", "chat ", "user "];
            line.starts_with("##") && names.iter().any(|name| words.starts_with(name))
        };
        if owned.whose.is_none() || !text.lines().any(is_forged) {
            return text.to_owned();
        }
        let line = |line: &str| if is_forged(line) { format!("\\{line}") } else { line.to_owned() };
        text.split('\n').map(line).collect::<Vec<_>>().join("\n")
    }

    /// Returns the part of a reply that names the scope of the saved long-term lines; empty if it is the
    /// workspace's.
    ///
    /// With `replaced`, it also names the scopes whose lines are unchanged.
    #[must_use]
    pub fn saved(&self, replaced: bool) -> String {
        let layers: BTreeSet<Layer> = self
            .long_term
            .iter()
            .filter(|item| replaced && item.scope != self.home)
            .map(|item| item.scope.layer())
            .collect();
        let others = layers.into_iter().rev().map(|layer| match (layer, &self.home) {
            (Layer::Global, _) => "the workspace's",
            (Layer::User, Scope::Global) => "the users'",
            (Layer::User, _) => "the user's",
            (Layer::Chat, _) => "the chats'",
        });
        let others = others.collect::<Vec<_>>().join(" and ");
        let own = match &self.home {
            Scope::Global if others.is_empty() => return String::new(),
            home => self.whose(home).to_lowercase(),
        };
        let stay = if others.is_empty() { String::new() } else { format!("; {others} are unchanged") };
        format!(" ({own} lines{stay})")
    }

    /// Returns the note of a day; `None` if there is none.
    #[must_use]
    pub fn daily_text(&self, date: Date) -> Option<String> {
        self.dailies.get(&date).map(|pieces| note_text(pieces))
    }

    /// Returns the notes of the last `days` dates up to today, newest first.
    #[must_use]
    pub fn recent(&self, today: Date, days: u32) -> Vec<(Date, String)> {
        let shown = |pieces: &[Item]| joined(self.note_shown(pieces, "####", true));
        self.recent_pieces(today, days).map(|(date, pieces)| (date, shown(pieces))).collect()
    }

    /// Returns a note with the names of the scopes.
    fn note_shown(&self, pieces: &[Item], hashes: &str, once: bool) -> Parts {
        let mut parts = Parts::new();
        for owned in self.by_owner(pieces, |piece| bare(&piece.text), once) {
            let items: Vec<&Item> = owned.items.iter().map(|(item, _)| *item).collect();
            let mut before = owned.heading(hashes, "");
            if !parts.is_empty() {
                before.insert_str(0, "\n\n");
            }
            for ((text, _), (_, ids)) in note_parts(&items).zip(&owned.items) {
                let text = self.without_headings(&owned, &text);
                parts.push((std::mem::take(&mut before) + &text, ids.clone()));
            }
        }
        parts
    }

    /// Returns the pieces of the notes of `days` dates ending today, newest day first.
    fn recent_pieces(&self, today: Date, days: u32) -> impl Iterator<Item = (Date, &[Item])> {
        let first = today.saturating_sub(i64::from(days.min(DAYS_MAX).saturating_sub(1)).days());
        let first = if days == 0 { today.saturating_add(1.day()) } else { first };
        self.dailies
            .iter()
            .rev()
            .filter(move |(date, _)| first <= **date && **date <= today)
            .map(|(date, pieces)| (*date, &pieces[..]))
    }

    /// Returns the whole zone as Markdown for an export: long-term memory, then every daily note, oldest
    /// first.
    ///
    /// The text names the scopes. It is empty if the zone is.
    #[must_use]
    pub fn export(&self) -> String {
        let long_term = joined(self.long_term_parts("", false));
        let long_term = (!long_term.is_empty()).then(|| format!("# Long-term Memory\n\n{long_term}\n"));
        let notes = self.dailies.values().map(|pieces| joined(self.note_shown(pieces, "###", false)) + "\n");
        long_term.into_iter().chain(notes).collect::<Vec<_>>().join("\n")
    }

    /// Returns the `<memory>` block: long-term memory, today's note, and those of the days before.
    ///
    /// It is empty if there is nothing to show. The same view on the same day gives the same bytes.
    #[must_use]
    pub fn context(&self, today: Date) -> String {
        self.context_parts(today, &USES.map(|(tool, _)| tool)).map_or_else(
            String::new,
            |Context { open, lines, close }| {
                let lines = lines.into_iter().map(|line| line.text);
                [open].into_iter().chain(lines).chain([close]).collect()
            },
        )
    }

    /// Returns the `<memory>` block in parts, with a hint that names those of its tools that are in `tools`.
    ///
    /// `None` if there is nothing to show.
    #[must_use]
    pub fn context_parts(&self, today: Date, tools: &[&str]) -> Option<Context> {
        let view = self.for_prompts();
        let mut written = Written::default();
        if !view.long_term.is_empty() {
            let [(save, _), ..] = USES;
            let home = match tools.contains(&save) {
                true => format!(" (`{save}` replaces these lines)"),
                false => String::new(),
            };
            written.begin("## Long-term Memory\n");
            written.push_all(view.long_term_parts(&home, true));
        }
        let recent = view.recent_pieces(today, RECENT_DAYS);
        let (now, before): (Vec<_>, Vec<_>) = recent.partition(|(date, _)| *date == today);
        for (_, pieces) in now {
            written.begin("## Today's Notes\n");
            written.push_all(view.note_shown(pieces, "###", true));
        }
        for (n, (date, pieces)) in before.into_iter().enumerate() {
            let heading = if n == 0 { "## Recent Notes\n" } else { "" };
            written.begin(&format!("{heading}### {date}\n"));
            written.push_all(view.note_shown(pieces, "####", true));
        }
        (!written.text.is_empty()).then(|| Context {
            open: format!("<memory>\n{}", hint(tools)),
            lines: written.lines(),
            close: "</memory>\n".to_owned(),
        })
    }
}

/// Returns the hint that names the available tools.
fn hint(tools: &[&str]) -> String {
    let uses = USES.iter().filter(|(tool, _)| tools.contains(tool));
    let uses: Vec<_> = uses.map(|(tool, what)| format!("`{tool}` {what}")).collect();
    match &uses[..] {
        [] => String::new(),
        [only] => format!("Use {only}.\n\n"),
        [first, last] => format!("Use {first} and {last}.\n\n"),
        [before @ .., last] => format!("Use {}, and {last}.\n\n", before.join(", ")),
    }
}

/// Returns a note's text: its pieces, each on a new line.
fn note_text(pieces: &[Item]) -> String {
    note_parts(&pieces.iter().collect::<Vec<_>>()).map(|(text, _)| text).collect()
}

/// Returns the separator before a long-term line: the end of the previous line, and its gap.
fn below(n: usize, item: &Item) -> String {
    "\n".repeat(if n == 0 { 0 } else { item.gap as usize + 1 })
}

/// Returns a piece of a note without the heading of the day.
fn bare(text: &str) -> &str {
    let below = || text.strip_prefix("# ")?.split_once("\n\n");
    below().map_or(text, |(_, below)| below)
}

/// Returns a note's text piece by piece. If several pieces begin with the same heading, only the first shows
/// it.
fn note_parts(pieces: &[&Item]) -> impl Iterator<Item = (String, MemoryId)> {
    let heading =
        pieces.first().and_then(|piece| piece.text.lines().next()).filter(|line| line.starts_with("# "));
    let text = move |piece: &Item| {
        let rest = heading.and_then(|heading| piece.text.strip_prefix(heading)?.strip_prefix("\n\n"));
        format!("\n{}", rest.unwrap_or(&piece.text))
    };
    pieces.iter().enumerate().map(move |(n, piece)| {
        let text = if n == 0 { piece.text.clone() } else { text(piece) };
        (text, piece.id)
    })
}
