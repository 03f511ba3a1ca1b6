//! The log of commits, the details of one commit, and the difference between two views, as data and as text.
//!
//! **Invariant.** Everything is read through the store's questions, which limit it to an audience. Of
//! confidential memories only the reference is reported.

use memtape_core::branch::check_name;
use memtape_core::change::without_confidential_text;
use memtape_core::commit::ConflictId;
use memtape_core::forms::blocks::BlockName;
use memtape_core::{
    Audience, Change, ChangeKind, Form, Hint, Memory, MemoryId, Moment, Point, PointText, Sensitivity,
    Session,
};
use memtape_index::{CommitQuestion, FileMoved, LoggedCommit, Reader};
use memtape_tape::EntryId;

use crate::error::{Error, Result};
use crate::workspace::{At, Workspace, conversation_of};

/// The default number of commits in a log.
pub const LOG_COMMITS: usize = 20;
/// Maximum number of changes per commit in a log.
pub const LOG_CHANGES: usize = 10;
/// Number of digits of a commit id that are shown.
pub const ID_DIGITS: usize = 8;
/// Maximum length of a message, in characters.
const MESSAGE_CHARS: usize = 72;
/// Maximum number of characters of a text of several lines in one line.
const EXCERPT_CHARS: usize = 160;

/// A commit with its details.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownCommit {
    /// The commit, with all its changes.
    pub commit: LoggedCommit,
    /// The conflicts that it left open.
    pub conflicts: Vec<ShownConflict>,
}

/// A memory that a commit found changed in two ways.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownConflict {
    /// The id of the conflict.
    pub id: ConflictId,
    /// The version on the commit's branch; `None` if it had been removed there.
    pub ours: Option<Memory>,
    /// The version on the other branch; `None` if it had been removed there.
    pub theirs: Option<Memory>,
}

/// The difference between the views at two points.
#[derive(Clone, Debug, PartialEq)]
pub struct Diff {
    /// The branch and entry of the first point.
    pub from: (String, EntryId),
    /// The branch and entry of the second point.
    pub to: (String, EntryId),
    /// The change of each memory, by form and key.
    pub changes: Vec<Change>,
}

impl Diff {
    /// Returns the number of changes of a kind.
    #[must_use]
    pub fn count(&self, kind: ChangeKind) -> usize {
        self.changes.iter().filter(|change| change.kind() == kind).count()
    }
}

impl Workspace {
    /// Returns the commits up to a point of which an audience sees a part, newest first.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn log(&self, question: &CommitQuestion, at: &At) -> Result<Vec<LoggedCommit>> {
        self.log_in(question, &conversation_of(&question.audience), at)
    }

    /// Returns the log for a conversation, which decides the branch.
    pub(crate) fn log_in(
        &self,
        question: &CommitQuestion,
        session: &Session,
        at: &At,
    ) -> Result<Vec<LoggedCommit>> {
        self.read(at, &question.audience, session, |reader, point| reader.commits(question, point))
    }

    /// Returns the number of commits that [`Workspace::log`] returns without a limit.
    ///
    /// # Errors
    /// [`Error::Store`] if `at` does not exist or the index cannot be read.
    pub fn count_log(&self, question: &CommitQuestion, at: &At) -> Result<u64> {
        let session = conversation_of(&question.audience);
        self.read(at, &question.audience, &session, |reader, point| reader.count_commits(question, point))
    }

    /// Returns the commit that a text names.
    ///
    /// `@42` names the commit whose group contains entry 42. A commit id or its beginning names that commit.
    /// Any other point names the last commit up to it.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such commit of which the audience sees a part; [`Error::Store`] of
    /// kind `Invalid` if the text is no point; [`Error::Store`] if a point does not exist or the index cannot
    /// be read.
    pub fn show_commit(&self, text: &str, audience: &Audience, at: &At) -> Result<ShownCommit> {
        let asked = PointText::parse(text, self.store.now(), self.store.zone())?;
        let named = At::of(asked.clone());
        let shown =
            self.read_both([&named, at], audience, &conversation_of(audience), |reader, [named, until]| {
                let commit = match asked.moment {
                    Moment::Entry(_) | Moment::Commit(_) => {
                        reader.commit(named.entry(), audience)?.filter(|found| found.entry <= until.entry())
                    }
                    Moment::Head | Moment::At(_) => last(reader, audience, named)?,
                };
                commit.map(|commit| shown(reader, commit, audience)).transpose()
            })?;
        shown.ok_or_else(|| Error::NotFound(format!("{text} is not a commit")).with_hint(Hint::ListCommits))
    }

    /// Returns the difference between the views at two points, as far as an audience sees it.
    ///
    /// The name of a branch stands for its head.
    ///
    /// # Errors
    /// [`Error::NotFound`] if a text is neither a branch nor a point; [`Error::Store`] of kind `Invalid` if
    /// it can be neither, and if a point does not exist or the index cannot be read.
    pub fn diff(&self, from: &str, to: &str, audience: &Audience, form: Option<Form>) -> Result<Diff> {
        self.difference(&self.at_or_branch(from)?, &self.at_or_branch(to)?, audience, form)
    }

    /// Returns the difference between the views at two points, as far as an audience sees it.
    ///
    /// # Errors
    /// [`Error::Store`] if a point does not exist or the index cannot be read.
    pub fn difference(&self, from: &At, to: &At, audience: &Audience, form: Option<Form>) -> Result<Diff> {
        self.read_both([from, to], audience, &conversation_of(audience), |reader, [from, to]| {
            let branches = reader.branches()?;
            let stand = |point: &Point| {
                // The label with the entry names the branch even if another one has its name now.
                let branch = branches.iter().find(|branch| branch.name == point.branch());
                (branch.map_or(point.branch(), |branch| branch.label()).to_owned(), point.entry())
            };
            let changes = reader.difference(from, to, audience, form)?;
            Ok(Diff { from: stand(from), to: stand(to), changes })
        })
    }

    /// Parses a point; the name of a branch stands for its head.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the text is neither a branch nor a point; [`Error::Store`] of kind `Invalid` if it can be
    /// neither; [`Error::Store`] if the index cannot be read.
    pub fn at_or_branch(&self, text: &str) -> Result<At<'static>> {
        // A branch of a chat or user has a `~` in its name. The point says whether the audience knows it: one that it does
        // not know is answered like one that does not exist.
        let is_scoped = text.contains('~') && self.at(text).is_err();
        // `LABEL@ENTRY` is a point, and also the unique name of a deleted branch whose label another one has now.
        let is_name = |text: &str| self.store.read(|reader| Ok(reader.branch(text)?.is_some()));
        let is_branch = is_scoped || (!text.contains('@') && is_name(text)?);
        match is_branch {
            true => Ok(At::of(PointText { branch: Some(text.to_owned()), moment: Moment::Head })),
            false => self.at(text).map_err(|e| match check_name(text) {
                Ok(()) => Error::NotFound(format!("{text:?} is not a branch or a point")),
                Err(_) => e,
            }),
        }
    }
}

fn last(
    reader: &Reader<'_>,
    audience: &Audience,
    point: &Point,
) -> memtape_index::Result<Option<LoggedCommit>> {
    let question = CommitQuestion { audience: audience.clone(), limit: Some(1), ..CommitQuestion::default() };
    Ok(reader.commits(&question, point)?.pop())
}

fn shown(
    reader: &Reader<'_>,
    commit: LoggedCommit,
    audience: &Audience,
) -> memtape_index::Result<ShownCommit> {
    let recorded = commit.anchor.iter().flat_map(|anchor| &anchor.metadata.conflicts);
    let mut conflicts = Vec::new();
    for (n, conflict) in (0..).zip(recorded) {
        let side = |id: Option<MemoryId>| -> memtape_index::Result<Option<Memory>> {
            let Some(id) = id else { return Ok(None) };
            Ok(reader.memory(id, audience)?.map(without_confidential_text))
        };
        let id = ConflictId { commit: commit.entry, n };
        conflicts.push(ShownConflict { id, ours: side(conflict.ours)?, theirs: side(conflict.theirs)? });
    }
    Ok(ShownCommit { commit, conflicts })
}

/// Returns the name of a commit for people: the beginning of its id, and its entry.
#[must_use]
pub fn name(commit: &LoggedCommit) -> String {
    match &commit.id {
        Some(id) => format!("{} @{}", short(id), commit.entry),
        None => format!("@{}", commit.entry),
    }
}

/// Returns the beginning of a commit id.
#[must_use]
pub fn short(id: &str) -> &str {
    id.get(..ID_DIGITS).unwrap_or(id)
}

/// Returns the message of a commit in one line: the recorded one, otherwise a description of its changes.
#[must_use]
pub fn message(commit: &LoggedCommit) -> String {
    if let Some(anchor) = &commit.anchor {
        return one_line(&anchor.message);
    }
    match &commit.moved_file {
        Some(FileMoved { from, to: Some(to) }) => return format!("renamed {from} to {to}"),
        Some(FileMoved { from, to: None }) => return format!("deleted {from}"),
        None => {}
    }
    // The preamble of a note is often empty or only a computed summary, and says nothing about the change.
    let says_something = |change: &&Change| !text(change.shown()).trim().is_empty() && !change.is_upkeep();
    let Some(change) = commit.changes.iter().find(says_something).or(commit.changes.first()) else {
        return "no visible changes".to_owned();
    };
    let done = match change.kind() {
        ChangeKind::Added => "remembered",
        ChangeKind::Changed => "changed",
        ChangeKind::Retired => "forgot",
        ChangeKind::Restored => "restored",
    };
    let is_like_all = commit.changes.iter().all(|other| other.kind() == change.kind());
    let others = match commit.changes.len() + commit.more - 1 {
        0 => String::new(),
        n if is_like_all => format!(" (and {n} more)"),
        1 => " (and 1 other change)".to_owned(),
        n => format!(" (and {n} other changes)"),
    };
    let room = MESSAGE_CHARS.saturating_sub(done.len() + 2 + others.chars().count());
    let mut what = one_line(&text(change.shown()));
    if what.trim().is_empty() {
        what = change.reference().map(|reference| reference.to_string()).unwrap_or_default();
    }
    format!("{done}: {}{others}", shortened(&what, room))
}

/// Renders a change in one line: `+ REF text`, `~ REF text (was: text)` or `- REF text`.
///
/// Of texts of several lines, it has the beginning, and of a changed one the lines that changed.
#[must_use]
pub fn describe(change: &Change) -> String {
    let reference = change.reference().map(|reference| reference.to_string());
    let parts = [Some(mark(change).to_string()), reference, Some(changed_text(change)), remarks(change)];
    let parts: Vec<_> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

/// Returns the remarks about a change for one line, in brackets: the text before, and [`notes`].
pub(crate) fn remarks(change: &Change) -> Option<String> {
    let remarks: Vec<_> = previous(change).into_iter().chain(notes(change)).collect();
    (!remarks.is_empty()).then(|| format!("({})", remarks.join("; ")))
}

/// Returns the text before a change: of texts of several lines, the beginning of those that changed.
fn previous(change: &Change) -> Option<String> {
    let (Some(before), Some(after)) = (&change.before, &change.after) else { return None };
    if has_same_text(before, after) {
        return None;
    }
    let (before, after) = (text(Some(before)), text(Some(after)));
    let (removed, added) = differing_lines(&before, &after);
    Some(match (removed.trim().is_empty(), added.trim().is_empty()) {
        (true, true) => "blank lines changed".to_owned(),
        (true, false) => "added".to_owned(),
        (false, true) => format!("removed: {}", excerpt(removed)),
        _ => format!("was: {}", excerpt(removed)),
    })
}

/// Returns the new text of a change in one line: of a text of several lines, the beginning of those that changed.
#[must_use]
pub fn changed_text(change: &Change) -> String {
    let shown = text(change.shown());
    let changed = match &change.before {
        Some(before) if change.after.is_some() => differing_lines(&text(Some(before)), &shown).1.to_owned(),
        _ => shown,
    };
    excerpt(&changed)
}

/// Returns the lines of two texts between the lines with which both begin and those with which both end. Equal texts are
/// returned whole.
fn differing_lines<'a>(before: &'a str, after: &'a str) -> (&'a str, &'a str) {
    if before == after {
        return (before, after);
    }
    let same = |pairs: &mut dyn Iterator<Item = (&'a str, &'a str)>| -> usize {
        pairs.take_while(|(before, after)| before == after).map(|(line, _)| line.len()).sum()
    };
    let lines = |text: &'a str| text.split_inclusive('\n');
    let head = same(&mut lines(before).zip(lines(after)));
    let (before, after) = (&before[head..], &after[head..]);
    let tail = same(&mut lines(before).rev().zip(lines(after).rev()));
    (&before[..before.len() - tail], &after[..after.len() - tail])
}

/// Returns a text on one line: the beginning, if it has several lines.
fn excerpt(text: &str) -> String {
    let line = one_line(text);
    if text.trim().contains('\n') { shortened(&line, EXCERPT_CHARS) } else { line }
}

/// Returns `+` for an addition, `~` for a change, `-` for a removal.
#[must_use]
pub fn mark(change: &Change) -> char {
    match (&change.before, &change.after) {
        (None, _) => '+',
        (Some(_), Some(_)) => '~',
        (Some(_), None) => '-',
    }
}

/// Returns the text of a memory; for a confidential one only that it is confidential, or for which block a proposal is.
#[must_use]
pub fn text(memory: Option<&Memory>) -> String {
    let Some(memory) = memory else { return String::new() };
    if memory.sensitivity != Sensitivity::Confidential {
        return memory.text.clone();
    }
    match BlockName::of_proposed(&memory.key).filter(|_| memory.form == Form::BLOCKS) {
        Some(block) => format!("[proposal for block {block}]"),
        None => "[confidential]".to_owned(),
    }
}

/// Returns the remarks about a change besides its text: the differences in what is known about it, whether it was
/// restored, and when it ended if that is over.
#[must_use]
pub fn notes(change: &Change) -> Vec<String> {
    let mut notes = Vec::new();
    if let (Some(before), Some(after)) = (&change.before, &change.after) {
        let judged = judged(before, after);
        if has_same_text(before, after) && judged.is_empty() {
            // The data of a line or section has its place and the white space around it.
            let is_placed = matches!(after.form, Form::NOTES | Form::ZONE) && before.data != after.data;
            notes.push(if is_placed { "order or blank lines changed" } else { "unchanged" }.to_owned());
        }
        notes.extend(judged);
    }
    if change.restores {
        notes.push("restored".to_owned());
    }
    if let Some(end) = change.after.as_ref().and_then(|after| after.expires_at).filter(|_| change.has_ended) {
        notes.push(format!("ended {end}"));
    }
    notes
}

/// Returns whether two versions have the same text, as far as it is shown: that of a confidential memory may be missing. If
/// nothing else differs, it is what changed.
fn has_same_text(before: &Memory, after: &Memory) -> bool {
    let is_hidden = after.sensitivity == Sensitivity::Confidential;
    let is_same = before.text == after.text && before.sensitivity == after.sensitivity;
    is_same && !(is_hidden && judged(before, after).is_empty())
}

/// Returns the differences between two versions besides their texts.
fn judged(before: &Memory, after: &Memory) -> Vec<String> {
    let number = |number: Option<f64>| number.map_or_else(|| "unknown".to_owned(), |n| format!("{n:.2}"));
    let time = |memory: &Memory| memory.expires_at.map_or_else(|| "never".to_owned(), |at| at.to_string());
    let pairs = [
        ("confidence", number(before.confidence), number(after.confidence)),
        ("importance", number(before.importance), number(after.importance)),
        ("expires", time(before), time(after)),
    ];
    let differ = pairs.into_iter().filter(|(_, before, after)| before != after);
    differ.map(|(what, before, after)| format!("{what} {before} → {after}")).collect()
}

/// Returns a text on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a text cut to a number of characters.
pub(crate) fn shortened(text: &str, chars: usize) -> String {
    if text.chars().count() <= chars {
        return text.to_owned();
    }
    let kept: String = text.chars().take(chars.saturating_sub(3)).collect();
    kept + "..."
}
