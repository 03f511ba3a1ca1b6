//! A message as its writer's own sentences, folded for the patterns.
//!
//! Lines that are not the writer's own talk ([`paste`](super::paste)) are left out. A quotation becomes the
//! mark `"`, and a long one ends the sentence. Text in parentheses is skipped. [`language`](super::language)
//! describes the format of folded text.
//!
//! **Invariant.** Each byte of a folded sentence has a position in the message, at a character boundary.

use std::borrow::Cow;
use std::ops::Range;

use memtape_language::fold;
use memtape_language::han::is_han;
use unicode_normalization::char::is_combining_mark;

use super::paste::{self, Line};
use super::quotes::{aside, is_long, quotation};
use super::{Dropped, Why, shown};

/// Abbreviations: words after which a full stop does not end the sentence.
#[rustfmt::skip]
const ABBREVIATIONS: &[&str] = &[
    "mr", "mrs", "ms", "dr", "prof", "st", "vs", "e.g", "i.e", "approx", "z.b", "z", "d.h", "bzw", "ca",
    "nr", "inkl", "evtl", "ggf", "bspw", "u.a", "str", "tel", "sr", "sra", "dra", "p.ej", "mme", "ud", "uds",
    "av", "hr", "mlle", "m", "sig", "sig.ra", "frl", "г", "ул", "им", "пер", "просп", "наб", "пл", "ft", "mt", "geb",
    "lt", "bzgl", "zzgl", "vgl", "usw", "dipl", "fa", "avda", "srta", "srtas", "sres", "ee", "dto", "bd", "mons", "ste", "avv", "dott", "ing", "exmo", "std",
];
/// Abbreviations before a number or a letter: "customer no. 55", "apt. 5b", "vit. D", "Jan. 5".
#[rustfmt::skip]
const NUMBERED: &[&str] = &[
    "no", "nos", "num", "n", "ext", "apt", "vol", "fig", "p", "pp", "rm", "art", "abs", "kap", "vit", "int",
    "dept", "min", "depto", "dpto", "pag", "pags", "acct", "apdo", "cap",
    "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "okt", "dez", "abr", "dic", "fev", "janv", "fevr",
    "avr", "juil",
];
/// Units that are abbreviations in names of places too: "5 ft", "Ft. Worth".
const UNITS: [&str; 3] = ["m", "ft", "mt"];
/// The first letters of German month names, before which a number with a full stop is a day.
const MONTHS: [&str; 13] =
    ["jan", "feb", "mär", "mae", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "dez"];

/// German words after which a number with a full stop is an ordinal.
const BEFORE_DAYS: [&str; 16] = [
    "am", "der", "die", "das", "den", "dem", "des", "vom", "zum", "zur", "bis", "ab", "seit", "im", "beim",
    "jeden",
];
/// Words that begin a sentence about the speaker, also after an abbreviation.
const SUBJECTS: [&str; 18] = [
    "i ", "i'm ", "i've ", "we ", "we're ", "my ", "our ", "ich ", "wir ", "mein ", "meine ", "je ", "j'",
    "mon ", "ma ", "yo ", "mi ", "я ",
];
/// Abbreviations after which a sentence may end, but not before a small letter or a number.
#[rustfmt::skip]
const MAY_END: &[&str] = &[
    "inc", "ltd", "corp", "co", "jr", "sr", "rd", "ave", "blvd", "univ", "mo", "mi", "fr", "sa", "r", "d", "uu", "max", "mind", "env", "aprox",
    "д", "кв", "корп", "стр", "обл", "тыс", "млн", "млрд", "руб", "коп",
];

/// The maximum length of an item of a list without bullets, in characters, and the marks that end a sentence or a head instead.
const ITEM_CHARS: usize = 60;
const ITEM_ENDS: &[char] = &['.', '!', '?', ':', '。', '！', '？', '：', '…'];
/// First words of a line after such a list.
#[rustfmt::skip]
const NO_ITEMS: &[&str] = &[
    "thanks", "thank", "thx", "cheers", "also", "and", "now", "then", "please", "ok", "okay", "danke", "und", "jetzt", "dann", "bitte", "gracias",
    "ahora", "y", "merci", "maintenant", "et", "grazie", "ora", "obrigado", "obrigada", "agora", "спасибо", "теперь", "и", "谢谢",
    "ありがとう",
];

/// A parsed message.
pub(super) struct Page {
    pub(super) sentences: Vec<Sentence>,
    /// The parts that are not the writer's own talk, in order.
    masks: Vec<(Range<usize>, Why)>,
}

/// A folded sentence.
pub(super) struct Sentence {
    folded: String,
    /// For each byte, the start and end of its character in the message.
    places: Vec<(usize, usize)>,
    /// Whether the sentence ends with a question mark.
    pub(super) asked: bool,
    /// Whether it is an item of a list.
    pub(super) is_item: bool,
}

impl Sentence {
    /// Returns the folded text, which begins and ends with a space.
    pub(super) fn text(&self) -> &str {
        &self.folded
    }

    /// Returns the position of the sentence in the message, without the spaces around it.
    pub(super) fn range(&self) -> Range<usize> {
        self.place(&(0..self.folded.len()))
    }

    /// Returns the position in the message of a range of the folded text, without the spaces around it.
    pub(super) fn place(&self, range: &Range<usize>) -> Range<usize> {
        let part = &self.folded[range.clone()];
        let start = range.end - part.trim_start().len();
        let end = range.start + part.trim_end().len();
        if start >= end { 0..0 } else { self.places[start].0..self.places[end - 1].1 }
    }
}

impl Page {
    /// Parses a message.
    pub(super) fn of(text: &str) -> Page {
        let mut folder = Folder::default();
        let mut masks: Vec<(Range<usize>, Why)> = Vec::new();
        let lines = paste::lines(text);
        let listed = listed(text, &lines);
        for (Line { range, why, is_item }, is_listed) in lines.into_iter().zip(listed) {
            match why {
                // Merge adjacent lines that are dropped for the same reason.
                Some(why) => match masks.last_mut() {
                    Some((last, reason)) if *reason == why && range.start <= last.end + 2 => {
                        last.end = range.end;
                    }
                    _ => masks.push((range, why)),
                },
                None => {
                    folder.is_item = is_item || is_listed;
                    folder.line(text, range, &mut masks);
                }
            }
        }
        Page { sentences: folder.sentences, masks }
    }

    /// Returns the message with a space in place of each part that is not the writer's own talk.
    pub(super) fn own<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.masks.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut own = String::with_capacity(text.len());
        let mut at = 0;
        for (range, _) in &self.masks {
            own.push_str(&text[at..range.start.max(at)]);
            own.push(' ');
            at = range.end.max(at);
        }
        own.push_str(&text[at..]);
        Cow::Owned(own)
    }

    /// Returns whether a part between two positions is not the writer's own talk.
    pub(super) fn is_foreign_between(&self, start: usize, end: usize) -> bool {
        self.masks.iter().any(|(range, _)| start <= range.start && range.end <= end)
    }

    /// Returns whether a position is in a part that is not the writer's own talk.
    pub(super) fn is_foreign_at(&self, at: usize) -> bool {
        self.masks.iter().any(|(range, _)| range.contains(&at))
    }

    /// Returns the parts that are not the writer's own talk.
    pub(super) fn dropped(&self, text: &str) -> Vec<Dropped> {
        let dropped = |(range, why): &(Range<usize>, Why)| Dropped {
            text: shown(&text[range.clone()]),
            why: *why,
            rule: String::new(),
        };
        self.masks.iter().map(dropped).collect()
    }
}

/// Returns for each line whether it is an item of a list without bullets: one of several short lines, none of which ends a
/// sentence, directly after a line that ends with a colon.
fn listed(text: &str, lines: &[Line]) -> Vec<bool> {
    let said = |line: &Line| text[line.range.clone()].trim();
    let is_plain = |line: &Line| line.why.is_none() && !line.is_item;
    let may_be_listed = |line: &&Line| {
        let said = said(line);
        is_plain(line)
            && !said.is_empty()
            && said.chars().nth(ITEM_CHARS).is_none()
            && !said.ends_with(ITEM_ENDS)
            && !said.split([' ', ',']).next().is_some_and(|first| NO_ITEMS.contains(&&*first.to_lowercase()))
    };
    let mut listed = vec![false; lines.len()];
    for (head, _) in lines.iter().enumerate().filter(|(_, line)| said(line).ends_with([':', '：'])) {
        let count = lines[head + 1..].iter().take_while(may_be_listed).count();
        if count > 1 {
            listed[head + 1..=head + count].fill(true);
        }
    }
    listed
}

/// Returns the numbers of a list within a line, with their marks: "1. I hate mushrooms 2. My car is a Golf".
fn numbers(line: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    // The last sign before a number, and whether only white space has followed it.
    for (at, _) in line.match_indices(['.', ')', '、']) {
        let next = found.len() + 1;
        let number = next.to_string();
        let Some(before) = line[..at].strip_suffix(&number) else { continue };
        let begins =
            before.is_empty() || before.ends_with(|c: char| c.is_whitespace() || "：:，。".contains(c));
        let end = at + line[at..].chars().next().map_or(0, char::len_utf8);
        let rest = &line[end..];
        let goes_on = rest.starts_with(|c: char| c.is_whitespace() || is_han(c))
            && rest.trim_start().starts_with(char::is_alphabetic);
        // "On May 1. I fly" is no list, and neither is a number at the end.
        let is_list = next > 1 || before.trim_end().is_empty() || before.trim_end().ends_with([':', '：']);
        if begins && goes_on && is_list {
            found.push(before.len()..end);
        }
    }
    if found.len() > 1 { found } else { Vec::new() }
}

/// Returns the length of the marker of a redacted secret at the start of a text; `None` if there is none.
fn marker(text: &str) -> Option<usize> {
    text.starts_with("[redacted:").then(|| text.find(']'))?.map(|end| end + 1)
}

/// Builds folded sentences from lines.
#[derive(Default)]
struct Folder {
    sentences: Vec<Sentence>,
    folded: String,
    places: Vec<(usize, usize)>,
    /// Whether the sentence has a letter or a quotation.
    says: bool,
    /// Whether the next characters may still belong to the end of the last sentence.
    ending: bool,
    /// Whether the sentence is an item of a list.
    is_item: bool,
}

impl Folder {
    fn line(&mut self, text: &str, range: Range<usize>, masks: &mut Vec<(Range<usize>, Why)>) {
        let line = &text[range.clone()];
        // Opening marks without a closing mark on this line, so that each is searched for only once.
        let mut unclosed: Vec<char> = Vec::new();
        let mut skip_to = 0;
        let mut numbers = numbers(line).into_iter().peekable();
        for (at, c) in line.char_indices() {
            if let Some(number) = numbers.next_if(|number| number.start <= at) {
                self.end(false);
                self.is_item = true;
                skip_to = skip_to.max(number.end);
            }
            if at < skip_to {
                continue;
            }
            let start = range.start + at;
            let before = line[..at].chars().next_back();
            let rest = &line[at + c.len_utf8()..];
            let place = (start, start + c.len_utf8());
            if let Some((end, why)) = quotation(c, before, rest, &mut unclosed) {
                let end = at + c.len_utf8() + end;
                let is_long = is_long(&line[at..end]);
                if is_long {
                    masks.push((start..range.start + end, why));
                }
                self.mark('"', (start, range.start + end));
                self.says = true;
                self.ending = false;
                if is_long {
                    self.end(false);
                }
                skip_to = end;
            } else if let Some(length) = marker(&line[at..]) {
                self.mark('"', (start, start + length));
                skip_to = at + length;
            } else if let Some(end) = aside(c, &line[..at], rest, &mut unclosed) {
                self.space(place);
                skip_to = at + c.len_utf8() + end;
            } else {
                self.char(c, before, rest, place);
            }
        }
        self.end(false);
        self.ending = false;
    }

    fn char(&mut self, c: char, before: Option<char>, rest: &str, place: (usize, usize)) {
        let next = rest.chars().next();
        let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        match c {
            c if c.is_alphanumeric() || is_combining_mark(c) => self.letter(c, place),
            '+' | '#' | '_' | '@' | '&' | '/' | '=' => self.push(c, place),
            c if is_unit(c) => self.push(c, place),
            // "I run ~5 km": before a number, it means "about".
            '~' | '～' if is_digit(next) && !before.is_some_and(char::is_alphabetic) => self.push(c, place),
            '\'' | '’' | '‘' | '´' | 'ʼ' if joins(before) || joins(next) => self.push('\'', place),
            '-' | '\u{2010}' | '\u{2011}' if joins(before) && joins(next) => self.push('-', place),
            '.' if joins(next) && (joins(before) || self.folded.is_empty()) => self.push('.', place),
            // No sentence ends before a comma: "on Mon., Wed. and Fri.", "3.12., then".
            '.' if joins(before) && (rest.starts_with([',', ';', ':']) || self.is_abbreviated(rest)) => {
                self.push('.', place);
            }
            ',' | ':' if is_digit(before) && is_digit(next) => self.push(c, place),
            ':' if rest.starts_with("//") => self.push(c, place),
            '?' | '？' => self.end(true),
            // The Japanese dot separates the words of a name, and also begins an item.
            '・' if joins(before) && joins(next) => self.push(c, place),
            '.' | '!' | ';' | '…' | '。' | '！' | '；' | '｡' | '~' | '～' | '¿' | '¡' | '•' | '·' | '・'
            | '⋯' => {
                self.end(false);
            }
            ',' | '，' => self.mark(',', place),
            // This comma separates the items of a list, never clauses.
            '、' => self.push(c, place),
            ':' | '：' => self.mark(':', place),
            '-' | '–' | '—' | '―' => self.mark('-', place),
            c if c.is_whitespace() => self.space(place),
            '\u{AD}'
            | '\u{200B}'..='\u{200F}'
            | '\u{2060}'..='\u{2064}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}' => {}
            c if c.is_ascii() || c < '\u{2000}' => self.space(place),
            c => self.emoji(c, place),
        }
    }

    fn push(&mut self, c: char, place: (usize, usize)) {
        if self.folded.is_empty() {
            self.space(place);
        }
        self.folded.push(c);
        self.places.resize(self.folded.len(), place);
    }

    fn space(&mut self, place: (usize, usize)) {
        if !self.folded.ends_with(' ') {
            self.folded.push(' ');
            self.places.push(place);
        }
    }

    fn mark(&mut self, c: char, place: (usize, usize)) {
        self.space(place);
        self.push(c, place);
        self.space(place);
    }

    fn letter(&mut self, c: char, place: (usize, usize)) {
        self.says = true;
        self.ending = false;
        if c.is_ascii() {
            self.push(c.to_ascii_lowercase(), place);
            return;
        }
        for c in c.to_lowercase() {
            match c {
                '\u{308}' if self.folded.ends_with(['a', 'o', 'u']) => self.umlaut(place),
                c => fold::letter(c, |c| self.push(c, place)),
            }
        }
    }

    /// Combines the last vowel with a diaeresis that was written as a separate character.
    fn umlaut(&mut self, place: (usize, usize)) {
        let start = self.places.last().map_or(place.0, |first| first.0);
        let vowel = match self.folded.pop() {
            Some('a') => 'ä',
            Some('o') => 'ö',
            _ => 'ü',
        };
        self.places.truncate(self.folded.len());
        self.push(vowel, (start, place.1));
    }

    /// Handles an emoji: it ends the sentence and is appended to it, so that gates see it.
    fn emoji(&mut self, c: char, place: (usize, usize)) {
        if !self.says && self.ending {
            if let Some(last) = self.sentences.last_mut() {
                last.folded.push(c);
                last.folded.push(' ');
                last.places.resize(last.folded.len(), place);
            }
            return;
        }
        self.mark(c, place);
        self.end(false);
    }

    fn end(&mut self, asked: bool) {
        if self.says {
            let at = self.places.last().map_or(0, |place| place.1);
            self.space((at, at));
            let (folded, places) = (std::mem::take(&mut self.folded), std::mem::take(&mut self.places));
            self.sentences.push(Sentence { folded, places, asked, is_item: self.is_item });
            self.ending = true;
        } else {
            if self.ending
                && asked
                && let Some(last) = self.sentences.last_mut()
            {
                last.asked = true;
            }
            self.folded.clear();
            self.places.clear();
        }
        self.says = false;
    }

    /// Returns whether a full stop at this place does not end the sentence.
    fn is_abbreviated(&self, rest: &str) -> bool {
        let word = self.folded.rsplit(' ').next().unwrap_or_default();
        let next = rest.trim_start();
        // "I live on Main St. I have diabetes"
        let begin: String = next.chars().take(12).flat_map(char::to_lowercase).collect();
        if rest.starts_with(' ') && SUBJECTS.iter().any(|subject| begin.starts_with(subject)) {
            return false;
        }
        let mut words = self.folded[..self.folded.len() - word.len()].trim_end().rsplit(' ');
        let before = words.next();
        let before_that = words.next();
        // "z. B.", "i. d. R.", "GmbH & Co. KG"
        let is_letter = |word: &str| word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
        let goes_on = before.is_some_and(|before| {
            is_letter(word) && before.strip_suffix('.').is_some_and(is_letter)
                || before == "&" && MAY_END.contains(&word)
        });
        if goes_on && !next.is_empty() {
            return true;
        }
        if UNITS.contains(&word)
            && before.is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit()))
        {
            return false;
        }
        if word.len() <= 2 && word.bytes().all(|b| b.is_ascii_digit()) {
            let next: String = next.chars().take(3).flat_map(char::to_lowercase).collect();
            // "Am 1. und 15. jedes Monats"
            let is_second = before.is_some_and(|before| matches!(before, "und" | "oder" | "bis"))
                && before_that.is_some_and(is_ordinal);
            // "I am 40." has no ordinal.
            let is_day =
                before.is_some_and(|before| BEFORE_DAYS.contains(&before)) && before_that != Some("i");
            let is_ordinal = is_second || is_day;
            // "3.12.-10.12."
            let is_range =
                rest.starts_with(['-', '–']) && rest.chars().nth(1).is_some_and(|c| c.is_ascii_digit());
            return is_range || rest.starts_with(' ') && (is_ordinal || MONTHS.contains(&next.as_str()));
        }
        // "3.12.-10.12.", "am 7.4. Geburtstag"
        let is_date = is_day_and_month(word);
        if is_date
            && (rest.starts_with(['-', '–']) || before.is_some_and(|before| BEFORE_DAYS.contains(&before)))
            && !next.is_empty()
        {
            return true;
        }
        // "Bergstr. 12", with a name before it.
        let is_numbered =
            NUMBERED.contains(&word) || word.ends_with("str") || word.len() > 3 && word.ends_with("nr");
        let begins = |class: fn(char) -> bool| next.starts_with(class) && rest.starts_with(' ');
        let is_letter = word == "vit" && begins(char::is_uppercase);
        if is_numbered && (begins(|c| c.is_ascii_digit()) || is_letter) {
            return true;
        }
        let is_weekday = ["am ", "und ", "bis ", "von "].iter().any(|word| begin.starts_with(word));
        let is_title =
            word == "fr" && next.starts_with(char::is_uppercase) && rest.starts_with(' ') && !is_weekday;
        if is_title {
            return true;
        }
        let is_within = match MAY_END.contains(&word) {
            true => next.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit()),
            false => word.contains('.') && next.starts_with(char::is_lowercase),
        };
        is_within || ABBREVIATIONS.contains(&word) && !next.is_empty()
    }
}

/// Returns whether a character is a sign beside a number or a name, rather than an emoji: "€500", "№ 5", "20 ℃", "Acme™".
pub(super) fn is_unit(c: char) -> bool {
    matches!(c, '%' | '$' | '°' | '£' | '¥' | '\u{20A0}'..='\u{20CF}' | '＄' | '￡' | '￥' | '￦' | '\u{2100}'..='\u{214F}' | '‰'..='″' | '≈' | '≤' | '≥')
}

/// Returns whether a word is an ordinal number with its full stop: "1.".
fn is_ordinal(word: &str) -> bool {
    word.strip_suffix('.')
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// Returns whether a word is a day and a month: "7.4".
fn is_day_and_month(word: &str) -> bool {
    let at_most = |part: &str, max: u8| part.parse::<u8>().is_ok_and(|number| (1..=max).contains(&number));
    word.split_once('.').is_some_and(|(day, month)| at_most(day, 31) && at_most(month, 12))
}
