//! The zone as it is read: its text, and the `<memory>` block of a prompt.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::ToSpan as _;
use jiff::civil::Date;

use super::entry::ZoneData;
use crate::audience::Sensitivity;
use crate::memory::{Memory, MemoryId, Origin};
use crate::safety::render::{enclosed, neutralise};
use crate::scope::Scope;

/// How many days the `<memory>` block and a recall without a query look back, today included.
pub const RECENT_DAYS: u32 = 7;
/// Nobody looks back further: a calendar ends somewhere.
pub const DAYS_MAX: u32 = 1_000_000;
/// More long-term text than this is too much for every prompt.
pub const LONG_TERM_BYTES_ADVISED: usize = 4096;

/// The tools that the `<memory>` block names, and what for.
const USES: [(&str, &str); 3] = [
    ("memory_save", "to update long-term memory"),
    ("memory_daily", "to append to\ndaily notes"),
    ("memory_recall", "to search past memories"),
];

/// The zone at a point.
#[derive(Clone, Debug, Default)]
pub struct ZoneView {
    /// The version of the last seal; 0 where there is none.
    pub version: u64,
    /// The long-term lines, in order.
    pub long_term: Vec<Item>,
    /// The pieces of each day's note, in order.
    pub dailies: BTreeMap<Date, Vec<Item>>,
}

/// A long-term line, or a piece of a daily note.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The memory.
    pub id: MemoryId,
    /// What names it.
    pub key: String,
    /// Its text.
    pub text: String,
    /// Empty lines before it.
    pub gap: u32,
    /// Its number among equal lines, or among equal pieces of its day.
    pub nth: u32,
    /// Where it stands.
    pub rank: f64,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Who wrote it.
    pub origin: Option<Origin>,
    /// Whose it is.
    pub scope: Scope,
    /// How far it may be shown.
    pub sensitivity: Sensitivity,
    /// Whether it is never put into a prompt by itself.
    pub quarantined: bool,
}

/// The `<memory>` block in its parts. What counts least in it stands last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// What opens it, and says how it is changed.
    pub open: String,
    /// Its lines.
    pub lines: Vec<ContextLine>,
    /// What closes it.
    pub close: String,
}

/// A line of the `<memory>` block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContextLine {
    /// The line, with its end.
    pub text: String,
    /// The memories whose last line it is.
    pub ends: Vec<MemoryId>,
}

/// A text that is written of items, with the lines at which they end.
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

    /// Begins a section under a heading.
    fn begin(&mut self, heading: &str) {
        if !self.text.is_empty() {
            self.push("\n\n");
        }
        self.push(heading);
    }

    fn push_all(&mut self, items: impl IntoIterator<Item = (String, MemoryId)>) {
        for (text, id) in items {
            self.push(&text);
            self.ends.push((self.lines, id));
        }
    }

    /// Its lines, none of which closes what they stand in.
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
    /// Whether a prompt shows it by itself.
    fn is_for_prompts(&self) -> bool {
        !self.quarantined && !self.origin.is_some_and(Origin::is_foreign)
    }

    /// The item as a prompt shows it: as it stands where the owner wrote it, else without what would speak in another
    /// role.
    fn for_prompts(&self) -> Self {
        let is_the_owner_s = self.origin == Some(Origin::User) && self.scope == Scope::Global;
        let text = if is_the_owner_s { self.text.clone() } else { neutralise(&self.text).into_owned() };
        Self { text, ..self.clone() }
    }
}

impl ZoneView {
    /// Folds the visible memories of the zone, in any order.
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
        // What was restored or copied has a newer number than before, and stands where it stood all the same.
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

    /// What of it a prompt shows by itself: not what a tool or a page wrote, nor what is quarantined.
    fn for_prompts(&self) -> Self {
        let shown = |items: &[Item]| -> Vec<Item> {
            items.iter().filter(|item| item.is_for_prompts()).map(Item::for_prompts).collect()
        };
        let dailies = self.dailies.iter().map(|(date, pieces)| (*date, shown(pieces)));
        Self {
            version: self.version,
            long_term: shown(&self.long_term),
            dailies: dailies.filter(|(_, pieces)| !pieces.is_empty()).collect(),
        }
    }

    /// Whether nothing is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.long_term.is_empty() && self.dailies.is_empty()
    }

    /// The long-term text.
    #[must_use]
    pub fn long_term_text(&self) -> String {
        self.long_term_parts().map(|(text, _)| text).collect()
    }

    /// The long-term text, item by item.
    fn long_term_parts(&self) -> impl Iterator<Item = (String, MemoryId)> {
        self.long_term.iter().enumerate().map(|(n, item)| {
            let before = if n == 0 { 0 } else { item.gap as usize + 1 };
            (format!("{}{}", "\n".repeat(before), item.text), item.id)
        })
    }

    /// The note of a day; `None` where there is none.
    #[must_use]
    pub fn daily_text(&self, date: Date) -> Option<String> {
        self.dailies.get(&date).map(|pieces| note_text(pieces))
    }

    /// The notes of `days` dates ending today, newest first.
    #[must_use]
    pub fn recent(&self, today: Date, days: u32) -> Vec<(Date, String)> {
        self.recent_pieces(today, days).map(|(date, pieces)| (date, note_text(pieces))).collect()
    }

    /// The pieces of the notes of `days` dates ending today, newest first.
    fn recent_pieces(&self, today: Date, days: u32) -> impl Iterator<Item = (Date, &[Item])> {
        let first = today.saturating_sub(i64::from(days.min(DAYS_MAX).saturating_sub(1)).days());
        let first = if days == 0 { today.saturating_add(1.day()) } else { first };
        self.dailies
            .iter()
            .rev()
            .filter(move |(date, _)| first <= **date && **date <= today)
            .map(|(date, pieces)| (*date, &pieces[..]))
    }

    /// The whole zone as Markdown, for keeping: long-term memory and every daily note, oldest first; empty where
    /// nothing is remembered.
    #[must_use]
    pub fn export(&self) -> String {
        let long_term = self.long_term_text();
        let long_term = (!long_term.is_empty()).then(|| format!("# Long-term Memory\n\n{long_term}\n"));
        let notes = self.dailies.values().map(|pieces| format!("{}\n", note_text(pieces)));
        long_term.into_iter().chain(notes).collect::<Vec<_>>().join("\n")
    }

    /// The `<memory>` block: long-term memory, today's notes, and those of the days before; empty where there
    /// is nothing to show. The same view on the same day gives the same bytes.
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

    /// The same in its parts, naming those of its tools that can be called; `None` where there is nothing to show.
    #[must_use]
    pub fn context_parts(&self, today: Date, tools: &[&str]) -> Option<Context> {
        let view = self.for_prompts();
        let mut written = Written::default();
        if !view.long_term_text().is_empty() {
            written.begin("## Long-term Memory\n");
            written.push_all(view.long_term_parts());
        }
        let recent = view.recent_pieces(today, RECENT_DAYS);
        let (now, before): (Vec<_>, Vec<_>) = recent.partition(|(date, _)| *date == today);
        for (_, pieces) in now {
            written.begin("## Today's Notes\n");
            written.push_all(note_parts(pieces));
        }
        for (n, (date, pieces)) in before.into_iter().enumerate() {
            let heading = if n == 0 { "## Recent Notes\n" } else { "" };
            written.begin(&format!("{heading}### {date}\n"));
            written.push_all(note_parts(pieces));
        }
        (!written.text.is_empty()).then(|| Context {
            open: format!("<memory>\n{}", hint(tools)),
            lines: written.lines(),
            close: "</memory>\n".to_owned(),
        })
    }
}

/// How the reader of the `<memory>` block may change it, by the tools that can be called.
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

/// A note's text is its pieces, one under the other.
fn note_text(pieces: &[Item]) -> String {
    note_parts(pieces).map(|(text, _)| text).collect()
}

/// The same, piece by piece. Where branches that both began it were merged, its heading stands once.
fn note_parts(pieces: &[Item]) -> impl Iterator<Item = (String, MemoryId)> {
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
