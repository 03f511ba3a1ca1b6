//! Purpose: the places in a text where a value can stand: words between white space, what follows the sign of a
//! setting, what is quoted, digits in groups, numbers in words, parts of addresses, and cells of tables.
//!
//! Places may lie in each other: which of them holds a value is for the model to judge.
//!
//! **Invariant:** each character is read a bounded number of times.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::lexicon::{is_digit_word, is_unspaced};
use super::value::{is_random, quoted, trim};

/// A place where a value can stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) range: Range<usize>,
    pub(super) is_quoted: bool,
    /// Digits in groups, or as words.
    pub(super) is_grouped: bool,
    /// Part of a longer word: what follows a sign, or stands between slashes.
    pub(super) is_part: bool,
    /// For a cell of a table: where the head of its column is.
    pub(super) head: Option<(usize, usize)>,
}

impl Span {
    fn plain(range: Range<usize>) -> Span {
        Span { range, is_quoted: false, is_grouped: false, is_part: false, head: None }
    }

    fn part(range: Range<usize>) -> Span {
        Span { is_part: true, ..Span::plain(range) }
    }

    fn grouped(range: Range<usize>) -> Span {
        Span { is_grouped: true, ..Span::plain(range) }
    }
}

/// So many bytes of a value are judged; what follows up to white space is taken with it.
pub(super) const VALUE_MAX: usize = 160;
/// So many words a value has at most.
const WORDS_MAX: usize = 14;
/// What opens something, before a value.
const OPENING: &str = "([{<>\"'`*„“«»‘「『¿¡\\#+";

/// Returns the places in a text where a value can stand, in order.
pub(super) fn spans(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = 0;
    let mut set_at = usize::MAX;
    let mut grouped_to = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() || is_border(c) {
            at += c.len_utf8();
            continue;
        }
        if let Some(range) = quoted(text, at).filter(|range| range.len() <= VALUE_MAX) {
            let inner = &text[range.clone()];
            let core = inner.trim().trim_end_matches('\\');
            if core.contains(char::is_alphanumeric) && core.split_whitespace().count() <= WORDS_MAX {
                let start = range.start + (inner.len() - inner.trim_start().len());
                spans.push(Span { is_quoted: true, ..Span::plain(start..start + core.len()) });
            }
            if !core.contains(char::is_whitespace) && !inner.contains(['=', ':']) {
                at = range.end + 1;
                while !text.is_char_boundary(at) {
                    at += 1;
                }
                continue;
            }
        }
        if OPENING.contains(c) && !matches!(c, '#' | '+') {
            at += c.len_utf8();
            continue;
        }
        // The number of a telephone, with its country.
        if c == '+' && text[at + 1..].starts_with(|c: char| c.is_ascii_digit()) {
            at += text[at..]
                .bytes()
                .take(24)
                .take_while(|b| b.is_ascii_digit() || b"+ -().".contains(b))
                .count();
            continue;
        }
        if at >= grouped_to {
            for end in [groups(text, at), spelled(text, at)].into_iter().flatten() {
                spans.push(Span::grouped(at..end));
                grouped_to = grouped_to.max(end);
            }
        }
        let (end, next) = chunk(text, at, set_at == at && !text[at..].starts_with("base64:"));
        let core = trim(&text[at..end]);
        if core.contains(char::is_alphanumeric) {
            spans.push(Span::plain(at..at + core.len()));
            parts(text, at..at + core.len(), &mut spans);
        }
        if next > end {
            let whole = word_end(text, at);
            let core = trim(&text[at..whole]);
            if whole > next && !core.contains(['"', '\'', '&', '?']) && core.len() <= 64 {
                spans.push(Span::plain(at..at + core.len()));
            }
            if text[..next].ends_with('=') {
                set_at = next;
                let core = trim(&text[next..whole.max(next)]);
                if core.contains('=') && core.len() <= 64 && !core.contains(['"', '\'', '&', '?']) {
                    spans.push(Span::plain(next..next + core.len()));
                }
            }
        }
        at = next.max(at + c.len_utf8());
    }
    spans.extend(cells(text));
    spans.sort_by_key(|span| (span.range.start, span.range.end));
    spans.dedup_by(|next, span| {
        let is_same = next.range == span.range;
        if is_same {
            span.is_quoted |= next.is_quoted;
            span.is_grouped |= next.is_grouped;
            span.is_part &= next.is_part;
            span.head = span.head.or(next.head);
        }
        is_same
    });
    spans
}

/// Adds what lies in a word: behind a slash, between the slashes of an address, behind a short prefix, and the whole of
/// letters of several writings.
fn parts(text: &str, range: Range<usize>, spans: &mut Vec<Span>) {
    let word = &text[range.clone()];
    if word.len() > VALUE_MAX * 4 {
        return;
    }
    let mut add =
        |at: usize, part: &str| spans.push(Span::part(range.start + at..range.start + at + part.len()));
    if word.contains("://") || word.matches('/').count() > 2 {
        let mut at = 0;
        for part in word.split(['/', '?', '&', '=', '-']) {
            if part.len() >= 12 && is_random(part) {
                add(at, part);
            }
            at += part.len() + 1;
        }
        return;
    }
    if let Some((before, after)) = word.split_once('/')
        && before.len() >= 2
        && after.len() >= 3
        && !after.contains('/')
    {
        add(before.len() + 1, after);
    }
    if let Some((before, after)) = word.split_once('%')
        && before.len() >= 3
        && after.len() >= 4
        && word.is_ascii()
    {
        add(before.len() + 1, after);
    }
    if let Some((before, after)) = word.split_once('-')
        && before.len() <= 2
        && after.len() >= 4
        && after.bytes().all(|b| b.is_ascii_digit())
    {
        add(before.len() + 1, after);
    }
    // A writing without spaces goes on after letters of another one.
    let end = word_end(text, range.start);
    let whole = trim(&text[range.start..end]);
    if whole.len() > word.len()
        && whole.chars().count() <= 24
        && whole.starts_with(word)
        && !whole.contains(['=', '&', ';', '"', ','])
    {
        spans.push(Span::plain(range.start..range.start + whole.len()));
    }
}

/// Where white space or a mark of a sentence ends a word.
fn word_end(text: &str, start: usize) -> usize {
    let end = |c: char| c.is_whitespace() || is_border(c) || c == '"' || c == '`';
    let rest = near(text, start);
    rest.find(end).map_or(start + rest.len(), |at| start + at)
}

/// Tells whether a character stands between values and is part of none.
pub(super) fn is_border(c: char) -> bool {
    "，。；、！？：」』（）→⇒➜|【】…□".contains(c)
}

/// Where a value ends that begins here, and where the next one can begin: behind the sign of a setting, if what stands
/// before it is a name. What is set already has no name of its own.
fn chunk(text: &str, start: usize, is_set: bool) -> (usize, usize) {
    let rest = &text[start..];
    let is_wide = rest.starts_with(is_unspaced);
    let mut is_name = !is_set && rest.starts_with(|c: char| c.is_alphabetic() || "_-$".contains(c));
    for (at, c) in rest.char_indices() {
        let here = start + at;
        let after = rest[at + c.len_utf8()..].chars().next();
        let is_digit = |c: char| c.is_ascii_digit();
        let is_end = c.is_whitespace()
            || is_border(c)
            || "\"`<".contains(c)
            || at > 0 && "“”„«»「『".contains(c)
            || at > 0 && is_unspaced(c) != is_wide && c.is_alphanumeric()
            || c == ',' && !(after.is_some_and(is_digit) && rest[..at].ends_with(is_digit))
            || matches!(c, '&' | ';') && is_setting(&rest[at + 1..]);
        if is_end || at >= 4 * VALUE_MAX {
            return (here, here);
        }
        if is_name
            && matches!(c, '=' | ':' | '>')
            && at > 0
            && after.is_some_and(|c| !c.is_whitespace() && c != '=')
            && !rest[at..].starts_with("://")
            && !rest[at..].starts_with("::")
        {
            return (here, here + 1);
        }
        if c == '\'' && at > 0 && rest[..at].ends_with([']', '=', ':']) {
            return (here, here);
        }
        is_name &= c.is_alphanumeric() || "_-.[]'".contains(c);
    }
    (text.len(), text.len())
}

/// Tells whether a setting begins here: a name and an equals sign.
fn is_setting(rest: &str) -> bool {
    let name = rest.bytes().take(32).take_while(|b| b.is_ascii_alphabetic() || b"_ -".contains(b)).count();
    name > 0 && rest[name..].starts_with('=')
}

/// What follows a place in its line, no further than values are long.
pub(super) fn near(text: &str, start: usize) -> &str {
    let mut end = (start + VALUE_MAX).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let near = &text[start..end];
    near.split('\n').next().unwrap_or(near)
}

/// Returns where digits in groups end, or letters and digits in groups of one length: `614 704`, `Qm4d 9TzR x2Lp`,
/// `C 2 4 8 0 Y`, `13, 201, 77`.
fn groups(text: &str, start: usize) -> Option<usize> {
    static DIGITS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r"^(?:[0-9]{1,6}(?: ?[·・] ?[0-9]{1,6}){2,}|[0-9]{1,6}(?: [0-9]{1,6}){1,11}(?:[#*]| [#*])?",
            r"|[0-9]{1,3}(?:, ?[0-9]{1,3}){3,}|[A-Z0-9](?:[ -][A-Z0-9]){3,11}|[0-9](?:-[0-9]){2,11}",
            r"|[a-zA-Z0-9]{4}(?: [a-zA-Z0-9]{4}){2,11}|[a-zA-Z0-9]{5}(?: [a-zA-Z0-9]{5}){2,11}|[a-z](?: [a-z0-9]){3,15})"
        ))
        .expect("a pattern")
    });
    if !text[start..].starts_with(|c: char| c.is_ascii_alphanumeric())
        || text[..start].ends_with(|c: char| c.is_ascii_digit())
    {
        return None;
    }
    let rest = near(text, start);
    let found = DIGITS.find(rest)?.as_str();
    let is_whole = !rest[found.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let is_drawn = found.contains(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase())
        || found.split(' ').all(|group| group.len() == 1)
        || !found.split(' ').all(super::lexicon::is_common);
    (is_whole && is_drawn).then_some(start + found.len())
}

/// Words for letters and signs that are dictated.
const DICTATED: &str = " capital caps uppercase upper lowercase lower case small underscore dash hyphen dot point hash \
    star asterisk slash space at sign exclamation mark bang pound dollar percent ampersand plus equals colon full stop \
    maiúscula minúscula maiuscola minuscola mayúscula minúscula majuscule minuscule guion guión bajo raya tiret bas \
    underline traço punto ponto stern raute strich unterstrich minus bindestrich groß klein großes kleines streepje \
    hekje sterretje liggend hoofdletter kleine решётка решетка звёздочка звездочка дефис тире подчеркивание большая \
    маленькая заглавная then and plus und et y e en dann puis luego poi и i ";

/// Returns where numbers and signs end that are spelled as words from a place, if at least two are numbers.
fn spelled(text: &str, start: usize) -> Option<usize> {
    if text[..start].ends_with(|c: char| c.is_alphanumeric()) {
        return None;
    }
    let line = near(text, start);
    let (mut end, mut numbers, mut words, mut at) = (0, 0, 0, 0);
    for word in line.split(' ').take(24) {
        let core = trim(word);
        let is_number = core.split('-').all(is_digit_word) && !core.is_empty();
        let is_sign = core.chars().count() == 1 || DICTATED.contains(&format!(" {} ", core.to_lowercase()));
        if !is_number
            && !(is_sign && (words > 0 || core.len() > 4))
            && !(words > 0 && core.len() <= 2 && core.bytes().all(|b| b.is_ascii_digit()))
        {
            break;
        }
        words += 1;
        numbers += core.split('-').filter(|part| is_digit_word(part)).count();
        if is_number || core.chars().count() == 1 || core.chars().count() > 3 {
            end = at + core.len();
        }
        at += word.len() + 1;
        if core.len() < word.len() && !word.ends_with([',', '-']) {
            break;
        }
    }
    (numbers >= 2 && words <= 20).then_some(start + end)
}

/// Returns the cells of tables below their heads: of Markdown, and of lines with tabulators, commas or semicolons.
fn cells(text: &str) -> Vec<Span> {
    static RULE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^[\s|:+-]+$").expect("a pattern"));
    let mut spans = Vec::new();
    let mut heads: Vec<Range<usize>> = Vec::new();
    let mut sign = ' ';
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let body = line.trim_end();
        if sign == '|' && RULE.is_match(body) {
            continue;
        }
        let row = if heads.is_empty() { Vec::new() } else { row(body, start, sign) };
        let is_row = row.len() > 1 && (row.len().abs_diff(heads.len()) <= 1 || sign == '|');
        if is_row {
            for (cell, head) in row.into_iter().zip(&heads) {
                let value = &text[cell.clone()];
                if value.contains(char::is_alphanumeric) && value.len() <= VALUE_MAX {
                    spans.push(Span { head: Some((head.start, head.end)), ..Span::plain(cell) });
                }
            }
            continue;
        }
        sign = ['|', '\t', ';', ',']
            .into_iter()
            .find(|sign| body.matches(*sign).count() > usize::from(*sign == '|'))
            .unwrap_or(' ');
        heads = if sign == ' ' { Vec::new() } else { self::row(body, start, sign) };
        let is_head = heads.len() > 1
            && heads
                .iter()
                .all(|head| head.len() <= 40 && !text[head.clone()].contains(['.', '=', '!', '?']));
        if !is_head || heads.len() > 32 {
            heads.clear();
        }
    }
    spans
}

/// The cells of a row, without the marks around their texts.
fn row(body: &str, offset: usize, sign: char) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut cells = Vec::new();
    let mut is_inside = false;
    let body = if sign == '|' { body.trim_end_matches('|') } else { body };
    for (at, c) in body.char_indices().chain([(body.len(), sign)]) {
        is_inside ^= c == '"' && sign != '|';
        if c != sign || is_inside && at < body.len() {
            continue;
        }
        let cell = &body[start..at];
        let core = cell.trim().trim_matches(['`', '*', '"']).trim();
        let place = start + cell.find(core).unwrap_or_default();
        if !(sign == '|' && start == 0 && core.is_empty()) {
            cells.push(offset + place..offset + place + core.len());
        }
        start = at + c.len_utf8();
    }
    cells
}
