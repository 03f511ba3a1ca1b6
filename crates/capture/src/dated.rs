//! Finds the word for a day in a statement, unless another date or an offset beside it states another day.

use std::ops::Range;
use std::sync::LazyLock;

use jiff::civil::Date;
use regex::Regex;

use super::compiled::Compiled;
use super::page::Sentence;
use super::tables;

/// The names of the months, folded, in all languages alike.
const MONTH: &str = concat!(
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december",
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|januar|jänner|februar|märz|maerz|mai|juni|juli|oktober|dezember|okt|dez",
    r"|janvier|fevrier|mars|avril|juin|juillet|aout|septembre|octobre|novembre|decembre",
    r"|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre",
    r"|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|janeiro|fevereiro|marco|abril|maio|junho|julho|setembro|outubro|novembro|dezembro",
    r"|января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря)",
);
/// A date, with a day of the month.
const DATE: &str = concat!(
    r"(?:(?:the|on|dem|den|der|am|le|el|al|dia) )*(?:[0-9]{1,2}(?:st|nd|rd|th|er|\.)?(?: of| de)? {month}\b",
    r"|{month}\.? (?:the )?[0-9]{1,2}\b|[0-9]{1,2}(?:st|nd|rd|th)\b|[0-9]{1,2}\.(?: |$)",
    r"|(?:the|dem|den|le|dia|il) [0-9]{1,2}\b|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}/[0-9]{1,2}|[0-9]{1,2}\.(?:1[0-2]|0?[1-9])(?:\D|$)",
    r"|the (?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|[a-z]+teenth|twentieth|thirtieth|(?:twen|thir)ty-[a-z]+(?:st|nd|rd|th)) ",
    r"|[0-9]{1,2}-(?:го|е)\b|[0-9]{1,2} ?[月号日])",
);
/// A number of weeks, months or years.
const SPAN: &str = concat!(
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|fourteen|few|of|several|every|einer?|einem|zwei|drei|vier|fünf|sechs",
    r"|acht|zehn|vierzehn|une?|deux|trois|quatre|quinze|dos|tres|cuatro|quince|due|tre|quattro|quindici|dois|duas|quatro|одну|две|два|три|четыре|[0-9]+) ",
    r"(?:days?|weeks?|fortnights?|months?|years?|tagen?|wochen?|monat(?:en)?|jahr(?:en)?|semanas?|mes|meses|anos?|semaines?|mois|ans?|settiman[ae]|mes[ei]|ann[oi]|недел[юиь]|месяца?|месяцев|года?|лет)",
);
/// What follows a day word that does not mean its own day: "on Monday two weeks ago", "heute in einer Woche".
const AFTER: &str = concat!(
    r"^(?:[,、]? ?)(?:{date}|{span} (?:ago|from|hence|later|earlier|before|after)\b|(?:in|vor|hace|il y a|dans|en|(?:de )?dentro de|de|fra|tra|daqui a|через) {span}\b|{span} (?:fa|назад)\b",
    r"|(?:at |by )?the end of|(?:am )?ende |(?:a |al )?(?:fin|final)(?:es)? de|(?:a la )?fin du|月底|week\b|en (?:huit|quinze|ocho)\b)",
);
/// What precedes such a word: "a week from" today, "a year ago" today.
const BEFORE: &str = concat!(
    r"(?:{span} (?:ago|from|after|before|since|nach|vor|ab)|(?:in|vor|hace|il y a|dans|en|dentro de|fra|tra|daqui a|через) {span}(?: ,)?|{span} (?:fa|назад)",
    r"|(?:周|周间|星期|礼拜|月|年)之?[前后][的の]?|[0-9]{1,2} ?[号日]の?|(?:来月|先月|月末)の) ?$",
);
/// The maximum number of bytes before and after a word that are examined.
const BESIDE: usize = 200;
/// What precedes a day word with a preposition: "a week" on Monday.
const BEFORE_ON: &str = r" {span} $";

/// The day of what is not, or no longer, on that day: "the meeting is no longer on Friday".
const WITHDRAWN: &str = concat!(
    r" (?:no longer|not|isn't|nicht(?: mehr)?|ya no|no(?: (?:es|fue|era|sera|son|el|este|on))|plus|pas|non(?: (?:e|sara|era))?(?: piu)?|piu|(?:ja )?nao(?: (?:e|foi|sera|mais))*|больше не|уже не|не)(?: (?:is|es|fue|era|sera|son|est|e))?",
    r"(?: (?:on|am|el|le|the|this|next|este|in|de|na|no|в|во))* ([^ ]+)",
    r"|不再?[是在]((?:周|星期|礼拜)[一二三四五六日天])|([月火水木金土日]曜日?)(?:では|じゃ)な[いく]",
);

/// Words for what happens again and again, so that a weekday beside them is no single day.
static HABIT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r" (?:always|every|each|usually|normally|regularly|day off|days off|immer|jeden|jede|jedes|normalerweise|meistens|regelmässig|freier tag",
        r"|siempre|cada|normalmente|generalmente|todos los|todas las|dia libre|toujours|chaque|tous les|toutes les|d'habitude|normalement",
        r"|jour de repos|sempre|ogni|tutti i|di solito|giorno libero|todos os|todas as|dia de folga|всегда|каждыи|каждую|каждое|обычно|выходнои|mai|nunca|никогда) ",
    ))
});

fn pattern(pattern: &str) -> Regex {
    let pattern = pattern.replace("{date}", DATE).replace("{month}", MONTH).replace("{span}", SPAN);
    Regex::new(&pattern).expect("a pattern")
}

/// Returns the day that the words of a part of a sentence mean, and their range in the folded sentence; `None` if they
/// mean none, or if the words beside them state another. `message` is the text of the sentence.
pub(super) fn find(
    tables: &[&Compiled],
    message: &str,
    sentence: &Sentence,
    part: &Range<usize>,
    said_on: Date,
) -> Option<(Date, Range<usize>)> {
    static AFTER_WORD: LazyLock<Regex> = LazyLock::new(|| pattern(AFTER));
    static BEFORE_WORD: LazyLock<Regex> = LazyLock::new(|| pattern(BEFORE));
    static BEFORE_PREPOSITION: LazyLock<Regex> = LazyLock::new(|| pattern(BEFORE_ON));
    let text = sentence.text();
    let clause = without_withdrawn(tables, &text[part.clone()]);
    let (date, word) = tables.iter().find_map(|table| {
        let verbs = without_names(message, sentence, part, table.language.is_preterite);
        table.day(&clause, &verbs, said_on)
    })?;
    let date = date?;
    let word = part.start + word.start..part.start + word.end;
    let after = text[word.end..].trim_start();
    let before = before(text, &word);
    let begins = text[word.clone()].trim_start();
    let has_preposition = ["on ", "am ", "el "].iter().any(|preposition| begins.starts_with(preposition));
    // "Friday in 14 days" is not 14 days from now.
    let is_span = begins.contains(|c: char| c.is_ascii_digit())
        || ["in ", "vor ", "dans ", "il y a ", "fra ", "tra ", "daqui a ", "через "]
            .iter()
            .any(|word| begins.starts_with(word));
    let last = before.trim_end().rsplit(' ').next().unwrap_or_default();
    let is_other = AFTER_WORD.is_match(after)
        || is_span && is_weekday(tables, last)
        || BEFORE_WORD.is_match(before)
        || has_preposition && BEFORE_PREPOSITION.is_match(before);
    let is_of_week = tables.iter().any(|table| table.names_days(&text[word.clone()]) > 0);
    let is_habit = is_of_week && HABIT.is_match(clause_of(text, &word));
    (!is_other && !is_habit).then_some((date, word))
}

/// Returns the next day of the first weekday in a part of a folded sentence, and the range of its word.
pub(super) fn find_weekday(
    tables: &[&Compiled],
    sentence: &Sentence,
    part: &Range<usize>,
    said_on: Date,
) -> Option<(Date, Range<usize>)> {
    let mut at = part.start;
    for token in sentence.text()[part.clone()].split_inclusive(' ') {
        let word = token.trim_end();
        if let Some(weekday) = tables.iter().find_map(|table| table.weekday(word)) {
            return Some((said_on.nth_weekday(1, weekday).ok()?, at..at + word.len()));
        }
        at += token.len();
    }
    None
}

/// Returns a clause with the days masked that it denies: that of "no longer on Friday, it's on Saturday".
fn without_withdrawn(tables: &[&Compiled], clause: &str) -> String {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| pattern(WITHDRAWN));
    let mut masked = clause.to_owned();
    for found in PATTERN.captures_iter(clause) {
        let is_meant = |day: &regex::Match<'_>| is_day(tables, day.as_str());
        let day = found.get(1).filter(is_meant).or(found.get(2)).or(found.get(3));
        if let Some(day) = day {
            masked.replace_range(day.range(), &"x".repeat(day.len()));
        }
    }
    masked
}

/// Returns whether a clause denies a day: "the meeting is no longer on Friday".
pub(super) fn withdraws(tables: &[&Compiled], clause: &str) -> bool {
    without_withdrawn(tables, clause) != clause
}

/// Returns whether a folded word is that of a day.
pub(super) fn is_day(languages: &[&Compiled], word: &str) -> bool {
    tables::is_day(word) || languages.iter().any(|language| language.weekday(word).is_some())
}

/// Returns whether a folded word is the name of a month.
pub(super) fn is_month(word: &str) -> bool {
    static NAMES: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("^{MONTH}$")));
    NAMES.is_match(word)
}

/// Returns a part of a folded sentence with the words masked that have a capital letter within it: nouns in German, and
/// names. None of them is a verb: "Unterricht", "Verwandten". The verbs that `is_preterite` tells are masked by capitals.
fn without_names(
    message: &str,
    sentence: &Sentence,
    part: &Range<usize>,
    is_preterite: fn(&str) -> bool,
) -> String {
    let text = &sentence.text()[part.clone()];
    let mut at = part.start;
    let mut is_first = true;
    let mut masked = String::with_capacity(text.len());
    for token in text.split_inclusive(' ') {
        let word = at..at + token.trim_end().len();
        at += token.len();
        let is_word = !word.is_empty();
        let written = &message[sentence.place(&word)];
        if is_word && !is_first && written.starts_with(char::is_uppercase) {
            masked.extend(std::iter::repeat_n('x', word.len()));
            masked.push_str(&token[word.len()..]);
        } else if is_word && is_preterite(&written.to_lowercase()) {
            masked.extend(std::iter::repeat_n('X', word.len()));
            masked.push_str(&token[word.len()..]);
        } else {
            masked.push_str(token);
        }
        is_first &= !is_word;
    }
    masked
}

/// Returns what stands before a word in a sentence, up to [`BESIDE`] bytes.
fn before<'t>(text: &'t str, word: &Range<usize>) -> &'t str {
    let start = text.floor_char_boundary(word.start.saturating_sub(BESIDE));
    &text[start..word.start + usize::from(text[word.start..].starts_with(' '))]
}

/// Returns the clause of a sentence that a word stands in, with a space at either end.
fn clause_of<'t>(text: &'t str, word: &Range<usize>) -> &'t str {
    const ENDS: [&str; 9] = [" , ", " : ", " - ", " and ", " und ", " y ", " et ", " e ", " и "];
    let start_of_text = text.floor_char_boundary(word.start.saturating_sub(BESIDE));
    let before = before(text, word);
    let start = ENDS.iter().filter_map(|end| Some(start_of_text + before.rfind(end)? + end.len() - 1)).max();
    let after = &text[word.end..text.floor_char_boundary(word.end + BESIDE)];
    let end = ENDS.iter().filter_map(|end| after.find(end)).min();
    &text[start.unwrap_or(start_of_text)..end.map_or(word.end + after.len(), |end| word.end + end + 1)]
}

/// Returns whether a word for a day may be one for a time of day or a habit: "am Morgen", "de mañana", "today and always".
pub(super) fn is_ambiguous(text: &str, word: &Range<usize>) -> bool {
    // A pattern may begin within the word before.
    let mut words = text[..word.end].rsplit(' ').filter(|word| !word.is_empty());
    let before = words.nth(1).unwrap_or_default();
    const BEFORE: [&str; 12] =
        ["am", "jeden", "guten", "jedem", "de", "la", "las", "the", "every", "each", "por", "di"];
    let start = text.floor_char_boundary(word.start.saturating_sub(BESIDE));
    let end = text.floor_char_boundary(word.end + BESIDE);
    BEFORE.contains(&before) || HABIT.is_match(&text[start..end])
}

/// Returns whether a word for a day is that of a weekday.
pub(super) fn is_weekday(tables: &[&Compiled], word: &str) -> bool {
    tables.iter().any(|table| table.weekdays.iter().any(|day| day.is_match(word)))
}

/// Returns whether a text begins with a bracket that states a date.
pub(super) fn is_date_in_bracket(text: &str) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*[(（\[]{date}"));
    // A date is found within the first characters.
    let start: String = text.chars().take(40).flat_map(char::to_lowercase).collect();
    PATTERN.is_match(&start)
}
