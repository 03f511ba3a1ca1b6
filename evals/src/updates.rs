//! Facts that changed, and facts that only look changed: whether the newest truth comes first, and whether what still
//! holds is left alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use memtape::{Added, At, Audience, Category, Clock, Hit, Options, Recall, Session, Workspace};
use serde::Deserialize;

use crate::Failure;
use crate::sets::{self, Part};

mod frames;
mod train;

pub(crate) use train::train;

/// The days from the last statement of all to the question.
const ASKED_AFTER: i64 = 30;

/// Two statements of one person, and the question that somebody asks later.
#[derive(Deserialize)]
struct Case {
    lang: String,
    older: Dated,
    newer: Dated,
    changed: bool,
    question: String,
    past_question: Option<String>,
    answer: Side,
    others: Vec<String>,
}

#[derive(Deserialize)]
struct Dated {
    text: String,
    said_at: Date,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Side {
    Older,
    Newer,
}

/// The current time of a workspace, as statements are added to it.
#[derive(Clone, Default)]
struct Now(Arc<Mutex<Timestamp>>);

impl Now {
    fn set(&self, now: Timestamp) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }
}

impl Clock for Now {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts of questions.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts {
    /// Changed facts; those whose newer statement comes before the older one; those whose newer statement is the
    /// first hit.
    changed: (u32, u32, u32),
    /// Facts that only look changed, and those whose answer comes before the other statement.
    alike: (u32, u32),
    /// Questions about the past, and those whose older statement comes before the newer one.
    past: (u32, u32),
    /// Older statements of changed facts that are marked as earlier, and other statements that are.
    marked: (u32, u32),
}

impl Counts {
    /// Returns the share of changed facts whose newer statement comes before the older one.
    pub(crate) fn newer_share(self) -> f64 {
        share(self.changed.0, self.changed.1)
    }

    /// Returns the share of facts that only look changed whose answer comes first.
    pub(crate) fn alike_share(self) -> f64 {
        share(self.alike.0, self.alike.1)
    }

    fn add(&mut self, other: Counts) {
        self.changed.0 += other.changed.0;
        self.changed.1 += other.changed.1;
        self.changed.2 += other.changed.2;
        self.alike.0 += other.alike.0;
        self.alike.1 += other.alike.1;
        self.past.0 += other.past.0;
        self.past.1 += other.past.1;
        self.marked.0 += other.marked.0;
        self.marked.1 += other.marked.1;
    }

    fn print(self, what: &str) {
        println!(
            "{what:8}  changed {:4}: newer before older {:.3}, first of all {:.3}   look-alikes {:4}: answer before the other {:.3}   past {:3}: older before newer {:.3}   marked {:.3} of the changed, {} wrongly",
            self.changed.0,
            self.newer_share(),
            share(self.changed.0, self.changed.2),
            self.alike.0,
            self.alike_share(),
            self.past.0,
            share(self.past.0, self.past.1),
            share(self.changed.0, self.marked.0),
            self.marked.1,
        );
    }
}

fn share(all: u32, some: u32) -> f64 {
    f64::from(some) / f64::from(all.max(1))
}

/// Asks the questions of a part, and prints what comes first.
pub(crate) fn run(folder: &Path, part: Part) -> Result<Counts, Failure> {
    let mut all = Counts::default();
    for path in sets::files(folder, part)? {
        all.add(run_file(&path)?);
    }
    all.print("all");
    Ok(all)
}

/// Asks the questions of a file, and prints what comes first.
pub(crate) fn run_file(path: &Path) -> Result<Counts, Failure> {
    let mut all = Counts::default();
    let mut languages: BTreeMap<&str, Counts> = BTreeMap::new();
    let cases = read(path)?;
    for (case, counts) in cases.iter().zip(ask(&cases)?) {
        languages.entry(&case.lang).or_default().add(counts);
        all.add(counts);
    }
    println!("{}", path.file_stem().unwrap_or_default().to_string_lossy());
    for (language, counts) in languages {
        counts.print(language);
    }
    Ok(all)
}

/// Reads the cases of a file.
fn read(path: &Path) -> Result<Vec<Case>, Failure> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

/// Asks the questions of each case in a chat of its own, whose statements were added on their days.
fn ask(cases: &[Case]) -> Result<Vec<Counts>, Failure> {
    let dir = tempfile::tempdir()?;
    let now = Now::default();
    let workspace =
        Workspace::init(dir.path(), Options { clock: Box::new(now.clone()), ..Options::default() })?;
    let mut statements: Vec<(Timestamp, usize, &str)> = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        statements.extend(case.statements()?.into_iter().map(|(day, text)| (day, index, text)));
    }
    statements.sort_by_key(|(day, index, _)| (*day, *index));
    let sessions: Vec<Session> = (0..cases.len())
        .map(|index| Session::parse(&format!("updates:{index}")))
        .collect::<Result<_, _>>()?;
    for (day, index, text) in &statements {
        now.set(*day);
        let chat = workspace.statements().for_audience(Audience::of_chat(&sessions[*index]));
        chat.add(&Added::new(text, Category::Fact))?;
    }
    workspace.make_vectors(|_, _| {})?;
    let last = statements.last().map_or(Timestamp::UNIX_EPOCH, |(day, ..)| *day);
    now.set(last + SignedDuration::from_hours(24 * ASKED_AFTER));
    cases.iter().zip(&sessions).map(|(case, session)| case.ask(&workspace, session)).collect()
}

impl Case {
    /// Returns the statements with the instants at which they were made. The others come before, between and after the
    /// two.
    fn statements(&self) -> Result<Vec<(Timestamp, &str)>, Failure> {
        let noon = |date: Date| Ok::<_, Failure>(date.at(12, 0, 0, 0).to_zoned(TimeZone::UTC)?.timestamp());
        let (older, newer) = (noon(self.older.said_at)?, noon(self.newer.said_at)?);
        let between = older + newer.duration_since(older) / 2;
        let week = SignedDuration::from_hours(24 * 7);
        let days = [older - week, between, newer + week];
        let others = self.others.iter().zip(days).map(|(text, day)| (day, &**text));
        Ok(others.chain([(older, &*self.older.text), (newer, &*self.newer.text)]).collect())
    }

    fn ask(&self, workspace: &Workspace, session: &Session) -> Result<Counts, Failure> {
        let mut counts = Counts::default();
        let recalled = |question: &str| -> Result<Vec<Hit>, Failure> {
            let recall = Recall { audience: Audience::of_chat(session), ..Recall::new(question) };
            Ok(workspace.recall(&recall, &At::head())?.hits)
        };
        let place = |hits: &[Hit], text: &str| {
            hits.iter().position(|hit| hit.memory.text == text.trim()).unwrap_or(usize::MAX)
        };
        let hits = recalled(&self.question)?;
        let (older, newer) = (place(&hits, &self.older.text), place(&hits, &self.newer.text));
        for hit in hits.iter().filter(|hit| hit.is_earlier()) {
            let is_right = self.changed && hit.memory.text == self.older.text.trim();
            counts.marked.0 += u32::from(is_right);
            counts.marked.1 += u32::from(!is_right);
        }
        if self.changed {
            counts.changed = (1, u32::from(newer < older), u32::from(newer == 0));
        } else {
            counts.alike = (1, u32::from((newer < older) == (self.answer == Side::Newer)));
        }
        if let Some(question) = &self.past_question {
            let hits = recalled(question)?;
            let is_right = place(&hits, &self.older.text) < place(&hits, &self.newer.text);
            counts.past = (1, u32::from(is_right));
        }
        Ok(counts)
    }
}
