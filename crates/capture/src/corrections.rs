//! Words by which a speaker corrects what was said before: "actually", "no wait", "ich meinte".
//!
//! They say nothing about the matter, so that the clause after them is labelled as if they were not there. What follows a
//! word that announces a correction is more likely to be a statement than the same clause alone.

use super::clauses::Clause;
use super::page::Sentence;

/// English words that announce a correction, with or without a comma after them.
#[rustfmt::skip]
const ENGLISH: &[&str] = &[
    "actually", "no actually", "well actually", "correction", "small correction", "scratch that", "strike that", "i meant",
    "sorry i meant", "no i meant", "i misspoke", "i was wrong", "i was mistaken", "i mixed that up", "my mistake", "quick update",
    "small update", "turns out", "it turns out", "no wait", "oh wait", "wait no", "oh no",
];
/// Words of other languages that do so. Without a comma they stay, because the verb would come first without them.
#[rustfmt::skip]
const CORRECTIONS: &[&str] = &[
    "update", "korrektur", "eigentlich", "ich meinte", "ich meine", "ich hab mich vertan", "ich habe mich vertan",
    "ich hab mich geirrt", "ich habe mich geirrt", "stimmt nicht", "kleines update", "kurzes update", "kleine korrektur",
    "ach nein", "ah nein", "oh nein", "halt nein",
    "en realidad", "correccion", "quise decir", "queria decir", "me equivoque", "mejor dicho", "actualizacion", "no espera",
    "en fait", "je voulais dire", "je me suis trompe", "je me suis trompee", "erratum", "mise a jour", "ah non", "non attends",
    "anzi", "in realta", "correzione", "volevo dire", "mi sono sbagliato", "mi sono sbagliata", "no aspetta",
    "na verdade", "correcao", "quis dizer", "queria dizer", "me enganei", "nao espera",
    "на самом деле", "поправка", "я имел в виду", "я имела в виду", "я ошибся", "я ошиблась",
    "不 对", "更 正", "其 实", "说 错 了", "我 说 错 了", "我 是 说", "纠 正 一 下",
];
/// Words that often come before a correction, and before much else. Without a comma they may belong to the statement:
/// "no como carne".
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "no", "nope", "no no", "wait", "ah no", "hold on", "sorry", "oh sorry", "oops", "hmm", "well", "my bad", "hang on",
    "nein", "nee", "halt", "moment", "moment mal", "quatsch", "entschuldigung", "ups", "ach", "ah",
    "espera", "perdon", "ay no", "non", "attends", "pardon", "oups", "aspetta", "scusa", "scusate", "nao", "desculpa", "ops",
    "нет", "стои", "ои", "извини", "等 等", "等 一 下", "不 是", "哦 不",
];

/// What the words before a clause say of the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Correction {
    /// Nothing.
    #[default]
    None,
    /// They often come before a correction: "sorry".
    Likely,
    /// They announce a correction: "I meant".
    Announced,
}

/// Takes the words that announce a correction off the clauses at the beginnings of sentences, and the clauses that are
/// nothing else, with their states: that of the message, then one for each clause. Returns for each clause left what was
/// taken off before it.
pub(super) fn take_off(
    sentences: &[Sentence],
    clauses: &mut Vec<Clause>,
    states: &mut Vec<Vec<f32>>,
) -> Vec<Correction> {
    let mut corrects = Vec::with_capacity(clauses.len());
    let mut announced = Correction::None;
    let mut at = 0;
    while at < clauses.len() {
        let clause = &clauses[at];
        let text = sentences[clause.sentence].text();
        let words: Vec<&str> = clause.words.iter().map(|word| &text[word.clone()]).collect();
        let mark = match clause.before {
            '^' => mark(&words),
            _ => None,
        };
        let Some(Mark { length, announces, is_english }) = mark else {
            corrects.push(std::mem::take(&mut announced));
            at += 1;
            continue;
        };
        if announces {
            announced = Correction::Announced;
        } else if announced == Correction::None {
            announced = Correction::Likely;
        }
        if length < words.len() {
            if is_english {
                clauses[at].words.drain(..length);
            }
            corrects.push(std::mem::take(&mut announced));
            at += 1;
            continue;
        }
        // A message of nothing else stays as it is.
        if clauses.len() == 1 {
            corrects.push(Correction::None);
            break;
        }
        let sentence = clauses.remove(at).sentence;
        if at + 1 < states.len() {
            states.remove(at + 1);
        }
        if let Some(next) = clauses.get_mut(at).filter(|next| next.sentence == sentence) {
            next.before = '^';
        }
    }
    corrects
}

/// Words at the beginning of a clause.
struct Mark {
    /// Their number.
    length: usize,
    /// Whether they announce a correction.
    announces: bool,
    is_english: bool,
}

/// Returns the longest mark at the beginning of a clause.
fn mark(words: &[&str]) -> Option<Mark> {
    let begins =
        |phrase: &&&str| phrase.split(' ').enumerate().all(|(at, word)| words.get(at) == Some(&word));
    let longest =
        |phrases: &[&str]| phrases.iter().filter(begins).map(|phrase| phrase.split(' ').count()).max();
    let (english, other) = (longest(ENGLISH), longest(CORRECTIONS));
    let announced =
        english.max(other).map(|length| Mark { length, announces: true, is_english: english >= other });
    let alone = longest(OTHERS).filter(|length| *length == words.len());
    announced.or(alone.map(|length| Mark { length, announces: false, is_english: false }))
}
