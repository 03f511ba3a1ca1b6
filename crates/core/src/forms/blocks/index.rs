//! Computed blocks: lists of the recent long-term files.
//!
//! **Invariant.** Their values depend only on the files visible at the point, the current time and the
//! configuration. Nothing is written, so nothing can be out of date.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::known::Index;
use crate::calendar;
use crate::path::{ENDINGS, split_ending, stem};

/// The folder of insights: each of its files is one.
const INSIGHTS: &str = "insights/";
/// The folder of projects: each of its files and folders is one.
const RESEARCH: &str = "research/";

/// The input of the lists besides the files.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Maximum number of names in a list.
    pub items: usize,
    /// Maximum age of listed files in days; 0 means no limit.
    pub days: u32,
    /// The current time.
    pub now: Timestamp,
    /// The workspace's time zone.
    pub zone: TimeZone,
}

/// The values of the computed blocks at a point: JSON arrays of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computed {
    insights: String,
    research: String,
}

impl Default for Computed {
    fn default() -> Self {
        Self { insights: "[]".into(), research: "[]".into() }
    }
}

impl Computed {
    /// Computes the values from the path of each long-term file below its folder, and the time of its last
    /// write.
    #[must_use]
    pub fn read<'f>(files: impl IntoIterator<Item = (&'f str, Timestamp)>, asked: &Asked) -> Self {
        let (mut insights, mut research) = (Vec::new(), Vec::new());
        for (path, written) in files {
            if let Some(name) = path.strip_prefix(INSIGHTS) {
                insights.extend(insight(name, written));
            } else if let Some(name) = path.strip_prefix(RESEARCH) {
                research.extend(project(name, written));
            }
        }
        Self { insights: listed(insights, asked), research: listed(research, asked) }
    }

    /// Returns the value of a computed block.
    #[must_use]
    pub fn of(&self, index: Index) -> &str {
        match index {
            Index::Insights => &self.insights,
            Index::Research => &self.research,
        }
    }
}

/// A candidate for a list.
struct Item<'f> {
    name: &'f str,
    /// The day that its name states.
    day: Option<Date>,
    written: Timestamp,
}

impl Item<'_> {
    /// Returns its sort key: the day that its name states, or the day on which it was written.
    fn at(&self, zone: &TimeZone) -> (Date, Timestamp) {
        (self.day.unwrap_or_else(|| calendar::day(self.written, zone)), self.written)
    }
}

/// Returns the insight of a file `insights/NAME.md`; `None` for a file in a deeper folder.
fn insight(name: &str, written: Timestamp) -> Option<Item<'_>> {
    let (name, _) = split_ending(name, &ENDINGS)?;
    let is_one = !name.is_empty() && !name.contains('/');
    is_one.then(|| Item { name, day: calendar::parse_day(name).ok(), written })
}

/// Returns the project of a file `research/PROJECT/…` or `research/PROJECT.md`.
fn project(name: &str, written: Timestamp) -> Option<Item<'_>> {
    let name = match name.split_once('/') {
        Some((folder, _)) => folder,
        None => stem(name),
    };
    (!name.is_empty()).then_some(Item { name, day: None, written })
}

fn listed(mut items: Vec<Item<'_>>, asked: &Asked) -> String {
    // Newest first, and by name for equal times, so that the order is deterministic.
    items.sort_by(|one, other| (other.at(&asked.zone), one.name).cmp(&(one.at(&asked.zone), other.name)));
    if asked.days > 0 {
        let oldest = calendar::days_before(asked.now, asked.days);
        let day = calendar::day(oldest, &asked.zone);
        items.retain(|item| match item.day {
            Some(named) => named >= day,
            None => item.written >= oldest,
        });
    }
    let mut names: Vec<&str> = Vec::new();
    for item in items {
        if names.len() == asked.items {
            break;
        }
        if !names.contains(&item.name) {
            names.push(item.name);
        }
    }
    serde_json::to_string(&names).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn asked(items: usize, days: u32) -> Asked {
        Asked { items, days, now: at("2026-01-10T12:00:00Z"), zone: TimeZone::UTC }
    }

    const WRITTEN: &str = "2026-01-01T10:00:00Z";

    #[test]
    fn insights_are_listed_as_the_document_shows_them() {
        let files = ["insights/2025-12-29.md", "insights/2025-12-31.md", "insights/2025-12-30.md"];
        let computed = Computed::read(files.map(|path| (path, at(WRITTEN))), &asked(30, 0));
        assert_eq!(computed.of(Index::Insights), r#"["2025-12-31","2025-12-30","2025-12-29"]"#);
        assert_eq!(computed.of(Index::Research), "[]");
        let computed = Computed::read(files.map(|path| (path, at(WRITTEN))), &asked(2, 0));
        assert_eq!(computed.of(Index::Insights), r#"["2025-12-31","2025-12-30"]"#);
        // Eleven days before 10 January is 30 December.
        let computed = Computed::read(files.map(|path| (path, at(WRITTEN))), &asked(30, 11));
        assert_eq!(computed.of(Index::Insights), r#"["2025-12-31","2025-12-30"]"#);
    }

    #[test]
    fn names_without_a_date_keep_their_position() {
        let files = [
            ("insights/tone.md", at("2025-12-30T10:00:00Z")),
            ("insights/2025-12-31.md", at(WRITTEN)),
            ("insights/2025-12-29.md", at(WRITTEN)),
            ("insights/deep/2025-12-31.md", at(WRITTEN)),
            ("insights/.md", at(WRITTEN)),
            ("insights/picture.png", at(WRITTEN)),
        ];
        let computed = Computed::read(files, &asked(30, 0));
        assert_eq!(computed.of(Index::Insights), r#"["2025-12-31","tone","2025-12-29"]"#);
    }

    #[test]
    fn projects_are_listed_once_by_their_last_change_and_the_archive_never() {
        let files = [
            ("research/memory-architecture/a.md", at("2026-01-02T10:00:00Z")),
            ("research/memory-architecture/deep/b.md", at("2026-01-05T10:00:00Z")),
            ("research/vacation.md", at("2026-01-04T10:00:00Z")),
            ("archive/research/old.md", at("2026-01-09T10:00:00Z")),
            ("drafts/insights/x.md", at("2026-01-09T10:00:00Z")),
            ("archive/2025-12-31.md", at("2026-01-09T10:00:00Z")),
        ];
        let computed = Computed::read(files, &asked(30, 0));
        assert_eq!(computed.of(Index::Research), r#"["memory-architecture","vacation"]"#);
        assert_eq!(computed.of(Index::Insights), "[]");
        assert_eq!(Computed::default(), Computed::read([], &asked(30, 0)));
    }

    proptest! {
        #[test]
        fn the_order_of_the_files_does_not_matter_and_the_limit_holds(
            files in proptest::collection::vec(("(insights|research)/[a-c](/[a-c])?(.md)?", 0_i64..5), 0..12),
            items in 0_usize..4,
        ) {
            let files: Vec<_> = files
                .iter()
                .map(|(path, n)| (path.as_str(), at(WRITTEN) + jiff::SignedDuration::from_hours(*n)))
                .collect();
            let one = Computed::read(files.iter().copied(), &asked(items, 0));
            let other = Computed::read(files.iter().rev().copied(), &asked(items, 0));
            prop_assert_eq!(&one, &other);
            for index in [Index::Insights, Index::Research] {
                let names: Vec<String> = serde_json::from_str(one.of(index)).unwrap();
                prop_assert!(names.len() <= items);
            }
        }
    }
}
