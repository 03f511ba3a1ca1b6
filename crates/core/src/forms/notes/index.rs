//! The message that tells a model which notes there are: document 2's.
//!
//! What the owner wrote stands as it is. What others wrote is made harmless; what tools or pages wrote, or is
//! quarantined, does not stand in it at all.
//!
//! **Invariant.** The same view, reads and instant give the same bytes, within the budget.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;

use super::path::{Folders, NotePath};
use super::view::{File, NotesView, Section};
use super::{sections, summary};
use crate::memory::MemoryId;
use crate::safety::render::{neutral_line, neutralise};

const HEAD: &str = "Available memory:\n";
/// How files are read, where that tool can be called.
const FOOT: &str = "\nUse memory_read to load relevant files before responding.\n";
/// The tool that reads a file.
const READ: &str = "memory_read";
/// The tool that lists all files.
const LIST: &str = "memory_list";
/// After so many days unread and unchanged, a file counts half as much.
const HALF_LIFE_DAYS: f64 = 30.0;
const SECONDS_A_DAY: f64 = 86_400.0;
/// How long a summary is shown at most, in characters.
const SUMMARY_CHARS_MAX: usize = summary::CHARS_MAX;

/// What the message is made with, besides the view.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// The folders of notes, in order.
    pub folders: &'a Folders,
    /// The folders whose files stand in full, not as a line.
    pub in_full: &'a [String],
    /// How long the message may be, in characters.
    pub chars_max: usize,
    /// The tools that can be called: it names no other.
    pub tools: &'a [&'a str],
    /// How often each file was read.
    pub reads: &'a HashMap<NotePath, u64>,
    /// When it is asked.
    pub now: Timestamp,
}

/// The message; empty where there is no note, or no room for one.
#[must_use]
pub fn message(view: &NotesView, asked: &Asked<'_>) -> String {
    message_of(view, asked).0
}

/// The same, with the sections that it shows in full.
#[must_use]
pub fn message_of(view: &NotesView, asked: &Asked<'_>) -> (String, Vec<MemoryId>) {
    let files = view.in_order(asked.folders);
    if files.is_empty() {
        return Default::default();
    }
    let mut by_weight: Vec<usize> = (0..files.len()).collect();
    by_weight.sort_by(|&a, &b| weight(files[b], asked).total_cmp(&weight(files[a], asked)).then(a.cmp(&b)));
    let foot = if asked.tools.contains(&READ) { FOOT } else { "" };
    // One more, for the blank line between texts and lines.
    let room =
        asked.chars_max.saturating_sub(chars(HEAD) + chars(foot) + usize::from(!asked.in_full.is_empty()));
    let mut shown = fill(&files, &by_weight, asked, room);
    if shown.len() < files.len() {
        // There must be room to say so.
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

/// The files that find room, those that count most first.
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

/// How a file is shown.
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
    let how = if tools.contains(&LIST) { ": memory_list names them" } else { "" };
    format!("- … and {files}{how}\n")
}

/// How much a file counts: recent ones, and those often read.
fn weight(file: &File, asked: &Asked<'_>) -> f64 {
    let reads = asked.reads.get(&file.path).copied().unwrap_or_default();
    let age = file.updated_at().map_or(0.0, |at| asked.now.duration_since(at).as_secs_f64());
    #[allow(clippy::cast_precision_loss, reason = "nobody reads a file 2^53 times")]
    let reads = (reads as f64).ln_1p();
    (1.0 + reads) * (-age.max(0.0) / SECONDS_A_DAY / HALF_LIFE_DAYS).exp2()
}

/// A file as a line: its path, its size, its summary.
fn line(file: &File) -> String {
    let bytes = file.bytes();
    let said = match summary::read(&bytes) {
        Some(summary) => {
            let holder = file.sections.iter().find(|section| summary::holds(&section.bytes, &summary));
            let short: String = summary.chars().take(SUMMARY_CHARS_MAX).collect();
            holder.and_then(|holder| Some(shown(holder, &short)?.into_owned()))
        }
        // Computed of what a prompt may show; who wrote which part of it is not kept apart.
        None => {
            let may_show = file.sections.iter().filter(|section| section.is_for_prompts());
            let text = sections::join(may_show.map(|section| section.bytes.as_slice()));
            summary::of_entries(&text).map(|summary| neutralise(&summary).into_owned())
        }
    };
    match said {
        Some(summary) => format!("- {}: {summary}\n", named(file, bytes.len())),
        None => format!("- {}\n", named(file, bytes.len())),
    }
}

/// A file in full, under its path and size.
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
            "({kept_out} of its sections come from tools or pages, or are suspicious: not shown)\n"
        ));
    }
    text
}

/// A section's text as a prompt shows it; `None` where it does not by itself. What others wrote begins no heading of the
/// message.
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

/// A size as people read it: `320B`, `1.2KB`.
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
