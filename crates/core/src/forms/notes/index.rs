//! The message that lists the available notes for a model, as defined by document 2.
//!
//! Text by the owner is shown unchanged, and text by other authors is neutralised. Text of tools or pages and
//! quarantined text are not shown.
//!
//! **Invariant.** The same view, read counts and time give the same bytes, within the character budget.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;

use super::path::{Folders, NotePath};
use super::summary;
use super::view::{File, NotesView, Section};
use crate::memory::MemoryId;
use crate::safety::render::{neutral_line, neutralise};

const HEAD: &str = "Available memory:\n";
/// Explains how to read files, if that tool is available.
const FOOT: &str = "\nUse memory_read to load relevant files before responding.\n";
/// Name of the tool that reads a file.
const READ: &str = "memory_read";
/// Name of the tool that lists all files.
const LIST: &str = "memory_list";
/// Number of days without a read or a change after which the weight of a file halves.
const HALF_LIFE_DAYS: f64 = 30.0;
const SECONDS_A_DAY: f64 = 86_400.0;
/// Maximum length of a shown summary in characters.
const SUMMARY_CHARS_MAX: usize = summary::CHARS_MAX;

/// The input of the message besides the view.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// The notes folders, in listing order.
    pub folders: &'a Folders,
    /// The folders whose files are shown in full, not as one line.
    pub in_full: &'a [String],
    /// Maximum length of the message in characters.
    pub chars_max: usize,
    /// The available tools; the message names no others.
    pub tools: &'a [&'a str],
    /// The number of reads of each file.
    pub reads: &'a HashMap<NotePath, u64>,
    /// The current time.
    pub now: Timestamp,
}

/// Returns the message; empty if there are no notes, or none fits.
#[must_use]
pub fn message(view: &NotesView, asked: &Asked<'_>) -> String {
    message_of(view, asked).0
}

/// Returns the message, and the sections that it shows in full.
#[must_use]
pub fn message_of(view: &NotesView, asked: &Asked<'_>) -> (String, Vec<MemoryId>) {
    let files = view.in_order(asked.folders);
    if files.is_empty() {
        return Default::default();
    }
    let mut by_weight: Vec<usize> = (0..files.len()).collect();
    by_weight.sort_by(|&a, &b| weight(files[b], asked).total_cmp(&weight(files[a], asked)).then(a.cmp(&b)));
    let foot = if asked.tools.contains(&READ) { FOOT } else { "" };
    // One character more for the blank line between full texts and lines.
    let room =
        asked.chars_max.saturating_sub(chars(HEAD) + chars(foot) + usize::from(!asked.in_full.is_empty()));
    let mut shown = fill(&files, &by_weight, asked, room);
    if shown.len() < files.len() {
        // The line that counts the omitted files needs room, too.
        shown =
            fill(&files, &by_weight, asked, room.saturating_sub(chars(&left_out(files.len(), asked.tools))));
    }
    if shown.is_empty() {
        return Default::default();
    }
    let in_full = shown.iter().filter(|(_, shown)| matches!(shown, Shown::Full(_)));
    let sections = in_full.flat_map(|(n, _)| &files[*n].sections).filter(|section| section.is_for_prompts());
    let ids = sections.map(|section| section.id).collect();
    let rest = files.len() - shown.len();
    let rest = if rest == 0 { String::new() } else { left_out(rest, asked.tools) };
    let (full, lines): (Vec<_>, Vec<_>) = shown.values().partition(|shown| matches!(shown, Shown::Full(_)));
    let [full, lines] = [full, lines].map(|shown| shown.into_iter().map(Shown::text).collect::<String>());
    let lines = lines + &rest;
    let between = if full.is_empty() || lines.is_empty() { "" } else { "\n" };
    (format!("{HEAD}{full}{between}{lines}{foot}"), ids)
}

/// Chooses the files that fit, by descending weight.
fn fill(files: &[&File], by_weight: &[usize], asked: &Asked<'_>, mut room: usize) -> BTreeMap<usize, Shown> {
    let mut shown = BTreeMap::new();
    for &n in by_weight {
        let file = files[n];
        let is_in_full = asked.in_full.iter().any(|folder| folder == file.path.folder());
        let full = is_in_full.then(|| Shown::Full(in_full(file)));
        let ways = full.into_iter().chain([Shown::Line(line(file))]);
        if let Some(one) = ways.into_iter().find(|way| way.chars() <= room) {
            room -= one.chars();
            shown.insert(n, one);
        }
    }
    shown
}

/// The display of a file.
enum Shown {
    Line(String),
    Full(String),
}

impl Shown {
    fn text(&self) -> &str {
        match self {
            Self::Line(text) | Self::Full(text) => text,
        }
    }

    fn chars(&self) -> usize {
        chars(self.text())
    }
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

fn left_out(files: usize, tools: &[&str]) -> String {
    let files = if files == 1 { "1 more file".to_owned() } else { format!("{files} more files") };
    let how = if tools.contains(&LIST) { ": memory_list lists them" } else { "" };
    format!("- … and {files}{how}\n")
}

/// Returns the weight of a file: it grows with the number of reads and decays with the time since its last
/// change.
fn weight(file: &File, asked: &Asked<'_>) -> f64 {
    let reads = asked.reads.get(&file.path).copied().unwrap_or_default();
    let age = file.updated_at().map_or(0.0, |at| asked.now.duration_since(at).as_secs_f64());
    #[allow(clippy::cast_precision_loss, reason = "nobody reads a file 2^53 times")]
    let reads = (reads as f64).ln_1p();
    (1.0 + reads) * (-age.max(0.0) / SECONDS_A_DAY / HALF_LIFE_DAYS).exp2()
}

/// Returns the line of a file: its path, size and summary.
fn line(file: &File) -> String {
    let bytes = file.bytes();
    let said = match summary::read(&bytes) {
        Some(summary) => {
            let holder = file.sections.iter().find(|section| summary::holds(&section.bytes, &summary));
            let short: String = summary.chars().take(SUMMARY_CHARS_MAX).collect();
            holder.and_then(|holder| Some(shown(holder, &short)?.into_owned()))
        }
        // A computed summary mixes sections of several authors.
        None => file.summary_for_prompts().map(|summary| neutralise(&summary).into_owned()),
    };
    match said {
        Some(summary) => format!("- {}: {summary}\n", named(file, bytes.len())),
        None => format!("- {}\n", named(file, bytes.len())),
    }
}

/// Returns a file in full, under a heading with its path and size.
fn in_full(file: &File) -> String {
    let mut text = format!("\n### {}\n", named(file, file.size()));
    let mut kept_out = 0;
    for section in &file.sections {
        match shown(section, &String::from_utf8_lossy(&section.bytes)) {
            Some(shown) => text.push_str(&shown),
            None => kept_out += 1,
        }
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    if kept_out > 0 {
        text.push_str(&format!(
            "({kept_out} sections from tools or web pages, or with suspicious text, are not shown)\n"
        ));
    }
    text
}

/// Returns a section's text as a prompt shows it; `None` if a prompt does not show it unasked.
///
/// Headings of the message's own level are escaped in text that others wrote.
fn shown<'t>(section: &Section, text: &'t str) -> Option<Cow<'t, str>> {
    if !section.is_for_prompts() {
        return None;
    }
    if section.is_the_owners() {
        return Some(Cow::Borrowed(text));
    }
    let text = neutralise(text);
    let is_heading = |line: &str| line.trim_start().starts_with("### ");
    if !text.lines().any(is_heading) {
        return Some(text);
    }
    let lines = text
        .split_inclusive('\n')
        .map(|line| if is_heading(line) { line.replacen("### ", "\\### ", 1) } else { line.to_owned() });
    Some(Cow::Owned(lines.collect()))
}

fn named(file: &File, size: usize) -> String {
    format!("{} ({})", neutral_line(file.path.as_str()), size_text(size))
}

/// Formats a size for people: `320B`, `1.2KB`.
#[must_use]
pub fn size_text(bytes: usize) -> String {
    const KB: f64 = 1024.0;
    #[allow(clippy::cast_precision_loss, reason = "it is rounded anyway")]
    let size = bytes as f64;
    if size < KB {
        format!("{bytes}B")
    } else if size < KB * KB {
        format!("{:.1}KB", size / KB)
    } else {
        format!("{:.1}MB", size / KB / KB)
    }
}

#[cfg(test)]
mod tests;
