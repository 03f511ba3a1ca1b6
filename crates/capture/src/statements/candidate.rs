//! Trims a statement and makes it a candidate, with its day and the bracket after it.

use std::ops::Range;

use jiff::civil::Date;
use memtape_core::Category;
use memtape_core::safety::secrets;

use super::found::Found;
use crate::compiled::Compiled;
use crate::page::{Page, Sentence};
use crate::tagger::CATEGORIES;
use crate::{
    CLAUSE_MAX, Candidate, Dropped, Reading, WEIGHT_MIN, Why, dated, ended, holds, shown, tables, trim,
    voices, weight,
};

/// The maximum length of what the speaker asked to remember, in characters.
const ASKED_CHARS_MAX: usize = 2_000;
/// The maximum length of a bracket at the end of a statement, in characters without the marks.
const BRACKET_MAX: usize = 60;

/// The ends of a statement: sentences and ranges in their folded texts.
pub(super) struct Ends<'s> {
    pub(super) sentences: &'s [Sentence],
    pub(super) secrets: &'s [secrets::Found],
    pub(super) first: (usize, Range<usize>),
    pub(super) last: (usize, Range<usize>),
    pub(super) is_confided: bool,
}

/// Trims a statement and adds it as a candidate, or as dropped if it is too long.
pub(super) fn add(
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
    let start = one.place(&first).start;
    // It begins in the brackets that the statement before it has taken.
    if start < free && text[start..free].contains(char::is_whitespace) {
        return;
    }
    let span = start.max(free)..other.place(&last).end;
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
    let day = day_of(text, ends, statement, [&first, &last], tables, said_on);
    if let Some((date, word)) = &day {
        kept.insert_str(one.place(word).end - span.start, &format!(" ({date})"));
    }
    // "Remember that the train leaves tomorrow": what is asked for with a day is of that day.
    let category = match CATEGORIES[statement.category] {
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

/// Returns the day that a statement names, and the range of its word in the first sentence. `first` and `last` are the trimmed
/// ends.
fn day_of(
    text: &str,
    ends: &Ends<'_>,
    statement: &Found,
    [first, last]: [&Range<usize>; 2],
    tables: &[&Compiled],
    said_on: Date,
) -> Option<(Date, Range<usize>)> {
    let one = &ends.sentences[ends.first.0];
    let is_of_day = matches!(CATEGORIES[statement.category], Category::Episodic | Category::Decision);
    if statement.is_corrected || !is_of_day && !statement.asked {
        return None;
    }
    // Of a day that is withdrawn, the clause after it names the new one.
    let range = match ends.first.0 == ends.last.0 && dated::withdraws(tables, &one.text()[first.clone()]) {
        true => first.start..last.end,
        false => first.clone(),
    };
    let (date, word) = dated::find(tables, text, one, &range, said_on)?;
    let place = one.place(&word);
    let is_weekday = dated::is_weekday(tables, &one.text()[word.clone()]);
    // Of what has no day of its own, a weekday is a habit: "the bin is collected on Thursday".
    let is_plain = match is_weekday {
        true => is_of_day,
        false => !statement.asked || !dated::is_ambiguous(one.text(), &word),
    };
    // "USA Today", but not "Today I …", and not a weekday.
    let is_title = !is_weekday && word.start > 1 && text[place.clone()].starts_with(char::is_uppercase);
    // The date may be stated in a bracket after the word, which folded text omits.
    let is_stated = dated::is_date_in_bracket(&text[place.end..]);
    (is_plain && !is_title && !is_stated).then_some((date, word))
}

/// Returns a range of a folded sentence without the words without content at its ends; empty if it has no others. It begins
/// and ends with the spaces beside it.
pub(crate) fn trimmed(
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
