//! Finds the spans of a text that can hold a value: words between white space, the right side of a setting,
//! quoted text, digits in groups, spelled-out numbers, parts of URLs, and table cells.
//!
//! Spans can overlap; the model decides which of them holds a value.
//!
//! **Invariant:** each character is read a bounded number of times.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashSet;

use super::lexicon::{is_digit_word, is_unspaced};
use super::value::{is_random, quoted, trim};

/// A span of a text that can hold a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) range: Range<usize>,
    pub(super) is_quoted: bool,
    /// Whether the span consists of digits in groups or of spelled-out numbers.
    pub(super) is_grouped: bool,
    /// Whether the span is part of a longer word, for example between slashes or after a prefix.
    pub(super) is_part: bool,
    /// The range of the header of its column, for a table cell.
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

/// Maximum number of bytes of a value that are classified. A longer value is redacted up to the next white
/// space.
pub(super) const VALUE_MAX: usize = 160;
/// Maximum number of words in a quoted value.
const WORDS_MAX: usize = 14;

/// Returns whether a character can precede a value without being part of it.
fn is_opening(c: char) -> bool {
    matches!(
        c,
        '(' | '['
            | '{'
            | '<'
            | '>'
            | '"'
            | '\''
            | '`'
            | '*'
            | '„'
            | '“'
            | '«'
            | '»'
            | '‘'
            | '「'
            | '『'
            | '¿'
            | '¡'
            | '\\'
    )
}

/// Returns the spans of a text that can hold a value, sorted by start.
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
        if is_opening(c) {
            at += c.len_utf8();
            continue;
        }
        // Skip a phone number with its country code.
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
        // A password may end with an exclamation mark; after digits it ends the sentence.
        let digits = core.strip_suffix('!').filter(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
        let core = digits.unwrap_or(core);
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

/// Adds the spans inside a word: after a slash, between the slashes of a URL, after a short prefix. Also adds
/// the whole word if it mixes scripts.
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
    // A span ends where the script changes, so add the whole word as well.
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

/// Returns the end of a word: at white space, a border, or a quotation mark.
fn word_end(text: &str, start: usize) -> usize {
    let end = |c: char| c.is_whitespace() || is_border(c) || c == '"' || c == '`';
    let rest = near(text, start);
    rest.find(end).map_or(start + rest.len(), |at| start + at)
}

/// Returns whether a character separates values and is never part of one.
pub(super) fn is_border(c: char) -> bool {
    matches!(
        c,
        '，' | '。'
            | '；'
            | '、'
            | '！'
            | '？'
            | '：'
            | '」'
            | '』'
            | '（'
            | '）'
            | '→'
            | '⇒'
            | '➜'
            | '|'
            | '【'
            | '】'
            | '…'
            | '□'
    )
}

/// Returns the end of the value that starts at `start`, and where the next value can start. The latter is
/// after the sign of a setting if a name precedes it.
///
/// With `is_set`, the value is already the right side of a setting, so no name is recognized in it.
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
            || matches!(c, '"' | '`' | '<')
            || at > 0 && matches!(c, '“' | '”' | '„' | '«' | '»' | '「' | '『')
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
        is_name &= c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '[' | ']' | '\'');
    }
    (text.len(), text.len())
}

/// Returns whether a setting starts here: a name and an equals sign.
fn is_setting(rest: &str) -> bool {
    let name = rest.bytes().take(32).take_while(|b| b.is_ascii_alphabetic() || b"_ -".contains(b)).count();
    name > 0 && rest[name..].starts_with('=')
}

/// Returns the rest of the line from an offset, limited to [`VALUE_MAX`] bytes.
pub(super) fn near(text: &str, start: usize) -> &str {
    let mut end = (start + VALUE_MAX).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let near = &text[start..end];
    near.split('\n').next().unwrap_or(near)
}

/// Returns the end of digits in groups, or of letters and digits in groups of equal length: `614 704`, `Qm4d
/// 9TzR x2Lp`, `C 2 4 8 0 Y`, `13, 201, 77`.
fn groups(text: &str, start: usize) -> Option<usize> {
    static DIGITS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r"^(?:[0-9]{1,6}(?: ?[·・] ?[0-9]{1,6}){2,}|[0-9]{1,6}(?: [0-9]{1,6}){1,11}(?:[#*]| [#*])?",
            r"|[0-9]{1,3}(?:, ?[0-9]{1,3}){3,}|[A-Z0-9](?:[ -][A-Z0-9]){3,11}|[0-9](?:-[0-9]){2,11}",
            r"|[a-zA-Z0-9]{4}(?: [a-zA-Z0-9]{4}){2,11}|[a-zA-Z0-9]{5}(?: [a-zA-Z0-9]{5}){2,11}|[a-z](?: [a-z0-9]){3,15})"
        ))
        .expect("a pattern")
    });
    if text[..start].ends_with(|c: char| c.is_ascii_digit()) || !can_be_group(&text.as_bytes()[start..]) {
        return None;
    }
    let rest = near(text, start);
    let found = DIGITS.find(rest)?.as_str();
    let is_whole = !rest[found.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let is_drawn = found.contains(|c: char| c.is_ascii_digit())
        || found.split(' ').all(|group| group.len() == 1)
        || !found.split(' ').all(is_like_word);
    (is_whole && is_drawn).then_some(start + found.len())
}

/// Returns whether a group of letters can be a word of a sentence: it has a vowel, and no capital but the first letter.
fn is_like_word(group: &str) -> bool {
    group.contains(|c: char| "aeiouyAEIOUY".contains(c))
        && !group[1..].contains(|c: char| c.is_ascii_uppercase())
}

/// Returns whether a text can start with a group of digits or letters that another group follows. Rules out
/// most texts before the pattern runs.
fn can_be_group(text: &[u8]) -> bool {
    let length = text.iter().take(7).take_while(|b| b.is_ascii_alphanumeric()).count();
    let is_number = || text[..length].iter().all(u8::is_ascii_digit);
    let goes_on = text.get(length).is_some_and(|b| b" ,-".contains(b) || !b.is_ascii());
    goes_on && (matches!(length, 1 | 4 | 5) || (1..=6).contains(&length) && is_number())
}

/// Words for letter case, signs and connectives in dictation.
const DICTATED: &str = " capital caps uppercase upper lowercase lower case small underscore dash hyphen dot point hash \
    star asterisk slash space at sign exclamation mark bang pound dollar percent ampersand plus equals colon full stop \
    maiúscula minúscula maiuscola minuscola mayúscula minúscula majuscule minuscule guion guión bajo raya tiret bas \
    underline traço punto ponto stern raute strich unterstrich minus bindestrich groß klein großes kleines streepje \
    hekje sterretje liggend hoofdletter kleine решётка решетка звёздочка звездочка дефис тире подчеркивание большая \
    маленькая заглавная then and plus und et y e en dann puis luego poi и i ";

/// Returns the end of a sequence of spelled-out digits and signs, if it has at least two digits.
fn spelled(text: &str, start: usize) -> Option<usize> {
    if text[..start].ends_with(|c: char| c.is_alphanumeric()) {
        return None;
    }
    static SIGNS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| DICTATED.split_whitespace().collect());
    let line = near(text, start);
    let (mut end, mut numbers, mut words, mut at) = (0, 0, 0, 0);
    for word in line.split(' ').take(24) {
        let core = trim(word);
        let is_number = core.split('-').all(is_digit_word) && !core.is_empty();
        let is_sign = || core.chars().count() == 1 || SIGNS.contains(core.to_lowercase().as_str());
        if !is_number
            && !((words > 0 || core.len() > 4) && is_sign())
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

/// Returns the cells of tables that have a header: Markdown tables, and lines separated by tabs, commas or
/// semicolons.
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

/// Returns the cells of a row, without the formatting marks around their text.
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
