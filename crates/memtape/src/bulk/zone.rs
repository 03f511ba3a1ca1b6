//! Adds to the zone: one version for each scope. The days that the zone no longer keeps go elsewhere: those of the
//! workspace to the episodes, the entries of all others to the statements of their chat or user.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _};
use memtape_core::forms::notes::{File, Limits as NoteLimits, NotePath, ops as notes};
use memtape_core::forms::statements::{Source, Statement};
use memtape_core::forms::zone::document;
use memtape_core::forms::zone::import::{Addition, Document, Text, import_documents};
use memtape_core::forms::zone::view::DAYS_MAX;
use memtape_core::safety::injection;
use memtape_core::{Category, Context, Scope};
use memtape_index::Question;

use super::imports::line_mark;
use super::{Group, Line, Merged, Record, RecordOutcome};
use crate::reading::{whole_zone, zone_view};
use crate::statements::{IMPORTED_CONFIDENCE, IMPORTED_IMPORTANCE};
use crate::working_copy::notes::view_for;

impl Group<'_> {
    /// Adds the documents of lines and the entries of days among the records.
    pub(super) fn zone(&mut self, records: &[Record]) -> memtape_index::Result<()> {
        self.old_days(records)?;
        let mut scopes: Vec<(Scope, Vec<usize>)> = Vec::new();
        for (n, record) in records.iter().enumerate() {
            let (Record::Lines { scope, .. } | Record::Daily { scope, .. }) = record else { continue };
            if self.outcomes[n].is_some() || self.episode_of(record, records).is_some() {
                continue;
            }
            match scopes.iter_mut().find(|(other, ..)| other == scope) {
                Some((_, numbers)) => numbers.push(n),
                None => scopes.push((scope.clone(), vec![n])),
            }
        }
        for (scope, numbers) in scopes {
            let question = Question { scope: Some(scope.clone()), ..whole_zone() };
            let view = zone_view(self.reader, self.point, &question)?;
            let ctx = Context { scope, ..self.ctx.clone() };
            let (mut versions, mut documents, mut entries, mut additions) = (vec![], vec![], vec![], vec![]);
            for n in numbers {
                match &records[n] {
                    Record::Lines { date, .. } => {
                        let (texts, left_out) = self.texts(&records[n]);
                        let (known, document) = (self.known, self.ids[n].document.unwrap_or_default());
                        let names = names(&texts);
                        documents.push(Document {
                            date: *date,
                            texts,
                            was: Box::new(move |name| known.had(document, name)),
                            is_shared: Box::new(move |name| known.others_have(document, name)),
                        });
                        versions.push((n, names, left_out));
                    }
                    Record::Daily { date, text, nth, said_at, .. } => {
                        let text = self.text(text, *said_at);
                        additions.push(Addition { date: *date, text, nth: *nth });
                        entries.push(n);
                    }
                    _ => {}
                }
            }
            let decided = import_documents(&view, &documents, &additions, &ctx)?;
            drop(documents);
            let place = self.drafts.len();
            self.drafts.extend(decided.drafts);
            for ((n, names, left_out), (added, removed)) in
                versions.into_iter().zip(decided.outcome.documents)
            {
                self.places[n] = (added + removed > 0).then_some(place);
                self.merged(n, &names, Merged { added, removed, left_out, beside: None })?;
            }
            for (n, is_added) in entries.into_iter().zip(decided.outcome.additions) {
                self.set_outcome(
                    n,
                    Ok(if is_added { RecordOutcome::Added } else { RecordOutcome::Present }),
                )?;
            }
        }
        Ok(())
    }

    /// Records a version of a document that was merged, and the names of its lines.
    fn merged(&mut self, n: usize, names: &[String], merged: Merged) -> memtape_index::Result<()> {
        let document = self.ids[n].document.unwrap_or_default();
        self.marks.extend(names.iter().map(|name| line_mark(document, name)));
        self.set_outcome(n, Ok(RecordOutcome::Merged(merged)))
    }

    /// Returns the lines of a document, and those that are left out.
    fn texts(&self, record: &Record) -> (Vec<Text>, Vec<(usize, String)>) {
        let Record::Lines { lines, .. } = record else { return Default::default() };
        let (mut texts, mut left_out) = (Vec::new(), Vec::new());
        for (n, Line { text, said_at }) in lines.iter().enumerate() {
            match self.bulk.workspace.check_length("its text", text) {
                Ok(()) => texts.push(self.text(text, *said_at)),
                Err(e) => left_out.push((n, e.to_string())),
            }
        }
        (texts, left_out)
    }

    fn text(&self, text: &str, said_at: Option<Timestamp>) -> Text {
        let text = self.bulk.workspace.clean(text).into_owned();
        let quarantined = injection::is_suspicious(&text).map(str::to_owned);
        Text { text, at: said_at.unwrap_or(self.ctx.now), quarantined }
    }

    /// Returns whether the next conversation would remove a day from the zone.
    fn is_old(&self, date: Date) -> bool {
        let days = self.bulk.workspace.config.zone.retention_days;
        let first = self.ctx.today().saturating_sub(i64::from(days.clamp(1, DAYS_MAX) - 1).days());
        days > 0 && date < first
    }

    /// Returns the note that a day goes to which the zone would not keep; `None` if it goes to none. A chat or a user has
    /// no notes.
    fn episode_of(&self, record: &Record, records: &[Record]) -> Option<String> {
        let (Record::Daily { date, scope: Scope::Global, .. }
        | Record::Lines { date: Some(date), scope: Scope::Global, .. }) = record
        else {
            return None;
        };
        // A note that is written in the same group is not read again.
        let path = episode(*date);
        let is_taken = |record: &Record| matches!(record, Record::Note { path: other, .. } if *other == path);
        let goes = self.is_old(*date) && !records.iter().any(is_taken) && self.note_path(&path).is_some();
        goes.then_some(path)
    }

    /// Returns the statement that an entry of a day becomes which neither the zone nor a note would keep.
    pub(super) fn old_entry(&self, record: &Record, records: &[Record]) -> Option<Statement> {
        let Record::Daily { date, text, said_at, place, .. } = record else { return None };
        if !self.is_old(*date) || self.episode_of(record, records).is_some() {
            return None;
        }
        let noon = date.at(12, 0, 0, 0).to_zoned(self.ctx.zone.clone());
        let said_at = said_at.or(noon.ok().map(|noon| noon.timestamp())).unwrap_or(self.ctx.now);
        Some(Statement {
            importance: IMPORTED_IMPORTANCE,
            confidence: IMPORTED_CONFIDENCE,
            source: Source::Import,
            date: Some(*date),
            place: Some(place.clone()),
            ..Statement::new(text.clone(), Category::Episodic, said_at)
        })
    }

    fn note_path(&self, path: &str) -> Option<NotePath> {
        NotePath::new(path, &self.bulk.workspace.config.notes.folders).ok()
    }

    /// Adds the days that the zone no longer keeps to the note of their month, each as a block.
    fn old_days(&mut self, records: &[Record]) -> memtape_index::Result<()> {
        let limit = NoteLimits::default().file;
        let mut months: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (n, record) in records.iter().enumerate() {
            if self.outcomes[n].is_none()
                && let Some(path) = self.episode_of(record, records)
            {
                months.entry(path).or_default().push(n);
            }
        }
        for (path, numbers) in months {
            let Some(parsed) = self.note_path(&path) else { continue };
            let mut whole = None;
            let view = view_for(self.reader, &parsed, self.ctx, &mut whole)?;
            let title = path.trim_start_matches("episodes/").trim_end_matches(".md");
            let mut text = view.get(&parsed).map_or_else(|| format!("# {title}\n"), File::text);
            let before = text.clone();
            let mut place = String::new();
            let mut days: Vec<(Date, Vec<usize>)> = Vec::new();
            for n in numbers {
                match &records[n] {
                    Record::Daily { date, .. } => match days.iter_mut().find(|(day, _)| day == date) {
                        Some((_, entries)) => entries.push(n),
                        None => days.push((*date, vec![n])),
                    },
                    Record::Lines { date: Some(date), place: from, .. } => {
                        let (texts, left_out) = self.texts(&records[n]);
                        let document = self.ids[n].document.unwrap_or_default();
                        let (known, was) = (self.known, |name: &str| self.known.had(document, name));
                        let may_go = |name: &str| !known.others_have(document, name);
                        let without = text.clone();
                        let (added, removed) = merge_into_day(&mut text, *date, &texts, was, may_go);
                        if added > 0 && text.len() > limit {
                            text = without;
                            self.set_outcome(n, Ok(too_long(&path)))?;
                            continue;
                        }
                        if added + removed > 0 {
                            place.clone_from(from);
                        }
                        let beside = (added > 0).then(|| path.clone());
                        self.merged(n, &names(&texts), Merged { added, removed, left_out, beside })?;
                    }
                    _ => {}
                }
            }
            for (date, numbers) in days {
                let mut entries = Vec::new();
                for n in &numbers {
                    let Record::Daily { text, nth, .. } = &records[*n] else { continue };
                    entries.push((self.bulk.workspace.clean(text), *nth));
                }
                let outcomes = add_to_day(&mut text, date, &entries, limit);
                for (n, is_added) in numbers.into_iter().zip(outcomes) {
                    let outcome = match is_added {
                        None => too_long(&path),
                        Some(false) => RecordOutcome::Present,
                        Some(true) => RecordOutcome::Beside(path.clone()),
                    };
                    if let (Some(true), Record::Daily { place: from, .. }) = (is_added, &records[n]) {
                        place.clone_from(from);
                    }
                    self.set_outcome(n, Ok(outcome))?;
                }
            }
            if text != before {
                let ctx = self.because(&place);
                self.drafts.extend(notes::edit(&view, &parsed, text.as_bytes(), &ctx)?.drafts);
            }
        }
        Ok(())
    }
}

fn names(texts: &[Text]) -> Vec<String> {
    document::names(&texts.iter().map(|text| text.text.as_str()).collect::<Vec<_>>())
}

/// Returns the path of the note of a day's month.
fn episode(date: Date) -> String {
    format!("episodes/{}.md", date.strftime("%Y-%m"))
}

/// Returns the text of the block of a day in a note, from the line after its heading to the heading of another day.
fn block_of(note: &str, date: Date) -> Option<Range<usize>> {
    let heading = format!("\n## {date}\n");
    let begin = note.find(&heading)? + heading.len();
    let is_day =
        |line: &str| line.strip_prefix("## ").is_some_and(|day| day.trim_end().parse::<Date>().is_ok());
    let mut end = begin;
    for line in note[begin..].split_inclusive('\n').take_while(|line| !is_day(line)) {
        end += line.len();
    }
    Some(begin..end)
}

/// Adds an empty block for a day at the end of a note.
fn begin_day(note: &mut String, date: Date) {
    let gap = if note.ends_with("\n\n") { "" } else { "\n" };
    let line_end = if note.ends_with('\n') { "" } else { "\n" };
    note.push_str(&format!("{line_end}{gap}## {date}\n\n"));
}

/// Returns what becomes of what no longer fits into the note of its month.
fn too_long(path: &str) -> RecordOutcome {
    RecordOutcome::LeftOut(format!("the note {path} would be longer than the limit of a note"))
}

/// Adds pieces to the block of their day in a note. Returns whether each was added: not if it is there as many times as
/// its number says. `None` means that the note would be longer than the limit.
fn add_to_day(
    note: &mut String,
    date: Date,
    entries: &[(Cow<'_, str>, u32)],
    limit: usize,
) -> Vec<Option<bool>> {
    let own_heading = format!("# {date}");
    let block = block_of(note, date);
    let here = block.clone().map_or("", |block| note[block].trim_end()).to_owned();
    let mut lines: Vec<&str> = here.lines().collect();
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    lines.iter().enumerate().for_each(|(n, line)| places.entry(*line).or_default().push(n));
    let mut added = String::new();
    let mut outcomes = Vec::with_capacity(entries.len());
    for (piece, nth) in entries {
        let piece = piece.trim_start().strip_prefix(&own_heading).unwrap_or(piece);
        let piece = piece.trim_matches(['\n', '\r']).trim_end();
        let Some(first) = piece.lines().next() else {
            outcomes.push(Some(false));
            continue;
        };
        let length = piece.lines().count();
        let is_there = |place: &&usize| lines[**place..].iter().take(length).copied().eq(piece.lines());
        let there = places.get(first).map_or(0, |places| places.iter().filter(is_there).count());
        let is_new = there < *nth as usize;
        let fits = note.len() + added.len() + piece.len() + own_heading.len() + 8 <= limit;
        if is_new && fits {
            for line in piece.lines() {
                places.entry(line).or_default().push(lines.len());
                lines.push(line);
            }
            added.push('\n');
            added.push_str(piece);
        }
        outcomes.push((fits || !is_new).then_some(is_new));
    }
    match block {
        _ if added.is_empty() => {}
        Some(block) => note.insert_str(block.start + here.len(), &added),
        None => {
            begin_day(note, date);
            note.push_str(&format!("{}\n", &added[1..]));
        }
    }
    outcomes
}

/// Merges a version of the note of a day into its block in a note, and returns the numbers of added and of removed pieces.
fn merge_into_day(
    note: &mut String,
    date: Date,
    texts: &[Text],
    was: impl Fn(&str) -> bool,
    may_go: impl Fn(&str) -> bool,
) -> (usize, usize) {
    let old = block_of(note, date).map(|block| note[block].to_owned());
    let here = pieces_of(old.as_deref().unwrap_or_default());
    let there: Vec<&str> = texts.iter().map(|text| text.text.as_str()).collect();
    let plan = document::merge(&here, &there, was, |_, name| may_go(name));
    let number = plan.added.iter().map(|(_, lines)| lines.len()).sum();
    if number + plan.removed.len() == 0 {
        return (0, 0);
    }
    let mut block = String::from("\n");
    for at in 0..=here.len() {
        let added = plan.added.iter().filter(|(before, _)| *before == at).flat_map(|(_, lines)| lines);
        let added = added.map(|line| there[*line]);
        let kept = here.get(at).copied().filter(|_| !plan.removed.contains(&at));
        for piece in added.chain(kept) {
            block.push_str(piece.strip_suffix('\n').unwrap_or(piece));
            block.push('\n');
        }
    }
    if old.is_none() {
        begin_day(note, date);
    }
    if let Some(range) = block_of(note, date) {
        if note[range.end..].starts_with('#') {
            block.push('\n');
        }
        note.replace_range(range, &block);
    }
    (number, plan.removed.len())
}

/// Returns the pieces of a text: each line that is not empty, with the indented and empty lines below it.
fn pieces_of(text: &str) -> Vec<&str> {
    let text = text.trim_matches('\n');
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() && (starts.is_empty() || !line.starts_with([' ', '\t'])) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(start, end)| &text[*start..end]).collect()
}
