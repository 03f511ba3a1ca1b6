//! Trains the weights that tell whether a newer memory takes the place of an older one.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use memtape_capture::training::{Settings, UpdateExample, train_updates, update_with};
use memtape_capture::update::{Pair, Update, Words};
use memtape_embed::{Embedder, Loading};

use super::frames::{self, Labelled};
use super::{Case, Side};
use crate::Failure;
use crate::sets::{self, Part};

/// The file of the weights.
const WEIGHTS: &str = "crates/capture/src/update.bin";
/// The settings, chosen by the `dev` part.
const SETTINGS: Settings = Settings { rounds: 20, step: 0.3, l1: 0.0, l2: 3.0 };
/// How much a pair with a statement about a neighbouring matter counts: the older one, or the newer one.
const OF_NEIGHBOUR: [f32; 2] = [0.3, 0.1];

/// Texts with what is compared of them.
struct Texts(BTreeMap<String, (Words, Vec<f32>)>);

impl Texts {
    fn of(pairs: &[Labelled]) -> Result<Texts, Failure> {
        let mut texts: Vec<&str> =
            pairs.iter().flat_map(|one| [&*one.question, &*one.older, &*one.newer]).collect();
        texts.sort_unstable();
        texts.dedup();
        let vectors = Embedder::built_in(Loading::ForMany)?.embed(&texts)?;
        let read = |(text, vector): (&&str, Vec<f32>)| ((*text).to_owned(), (Words::of(text), vector));
        Ok(Texts(texts.iter().zip(vectors).map(read).collect()))
    }

    fn pair(&self, one: &Labelled) -> Pair<'_> {
        let [question, older, newer] = [&one.question, &one.older, &one.newer].map(|text| &self.0[text]);
        let cosine = |of: &[f32]| question.1.iter().zip(of).map(|(one, other)| one * other).sum();
        Pair {
            question: &question.0,
            older: &older.0,
            newer: &newer.0,
            cosines: Some([cosine(&older.1), cosine(&newer.1)]),
        }
    }
}

/// Trains the weights from the `train` part and the templates, writes them, and measures them on `dev`.
pub(crate) fn train(folder: &Path) -> Result<(), Failure> {
    let mut pairs = read(folder, Part::Train)?;
    let written = pairs.len();
    pairs.extend(frames::pairs());
    let texts = Texts::of(&pairs)?;
    let examples: Vec<UpdateExample<'_>> = pairs
        .iter()
        .map(|one| UpdateExample {
            pair: texts.pair(one),
            answers: one.answers,
            replaces: Some(one.replaces),
            weight: one.weight,
        })
        .collect();
    let bytes = train_updates(&examples, SETTINGS);
    fs::write(WEIGHTS, &bytes).map_err(|e| format!("{WEIGHTS}: {e}"))?;
    println!("{WEIGHTS}: {} bytes from {} pairs, {written} of them written", bytes.len(), pairs.len());
    let mut of_dev = read(folder, Part::Dev)?;
    // Pairs with neighbouring matters are easy, and would hide the others.
    of_dev.retain(|one| one.weight >= 1.0);
    measure(&of_dev, &bytes)
}

/// Prints which share of the pairs whose newer statement answers is found at which share of the others.
fn measure(pairs: &[Labelled], weights: &[u8]) -> Result<(), Failure> {
    let texts = Texts::of(pairs)?;
    let updates: Vec<Update> = pairs.iter().map(|one| update_with(&texts.pair(one), weights)).collect();
    for (name, of) in
        [("answers", (|update| update.answers) as fn(&Update) -> f32), ("replaces", |update| update.replaces)]
    {
        let scores = |answers: bool| {
            let mut scores: Vec<f32> = pairs
                .iter()
                .zip(&updates)
                .filter(|(one, _)| one.answers == Some(answers) && (answers || !one.replaces))
                .map(|(_, update)| of(update))
                .collect();
            scores.sort_by(|one, other| other.total_cmp(one));
            scores
        };
        let (right, wrong) = (scores(true), scores(false));
        for percent in [2, 5, 10] {
            let limit = wrong[wrong.len() * percent / 100];
            let found = right.iter().filter(|score| **score > limit).count();
            println!(
                "{name}: {found} of {} above {limit:.3}, and {percent} % of {} others",
                right.len(),
                wrong.len()
            );
        }
    }
    Ok(())
}

fn read(folder: &Path, part: Part) -> Result<Vec<Labelled>, Failure> {
    let mut pairs = Vec::new();
    for path in sets::files(folder, part)? {
        pairs.extend(super::read(&path)?.iter().flat_map(labelled));
    }
    Ok(pairs)
}

/// Returns the pairs of a case: a question about the past is answered by the older statement.
fn labelled(case: &Case) -> Vec<Labelled> {
    let pair = |question: &str, answers| Labelled {
        question: question.to_owned(),
        older: case.older.text.clone(),
        newer: case.newer.text.clone(),
        answers: Some(answers),
        replaces: case.changed,
        weight: 1.0,
    };
    let now = pair(&case.question, case.answer == Side::Newer);
    let past = case.past_question.iter().map(|question| pair(question, false));
    let mut pairs: Vec<Labelled> = [now].into_iter().chain(past).collect();
    // A statement about a neighbouring matter is neither replaced by the answer nor replaces it, and does not answer.
    let answer = if case.answer == Side::Newer { &case.newer.text } else { &case.older.text };
    for other in &case.others {
        let [older_is, newer_is] = OF_NEIGHBOUR;
        for (older, newer, answers, weight) in
            [(other, answer, None, older_is), (answer, other, Some(false), newer_is)]
        {
            pairs.push(Labelled {
                question: case.question.clone(),
                older: older.clone(),
                newer: newer.clone(),
                answers,
                replaces: false,
                weight,
            });
        }
    }
    pairs
}
