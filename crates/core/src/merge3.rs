//! Three-way merge of two versions of a text, by hunks of lines.
//!
//! If only one side changed a hunk, its lines are taken. If both made the same change, it is taken once; so is
//! a change that is part of a larger one of the other side. If both only added lines at one place, both
//! additions are kept, ours first, with their common beginning once. Any other overlap is a conflict, returned
//! as a value and never as marks in the text.
//!
//! **Invariants.** Merging a version with the base or with itself returns that version. Merging a version again that is
//! included already changes nothing, unless it only deleted lines beside a change. Texts are bytes: their encoding, line
//! ends and last line are preserved.

use std::ops::Range;

use crate::diff::changed_ranges;

/// A line without its line feed. The text after the last line feed is one more line, which may be empty, so a
/// text without a final line feed merges like any other.
type Line<'a> = &'a [u8];

/// The outcome for a stretch of the base.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part<'a> {
    /// The merged lines.
    Stands(Vec<Line<'a>>),
    /// Both sides changed it in different ways.
    Conflict { base: Vec<Line<'a>>, ours: Vec<Line<'a>>, theirs: Vec<Line<'a>> },
}

/// The result of merging two versions of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged<'a>(Vec<Part<'a>>);

/// Lines that both sides changed in different ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The lines of the base.
    pub base: Vec<u8>,
    /// Our lines.
    pub ours: Vec<u8>,
    /// Their lines.
    pub theirs: Vec<u8>,
}

impl Merged<'_> {
    /// Returns the merged text; `None` if there is a conflict.
    #[must_use]
    pub fn clean(&self) -> Option<Vec<u8>> {
        self.conflicts().is_empty().then(|| self.preferring_theirs())
    }

    /// Returns the merged text with theirs in place of every conflict.
    #[must_use]
    pub fn preferring_theirs(&self) -> Vec<u8> {
        self.with(|part| match part {
            Part::Stands(lines) | Part::Conflict { theirs: lines, .. } => lines,
        })
    }

    /// Returns the merged text with ours in place of every conflict.
    #[must_use]
    pub fn preferring_ours(&self) -> Vec<u8> {
        self.with(|part| match part {
            Part::Stands(lines) | Part::Conflict { ours: lines, .. } => lines,
        })
    }

    fn with<'p>(&'p self, lines: impl Fn(&'p Part<'p>) -> &'p Vec<Line<'p>>) -> Vec<u8> {
        let lines: Vec<Line<'_>> = self.0.iter().flat_map(lines).copied().collect();
        text(&lines)
    }

    /// Returns the conflicts in the order of the text.
    #[must_use]
    pub fn conflicts(&self) -> Vec<Conflict> {
        let conflict = |part: &Part<'_>| match part {
            Part::Conflict { base, ours, theirs } => {
                Some(Conflict { base: text(base), ours: text(ours), theirs: text(theirs) })
            }
            Part::Stands(_) => None,
        };
        self.0.iter().filter_map(conflict).collect()
    }
}

/// Joins lines to the original bytes.
fn text(lines: &[Line<'_>]) -> Vec<u8> {
    lines.join(&b'\n')
}

fn lines(text: &[u8]) -> Vec<Line<'_>> {
    text.split(|&byte| byte == b'\n').collect()
}

/// A stretch of the base, and the lines of one side that replace it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Hunk<'a> {
    base: Range<usize>,
    lines: Vec<Line<'a>>,
}

impl Hunk<'_> {
    /// Returns whether it only adds lines.
    fn is_addition(&self) -> bool {
        self.base.is_empty()
    }

    /// Returns whether two changes conflict by position: they overlap, one adds inside the other, or both add
    /// at one place. Adjacent changes do not meet.
    fn meets(&self, other: &Range<usize>) -> bool {
        match (self.base.is_empty(), other.is_empty()) {
            (true, true) => self.base.start == other.start,
            (true, false) => other.start < self.base.start && self.base.start < other.end,
            (false, true) => self.base.start < other.start && other.start < self.base.end,
            (false, false) => self.base.start < other.end && other.start < self.base.end,
        }
    }

    /// Returns whether another change adds lines directly before or after this one, which begins or ends with them.
    fn has_beside(&self, other: &Self) -> bool {
        other.is_addition()
            && (other.base.start == self.base.start && self.lines.starts_with(&other.lines)
                || other.base.start == self.base.end && self.lines.ends_with(&other.lines))
    }

    /// Returns whether these changes of the other side, which have lines, are parts of this one.
    fn includes<'h>(&self, others: impl Iterator<Item = &'h Self>) -> bool
    where
        Self: 'h,
    {
        let mut rest = self.lines.as_slice();
        for other in others {
            let is_within = self.base.start <= other.base.start && other.base.end <= self.base.end;
            let is_said = other.lines.iter().any(|line| !is_blank(line)) || self.has_beside(other);
            let found = match other.base.end == self.base.end && rest.ends_with(&other.lines) {
                true => Some(rest.len() - other.lines.len()),
                false => rest.windows(other.lines.len().max(1)).position(|lines| lines == other.lines),
            };
            let Some(at) = found.filter(|_| is_within && is_said) else { return false };
            rest = &rest[at + other.lines.len()..];
        }
        true
    }
}

/// Drops the changes that are parts of larger ones of the other side.
fn drop_included<'a>(hunks: &mut Vec<Hunk<'a>>, others: &[Hunk<'a>]) {
    for other in others.iter().filter(|other| !other.is_addition()) {
        let touches = |hunk: &&Hunk<'a>| hunk.meets(&other.base) || other.has_beside(hunk);
        if other.includes(hunks.iter().filter(touches)) {
            hunks.retain(|hunk| !touches(&hunk));
        }
    }
}

fn is_blank(line: Line<'_>) -> bool {
    line.trim_ascii().is_empty()
}

fn hunks<'a>(base: &[Line<'a>], side: &[Line<'a>]) -> Vec<Hunk<'a>> {
    let hunk = |(base, lines): (Range<usize>, Range<usize>)| Hunk { base, lines: side[lines].to_vec() };
    changed_ranges(base, side).into_iter().map(hunk).collect()
}

/// Merges two versions of a text with a common base.
#[must_use]
pub fn merge3<'a>(base: &'a [u8], ours: &'a [u8], theirs: &'a [u8]) -> Merged<'a> {
    let (base, ours, theirs) = (lines(base), lines(ours), lines(theirs));
    let (mut ours, mut theirs) = (hunks(&base, &ours), hunks(&base, &theirs));
    drop_included(&mut theirs, &ours);
    drop_included(&mut ours, &theirs);
    let (mut our, mut their) = (ours.as_slice(), theirs.as_slice());
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(first) = first(our, their) {
        // Collects all hunks that meet, directly or through another hunk.
        let mut reach = first.base.clone();
        let (mut n, mut m) = (0, 0);
        loop {
            let before = (n, m);
            while our.get(n).is_some_and(|hunk| n == 0 && hunk == first || hunk.meets(&reach)) {
                reach.end = reach.end.max(our[n].base.end);
                n += 1;
            }
            while their.get(m).is_some_and(|hunk| m == 0 && hunk == first || hunk.meets(&reach)) {
                reach.end = reach.end.max(their[m].base.end);
                m += 1;
            }
            if before == (n, m) {
                break;
            }
        }
        parts.push(Part::Stands(base[at..reach.start].to_vec()));
        at = reach.end;
        parts.push(met(&base, reach, &our[..n], &their[..m]));
        our = &our[n..];
        their = &their[m..];
    }
    parts.push(Part::Stands(base[at..].to_vec()));
    Merged(parts)
}

/// Returns the first change; of two at one place, the addition.
fn first<'h, 'a>(our: &'h [Hunk<'a>], their: &'h [Hunk<'a>]) -> Option<&'h Hunk<'a>> {
    our.first().into_iter().chain(their.first()).min_by_key(|hunk| (hunk.base.start, hunk.base.end))
}

/// Returns the outcome for a stretch of the base that these changes cover.
fn met<'a>(base: &[Line<'a>], reach: Range<usize>, ours: &[Hunk<'a>], theirs: &[Hunk<'a>]) -> Part<'a> {
    let [our, their] = [ours, theirs].map(|hunks| made(base, &reach, hunks));
    if theirs.is_empty() || our == their {
        return Part::Stands(our);
    }
    if ours.is_empty() {
        return Part::Stands(their);
    }
    if let ([one], [other]) = (ours, theirs)
        && one.is_addition()
        && other.is_addition()
    {
        return Part::Stands(both(&our, &their));
    }
    Part::Conflict { base: base[reach].to_vec(), ours: our, theirs: their }
}

/// Returns a stretch of the base as one side has it.
fn made<'a>(base: &[Line<'a>], reach: &Range<usize>, hunks: &[Hunk<'a>]) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    let mut at = reach.start;
    for hunk in hunks {
        lines.extend_from_slice(&base[at..hunk.base.start]);
        lines.extend_from_slice(&hunk.lines);
        at = hunk.base.end;
    }
    lines.extend_from_slice(&base[at..reach.end]);
    lines
}

/// Joins two additions at one place: ours, then theirs. A common beginning is kept once, except for blank
/// lines before the difference, which separate the two. (A common end is kept twice, since it belongs to each
/// addition.)
fn both<'a>(ours: &[Line<'a>], theirs: &[Line<'a>]) -> Vec<Line<'a>> {
    let mut head = ours.iter().zip(theirs).take_while(|(one, other)| one == other).count();
    // One addition may contain the other.
    if head == ours.len() || theirs.ends_with(ours) {
        return theirs.to_vec();
    }
    if head == theirs.len() || ours.ends_with(theirs) {
        return ours.to_vec();
    }
    while head > 0 && is_blank(ours[head - 1]) {
        head -= 1;
    }
    [ours, &theirs[head..]].concat()
}

#[cfg(test)]
mod tests;
