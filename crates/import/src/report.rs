//! The report of an import: what went where, and what was left out.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::item::Place;
use crate::route::Kind;

/// Maximum number of places that a report lists of one sort; the rest is counted.
const LISTED_MAX: usize = 1000;

/// What an import did, or would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The name of the source.
    pub source: String,
    /// What became of each kind of item.
    pub kinds: BTreeMap<Kind, Counts>,
    /// What was left out.
    pub left_out: Listing,
    /// What was written under another name.
    pub beside: Listing,
    /// What waits for the owner's approval: the last version of each block, with its name.
    pub proposed: Listing,
    /// The messages and statements without a usable date (missing, unreadable, the beginning of 1970, or in the future), each with the date
    /// that it has instead.
    pub undated: Listing,
    /// Number of new messages that are not recalled: their speaker asked not to keep them, or they answer one that did.
    pub unwanted: u64,
    /// Number of entries that are quarantined because they read like instructions to a model.
    pub quarantined: u64,
    /// Number of statements that were captured from conversations.
    pub captured: u64,
    /// Number of commits on the branch of the import, each of which one `undo` takes back, the last one first.
    pub commits: u64,
    /// Number of commits on each other branch.
    pub branch_commits: BTreeMap<String, u64>,
    /// Number of commits of statements that were captured from other conversations, which they belong to.
    pub capture_commits: u64,
}

/// Numbers of items of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Those that were written.
    pub added: u64,
    /// Those that existed, by their ids or by their texts.
    pub present: u64,
    /// Those that were left out.
    pub left_out: u64,
    /// Those that were removed here, because the other program no longer has them.
    pub removed: u64,
}

/// Places with a remark each; a list of limited length, and their number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The places and the remarks, in the order of the input.
    pub listed: Vec<(Place, String)>,
    /// Number of all.
    pub count: u64,
    /// Number of the items that they are about: one remark may be about several.
    pub items: u64,
}

impl Listing {
    pub(crate) fn add(&mut self, place: Place, remark: String) {
        self.add_several(place, 1, remark);
    }

    pub(crate) fn add_several(&mut self, place: Place, items: u64, remark: String) {
        self.count += 1;
        self.items += items;
        if self.listed.len() < LISTED_MAX {
            self.listed.push((place, remark));
        }
    }

    /// Adds a remark in the place of an equal one.
    pub(crate) fn replace(&mut self, place: Place, remark: String) {
        let number = self.listed.len();
        self.listed.retain(|(_, other)| *other != remark);
        let replaced = (number - self.listed.len()) as u64;
        self.count -= replaced;
        self.items -= replaced;
        self.add(place, remark);
    }

    fn to_json(&self, remark: &str) -> Value {
        let one = |(place, text): &(Place, String)| json!({"place": place.to_string(), remark: text});
        self.listed.iter().map(one).collect()
    }
}

impl Report {
    pub(crate) fn of(source: &str) -> Self {
        Self { source: source.to_owned(), ..Self::default() }
    }

    /// Returns the number of items that were written.
    #[must_use]
    pub fn added(&self) -> u64 {
        self.kinds.values().map(|counts| counts.added).sum()
    }

    /// Returns the number of items that were removed here, because the other program no longer has them.
    #[must_use]
    pub fn removed(&self) -> u64 {
        self.kinds.values().map(|counts| counts.removed).sum()
    }

    /// Returns the number of items that existed.
    #[must_use]
    pub fn present(&self) -> u64 {
        self.kinds.values().map(|counts| counts.present).sum()
    }

    /// Returns the report as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let kinds = self.kinds.iter().map(|(kind, counts)| {
            let Counts { added, present, left_out, removed } = counts;
            json!({"item": kind.one, "form": kind.form, "added": added, "present": present, "left_out": left_out,
                "removed": removed})
        });
        json!({
            "source": self.source,
            "items": kinds.collect::<Vec<_>>(),
            "left_out_count": self.left_out.items,
            "left_out": self.left_out.to_json("why"),
            "beside": self.beside.to_json("path"),
            "proposed": self.proposed.to_json("block"),
            "undated": self.undated.to_json("dated"),
            "unwanted": self.unwanted,
            "quarantined": self.quarantined,
            "captured": self.captured,
            "commits": self.commits,
            "branch_commits": self.branch_commits,
            "capture_commits": self.capture_commits,
        })
    }
}
