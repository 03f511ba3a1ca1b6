//! Joins labelled clauses into statements.

mod asked;
pub(super) mod candidate;
pub(super) mod dropping;
mod found;
mod remarks;
mod sequels;

use std::collections::BTreeSet;

use jiff::civil::Date;

use memtape_core::Category;
use memtape_core::safety::secrets;

use super::clauses::{self, Clause};
use super::compiled::Compiled;
use super::corrections;
use super::features::{Features, Words};
use super::network::Encoder;
use super::page::{Page, Sentence};
use super::requests::forgetting::place::word_count;
use super::requests::{self, forgetting};
use super::tagger::{CATEGORIES, LABELS, NONE, Scores, Tagger, beginning, continuation};
use super::{Corrects, Dropped, Reading, Why, bounds, dated, shown, tables, voices};

use found::Found;

/// The maximum number of words of an exclamation: "hmm, wait".
const EXCLAMATION_WORDS: usize = 2;
/// The minimum probability of a clause that is reported as a candidate.
const LEAST: f32 = 0.2;
/// The probability above which a clause continues the statement before it.
const CONTINUES: f32 = 0.5;
/// What is added to the logit of a clause that corrects something.
const CORRECTS: f32 = 1.5;
/// The maximum number of words of an item of an enumeration.
const ITEM_WORDS: usize = 4;
/// Words before the last item of an enumeration.
const JOINERS: &[&str] =
    &["and", "or", "und", "oder", "sowie", "y", "e", "o", "u", "et", "ou", "ed", "и", "или"];
/// Words that begin a clause of its own, rather than an item of an enumeration.
#[rustfmt::skip]
const SUBJECTS: &[&str] = &[
    "i", "i'm", "i've", "i'll", "we", "we're", "we've", "you", "he", "she", "it", "it's", "they", "this", "that", "there", "my", "our",
    "his", "her", "their", "who", "which", "what", "where", "when", "how", "why", "please", "thanks", "thank", "can", "could", "do", "is",
    "are", "but", "so", "because", "if", "ich", "wir", "du", "er", "sie", "es", "mein", "meine", "unser", "unsere", "das", "aber", "weil",
    "dass", "wenn", "was", "wer", "wie", "wo", "warum", "bitte", "danke", "kannst", "yo", "mi", "mis", "nuestro", "pero", "porque",
    "gracias", "por", "que", "si", "je", "j'ai", "mon", "ma", "mes", "notre", "nous", "on", "mais", "merci", "c'est", "qui", "il", "elle",
    "io", "mia", "mio", "ma", "grazie", "eu", "meu", "minha", "mas", "obrigado", "obrigada", "я", "мы", "мои", "моя", "но",
];
/// Clauses that belong to the statement before them.
#[rustfmt::skip]
const TAIL_CLAUSES: &[&str] = &[
    "too", "as well", "also", "either", "auch", "tambien", "aussi", "anche", "tambem", "тоже", "также", "也",
];
/// The first words of a name that a clause in commas explains: "The plumber, Gareth, is coming".
#[rustfmt::skip]
const DETERMINERS: &[&str] = &[
    "the", "my", "our", "his", "her", "their", "der", "die", "das", "mein", "meine", "unser", "unsere", "el", "la", "mi", "nuestro",
    "nuestra", "le", "mon", "ma", "notre",
];
/// Verbs after such a clause.
#[rustfmt::skip]
const VERBS: &[&str] = &[
    "is", "isn't", "are", "was", "were", "has", "had", "will", "can", "can't", "comes", "lives", "works", "likes", "wants", "needs",
    "ist", "sind", "war", "hat", "kommt", "wird", "kann", "wohnt", "arbeitet", "mag", "es", "esta", "viene", "tiene", "vive",
    "trabaja", "est", "vient", "habite", "travaille",
];
/// The maximum number of words of a name, and of its explanation.
const NAME_WORDS: usize = 4;
/// The maximum number of clauses after a statement that are read for a correction of its end.
const AFTER_CLAUSES: usize = 8;
/// The maximum number of words in the rule of a statement that was recognized by the model.
const RULE_WORDS: usize = 3;

/// Adds the candidates and dropped clauses of a message to `reading`.
pub(super) fn find(
    text: &str,
    page: &Page,
    secrets: &[secrets::Found],
    said_on: Date,
    (tagger, encoder): (&Tagger, &dyn Encoder),
    reading: &mut Reading,
) {
    let mut clauses = clauses::split(&page.sentences);
    dropping::drop_edited(text, page, &mut clauses, reading);
    dropping::drop_unstated(text, page, &mut clauses, reading);
    let request = dropping::take_forgotten(text, page, &mut clauses, reading);
    dropping::drop_secret(text, page, secrets, &mut clauses, reading);
    if !clauses.is_empty() {
        add_statements(text, page, clauses, secrets, said_on, (tagger, encoder), reading);
    }
    if let Some(request) = request {
        dropping::drop_last(&request, text, page, secrets, reading);
    }
}

/// Returns whether the last sentence of a message that is no exclamation asks for something.
pub(super) fn ends_with_request(sentences: &[Sentence]) -> bool {
    let last = sentences.iter().rev().find(|sentence| !is_exclamation(sentence));
    last.is_some_and(requests::asks_for_something)
}

/// Returns whether a sentence has so few words that it is an exclamation.
pub(super) fn is_exclamation(sentence: &Sentence) -> bool {
    word_count(sentence.text()) <= EXCLAMATION_WORDS
}

/// Adds the statements of clauses to `reading`.
fn add_statements(
    text: &str,
    page: &Page,
    mut clauses: Vec<Clause>,
    secrets: &[secrets::Found],
    said_on: Date,
    (tagger, encoder): (&Tagger, &dyn Encoder),
    reading: &mut Reading,
) {
    if let [sentence] = &page.sentences[..] {
        reading.corrects = corrections::alone(sentence);
        // What follows "actually" may also be a statement of its own.
        if reading.corrects == Corrects::Certainly || corrections::is_time_alone(sentence) {
            return;
        }
    }
    let mut states = encoder.states(text, &clauses::places(&page.sentences, &clauses));
    let corrects = corrections::take_off(&page.sentences, &mut clauses, &mut states);
    let words = Words::of(&page.sentences, &clauses);
    let labels = labels(&words, &clauses, &states, tagger);
    let asked = asked::find(&page.sentences, &clauses, &labels);
    let mut is_asked = vec![false; clauses.len()];
    for statement in &asked {
        is_asked[statement.first..=statement.last].fill(true);
    }
    let mut found: Vec<Found> = Vec::new();
    let mut at = 0;
    while at < clauses.len() {
        let statement = match is_asked[at] {
            true => None,
            false => statement(at, &labels, corrects[at] == Corrects::Certainly)
                .map(|statement| enumerated(statement, &page.sentences, &clauses))
                .map(|statement| completed(statement, &page.sentences, &clauses)),
        };
        at = statement.as_ref().map_or(at, |statement| statement.last) + 1;
        if let Some(statement) = statement {
            // A statement may have been completed by the one before it.
            while found.pop_if(|other| other.first >= statement.first).is_some() {}
            found.extend(Some(statement).filter(|statement| !is_asked[statement.last]));
        }
    }
    found.extend(asked);
    found.retain(|statement| {
        let why = if is_joke(statement, &page.sentences, &clauses, &corrects) {
            Some(Why::Imagined)
        } else {
            is_reported(statement, &page.sentences, &clauses).then_some(Why::Quoted)
        };
        if let Some(why) = why {
            let (first, last) = (&clauses[statement.first], &clauses[statement.last]);
            let start = page.sentences[first.sentence].place(&first.range()).start;
            let end = page.sentences[last.sentence].place(&last.range()).end;
            reading.dropped.push(Dropped { text: shown(&text[start..end]), why, rule: String::new() });
            return false;
        }
        statement.asked || !is_request(&page.sentences, &clauses, statement)
    });
    found.sort_by_key(|statement| statement.first);
    sequels::add(&mut found, text, &page.sentences, &clauses, &labels, &corrects);
    let tables: Vec<&Compiled> = tables::of_text(&page.sentences).iter().map(|table| table.get()).collect();
    let confiding = confiding(&page.sentences, &clauses);
    for statement in found {
        let rule = if statement.asked {
            super::ASKED_RULE.to_owned()
        } else {
            format!("learned: {}", strongest_words(&words, &clauses, &statement, tagger))
        };
        let (first, last) = (&clauses[statement.first], &clauses[statement.last]);
        let [first, last] = match &statement.part {
            Some((sentence, range)) => [(*sentence, range.clone()), (*sentence, range.clone())],
            None => [(first.sentence, first.range()), (last.sentence, last.range())],
        };
        let last =
            statement.sequel.map_or(last, |sequel| (clauses[sequel].sentence, clauses[sequel].range()));
        // A clause of its sentence, or of the one before or the two after it, asks not to tell others.
        let near = clauses[statement.first].sentence.saturating_sub(1)..=clauses[statement.last].sentence + 2;
        let is_confided = confiding.range(near).next().is_some();
        let ends = candidate::Ends { sentences: &page.sentences, secrets, first, last, is_confided };
        candidate::add(text, &ends, &statement, rule, &tables, said_on, reading);
    }
}

/// Returns the probability of each label for each clause.
fn labels(words: &Words, clauses: &[Clause], states: &[Vec<f32>], tagger: &Tagger) -> Vec<Scores> {
    let mut features = Features { keys: Vec::new(), names: None };
    words.message(clauses, &mut features);
    let mut shared: Scores = [0.0; LABELS];
    tagger.add(&features, &mut shared);
    let state = |index: usize| states.get(index).map_or(&[][..], Vec::as_slice);
    let scores: Vec<Scores> = (0..clauses.len())
        .map(|at| {
            features.keys.clear();
            words.clause(clauses, at, &mut features);
            let mut scores = shared;
            tagger.add(&features, &mut scores);
            tagger.add_state(state(at + 1), &mut scores);
            scores
        })
        .collect();
    tagger.marginals(&scores)
}

/// Returns the statement that begins with a clause; `None` if none is likely.
fn statement(first: usize, labels: &[Scores], corrects: bool) -> Option<Found> {
    let keep = |at: usize| if corrects { corrected(1.0 - labels[at][NONE]) } else { 1.0 - labels[at][NONE] };
    if keep(first) < LEAST {
        return None;
    }
    let goes_on = |at: usize| {
        let labels = (0..CATEGORIES.len()).map(|category| labels[at][continuation(category)]);
        labels.sum::<f32>() > CONTINUES
    };
    let last = (first + 1..labels.len()).take_while(|at| goes_on(*at)).last().unwrap_or(first);
    let most = (first..=last).map(keep).fold(0.0, f32::max);
    Some(Found {
        first,
        last,
        part: None,
        sequel: None,
        category: category(&labels[first..=last]),
        confidence: calibrated(most),
        asked: false,
        is_corrected: false,
        corrects,
    })
}

/// Returns a statement with the rest of its enumeration: short clauses after commas, the last of them after "and".
fn enumerated(statement: Found, sentences: &[Sentence], clauses: &[Clause]) -> Found {
    let sentence = clauses[statement.last].sentence;
    let rest = clauses[statement.last + 1..].iter().take_while(|clause| clause.sentence == sentence);
    for (count, clause) in rest.enumerate() {
        let mut words = sentences[sentence].text()[clause.range()].split(' ');
        let first = words.next().unwrap_or_default();
        if JOINERS.contains(&first) {
            let is_item = words.next().is_some_and(|second| !SUBJECTS.contains(&second));
            let is_last = count > 0 && is_item && clause.words.len() <= ITEM_WORDS + 1;
            let last = if is_last { statement.last + 1 + count } else { statement.last };
            return Found { last, ..statement };
        }
        if clause.before == '&' || clause.words.len() > ITEM_WORDS || SUBJECTS.contains(&first) {
            return statement;
        }
    }
    // All that follows are items, of a list that a colon introduces: "my cities: Porto, Vienna, Kyoto".
    let is_list = clauses[statement.first + 1..=statement.last].iter().any(|clause| clause.before == ':');
    let items = clauses[statement.last + 1..].iter().take_while(|clause| clause.sentence == sentence);
    let count = if is_list { items.count() } else { 0 };
    Found { last: statement.last + count, ..statement }
}

/// Returns a statement with the clauses beside it that it is not whole without: its subject before an explanation, and
/// words like "too" after a comma.
fn completed(statement: Found, sentences: &[Sentence], clauses: &[Clause]) -> Found {
    let mut statement = statement;
    let text = |at: usize| &sentences[clauses[at].sentence].text()[clauses[at].range()];
    let is_after =
        |at: usize| clauses.get(at).is_some_and(|clause| clause.sentence == clauses[at - 1].sentence);
    let begins =
        |at: usize, words: &[&str]| text(at).split(' ').next().is_some_and(|first| words.contains(&first));
    if let Some(subject) = statement.first.checked_sub(2) {
        let is_short = |at: usize| clauses[at].words.len() <= NAME_WORDS && clauses[at].after == ',';
        let is_named = clauses[subject].before == '^' && (subject..subject + 2).all(is_short);
        let is_one = is_after(subject + 1) && is_after(subject + 2);
        if is_named && is_one && begins(subject, DETERMINERS) && begins(statement.first, VERBS) {
            statement.first = subject;
        }
    }
    let is_tail = |at: usize| {
        let (before, clause) = (text(at - 1), text(at));
        TAIL_CLAUSES.contains(&clause)
            || bounds::is_end(clause)
            || bounds::is_every_other(before, clause)
            || bounds::is_instead(clause) && dated::withdraws(&[], before)
    };
    if is_after(statement.last + 1) && is_tail(statement.last + 1) {
        statement.last += 1;
    }
    let sentence = clauses[statement.first].sentence;
    let before = statement.first.checked_sub(1).filter(|before| clauses[*before].sentence == sentence);
    let frames = |before: usize| {
        let is_first = clauses[before].before == '^' && clauses[before].after == ',';
        is_first && bounds::is_frame(text(before)) && begins(before + 1, SUBJECTS)
    };
    if let Some(before) = before.filter(|before| bounds::is_condition(text(*before)) || frames(*before)) {
        statement.first = before;
    }
    // "I think, I'm allergic to cats" is a guess.
    let before = statement.first.checked_sub(1).filter(|before| clauses[*before].before == '^');
    if let Some(before) = before.filter(|before| is_after(before + 1) && bounds::is_hedge(text(*before))) {
        statement.first = before;
    }
    let sentence = clauses[statement.last].sentence;
    // The model may have taken the announcement of a correction without what follows it.
    let end = statement.last;
    while statement.last > statement.first && bounds::is_correction(text(statement.last)) {
        statement.last -= 1;
    }
    let rest = statement.last + 1..clauses.len();
    let after = rest.take_while(|at| clauses[*at].sentence == sentence).take(AFTER_CLAUSES);
    let after: Vec<&str> = after.map(text).collect();
    let corrections = bounds::corrections(&after);
    // What is said again of a day withdraws it: "on Monday, no, Tuesday at 3".
    statement.is_corrected = corrections > 0 && bounds::names_time(&after[..corrections]);
    statement.last = end.max(statement.last + corrections);
    let is_unreal = (statement.first..=statement.last).any(|at| bounds::is_unreal(text(at)));
    let goes_on = |at: usize| {
        bounds::takes_back(text(at))
            || bounds::is_hedge(text(at))
            || bounds::is_confidence(text(at))
            || is_unreal && bounds::is_condition(text(at))
    };
    while is_after(statement.last + 1) && goes_on(statement.last + 1) {
        statement.last += 1;
    }
    statement
}

/// Returns whether the clause after a statement, in its sentence or as the next one, says that it is a joke, not true, or corrects
/// whom it is true of. One that says how sure the speaker is may stand before it.
fn is_joke(statement: &Found, sentences: &[Sentence], clauses: &[Clause], corrects: &[Corrects]) -> bool {
    let next = statement.last + 1;
    let Some(first) = clauses.get(next) else { return false };
    let sentence = clauses[statement.last].sentence;
    let text = |clause: &Clause| &sentences[clause.sentence].text()[clause.range()];
    let mut rest = clauses[next + 1..].iter().take_while(|clause| clause.sentence == first.sentence);
    let is_unsure = ["at least ", "zumindest "].iter().any(|words| text(first).starts_with(words));
    (sentence..=sentence + 1).contains(&first.sentence)
        && (bounds::is_joke(text(first))
            // "Ma non è vero" has two clauses.
            || bounds::is_joke(&sentences[first.sentence].text()[first.range().start..])
            || is_unsure && rest.any(|clause| bounds::is_joke(text(clause)))
            || corrects[next] != Corrects::Nothing && bounds::is_of_another(text(first)))
}

/// Returns whether a statement goes on with what its sentence begins to report of the speaker: "My ex says I'm lazy and I'm an
/// alcoholic".
fn is_reported(statement: &Found, sentences: &[Sentence], clauses: &[Clause]) -> bool {
    let first = &clauses[statement.first];
    let text = |clause: &Clause| &sentences[clause.sentence].text()[clause.range()];
    let before =
        clauses[..statement.first].iter().rev().take_while(|clause| clause.sentence == first.sentence);
    let Some(report) = before.last() else { return false };
    first.before == '&'
        && voices::is_of_report(
            &sentences[first.sentence].text()[report.range().start..first.range().start],
            text(first),
        )
}

/// Returns the sentences with a clause that asks not to tell others.
fn confiding(sentences: &[Sentence], clauses: &[Clause]) -> BTreeSet<usize> {
    let is_confidence = |(at, clause): (usize, &Clause)| {
        let text = sentences[clause.sentence].text();
        let next = clauses.get(at + 1).filter(|next| next.sentence == clause.sentence);
        // "Ich will nicht, dass sie das erfahren" has two clauses.
        let with_next = next.map(|next| &text[clause.range().start..next.range().end]);
        let parts = [Some(&text[clause.range()]), with_next];
        parts.into_iter().flatten().any(bounds::is_confidence).then_some(clause.sentence)
    };
    clauses.iter().enumerate().filter_map(is_confidence).collect()
}

/// Returns whether a statement is a question: it is all that its sentence asks, or the sentence asks whether it is true.
/// A wish is a statement also as a question: "could you always answer in German?".
fn is_question(sentences: &[Sentence], clauses: &[Clause], statement: &Found) -> bool {
    let (first, last) = (&clauses[statement.first], &clauses[statement.last]);
    let text = |clause: &Clause| &sentences[clause.sentence].text()[clause.range()];
    if first.before == '^' && requests::asks(text(first)) {
        return true;
    }
    let after = clauses.get(statement.last + 1).filter(|clause| clause.sentence == last.sentence);
    match after {
        Some(tag) => tag.after == '?' && requests::is_tag(text(tag)),
        None => last.after == '?' && CATEGORIES[statement.category] != Category::Preference,
    }
}

/// Returns whether a statement asks something, or asks to delete something.
fn is_request(sentences: &[Sentence], clauses: &[Clause], statement: &Found) -> bool {
    is_question(sentences, clauses, statement) || is_deletion(sentences, clauses, statement)
}

/// Returns whether a statement is a request to delete something, and no preference: "remove Tom from the list".
fn is_deletion(sentences: &[Sentence], clauses: &[Clause], statement: &Found) -> bool {
    let first = &clauses[statement.first];
    first.before == '^'
        && CATEGORIES[statement.category] != Category::Preference
        && forgetting::asks_to_delete(&sentences[first.sentence])
}

/// Returns the confidence of a probability of the model.
///
/// The model is surer than it is right on messages of people that it has not learned from. The two numbers are
/// fitted by a logistic regression (Platt scaling) to the `dev` part of `evals/capture`, and to five files of `train`
/// with weights that were learned without them.
fn calibrated(probability: f32) -> f64 {
    const SLOPE: f64 = 0.65;
    const OFFSET: f64 = -0.3;
    let probability = f64::from(probability).clamp(1e-6, 1.0 - 1e-6);
    let logit = (probability / (1.0 - probability)).ln();
    1.0 / (1.0 + (-(SLOPE * logit + OFFSET)).exp())
}

/// Returns the probability of a clause that corrects something.
fn corrected(probability: f32) -> f32 {
    let probability = probability.clamp(1e-6, 1.0 - 1e-6);
    let odds = CORRECTS.exp() * probability / (1.0 - probability);
    odds / (1.0 + odds)
}

/// Returns the most likely category of adjacent clauses.
fn category(labels: &[Scores]) -> usize {
    let share = |category: usize| -> f32 {
        labels.iter().map(|scores| scores[beginning(category)] + scores[continuation(category)]).sum()
    };
    (0..CATEGORIES.len()).max_by(|one, other| share(*one).total_cmp(&share(*other))).unwrap_or(0)
}

/// Returns the words that spoke most for keeping a statement.
fn strongest_words(words: &Words, clauses: &[Clause], statement: &Found, tagger: &Tagger) -> String {
    let mut features = Features { keys: Vec::new(), names: Some(Vec::new()) };
    (statement.first..=statement.last).for_each(|at| words.clause(clauses, at, &mut features));
    let label = beginning(statement.category);
    let weight = |key: u32| tagger.of_feature(key, label) - tagger.of_feature(key, NONE);
    let names = features.names.take().unwrap_or_default();
    let mut weighed: Vec<(f32, String)> =
        features.keys.iter().zip(names).map(|(key, name)| (weight(*key), name)).collect();
    weighed.retain(|(weight, name)| *weight > 0.0 && name.chars().filter(|c| c.is_alphabetic()).count() > 1);
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut shown: Vec<String> = Vec::new();
    for (_, name) in weighed {
        let name = name.trim_matches(['^', '$', ' ']).to_owned();
        if shown.len() < RULE_WORDS
            && !shown.iter().any(|other| other.contains(&name) || name.contains(other))
        {
            shown.push(name);
        }
    }
    shown.join(" · ")
}
