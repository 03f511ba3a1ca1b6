//! Computes the features of each candidate value in a text for the linear model.
//!
//! A feature is a hash of a feature template ([`Of`]) and its arguments. The templates describe the shape of
//! the value, the words around it (themes, n-grams, bags of words), its line, the label above it, and the
//! text as a whole.
//!
//! **Invariant:** for each candidate, at most [`LEFT`] words before and [`RIGHT`] words after it are read, so
//! all candidates together take linear time.

mod around;
mod describe;
mod keys;
mod page;

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use self::around::{Around, LEFT, Mark, RIGHT};
use self::keys::{Of, key};
use self::page::Page;
use super::lexicon::{Themes, fold, is_common, is_unspaced, themes};
use super::shape::{Group, Shape, is_numbered_word, is_plain_word};
use super::spans::{Span, VALUE_MAX, is_border, near, spans};
use super::words::{Word, words};

/// Maximum number of characters by which the range of a long value is extended, up to the next white space.
const RUN_MAX: usize = 4096;

/// A candidate: a span that may be a secret, with its features.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) range: Range<usize>,
    pub(super) kind: &'static str,
    pub(super) features: Vec<u32>,
    /// Whether the position allows only a value: it is assigned to the name of a secret, or quoted after one.
    pub(super) is_set: bool,
}

/// Returns whether nothing but marks of a list, a heading or a quotation stands before a position in its line.
fn begins_line(text: &str, at: usize) -> bool {
    let line = text[..at].rsplit('\n').next().unwrap_or_default();
    !line.contains(char::is_alphabetic)
}

/// Returns the candidates in a text with the features of each, and the features that all of them share.
pub(super) fn candidates(text: &str) -> (Vec<Candidate>, Vec<u32>) {
    let mut words = words(text);
    let mut spans = spans(text);
    if !words.iter().any(Word::is_speaking) {
        // Words are candidates only near a word that suggests a secret.
        spans.retain(|span| {
            let value = &text[span.range.clone()];
            !(is_plain_word(value) || is_numbered_word(value) && begins_line(text, span.range.start))
        });
    }
    if spans.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let shapes: Vec<Option<Shape>> = spans.iter().map(|span| shape(text, span)).collect();
    mark_values(text, &mut words, &spans, &shapes);
    let page = Page::read(text, &words, &spans, &shapes);
    let mut found = Vec::new();
    for (span, shape) in spans.iter().zip(&shapes) {
        let Some(shape) = shape else { continue };
        let is_word = matches!(shape.group(), Group::Words | Group::Joined | Group::Sentence);
        if is_name(text, span)
            || is_memory(text, span)
            || is_public_number(text, span)
            || is_infinitive(text, span)
            || is_word && is_bracketed(text, span)
            || *shape == Shape::Native && is_said(&words, span)
        {
            continue;
        }
        let own = words.partition_point(|word| word.range.end <= span.range.start);
        if shape.group() == Group::Words
            && !span.is_quoted
            && !text[..span.range.start].ends_with(['=', ':'])
            && words.get(own).is_some_and(|word| word.themes.is_joining())
        {
            continue;
        }
        if shape.group() == Group::Words && !is_near(&words, &page, span) {
            continue;
        }
        let around = Around::read(text, &words, span);
        // A joined identifier that is the whole text is a name: of a branch, a file or a package.
        if shape.group() == Group::Joined && around.first == 0 && around.next == words.len() {
            continue;
        }
        if !span.is_quoted
            && !span.is_grouped
            && !span.is_part
            && span.head.is_none()
            && matches!(shape.group(), Group::Words | Group::Joined)
            && !text[..span.range.start].ends_with(['"', '\'', '`', '“', '„', '«', '‘'])
            && around.can_begin_phrase(text, &words, span)
            && let Some((end, shape)) = phrase(text, span.range.start)
        {
            let whole = Span { range: span.range.start..end, ..span.clone() };
            let around = Around::read(text, &words, &whole);
            let features = around.features(text, &words, &whole, shape, &page);
            found.push(Candidate { range: whole.range, kind: around.kind(shape), features, is_set: false });
        }
        if shape.group() == Group::Words && !around.is_bound(span) && *shape == Shape::Common {
            continue;
        }
        let end = if span.range.len() + 8 >= VALUE_MAX && !span.is_quoted {
            let rest = &text[span.range.end..];
            let end = rest.char_indices().take(RUN_MAX).find(|(_, c)| c.is_whitespace());
            end.map_or_else(
                || rest.char_indices().nth(RUN_MAX).map_or(text.len(), |(at, _)| span.range.end + at),
                |(at, _)| span.range.end + at,
            )
        } else {
            span.range.end
        };
        let features = around.features(text, &words, span, *shape, &page);
        // A name that belongs to an earlier value does not also apply to the words after that value.
        let is_behind =
            around.marks.contains(&Mark::ValuesBetween) && !around.marks.contains(&Mark::AfterSlash);
        if shape.group() == Group::Words && !span.is_quoted && span.head.is_none() && is_behind {
            continue;
        }
        let is_set = around.is_set(text, span, *shape);
        found.push(Candidate { range: span.range.start..end, kind: around.kind(*shape), features, is_set });
    }
    let shared = page.bag.iter().map(|hash| key(Of::Bag, *hash, 0)).collect();
    (found, shared)
}

/// Marks the words of values, which describe no other value: those in spans that look like values, and those
/// of the markers that redaction left.
fn mark_values(text: &str, words: &mut [Word], spans: &[Span], shapes: &[Option<Shape>]) {
    for (span, shape) in spans.iter().zip(shapes) {
        let is_value = shape
            .is_some_and(|shape| !matches!(shape.group(), Group::Words | Group::Joined | Group::Sentence));
        if !is_value
            || text[span.range.end..].starts_with(['=', ':'])
            || text[span.range.clone()].contains(['=', ':'])
            || text[span.range.clone()].contains(is_unspaced)
            || !themes(&fold(&text[span.range.clone()])).is_empty()
        {
            continue;
        }
        let first = words.partition_point(|word| word.range.start < span.range.start);
        for word in words[first..].iter_mut().take_while(|word| word.range.end <= span.range.end) {
            word.themes = Themes::VALUE;
        }
    }
    // The words inside a redaction marker are not evidence.
    for (at, _) in text.match_indices("[redacted:") {
        let first = words.partition_point(|word| word.range.start < at);
        let end = near(text, at).find(']').map_or(at, |length| at + length);
        for word in words[first..].iter_mut().take_while(|word| word.range.end <= end) {
            word.themes = Themes::VALUE;
        }
    }
}

/// Returns whether a word that suggests a secret occurs near the value or in the label above it.
fn is_near(words: &[Word], page: &Page, span: &Span) -> bool {
    let first = words.partition_point(|word| word.range.end <= span.range.start);
    let after = words[first..].iter().take_while(|word| word.range.start < span.range.end).count() + first;
    words[first.saturating_sub(LEFT)..first].iter().any(Word::is_speaking)
        || words[after..(after + RIGHT).min(words.len())].iter().any(Word::is_speaking)
        || !page.line(span.range.start).label_themes.only(Themes::SPEAKING).is_empty()
}

/// Returns whether a span is the name of a setting.
fn is_name(text: &str, span: &Span) -> bool {
    let rest = &text[span.range.end..];
    let is_plain = text[span.range.clone()].bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b));
    !span.is_quoted
        && is_plain
        && rest.starts_with(['=', ':'])
        && text[span.range.clone()].starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Returns whether a span ends with the id of a memory, as memtape writes it: `ledger:401cce7d4864a689@2`.
fn is_memory(text: &str, span: &Span) -> bool {
    const FORMS: [&str; 7] = ["zone", "statements", "ledger", "notes", "files", "blocks", "messages"];
    let start = text.floor_char_boundary(span.range.end.saturating_sub(VALUE_MAX));
    let Some((before, rest)) = text[start..span.range.end].rsplit_once(':') else { return false };
    let (id, version) = rest.split_once('@').unwrap_or((rest, "0"));
    id.len() == 16
        && id.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
        && version.bytes().all(|b| b.is_ascii_digit())
        && FORMS.iter().any(|form| {
            before
                .strip_suffix(form)
                .is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
}

/// Returns whether a span is a number that the words directly before it call a telephone or a room: "mi móvil es 600 123 456".
fn is_public_number(text: &str, span: &Span) -> bool {
    static PHONE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r"(?i)(?:phone|mobile|cell|whatsapp|landline|fax|telefon|telefonnummer|handy|handynummer|mobil|festnetz|durchwahl|notruf|tel[ée]fono|m[óo]vil|fijo",
            r"|celular|cellulare|fisso|t[ée]l[ée]phone|portable|fixe|telem[óo]vel|телефон|телефона)\**(?: number| es| is| ist| est| è| e| é| non è|:|,|\*)*[^\S\n]{0,2}$",
        ))
        .expect("a pattern")
    });
    // A place with a telephone, which may also have a code.
    static PLACE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:work|home|office|private|arbeit|b[üu]ro|privat|dienstlich|zentrale|werkstatt|praxis|casa|trabajo|oficina|travail|bureau|domicile|maison|lavoro|ufficio)\**:\**[^\S\n]{0,2}$")
            .expect("a pattern")
    });
    static ROOM: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)(?:n[úu]mero|numero|number|nummer) (?:di|de|da|of|der) (?:la |the |my )?(?:camera|stanza|habitaci[óo]n|chambre|room|quarto)(?: es| is| est| è| é|:)*[^\S\n]{0,2}$")
            .expect("a pattern")
    });
    let is_of_number = |b: u8| b.is_ascii_digit() || b" -+./()".contains(&b);
    if !text[span.range.clone()].bytes().all(is_of_number) {
        return false;
    }
    // The groups of digits of one number are spans of their own: "0151 23456789".
    let bytes = text.as_bytes();
    let start = bytes[..span.range.start].iter().rposition(|b| !is_of_number(*b)).map_or(0, |at| at + 1);
    let end = bytes[span.range.end..]
        .iter()
        .position(|b| !is_of_number(*b))
        .map_or(text.len(), |at| span.range.end + at);
    let number = text[start..end].trim();
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    let from = text.floor_char_boundary(start.saturating_sub(64));
    let before = &text[from..start];
    let has_prefix = number.starts_with(['0', '+']) && digits >= 8;
    (7..=15).contains(&digits) && PHONE.is_match(before)
        || has_prefix && digits <= 15 && PLACE.is_match(before)
        || digits < 6 && ROOM.is_match(before)
}

/// Returns whether a word says what the key to something is: "la clave es escuchar". The Spanish word for a key is the one for
/// a password.
fn is_infinitive(text: &str, span: &Span) -> bool {
    static KEY: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?i)\bla clave (?:es|está en|esta en) $").expect("a pattern"));
    let value = &text[span.range.clone()];
    let is_verb = ["ar", "er", "ir", "arse", "erse", "irse"].iter().any(|end| value.ends_with(end));
    is_verb
        && value.chars().all(char::is_lowercase)
        && KEY
            .is_match(&text[text.floor_char_boundary(span.range.start.saturating_sub(24))..span.range.start])
}

/// Returns whether a word is a placeholder in brackets: `[FILTERED]`, `{name}`.
fn is_bracketed(text: &str, span: &Span) -> bool {
    let before = text[..span.range.start].chars().next_back();
    let after = text[span.range.end..].chars().next();
    matches!(
        (before, after),
        (Some('['), Some(']'))
            | (Some('<'), Some('>'))
            | (Some('{'), Some('}'))
            | (Some('('), Some(')'))
            | (Some(','), Some(';'))
    )
}

/// Returns whether an unquoted span is longer than 24 bytes or contains a word of the lexicon.
fn is_said(words: &[Word], span: &Span) -> bool {
    let first = words.partition_point(|word| word.range.start < span.range.start);
    let inside = || words[first..].iter().take_while(|word| word.range.start < span.range.end);
    !span.is_quoted && (span.range.len() > 24 || inside().any(|word| !word.themes.is_empty()))
}

fn shape(text: &str, span: &Span) -> Option<Shape> {
    let value = &text[span.range.clone()];
    match () {
        () if span.is_grouped && value.chars().filter(|c| c.is_alphabetic()).count() > value.len() / 2 => {
            Some(Shape::Spelled)
        }
        () if span.is_grouped => Some(Shape::Groups),
        () if value.contains(char::is_whitespace) => {
            let is_plain =
                !value.contains(['{', '}', '(', '<', '=', '[', '|', '$']) && !value.contains("://");
            is_plain.then(|| shape_of_words(value)).flatten()
        }
        () if span.range.len() > VALUE_MAX => Some(Shape::Random),
        () => Shape::of(value),
    }
}

/// Returns the shape of a value of several words. `None` if it has more than 14.
fn shape_of_words(value: &str) -> Option<Shape> {
    let words = value.split_whitespace().count();
    let common = value.split_whitespace().filter(|word| is_common(word)).count();
    (words <= 14).then_some(if common * 2 > words { Shape::Prose } else { Shape::Phrase })
}

/// Returns the end and the shape of the clause that starts at `start`, if it has 2 to 12 words.
fn phrase(text: &str, start: usize) -> Option<(usize, Shape)> {
    let rest = near(text, start);
    let ends = |(at, c): &(usize, char)| {
        ";()\"|—–/`<={:[”“»".contains(*c)
            || is_border(*c)
            || is_unspaced(*c)
            || matches!(c, '.' | ',' | '!' | '?' | '\'')
                && rest[at + 1..].chars().next().is_none_or(char::is_whitespace)
    };
    let end = rest.char_indices().find(ends).map_or(rest.len(), |(at, _)| at);
    if end > 120 || rest[end..].starts_with([':', '=']) {
        return None;
    }
    let clause = rest[..end].trim_end();
    (2..=12).contains(&clause.split(' ').count()).then_some(())?;
    Some((start + clause.len(), shape_of_words(clause)?))
}
