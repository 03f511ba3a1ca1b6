//! The files of statements: one for each lasting category, and one for each day.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::one_line;
use crate::audience::Sensitivity;
use crate::calendar;
use crate::category::Category;
use crate::forms::statements::view::StoredStatement;

/// The directory of lasting statements.
pub const SEMANTIC: &str = "semantic";
/// The directory of events.
pub const EPISODIC: &str = "episodic";

/// A file of statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum File {
    /// The preferences.
    Preferences,
    /// The facts.
    Facts,
    /// The decisions.
    Decisions,
    /// The events of a day, in UTC.
    Day(Date),
}

impl File {
    /// Returns its path in the directory of mirrors.
    #[must_use]
    pub fn path(&self) -> String {
        match self {
            Self::Preferences => format!("{SEMANTIC}/preferences.md"),
            Self::Facts => format!("{SEMANTIC}/facts.md"),
            Self::Decisions => format!("{SEMANTIC}/decisions.md"),
            Self::Day(day) => format!("{EPISODIC}/{day}.md"),
        }
    }

    /// Returns the file at a path in the directory of mirrors; `None` if it is not a file of statements.
    #[must_use]
    pub fn at_path(path: &str) -> Option<Self> {
        let day = path.strip_prefix(EPISODIC).and_then(|rest| rest.strip_prefix('/')?.strip_suffix(".md"));
        let day = day.and_then(|day| day.parse().ok()).map(Self::Day);
        [Self::Preferences, Self::Facts, Self::Decisions]
            .into_iter()
            .chain(day)
            .find(|file| file.path() == path)
    }

    /// Returns the category of its statements.
    #[must_use]
    pub fn category(&self) -> Category {
        match self {
            Self::Preferences => Category::Preference,
            Self::Facts => Category::Fact,
            Self::Decisions => Category::Decision,
            Self::Day(_) => Category::Episodic,
        }
    }

    /// Returns its heading.
    #[must_use]
    pub fn heading(&self) -> String {
        match self {
            Self::Preferences => "# Preferences\n\n".into(),
            Self::Facts => "# Facts\n\n".into(),
            Self::Decisions => "# Decisions\n\n".into(),
            Self::Day(day) => format!("# {day}\n\n"),
        }
    }

    /// Renders the whole file from ordered lines.
    #[must_use]
    pub fn render<'l>(&self, lines: impl IntoIterator<Item = &'l Line>) -> String {
        lines.into_iter().fold(self.heading(), |text, line| text + &line.text)
    }
}

/// A statement as its file shows it. Lines are ordered by file, and within it from oldest to newest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// The file that contains it.
    pub file: File,
    /// When it was first said.
    pub since: Timestamp,
    /// The line, including its line end.
    pub text: String,
}

impl Line {
    /// Returns the line of a statement; `None` if it is confidential.
    #[must_use]
    pub fn of(held: &StoredStatement) -> Option<Self> {
        let StoredStatement { data, memory } = held;
        if memory.sensitivity == Sensitivity::Confidential {
            return None;
        }
        let since = data.since;
        let file = match memory.category {
            Some(Category::Preference) => File::Preferences,
            Some(Category::Fact) => File::Facts,
            Some(Category::Decision) => File::Decisions,
            // Mirrors depend on the tape only, so days are in UTC and not in the workspace's time zone.
            Some(Category::Episodic) | None => {
                File::Day(data.date.unwrap_or_else(|| calendar::day(since, &TimeZone::UTC)))
            }
        };
        let text = format!("- [{}] {}\n", since.strftime("%Y-%m-%d %H:%M:%S UTC"), one_line(&memory.text));
        Some(Self { file, since, text })
    }
}

/// The updates to the files of statements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The files that lose a line.
    pub stale: BTreeSet<File>,
    /// The lines that other files gain, in order.
    pub gained: BTreeMap<File, Vec<Line>>,
}

/// Returns the effect of a write: `removed` are the lines of removed statements, `added` those of new ones. A repeated
/// statement has the same line in both, which is no change.
#[must_use]
pub fn changes(removed: Vec<Line>, added: Vec<Line>) -> Changes {
    let mut balance: BTreeMap<Line, i64> = BTreeMap::new();
    for line in added {
        *balance.entry(line).or_default() += 1;
    }
    for line in removed {
        *balance.entry(line).or_default() -= 1;
    }
    let stale = balance.iter().filter(|(_, n)| **n < 0).map(|(line, _)| line.file).collect();
    let mut changes = Changes { stale, gained: BTreeMap::new() };
    for (line, n) in balance {
        if !changes.stale.contains(&line.file) {
            for _ in 0..n {
                changes.gained.entry(line.file).or_default().push(line.clone());
            }
        }
    }
    changes
}
