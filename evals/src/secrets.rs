//! Measures the secret detector: recall on texts with secrets, and false positives on look-alikes.
//!
//! A text with secrets counts as found if none of its labeled values remains in the redacted text. A
//! look-alike counts as a false positive if anything in it is redacted.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use memtape_core::safety::secrets::model::Weights;
use memtape_core::safety::secrets::{Found, find_by, redact_by};
use serde::Deserialize;

mod frames;
mod train;

pub(crate) use frames::Dice;
use train::{FRAMES, Values};

type Failure = Box<dyn std::error::Error>;

/// The path of the weights of the detector.
const WEIGHTS: &str = "crates/core/src/safety/secrets/weights.bin";

/// Number of groups with failures that are printed.
const WORST: usize = 12;

#[derive(Deserialize)]
struct Text {
    text: String,
    secrets: Vec<String>,
    lang: String,
    kind: String,
}

/// The files to read, and what to do with them.
pub(crate) struct Ask {
    files: Vec<PathBuf>,
    show: bool,
    /// Whether to train on all files and write the weights.
    train: bool,
    /// Whether to measure each file with weights trained on the other files (leave-one-out).
    leave_out: bool,
}

impl Ask {
    /// Parses options and paths. Without a path, reads the `.jsonl` files of `folder`.
    pub(crate) fn parse(options: &[&str], folder: &Path) -> Result<Ask, Failure> {
        let mut ask = Ask { files: Vec::new(), show: false, train: false, leave_out: false };
        for option in options {
            match *option {
                "--show" => ask.show = true,
                "--train" => ask.train = true,
                "--leave-out" => ask.leave_out = true,
                unknown if unknown.starts_with('-') => {
                    return Err(format!("unknown option of secrets: {unknown}").into());
                }
                file => ask.files.push(file.into()),
            }
        }
        if ask.files.is_empty() {
            let files = fs::read_dir(folder)?.map(|file| file.map(|file| file.path()));
            ask.files = files.collect::<Result<_, _>>()?;
            ask.files.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
            ask.files.sort();
        }
        Ok(ask)
    }
}

/// Counts of texts and values.
#[derive(Clone, Copy, Default)]
pub(crate) struct Score {
    /// Texts with secrets, and those of them in which every value is redacted.
    with_secrets: u32,
    found: u32,
    values: u32,
    values_gone: u32,
    look_alikes: u32,
    false_ones: u32,
    /// Bytes outside all values in texts with secrets, and how many of them are redacted.
    other_bytes: usize,
    other_redacted: usize,
}

/// Prints recall and false positives for each file and for all files. Returns the figures for all files.
pub(crate) fn run(ask: &Ask) -> Result<Score, Failure> {
    let mut all = Score::default();
    let mut groups: BTreeMap<String, Score> = BTreeMap::new();
    let texts: Vec<Vec<Text>> = ask.files.iter().map(|file| read(file)).collect::<Result<_, _>>()?;
    let values = if ask.train || ask.leave_out { read_values(&texts) } else { Vec::new() };
    let made: Vec<Values> = match values.as_slice() {
        [] => Vec::new(),
        _ => frames::texts(FRAMES.1).iter().map(|text| Values::of(text, FRAMES.0)).collect(),
    };
    if ask.train {
        let weights = train::learn(values.iter().flatten().chain(&made));
        println!("{WEIGHTS}: {} bytes", weights.len());
        fs::write(WEIGHTS, weights)?;
        return Ok(all);
    }
    for (index, file) in ask.files.iter().enumerate() {
        let learned;
        let weights = if ask.leave_out {
            let others = values.iter().enumerate().filter(|(other, _)| *other != index);
            learned = Weights::read(train::learn(others.flat_map(|(_, values)| values).chain(&made)));
            &learned
        } else {
            Weights::learned()
        };
        let mut of_file = Score::default();
        for text in &texts[index] {
            let score = text.score(weights);
            if ask.show && score.failures() > 0 {
                text.show(weights);
            }
            for group in [format!("language {}", text.lang), format!("kind {}", text.kind)] {
                groups.entry(group).or_default().merge(score);
            }
            of_file.merge(score);
        }
        println!("{:22}  {of_file}", file.file_stem().unwrap_or_default().to_string_lossy());
        all.merge(of_file);
    }
    println!("{:22}  {all}", "all");
    let mut groups: Vec<_> = groups.into_iter().filter(|(_, score)| score.failures() > 0).collect();
    groups.sort_by_key(|(_, score)| std::cmp::Reverse(score.failures()));
    for (group, score) in groups.iter().take(WORST) {
        println!(
            "  {group:20}  not found {}/{}, false {}/{}",
            score.with_secrets - score.found,
            score.with_secrets,
            score.false_ones,
            score.look_alikes
        );
    }
    Ok(all)
}

/// Reads the candidates of the texts of each file.
fn read_values(texts: &[Vec<Text>]) -> Vec<Vec<Values>> {
    texts.iter().map(|texts| texts.iter().map(|text| Values::of(text, 1.0)).collect()).collect()
}

fn read(file: &Path) -> Result<Vec<Text>, Failure> {
    let lines = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    lines.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

impl Text {
    fn score(&self, weights: &Weights) -> Score {
        let redacted = redact_by(&self.text, weights);
        if self.secrets.is_empty() {
            let is_false = u32::from(redacted != self.text.as_str());
            return Score { look_alikes: 1, false_ones: is_false, ..Score::default() };
        }
        let gone = self.secrets.iter().filter(|value| !redacted.contains(value.as_str())).count();
        let values: usize = self.secrets.iter().map(String::len).sum();
        let taken: usize = find_by(&self.text, weights).iter().map(|found: &Found| found.range.len()).sum();
        Score {
            with_secrets: 1,
            found: u32::from(gone == self.secrets.len()),
            values: count(self.secrets.len()),
            values_gone: count(gone),
            other_bytes: self.text.len().saturating_sub(values),
            other_redacted: taken.saturating_sub(values),
            ..Score::default()
        }
    }

    fn show(&self, weights: &Weights) {
        let kind = if self.secrets.is_empty() { "FALSE" } else { "NOT FOUND" };
        println!("- {kind} [{} {}] {:?}", self.lang, self.kind, self.text);
        let redacted = redact_by(&self.text, weights);
        println!("      became {redacted:?}");
        for value in self.secrets.iter().filter(|value| redacted.contains(value.as_str())) {
            println!("      left {value:?}");
        }
    }
}

fn count(many: usize) -> u32 {
    u32::try_from(many).unwrap_or(u32::MAX)
}

impl Score {
    fn merge(&mut self, other: Score) {
        self.with_secrets += other.with_secrets;
        self.found += other.found;
        self.values += other.values;
        self.values_gone += other.values_gone;
        self.look_alikes += other.look_alikes;
        self.false_ones += other.false_ones;
        self.other_bytes += other.other_bytes;
        self.other_redacted += other.other_redacted;
    }

    fn failures(&self) -> u32 {
        self.with_secrets - self.found + self.false_ones
    }

    /// Returns the share of texts with secrets in which every value is redacted.
    pub(crate) fn recall(&self) -> f64 {
        f64::from(self.found) / f64::from(self.with_secrets.max(1))
    }

    /// Returns the share of look-alikes in which something is redacted.
    pub(crate) fn false_share(&self) -> f64 {
        f64::from(self.false_ones) / f64::from(self.look_alikes.max(1))
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[allow(clippy::cast_precision_loss, reason = "texts are short")]
        let beside = self.other_redacted as f64 / self.other_bytes.max(1) as f64;
        write!(
            f,
            "recall {:.3} ({}/{})   values gone {:.3} ({}/{})   false {:.3} ({}/{})   redacted beside values {beside:.3}",
            self.recall(),
            self.found,
            self.with_secrets,
            f64::from(self.values_gone) / f64::from(self.values.max(1)),
            self.values_gone,
            self.values,
            self.false_share(),
            self.false_ones,
            self.look_alikes,
        )
    }
}
