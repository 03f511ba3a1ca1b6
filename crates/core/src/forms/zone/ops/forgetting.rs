//! Forgetting: a day, what refs name, and lines by their text.

use std::collections::BTreeMap;

use jiff::civil::Date;
use unicode_normalization::UnicodeNormalization as _;

use super::{Outcome, Version, by_readers, heading, may_remove, number, reference, retire_note};
use crate::audience::Sensitivity;
use crate::decision::{Context, Decision};
use crate::error::{Error, Result};
use crate::forms::zone::view::{Item, ZoneView};
use crate::memory::Ref;
use crate::scope::Scope;

/// Maximum number of matches that the error about an ambiguous text lists.
const MATCHES_SHOWN: usize = 5;

/// Removes the note of a day.
///
/// # Errors
/// [`Error::NotFound`] if the day has no note; [`Error::Refused`] if a tool or a page asks to remove what has another
/// origin.
pub fn forget_day(view: &ZoneView, date: Date, ctx: &Context) -> Result<Decision<Outcome>> {
    let Some(pieces) = view.dailies.get(&date) else {
        return Err(Error::NotFound(format!("there is no daily note of {date}")));
    };
    may_remove(pieces, ctx)?;
    let mut version = Version::after(view, ctx);
    retire_note(&mut version, date, pieces)?;
    version.finish_plain()
}

/// Removes the lines and pieces that refs name: one version if a ref names an entry, otherwise every one with its key.
///
/// # Errors
/// [`Error::NotFound`] if the zone has no current item with the key and version of one of them; [`Error::Refused`] as for
/// [`forget_day`].
pub fn forget_refs<'v>(view: &'v ZoneView, references: &[Ref], ctx: &Context) -> Result<Decision<Outcome>> {
    let (mut lines, mut pieces) = (BTreeMap::new(), BTreeMap::new());
    for reference in references {
        let target = |item: &&Item| {
            item.key == reference.key && reference.entry.is_none_or(|entry| item.id.entry() == entry)
        };
        let line: Vec<_> = view.long_term.iter().filter(target).map(|item| (item.id, item)).collect();
        let of_day = |(date, pieces): (&Date, &'v Vec<Item>)| {
            let found: Vec<_> =
                pieces.iter().filter(target).map(|piece| ((*date, piece.id), piece)).collect();
            found
        };
        let piece: Vec<_> = view.dailies.iter().flat_map(of_day).collect();
        if line.is_empty() && piece.is_empty() {
            return Err(Error::NotFound(format!("{reference} is not current in the zone")));
        }
        lines.extend(line);
        pieces.extend(piece);
    }
    may_remove(lines.values().chain(pieces.values()).copied(), ctx)?;
    let mut version = Version::after(view, ctx);
    version.remove_lines(lines.into_values())?;
    for ((date, _), piece) in pieces {
        version.remove_pieces(date, &[piece])?;
    }
    version.finish_plain()
}

/// Removes lines by their text. Each line of `text` must equal a line of the zone, or be a part of exactly
/// one.
///
/// Bullets, case and white space are ignored in the comparison. The heading of a note does not match.
///
/// # Errors
/// - [`Error::Invalid`] if the text is blank.
/// - [`Error::NotFound`] if no line contains the text.
/// - [`Error::Ambiguous`] if several lines contain it and none equals it.
/// - [`Error::Refused`] as for [`forget_day`].
pub fn forget_text(view: &ZoneView, text: &str, ctx: &Context) -> Result<Decision<Outcome>> {
    let wanted: Vec<String> = text.lines().map(folded).filter(|line| !line.is_empty()).collect();
    if wanted.is_empty() {
        return Err(Error::Invalid("specify the line to forget".into()));
    }
    let lines = places(view);
    let mut removed: Vec<&LinePlace<'_>> = Vec::new();
    for want in &wanted {
        removed.extend(matches(&lines, want)?);
    }
    removed.sort_unstable_by_key(|place| (place.item.id, place.line));
    removed.dedup_by_key(|place| (place.item.id, place.line));
    may_remove(removed.iter().map(|place| place.item), ctx)?;
    let mut version = Version::after(view, ctx);
    version.remove_lines(removed.iter().filter(|place| place.date.is_none()).map(|place| place.item))?;
    for (date, pieces) in &view.dailies {
        for pieces in by_readers(pieces) {
            forget_in_note(&mut version, *date, &pieces, &removed)?;
        }
    }
    version.finish_plain()
}

/// A line of the zone and its position.
struct LinePlace<'a> {
    item: &'a Item,
    date: Option<Date>,
    /// The index of the line in its item.
    line: usize,
    folded: String,
    text: &'a str,
}

fn places(view: &ZoneView) -> Vec<LinePlace<'_>> {
    let long_term = view.long_term.iter().map(|item| (None, item));
    let dailies =
        view.dailies.iter().flat_map(|(date, pieces)| pieces.iter().map(|piece| (Some(*date), piece)));
    long_term
        .chain(dailies)
        .flat_map(|(date, item)| {
            item.text.lines().enumerate().map(move |(line, text)| LinePlace {
                item,
                date,
                line,
                folded: folded(text),
                text,
            })
        })
        .filter(|place| !place.folded.is_empty() && !place.is_heading())
        .collect()
}

impl LinePlace<'_> {
    /// Returns the line, or only its ref if it is confidential and the caller did not ask for it.
    fn shown(&self) -> String {
        match self.item.sensitivity {
            Sensitivity::Confidential => format!("{} (confidential)", reference(self.item)),
            _ => self.text.to_owned(),
        }
    }

    /// Returns whether it is the heading of a note, which is removed only together with the note's last line.
    fn is_heading(&self) -> bool {
        self.date.is_some_and(|date| self.text.trim_end() == heading(date))
    }
}

/// Normalizes a line for comparison: no bullet, single spaces, and as [`lower`].
fn folded(line: &str) -> String {
    let line = line.trim();
    let line = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).unwrap_or(line);
    lower(&line.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns a text in lower case, with compatible characters alike (NFKC).
#[must_use]
pub fn lower(text: &str) -> String {
    text.nfkc().collect::<String>().to_lowercase()
}

fn matches<'a, 'b>(lines: &'a [LinePlace<'b>], want: &str) -> Result<Vec<&'a LinePlace<'b>>> {
    let exact: Vec<_> = lines.iter().filter(|place| place.folded == want).collect();
    if !exact.is_empty() {
        return Ok(exact);
    }
    let partial: Vec<_> = lines.iter().filter(|place| place.folded.contains(want)).collect();
    match partial.len() {
        0 => Err(Error::NotFound(format!("no line of the zone contains {want:?}"))),
        1 => Ok(partial),
        n => {
            let shown: Vec<_> =
                partial.iter().take(MATCHES_SHOWN).map(|place| format!("  {}", place.shown())).collect();
            Err(Error::Ambiguous(format!(
                "{n} lines of the zone contain {want:?}; pass one of them in full:\n{}",
                shown.join("\n")
            )))
        }
    }
}

fn forget_in_note(
    version: &mut Version<'_>,
    date: Date,
    pieces: &[&Item],
    removed: &[&LinePlace<'_>],
) -> Result<()> {
    let rest = |piece: &Item| -> String {
        let kept = piece
            .text
            .split_inclusive('\n')
            .enumerate()
            .filter(|(n, _)| !removed.iter().any(|place| place.item.id == piece.id && place.line == *n));
        kept.map(|(_, line)| line).collect::<String>().trim_end().to_owned()
    };
    let changed: Vec<&&Item> =
        pieces.iter().filter(|piece| removed.iter().any(|p| p.item.id == piece.id)).collect();
    if changed.is_empty() {
        return Ok(());
    }
    let says_something =
        |text: &str| text.lines().any(|l| !l.trim().is_empty() && l.trim_end() != heading(date));
    if !pieces.iter().any(|piece| says_something(&rest(piece))) {
        return version.remove_pieces(date, pieces);
    }
    let mut staying: Vec<Item> = pieces.iter().map(|piece| (*piece).clone()).collect();
    staying.retain(|piece| changed.iter().all(|changed| changed.id != piece.id));
    for piece in changed {
        let text = rest(piece);
        let nth = number(&text, staying.iter(), piece.sensitivity);
        staying.push(Item { text: text.clone(), nth, ..(*piece).clone() });
        version.instead(date, (text, nth), piece)?;
    }
    Ok(())
}

/// A part of the zone.
#[derive(Clone, Copy, Debug)]
pub enum ZonePart<'a> {
    /// The lines with a text, as [`forget_text`] finds them.
    Text(&'a str),
    /// The note of a day.
    Day(Date),
    /// Everything.
    All,
}

/// Returns the scopes other than the default write scope that have a part of the zone, each once.
///
/// A line of another scope must equal a text that a line of the default write scope contains.
#[must_use]
pub fn other_scopes(view: &ZoneView, part: ZonePart<'_>) -> Vec<Scope> {
    let items: Vec<&Item> = match part {
        ZonePart::All => view.items().collect(),
        ZonePart::Day(date) => view.dailies.get(&date).into_iter().flatten().collect(),
        ZonePart::Text(text) => {
            let lines = places(view);
            let wanted = text.lines().map(folded).filter(|line| !line.is_empty());
            let found = wanted.flat_map(|want| {
                let is_here = |p: &LinePlace<'_>| p.item.scope == view.home && p.folded.contains(&want);
                let is_exact = lines.iter().any(is_here);
                let found = lines.iter().filter(|place| match is_exact {
                    true => place.folded == want,
                    false => place.folded.contains(&want),
                });
                found.map(|place| place.item).collect::<Vec<_>>()
            });
            found.collect()
        }
    };
    let others = items.into_iter().map(|item| &item.scope).filter(|scope| **scope != view.home);
    others.map(|scope| (scope.label(), scope.clone())).collect::<BTreeMap<_, _>>().into_values().collect()
}
