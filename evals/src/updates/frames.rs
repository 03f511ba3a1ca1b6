//! Makes pairs of statements from the templates in `evals/updates/frames.txt`.

use std::collections::BTreeMap;

use crate::secrets::Dice;

const FRAMES: &str = include_str!("../../updates/frames.txt");
/// The number of pairs of each matter.
const PAIRS: usize = 50;
/// The weight of a pair from a template, relative to one that somebody wrote.
const OF_TEMPLATE: f32 = 0.5;

/// A question and two statements, labelled.
pub(super) struct Labelled {
    pub(super) question: String,
    pub(super) older: String,
    pub(super) newer: String,
    /// `None` if it is not learned from.
    pub(super) answers: Option<bool>,
    pub(super) replaces: bool,
    /// The weight of the pair in training.
    pub(super) weight: f32,
}

/// The lines of a matter or the values of slots, by their letter or name.
type Choices = BTreeMap<&'static str, Vec<&'static str>>;

/// Returns the pairs of every matter.
pub(super) fn pairs() -> Vec<Labelled> {
    let (slots, matters) = read();
    let mut dice = Dice(7);
    let mut pairs = Vec::new();
    for matter in &matters {
        for _ in 0..PAIRS {
            // Of ten pairs, four did not change, five did, and with one somebody asks for the past.
            let (newer, question) = match dice.roll(10) {
                0..4 => ("a", "q"),
                4..9 => ("n", "q"),
                _ => ("n", "p"),
            };
            let mut values = BTreeMap::new();
            let [older, newer_text, asked] = ["o", newer, question]
                .map(|kind| fill(pick(&matter[kind], &mut dice), &slots, &mut values, &mut dice));
            pairs.push(Labelled {
                question: asked,
                older,
                newer: newer_text,
                answers: Some((newer, question) == ("n", "q")),
                replaces: newer == "n",
                weight: OF_TEMPLATE,
            });
        }
    }
    pairs
}

/// Reads the values of the slots, and the matters.
fn read() -> (Choices, Vec<Choices>) {
    let (mut slots, mut matters) = (Choices::new(), Vec::new());
    for line in FRAMES.lines() {
        if line.starts_with("# ") {
            matters.push(Choices::new());
            continue;
        }
        let Some((name, choices)) = line.split_once(':').filter(|_| !line.starts_with("//")) else {
            continue;
        };
        let choices = choices.split('|').map(str::trim).collect();
        match (name.strip_prefix("% "), matters.last_mut()) {
            (Some(slot), _) => slots.insert(slot, choices),
            (None, Some(matter)) => matter.insert(name, choices),
            (None, None) => None,
        };
    }
    (slots, matters)
}

fn pick<'t>(choices: &[&'t str], dice: &mut Dice) -> &'t str {
    choices[dice.roll(choices.len())]
}

/// Fills the slots of a template. The same slot has the same value in all templates of a pair, and `{city2}` another
/// one than `{city}`.
fn fill(
    template: &str,
    slots: &Choices,
    values: &mut BTreeMap<String, &'static str>,
    dice: &mut Dice,
) -> String {
    let mut parts = template.split('{');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let Some((slot, rest)) = part.split_once('}') else { continue };
        if !values.contains_key(slot) {
            let of = |slot: &str| slots.get(slot).or_else(|| slots.get(slot.strip_suffix('2')?)).cloned();
            let choices = of(slot).unwrap_or_default();
            let free: Vec<&'static str> =
                choices.into_iter().filter(|choice| !values.values().any(|value| value == choice)).collect();
            values.insert(slot.to_owned(), pick(&free, dice));
        }
        filled.push_str(values[slot]);
        filled.push_str(rest);
    }
    if dice.roll(2) == 0 {
        filled = filled[..1].to_uppercase() + &filled[1..];
    }
    filled
}
