//! Compares the clauses that are captured from messages with labelled ones.
//!
//! A candidate is right if it overlaps a labelled clause enough and has its category. Each label counts as
//! found at most once, and a candidate that lies inside a clause that was already found counts neither as
//! right nor as wrong. Only candidates within the default limits are considered.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

use memtape_capture::{Candidate, Limits, Reading, Role, read, select};
use memtape_core::category::Category;
use serde::Deserialize;

type Failure = Box<dyn std::error::Error>;

/// Minimum overlap of two clauses, as a share of the shorter and of the longer one, in characters.
const COMMON_OF_SHORTER: f64 = 0.5;
const COMMON_OF_LONGER: f64 = 0.4;

#[derive(Deserialize)]
struct Message {
    id: String,
    role: String,
    text: String,
    said_at: jiff::Timestamp,
    keep: Vec<Label>,
    trap: Option<String>,
}

#[derive(Deserialize)]
struct Label {
    category: Category,
    clause: String,
    lifetime: Option<String>,
    date: Option<jiff::civil::Date>,
}

/// Which messages are evaluated and what is printed.
pub(crate) struct Ask<'a> {
    /// The language to evaluate; `None` for all.
    pub(crate) language: Option<&'a str>,
    /// Whether to print each error.
    pub(crate) misses: bool,
    /// Evaluates only messages whose number modulo 2 is this; `None` for all.
    pub(crate) half: Option<u32>,
}

impl<'a> Ask<'a> {
    /// Parses the options of the command line.
    pub(crate) fn parse(options: &[&'a str]) -> Result<Ask<'a>, Failure> {
        let mut ask = Ask { language: None, misses: false, half: None };
        let mut options = options.iter();
        while let Some(option) = options.next() {
            let mut value = || options.next().copied().ok_or(format!("{option} needs a value"));
            match *option {
                "--misses" => ask.misses = true,
                "--language" => ask.language = Some(value()?),
                "--half" => ask.half = Some(value()?.parse()?),
                _ => return Err(format!("{option} is no option of capture").into()),
            }
        }
        Ok(ask)
    }
}

/// Counts of right, wrong and missed candidates.
#[derive(Clone, Copy, Default)]
struct Score {
    right: u32,
    wrong: u32,
    missed: u32,
}

/// All counts over a set of messages.
#[derive(Clone, Default)]
struct Sums {
    by_category: BTreeMap<Category, Score>,
    any_category: Score,
    dates: (u32, u32),
    lifetimes: (u32, u32),
}

/// Evaluates the labelled messages in a directory, and prints precision and recall. Returns both over all
/// categories.
pub(crate) fn run(folder: &Path, ask: &Ask<'_>) -> Result<(f64, f64), Failure> {
    let mut files: Vec<_> = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    files.sort_by_key(fs::DirEntry::path);
    let mut all = Sums::default();
    for file in files {
        let path = file.path();
        let language = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_none_or(|end| end != "jsonl")
            || ask.language.is_some_and(|one| one != language)
        {
            continue;
        }
        let mut sums = Sums::default();
        for line in fs::read_to_string(&path)?.lines() {
            let message: Message = serde_json::from_str(line)?;
            if ask.half.is_none_or(|half| number(&message.id) % 2 == half) {
                sums.add(&message, ask.misses);
            }
        }
        sums.print(&language);
        all.merge(&sums);
    }
    if ask.language.is_none() {
        all.print("all");
    }
    let total = all.total();
    Ok((total.share(total.wrong), total.share(total.missed)))
}

fn number(id: &str) -> u32 {
    id.rsplit('-').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

impl Sums {
    fn add(&mut self, message: &Message, misses: bool) {
        let role = if message.role == "assistant" { Role::Assistant } else { Role::User };
        let said_on = message.said_at.to_zoned(jiff::tz::TimeZone::UTC).date();
        let reading = select(read(&message.text, role, said_on), &Limits::default());
        let spans: Vec<Range<usize>> = message.keep.iter().map(|label| label.span(&message.text)).collect();

        let strict = pair(&reading.candidates, message, &spans, true);
        for (candidate, fate) in reading.candidates.iter().zip(&strict.fates) {
            let score = self.by_category.entry(candidate.category).or_default();
            match *fate {
                Fate::Right(label) => {
                    score.right += 1;
                    self.agree(candidate, &message.keep[label], misses, &message.id);
                }
                Fate::Wrong => {
                    score.wrong += 1;
                    if misses {
                        print_wrong(message, candidate);
                    }
                }
                Fate::Neither => {}
            }
        }
        for (label, found) in message.keep.iter().zip(&strict.found) {
            if !found {
                self.by_category.entry(label.category).or_default().missed += 1;
                if misses {
                    print_missed(message, label, &reading);
                }
            }
        }
        let loose = pair(&reading.candidates, message, &spans, false);
        let count =
            |is: fn(&Fate) -> bool| loose.fates.iter().filter(|fate| is(fate)).map(|_| 1).sum::<u32>();
        self.any_category.right += count(|fate| matches!(fate, Fate::Right(_)));
        self.any_category.wrong += count(|fate| matches!(fate, Fate::Wrong));
        self.any_category.missed += loose.found.iter().filter(|found| !**found).map(|_| 1).sum::<u32>();
    }

    fn agree(&mut self, candidate: &Candidate, label: &Label, misses: bool, id: &str) {
        let session = label.lifetime.as_deref() == Some("session");
        for (counts, same, matters) in [
            (&mut self.dates, candidate.date == label.date, candidate.date.is_some() || label.date.is_some()),
            (&mut self.lifetimes, candidate.session_only == session, candidate.session_only || session),
        ] {
            if matters {
                counts.0 += u32::from(same);
                counts.1 += 1;
                if misses && !same {
                    println!(
                        "  {id} other date or lifetime: {} (want {:?} {:?})",
                        candidate.text, label.date, label.lifetime
                    );
                }
            }
        }
    }

    fn merge(&mut self, other: &Sums) {
        for (category, score) in &other.by_category {
            self.by_category.entry(*category).or_default().merge(*score);
        }
        self.any_category.merge(other.any_category);
        for (mine, theirs) in [(&mut self.dates, other.dates), (&mut self.lifetimes, other.lifetimes)] {
            mine.0 += theirs.0;
            mine.1 += theirs.1;
        }
    }

    fn total(&self) -> Score {
        let mut total = Score::default();
        for score in self.by_category.values() {
            total.merge(*score);
        }
        total
    }

    fn print(&self, what: &str) {
        for (category, score) in &self.by_category {
            score.print(what, category.as_str());
        }
        self.total().print(what, "all");
        self.any_category.print(what, "in any category");
        println!(
            "{what:8}  dates that agree {}/{}, lifetimes {}/{}",
            self.dates.0, self.dates.1, self.lifetimes.0, self.lifetimes.1
        );
    }
}

impl Score {
    fn merge(&mut self, other: Score) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.missed += other.missed;
    }

    /// Returns the right ones as a share of the right ones and `other` ones.
    fn share(self, other: u32) -> f64 {
        f64::from(self.right) / f64::from((self.right + other).max(1))
    }

    fn print(self, language: &str, what: &str) {
        println!(
            "{language:8}  {what:15}  precision {:.3}   recall {:.3}   right {:4}   false {:4}   not found {:4}",
            self.share(self.wrong),
            self.share(self.missed),
            self.right,
            self.wrong,
            self.missed
        );
    }
}

impl Label {
    fn span(&self, text: &str) -> Range<usize> {
        let start = text.find(&self.clause).unwrap_or(text.len());
        start..(start + self.clause.len()).min(text.len())
    }
}

/// The verdict on a candidate. `Right` holds the index of its label.
#[derive(Clone, Copy)]
enum Fate {
    Right(usize),
    Wrong,
    Neither,
}

struct Pairs {
    fates: Vec<Fate>,
    found: Vec<bool>,
}

/// Assigns each candidate to the first unassigned label that matches. `strict` also compares the category.
fn pair(candidates: &[Candidate], message: &Message, spans: &[Range<usize>], strict: bool) -> Pairs {
    let mut found = vec![false; spans.len()];
    let mut fates: Vec<Fate> = Vec::new();
    for candidate in candidates {
        let is_found = |label: usize| {
            let same = !strict || candidate.category == message.keep[label].category;
            same && overlaps(&message.text, &candidate.span, &spans[label])
        };
        let label = (0..spans.len()).find(|&label| !found[label] && is_found(label));
        fates.push(label.map_or(Fate::Wrong, Fate::Right));
        if let Some(label) = label {
            found[label] = true;
        }
    }
    for (fate, candidate) in fates.iter_mut().zip(candidates) {
        let inside =
            |span: &Range<usize>| span.start <= candidate.span.start && candidate.span.end <= span.end;
        if matches!(fate, Fate::Wrong) && spans.iter().zip(&found).any(|(span, found)| *found && inside(span))
        {
            *fate = Fate::Neither;
        }
    }
    Pairs { fates, found }
}

fn overlaps(text: &str, a: &Range<usize>, b: &Range<usize>) -> bool {
    let length = |range: Range<usize>| {
        let chars = if range.is_empty() { 0 } else { text[range].chars().count() };
        f64::from(u32::try_from(chars).unwrap_or(u32::MAX))
    };
    let common = length(a.start.max(b.start)..a.end.min(b.end));
    let (one, other) = (length(a.clone()), length(b.clone()));
    common > 0.0
        && common >= COMMON_OF_SHORTER * one.min(other)
        && common >= COMMON_OF_LONGER * one.max(other)
}

fn print_wrong(message: &Message, candidate: &Candidate) {
    let wanted: Vec<String> =
        message.keep.iter().map(|label| format!("{}: {}", label.category, label.clause)).collect();
    println!(
        "- {} FALSE {} [{} {}] {:?}\n      trap {}; wanted {:?}; of {:?}",
        message.id,
        candidate.category,
        candidate.language,
        candidate.rule,
        candidate.text,
        message.trap.as_deref().unwrap_or("-"),
        wanted,
        message.text
    );
}

fn print_missed(message: &Message, label: &Label, reading: &Reading) {
    println!("+ {} NOT FOUND {} {:?}", message.id, label.category, label.clause);
    for dropped in &reading.dropped {
        println!("      dropped {:?} {}: {:?}", dropped.why, dropped.rule, dropped.text);
    }
    if label.clause.len() * 2 < message.text.len() || !reading.dropped.is_empty() {
        println!("      of {:?}", message.text);
    }
}
