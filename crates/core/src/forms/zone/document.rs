//! Merges a version of a document of another program, line by line, into the lines that are here.
//!
//! **The rule** is that of a three-way merge, with the last version that was imported as the base. A line that is new in
//! the document is added after the line that it follows there. A line that the document no longer has is removed, unless
//! it was changed here. A line that was removed here does not return, also if the document has it below another heading
//! now.
//!
//! A line is known by its *name*: the headings above it, its text, and its number among equal ones there. So equal lines
//! below two headings are two.

use std::array;
use std::collections::{HashMap, HashSet};

use crate::imported::digest;

/// The highest level of a heading.
const LEVELS: usize = 6;
/// Maximum length of what names repeat of the headings above, in bytes: every line below them has it. What is longer is
/// replaced by its digest.
const ABOVE_BYTES_MAX: usize = 128;

/// A line, or a piece of a day's note, and what is above it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Spot {
    name: String,
    /// The level of the heading that it is; 0 for any other text.
    level: usize,
    /// The index of the nearest heading above it.
    parent: Option<usize>,
}

/// What a merge changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The lines to add: for each place, an index of the lines that are here, those that go before it.
    pub added: Vec<(usize, Vec<usize>)>,
    /// The indices of the lines that are removed.
    pub removed: Vec<usize>,
}

/// Returns what a record of a version states of its lines: their names, and their texts wherever they are.
#[must_use]
pub fn names(texts: &[&str]) -> Vec<String> {
    let mut seen = HashSet::new();
    let names = spots(texts).into_iter().map(|spot| spot.name).chain(texts.iter().map(|text| anywhere(text)));
    names.filter(|name| seen.insert(name.clone())).collect()
}

/// Returns the indices of the headings above a line, the nearest last.
#[must_use]
pub fn headings_above(texts: &[&str], line: usize) -> Vec<usize> {
    let spots = spots(texts);
    let mut above: Vec<_> = parents(&spots, line).collect();
    above.reverse();
    above
}

/// Merges a version of a document into the lines that are here.
///
/// `was` returns whether the last version had a line of this name, and `may_go` whether the line of an index, which has
/// this name, is as it was imported.
#[must_use]
pub fn merge(
    here: &[&str],
    there: &[&str],
    was: impl Fn(&str) -> bool,
    may_go: impl Fn(usize, &str) -> bool,
) -> Plan {
    let (ours, theirs) = (spots(here), spots(there));
    let at: HashMap<&str, usize> = ours.iter().enumerate().map(|(n, spot)| (spot.name.as_str(), n)).collect();
    let found: Vec<_> = theirs.iter().map(|spot| at.get(spot.name.as_str()).copied()).collect();
    let texts: HashSet<&str> = here.iter().map(|text| text.trim()).collect();
    let is_removed_here =
        |n: usize| was(&theirs[n].name) || was(&anywhere(there[n])) && !texts.contains(there[n].trim());
    let mut is_new: Vec<_> = (0..theirs.len()).map(|n| found[n].is_none() && !is_removed_here(n)).collect();
    // A heading that was removed here returns with what is new below it.
    for n in (0..theirs.len()).filter(|n| is_new[*n]).collect::<Vec<_>>() {
        parents(&theirs, n).filter(|above| found[*above].is_none()).for_each(|above| is_new[above] = true);
    }
    Plan { added: added(&ours, &theirs, &found, &is_new), removed: removed(&ours, &theirs, was, may_go) }
}

/// Returns the places of the new lines.
fn added(
    ours: &[Spot],
    theirs: &[Spot],
    found: &[Option<usize>],
    is_new: &[bool],
) -> Vec<(usize, Vec<usize>)> {
    let mut added: Vec<(usize, Vec<usize>)> = Vec::new();
    // The headings of a level or above it.
    let headings = |level| ours.iter().enumerate().filter(move |(_, spot)| (1..=level).contains(&spot.level));
    let headings: [Vec<usize>; LEVELS + 1] =
        array::from_fn(|level| headings(level).map(|(n, _)| n).collect());
    // What precedes everything that is here goes before it.
    let mut at = found.iter().flatten().min().copied().unwrap_or(ours.len());
    for (n, spot) in theirs.iter().enumerate() {
        if let Some(found) = found[n] {
            at = found + 1;
        }
        if !is_new[n] {
            continue;
        }
        // A new section goes behind what was added here to the one before it.
        if spot.level > 0 {
            let headings = &headings[spot.level];
            at = headings.get(headings.partition_point(|n| *n < at)).copied().unwrap_or(ours.len());
        }
        match added.last_mut().filter(|(last, _)| *last == at) {
            Some((_, lines)) => lines.push(n),
            None => added.push((at, vec![n])),
        }
    }
    added
}

/// Returns the lines that the document no longer has. A heading goes with the last line below it.
fn removed(
    ours: &[Spot],
    theirs: &[Spot],
    was: impl Fn(&str) -> bool,
    may_go: impl Fn(usize, &str) -> bool,
) -> Vec<usize> {
    let theirs: HashSet<&str> = theirs.iter().map(|spot| spot.name.as_str()).collect();
    let mut removed = Vec::new();
    let mut has_below = HashSet::new();
    for (n, spot) in ours.iter().enumerate().rev() {
        let is_gone = !theirs.contains(spot.name.as_str()) && was(&spot.name) && may_go(n, &spot.name);
        if is_gone && !has_below.contains(&n) {
            removed.push(n);
        } else {
            has_below.extend(spot.parent);
        }
    }
    removed.reverse();
    removed
}

/// Returns the headings above a line, the nearest first.
fn parents(spots: &[Spot], line: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(spots[line].parent, |above| spots[*above].parent)
}

/// Returns the name of a text that may be below any heading.
fn anywhere(text: &str) -> String {
    format!("\0{}", text.trim())
}

fn spots(texts: &[&str]) -> Vec<Spot> {
    // The level and the index of each heading, and what names say of it and those above it.
    let mut above: Vec<(usize, usize, String)> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut equal: HashMap<String, u32> = HashMap::new();
    let mut spots = Vec::with_capacity(texts.len());
    for (n, text) in texts.iter().map(|text| text.trim()).enumerate() {
        let own = if fence.is_none() { level(text) } else { 0 };
        let within = above.iter().take_while(|(level, ..)| own == 0 || *level < own).last();
        let begin = within.map_or("", |(.., begin)| begin);
        let name = format!("{begin}{text}");
        let nth = equal.entry(name.clone()).or_default();
        *nth += 1;
        let parent = within.map(|(_, heading, _)| *heading);
        spots.push(Spot { name: format!("{name}\0{nth}"), level: own, parent });
        for line in text.lines() {
            let marker = ["```", "~~~"].into_iter().find(|marker| line.trim_start().starts_with(marker));
            match (fence, marker) {
                (None, Some(_)) => fence = marker,
                (Some(open), Some(marker)) if open == marker => fence = None,
                (None, None) if level(line) > 0 => {
                    let level = level(line);
                    above.retain(|(other, ..)| *other < level);
                    let begin = above.last().map_or("", |(.., begin)| begin);
                    let begin = bounded(format!("{begin}{}\0", line.trim()));
                    above.push((level, n, begin));
                }
                _ => {}
            }
        }
    }
    spots
}

/// Returns what names say of the headings above a line.
fn bounded(above: String) -> String {
    if above.len() <= ABOVE_BYTES_MAX { above } else { format!("{:016x}\0", digest(&above)) }
}

/// Returns the level of the heading that a line is; 0 if it is none.
fn level(line: &str) -> usize {
    let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
    let ends = line.len() == hashes || line[hashes..].starts_with([' ', '\t', '\n']);
    let is_heading = hashes <= LEVELS && ends;
    if is_heading { hashes } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Merges texts; what is here was imported unless it begins with `mine`.
    fn merged(base: &str, here: &str, there: &str) -> String {
        let lines = |text: &'static str| text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>();
        let [base, here, there] = [base, here, there].map(|text| lines(text.to_owned().leak()));
        let base = names(&base);
        let was = |name: &str| base.iter().any(|other| other == name);
        let plan = merge(&here, &there, was, |n, _| !here[n].starts_with("mine"));
        let mut text = Vec::new();
        for n in 0..=here.len() {
            let added = plan.added.iter().filter(|(at, _)| *at == n).flat_map(|(_, lines)| lines);
            text.extend(added.map(|line| there[*line]));
            text.extend(here.get(n).filter(|_| !plan.removed.contains(&n)));
        }
        text.join("\n")
    }

    /// Every line repeats the headings above it, so these are short in its name.
    #[test]
    fn names_are_bounded() {
        let deep: Vec<String> = (1..300).map(|hashes| "#".repeat(hashes)).collect();
        let long = format!("# {}", "long ".repeat(10_000));
        for above in [deep.iter().map(String::as_str).collect(), vec![long.as_str()]] {
            let lines: Vec<String> = (0..100).map(|n| format!("- {n}")).collect();
            let texts: Vec<&str> = above.iter().copied().chain(lines.iter().map(String::as_str)).collect();
            let spots = spots(&texts);
            assert!(spots[above.len()..].iter().all(|spot| spot.name.len() < 200));
            assert_eq!(spots.iter().map(|spot| &spot.name).collect::<HashSet<_>>().len(), texts.len());
        }
        let below = |heading: &str| spots(&[heading, "- x"])[1].name.clone();
        assert_ne!(below(&long), below(&format!("{long}er")));
        assert_eq!(below("## A"), "## A\u{0}- x\u{0}1");
    }

    #[test]
    fn a_version_is_merged_line_by_line() {
        for (what, base, here, there, expected) in [
            ("a first version", "", "mine", "# A\n- x", "mine\n# A\n- x"),
            ("a line of another heading", "", "## A\n- nuts", "## B\n- nuts", "## A\n- nuts\n## B\n- nuts"),
            ("what is there", "", "## A\n- nuts", "## A\n- nuts", "## A\n- nuts"),
            (
                "a new line",
                "## A\n- x\n## B\n- y",
                "## A\n- x\n## B\n- y",
                "## A\n- x\n- new\n## B\n- y",
                "## A\n- x\n- new\n## B\n- y",
            ),
            ("an edited line", "## A\n- x\n- y", "## A\n- x\n- y", "## A\n- z\n- y", "## A\n- z\n- y"),
            ("a first line", "- x", "- x\nmine", "- new\n- x", "- new\n- x\nmine"),
            (
                "after a line that was removed here",
                "## A\n- x\n## B",
                "## A\n## B",
                "## A\n- x\n- y\n## B",
                "## A\n- y\n## B",
            ),
            ("a removed line that moved", "## A\n- x", "## A", "## B\n- x\n- y", "## B\n- y"),
            (
                "a line that moved",
                "## A\n- x\n- y\n## B\n- z",
                "## A\n- x\n- y\n## B\n- z",
                "## A\n- x\n## B\n- z\n- y",
                "## A\n- x\n## B\n- z\n- y",
            ),
            ("a renamed heading", "## A\n- x", "## A\n- x\nmine", "## C\n- x", "## A\nmine\n## C\n- x"),
            (
                "a removed heading",
                "## A\n- x\n## B\n- y",
                "## B\n- y",
                "## A\n- x\n- new\n## B\n- y",
                "## A\n- new\n## B\n- y",
            ),
            ("a line that was changed here", "- x", "mine x", "- z", "mine x\n- z"),
            (
                "a new section",
                "## A\n- x\n## B\n- y",
                "## A\n- x\nmine\n## B\n- y",
                "## A\n- x\n## C\n- new\n## B\n- y",
                "## A\n- x\nmine\n## C\n- new\n## B\n- y",
            ),
            ("one of equal lines", "## A\n- x\n## B\n- x", "## A\n- x\n## B\n- x", "## B\n- x", "## B\n- x"),
            ("an equal line", "## A\n- x", "## A\n- x", "## C\n- x\n## A\n- x", "## C\n- x\n## A\n- x"),
            ("a comment in code", "", "- x", "```\n# no heading\n```\n- x", "```\n# no heading\n```\n- x"),
        ] {
            assert_eq!(merged(base, here, there), expected, "{what}");
        }
    }
}
