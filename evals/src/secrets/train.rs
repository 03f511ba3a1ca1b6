//! Learns the network of the detector from texts, and measures by texts of a hand that was left out.

use std::collections::HashMap;
use std::ops::Range;

use memtape_core::safety::secrets::find_by;
use memtape_core::safety::secrets::model::{Weights, examples};

use super::Text;
use super::frames::Dice;

/// How often all values are gone through.
const ROUNDS: usize = 14;
/// The size of a step.
const PACE: f32 = 0.08;
/// How much of each weight is kept in a step.
const COST: f32 = 2e-5;
/// How many values need a feature for it to be learned.
const VALUES_MIN: u32 = 3;
/// Of so many features one is left out in a step.
const DROPPED: usize = 5;

/// A text that was read: what is found without the network, the values that it judges, and the secrets.
pub(super) struct Read {
    pub(super) exact: Vec<Range<usize>>,
    pub(super) examples: Vec<Example>,
    /// Where each secret stands.
    pub(super) secrets: Vec<Vec<Range<usize>>>,
    pub(super) is_look_alike: bool,
}

/// A value, what speaks for and against it, whether it is a secret, and how much it counts.
pub(super) struct Example {
    pub(super) range: Range<usize>,
    features: Vec<u32>,
    pub(super) is_secret: bool,
    counts: f32,
}

pub(super) fn touches(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

impl Read {
    pub(super) fn new(text: &Text) -> Read {
        let exact: Vec<_> = find_by(&text.text, &Weights::default()).into_iter().map(|found| found.range).collect();
        let places = |secret: &String| text.text.match_indices(secret.as_str()).map(|(at, _)| at..at + secret.len()).collect();
        let secrets: Vec<Vec<Range<usize>>> = text.secrets.iter().map(places).collect();
        let is_look_alike = secrets.is_empty();
        let mut judged = Vec::new();
        for (range, features) in examples(&text.text) {
            if exact.iter().any(|known| touches(known, &range)) {
                continue;
            }
            let (mut is_secret, mut is_cut, mut beside) = (false, false, false);
            for place in secrets.iter().flatten().filter(|place| touches(place, &range)) {
                let more = place.start.saturating_sub(range.start) + range.end.saturating_sub(place.end);
                let less = range.start.saturating_sub(place.start) + place.end.saturating_sub(range.end);
                is_secret |= more <= 2 && less <= 1;
                is_cut |= less > 1;
                beside |= more > 2;
            }
            if is_secret || !is_cut || beside {
                let counts = if is_secret { 1.0 } else if beside { env("BW", 0.5) } else if is_look_alike { 1.0 } else { 0.6 };
                judged.push(Example { range, features, is_secret, counts });
            }
        }
        Read { exact, examples: judged, secrets, is_look_alike }
    }

    pub(super) fn weigh(&mut self, by: f32) {
        for example in &mut self.examples { example.counts *= by; }
    }

    /// Tells whether no secret is left, or in a look-alike whether anything is redacted.
    pub(super) fn outcome(&self, scores: &[f32], least: f32) -> bool {
        let taken: Vec<&Range<usize>> = self.exact.iter().chain(
            self.examples.iter().zip(scores).filter(|(_, score)| **score > least).map(|(example, _)| &example.range)).collect();
        if self.is_look_alike {
            return !taken.is_empty();
        }
        self.secrets.iter().flatten().all(|place| taken.iter().any(|range| touches(range, place)))
    }
}

pub(super) fn env(name: &str, d: f32) -> f32 { std::env::var(name).ok().and_then(|c| c.parse().ok()).unwrap_or(d) }

/// Returns a text in which each secret is another one of its kind.
fn swapped(text: &Text, dice: &mut Dice) -> Text {
    let mut swapped = text.text.clone();
    let mut secrets = Vec::new();
    for secret in &text.secrets {
        let is_number = secret.bytes().all(|b| b.is_ascii_digit() || b" -#*.".contains(&b));
        let is_word = secret.chars().all(char::is_alphabetic);
        let other: String = if !secret.is_ascii() || secret.len() > 40 || secret.split_whitespace().count() > 2 && !is_number {
            secret.clone()
        } else if !is_number && secret.len() <= 24 && dice.roll(3) == 0 {
            dice.password()
        } else {
            let mut is_first = true;
            secret.chars().map(|c| {
                let of = match c {
                    '0'..='9' => "0123456789",
                    'a'..='z' if is_word || secret.len() < 20 => if "aeiou".contains(c) { "aeiou" } else { "bcdfghklmnprstvwz" },
                    'a'..='z' => "abcdefghijklmnopqrstuvwxyz",
                    'A'..='Z' => "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
                    c => return c,
                };
                let is_kept = c == '0' && is_first;
                is_first = false;
                if is_kept { c } else { of.as_bytes()[dice.roll(of.len())] as char }
            }).collect()
        };
        swapped = swapped.replace(secret.as_str(), &other);
        secrets.push(other);
    }
    secrets.retain(|secret| swapped.contains(secret.as_str()));
    Text { text: swapped, secrets, lang: String::new(), kind: String::new() }
}

/// Returns copies of texts with other secrets.
pub(super) fn copies(texts: &[Text], seed: u64) -> Vec<Read> {
    let mut dice = Dice(seed);
    texts.iter().filter(|text| !text.secrets.is_empty()).map(|text| {
        let mut read = Read::new(&swapped(text, &mut dice));
        for example in &mut read.examples { example.counts *= env("CW", 0.5); }
        read
    }).filter(|read| !read.is_look_alike).collect()
}

/// Learns weights from texts: the same ones from the same texts.
pub(super) fn learn<'t>(texts: impl Iterator<Item = &'t Read>, seeds: u64) -> Weights {
    let texts: Vec<&Read> = texts.collect();
    let all: Vec<&Example> = texts.iter().flat_map(|text| &text.examples).collect();
    let rounds = env("ROUNDS", ROUNDS as f32) as usize;
    let pace = env("PACE", PACE);
    let cost = env("COST", COST);
    let l1 = env("L1", 0.0);
    let min = env("MIN", VALUES_MIN as f32) as u32;
    let dropped = env("DROP", DROPPED as f32) as usize;
    let mut counts: HashMap<u32, u32> = HashMap::new();
    for text in &texts {
        let mut of_text: Vec<u32> = text.examples.iter().flat_map(|example| &example.features).copied().collect();
        of_text.sort_unstable();
        of_text.dedup();
        for feature in of_text {
            *counts.entry(feature).or_default() += 1;
        }
    }
    let mut known: Vec<u32> = counts.into_iter().filter(|(_, count)| *count >= min).map(|(key, _)| key).collect();
    known.sort_unstable();
    let index: HashMap<u32, usize> = known.iter().enumerate().map(|(at, key)| (*key, at)).collect();
    let rows: Vec<(Vec<usize>, f32, f32)> = all.iter().map(|example| {
        let row = example.features.iter().filter_map(|feature| index.get(feature).copied()).collect();
        (row, if example.is_secret { 1.0 } else { 0.0 }, example.counts)
    }).collect();
    let mut sums = vec![0.0_f32; known.len()];
    for seed in 0..seeds {
        let mut dice = Dice(seed * 7 + 3);
        let mut weights = vec![0.0_f32; known.len()];
        let mut squares = vec![1e-2_f32; known.len()];
        let mut order: Vec<usize> = (0..rows.len()).collect();
        let mut used = Vec::new();
        for round in 0..rounds {
            for at in (1..order.len()).rev() {
                order.swap(at, dice.roll(at + 1));
            }
            let slow = pace * (1.0 - 0.9 * round as f32 / rounds as f32);
            for at in &order {
                let (row, target, count) = &rows[*at];
                used.clear();
                used.extend(row.iter().copied().filter(|_| dropped == 0 || dice.roll(dropped) != 0));
                let scale = if dropped == 0 { 1.0 } else { dropped as f32 / (dropped as f32 - 1.0) };
                let sum = scale * used.iter().map(|feature| weights[*feature]).sum::<f32>();
                let error = (1.0 / (1.0 + (-sum).exp()) - target) * count;
                for feature in &used {
                    let weight = &mut weights[*feature];
                    let slope = error + cost * *weight + l1 * weight.signum();
                    squares[*feature] += slope * slope;
                    *weight -= slow * slope / squares[*feature].sqrt();
                }
            }
        }
        for (sum, weight) in sums.iter_mut().zip(&weights) { *sum += weight / seeds as f32; }
    }
    if env("COUNT", 0.0) > 0.0 { eprintln!("known {} strong {}", known.len(), sums.iter().filter(|w| w.abs() > 0.02).count()); }
    Weights { features: known.into_iter().zip(sums).collect(), least: 0.0 }
}

/// Scores of each file's texts by a network that was learned from the other files.
pub(super) fn leave_out(files: &[Vec<Read>], more: &[Vec<Read>], frames: &[Read], seeds: u64) -> Vec<Vec<Vec<f32>>> {
    let score = |index: usize| -> Vec<Vec<f32>> {
        let others = |all: &'_ [Vec<Read>]| all.len();
        let _ = others;
        let net = learn(files.iter().enumerate().filter(|(other, _)| *other != index).flat_map(|(_, texts)| texts).chain(more.iter().enumerate().filter(|(other, _)| *other != index).flat_map(|(_, texts)| texts)).chain(frames), seeds);
        files[index].iter().map(|text| text.examples.iter().map(|example| net.score(&example.features)).collect()).collect()
    };
    let mut scores: Vec<Vec<Vec<f32>>> = Vec::new();
    for start in (0..files.len()).step_by(2) {
        std::thread::scope(|scope| {
            let running: Vec<_> = (start..(start + 2).min(files.len())).map(|index| scope.spawn(move || score(index))).collect();
            scores.extend(running.into_iter().map(|thread| thread.join().unwrap()));
        });
    }
    scores
}
