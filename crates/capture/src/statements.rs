//! Joins labelled clauses into statements.

mod found;
mod sequels;

use std::ops::Range;

use jiff::civil::Date;

use memtape_core::Category;
use memtape_core::safety::secrets;

use super::clauses::{self, Clause};
use super::compiled::Compiled;
use super::corrections;
use super::features::{Features, Words};
use super::network::Encoder;
use super::page::{Page, Sentence};
use super::requests::{self, forgetting, remembering};
use super::tagger::{CATEGORIES, LABELS, NONE, Scores, Tagger, beginning, continuation};
use super::{
    CLAUSE_MAX, Candidate, Corrects, Dropped, Forget, Reading, WEIGHT_MIN, Why, bounds, dated, ended, holds,
    shown, tables, trim, voices, weight,
};

use found::Found;

/// The minimum probability of a clause that is reported as a candidate.
const LEAST: f32 = 0.2;
/// The probability above which a clause continues the statement before it.
const CONTINUES: f32 = 0.5;
/// What is added to the logit of a clause that corrects something.
const CORRECTS: f32 = 1.5;
/// The confidence of what the speaker asked to remember.
const ASKED_CONFIDENCE: f64 = 0.97;
/// The maximum length of what the speaker asked to remember, in characters.
const ASKED_CHARS_MAX: usize = 2_000;
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
/// Words between two matters that the speaker asks to forget: "my phone number and my address".
const JOINED: &[&str] = &[
    " and my ",
    " and our ",
    " und mein",
    " und unser",
    " y mi ",
    " y mis ",
    " et mon ",
    " et ma ",
    " et mes ",
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
/// The maximum length of a bracket at the end of a statement, in characters without the marks.
const BRACKET_MAX: usize = 60;
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
    drop_edited(text, page, &mut clauses, reading);
    drop_unstated(text, page, &mut clauses, reading);
    let request = take_forgotten(text, page, &mut clauses, reading);
    drop_secret(text, page, secrets, &mut clauses, reading);
    if !clauses.is_empty() {
        add_statements(text, page, clauses, secrets, said_on, (tagger, encoder), reading);
    }
    if let Some(start) = request {
        drop_forgotten(start, secrets, reading);
    }
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
        if reading.corrects == Corrects::Certainly {
            return;
        }
    }
    let mut states = encoder.states(text, &clauses::places(&page.sentences, &clauses));
    let corrects = corrections::take_off(&page.sentences, &mut clauses, &mut states);
    let words = Words::of(&page.sentences, &clauses);
    let labels = labels(&words, &clauses, &states, tagger);
    let asked = asked(&page.sentences, &clauses, &labels);
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
        if is_joke(statement, &page.sentences, &clauses) {
            let (first, last) = (&clauses[statement.first], &clauses[statement.last]);
            let start = page.sentences[first.sentence].place(&first.range()).start;
            let end = page.sentences[last.sentence].place(&last.range()).end;
            reading.dropped.push(Dropped {
                text: shown(&text[start..end]),
                why: Why::Imagined,
                rule: String::new(),
            });
            return false;
        }
        statement.asked || !is_request(&page.sentences, &clauses, statement)
    });
    found.sort_by_key(|statement| statement.first);
    sequels::add(&mut found, text, &page.sentences, &clauses, &labels, &corrects);
    let tables: Vec<&Compiled> = tables::of_text(&page.sentences).iter().map(|table| table.get()).collect();
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
        let is_confided = is_confided(&statement, &page.sentences, &clauses);
        let ends = Ends { sentences: &page.sentences, secrets, first, last, is_confided };
        add(text, &ends, &statement, rule, &tables, said_on, reading);
    }
}

/// Removes the clauses of a text that the speaker asks to translate or to edit, and of the request.
fn drop_edited(text: &str, page: &Page, clauses: &mut Vec<Clause>, reading: &mut Reading) {
    let mut edited = page.sentences.iter().map(requests::edited).enumerate();
    let Some((number, at)) = edited.find_map(|(number, at)| Some((number, at?))) else { return };
    let first = clauses.partition_point(|clause| (clause.sentence, clause.range().start) < (number, at));
    let Some(clause) = clauses.get(first) else { return };
    let start = page.sentences[clause.sentence].place(&clause.range()).start;
    let request = &page.sentences[number];
    let end = request.place(&(0..at)).end;
    if page.is_foreign_between(end, start) {
        // What follows is not edited but the code or quotation before it.
        clauses.retain(|clause| clause.sentence != number);
        return;
    }
    reading.dropped.push(Dropped { text: shown(&text[start..]), why: Why::Quoted, rule: String::new() });
    clauses.truncate(first);
    // The request is no statement either.
    clauses.pop_if(|clause| clause.sentence == number);
}

/// Removes the clauses that the speaker does not state: those in somebody else's name, those of an imagined case, and all
/// if the speaker asks not to keep them.
fn drop_unstated(text: &str, page: &Page, clauses: &mut Vec<Clause>, reading: &mut Reading) {
    reading.is_unwanted = page.sentences.iter().any(|sentence| voices::unwanted(sentence).is_some());
    let wanted = if reading.is_unwanted { wanted(&page.sentences) } else { Vec::new() };
    let is_wanted = |clause: &Clause| {
        wanted.iter().any(|(sentence, end)| *sentence == clause.sentence && clause.range().end <= *end)
    };
    let imagined = imagined(&page.sentences);
    let mut is_reported = false;
    let mut reported = Vec::new();
    for sentence in &page.sentences {
        let is_answer = std::mem::take(&mut is_reported);
        let part = voices::reported(text, sentence);
        is_reported =
            part.as_ref().is_some_and(|part| !sentence.text()[part.clone()].contains(char::is_alphanumeric));
        reported.push(part.or_else(|| is_answer.then(|| 0..sentence.text().len())));
    }
    let why = |clause: &Clause| match &reported[clause.sentence] {
        _ if reading.is_unwanted && !is_wanted(clause) => Some(Why::Unwanted),
        _ if imagined.contains(&clause.sentence) => Some(Why::Imagined),
        Some(part) if clause.range().end > part.start => Some(Why::Quoted),
        _ => None,
    };
    let mut dropped: Vec<(Why, Range<usize>)> = Vec::new();
    clauses.retain(|clause| {
        let Some(why) = why(clause) else { return true };
        let place = page.sentences[clause.sentence].place(&clause.range());
        match dropped.last_mut() {
            Some((last, range)) if *last == why => range.end = place.end,
            _ => dropped.push((why, place)),
        }
        false
    });
    let dropped = dropped.into_iter();
    let dropped = dropped.map(|(why, place)| Dropped { text: shown(&text[place]), why, rule: String::new() });
    reading.dropped.extend(dropped);
}

/// Returns the sentences that a message asks to remember although it asks not to keep another part, each with the end of what
/// it asks for: "Save this: I prefer dogs. Don't save the rest: I prefer rats." None if it does not name that part.
fn wanted(sentences: &[Sentence]) -> Vec<(usize, usize)> {
    let unwanted: Vec<_> = sentences.iter().map(voices::unwanted).collect();
    let names = |(sentence, unwanted): (&Sentence, &Option<Range<usize>>)| {
        unwanted.as_ref().is_none_or(|unwanted| voices::names_unwanted(sentence, unwanted))
    };
    if !sentences.iter().zip(&unwanted).all(names) {
        return Vec::new();
    }
    let parts = sentences.iter().enumerate().flat_map(|(at, sentence)| asked_parts(at, sentence, sentences));
    let before_unwanted = |(at, range): (usize, Range<usize>)| {
        let end = unwanted[at].as_ref().map_or(range.end, |unwanted| unwanted.start.min(range.end));
        (range.start < end).then_some((at, end))
    };
    parts.filter_map(before_unwanted).collect()
}

/// Returns the sentences of an imagined case: one that asks, otherwise all up to one that returns to reality.
fn imagined(sentences: &[Sentence]) -> Range<usize> {
    let Some(first) = sentences.iter().position(voices::is_imagined) else { return 0..0 };
    if sentences[first].asked {
        return first..first + 1;
    }
    let rest = &sentences[first + 1..];
    first..first + 1 + rest.iter().position(voices::is_real).unwrap_or(rest.len())
}

/// Drops what a message says before it asks to forget "that". The request means the message before only if this one says
/// nothing before it.
fn drop_forgotten(request: usize, secrets: &[secrets::Found], reading: &mut Reading) {
    let is_before = |candidate: &Candidate| candidate.span.start < request;
    if reading.candidates.iter().any(is_before) || holds(secrets, &(0..request)) {
        reading.keep(|candidate| is_before(candidate).then_some(Why::Unwanted));
        reading.is_unwanted = true;
        reading.forgets_last = false;
    }
}

/// Removes the clauses of what the speaker asks to forget. Returns the position of the last request in the message that
/// means what was said just before.
fn take_forgotten(
    text: &str,
    page: &Page,
    clauses: &mut Vec<Clause>,
    reading: &mut Reading,
) -> Option<usize> {
    let mut request = None;
    for (number, sentence) in page.sentences.iter().enumerate() {
        if !clauses.iter().any(|clause| clause.sentence == number) {
            continue;
        }
        if forgetting::forgets_all(text, sentence) {
            reading.forgets_all = true;
            clauses.retain(|clause| clause.sentence != number);
            continue;
        }
        if let Some(start) = forgetting::forgets_last(text, sentence) {
            let is_of_request = |clause: &Clause| clause.sentence == number && clause.range().end > start;
            // After a comma, it means the words before it: "if that fails, forget it" asks to forget no message.
            reading.forgets_last |= start == 0;
            if clauses.iter().any(is_of_request) {
                request = Some(sentence.place(&(start..sentence.text().len())).start);
            }
            clauses.retain(|clause| !is_of_request(clause));
            continue;
        }
        if let Some((start, range)) = forgetting::forgotten_after(sentence) {
            let named = text[sentence.place(&range)].to_owned();
            reading.forgets.push(Forget { text: named, is_matter: false, is_all: false });
            clauses.retain(|clause| clause.sentence != number || clause.range().end <= start);
            continue;
        }
        let clause = forgetting::forgotten(text, sentence);
        let matter = if clause.is_none() { forgetting::matter(text, sentence) } else { None };
        let is_matter = matter.is_some();
        let is_all = matter.as_ref().is_some_and(|matter| matter.is_all);
        let range = matter.map(|matter| matter.range).or(clause);
        let Some(range) = range else {
            if forgetting::asks_to_forget(text, sentence) {
                clauses.retain(|clause| clause.sentence != number || clause.before != '^');
            }
            continue;
        };
        // What somebody else asks for has no clauses any more: "my wife said: forget that I am allergic".
        if !clauses.iter().any(|clause| clause.sentence == number && clause.range().end > range.start) {
            continue;
        }
        let mut forgets = |range| {
            // Chinese asks with a particle at the end.
            let named = text[sentence.place(&range)].trim_end_matches(['吧', '啊', '呗']);
            reading.forgets.push(Forget { text: named.to_owned(), is_matter, is_all });
        };
        // The rest may be a reason, or what holds instead: "forget that I live in Leeds, I live in York now".
        let comma = sentence.text()[range.clone()].find(" , ").map(|comma| range.start + comma);
        if let Some(comma) = comma {
            forgets(range.start..comma + 1);
        }
        let joint = JOINED.iter().find_map(|joiner| sentence.text()[range.clone()].find(joiner));
        if let Some(end) = joint.map(|at| range.start + at) {
            let second = sentence.text()[end + 1..].find(' ').map_or(range.end, |space| end + 1 + space);
            forgets(range.start..end);
            forgets(second..range.end);
        }
        forgets(range);
        let end = comma.unwrap_or(sentence.text().len());
        clauses.retain(|clause| clause.sentence != number || clause.range().start > end);
    }
    request
}

/// Removes the clauses that hold a secret, so that what is said beside them is read as if they were not there.
fn drop_secret(
    text: &str,
    page: &Page,
    secrets: &[secrets::Found],
    clauses: &mut Vec<Clause>,
    reading: &mut Reading,
) {
    clauses.retain(|clause| {
        let place = page.sentences[clause.sentence].place(&clause.range());
        let is_secret = holds(secrets, &place);
        if is_secret {
            let text = secrets::redact_part(text, &place, secrets);
            reading.dropped.push(Dropped { text, why: Why::Secret, rule: String::new() });
        }
        !is_secret
    });
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
    let sentence = clauses[statement.last].sentence;
    let rest = statement.last + 1..clauses.len();
    let after = rest.take_while(|at| clauses[*at].sentence == sentence).take(AFTER_CLAUSES);
    let after: Vec<&str> = after.map(text).collect();
    let corrections = bounds::corrections(&after);
    // What is said again of a day withdraws it: "on Monday, no, Tuesday at 3".
    statement.is_corrected = corrections > 0 && bounds::names_time(&after[..corrections]);
    statement.last += corrections;
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

/// Returns whether the clause after a statement, in its sentence or as the next one, says that it is a joke.
fn is_joke(statement: &Found, sentences: &[Sentence], clauses: &[Clause]) -> bool {
    let Some(next) = clauses.get(statement.last + 1) else { return false };
    let sentence = clauses[statement.last].sentence;
    (sentence..=sentence + 1).contains(&next.sentence)
        && bounds::is_joke(&sentences[next.sentence].text()[next.range()])
}

/// Returns whether a clause of a statement's sentence, or of the next one, asks not to tell others.
fn is_confided(statement: &Found, sentences: &[Sentence], clauses: &[Clause]) -> bool {
    let near = clauses[statement.first].sentence.saturating_sub(1)..=clauses[statement.last].sentence + 2;
    clauses.iter().enumerate().filter(|(_, clause)| near.contains(&clause.sentence)).any(|(at, clause)| {
        let text = sentences[clause.sentence].text();
        let next = clauses.get(at + 1).filter(|next| next.sentence == clause.sentence);
        // "Ich will nicht, dass sie das erfahren" has two clauses.
        let with_next = next.map(|next| &text[clause.range().start..next.range().end]);
        [Some(&text[clause.range()]), with_next].into_iter().flatten().any(bounds::is_confidence)
    })
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

/// Returns what the speaker asks to remember.
fn asked(sentences: &[Sentence], clauses: &[Clause], labels: &[Scores]) -> Vec<Found> {
    let mut found = Vec::new();
    for (number, sentence) in sentences.iter().enumerate() {
        for (number, range) in asked_parts(number, sentence, sentences) {
            let range = requests::before_request(&sentences[number], range);
            let is_in = |clause: &Clause| {
                let clause = (clause.sentence, clause.range());
                clause.0 == number && clause.1.end > range.start && clause.1.start < range.end
            };
            let Some(first) = clauses.iter().position(is_in) else { continue };
            let last = first + clauses[first..].iter().take_while(|clause| is_in(clause)).count() - 1;
            let category = category(&labels[first..=last]);
            let part = Some((number, range));
            let confidence = ASKED_CONFIDENCE;
            let (sequel, is_corrected) = (None, false);
            let (asked, corrects) = (true, false);
            found.push(Found {
                first,
                last,
                part,
                sequel,
                category,
                confidence,
                asked,
                is_corrected,
                corrects,
            });
        }
    }
    found
}

/// Returns the sentences, and their parts, that another one asks to remember.
fn asked_parts(number: usize, sentence: &Sentence, sentences: &[Sentence]) -> Vec<(usize, Range<usize>)> {
    let says = |range: &Range<usize>| sentence.text()[range.clone()].contains(char::is_alphanumeric);
    let before = remembering::remembered_before(sentence);
    if let Some(range) = before.clone().filter(says) {
        return vec![(number, range)];
    }
    // The sentence before it, which is a statement of its own.
    let previous = number.checked_sub(1).filter(|_| before.is_some());
    let is_statement = |at: &usize| !sentences[*at].asked && remembering::remembered(&sentences[*at]).is_none();
    if let Some(previous) = previous.filter(is_statement) {
        return vec![(previous, 0..sentences[previous].text().len())];
    }
    let Some(range) = remembering::remembered(sentence) else { return Vec::new() };
    if says(&range) || number + 1 >= sentences.len() {
        return vec![(number, range)];
    }
    // After a colon at the end of a line, the items of the list are meant, or the next sentence.
    let items = sentences[number + 1..].iter().take_while(|next| next.is_item).count();
    (number + 1..=number + items.max(1)).map(|next| (next, 0..sentences[next].text().len())).collect()
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
        if shown.len() < RULE_WORDS && !shown.iter().any(|other| other.contains(&name) || name.contains(other)) {
            shown.push(name);
        }
    }
    shown.join(" · ")
}

/// The ends of a statement: sentences and ranges in their folded texts.
struct Ends<'s> {
    sentences: &'s [Sentence],
    secrets: &'s [secrets::Found],
    first: (usize, Range<usize>),
    last: (usize, Range<usize>),
    is_confided: bool,
}

/// Trims a statement and adds it as a candidate, or as dropped if it is too long.
fn add(
    text: &str,
    ends: &Ends<'_>,
    statement: &Found,
    rule: String,
    tables: &[&Compiled],
    said_on: Date,
    reading: &mut Reading,
) {
    let one = &ends.sentences[ends.first.0];
    let other = &ends.sentences[ends.last.0];
    let borders = tables::for_borders(tables);
    let mut first = trimmed(text, one, &ends.first.1, &borders);
    let mut last = trimmed(text, other, &ends.last.1, &borders);
    if ends.first != ends.last {
        // Only the outer ends are trimmed.
        first.end = trim::with_spaces(one.text(), ends.first.1.clone()).end;
        last.start = trim::with_spaces(other.text(), ends.last.1.clone()).start;
    }
    // Both ends may have been trimmed beyond each other.
    if first.is_empty() || last.is_empty() {
        return;
    }
    // A clause may begin within a character whose folded form has several words (`ﷺ`): it belongs to the one before.
    let free = reading.candidates.last().map_or(0, |last| last.span.end);
    let span = one.place(&first).start.max(free)..other.place(&last).end;
    if span.is_empty() || weight(&text[span.clone()]) < WEIGHT_MIN {
        return;
    }
    let max = if statement.asked { ASKED_CHARS_MAX } else { CLAUSE_MAX };
    if text[span.clone()].chars().nth(max).is_some() {
        reading.dropped.push(Dropped { text: shown(&text[span]), why: Why::TooLong, rule });
        return;
    }
    let folded = &one.text()[first.clone()];
    let sentence = if ends.first.0 == ends.last.0 { &one.text()[first.start..last.end] } else { folded };
    let category = CATEGORIES[statement.category];
    let bracket = bracket(text, &span, ends.secrets, &borders);
    // "My salary is 5000 euros (do not save)".
    if Page::of(bracket.text).sentences.iter().any(|sentence| voices::unwanted(sentence).is_some()) {
        reading.dropped.push(Dropped { text: shown(&text[span]), why: Why::Unwanted, rule });
        reading.is_unwanted = true;
        return;
    }
    let is_now = tables.iter().any(|table| {
        table.session.is_match(folded)
            || table.session.is_match(&format!(" {} ", bracket.text.to_lowercase()))
    });
    let span = span.start..bracket.end;
    let mut kept = text[span.clone()].to_owned();
    let is_of_day = matches!(category, Category::Episodic | Category::Decision);
    let is_dated = (is_of_day || statement.asked) && !statement.is_corrected;
    // Of a day that is withdrawn, the clause after it names the new one.
    let range = match ends.first.0 == ends.last.0 && dated::withdraws(tables, folded) {
        true => first.start..last.end,
        false => first.clone(),
    };
    let day = is_dated.then(|| dated::find(tables, text, one, &range, said_on)).flatten();
    // Of what has no day of its own, a weekday is a habit: "the bin is collected on Thursday".
    let is_plain = |word: &Range<usize>| match dated::is_weekday(tables, &one.text()[word.clone()]) {
        true => is_of_day,
        false => !statement.asked || !dated::is_ambiguous(one.text(), word),
    };
    // "USA Today", but not "Today I …", and not a weekday.
    let is_title = |word: &Range<usize>| {
        let is_inside = word.start > 1 && !dated::is_weekday(tables, &one.text()[word.clone()]);
        is_inside && text[one.place(word)].starts_with(char::is_uppercase)
    };
    let day = day.filter(|(_, word)| is_plain(word) && !is_title(word));
    // The date may be stated in a bracket after the word, which folded text omits.
    let day = day.filter(|(_, word)| !dated::is_date_in_bracket(&text[one.place(word).end..]));
    if let Some((date, word)) = &day {
        kept.insert_str(one.place(word).end - span.start, &format!(" ({date})"));
    }
    // "Remember that the train leaves tomorrow": what is asked for with a day is of that day.
    let category = match category {
        Category::Preference if statement.asked && day.is_some() => Category::Episodic,
        category => category,
    };
    reading.candidates.push(Candidate {
        text: kept,
        span,
        category,
        importance: importance(category),
        confidence: statement.confidence,
        ended: ended::ended(folded).or_else(|| ended::ended(sentence)),
        corrects: statement.corrects,
        session_only: is_now && category == Category::Preference,
        is_confided: ends.is_confided,
        date: day.map(|(date, _)| date),
        rule,
    });
}

/// Returns a range of a folded sentence without the words without content at its ends; empty if it has no others. It begins
/// and ends with the spaces beside it.
pub(super) fn trimmed(
    message: &str,
    sentence: &Sentence,
    range: &Range<usize>,
    tables: &[&Compiled],
) -> Range<usize> {
    let text = without_accented(message, sentence);
    let mut first = trim::with_spaces(&text, range.clone());
    let mut last = first.clone();
    for table in tables {
        first = trim::trim_start(&text, first, &table.openers);
        last = trim::trim_end(&text, last, &table.closers);
    }
    first.start.max(last.start)..last.end.min(first.end)
}

/// Returns a folded sentence with the words masked that are other words by their accent: the Italian "è" is a verb, and "e" a
/// conjunction.
fn without_accented(message: &str, sentence: &Sentence) -> String {
    let mut at = 0;
    let mut masked = String::with_capacity(sentence.text().len());
    for token in sentence.text().split_inclusive(' ') {
        let word = at..at + token.trim_end().len();
        at += token.len();
        let is_accented = || !message[sentence.place(&word)].is_ascii();
        match token.trim_end() {
            "e" | "mas" if is_accented() => {
                masked.extend(std::iter::repeat_n('x', word.len()));
                masked.push_str(&token[word.len()..]);
            }
            _ => masked.push_str(token),
        }
    }
    masked
}

/// A bracket after a statement.
struct Bracket<'t> {
    /// The text in it; empty if there is none.
    text: &'t str,
    /// The end of the statement with it.
    end: usize,
}

/// Returns the short bracket that directly follows a statement on its line: "I work at Acme (the Leeds office)".
fn bracket<'t>(
    text: &'t str,
    span: &Range<usize>,
    secrets: &[secrets::Found],
    tables: &[&Compiled],
) -> Bracket<'t> {
    let none = Bracket { text: "", end: span.end };
    let rest = &text[span.end..];
    let (statement, next) = (&text[span.clone()], rest.chars().next());
    // Square brackets are no marks of folded text: the statement may end within them.
    if next == Some(']') && statement.matches('[').count() > statement.matches(']').count() {
        return Bracket { end: span.end + 1, ..none };
    }
    let start = rest.len() - rest.trim_start_matches([' ', '\u{A0}', '\u{3000}']).len();
    let closing = match rest[start..].chars().next() {
        Some('(' | '（') => [')', '）'],
        Some('[') => [']', ']'],
        _ => return none,
    };
    let open = span.end + start;
    let inner = open + text[open..].chars().next().map_or(0, char::len_utf8);
    let mut chars = text[inner..].char_indices().take(BRACKET_MAX + 1).take_while(|(_, c)| *c != '\n');
    let Some((at, mark)) = chars.find(|(_, c)| closing.contains(c)) else { return none };
    let end = inner + at + mark.len_utf8();
    let content = &text[inner..inner + at];
    let folded = format!(" {} ", content.to_lowercase());
    let is_empty = !content.contains(char::is_alphanumeric)
        || tables.iter().any(|table| table.closers.find(&folded).is_some_and(|found| found.start() == 0));
    let is_other = content.contains(['?', '？', '(', '[', '（', '"', '“', '„', '«', '「', '`'])
        || content.starts_with("redacted:")
        || mark == ']' && text[end..].starts_with('(')
        || holds(secrets, &(open..end))
        || text[span.start..end].chars().nth(CLAUSE_MAX).is_some();
    if is_empty || is_other { none } else { Bracket { text: content, end } }
}

/// Returns the importance of the statements of a category.
const fn importance(category: Category) -> f64 {
    match category {
        Category::Decision => 0.90,
        Category::Preference => 0.85,
        Category::Fact => 0.80,
        _ => 0.60,
    }
}
