//! Computes the features of each candidate value in a text for the linear model.
//!
//! A feature is a hash of a feature template ([`Of`]) and its arguments. The templates describe the shape of
//! the value, the words around it (themes, n-grams, bags of words), its line, the label above it, and the
//! text as a whole.
//!
//! **Invariant:** for each candidate, at most [`LEFT`] words before and [`RIGHT`] words after it are read, so
//! all candidates together take linear time.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};

use super::lexicon::{Theme, Themes, WORD_BYTES_MAX, fold, is_common, is_unspaced, themes};
use super::shape::{Group, Shape, is_numbered_word, is_plain_word};
use super::spans::{Span, VALUE_MAX, is_border, near, spans};
use super::words::{Word, hash, word_hash, words};

/// Maximum number of words read before a value.
const LEFT: usize = 20;
/// Maximum number of characters by which the range of a long value is extended, up to the next white space.
const RUN_MAX: usize = 4096;
/// Maximum number of words read after a value.
const RIGHT: usize = 10;
/// Number of themes whose position relative to the value is a feature. Later themes only connect words or
/// mark digits and common words.
const SPEAKING: usize = 17;
/// Themes that can name a value, in order of precedence: kinds of secrets, then locked objects and places to
/// log in.
const NAMING: [Theme; 11] = [
    Theme::Password,
    Theme::Phrase,
    Theme::Pin,
    Theme::Recovery,
    Theme::Secret,
    Theme::Account,
    Theme::Token,
    Theme::Code,
    Theme::Key,
    Theme::Lock,
    Theme::Login,
];

/// Position of a word relative to a value, in order of decreasing strength of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
enum Place {
    /// In the header of the table column.
    Head,
    /// Directly before a sign like a colon.
    Sign,
    /// Directly before a verb like "is".
    Verb,
    /// Directly before the value.
    Beside,
    /// Before a sign, with other words between.
    FarSign,
    /// Before a verb, with other words between.
    FarVerb,
    /// After the value, with a verb between.
    AfterVerb,
    /// Before the value, with at most three words between.
    Near,
    /// Directly after the value.
    After,
    /// After the value, with at most three words between.
    NearAfter,
    Far,
    FarAfter,
    /// In an earlier sentence of the same line.
    Across,
    /// In an earlier line.
    Above,
}

/// Binary properties of the surroundings of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Mark {
    Quoted,
    Ticked,
    AfterSlash,
    BeforeSlash,
    AfterComma,
    AfterBracket,
    AfterDash,
    BeforeSign,
    Question,
    EndsClause,
    Alone,
    NumberBeside,
    UnitBehind,
    Constant,
    PublicName,
    TalkName,
    ValuesBetween,
    CommonBehind,
    WordBehind,
    Starts,
    AfterSetting,
    Cell,
    UnknownBeside,
    PublicNearer,
    UserNearer,
}

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

/// The context of a value.
#[derive(Clone)]
struct Around {
    /// The strongest position of each theme.
    places: [Option<Place>; SPEAKING],
    /// The theme that names the value, and its position.
    name: Option<(Theme, Place)>,
    marks: Vec<Mark>,
    /// Word indexes: the first word of the value, and the first word after it.
    first: usize,
    next: usize,
}

impl Around {
    fn read(text: &str, words: &[Word], span: &Span) -> Around {
        let first = words.partition_point(|word| word.range.end <= span.range.start);
        let next = words.partition_point(|word| word.range.start < span.range.end);
        let mut around = Around { places: [None; SPEAKING], name: None, marks: Vec::new(), first, next };
        let own = words.get(first).filter(|word| word.range.start < span.range.end);
        let mut named = None;
        if let Some(own) = own {
            named = around.before(text, words, span, first, own);
            around.behind(text, words, span, own);
        }
        if let Some(head) = span.head {
            around.marks.push(Mark::Cell);
            let from = words.partition_point(|word| word.range.start < head.0);
            for word in words[from..].iter().take_while(|word| word.range.end <= head.1) {
                around.put(word.themes, Place::Head);
            }
        }
        let place = |theme: &Theme| around.places[*theme as usize].map(|place| (*theme, place));
        around.name = NAMING
            .iter()
            .filter_map(place)
            .min_by_key(|(theme, place)| (*place, NAMING.iter().position(|known| known == theme)));
        for (theme, mark) in [(Theme::Public, Mark::PublicNearer), (Theme::User, Mark::UserNearer)] {
            let place = around.places[theme as usize].filter(|place| *place <= Place::FarVerb);
            if place.is_some_and(|place| around.name.is_none_or(|(_, name)| place < name)) {
                around.marks.push(mark);
            }
        }
        if let Some(index) = named {
            around.about_name(text, words, index);
        }
        around
    }

    fn put(&mut self, themes: Themes, place: Place) {
        for index in themes.iter().filter(|index| *index < SPEAKING) {
            let known = &mut self.places[index];
            *known = Some(known.map_or(place, |known| known.min(place)));
        }
    }

    /// Reads the words before a value. Returns the index of the nearest word that names a secret.
    fn before(&mut self, text: &str, words: &[Word], span: &Span, first: usize, own: &Word) -> Option<usize> {
        let tail =
            Tail::read(text, span.range.start, first.checked_sub(1).map_or(0, |at| words[at].range.end));
        self.marks.extend(tail.marks);
        let mut verb = false;
        let mut joins = 0;
        while !tail.is_cut && joins < 3 && joins < first {
            let themes = words[first - 1 - joins].themes;
            if !(themes.has(Theme::Is) || themes.has(Theme::To) || joins > 0 && themes.has(Theme::Of))
                || words[first - 1 - joins].line != own.line
            {
                break;
            }
            verb |= themes.has(Theme::Is);
            joins += 1;
        }
        let is_setting = tail.sign && tail.is_tight;
        let (mut between, mut values, mut is_blocked, mut named) = (0, 0, false, None);
        for index in (first.saturating_sub(LEFT)..first).rev() {
            let word = &words[index];
            let lines = own.line - word.line;
            if index + 1 < first {
                let gap = &text[word.range.end..words[index + 1].range.start];
                is_blocked |=
                    gap.len() <= 24 && gap.contains([':', '=', '|', ';', '→']) && !gap.contains("://")
                        || gap.contains('\n') && tail.lines == 0;
            }
            if word.themes == Themes::VALUE {
                values += 1;
                between += 1;
                continue;
            }
            let is_near = lines == 0 || lines == 1 && tail.lines == 1 && tail.sign;
            let place = match () {
                () if !is_near && lines > 4 => break,
                () if !is_near => Place::Above,
                () if word.sentence != own.sentence && !tail.sign => Place::Across,
                () if tail.sign && !is_blocked && between == 0 => Place::Sign,
                () if tail.sign && !is_blocked && values == 0 && between <= 6 + 6 * tail.lines => {
                    Place::FarSign
                }
                () if verb && !is_blocked && between == 0 => Place::Verb,
                () if verb && !is_blocked && values == 0 && between <= 7 => Place::FarVerb,
                () if between == 0 && !tail.is_cut && joins == 0 => Place::Beside,
                () if between <= 3 && values == 0 && !is_blocked => Place::Near,
                () => Place::Far,
            };
            self.put(word.themes, place);
            if named.is_none() && !word.themes.only(Themes::NAMES).is_empty() {
                named = Some(index);
                if values > 0 {
                    self.marks.push(Mark::ValuesBetween);
                }
                let is_joined = text[..word.range.start].ends_with('_');
                if (is_setting || is_joined) && is_constant(&text[word.range.clone()]) {
                    self.marks.push(Mark::Constant);
                }
            }
            if !word.themes.is_joining() {
                between += 1;
            }
        }
        if first.checked_sub(1).is_none_or(|at| words[at].sentence != own.sentence) {
            self.marks.push(Mark::Starts);
        }
        let beside = first
            .checked_sub(1)
            .map(|at| &words[at])
            .filter(|word| word.line == own.line && !tail.sign && !tail.is_cut);
        if beside.is_some_and(|word| word.themes.is_empty() && !is_number(text, word)) {
            self.marks.push(Mark::UnknownBeside);
        }
        if first > 0 && is_number(text, &words[first - 1]) && !tail.sign {
            self.marks.push(Mark::NumberBeside);
        }
        named
    }

    /// Reads the words after a value.
    fn behind(&mut self, text: &str, words: &[Word], span: &Span, own: &Word) {
        let after = &text[span.range.end..];
        let after = after.trim_start_matches(['"', '\'', '`', '*', ')', ']', '”', '»', '」']);
        let first = after.chars().next();
        let sign = after.trim_start_matches(' ').chars().next();
        if sign.is_some_and(|c| "=:→".contains(c)) {
            self.marks.push(Mark::BeforeSign);
        }
        if sign == Some('/') {
            self.marks.push(Mark::BeforeSlash);
        }
        if sign.is_none_or(|c| ".,;!\n)。，|".contains(c)) {
            self.marks.push(Mark::EndsClause);
        }
        let (mut verb, mut between, mut is_blocked) = (false, 0, false);
        let mut end = span.range.end;
        for (count, word) in words[self.next..].iter().take(RIGHT).enumerate() {
            let gap = &text[end..word.range.start];
            end = word.range.end;
            if word.line != own.line || word.sentence != own.sentence {
                break;
            }
            is_blocked |= gap.len() > 24 || gap.contains([':', '=', '|', ';', '→']);
            if count == 0 && !is_blocked {
                if is_number(text, word) && first == Some(' ') {
                    self.marks.push(Mark::NumberBeside);
                }
                if is_unit(&text[word.range.clone()]) {
                    self.marks.push(Mark::UnitBehind);
                }
                if word.themes.has(Theme::Common) && gap == " " {
                    self.marks.push(Mark::CommonBehind);
                } else if word.themes.is_empty() && gap == " " && !is_number(text, word) {
                    self.marks.push(Mark::WordBehind);
                }
            }
            let place = match () {
                () if is_blocked => Place::FarAfter,
                () if verb && between <= 2 => Place::AfterVerb,
                () if between == 0 && gap.trim().is_empty() => Place::After,
                () if between <= 3 => Place::NearAfter,
                () => Place::FarAfter,
            };
            self.put(word.themes, place);
            verb |= count < 2 && word.themes.has(Theme::Is);
            if !(word.themes.is_joining() || verb && word.themes.has(Theme::Common)) {
                between += 1;
            }
        }
        let line = near(text, span.range.end).split('\n').next().unwrap_or_default();
        if line.chars().take(80).any(|c| c == '?')
            && !line.chars().take(80).take_while(|c| *c != '?').any(|c| c == '.')
        {
            self.marks.push(Mark::Question);
        }
        let is_last = line.len() <= 3 && !line.contains(char::is_alphanumeric);
        let is_first = self.marks.contains(&Mark::Starts);
        if is_first && is_last {
            self.marks.push(Mark::Alone);
        }
        if span.is_quoted {
            self.marks.push(Mark::Quoted);
        }
    }

    /// Reads the neighbours of the name of a value. They can show that it names no secret: "order code",
    /// "forgot the password".
    fn about_name(&mut self, text: &str, words: &[Word], index: usize) {
        let name = &words[index];
        let beside = |other: Option<&Word>, theme: Theme| {
            other.is_some_and(|other| {
                let gap = if other.range.end <= name.range.start {
                    &text[other.range.end..name.range.start]
                } else {
                    &text[name.range.end..other.range.start]
                };
                gap.len() <= 3 && !gap.contains(['.', ',', ':', '\n', '=', ';']) && other.themes.has(theme)
            })
        };
        let before = index.checked_sub(1).and_then(|at| words.get(at));
        let after = words.get(index + 1);
        if beside(before, Theme::Public) || beside(after, Theme::Public) {
            self.marks.push(Mark::PublicName);
        }
        if beside(before, Theme::Talk) || beside(after, Theme::Talk) {
            self.marks.push(Mark::TalkName);
        }
    }

    /// Returns whether a value of several words can start here: after a sign, a connecting word, or the name
    /// of a password.
    fn can_begin_phrase(&self, text: &str, words: &[Word], span: &Span) -> bool {
        let leads = self.name.is_some_and(|(theme, place)| {
            matches!(theme, Theme::Password | Theme::Phrase | Theme::Recovery | Theme::Login | Theme::Lock)
                && place <= Place::Near
        });
        let Some(before) = self.first.checked_sub(1).map(|at| &words[at]) else { return false };
        let gap = &text[before.range.end..span.range.start];
        let is_led = before.themes.is_joining()
            || !before.themes.only(Themes::NAMES).is_empty()
            || gap.contains([':', '=', '—', '–', '"', '\n']);
        leads && is_led
    }

    /// Returns whether the context introduces the value, so that even an ordinary word can be a secret.
    fn is_bound(&self, span: &Span) -> bool {
        span.head.is_some_and(|_| self.name.is_some_and(|(_, place)| place == Place::Head))
            || self.name.is_some_and(|(theme, place)| {
                place <= Place::FarVerb || place == Place::AfterVerb || span.is_quoted && theme != Theme::Lock
            })
            || self.marks.contains(&Mark::AfterSlash)
    }

    /// Returns whether a value is assigned to the name of a secret, is quoted after one, or follows one
    /// directly and does not look like a word.
    fn is_set(&self, text: &str, span: &Span, shape: Shape) -> bool {
        let place = |theme: &Theme| self.places[*theme as usize];
        let has = |mark: Mark| self.marks.contains(&mark);
        let is_led = |place: Place| place <= Place::FarVerb && !matches!(place, Place::Head | Place::Beside);
        let passwords = || [Theme::Password, Theme::Phrase].iter().filter_map(place);
        let is_named = passwords().any(is_led)
            || [Theme::Secret, Theme::Pin, Theme::Recovery]
                .iter()
                .filter_map(place)
                .any(|place| place == Place::Sign)
            || has(Mark::Constant) && place(&Theme::Token) == Some(Place::Sign);
        let is_word = matches!(shape.group(), Group::Words | Group::Joined | Group::Sentence | Group::Number);
        let is_made = shape.group() != Group::Number
            && text[span.range.clone()].contains(|c: char| c.is_ascii_digit() || "_#+".contains(c));
        let is_given =
            is_made && passwords().any(|place| matches!(place, Place::Sign | Place::Verb | Place::FarVerb));
        let is_spoken_of = [Mark::TalkName, Mark::PublicName, Mark::Question, Mark::BeforeSign];
        is_named
            && (span.is_quoted || is_given || has(Mark::AfterSetting) && (has(Mark::Constant) || !is_word))
            && !is_spoken_of.into_iter().any(has)
            && shape != Shape::Hex
    }

    /// Returns the kind of secret, from the theme that names the value and its shape.
    fn kind(&self, shape: Shape) -> &'static str {
        let is_password = [Theme::Password, Theme::Phrase]
            .iter()
            .any(|theme| self.places[*theme as usize].is_some_and(|place| place <= Place::FarVerb));
        match self.name.map(|(theme, _)| theme) {
            _ if is_password => "password",
            Some(Theme::Password | Theme::Phrase) => "password",
            Some(Theme::Secret | Theme::Token | Theme::Key) => "secret",
            Some(Theme::Recovery) => "recovery-code",
            Some(Theme::Account) => "account-number",
            Some(Theme::Pin | Theme::Code | Theme::Lock) => "pin",
            _ if shape.group() == Group::Number => "pin",
            _ => "password",
        }
    }

    fn features(&self, text: &str, words: &[Word], span: &Span, shape: Shape, page: &Page) -> Vec<u32> {
        let mut features = Features { keys: vec![key(Of::Bias, 0, 0)], group: shape.group() as u32 };
        features.put(Of::Shape, shape as u32, 0);
        for (theme, place) in self.places.iter().enumerate() {
            let theme = number(theme);
            if let Some(place) = place {
                features.both(Of::Place, theme, *place as u32);
                if *place < Place::Across {
                    features.both(Of::Around, theme, 0);
                }
            }
        }
        let (name, side, at) = self.name.map_or((99, 1, 99), |(theme, place)| {
            let side = match place {
                Place::AfterVerb | Place::After | Place::NearAfter | Place::FarAfter => 2,
                place if place <= Place::FarVerb => 0,
                _ => 1,
            };
            (theme as u32, side, place as u32)
        });
        let class = match self.name.map(|(theme, _)| theme) {
            Some(Theme::Password | Theme::Phrase) => 0,
            Some(Theme::Pin | Theme::Recovery) => 1,
            Some(Theme::Secret | Theme::Token) => 2,
            Some(_) => 3,
            None => 4,
        };
        features.both(Of::Named, name, side);
        features.put(Of::NamedShape, name * 3 + side, shape as u32);
        features.both(Of::Class, class, side);
        features.put(Of::ClassShape, class * 3 + side, shape as u32);
        features.both(Of::ClassPlace, class, at);
        features.both(Of::Joint, at, 0);
        let ends = self.marks.contains(&Mark::EndsClause);
        let ends = u32::from(ends)
            + 2 * u32::from(span.is_quoted)
            + 4 * u32::from(self.marks.contains(&Mark::Question));
        let own = words[self.first..self.next]
            .iter()
            .take(8)
            .map(|word| u32::from(!word.themes.is_empty() && word.themes != Themes::VALUE))
            .max()
            .unwrap_or_default();
        let talks = u32::from(self.marks.contains(&Mark::TalkName))
            + 2 * u32::from(self.marks.contains(&Mark::PublicName))
            + 4 * u32::from(self.marks.contains(&Mark::PublicNearer))
            + 8 * u32::from(self.marks.contains(&Mark::UserNearer));
        features.both(Of::Situation, class * 100 + at, ends * 2 + own);
        features.both(Of::SituationTalk, class * 100 + at, talks * 2 + own);
        features.put(Of::SituationShape, class * 100 + at, (shape as u32 * 8 + ends) * 2 + own);
        for mark in &self.marks {
            features.both(Of::Mark, *mark as u32, 0);
            features.put(Of::MarkClass, *mark as u32, class);
            features.put(Of::MarkShape, *mark as u32, shape as u32);
        }
        self.of_value(text, words, span, shape, &mut features);
        self.of_words(text, words, span, &mut features);
        of_page(text, span, shape, page, &mut features);
        // A word that occurs several times around a value counts once.
        features.keys.sort_unstable();
        features.keys.dedup();
        features.keys
    }

    /// Adds the features of the value itself.
    fn of_value(&self, text: &str, words: &[Word], span: &Span, shape: Shape, features: &mut Features) {
        let value = &text[span.range.clone()];
        let count = number(value.chars().count());
        if value.starts_with(char::is_uppercase) {
            features.both(Of::Capital, 0, 0);
        }
        features.both(Of::Length, count.min(12) + count.saturating_sub(12) / 6, 0);
        if is_clock(value) {
            features.both(Of::Clock, 0, 0);
            features.put(Of::Clock, 1, self.first.checked_sub(1).map_or(0, |at| words[at].hash));
        }
        if is_code(text, span) {
            features.both(Of::Code, 0, 0);
        }
        features.put(Of::Value, word_hash(&fold(value)), 0);
        let (runs, changes) = runs(value);
        features.put(Of::Runs, hash(&runs), 0);
        features.put(Of::Classes, hash(&coarse(&runs)), 0);
        features.put(Of::Changes, changes.min(12), count.min(40) / 4);
        let mut last = [0_u8; 3];
        for byte in runs.bytes().take(24) {
            last = [last[1], last[2], byte];
            features.put(Of::RunGram, u32::from_le_bytes([last[0], last[1], last[2], 0]), 0);
        }
        let first = value.chars().next().map_or(0, class_of);
        let end = value.chars().next_back().map_or(0, class_of);
        features.put(Of::Edges, first, end);
        features.put(Of::Prefix, word_hash(&value.chars().take(3).collect::<String>()), 0);
        let parts = words[self.first..self.next].iter();
        let mut known = 0;
        let mut all = 0;
        for part in parts.take(12) {
            features.put(Of::Part, part.hash, 0);
            all += 1;
            if part.themes != Themes::VALUE {
                for theme in part.themes.iter() {
                    features.both(Of::PartTheme, number(theme), 0);
                }
            }
            known += u32::from(is_common(&text[part.range.clone()]));
        }
        features.both(Of::Known, known.min(4), (all - known).min(4));
        if span.is_quoted {
            features.put(Of::Quoted, shape as u32, 0);
        }
    }

    /// Adds the features of the words around the value: gaps, n-grams and bags of words.
    fn of_words(&self, text: &str, words: &[Word], span: &Span, features: &mut Features) {
        let before = &words[self.first.saturating_sub(LEFT)..self.first];
        let after = &words[self.next..(self.next + RIGHT).min(words.len())];
        let left = gap(text, before.last().map_or(0, |word| word.range.end), span.range.start, true);
        let right =
            gap(text, span.range.end, after.first().map_or(text.len(), |word| word.range.start), false);
        features.both(Of::LeftGap, hash(&left), 0);
        features.both(Of::RightGap, hash(&right), 0);
        features.put(Of::Gaps, hash(&left), hash(&right));
        let of = |word: Option<&Word>| word.map_or(1, |word| word.hash);
        let back = |count: usize| before.len().checked_sub(count).map(|at| &before[at]);
        let (one, two, three) = (of(back(1)), of(back(2)), of(back(3)));
        features.both(Of::Before, one, 0);
        features.put(Of::BeforeGap, one, hash(&left));
        features.put(Of::Before2, two, 0);
        features.put(Of::Before3, three, 0);
        features.put(Of::BeforePair, one, two);
        let (next, second) = (of(after.first()), of(after.get(1)));
        features.both(Of::After, next, 0);
        features.put(Of::AfterGap, next, hash(&right));
        features.put(Of::AfterPair, next, second);
        features.put(Of::Between, one, next);
        let own = words.get(self.first).map_or((0, 0), |word| (word.line, word.sentence));
        for word in before {
            match own.0 - word.line {
                0 if word.sentence == own.1 => features.both(Of::BagBefore, word.hash, 0),
                0 => features.put(Of::BagAcross, word.hash, 0),
                1 => features.put(Of::BagAbove, word.hash, 0),
                _ => features.put(Of::BagFar, word.hash, 0),
            }
        }
        for word in after {
            match word.line.saturating_sub(own.0) {
                0 if word.sentence == own.1 => features.put(Of::BagAfter, word.hash, 0),
                0 => features.put(Of::BagBehind, word.hash, 0),
                _ => features.put(Of::BagBelow, word.hash, 0),
            }
        }
    }
}

/// Adds the features of the line and of the text.
fn of_page(text: &str, span: &Span, shape: Shape, page: &Page, features: &mut Features) {
    let group = shape.group() as u32;
    let line = page.line(span.range.start);
    let is_first = span.range.start <= line.begins;
    let is_last =
        !near(text, span.range.end).split('\n').next().unwrap_or_default().contains(char::is_alphanumeric);
    features.both(Of::InLine, u32::from(is_first), u32::from(is_last));
    features.put(Of::LineLike, line.like, group);
    for hash in &line.key {
        features.both(Of::Key, *hash, 0);
    }
    for theme in line.key_themes.iter() {
        features.both(Of::KeyTheme, number(theme), u32::from(is_last));
    }
    for hash in &line.label {
        features.put(Of::Label, *hash, 0);
    }
    for theme in line.label_themes.iter() {
        features.both(Of::LabelTheme, number(theme), u32::from(is_first && is_last));
        features.put(Of::LabelClass, number(theme), shape as u32);
    }
    features.put(Of::Lines, number(page.lines.len()).min(6), group);
    let like = page.shapes.get(&shape).copied().unwrap_or_default();
    features.put(Of::Likes, number(like).min(6), shape as u32);
    for theme in page.themes.iter() {
        features.both(Of::PageTheme, number(theme), 0);
    }
    let times = page.counts.get(&word_hash(&fold(&text[span.range.clone()]))).copied().unwrap_or_default();
    features.both(Of::Times, number(times).min(3), 0);
}

/// Data shared by all values of a text.
struct Page {
    lines: Vec<Line>,
    /// The bag of words of the text: sorted, distinct word hashes. Empty if the text has more than
    /// [`BAG_MAX`] words.
    bag: Vec<u32>,
    themes: Themes,
    /// The number of spans of each shape.
    shapes: FxHashMap<Shape, usize>,
    /// The number of occurrences of each value, by the hash of the value.
    counts: FxHashMap<u32, usize>,
}

/// Data shared by all values of a line.
struct Line {
    range: Range<usize>,
    /// The byte offset of its first letter or digit.
    begins: usize,
    /// Bit set of layout properties: has a sign (1), list item (2), label (4), contains characters of code
    /// (8).
    like: u32,
    /// Hashes of the words before the first sign, as in `key: value`.
    key: Vec<u32>,
    key_themes: Themes,
    /// Hashes of the words of the label above it.
    label: Vec<u32>,
    label_themes: Themes,
}

/// Number of lines below a label to which it applies. Each blank line between adds four.
const LABEL_LINES: usize = 12;
/// Maximum number of words of a text that has a bag of words.
const BAG_MAX: usize = 160;

impl Page {
    fn read(text: &str, words: &[Word], spans: &[Span], shapes: &[Option<Shape>]) -> Page {
        let mut page = Page {
            lines: Vec::new(),
            bag: Vec::new(),
            themes: Themes::default(),
            shapes: FxHashMap::default(),
            counts: FxHashMap::default(),
        };
        for (span, shape) in spans.iter().zip(shapes) {
            if let Some(shape) = shape {
                *page.shapes.entry(*shape).or_default() += 1;
                *page.counts.entry(word_hash(&fold(&text[span.range.clone()]))).or_default() += 1;
            }
        }
        if words.len() <= BAG_MAX {
            page.bag = words.iter().map(|word| word.hash).collect();
            page.bag.sort_unstable();
            page.bag.dedup();
            for word in words.iter().filter(|word| word.themes != Themes::VALUE) {
                page.themes = page.themes.with(word.themes);
            }
        }
        let mut offset = 0;
        let mut label: (Vec<u32>, Themes, usize) = (Vec::new(), Themes::default(), 0);
        for (at, line) in text.split_inclusive('\n').enumerate() {
            let range = offset..offset + line.len();
            offset = range.end;
            let first = words.partition_point(|word| word.range.start < range.start);
            let body = line.trim();
            let of = |part: &str| {
                let end = range.start + (line.len() - line.trim_start().len()) + part.len();
                let words = words[first..].iter().take_while(|word| word.range.end <= end).take(10);
                let mut themes = Themes::default();
                let mut hashes = Vec::new();
                for word in words {
                    if word.themes != Themes::VALUE {
                        themes = themes.with(word.themes);
                    }
                    hashes.push(word.hash);
                }
                (hashes, themes)
            };
            let sign =
                body.char_indices().take(64).find(|(_, c)| ":=：|→".contains(*c)).map(|(at, _)| &body[..at]);
            let (key, key_themes) = sign.map_or((Vec::new(), Themes::default()), of);
            let is_item = body.starts_with(['-', '*', '•', '#'])
                || body.starts_with(|c: char| c.is_ascii_digit())
                    && body.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['.', ')']);
            let is_label = body.len() > 1
                && (body.ends_with([':', '：', '-'])
                    || body.starts_with('#')
                    || body.starts_with('[') && body.ends_with(']'));
            let is_short = body.len() <= 40;
            if body.is_empty() {
                label.2 += 4;
            }
            let like = u32::from(sign.is_some())
                | u32::from(is_item) << 1
                | u32::from(is_label) << 2
                | u32::from(body.contains(['{', ';', '(', '$'])) << 3;
            let held = at - label.2.min(at) <= LABEL_LINES && !label.0.is_empty();
            let begins = range.start + line.find(char::is_alphanumeric).unwrap_or(line.len());
            page.lines.push(Line {
                begins,
                range: range.clone(),
                like,
                key,
                key_themes,
                label: if held { label.0.clone() } else { Vec::new() },
                label_themes: if held { label.1 } else { Themes::default() },
            });
            if is_label || is_short && !is_item && !body.is_empty() && sign.is_none() {
                let (hashes, themes) =
                    of(&body
                        [..body.len().min(if body.is_char_boundary(body.len().min(200)) { 200 } else { 0 })]);
                if is_label || !themes.only(Themes::NAMES).is_empty() {
                    label = (hashes, themes, at);
                }
            }
        }
        page
    }

    fn line(&self, at: usize) -> &Line {
        &self.lines[self.lines.partition_point(|line| line.range.start <= at).saturating_sub(1)]
    }
}

/// Feature templates. A feature is the hash of its template and up to two arguments.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
enum Of {
    Bias,
    Shape,
    Place,
    Around,
    Named,
    NamedShape,
    Class,
    ClassShape,
    ClassPlace,
    Joint,
    Mark,
    MarkClass,
    MarkShape,
    Situation,
    SituationTalk,
    SituationShape,
    Capital,
    Length,
    Clock,
    Code,
    Value,
    Runs,
    Classes,
    Changes,
    RunGram,
    Edges,
    Prefix,
    Part,
    PartTheme,
    Known,
    Quoted,
    LeftGap,
    RightGap,
    Gaps,
    Before,
    BeforeGap,
    Before2,
    Before3,
    BeforePair,
    After,
    AfterGap,
    AfterPair,
    Between,
    BagBefore,
    BagAcross,
    BagAbove,
    BagFar,
    BagAfter,
    BagBehind,
    BagBelow,
    InLine,
    LineLike,
    Key,
    KeyTheme,
    Label,
    LabelTheme,
    LabelClass,
    Lines,
    Likes,
    Bag,
    PageTheme,
    Times,
}

/// The features of a value, as hashes.
struct Features {
    keys: Vec<u32>,
    group: u32,
}

impl Features {
    fn put(&mut self, of: Of, a: u32, b: u32) {
        self.keys.push(key(of, a, b));
    }

    /// Adds a feature, and its conjunction with the group of the value's shape.
    fn both(&mut self, of: Of, a: u32, b: u32) {
        self.put(of, a, b);
        self.keys.push(mix(key(of, a, b), self.group + 1));
    }
}

fn key(of: Of, a: u32, b: u32) -> u32 {
    mix(mix(of as u32 + 1, a), b)
}

fn mix(a: u32, b: u32) -> u32 {
    let wide = (u64::from(a) << 32 | u64::from(b))
        .wrapping_add(0x9E37_79B9_7F4A_7C15)
        .wrapping_mul(0xD6E8_FEB8_6659_FD93);
    let wide = (wide ^ wide >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    #[allow(clippy::cast_possible_truncation, reason = "a hash")]
    {
        (wide >> 32) as u32
    }
}

fn number(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX)
}

fn class_of(c: char) -> u32 {
    match c {
        'a'..='z' => 1,
        'A'..='Z' => 2,
        '0'..='9' => 3,
        c if c.is_alphabetic() => 4,
        c if c.is_whitespace() => 5,
        c if c.is_ascii() => 6 + c as u32,
        _ => 6,
    }
}

/// Returns the character classes of a value, with runs cut to four characters, like `Aaaa-1111`, and the
/// number of runs.
fn runs(value: &str) -> (String, u32) {
    let (mut runs, mut changes) = (String::new(), 0);
    let (mut last, mut length) = (' ', 0);
    for c in value.chars().take(64) {
        let class = match c {
            'a'..='z' => 'a',
            'A'..='Z' => 'A',
            '0'..='9' => '1',
            c if c.is_alphabetic() => 'x',
            c if c.is_whitespace() => '_',
            c if c.is_ascii() => c,
            _ => '?',
        };
        if class == last {
            length += 1;
        } else {
            changes += 1;
            (last, length) = (class, 1);
        }
        if length <= 4 {
            runs.push(class);
        }
    }
    (runs, changes)
}

/// Collapses each run to one character.
fn coarse(runs: &str) -> String {
    let mut coarse = String::new();
    for c in runs.chars() {
        if !coarse.ends_with(c) {
            coarse.push(c);
        }
    }
    coarse
}

/// Returns the characters between a value and the adjacent word, nearest first: at most 8, without
/// consecutive duplicates.
fn gap(text: &str, from: usize, to: usize, is_left: bool) -> String {
    let part = text.get(from..to).unwrap_or_default();
    let tidy = |c: char| if c == '\t' { ' ' } else { c };
    let mut gap: Vec<char> = if is_left {
        part.chars().rev().map(tidy).take(8).collect()
    } else {
        part.chars().map(tidy).take(8).collect()
    };
    gap.dedup();
    gap.into_iter().collect()
}

/// The characters directly before a value.
struct Tail {
    /// Whether a sign like a colon precedes the value.
    sign: bool,
    /// Whether at most quotation marks lie between the sign and the value.
    is_tight: bool,
    /// Whether something other than white space, quotation marks or a sign separates the value from the words
    /// before it.
    is_cut: bool,
    /// Number of line breaks between the sign and the value.
    lines: usize,
    marks: Vec<Mark>,
}

impl Tail {
    fn read(text: &str, start: usize, from: usize) -> Tail {
        let mut tail = Tail { sign: false, is_tight: true, is_cut: false, lines: 0, marks: Vec::new() };
        let before = &text[from..start];
        let mut characters = before.chars().rev().take(24).peekable();
        while let Some(c) = characters.next() {
            match c {
                ' ' | '\t' => tail.is_tight = false,
                '\n' => {
                    tail.lines += 1;
                    tail.is_tight = false;
                    if tail.lines > 1 {
                        break;
                    }
                }
                '`' | '*' => tail.marks.push(Mark::Ticked),
                '"' | '\'' | '_' | '“' | '„' | '«' | '‘' | '「' | '»' | '\\' | '”' | '’' => {}
                ':' | '=' | '→' | '➜' | '⇒' | '|' => {
                    tail.sign = true;
                    if tail.is_tight {
                        tail.marks.push(Mark::AfterSetting);
                    }
                    break;
                }
                '>' => {
                    tail.sign = characters.peek().is_some_and(|c| "-=".contains(*c)) || tail.is_tight;
                    tail.is_cut |= !tail.sign;
                    if tail.sign {
                        break;
                    }
                }
                '-' | '–' | '—' if !tail.is_tight && tail.lines == 0 => {
                    tail.sign =
                        characters.peek().is_some_and(|c| c.is_whitespace()) && before.trim_start().len() > 1;
                    tail.marks.push(Mark::AfterDash);
                    tail.is_cut = !tail.sign;
                    break;
                }
                '-' | '•' | '·' | '#' if tail.lines == 0 => {}
                '/' => {
                    tail.marks.push(Mark::AfterSlash);
                    tail.is_cut = true;
                    break;
                }
                ',' | '，' | '、' => {
                    tail.marks.push(Mark::AfterComma);
                    tail.is_cut = c != '、';
                    break;
                }
                '(' | '[' | '{' => {
                    tail.marks.push(Mark::AfterBracket);
                    tail.is_cut = c == '{';
                }
                _ => {
                    tail.is_cut = true;
                    break;
                }
            }
        }
        tail.marks.dedup();
        if tail.lines > 0 && !tail.sign {
            tail.is_cut = true;
        }
        tail
    }
}

/// Returns whether the surroundings of a value look like code, where signs around words have other meanings
/// than in prose.
fn is_code(text: &str, span: &Span) -> bool {
    let mut start = span.range.start.saturating_sub(40);
    let mut end = (span.range.end + 40).min(text.len());
    while !text.is_char_boundary(start) {
        start += 1;
    }
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let signs = |part: &str| part.bytes().filter(|b| b"(){}[]<>=;\"`|$_".contains(b)).count();
    signs(&text[start..span.range.start]) + signs(&text[span.range.end..end]) >= 5
}

/// Returns whether four digits are a time of day in steps of five minutes: `0630`.
fn is_clock(value: &str) -> bool {
    let bytes = value.as_bytes();
    let is_number = bytes.len() == 4 && bytes.iter().all(u8::is_ascii_digit);
    is_number && &value[..2] < "24" && &value[2..] < "60" && matches!(bytes[3], b'0' | b'5')
}

fn is_constant(word: &str) -> bool {
    (2..=WORD_BYTES_MAX).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_uppercase())
}

fn is_number(text: &str, word: &Word) -> bool {
    word.range.len() <= WORD_BYTES_MAX && text[word.range.clone()].bytes().all(|b| b.is_ascii_digit())
}

/// Returns whether a word is a unit of measurement.
fn is_unit(word: &str) -> bool {
    const UNITS: &str = " km m cm mm kg g mg ml l kb mb gb tb ms s h min euro euros eur usd gbp zl kr rub tl yen won dollars pounds pesos reais minutes hours days weeks months years times people items pages points percent steps calories uhr stunden minuten tage jahre minutos horas dias anos ore giorni anni heures jours ans am pm pcs px characters digits chars zeichen ziffern caracteres haneli cyfr znakow руб км м кг г мл шт минут часов дней лет 元 円 원 分 년 月 年 日 号 번 개 ";
    if word.len() > 12 {
        return false;
    }
    static SET: LazyLock<FxHashSet<&str>> = LazyLock::new(|| UNITS.split_whitespace().collect());
    SET.contains(word.to_lowercase().as_str())
}
