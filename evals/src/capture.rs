//! Compares the clauses that are captured from messages with labelled ones.
//!
//! A candidate is right if it overlaps a labelled clause enough and has its category. Each label counts as
//! found at most once, and a candidate that lies inside a clause that was already found counts neither as
//! right nor as wrong. Only candidates within the default limits are considered. The calibration error is the mean
//! distance between confidence and the share of right candidates of any category, over ten bins of confidence.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

use memtape_capture::training::{Example, Trained};
use memtape_capture::{Candidate, Limits, Reading, Role, read, select};
use memtape_core::category::Category;
use serde::Deserialize;

use crate::Failure;
use crate::encoder::Bundled;
use crate::sets::{self, Part};

/// Minimum overlap of two clauses, as a share of the shorter and of the longer one, in characters.
const COMMON_OF_SHORTER: f64 = 0.5;
const COMMON_OF_LONGER: f64 = 0.4;

/// A labelled message.
#[derive(Clone, Deserialize)]
pub(crate) struct Message {
    pub(crate) id: String,
    pub(crate) role: String,
    pub(crate) text: String,
    pub(crate) said_at: jiff::Timestamp,
    pub(crate) keep: Vec<Label>,
    pub(crate) trap: Option<String>,
}

/// A statement that is to be kept.
#[derive(Clone, Deserialize)]
pub(crate) struct Label {
    category: Category,
    /// A part of the text, to the letter.
    pub(crate) clause: String,
    lifetime: Option<String>,
    date: Option<jiff::civil::Date>,
}

impl Message {
    fn role(&self) -> Role {
        if self.role == "assistant" { Role::Assistant } else { Role::User }
    }

    /// Returns the message as an example to learn from.
    pub(crate) fn example(&self) -> Example<'_> {
        let keep = self.keep.iter().map(|label| (label.span(&self.text), label.category)).collect();
        Example { text: &self.text, keep }
    }
}

/// Which messages are evaluated and what is printed.
pub(crate) struct Ask<'a> {
    /// The part of the set.
    pub(crate) part: Part,
    /// The language to evaluate, as the first two letters of a file; `None` for all.
    pub(crate) language: Option<&'a str>,
    /// Whether to print each error.
    pub(crate) misses: bool,
    /// A file of weights to read the messages with; `None` for the bundled ones.
    pub(crate) weights: Option<&'a str>,
}

impl<'a> Ask<'a> {
    /// Parses the options of the command line.
    pub(crate) fn parse(options: &[&'a str]) -> Result<Ask<'a>, Failure> {
        let mut ask = Ask { part: Part::Dev, language: None, misses: false, weights: None };
        let mut options = options.iter();
        while let Some(option) = options.next() {
            match *option {
                "--misses" => ask.misses = true,
                "--language" => {
                    ask.language = Some(options.next().copied().ok_or("--language needs a value")?);
                }
                "--weights" => ask.weights = Some(options.next().copied().ok_or("--weights needs a file")?),
                part => ask.part = Part::parse(part)?,
            }
        }
        Ok(ask)
    }
}

/// Reads the messages of a part, by language.
pub(crate) fn messages(folder: &Path, part: Part) -> Result<BTreeMap<String, Vec<Message>>, Failure> {
    let mut languages: BTreeMap<String, Vec<Message>> = BTreeMap::new();
    for path in sets::files(folder, part)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let messages = languages.entry(name.chars().take(2).collect()).or_default();
        for line in fs::read_to_string(&path)?.lines() {
            messages
                .push(serde_json::from_str(line).map_err(|e| format!("{}: {e}: {line}", path.display()))?);
        }
    }
    Ok(languages)
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
    /// For each tenth of confidence, the number of candidates, the sum of their confidences, and the right ones.
    bins: [(f64, f64, f64); 10],
}

/// Evaluates the labelled messages of a part, and prints precision and recall. Returns both over all categories.
pub(crate) fn run(folder: &Path, ask: &Ask<'_>) -> Result<(f64, f64), Failure> {
    let mut all = Sums::default();
    let weights = ask.weights.map(trained).transpose()?;
    for (language, messages) in messages(folder, ask.part)? {
        if ask.language.is_some_and(|one| one != language) {
            continue;
        }
        let mut sums = Sums::default();
        messages.iter().for_each(|message| sums.add(message, weights.as_ref(), ask.misses));
        sums.print(&language);
        all.merge(&sums);
    }
    if ask.language.is_none() {
        all.print("all");
    }
    let total = all.total();
    Ok((total.share(total.wrong), total.share(total.missed)))
}

/// Reads a file of weights, which `train-capture` wrote.
fn trained(path: &str) -> Result<Trained, Failure> {
    let file = fs::read(path).map_err(|e| format!("{path}: {e}"))?;
    Trained::of(&file).ok_or_else(|| format!("{path}: not a file of weights").into())
}

impl Sums {
    fn add(&mut self, message: &Message, weights: Option<&Trained>, misses: bool) {
        let said_on = message.said_at.to_zoned(jiff::tz::TimeZone::UTC).date();
        let (text, role) = (&*message.text, message.role());
        let reading = match weights {
            Some(weights) => weights.read(text, role, said_on, &Bundled),
            None => read(text, role, said_on, &Bundled),
        };
        let reading = select(reading, &Limits::default());
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
        for (candidate, fate) in reading.candidates.iter().zip(&loose.fates) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is from 0 to 9")]
            let bin = &mut self.bins[((candidate.confidence * 10.0) as usize).min(9)];
            bin.0 += 1.0;
            bin.1 += candidate.confidence;
            bin.2 += f64::from(u8::from(!matches!(fate, Fate::Wrong)));
        }
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
        for (mine, theirs) in self.bins.iter_mut().zip(other.bins) {
            *mine = (mine.0 + theirs.0, mine.1 + theirs.1, mine.2 + theirs.2);
        }
        for (mine, theirs) in [(&mut self.dates, other.dates), (&mut self.lifetimes, other.lifetimes)] {
            mine.0 += theirs.0;
            mine.1 += theirs.1;
        }
    }

    fn calibration_error(&self) -> f64 {
        let count: f64 = self.bins.iter().map(|bin| bin.0).sum();
        self.bins.iter().map(|(_, confidence, right)| (confidence - right).abs()).sum::<f64>()
            / count.max(1.0)
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
            "{what:8}  dates that agree {}/{}, lifetimes {}/{}, calibration error {:.3}",
            self.dates.0,
            self.dates.1,
            self.lifetimes.0,
            self.lifetimes.1,
            self.calibration_error()
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
        "- {} FALSE {} [{}] {:?}\n      trap {}; wanted {:?}; of {:?}",
        message.id,
        candidate.category,
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
