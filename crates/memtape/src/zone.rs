//! The zone: long-term lines and daily notes.

use std::borrow::Cow;
use std::collections::HashMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use memtape_core::audience::not_changeable;
use memtape_core::forms::zone::view::DAYS_MAX;
use memtape_core::forms::zone::{Mode, Outcome, ZonePart, ZoneView, ops};
use memtape_core::merge::Closing;
use memtape_core::{
    Audience, Context, Decision, Form, Hint, Memory, Origin, Ref, Scope, Sensitivity, Session, calendar,
};
use memtape_index::{Confidential, Question};
use memtape_store::Author;
use memtape_tape::ErrorKind;

use crate::branches::drafts_of;
use crate::error::Result;
use crate::reading::{whole_zone, zone_view};
use crate::restoring::{Restoration, restoration};
use crate::safety::admit;
use crate::unified_diff::unified_diff;
use crate::workspace::{At, Workspace};

pub use memtape_core::forms::zone::view::{Item, LONG_TERM_BYTES_ADVISED, RECENT_DAYS};

/// The text for an empty zone.
const NOTHING: &str = "(no memories stored)";
/// The default number of lines that a recall with a query returns.
pub const LINES: usize = 20;

/// The zone of a workspace, for one audience.
///
/// Each scope has its own lines and notes. Reads show those of all scopes of the audience together; writes go
/// to its default write scope ([`Audience::home_of`]).
pub struct Zone<'a> {
    workspace: &'a Workspace,
    author: Author,
    audience: Audience,
}

crate::handle::options!(Zone: new, for_audience, in_session, with_sensitivity, because, called_by, home);

impl Workspace {
    /// Returns the zone, for the owner.
    #[must_use]
    pub fn zone(&self) -> Zone<'_> {
        Zone::new(self, &Session::direct(), Origin::User, Audience::owner())
    }
}

impl<'a> Zone<'a> {
    /// Returns what the audience sees of the zone at a point, and the day of that point.
    ///
    /// Confidential memories are left out.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `at` does not exist or the index cannot be read.
    pub fn view(&self, at: &At) -> Result<(ZoneView, Date)> {
        self.view_with(Confidential::Hidden, at)
    }

    /// Returns all lines and notes at a point, for the owner also confidential ones, whose text a list must not show.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `at` does not exist or the index cannot be read.
    pub fn view_with_confidential(&self, at: &At) -> Result<ZoneView> {
        Ok(self.view_with(Confidential::ToOwner, at)?.0)
    }

    fn view_with(&self, confidential: Confidential, at: &At) -> Result<(ZoneView, Date)> {
        self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            let question = Question { audience: self.audience.clone(), confidential, ..Question::default() };
            let home = self.home().unwrap_or_default();
            let view = ZoneView { home, ..zone_view(reader, point, &question)? };
            Ok((view, calendar::day(point.instant, reader.zone())))
        })
    }

    /// Returns the beginning of the first of a number of days that end with the day of a point.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `at` does not exist or the index cannot be read.
    pub(crate) fn first_of_days(&self, days: u32, at: &At) -> Result<Timestamp> {
        self.workspace.read(at, &self.audience, &self.author.session, |reader, point| {
            let today = calendar::day(point.instant, reader.zone());
            let begin = first_day(today, days).to_zoned(reader.zone().clone());
            Ok(begin.map_or(Timestamp::MIN, |begin| begin.timestamp()))
        })
    }

    /// Returns the `<memory>` block of a prompt at a point; empty if nothing is remembered.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `at` does not exist or the index cannot be read.
    pub fn context(&self, at: &At) -> Result<String> {
        let (view, today) = self.view(at)?;
        Ok(view.context(today))
    }

    /// Returns up to `limit` lines that contain every word of a query, newest first, each with its reference.
    ///
    /// With `days`, only long-term lines that were written in the last days, including today, and the notes of these
    /// days. Without a query, it returns long-term memory and the notes of the last `days` days, by default
    /// [`RECENT_DAYS`].
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `at` does not exist or the index cannot be read.
    pub fn recall(&self, query: Option<&str>, days: Option<u32>, limit: usize, at: &At) -> Result<String> {
        let (view, today) = self.view(at)?;
        Ok(match query.filter(|query| !query.trim().is_empty()) {
            _ if view.is_empty() => NOTHING.into(),
            Some(query) => {
                let first = days.map(|days| first_day(today, days));
                let found = lines_with(&view, query, first, self.workspace.time_zone(), limit);
                found.unwrap_or_else(|| no_matches(query, days))
            }
            None => recent(&view, today, days.unwrap_or(RECENT_DAYS)),
        })
    }

    /// Returns the lines that [`Zone::recall`] returns for a query; `None` if there are none.
    pub(crate) fn lines(
        &self,
        query: &str,
        days: Option<u32>,
        limit: usize,
        at: &At,
    ) -> Result<Option<String>> {
        let (view, today) = self.view(at)?;
        let first = days.map(|days| first_day(today, days));
        Ok(lines_with(&view, query, first, self.workspace.time_zone(), limit))
    }

    /// Returns the difference between the zone at two points as a unified diff of its export; empty if there
    /// is none.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if a point does not exist or the index cannot be read.
    pub fn diff(&self, from: &At, to: &At) -> Result<String> {
        let [before, after] = self.workspace.read_both(
            [from, to],
            &self.audience,
            &self.author.session,
            |reader, points| {
                let question = Question { audience: self.audience.clone(), ..Question::default() };
                let home = self.home().unwrap_or_default();
                let export = |point| -> memtape_index::Result<String> {
                    Ok(ZoneView { home: home.clone(), ..zone_view(reader, point, &question)? }.export())
                };
                let [from, to] = points;
                Ok([export(from)?, export(to)?])
            },
        )?;
        let text = |text: &String| (!text.is_empty()).then(|| text.clone());
        Ok(unified_diff("zone", text(&before).as_deref(), text(&after).as_deref()))
    }

    /// Adds lines to long-term memory, except those that exist already.
    ///
    /// # Errors
    /// See [`Zone::save`].
    pub fn remember(&self, text: &str) -> Result<(Outcome, Vec<Ref>)> {
        self.save(text, Mode::Append)
    }

    /// Saves long-term memory and returns the outcome with the references of the new lines.
    ///
    /// # Errors
    /// - [`Error::Refused`](crate::Error::Refused) if the text is longer than `ingest.max_message_bytes`, or
    ///   if it reads like an instruction to a model and does not come from the owner.
    /// - [`Error::Store`](crate::Error::Store) of kind `Invalid` if the text is empty or has too many lines,
    ///   or if the chat or user of the audience is unknown.
    /// - [`Error::Store`](crate::Error::Store) as for [`Workspace::write`].
    pub fn save(&self, text: &str, mode: Mode) -> Result<(Outcome, Vec<Ref>)> {
        let text = self.admitted(text)?;
        self.write(|view, ctx| ops::save(view, &text, mode, ctx))
    }

    /// Appends a text to the daily note of a date; `None` means today.
    ///
    /// # Errors
    /// See [`Zone::save`].
    pub fn daily(&self, text: &str, date: Option<Date>) -> Result<(Outcome, Vec<Ref>)> {
        let text = self.admitted(text)?;
        self.write(|view, ctx| ops::daily(view, &text, date.unwrap_or_else(|| ctx.today()), ctx))
    }

    /// Forgets the lines of the default write scope with a text.
    ///
    /// Each line of `text` must be a line of that scope, or a part of exactly one. [`Zone::other_scopes`] returns the
    /// scopes that have it too.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) of kind `NotFound` if no line contains it, of kind `Conflict` if
    /// several do, of kind `Invalid` if the text is empty, and as for [`Workspace::write`].
    pub fn forget_text(&self, text: &str) -> Result<Outcome> {
        Ok(self.write(|view, ctx| ops::forget_text(view, text, ctx))?.0)
    }

    /// Forgets the daily note of a date in the default write scope.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) of kind `NotFound` if there is no such note, and as for
    /// [`Workspace::write`].
    pub fn forget_day(&self, date: Date) -> Result<Outcome> {
        Ok(self.write(|view, ctx| ops::forget_day(view, date, ctx))?.0)
    }

    /// Forgets the lines and notes that references name, as one change.
    ///
    /// # Errors
    /// See [`Zone::current`]; also [`Error::Store`](crate::Error::Store) as for [`Workspace::write`].
    pub fn forget_refs(&self, references: &[Ref]) -> Result<Outcome> {
        match self.forget(|view, ctx| ops::forget_refs(view, references, ctx)) {
            Ok((outcome, _)) => Ok(outcome),
            // The view of one scope does not tell what is in another one from what is nowhere.
            Err(e) if e.kind() == ErrorKind::NotFound => Err(self.current(references).err().unwrap_or(e)),
            Err(e) => Err(e),
        }
    }

    /// Returns the current lines and notes of some references, as [`Zone::forget_refs`] forgets them.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) of kind `NotFound` if one names nothing current in the zone, of kind
    /// `Refused` if what it names is in a scope that the audience does not write;
    /// [`Error::Store`](crate::Error::Store) if the index cannot be read.
    pub fn current(&self, references: &[Ref]) -> Result<Vec<Memory>> {
        let home = match self.audience == Audience::owner() {
            true => None,
            false => Some(self.home()?),
        };
        self.workspace.read(&At::head(), &self.audience, &self.author.session, |reader, point| {
            let mut named: Vec<Memory> = Vec::new();
            for reference in references {
                let mut current = Vec::new();
                for memory in reader.by_ref(reference, &self.audience, point)? {
                    if memory.form == Form::ZONE && reader.is_current(memory.id, point)? {
                        current.push(memory);
                    }
                }
                let scope = |memory: &Memory| Scope::from_label(&memory.scope).unwrap_or_default();
                let Some(elsewhere) = current.last().map(scope) else {
                    return Err(reference.not_current().with_hint(Hint::EarlierPoint).into());
                };
                current.retain(|memory| home.as_ref().is_none_or(|home| scope(memory) == *home));
                if current.is_empty() {
                    return Err(not_changeable(reference, &elsewhere).into());
                }
                current.retain(|memory| named.iter().all(|other| other.id != memory.id));
                named.extend(current);
            }
            Ok(named)
        })
    }

    /// Removes the daily notes that are older than `zone.retention_days`, and returns their number.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) as for [`Workspace::write`].
    pub fn prune(&self) -> Result<usize> {
        let days = self.workspace.config.zone.retention_days;
        Ok(self.forget(|view, ctx| ops::prune(view, days, ctx))?.0)
    }

    /// Clears the default write scope of the audience.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) as for [`Workspace::write`].
    pub fn clear(&self) -> Result<Outcome> {
        Ok(self.write(ops::clear)?.0)
    }

    /// Returns the scopes besides the default write scope in which the audience sees a part of the zone.
    ///
    /// [`Zone::forget_text`], [`Zone::forget_day`] and [`Zone::clear`] leave it there.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if the index cannot be read.
    pub fn other_scopes(&self, part: ZonePart<'_>) -> Result<Vec<Scope>> {
        Ok(ops::other_scopes(&self.view(&At::head())?.0, part))
    }

    /// Restores the default write scope of the audience to its state at a point: its long-term lines and its
    /// daily notes.
    ///
    /// Lines that did not change stay as they are. Deleted ones are created anew with their former
    /// sensitivity.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `at` does not exist, and as for [`Workspace::write`].
    pub fn restore(&self, at: &At) -> Result<Outcome> {
        let scope = self.home()?;
        let author = Author { scope: scope.clone(), ..self.author.clone() };
        let question = Question {
            audience: self.audience.clone(),
            scope: Some(scope),
            form: Some(Form::ZONE),
            ..whole_zone()
        };
        let written = self.workspace.write(&author, |reader, point, ctx| {
            let then = self.workspace.point(reader, at, &self.audience, &ctx.session)?;
            let before = reader.memories(&question, &then)?;
            let now = reader.memories(&question, point)?;
            let Restoration { changes, added, retired } = restoration(reader, &before, &now)?;
            if changes.is_empty() {
                return Ok(Decision::nothing(Outcome::Unchanged));
            }
            let closing =
                Closing { message: format!("restore the zone of @{}", then.entry()), ..Closing::default() };
            let drafts = drafts_of(reader, point, changes, closing, ctx)?;
            let version = zone_view(reader, point, &question)?.version.saturating_add(1);
            Ok(Decision { drafts, outcome: Outcome::Changed { version, added, retired } })
        })?;
        Ok(written.outcome)
    }

    /// Returns a text as it may be written: secrets are redacted, and a text that reads like an instruction
    /// to a model is refused unless the owner wrote it.
    fn admitted<'t>(&self, text: &'t str) -> Result<Cow<'t, str>> {
        self.workspace.check_length("the text", text)?;
        admit(text, &self.audience, self.author.origin)?;
        Ok(self.workspace.clean(text))
    }

    /// Writes to the default write scope of the audience; `decide` sees all of that scope.
    fn write<T>(
        &self,
        decide: impl Fn(&ZoneView, &Context) -> memtape_core::Result<Decision<T>>,
    ) -> Result<(T, Vec<Ref>)> {
        let scope = self.home()?;
        self.write_seeing(Question { scope: Some(scope), ..whole_zone() }, decide)
    }

    /// Removes memories that are selected by ref or by age: of the default write scope; for the owner, of every scope.
    fn forget<T>(
        &self,
        decide: impl Fn(&ZoneView, &Context) -> memtape_core::Result<Decision<T>>,
    ) -> Result<(T, Vec<Ref>)> {
        match self.audience == Audience::owner() {
            true => self.write_seeing(whole_zone(), decide),
            false => self.write(decide),
        }
    }

    fn write_seeing<T>(
        &self,
        seen: Question,
        decide: impl Fn(&ZoneView, &Context) -> memtape_core::Result<Decision<T>>,
    ) -> Result<(T, Vec<Ref>)> {
        let author = Author { scope: self.home()?, ..self.author.clone() };
        let question = Question { audience: self.audience.clone(), ..seen };
        let written = self
            .workspace
            .write(&author, |reader, point, ctx| Ok(decide(&zone_view(reader, point, &question)?, ctx)?))?;
        let creates =
            written.entries.iter().flat_map(|entry| memtape_core::projection::project(entry).creates);
        let refs = creates.map(|b| Ref { form: b.form, key: b.key, entry: Some(b.id.entry()) }).collect();
        Ok((written.outcome, refs))
    }
}

/// Returns the first of a number of days that end today.
fn first_day(today: Date, days: u32) -> Date {
    today.saturating_sub(i64::from(days.min(DAYS_MAX)).saturating_sub(1).days())
}

fn recent(view: &ZoneView, today: Date, days: u32) -> String {
    let long_term = view.long_term_shown();
    let long_term = (!long_term.is_empty()).then(|| format!("## Long-term Memory\n{long_term}"));
    let notes = view.recent(today, days).into_iter().map(|(date, note)| format!("### {date}\n{note}"));
    let sections: Vec<_> = long_term.into_iter().chain(notes).collect();
    match sections.is_empty() {
        true => format!("(no notes of the last {days} days)"),
        false => sections.join("\n\n"),
    }
}

/// Returns the sentence that there is no match, of the last days if they are limited.
pub(crate) fn no_matches(query: &str, days: Option<u32>) -> String {
    match days {
        None => format!("(no matches for '{query}')"),
        Some(1) => format!("(no matches for '{query}' in the last day)"),
        Some(days) => format!("(no matches for '{query}' in the last {days} days)"),
    }
}

/// Returns the lines that contain every word of a query, each with its reference, newest first; with a first day, only
/// those written on that day or later, and the notes of these days. Of equal lines in several scopes only those of the
/// newest one's scope are included. `None` if there are none.
fn lines_with(
    view: &ZoneView,
    query: &str,
    first: Option<Date>,
    zone: &TimeZone,
    limit: usize,
) -> Option<String> {
    let words: Vec<String> = query.split_whitespace().map(ops::lower).collect();
    let is_recent = |day: Date| first.is_none_or(|first| day >= first);
    let dailies = view.dailies.iter().filter(|(day, _)| is_recent(**day)).flat_map(|(_, pieces)| pieces);
    let long_term = view.long_term.iter().filter(|line| is_recent(calendar::day(line.updated_at, zone)));
    let mut items: Vec<&Item> = long_term.chain(dailies).collect();
    items.sort_by_key(|item| std::cmp::Reverse(item.id));
    let holds = |line: &str| {
        let line = ops::lower(line);
        words.iter().all(|word| line.contains(word))
    };
    let mut said: HashMap<&str, &Scope> = HashMap::new();
    let found: Vec<String> = items
        .iter()
        .flat_map(|item| item.text.lines().map(move |line| (item, line)))
        .filter(|(item, line)| holds(line) && **said.entry(line).or_insert(&item.scope) == item.scope)
        .map(|(item, line)| format!("[{}:{}] {line}", Form::ZONE, item.key))
        .collect();
    let more = found.len().saturating_sub(limit);
    match more {
        0 => (!found.is_empty()).then(|| found.join("\n")),
        _ => Some(format!("{}\n({more} more lines: raise the limit)", found[..limit].join("\n"))),
    }
}
