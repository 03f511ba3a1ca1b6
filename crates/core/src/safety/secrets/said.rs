//! Purpose: secrets that sentences name: "the wifi password is …", "… is my PIN", "la puerta se abre con …".
//!
//! Two readings. [`bound`] reads on from a name, over what it is for and a verb or a sign, to its value; there any
//! text that neither describes nor stands for a value is one. `near` takes each text that looks like a value by
//! itself, and asks how near which words stand in its sentence.
//!
//! **Invariant:** from a name is read no further than [`REACH`] words, so all readings together take linear time.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::lexicon::{Hit, NAMES, Theme, hits, is_plain_verb, is_unspaced, is_verb, unspaced_verb};
use super::table::tables;
use super::value::{
    Look, digits, is_common, is_digit_word, is_hex, is_issued, is_public, is_random, is_reference, look,
    quoted, trim,
};

/// So many words may stand between a name and the verb or sign after it.
const REACH: usize = 7;
/// So many bytes of a value are judged; what follows up to white space is taken with it.
const VALUE_MAX: usize = 160;
/// So many words a passphrase has at most.
const PHRASE_WORDS: usize = 12;

/// Finds what sentences name, and returns the names in the text.
pub(super) fn said(text: &str, add: &mut dyn FnMut(Range<usize>, &'static str)) -> Vec<Hit> {
    let names = names(text);
    // What was taken for a value is no name of another.
    let mut end = 0;
    for name in &names {
        if name.range.start >= end {
            bound(text, name, &mut |range, kind| {
                end = end.max(range.end);
                add(range, kind);
            });
        }
    }
    tables(text, &names, &mut |range, theme| add(range, kind(theme)));
    names
}

/// What alone names a number of three digits.
fn is_short_named(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "cv",
        "combin",
        "kombin",
        "lock",
        "schloss",
        "candado",
        "cadeado",
        "lucchetto",
        "cadenas",
        "slot",
        "kłódk",
        "замк",
        "замок",
        "kilit",
        "kilid",
        "锁",
        "錠",
        "자물쇠",
        "antivol",
        "szyfr",
        "back",
        "atrás",
        "detr",
        "chiffres",
        "ziffern",
    ];
    let name = name.to_lowercase();
    NAMES.iter().any(|known| name.contains(known))
}

/// Tells whether a word of recovery names a wallet or words, around which only a phrase is looked for.
fn is_wallet(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "ledger",
        "wallet",
        "metamask",
        "trezor",
        "bitcoin",
        "crypto",
        "mots",
        "palabras",
        "palavras",
        "parole",
        "monedero",
        "carteira",
        "portafoglio",
        "słow",
        "słów",
        "portfel",
        "слов",
        "кошел",
        "cüzdan",
        "kelime",
        "ウォレット",
        "지갑",
        "sauvegarde",
        "words",
        "wörter",
        "woorden",
    ];
    let name = name.to_lowercase();
    NAMES.iter().any(|known| name.contains(known))
}

/// Tells whether a key is one of a table, a keyboard or the public.
fn is_public_key(before: &str) -> bool {
    let word = before
        .trim_end_matches([' ', '-', '_'])
        .rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    [
        "public",
        "sort",
        "primary",
        "foreign",
        "partition",
        "cache",
        "object",
        "host",
        "gpg",
        "offending",
        "key",
    ]
    .contains(&word.to_lowercase().as_str())
}

/// Tells whether a name is a part of an identifier, a path, a call.
fn is_within_code(text: &str, name: &Range<usize>) -> bool {
    let before = text[..name.start].chars().next_back();
    let mut after = text[name.end..].chars();
    let (next, second) = (after.next(), after.next());
    before.is_some_and(|c| ":/.=&?$@({[_<\\#".contains(c))
        || next.is_some_and(|c| "_([{/\\$".contains(c))
        || next.is_some_and(|c| ".-".contains(c))
            && second.is_some_and(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// The names of values in a text; of those that overlap, the longest.
fn names(text: &str) -> Vec<Hit> {
    let mut names: Vec<Hit> = Vec::new();
    let is_padlock = |hit: &Hit| hit.theme != Theme::Lock || is_short_named(&text[hit.range.clone()]);
    let mut named = NAMES.to_vec();
    named.push(Theme::Lock);
    for mut hit in hits(text, 0..text.len(), &named).into_iter().filter(is_padlock) {
        if is_within_code(text, &hit.range)
            || hit.theme == Theme::Recovery && is_wallet(&text[hit.range.clone()])
            || hit.theme == Theme::Key && is_public_key(&text[..hit.range.start])
        {
            continue;
        }
        if hit.theme == Theme::Lock {
            hit.theme = Theme::Pin;
        }
        match names.last_mut() {
            Some(last) if hit.range.start < last.range.end => {
                if hit.range.len() > last.range.len() {
                    *last = hit;
                }
            }
            _ => names.push(hit),
        }
    }
    names
}

pub(super) fn kind(theme: Theme) -> &'static str {
    match theme {
        Theme::Password | Theme::Phrase | Theme::Login | Theme::Change => "password",
        Theme::Key => "secret",
        Theme::Recovery => "recovery-code",
        Theme::Account => "account-number",
        _ => "pin",
    }
}

/// What stands between a name and its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// A colon, an arrow, an equals sign.
    Sign,
    /// A verb like "is".
    Verb,
    /// A word like "to" or "with".
    Weak,
    /// Nothing.
    Beside,
}

/// Reads on from a name to its value.
fn bound(text: &str, name: &Hit, add: &mut dyn FnMut(Range<usize>, &'static str)) {
    if name.theme == Theme::Account {
        if let Some(range) = account(text, name.range.end) {
            add(range, kind(name.theme));
        }
        return;
    }
    let Some((joint, start, is_of)) = joint(text, name.range.end) else { return };
    let Some((mut range, is_quoted)) = value_at(text, start) else { return };
    // After digits it ends the sentence, after letters it may be part of a password.
    if text[range.clone()]
        .strip_suffix('!')
        .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
    {
        range.end -= 1;
    }
    let value = &text[range.clone()];
    let is_short = is_short_named(&text[name.range.clone()]);
    let asked = Asked {
        theme: name.theme,
        joint,
        is_of,
        is_quoted,
        is_short,
        is_long: is_long(&text[range.start..]),
        is_network: text[name.range.clone()].chars().count() > 6,
        is_alone: ends_clause(&text[range.end..]),
    };
    let range = match name.theme {
        // Of a long value only the beginning is judged.
        _ if asked.takes(value) && range.len() + 8 >= VALUE_MAX && !is_quoted => {
            range.start..text[range.end..].find(char::is_whitespace).map_or(text.len(), |at| range.end + at)
        }
        _ if asked.takes(value) => extended(text, range, &asked),
        Theme::Pin | Theme::Code => match spelled(text, range.start) {
            Some(range) => range,
            None => return,
        },
        Theme::Password if joint != Joint::Beside => match dictated(text, range.start) {
            Some(range) => range,
            None => return,
        },
        _ => return,
    };
    if name.theme == Theme::Code && is_public_code(text, name) {
        return;
    }
    add(range, kind(name.theme));
}

/// Tells whether a clause begins with four words or more of which at most one is common.
fn is_long(rest: &str) -> bool {
    let mut cut = rest.len().min(200);
    while !rest.is_char_boundary(cut) {
        cut -= 1;
    }
    let clause = rest[..cut].split([',', '.', ';', '\n', '!', '?']).next().unwrap_or_default();
    clause.split_whitespace().count() >= 4
        && clause.split_whitespace().filter(|word| is_common(word)).count() <= 1
}

/// Tells whether a clause ends where a text begins, or goes on with a word that begins another.
fn ends_clause(rest: &str) -> bool {
    const WORDS: &str = " and but so or please pls ok okay thanks thx it its for on y e et und en i и ve pero mas ma mais però aber a ale но и don't dont not also         because if then when can could will would we i you my the this that igual spelled spelt like all tudo tout tutto todo alles with con mit avec com lower upper ";
    let rest = rest.trim_start_matches(['"', '\'', '`', '*', '”', '’', ')']);
    let Some(first) = rest.chars().next() else { return true };
    let next = rest.trim_start_matches([' ', '\t']).split([' ', '\n', ',', '.']).next().unwrap_or_default();
    match first {
        ' ' | '\t' => next.is_empty() || !next.contains(char::is_alphanumeric) || is_listed(WORDS, next),
        c => !c.is_alphanumeric(),
    }
}

/// Returns the number of an account behind its name.
fn account(text: &str, end: usize) -> Option<Range<usize>> {
    static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^[^\n0-9]{0,40}?([0-9]{2,26}(?:[ -][0-9]{1,14}){0,9})").expect("a pattern")
    });
    let number = NUMBER.captures(&text[end..])?.get(1)?;
    let count = digits(number.as_str());
    let gap = &text[end..end + number.start()];
    let enough = if gap.chars().count() <= 4 { 5 } else { 10 };
    let is_phone = gap.contains(['+', '€', '$']);
    ((enough..=30).contains(&count) && !is_phone).then(|| end + number.start()..end + number.end())
}

/// How a value is asked for.
struct Asked {
    theme: Theme,
    joint: Joint,
    /// Words that are not known stand between the name and the joint.
    is_of: bool,
    is_quoted: bool,
    /// Three digits are enough.
    is_short: bool,
    /// Four words or more stand here to the end of the clause, and few of them are common.
    is_long: bool,
    /// The name says more than "key" or "token".
    is_network: bool,
    /// The clause ends behind the value.
    is_alone: bool,
}

impl Asked {
    fn takes(&self, value: &str) -> bool {
        let look = look(value);
        let is_apart = matches!(self.joint, Joint::Beside | Joint::Weak)
            && !self.is_quoted
            && value.contains(['=', '<', '>', '(', ')', '{', '"']);
        if look == Look::Reference || value.starts_with(['(', '{', '<', '[']) || is_apart {
            return false;
        }
        let is_said = matches!(self.joint, Joint::Sign | Joint::Verb);
        if self.theme == Theme::Key
            && (value.contains(['<', '(']) || value.contains(':') && !is_random(value))
        {
            return false;
        }
        let is_unspaced = value.starts_with(is_unspaced);
        let is_word = value.chars().count() >= 3
            && !is_common(value)
            && !self.is_of
            && (self.is_quoted || self.is_alone && !is_unspaced);
        match self.theme {
            Theme::Password => match look {
                Look::Word => is_said && is_word,
                Look::Number => digits(value) >= if is_said { 3 } else { 4 },
                Look::Joined => is_said || !is_public(value),
                Look::Short => {
                    value.chars().count() >= 4 && (is_said || value.len() >= 6 || !is_public(value))
                }
                _ => {
                    is_said
                        || !is_public(value)
                        || value.starts_with(is_lower) && value.len() >= 7 && !is_hex(value)
                }
            },
            Theme::Phrase => match look {
                Look::Word => {
                    is_said && (!is_common(value) || self.is_long) && (self.is_quoted || !is_unspaced)
                }
                Look::Number => false,
                _ => is_said || look == Look::Joined,
            },
            Theme::Pin => match look {
                Look::Number => (if self.is_short { 3 } else { 4 }..=12).contains(&digits(value)),
                Look::Short => digits(value) >= 2 && value.len() >= 4,
                Look::Mixed | Look::Strong => is_said && value.len() <= 40 && !is_public(value),
                _ => false,
            },
            Theme::Code => match look {
                Look::Number => (4..=8).contains(&digits(value)),
                Look::Short => value.len() >= 4 && digits(value) >= 2 && !is_public(value),
                Look::Mixed => is_said && value.len() <= 12 && !is_public(value),
                _ => false,
            },
            Theme::Key => match look {
                Look::Mixed | Look::Strong | Look::Joined if self.is_network => {
                    value.len() >= 8 && !is_public(value)
                }
                Look::Mixed | Look::Strong => {
                    let is_digest = is_hex(value) && value.len() < 24 || is_address(value);
                    value.len() >= 8
                        && !is_digest
                        && (is_said && !is_public(value) || is_random(value) || is_issued(value))
                }
                Look::Number => self.is_network && (16..=26).contains(&digits(value)),
                Look::Short | Look::Joined | Look::Word | Look::Reference => false,
            },
            Theme::Recovery => {
                is_said
                    && (matches!(look, Look::Mixed | Look::Strong) && value.len() >= 8
                        || look == Look::Number && (8..=16).contains(&digits(value)))
            }
            _ => false,
        }
    }
}

/// Tells whether a code is said to be one that is no secret: a promo code, a postal code, an error code.
fn is_public_code(text: &str, name: &Hit) -> bool {
    let mut start = name.range.start.saturating_sub(24);
    let mut end = (name.range.end + 16).min(text.len());
    while !text.is_char_boundary(start) {
        start += 1;
    }
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    hits(text, start..end, &[Theme::Public]).iter().any(|hit| {
        let between = if hit.range.end <= name.range.start {
            &text[hit.range.end..name.range.start]
        } else if hit.range.start >= name.range.end {
            &text[name.range.end..hit.range.start]
        } else {
            ""
        };
        between.split_whitespace().count() <= 1 && !between.contains(['.', ',', ':', '\n', '=', '/'])
    })
}

/// Returns what joins a name to its value, where the value begins, and whether other words stand between.
fn joint(text: &str, end: usize) -> Option<(Joint, usize, bool)> {
    let mut at = end;
    let mut is_of = false;
    for reach in 0..REACH {
        at += text[at..].len()
            - text[at..].trim_start_matches(['"', '\'', '`', '*', '_', ')', ']', '”', '’', '」']).len();
        if let Some(start) = sign(text, at) {
            return Some((Joint::Sign, start, is_of));
        }
        let unspaced = unspaced_verb(text[at..].trim_start_matches(' '));
        if unspaced > 0 {
            let verb = at + (text[at..].len() - text[at..].trim_start_matches(' ').len());
            let mut start = verb + unspaced;
            start = sign(text, start).unwrap_or(start);
            start += unspaced_verb(&text[start..]);
            return Some((Joint::Verb, skip_space(text, start), is_of));
        }
        if reach == 0 {
            let start = skip_space(text, at);
            let beside = value_at(text, start).map(|(range, _)| look(&text[range]));
            let is_apart = start > at || text[..at].ends_with(is_unspaced);
            if is_apart && (beside.is_some_and(|look| look >= Look::Number) || quoted(text, start).is_some())
            {
                return Some((Joint::Beside, start, false));
            }
        }
        let word = next_word(text, at)?;
        let is_verb_here = is_verb(&text[word.clone()]);
        let two = next_word(text, word.end).filter(|two| is_verb(&text[word.start..two.end]));
        if is_verb_here || two.is_some() {
            let verb = word.start..two.map_or(word.end, |two| two.end);
            let is_plain = text[verb.clone()].split(' ').any(is_plain_verb);
            let mut joint = if is_plain { Joint::Verb } else { Joint::Weak };
            let mut start = verb.end;
            while let Some(next) = next_word(text, start).filter(|next| is_verb(&text[next.clone()])) {
                if is_plain_verb(&text[next.clone()]) {
                    joint = Joint::Verb;
                }
                start = next.end;
            }
            if let Some(after) = sign(text, start) {
                return Some((Joint::Sign, after, is_of));
            }
            let start = skip_space(text, start);
            let is_likely = joint == Joint::Verb
                || value_at(text, start).is_some_and(|(range, _)| look(&text[range]) >= Look::Number);
            if is_likely {
                return Some((joint, start, is_of));
            }
        }
        is_of |= !is_preposition(&text[word.clone()]) && reach == 0;
        at = word.end;
    }
    None
}

fn is_preposition(word: &str) -> bool {
    const WORDS: &str = " for of to on at from für fürs zum zur vom von der des del de della dello dell do da das dos para du pour d van voor op bij \
        od na w z для от к на у в icin için of al ao agora now ";
    is_listed(WORDS, word)
}

/// Tells whether a word is one of a list, which has a space around each.
pub(super) fn is_listed(words: &str, word: &str) -> bool {
    let word = word.to_lowercase();
    !word.is_empty() && words.split_ascii_whitespace().any(|known| known == word)
}

fn skip_space(text: &str, at: usize) -> usize {
    at + (text[at..].len() - text[at..].trim_start_matches([' ', '\t', '*', '_']).len())
}

/// Returns where the value begins after a sign at a place.
fn sign(text: &str, at: usize) -> Option<usize> {
    let rest = text[at..].trim_start_matches([' ', '\t']);
    let spaces = text[at..].len() - rest.len();
    let signs = ["=>", "->", "→", ":=", ":", "=", "➜", "⇒"];
    let mut length = signs.iter().find(|sign| rest.starts_with(**sign)).map_or(0, |sign| sign.len());
    if length == 0 && spaces > 0 {
        let dash = rest.chars().next().filter(|c| "–—-".contains(*c))?;
        rest[dash.len_utf8()..].starts_with(' ').then_some(())?;
        length = dash.len_utf8();
    }
    if length == 0 {
        return None;
    }
    let mut start = at + spaces + length;
    let after = text[start..].trim_start_matches([' ', '\t', '*', '_', '|']);
    start += text[start..].len() - after.len();
    // The value may stand on a line of its own.
    if let Some(line) = after.strip_prefix('\n') {
        let line = line.trim_start_matches([' ', '\t', '>']);
        let first = line.split(['\n']).next().unwrap_or_default();
        let is_alone = !first.trim().is_empty()
            && !first.trim().contains(char::is_whitespace)
            && look(trim(first.trim())) >= Look::Number
            && !first.contains(['=', '(', '{'])
            && !first.trim().ends_with(':');
        is_alone.then_some(())?;
        start += after.len() - line.len();
    }
    Some(start)
}

/// Returns the next word if only white space and light punctuation lies before it.
fn next_word(text: &str, at: usize) -> Option<Range<usize>> {
    let start = at + text[at..].char_indices().find(|(_, c)| !matches!(c, ' ' | '\t' | '\'' | '’' | '"'))?.0;
    let rest = &text[start..];
    let length = rest
        .char_indices()
        .find(|(_, c)| !(c.is_alphanumeric() || "'’.&+_-".contains(*c)))
        .map_or(rest.len(), |(at, _)| at);
    let word = rest[..length].trim_end_matches(['.', '-', '_', '\'', '’']);
    // An apostrophe ends the word before it: "c'est", "that's".
    (!word.is_empty() && word.len() <= 48).then_some(start..start + word.len())
}

/// Returns the value that begins at a place, and whether it is quoted.
fn value_at(text: &str, start: usize) -> Option<(Range<usize>, bool)> {
    if let Some(range) = quoted(text, start) {
        return Some((range, true));
    }
    let rest = &text[start..];
    let first = rest.chars().next()?;
    let is_wide = is_unspaced(first);
    let end = rest
        .char_indices()
        .find(|(at, c)| {
            *at >= VALUE_MAX
                || c.is_whitespace()
                || "，。；、！？」』（）".contains(*c)
                || is_unspaced(*c) != is_wide
        })
        .map_or(rest.len(), |(at, _)| at);
    // The next setting of a connection string or an address is no part of it.
    let next = rest[..end].match_indices([';', '&']).find(|(at, _)| {
        let name = rest[at + 1..end].split('=').next().unwrap_or_default();
        at + 1 + name.len() < end
            && !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_')
    });
    let value = trim(next.map_or(&rest[..end], |(at, _)| &rest[..at]));
    let length = value.len();
    let grouped = if is_wide { None } else { groups(text, start) };
    match grouped {
        Some(end) if end > start + length => Some((start..end, false)),
        _ => (length > 0 && value.contains(char::is_alphanumeric)).then_some((start..start + length, false)),
    }
}

/// Returns where groups of digits, or of letters and digits as long, that begin at a place end: `614 704`.
pub(super) fn groups(text: &str, start: usize) -> Option<usize> {
    let mut end = start;
    let mut lengths = Vec::new();
    let mut is_of_letters = false;
    for word in text[start..].split(' ').take(16) {
        let group = trim(word);
        let is_group = (2..=6).contains(&group.len()) && group.bytes().all(|b| b.is_ascii_digit())
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
    (lengths.len() >= if is_of_letters { 4 } else { 2 }).then_some(end)
}

/// Takes the further words of a passphrase with its first.
fn extended(text: &str, range: Range<usize>, asked: &Asked) -> Range<usize> {
    let first = &text[range.clone()];
    let is_phrase = asked.theme == Theme::Phrase;
    if asked.is_quoted
        || look(first) > if is_phrase { Look::Joined } else { Look::Word }
        || !matches!(asked.joint, Joint::Sign | Joint::Verb)
    {
        return range;
    }
    let most = if is_phrase { PHRASE_WORDS } else { 5 };
    let mut end = range.end;
    for count in 1..=most {
        let rest = &text[end..];
        let Some(next) = rest.strip_prefix(' ') else { break };
        let word = next.split([' ', '\n', '\t']).next().unwrap_or_default();
        let core = trim(word);
        if core.is_empty()
            || is_common(core) && !is_phrase
            || is_verb(core) && !is_digit_word(core)
            || is_reference(core)
            || !core.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '\'')
        {
            // What goes on as prose was no phrase.
            return if is_phrase || count > 2 && is_common(core) { range.start..end } else { range };
        }
        end += 1 + core.len();
        if core.len() < word.len() {
            break;
        }
        if count == most {
            return range;
        }
    }
    range.start..end
}

/// Returns the digits that are spelled as words from a place, if there are three at least.
pub(super) fn spelled(text: &str, start: usize) -> Option<Range<usize>> {
    let mut end = start;
    let mut count = 0;
    for word in text[start..].split_inclusive([' ', '\n']).take(16) {
        let core = trim(word.trim_end());
        if !is_digit_word(core) {
            break;
        }
        count += 1;
        end += word.len();
        if core.len() < word.trim_end().len() {
            break;
        }
    }
    let length = text[start..end].trim_end().len();
    (count >= 3).then(|| start..start + trim(&text[start..start + length]).len())
}

/// Returns a password of several words from a place to the end of its clause: one that is dictated ("capital B …"), or
/// one with a number or a capital among its words.
fn dictated(text: &str, start: usize) -> Option<Range<usize>> {
    const SIGNS: &[&str] = &[
        "capital",
        "underscore",
        "dash",
        "hyphen",
        "uppercase",
        "lowercase",
        "majuscule",
        "tiret",
        "mayúscula",
        "guion",
        "maiuscola",
        "trattino",
        "maiúscula",
        "großes",
        "bindestrich",
        "unterstrich",
    ];
    let mut end = start;
    let (mut count, mut is_dictated, mut has_number) = (0, false, false);
    for word in text[start..].split(' ').take(10) {
        let word = word.split('\n').next().unwrap_or_default();
        let core = trim(word);
        if core.is_empty() || ["and", "und", "et", "y", "e", "but", "so"].contains(&core) {
            break;
        }
        let is_sign = SIGNS.contains(&core.to_lowercase().as_str());
        is_dictated |= is_sign;
        has_number |= count > 0 && core.bytes().all(|b| b.is_ascii_digit());
        if is_common(core) && !is_dictated
            || is_verb(core) && !is_sign
            || !core.chars().all(|c| c.is_alphanumeric() || c == '-')
        {
            return None;
        }
        end += word.len().min(core.len()) + usize::from(count > 0);
        count += 1;
        if core.len() < word.len() || text[end..].starts_with('\n') {
            break;
        }
    }
    (count >= 2 && (is_dictated || has_number && count <= 5)).then_some(start..end)
}

/// Tells whether hexadecimal digits are the address of a contract or an account.
pub(super) fn is_address(value: &str) -> bool {
    value.starts_with("0x") && value.len() == 42
}

fn is_lower(c: char) -> bool {
    c.is_ascii_lowercase()
}
