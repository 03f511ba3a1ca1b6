//! Purpose: values that look like ones, near words that speak of them: "the gate opens with 2285#".
//!
//! **Invariant:** from a value is read no further than its sentence or [`WINDOW`] words, so all readings together take
//! linear time.

use std::cell::OnceCell;
use std::ops::Range;

use super::lexicon::{CONTEXTS, Hit, THEMES, Theme, hits, is_unspaced};
use super::said::{groups, is_address, is_listed, kind, spelled};
use super::value::{
    Look, digits, is_digit_word, is_hex, is_issued, is_keypad, is_public, is_random, is_wheels, look, trim,
};

/// So many words around a value are read.
const WINDOW: usize = 14;

/// A piece of a sentence: a word, or what is written between others without spaces.
struct Piece {
    range: Range<usize>,
    sentence: usize,
}

/// Finds values that look like ones, near words that speak of them.
pub(super) fn near(text: &str, names: &[Hit], add: &mut dyn FnMut(Range<usize>, &'static str)) {
    let words = OnceCell::new();
    let mut offset = 0;
    let mut is_list = false;
    for line in text.split_inclusive('\n') {
        let range = offset..offset + line.len();
        offset = range.end;
        is_list = match listed(text, range.clone()) {
            Some(code) if is_list => {
                add(code, kind(Theme::Recovery));
                true
            }
            _ => within(names, &range)
                .iter()
                .any(|name| name.theme == Theme::Recovery || name.theme == Theme::Pin),
        };
        if !is_code(line) {
            near_in_line(text, range, names, &words, add);
        }
    }
}

/// The hits that lie within a range.
fn within<'h>(hits: &'h [Hit], range: &Range<usize>) -> &'h [Hit] {
    let first = hits.partition_point(|hit| hit.range.start < range.start);
    let last = first + hits[first..].partition_point(|hit| hit.range.start < range.end);
    &hits[first..last]
}

/// The code that a line of a list consists of.
fn listed(text: &str, line: Range<usize>) -> Option<Range<usize>> {
    let part = &text[line.clone()];
    let core = part.trim().trim_start_matches(['-', '*', '•', '·', '>']).trim_start();
    let start = line.start + part.len() - part.trim_start().len() + (part.trim().len() - core.len());
    let is_numbered = core.split_once([')', '.']).filter(|(number, rest)| {
        number.len() <= 2 && digits(number) == number.len() && rest.starts_with(' ')
    });
    let (start, core) = is_numbered.map_or((start, core), |(number, rest)| {
        (start + number.len() + 1 + rest.len() - rest.trim_start().len(), rest.trim_start())
    });
    let is_code = (6..=40).contains(&core.len())
        && digits(core) >= 2
        && core.split([' ', '-']).all(|group| {
            !group.is_empty() && group.len() <= 12 && group.bytes().all(|b| b.is_ascii_alphanumeric())
        })
        && core.split([' ', '-']).count() <= 6
        && core.split(' ').all(|word| digits(word) > 0 || word.len() == 4);
    is_code.then(|| start..start + core.len())
}

/// Tells whether a line is code, in which signs around words mean other things than in prose.
fn is_code(line: &str) -> bool {
    let signs = line.bytes().filter(|b| b"(){}[]<>=;\"`|$".contains(b)).count();
    signs * 14 > line.len() && signs > 2
        || ["();", "=>", "::", "</", "/>", "$(", "==", "{{", "&&"].iter().any(|sign| line.contains(sign))
}

fn near_in_line(
    text: &str,
    line: Range<usize>,
    names: &[Hit],
    words: &OnceCell<Vec<Hit>>,
    add: &mut dyn FnMut(Range<usize>, &'static str),
) {
    let pieces = pieces(text, line);
    let mut at = 0;
    while at < pieces.len() {
        let piece = &pieces[at];
        let (range, look) = candidate(text, piece);
        at += 1;
        let is_pair = at > 1
            && &text[pieces[at - 2].range.clone()] == "/"
            && text[range.clone()].contains(['-', '.', '_']);
        if look <= Look::Word && !is_pair {
            continue;
        }
        let low = at.saturating_sub(1 + WINDOW);
        let high = (at + WINDOW).min(pieces.len());
        // What can hardly be anything else is read with the sentences around it.
        let belongs = |index: &usize| pieces[*index].sentence == piece.sentence || look == Look::Strong;
        let low = (low..at).find(belongs).unwrap_or(at - 1);
        let high = (at..high).rfind(belongs).map_or(at, |index| index + 1);
        let window = pieces[low].range.start..pieces[high - 1].range.end;
        let words = words.get_or_init(|| hits(text, 0..text.len(), &CONTEXTS));
        let around = within(names, &window).iter().chain(within(words, &window));
        let sentence = Sentence::read(text, &pieces[low..high], at - 1 - low, around);
        if let Some(theme) = sentence.speaks_of(&text[range.clone()], look) {
            add(range, kind(theme));
        }
    }
}

/// The value in a piece, and how it looks.
fn candidate(text: &str, piece: &Piece) -> (Range<usize>, Look) {
    let range = &piece.range;
    if let Some(grouped) = groups(text, range.start) {
        return (range.start..grouped, Look::Number);
    }
    if is_digit_word(&text[range.clone()])
        && let Some(spelled) = spelled(text, range.start)
    {
        return (spelled, Look::Short);
    }
    let word = &text[range.clone()];
    let is_masked = text[..range.start].ends_with("**") && text[..range.start].ends_with("***");
    let is_word = is_masked
        || word.chars().all(char::is_alphabetic) && !word.is_ascii()
        || word.contains(['(', ')', '{', '}', '[', ']', '<', '>', '"', '\'', '`', ';', ',', ':', '\\']);
    if is_word || word.contains(['=', '/']) && !is_issued(word) {
        return (range.clone(), if is_masked { Look::Reference } else { Look::Word });
    }
    (range.clone(), look(word))
}

/// The pieces of a line.
fn pieces(text: &str, line: Range<usize>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut sentence = 0;
    let mut start = None;
    let mut last = ' ';
    let part = &text[line.clone()];
    let mut close = |start: &mut Option<usize>, end: usize, sentence: &mut usize| {
        let Some(from) = start.take() else { return };
        let word = &part[from..end];
        let core = trim(word);
        let opened = core.len()
            - core
                .trim_start_matches(['(', '"', '\'', '`', '*', '„', '“', '«', '[', '‘', '「', '¿', '¡', '>'])
                .len();
        if opened < core.len() {
            pieces.push(Piece {
                range: line.start + from + opened..line.start + from + core.len(),
                sentence: *sentence,
            });
        }
        let ends = (word.ends_with(['.', '?']) || word.ends_with('!') && digits(core) == 0)
            && !word.ends_with("..")
            && (core.chars().count() > 3
                || !word.ends_with('.')
                || digits(core) > 0
                || core.chars().any(is_unspaced));
        *sentence += usize::from(ends);
    };
    for (at, c) in part.char_indices() {
        let splits = c.is_whitespace() || "，。；、！？：「」『』（）→|".contains(c);
        if splits {
            close(&mut start, at, &mut sentence);
            sentence += usize::from("。！？".contains(c));
        } else if start.is_some() && is_unspaced(c) != is_unspaced(last) {
            close(&mut start, at, &mut sentence);
            start = Some(at);
        } else if start.is_none() {
            start = Some(at);
        }
        last = c;
    }
    close(&mut start, part.len(), &mut sentence);
    pieces
}

/// How many pieces lie between a value and the nearest word of each theme.
struct Sentence<'t> {
    text: &'t str,
    /// The piece before the value, and the one after it.
    before: &'t str,
    after: &'t str,
    distances: [usize; THEMES],
    /// A word of a public thing right before.
    is_public: bool,
    /// How many pieces before the value a password and a thing that is locked are named.
    password_before: usize,
    lock_before: usize,
    /// A word of who logs in right before.
    is_user: bool,
}

/// Farther than anything that is asked.
const FAR: usize = 99;

impl<'t> Sentence<'t> {
    fn read<'h>(
        text: &'t str,
        pieces: &[Piece],
        at: usize,
        around: impl Iterator<Item = &'h Hit>,
    ) -> Sentence<'t> {
        let index = |place: usize| pieces.partition_point(|piece| piece.range.end <= place);
        let mut distances = [FAR; THEMES];
        let mut is_public = false;
        let mut is_user = false;
        let (mut password_before, mut lock_before) = (FAR, FAR);
        let own = pieces[at].range.clone();
        for hit in around {
            if hit.range.start < own.end && own.start < hit.range.end {
                continue;
            }
            let (first, last) = (index(hit.range.start), index(hit.range.end - 1));
            let distance = if last < at { at - last } else { first.saturating_sub(at) };
            let known = &mut distances[hit.theme as usize];
            *known = (*known).min(distance);
            is_public |= hit.theme == Theme::Public && last <= at && distance <= 2;
            is_user |= hit.theme == Theme::Login && last + 1 == at;
            if hit.theme == Theme::Password && last < at {
                password_before = password_before.min(distance);
            }
            if hit.theme == Theme::Lock && last < at {
                lock_before = lock_before.min(distance);
            }
        }
        is_user &= distances[Theme::Password as usize] > 1;
        let word = |index: Option<usize>| {
            index.and_then(|index| pieces.get(index)).map_or("", |piece| &text[piece.range.clone()])
        };
        Sentence {
            text,
            before: word(at.checked_sub(1)),
            after: word(Some(at + 1)),
            distances,
            is_public,
            is_user,
            password_before,
            lock_before,
        }
    }

    fn has(&self, theme: Theme, within: usize) -> bool {
        self.distances[theme as usize] <= within
    }

    /// By which theme a value of this look is one.
    fn speaks_of(&self, value: &str, look: Look) -> Option<Theme> {
        if is_measure(self.after) || self.text.is_empty() {
            return None;
        }
        match look {
            Look::Strong => self.of_strong(value),
            Look::Mixed => self.of_mixed(value),
            Look::Joined => {
                let is_name = is_public(value) || self.is_public || self.is_user;
                (!is_name && (self.has(Theme::Password, 5) || self.has(Theme::Phrase, 6)))
                    .then_some(Theme::Password)
            }
            Look::Number | Look::Short => self.of_code(value, look),
            Look::Word if self.before == "/" => {
                (self.has(Theme::Login, 8) || self.has(Theme::Password, 8)).then_some(Theme::Password)
            }
            Look::Reference | Look::Word => None,
        }
    }

    fn of_strong(&self, value: &str) -> Option<Theme> {
        if is_hex(value)
            && value.len() >= 32
            && !is_address(value)
            && !self.has(Theme::Public, WINDOW)
            && self.has(Theme::Key, 8)
        {
            return Some(Theme::Key);
        }
        if is_public(value) {
            return None;
        }
        let is_key = self.has(Theme::Key, 6) && is_random(value);
        match () {
            () if self.has(Theme::Password, WINDOW) => Some(Theme::Password),
            () if is_key || self.has(Theme::Recovery, 6) => Some(Theme::Key),
            () if self.has(Theme::Pin, 4) => Some(Theme::Pin),
            () if self.has(Theme::Login, 8) || self.has(Theme::Change, 4) => Some(Theme::Password),
            () => None,
        }
    }

    fn of_mixed(&self, value: &str) -> Option<Theme> {
        let count = value.chars().count();
        if is_coupon(value) && (self.has(Theme::Recovery, 12) || self.has(Theme::Code, 6) && count >= 14) {
            return Some(Theme::Recovery);
        }
        if is_public(value) || self.is_public || self.is_user || count < 6 {
            return None;
        }
        match () {
            () if self.has(Theme::Password, 12) => Some(Theme::Password),
            () if self.has(Theme::Pin, 3) => Some(Theme::Pin),
            () if self.has(Theme::Key, 3)
                && count >= 10
                && (is_random(value) || value.contains(['_', '-']) && self.has(Theme::Key, 1)) =>
            {
                Some(Theme::Key)
            }
            () if self.has(Theme::Change, 3) && count >= 8 => Some(Theme::Password),
            () if self.has(Theme::Login, 8)
                && (self.has(Theme::Open, 2) || self.before == "/")
                && count >= 8 =>
            {
                Some(Theme::Password)
            }
            () => None,
        }
    }

    fn of_code(&self, value: &str, look: Look) -> Option<Theme> {
        let count = digits(value);
        let is_spelled = count == 0;
        let is_keyed = look == Look::Short && !is_public(value) && value.len() >= 4;
        let is_wheels = is_wheels(value);
        let is_beside_number =
            look == Look::Number && (digits(self.before) > 0 || self.before.starts_with('+'));
        if self.is_public
            || is_beside_number
            || look == Look::Number && is_year(value) && !self.has(Theme::Pin, 2)
        {
            return None;
        }
        if self.has(Theme::Recovery, 12) && ((8..=16).contains(&count) || is_coupon(value)) {
            return Some(Theme::Recovery);
        }
        if !(is_keyed || is_spelled || is_wheels || (4..=8).contains(&count)) {
            return None;
        }
        let is_code = self.has(Theme::Code, 3);
        let is_lock = self.has(Theme::Lock, 8);
        match () {
            () if self.has(Theme::Pin, if is_spelled || is_keyed { 5 } else { 9 }) => Some(Theme::Pin),
            () if is_code && (is_lock || self.has(Theme::Proof, 8) || self.has(Theme::Open, 2)) => {
                Some(Theme::Pin)
            }
            () if is_lock && (self.has(Theme::Open, 2) || self.has(Theme::Change, 6) || is_wheels) => {
                Some(Theme::Pin)
            }
            () if self.has(Theme::Lock, 4) && is_keypad(value) => Some(Theme::Pin),
            () if self.has(Theme::Lock, 1) && value.contains(['#', '*']) => Some(Theme::Pin),
            () if is_code && self.has(Theme::Change, 3)
                || self.has(Theme::Code, 10) && self.has(Theme::Change, 2) =>
            {
                Some(Theme::Pin)
            }
            () if self.lock_before == 1 && look == Look::Number && (4..=6).contains(&count) => {
                Some(Theme::Pin)
            }
            () if self.password_before <= 4 && look == Look::Number && count >= 4 => Some(Theme::Password),
            () if self.has(Theme::Password, 8) && self.has(Theme::Open, 1) && look == Look::Number => {
                Some(Theme::Password)
            }
            () if self.has(Theme::Proof, 6) && (6..=8).contains(&count) => Some(Theme::Pin),
            () => None,
        }
    }
}

/// Tells whether groups of capitals and digits stand as on a printed code: `5TWP-3MXV`.
fn is_coupon(value: &str) -> bool {
    let groups: Vec<&str> = value.split('-').collect();
    groups.len() >= 2
        && groups.iter().all(|group| {
            (4..=6).contains(&group.len())
                && group.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
        })
        && digits(value) >= 1
}

fn is_year(value: &str) -> bool {
    value.len() == 4 && (value.starts_with("19") || value.starts_with("20"))
}

/// Tells whether a word after a number says what it measures.
fn is_measure(word: &str) -> bool {
    const UNITS: &str = " € $ £ ¥ % euro euros eur usd gbp zł zl pln руб tl lira yen 円 원 元 kg g mg ml l km m cm mm min mins minutes minuten minuti minutos h hours \
        stunden uhr pm am gb mb kb tb kcal points puntos punkte mal times tokens pages people pcs stk quid pounds dollars kr krona 分 時 时 年 月 日 号 號 度 个 個 회 개 년 월 일 시 분 명 \
        grammes gramm gramos watts kw kwh rpm mph kmh volt v mah dpi px x ";
    word.chars().count() <= 8 && is_listed(UNITS, word)
}
