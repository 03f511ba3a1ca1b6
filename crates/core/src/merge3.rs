//! Merging two versions of a text that were made of one: by hunks of lines.
//!
//! Where only one side changed, its lines stand. Where both did the same, it stands once. Where both only added lines at
//! one place, both additions stand, ours first; what both begin with stands once. Anything else that
//! meets is a conflict: a value, never marks in a text.
//!
//! **Invariants.** What merges with the base, or with itself, is itself. Texts are bytes: whatever their encoding, line
//! ends and last line, they are kept.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// A line without its line feed. After the last line feed stands one more line, which may be empty: so a text that does
/// not end in one merges like any other.
type Line<'a> = &'a [u8];

/// What became of a stretch of the base.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part<'a> {
    /// These lines stand.
    Stands(Vec<Line<'a>>),
    /// Both sides changed it, each in its own way.
    Conflict { base: Vec<Line<'a>>, ours: Vec<Line<'a>>, theirs: Vec<Line<'a>> },
}

/// Two versions of a text, merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged<'a>(Vec<Part<'a>>);

/// Lines that both sides changed, each in its own way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// What stood there.
    pub base: Vec<u8>,
    /// What we made of it.
    pub ours: Vec<u8>,
    /// What they made of it.
    pub theirs: Vec<u8>,
}

impl Merged<'_> {
    /// The text, where nothing is in conflict.
    #[must_use]
    pub fn clean(&self) -> Option<Vec<u8>> {
        self.conflicts().is_empty().then(|| self.preferring_theirs())
    }

    /// The text in which theirs stands where both changed the same.
    #[must_use]
    pub fn preferring_theirs(&self) -> Vec<u8> {
        let lines: Vec<Line<'_>> = self
            .0
            .iter()
            .flat_map(|part| match part {
                Part::Stands(lines) | Part::Conflict { theirs: lines, .. } => lines,
            })
            .copied()
            .collect();
        text(&lines)
    }

    /// What both changed, in the order of the text.
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

/// Lines as the bytes they came from.
fn text(lines: &[Line<'_>]) -> Vec<u8> {
    lines.join(&b'\n')
}

fn lines(text: &[u8]) -> Vec<Line<'_>> {
    text.split(|&byte| byte == b'\n').collect()
}

/// A stretch of the base, and the lines that one side made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Hunk<'a> {
    base: Range<usize>,
    lines: Vec<Line<'a>>,
}

impl Hunk<'_> {
    /// Whether it only adds lines.
    fn is_addition(&self) -> bool {
        self.base.is_empty()
    }

    /// Whether two changes cannot be told apart by their place: they overlap, one adds within the other, or both add at
    /// one place. Neighbours do not meet.
    fn meets(&self, other: &Range<usize>) -> bool {
        match (self.base.is_empty(), other.is_empty()) {
            (true, true) => self.base.start == other.start,
            (true, false) => other.start < self.base.start && self.base.start < other.end,
            (false, true) => self.base.start < other.start && other.start < self.base.end,
            (false, false) => self.base.start < other.end && other.start < self.base.end,
        }
    }
}

fn hunks<'a>(base: &[Line<'a>], side: &[Line<'a>]) -> Vec<Hunk<'a>> {
    let mut hunks: Vec<Hunk<'a>> = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, base, side) {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let (was, lines) = (op.old_range(), side[op.new_range()].to_vec());
        match hunks.last_mut().filter(|last| last.base.end == was.start) {
            Some(last) => {
                last.base.end = was.end;
                last.lines.extend(lines);
            }
            None => hunks.push(Hunk { base: was, lines }),
        }
    }
    hunks
}

/// Merges what two sides made of one text.
#[must_use]
pub fn merge3<'a>(base: &'a [u8], ours: &'a [u8], theirs: &'a [u8]) -> Merged<'a> {
    let (base, ours, theirs) = (lines(base), lines(ours), lines(theirs));
    let (ours, theirs) = (hunks(&base, &ours), hunks(&base, &theirs));
    let (mut our, mut their) = (ours.as_slice(), theirs.as_slice());
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(first) = first(our, their) {
        // Everything that meets, directly or through another change.
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

/// The change that comes first; at one place, the one that adds.
fn first<'h, 'a>(our: &'h [Hunk<'a>], their: &'h [Hunk<'a>]) -> Option<&'h Hunk<'a>> {
    our.first().into_iter().chain(their.first()).min_by_key(|hunk| (hunk.base.start, hunk.base.end))
}

/// What becomes of a stretch of the base that these changes reach.
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

/// A stretch of the base as one side has it.
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

/// Two additions at one place: ours, then theirs. Lines that both begin with stand once, but for blank ones before what
/// differs, which keep the two apart. (Lines that both end with stand twice: each belongs to what it ends.)
fn both<'a>(ours: &[Line<'a>], theirs: &[Line<'a>]) -> Vec<Line<'a>> {
    let is_blank = |line: &Line<'_>| line.trim_ascii().is_empty();
    let mut head = ours.iter().zip(theirs).take_while(|(one, other)| one == other).count();
    // One addition may hold the other.
    if head == ours.len() || theirs.ends_with(ours) {
        return theirs.to_vec();
    }
    if head == theirs.len() || ours.ends_with(theirs) {
        return ours.to_vec();
    }
    while head > 0 && is_blank(&ours[head - 1]) {
        head -= 1;
    }
    [ours, &theirs[head..]].concat()
}

#[cfg(test)]
mod tests;
