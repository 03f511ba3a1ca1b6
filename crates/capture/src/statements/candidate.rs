//! Trims a statement and makes it a candidate, with its day and the bracket after it.

use std::ops::Range;
use std::sync::LazyLock;

use jiff::civil::Date;
use memtape_core::Category;
use memtape_core::safety::secrets;

use super::found::Found;
use crate::compiled::Compiled;
use crate::latin::Latin;
use crate::page::{Page, Sentence, is_unit};
use crate::tagger::CATEGORIES;
use crate::{
    CLAUSE_MAX, Candidate, Dropped, Reading, WEIGHT_MIN, Why, dated, ended, holds, shown, tables, trim,
    voices, weight,
};

/// The maximum length of what the speaker asked to remember, in characters.
const ASKED_CHARS_MAX: usize = 2_000;
/// The maximum length of a bracket at the end of a statement, in characters without the marks.
const BRACKET_MAX: usize = 60;

/// Words that limit a wish to a time, but a taste or a habit only to what it is one of: "I like jazz while I'm working".
#[rustfmt::skip]
const WHILES: &[&str] = &[
    "while ", "until ", "till ", "as long as ", "mientras ", "hasta ", "enquanto ", "ate ", "fino a", "finche ", "mentre ", "pendant ", "tant que ",
    "jusqu'", "solange ", "bis ", "до ",
];
/// How people tell what they like or do, rather than what somebody else is to do.
const TASTES: &str = concat!(
    r"^ (?:[a-z']+ )?(?:(?:i|we)(?: (?:really|also|just|usually|always|often|do|don't|never|can't|cannot|only|still|absolutely))* (?:like|love|hate|prefer|enjoy|dislike|stand|drink|eat|smoke|listen|read|sleep|work|watch|play|go|take|wear)",
    r"|(?:ich|wir) (?:mag|mögen|liebe|lieben|hasse|hassen|trinke|esse|rauche|höre|lese|schlafe|arbeite)",
    r"|(?:(?:a mi|no|non|nao|eu|yo|io|tambien|anche|tambem) )*(?:(?:me|mi) (?:gustan?|encantan?|piace|piacciono)|gosto|odio|odeio|detesto|adoro|amo|prefiero|prefiro|preferisco|bebo|bevo|como|mangio|fumo|leo|leio|leggo|escucho|ascolto|duermo|durmo|dormo|trabajo|lavoro|trabalho)",
    r"|(?:je |j')(?:n'|ne )?(?:aime|adore|deteste|prefere|bois|mange|fume|lis|ecoute|dors|travaille)|я (?:[^ ]+ )?(?:люблю|ненавижу|пью|ем|курю|слушаю|читаю|сплю|работаю)) ",
);
/// Words of a wish about the answers.
const ADDRESSED: &str = r" (?:you|your|answers?|repl(?:y|ies)|responses?|du|dich|dir|deine?|antwort(?:en)?|tu|tus|que me|respuestas?|ton|ta|tes|reponses?|rispost[ae]|voce|respostas?|ты|твои|ответы) ";

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
    let span = start.max(free)..with_unit(text, other.place(&last).end);
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
        is_for_now(table, folded) || table.session.is_match(&format!(" {} ", bracket.text.to_lowercase()))
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
        is_cut: text[span.end..].starts_with('…') || text[span.end..].starts_with("..."),
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

/// Returns the end of a statement with the sign after its last number: "I work 80 %", "my rent is 900 €".
fn with_unit(text: &str, end: usize) -> usize {
    let sign = text[end..].trim_start_matches([' ', '\u{A0}', '\u{202F}']);
    let unit =
        sign.chars().next().filter(|c| is_unit(*c) && text[..end].ends_with(|c: char| c.is_ascii_digit()));
    unit.map_or(end, |unit| text.len() - sign.len() + unit.len_utf8())
}

/// Returns whether a clause is a wish for now. "This time of year" is not.
pub(crate) fn is_for_now(table: &Compiled, clause: &str) -> bool {
    static TASTE: LazyLock<Latin> = LazyLock::new(|| Latin::of(TASTES));
    static TO_AGENT: LazyLock<Latin> = LazyLock::new(|| Latin::of(ADDRESSED));
    let Some(found) = table.session.find(clause) else { return false };
    let words = found.as_str().trim_start();
    let is_season = clause[found.end()..].starts_with("of ");
    let is_while = WHILES.iter().any(|begin| words.starts_with(begin));
    let is_taste = is_while && TASTE.is_match(clause) && !TO_AGENT.is_match(clause);
    !is_season && !is_taste
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
    // What is agreed on for a number of days is a term: "tickets are answered in 2 days".
    let is_term = CATEGORIES[statement.category] == Category::Decision
        && tables.iter().any(|table| table.is_span(&one.text()[word.clone()]));
    // Of what has no day of its own, a weekday is a habit: "the bin is collected on Thursday".
    let is_plain = match is_weekday {
        true => is_of_day,
        false => !statement.asked || !dated::is_ambiguous(one.text(), &word),
    };
    // "USA Today", but not "Today I …", and not a weekday.
    let is_title = !is_weekday && word.start > 1 && text[place.clone()].starts_with(char::is_uppercase);
    // The date may be stated in a bracket after the word, which folded text omits.
    let is_stated = dated::is_date_in_bracket(&text[place.end..]);
    (is_plain && !is_term && !is_title && !is_stated).then_some((date, word))
}

/// Returns a range of a folded sentence without the words without content at its ends; empty if it has no others. It begins
/// and ends with the spaces beside it.
pub(crate) fn trimmed(
    message: &str,
    sentence: &Sentence,
    range: &Range<usize>,
    tables: &[&Compiled],
) -> Range<usize> {
    let whole = trim::with_spaces(sentence.text(), range.clone());
    let text = without_accented(message, sentence, &whole);
    let mut first = 0..text.len();
    let mut last = first.clone();
    for table in tables {
        first = trim::trim_start(&text, first, &table.openers);
        last = trim::trim_end(&text, last, &table.closers);
    }
    whole.start + first.start.max(last.start)..whole.start + last.end.min(first.end)
}

/// Returns a part of a folded sentence with the words masked that are other words by their accent: the Italian "è" is a
/// verb, and "e" a conjunction.
fn without_accented(message: &str, sentence: &Sentence, part: &Range<usize>) -> String {
    let mut at = part.start;
    let mut masked = String::with_capacity(part.len());
    for token in sentence.text()[part.clone()].split_inclusive(' ') {
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
