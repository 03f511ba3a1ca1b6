//! Adds to the zone: one version for each scope. The days that the zone no longer keeps go to the episodes.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use jiff::civil::Date;
use memtape_core::forms::notes::{File, NotePath, ops as notes};
use memtape_core::forms::zone::ops::{self, Addition};
use memtape_core::forms::zone::view::DAYS_MAX;
use memtape_core::safety::injection;
use memtape_core::{Context, Scope};
use memtape_index::Question;

use super::{Became, Group, Record};
use crate::reading::{whole_zone, zone_view};
use crate::working_copy::notes::view_for;

impl Group<'_> {
    /// Adds the long-term lines and the daily notes among the records.
    pub(super) fn zone(&mut self, records: &[Record]) -> memtape_index::Result<()> {
        self.old_days(records)?;
        let mut scopes: Vec<(Scope, Vec<usize>, Vec<Addition>)> = Vec::new();
        for (n, record) in records.iter().enumerate() {
            let (text, scope, date, nth, said_at) = match record {
                Record::LongTerm { text, scope, nth, said_at } => (text, scope, None, nth, said_at),
                Record::Daily { date, text, scope, nth, said_at, .. } => {
                    (text, scope, Some(*date), nth, said_at)
                }
                _ => continue,
            };
            if self.became[n].is_some() || self.is_old(record, records) {
                continue;
            }
            let text = self.bulk.workspace.clean(text).into_owned();
            let addition = Addition {
                quarantined: injection::is_suspicious(&text).map(str::to_owned),
                text,
                date,
                nth: *nth,
                at: said_at.unwrap_or(self.ctx.now),
            };
            match scopes.iter_mut().find(|(other, ..)| other == scope) {
                Some((_, numbers, additions)) => {
                    numbers.push(n);
                    additions.push(addition);
                }
                None => scopes.push((scope.clone(), vec![n], vec![addition])),
            }
        }
        for (scope, numbers, additions) in scopes {
            let question = Question { scope: Some(scope.clone()), ..whole_zone() };
            let view = zone_view(self.reader, self.point, &question)?;
            let ctx = Context { scope, ..self.ctx.clone() };
            let decided = ops::add_all(&view, &additions, &ctx)?;
            self.drafts.extend(decided.drafts);
            for (n, is_added) in numbers.into_iter().zip(decided.outcome) {
                self.became(n, Ok(if is_added { Became::Added } else { Became::Present }))?;
            }
        }
        Ok(())
    }

    /// Returns whether a record is a day that goes to the episodes: the next conversation would remove it from the zone.
    fn is_old(&self, record: &Record, records: &[Record]) -> bool {
        let Record::Daily { date, scope: Scope::Global, .. } = record else { return false };
        let days = self.bulk.workspace.config.zone.retention_days;
        let first = self.ctx.today().saturating_sub(i64::from(days.clamp(1, DAYS_MAX) - 1).days());
        // A note that is written in the same group is not read again.
        let path = episode(*date);
        let is_taken = |record: &Record| matches!(record, Record::Note { path: other, .. } if *other == path);
        days > 0 && *date < first && !records.iter().any(is_taken) && self.note_path(&path).is_some()
    }

    fn note_path(&self, path: &str) -> Option<NotePath> {
        NotePath::new(path, &self.bulk.workspace.config.notes.folders).ok()
    }

    /// Adds the days that the zone no longer keeps to the note of their month, each as a block.
    fn old_days(&mut self, records: &[Record]) -> memtape_index::Result<()> {
        let mut months: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (n, record) in records.iter().enumerate() {
            if let Record::Daily { date, .. } = record
                && self.became[n].is_none()
                && self.is_old(record, records)
            {
                months.entry(episode(*date)).or_default().push(n);
            }
        }
        for (path, numbers) in months {
            let Some(parsed) = self.note_path(&path) else { continue };
            let mut whole = None;
            let view = view_for(self.reader, &parsed, self.ctx, &mut whole)?;
            let title = path.trim_start_matches("episodes/").trim_end_matches(".md");
            let mut text = view.get(&parsed).map_or_else(|| format!("# {title}\n"), File::text);
            let mut place = String::new();
            for n in numbers {
                let Record::Daily { date, text: day, nth, place: from, .. } = &records[n] else { continue };
                let day = self.bulk.workspace.clean(day);
                let is_added = add_to_day(&mut text, *date, &day, *nth);
                if is_added {
                    place.clone_from(from);
                }
                self.became(n, Ok(if is_added { Became::Beside(path.clone()) } else { Became::Present }))?;
            }
            let ctx = self.because(&place);
            self.drafts.extend(notes::edit(&view, &parsed, text.as_bytes(), &ctx)?.drafts);
        }
        Ok(())
    }
}

/// Returns the path of the note of a day's month.
fn episode(date: Date) -> String {
    format!("episodes/{}.md", date.strftime("%Y-%m"))
}

/// Adds a piece to the block of its day in a note; `false` if it is there `nth` times.
fn add_to_day(note: &mut String, date: Date, piece: &str, nth: u32) -> bool {
    let own_heading = format!("# {date}");
    let piece = piece.trim_start().strip_prefix(&own_heading).unwrap_or(piece);
    let piece = piece.trim_matches(['\n', '\r']).trim_end();
    let heading = format!("## {date}\n");
    let begin = note.find(&format!("\n{heading}")).map(|at| at + 1 + heading.len());
    let Some(begin) = begin else {
        let gap = if note.ends_with("\n\n") { "" } else { "\n" };
        let line_end = if note.ends_with('\n') { "" } else { "\n" };
        note.push_str(&format!("{line_end}{gap}{heading}\n{piece}\n"));
        return true;
    };
    let end = note[begin..].find("\n## ").map_or(note.len(), |at| begin + at + 1);
    let [lines, wanted] = [&note[begin..end], piece].map(|text| text.lines().collect::<Vec<_>>());
    if lines.windows(wanted.len().max(1)).filter(|lines| **lines == *wanted).count() >= nth as usize {
        return false;
    }
    let end = begin + note[begin..end].trim_end().len();
    note.insert_str(end, &format!("\n{piece}"));
    true
}
