//! Purpose: the places in a text where a value can stand: words between white space, what follows the sign of a
//! setting, what is quoted, digits in groups, digits as words, and cells of tables.
//!
//! **Invariant:** each character is read a bounded number of times.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::lexicon::{is_common, is_digit_word, is_unspaced};
use super::value::{digits, quoted, trim};

/// A place where a value can stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) range: Range<usize>,
    pub(super) is_quoted: bool,
    /// Digits in groups, or as words.
    pub(super) is_grouped: bool,
    /// A whole cell of a table, and in which column of which it is.
    pub(super) cell: Option<Cell>,
}

/// Where a cell stands in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// Where the cell begins that heads the column, and where it ends.
    pub(super) head: (usize, usize),
}

impl Span {
    fn plain(range: Range<usize>) -> Span {
        Span { range, is_quoted: false, is_grouped: false, cell: None }
    }
}

/// So many characters of a value are judged; what follows up to white space is taken with it.
pub(super) const VALUE_MAX: usize = 160;
/// What opens something, before a value.
const OPENING: &[char] = &['(', '[', '{', '<', '>', '"', '\'', '`', '*', '„', '“', '«', '»', '‘', '「', '『', '¿', '¡', '“', '\\', '#', '+'];

/// Returns the places in a text where a value can stand, in order; some lie within others.
pub(super) fn spans(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = 0;
    let mut set_at = usize::MAX;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() || is_border(c) {
            at += c.len_utf8();
            continue;
        }
        if let Some(range) = quoted(text, at).filter(|range| range.len() <= VALUE_MAX) {
            let inner = &text[range.clone()];
            let core = inner.trim().trim_end_matches('\\');
            let is_word = !core.contains(char::is_whitespace);
            if core.contains(char::is_alphanumeric) && core.split_whitespace().count() <= 12 {
                let start = range.start + (inner.len() - inner.trim_start().len());
                spans.push(Span { is_quoted: true, ..Span::plain(start..start + core.len()) });
            }
            if is_word && !inner.contains(['=', ':']) {
                at = range.end + 1;
                while !text.is_char_boundary(at) {
                    at += 1;
                }
                continue;
            }
        }
        if OPENING.contains(&c) && !(c == '#' || c == '+') {
            at += c.len_utf8();
            continue;
        }
        // The number of a telephone, with its country.
        if c == '+' && text[at + 1..].starts_with(|c: char| c.is_ascii_digit()) {
            at += text[at..].bytes().take(24).take_while(|b| b.is_ascii_digit() || b"+ -().".contains(b)).count();
            continue;
        }
        let (end, next) = chunk(text, at, set_at == at && !text[at..].starts_with("base64:"));
        if let Some(end) = groups(text, at).or_else(|| spelled(text, at)) {
            spans.push(Span { is_grouped: true, ..Span::plain(at..end) });
            at = end;
            continue;
        }
        let core = trim(&text[at..end]);
        if core.contains(char::is_alphanumeric) {
            spans.push(Span::plain(at..at + core.len()));
        }
        at = next.max(at + c.len_utf8());
        if next > end && text[..next].ends_with('=') {
            set_at = next;
        }
    }
    spans.extend(cells(text));
    spans.sort_by_key(|span| (span.range.start, span.range.end));
    spans.dedup_by(|next, span| {
        let is_same = next.range == span.range;
        if is_same {
            span.is_quoted |= next.is_quoted;
            span.cell = span.cell.or(next.cell);
        }
        is_same
    });
    spans
}

/// Tells whether a character stands between values and is part of none.
fn is_border(c: char) -> bool {
    "，。；、！？：」』（）→⇒➜|【】・…".contains(c)
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
        let is_end = c.is_whitespace() || is_border(c) || "\"`<".contains(c)
            || at > 0 && is_unspaced(c) != is_wide && c.is_alphanumeric()
            || c == ',' && (after.is_some_and(|c| !c.is_ascii_digit()) || !rest[..at].ends_with(|c: char| c.is_ascii_digit()))
            || matches!(c, '&' | ';') && is_setting(&rest[at + 1..]);
        if is_end || at >= 4 * VALUE_MAX {
            return (here, here);
        }
        if is_name && matches!(c, '=' | ':' | '>') && at > 0 && after.is_some_and(|c| !c.is_whitespace() && c != '=') && !rest[at..].starts_with("://") && !rest[at..].starts_with("::") {
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
    let name = rest.bytes().take(32).take_while(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b' ' | b'-')).count();
    name > 0 && rest[name..].starts_with('=')
}

/// What follows a place, no further than values are long.
pub(super) fn near(text: &str, start: usize) -> &str {
    let mut end = (start + VALUE_MAX).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[start..end]
}

/// Returns where groups of digits, or of letters and digits as long, that begin at a place end: `614 704`.
fn groups(text: &str, start: usize) -> Option<usize> {
    let mut end = start;
    let mut lengths = Vec::new();
    let mut is_of_letters = false;
    for word in near(text, start).split(' ').take(16) {
        let word = word.split(['\n', '\t']).next().unwrap_or_default();
        let group = trim(word);
        let is_group = (1..=6).contains(&group.len()) && group.bytes().all(|b| b.is_ascii_digit())
            || group.len() == 4 && group.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
            || group.len() == 4 && group.bytes().all(|b| b.is_ascii_lowercase()) && !is_common(group);
        if !is_group || lengths.first().is_some_and(|first| *first != group.len()) {
            break;
        }
        is_of_letters |= group.contains(|c: char| c.is_ascii_alphabetic());
        lengths.push(group.len());
        end += usize::from(lengths.len() > 1) + group.len();
        if group.len() < word.len() {
            break;
        }
    }
    let enough = if is_of_letters || lengths.first() == Some(&1) { 4 } else { 2 };
    (lengths.len() >= enough).then_some(end)
}

/// Returns where digits end that are spelled as words from a place, if there are three at least.
fn spelled(text: &str, start: usize) -> Option<usize> {
    let mut end = start;
    let mut count = 0;
    let line = near(text, start).split('\n').next().unwrap_or_default();
    for word in line.split(' ').take(16) {
        let core = trim(word);
        if !is_digit_word(core) && !(count > 0 && matches!(core.len(), 1..=2) && digits(core) == core.len()) {
            break;
        }
        end += usize::from(count > 0) + word.len();
        count += 1;
        if core.len() < word.len() && !word.ends_with([',', '-']) {
            break;
        }
    }
    (count >= 3).then(|| start + trim(&text[start..end]).len())
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
        let is_row = row.len() > 1 && (row.len() == heads.len() || sign == '|');
        if is_row {
            for (cell, head) in row.into_iter().zip(&heads) {
                let value = &text[cell.clone()];
                if value.contains(char::is_alphanumeric) && value.len() <= VALUE_MAX {
                    let cell = Span { cell: Some(Cell { head: (head.start, head.end) }), ..Span::plain(cell) };
                    spans.push(cell);
                }
            }
            continue;
        }
        sign = ['|', '\t', ';', ','].into_iter().find(|sign| body.matches(*sign).count() > usize::from(*sign == '|')).unwrap_or(' ');
        heads = if sign == ' ' { Vec::new() } else { self::row(body, start, sign) };
        let is_head = heads.len() > 1 && heads.iter().all(|head| head.len() <= 40 && !text[head.clone()].contains(['.', '=', '!', '?']));
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
