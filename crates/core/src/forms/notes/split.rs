//! Splitting a monthly file of episodes into weekly files.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::entry::{self, Act};
use super::ops::{self, Change, Outcome};
use super::path::NotePath;
use super::sections::{self, Kind};
use super::summary::{self, Summary};
use super::view::{File, NotesView, Section};
use crate::bytes::{bytes_with_line_ends, line_end};
use crate::decision::{Context, Decision};
use crate::error::{Error, Result};
use crate::meta::MOVED_FROM;

/// Moves each block that names its day into the file of its week, `2026-W07.md`, in the same folder.
///
/// Blocks without a day stay. The file is deleted if only its title and summary are left. The outcome has the
/// change of each file.
///
/// # Errors
/// [`Error::NotFound`] if the file does not exist; [`Error::Invalid`] if it has no block with a day of
/// another week.
pub fn split_by_week(view: &NotesView, path: &NotePath, ctx: &Context) -> Result<Decision<Vec<Change>>> {
    let file = view.file(path)?;
    let text = file.bytes();
    let (stay, weeks) = by_week(file);
    if sections::split(&text).0 == Kind::Facts || weeks.is_empty() {
        return Err(Error::Invalid(format!(
            "cannot split {path} by week: no section has a line `- Date: YYYY-MM-DD` in another week"
        )));
    }
    let [ctx, moved] =
        &[ops::because(|| "split by week".into(), ctx), ops::because(|| format!("{MOVED_FROM}{path}"), ctx)];
    let mut decision = Decision::nothing(Vec::new());
    let left = sections::join(stay.iter().map(|section| section.bytes.as_slice()));
    let computed = file.computed_summary();
    let kept_up = |text: &[u8], new: Option<&str>, computed: Option<&str>| {
        let summary = Summary::of(text, new, computed);
        summary::bring_up_to_date(text, summary, ctx.today())
    };
    let left = if stay.iter().all(|section| section.is_preamble()) {
        // The summary of the remaining text refers to the weekly files.
        let stems: Vec<_> = weeks.keys().map(NotePath::stem).collect();
        let moved = format!("see {}", stems.join(", "));
        says_something(&left).then(|| kept_up(&left, Some(&moved), None))
    } else {
        Some(kept_up(&left, None, computed.as_deref()))
    };
    take(
        &mut decision,
        match left {
            Some(left) => ops::change(view, path, &left, Act::Write, ctx)?,
            None => ops::delete(view, path, ctx)?,
        },
    );
    let end = line_end(&text);
    for (week, sections) in weeks {
        let before = view.get(&week);
        let computed = before.and_then(File::computed_summary);
        let mut text = before.map(File::bytes).unwrap_or_default();
        // What is moved gets the line ends of the file that it is moved to, and a new file those of the month.
        let to = if text.is_empty() { end } else { line_end(&text) };
        for section in &sections {
            let is_new = text.is_empty();
            let bytes = section.bytes.trim_ascii();
            let bytes = if to == end { bytes.to_vec() } else { bytes_with_line_ends(bytes, to) };
            text = ops::appended(&week, &text, &bytes);
            if is_new && to != "\n" {
                text = bytes_with_line_ends(&text, to);
            }
        }
        let text = kept_up(&text, None, computed.as_deref());
        take(&mut decision, ops::change_keeping(view, &week, &text, Act::Append, &sections, moved)?);
    }
    Ok(decision)
}

fn take(all: &mut Decision<Vec<Change>>, one: Decision<Outcome>) {
    all.drafts.extend(one.drafts);
    if let Outcome::Changed(change) = one.outcome {
        all.outcome.push(change);
    }
}

/// Returns the sections that stay, and those to move, grouped by their new file.
fn by_week(file: &File) -> (Vec<&Section>, BTreeMap<NotePath, Vec<&Section>>) {
    let mut stay = Vec::new();
    let mut weeks: BTreeMap<NotePath, Vec<&Section>> = BTreeMap::new();
    for section in &file.sections {
        let day = entry::date(&section.bytes).filter(|_| !section.is_preamble());
        match day.and_then(|day| file.path.beside(&week(day))).filter(|week| *week != file.path) {
            Some(week) => weeks.entry(week).or_default().push(section),
            None => stay.push(section),
        }
    }
    (stay, weeks)
}

/// Returns the ISO 8601 name of a day's week: `2026-W07`. A week belongs to the year of its Thursday.
#[must_use]
pub fn week(day: Date) -> String {
    let week = day.iso_week_date();
    format!("{:04}-W{:02}", week.year(), week.week())
}

/// Returns whether a text has more than headings and a summary.
fn says_something(text: &[u8]) -> bool {
    let mut lines = sections::lines(text).filter(|line| !line.is_blank());
    lines.any(|line| sections::heading(line.text).is_none() && summary::read(line.text).is_none())
}
