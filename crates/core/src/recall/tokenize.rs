//! Cuts a text into the terms of word search.
//!
//! [`terms`] serves the index, [`query_terms`] the query; both read a text in the same way:
//!
//! - It is folded: compatibility forms (NFKC), diacritics, apostrophes, decimal digits, skin tones, invisible
//!   characters. Marks that spell a sound (vowel signs, the voicing of kana) stay.
//! - *Words* follow Unicode's word boundaries and are lower-cased; words of ASCII letters only are stemmed as
//!   English. `Alice's` and `she'll` lose the ending, `l'homme` the article; in any other word the apostrophe
//!   is dropped (`don't` becomes `dont`). `FooBar` and `utf8` also yield their parts.
//! - *Compounds*, words joined without a space (`foo_bar`, `a/b.rs`, `7:30`, `me@here.org`), yield the whole
//!   and every word. In a whole, `-` and `_` between two letters are dropped (`e-mail` becomes `email`,
//!   `foo_bar` equals `FooBar`), and so is the comma of `1,000`; any other joint becomes [`JOINT`].
//! - *Scripts without spaces*, and Hangul, yield overlapping pairs of characters; the index also gets the
//!   single characters, a query only if a run is one character. *Emoji* are a term each.
//!
//! **Invariant:** a term is not empty, has at most [`TERM_CHARS_MAX`] characters (longer ones are cut), is
//! lower-cased, and of ASCII contains only `a-z` and `0-9`: FTS5's `ascii` tokenizer reads it as one token,
//! and it cannot contain query syntax.
//! **Invariant:** no term depends on what lies beyond white space, so any part of a text between white space
//! finds that text.
//! **Invariant:** any text is safe to process, in time linear in its length.
//!
//! A change of the terms of any text invalidates stored indexes: raise their schema number with it.

use std::collections::HashSet;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};
use unicode_segmentation::UnicodeSegmentation;

use crate::script::is_unspaced;

#[cfg(test)]
mod tests;

/// The maximum number of terms of a query; a longer query uses its first ones.
pub const QUERY_TERMS_MAX: usize = 64;
/// The maximum number of characters of a term; longer words are data that only need to be told apart.
pub const TERM_CHARS_MAX: usize = 64;
/// Joins the words of a whole: not ASCII, so that no tokenizer cuts there.
pub const JOINT: char = '\u{B7}';

/// A word with more humps than this, if they are short, is encoded data.
const HUMPS_MAX: usize = 4;
const ZERO_WIDTH_JOINER: char = '\u{200D}';

/// Returns all terms of a text for the index, in order, including stop words and repetitions.
#[must_use]
pub fn terms(text: &str) -> Vec<String> {
    read(text, false).terms
}

/// Returns the terms of a query: each once, in order, the first [`QUERY_TERMS_MAX`].
///
/// Stop words are dropped unless there is nothing else. A word in capitals ("the IT budget", "flights to LA")
/// is not a stop word.
#[must_use]
pub fn query_terms(text: &str) -> Vec<String> {
    let Reader { terms, stop_terms, .. } = read(text, true);
    if terms.is_empty() { stop_terms } else { terms }
}

/// Cuts the text where the kind of character changes, and passes each slice to the reader.
fn read(text: &str, is_query: bool) -> Reader {
    let folded = fold(text);
    let mut reader = Reader { is_query, ..Reader::default() };
    let (mut start, mut kind, mut last) = (0, Kind::Break, ' ');
    for (segment_start, segment) in folded.split_word_bound_indices() {
        for (offset, c) in segment.char_indices() {
            let is_inside = offset > 0;
            let next = kind_of(c, is_inside, kind, last);
            // Unicode sees a boundary at an apostrophe after a digit ("the 90's").
            let has_apostrophe = c == '\'' || last == '\'';
            let begins = !is_inside && !has_apostrophe && matches!(next, Kind::Word | Kind::Symbol);
            if next != kind || begins {
                let end = segment_start + offset;
                reader.read(kind, &folded[start..end]);
                (start, kind) = (end, next);
            }
            last = c;
        }
        if is_query && reader.terms.len() >= QUERY_TERMS_MAX {
            return reader;
        }
    }
    reader.read(kind, &folded[start..]);
    reader.end_compound();
    reader
}

// ---- Characters ----

/// Folds everything except case, which still marks the parts of `FooBar`.
fn fold(text: &str) -> String {
    const APOSTROPHES: [char; 8] = ['´', 'ʻ', 'ʼ', '׳', '״', '‘', '’', '‛'];
    if text.is_ascii() {
        return text.to_owned();
    }
    let text = text.replace(APOSTROPHES, "'");
    let mut folded = String::with_capacity(text.len());
    // Ignored characters are removed first, so that normalization has no long runs of diacritics to sort.
    for c in text.chars().filter(|&c| !is_ignored(c)).nfkc() {
        let mut push = |part| folded.extend((!is_ignored(part)).then(|| plain_digit(part)));
        if is_unspaced(c) {
            // Decomposed Hangul would be single sounds, and kana would lose its voicing.
            push(c);
        } else {
            decompose_canonical(c, push);
        }
    }
    folded
}

fn plain_digit(c: char) -> char {
    let digit = |zero: char| char::from_digit(u32::from(c).checked_sub(u32::from(zero))?, 10);
    "0٠۰߀०০੦૦୦௦౦೦൦๐໐༠၀០".chars().find_map(digit).unwrap_or(c)
}

/// Lower-cases a folded character, and replaces letters that do not decompose by plain ones.
#[rustfmt::skip]
fn push_lowercase(term: &mut String, c: char) {
    let mut buffer = [0; 4];
    for c in c.to_lowercase() {
        term.push_str(match c {
            'ß' => "ss", 'æ' => "ae", 'œ' => "oe", 'þ' => "th", 'đ' | 'ð' => "d", 'ø' => "o",
            'ł' => "l", 'ı' => "i", 'ς' => "σ",
            // Arabic and Persian keyboards differ in these letters.
            'ى' | 'ی' => "ي", 'ک' => "ك",
            _ => c.encode_utf8(&mut buffer),
        });
    }
}

/// Returns whether a character is a diacritic, point, variation selector, skin tone, tag, or invisible.
#[rustfmt::skip]
fn is_ignored(c: char) -> bool {
    match u32::from(c) {
        // Marks of Latin, Greek, Cyrillic, Hebrew, Arabic, Syriac; of Khmer, Mongolian; of any script.
        0x300..=0x74F | 0x17B4 | 0x17B5 | 0x180B..=0x180F | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF
        | 0x20D0..=0x20FF | 0xFE00..=0xFE2F | 0xE_0100..=0xE_01EF
            if is_combining_mark(c) => true,
        0xAD | 0x61C | 0x640 | 0x115F | 0x1160 | 0x180E | 0x200C | 0x200E | 0x200F
        | 0x202A..=0x202E | 0x2060..=0x206F | 0xFEFF | 0x1_F3FB..=0x1_F3FF | 0xE_0000..=0xE_007F => true,
        _ => false,
    }
}

/// Returns whether a character is an emoji, or a picture or arrow used as one.
#[rustfmt::skip]
fn is_pictograph(c: char) -> bool {
    matches!(u32::from(c), 0x2194..=0x2199 | 0x21A9 | 0x21AA | 0x231A | 0x231B | 0x23CF
        | 0x23E9..=0x23FA | 0x2600..=0x2767 | 0x2794..=0x27BF | 0x2B05..=0x2B07 | 0x2B1B | 0x2B1C
        | 0x2B50 | 0x2B55 | 0x1_F000..=0x1_FAFF)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Joint,
    Run,
    Symbol,
    Break,
}

/// Returns a character's kind, from its position (inside a segment or not) and the kind and character before
/// it.
#[rustfmt::skip]
fn kind_of(c: char, is_inside: bool, kind: Kind, last: char) -> Kind {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' => Kind::Word,
        '\'' if kind == Kind::Word && last != '\'' => Kind::Word,
        // Unicode keeps a quotation mark inside a Hebrew acronym, and a comma inside a number.
        '"' if is_inside && kind == Kind::Word => Kind::Word,
        ',' if is_inside => Kind::Joint,
        '-' | '_' | '.' | ':' | '@' | '/' | '\\' | '+' | '&' | JOINT | '\u{2010}' | '\u{2044}' => Kind::Joint,
        _ if c.is_ascii() => Kind::Break,
        _ if is_pictograph(c) => Kind::Symbol,
        // A mark by itself spells nothing, so it begins no slice.
        _ if is_combining_mark(c) || c == ZERO_WIDTH_JOINER => if kind == Kind::Joint { Kind::Break } else { kind },
        _ if is_unspaced(c) => Kind::Run,
        _ if c.is_alphanumeric() => Kind::Word,
        _ => Kind::Break,
    }
}

// ---- Words and their parts ----

/// Removes an English ending or a French or Italian article, else only the apostrophes.
fn without_apostrophes(word: &str) -> String {
    // With the apostrophe dropped, they would make other words: "she'll" a shell, "I'd" an id.
    const ENDINGS: &str = "s ll re ve d m";
    const ARTICLES: &str = "l d j m t s n c qu jusqu lorsqu puisqu un dell all nell dall sull";
    let is_of = |list: &str, part: &str| list.split(' ').any(|one| one.eq_ignore_ascii_case(part));
    let word = word.trim_end_matches('\'');
    let kept = match (word.split_once('\''), word.rsplit_once('\'')) {
        (_, Some((stem, ending))) if is_of(ENDINGS, ending) => stem,
        (Some((article, noun)), _) if is_of(ARTICLES, article) => noun,
        _ => word,
    };
    kept.replace(['\'', '"', ZERO_WIDTH_JOINER], "")
}

/// Returns a compound as one word.
fn whole(words: &[(char, String)]) -> String {
    let mut whole = String::new();
    for (joint, word) in words {
        let vanishes = match joint {
            _ if whole.is_empty() => true,
            // "e-mail" is "email", but 2026-02 is not 202602.
            '-' | '_' | '\u{2010}' | &JOINT => {
                whole.ends_with(char::is_alphabetic) && word.starts_with(char::is_alphabetic)
            }
            ',' => word.len() == 3,
            _ => false,
        };
        if !vanishes {
            whole.push(JOINT);
        }
        whole.push_str(word);
    }
    whole
}

/// Returns the parts of a word such as `FooBar` or `utf8`, without single letters.
fn parts(word: &str) -> Vec<&str> {
    // Most words have no parts.
    let (first, rest) = word.as_bytes().split_first().unwrap_or((&b'a', &[]));
    if first.is_ascii_alphabetic() && rest.iter().all(u8::is_ascii_lowercase) {
        return Vec::new();
    }
    let humps = split(word, |last, c, rest| {
        // "HTTPServer" is "HTTP Server", but the small s of "URLs" is a plural.
        let begins_word = rest.starts_with(char::is_lowercase) && rest != "s";
        c.is_uppercase() && (last.is_lowercase() || begins_word)
    });
    // Fragments of encoded data would only produce false matches.
    if humps.len() > HUMPS_MAX && humps.len() * 4 > word.chars().count() {
        return Vec::new();
    }
    let mut parts = Vec::new();
    for hump in &humps {
        parts.extend((humps.len() > 1).then_some(*hump));
        let runs = split(hump, |last, c, _| last.is_numeric() != c.is_numeric());
        // A hash has many boundaries between letters and digits.
        parts.extend(runs.iter().filter(|_| matches!(runs.len(), 2 | 3)));
    }
    parts.retain(|part| part.chars().nth(1).is_some() || part.starts_with(char::is_numeric));
    parts
}

/// Splits a word before each boundary character; `is_border` gets the previous, the current and all following
/// ones.
fn split(word: &str, is_border: impl Fn(char, char, &str) -> bool) -> Vec<&str> {
    let (mut pieces, mut start, mut last) = (Vec::new(), 0, None);
    for (at, c) in word.char_indices() {
        if last.is_some_and(|last| is_border(last, c, &word[at + c.len_utf8()..])) {
            pieces.push(&word[start..at]);
            start = at;
        }
        last = Some(c);
    }
    pieces.push(&word[start..]);
    pieces
}

/// Makes terms of slices; for a query each once, up to the limit.
#[derive(Default)]
struct Reader {
    is_query: bool,
    /// The words read since the last break, each with the joint before it.
    compound: Vec<(char, String)>,
    /// The joint after the compound's last word.
    joint: Option<char>,
    terms: Vec<String>,
    /// The stop words of a query, in case it has nothing else.
    stop_terms: Vec<String>,
}

impl Reader {
    fn read(&mut self, kind: Kind, slice: &str) {
        let is_joint = slice.chars().nth(1).is_none() || matches!(slice, "::" | "__");
        if kind == Kind::Joint && is_joint {
            self.joint = slice.chars().next();
            return;
        }
        let joint = self.joint.take().filter(|_| kind == Kind::Word);
        if joint.is_none() {
            self.end_compound();
        }
        let is_drawn = |c| is_pictograph(c) || c == ZERO_WIDTH_JOINER;
        match kind {
            Kind::Word => {
                let word = without_apostrophes(slice);
                self.compound.push((joint.unwrap_or(' '), word));
            }
            Kind::Run => self.add_run(slice),
            Kind::Symbol => self.add(slice.replace(|c| !is_drawn(c), ""), false),
            Kind::Joint | Kind::Break => {}
        }
    }

    fn end_compound(&mut self) {
        let words = std::mem::take(&mut self.compound);
        if words.len() > 1 {
            self.add_word(&whole(&words));
        }
        for (_, word) in &words {
            self.add_word(word);
            for part in parts(word) {
                self.add_word(part);
            }
        }
    }

    fn add_word(&mut self, word: &str) {
        let mut term = String::with_capacity(word.len());
        if word.is_ascii() {
            term.push_str(word);
            term.make_ascii_lowercase();
        } else {
            word.chars().for_each(|c| push_lowercase(&mut term, c));
        }
        let is_in_capitals = || word.len() > 1 && word.chars().all(char::is_uppercase);
        let is_stop = self.is_query && STOP_WORDS.contains(term.as_str()) && !is_in_capitals();
        if term.len() <= TERM_CHARS_MAX && term.bytes().all(|byte| byte.is_ascii_lowercase()) {
            term = Stemmer::create(Algorithm::English).stem(&term).into_owned();
        }
        self.add(term, is_stop);
    }

    fn add_run(&mut self, run: &str) {
        let chars = || run.chars().filter(|&c| is_unspaced(c));
        let has_singles = !self.is_query || chars().nth(1).is_none();
        let mut last = None;
        for c in chars() {
            if let Some(last) = last {
                self.add(String::from_iter([last, c]), false);
            }
            if has_singles && !is_combining_mark(c) {
                self.add(c.to_string(), false);
            }
            last = Some(c);
        }
    }

    fn add(&mut self, mut term: String, is_stop: bool) {
        if let Some((end, _)) = term.char_indices().nth(TERM_CHARS_MAX) {
            term.truncate(end);
        }
        term.truncate(term.trim_end_matches([JOINT, ZERO_WIDTH_JOINER]).len());
        let list = if is_stop { &mut self.stop_terms } else { &mut self.terms };
        let is_left_out = self.is_query && (list.len() >= QUERY_TERMS_MAX || list.contains(&term));
        if !term.is_empty() && !is_left_out {
            list.push(term);
        }
    }
}

/// Stop words of English, Spanish, German, French and Portuguese, folded. None of them is a meaningful word
/// in another of these languages: "die", "war", "hat", "son", "plus", "pour", "sin", "hay", "todo", "mais"
/// and the commands "su" and "du" are not included.
static STOP_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "a about above after again against all also am an and any are arent as at be because been before
    being below between both but by can cannot cant could couldnt did didnt do does doesnt doing
    dont down during each few for from further had hadnt has hasnt have havent having he her here
    hers herself him himself his how i if in into is isnt it its itself just me more most my myself
    no nor not of off on once only or other our ours ourselves out over own same she should shouldnt
    so some such than that the their theirs them themselves then there these they this those through
    to too under until up us very was wasnt we were werent what when where which while who whom
    whose why will with wont would wouldnt you your yours yourself yourselves

    como cuando de desde donde el ella ellas ellos en esa ese eso esta estan este esto fue la las le
    les lo los muy nos para pero por porque que quien se ser tambien te tiene tu un una unas unos ya

    als auch auf aus bei das dass dein dem der des dich diese dieser dieses doch durch ein eine
    einem einen einer eines er es euch haben habe hatte ich ihm ihn ihnen ihr ihre im ist kann kein
    keine mein meine mich mit nach nicht noch nur oder schon sehr sein seine sich sie sind um und
    uns unser vom von weil wenn wer werden wie wir wird wo wurde zu zum zur

    au aux avec avoir ce cela ces cet cette comme dans elle elles est et etait etre eux ils je leur
    leurs lui mes moi ne notre nous ont ou pas quand qui quoi sa ses sont sur ta tes toi tres une
    vos votre vous

    ao aos com da das ela ele eles em essa esse isso isto mas meu minha muito na nao quando quem sao
    seu sua tem uma voce voces"
        .split_whitespace()
        .collect()
});
