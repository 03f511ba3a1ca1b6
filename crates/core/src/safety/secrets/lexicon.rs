//! Loads the lexicon (`lexicon.txt`): words that name a secret, and words that occur around one, by theme and
//! in many languages.

use std::borrow::Cow;
use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};
use unicode_normalization::UnicodeNormalization as _;

/// The indication that a word gives about a value near it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Theme {
    /// A password.
    Password,
    /// A passphrase, or the answer to a security question.
    Phrase,
    /// A number that is always secret: a PIN, a door code, a one-time code.
    Pin,
    /// A number that can be secret.
    Code,
    /// A key or token that is always secret.
    Secret,
    /// A token, a session, an authorization; common in code.
    Token,
    /// A key of any kind.
    Key,
    /// A recovery phrase or recovery code of an account or a wallet.
    Recovery,
    /// An account number or a card number.
    Account,
    /// Something with a lock: a door, a safe, an alarm.
    Lock,
    /// An action with a code: open, enter, press.
    #[allow(dead_code, reason = "the table has it, by its place")]
    Open,
    /// The purpose or the channel of a one-time code: verification, SMS.
    Proof,
    /// A place to log in: an account, a network, a service.
    Login,
    /// A user, or another field that is not secret.
    User,
    /// A change from one value to another.
    #[allow(dead_code, reason = "the table has it, by its place")]
    Change,
    /// The subject of a public number or code: a contract, a product, a room.
    Public,
    /// Talk about secrets that does not contain one: policies, expiry, errors.
    Talk,
    /// A verb like "is".
    Is,
    /// A word like "to" or "with".
    To,
    /// An article or a preposition.
    Of,
    /// A spelled-out digit.
    Digit,
    /// A word too common to be a secret.
    Common,
}

/// The names of the themes in `lexicon.txt`, in the order of [`Theme`].
pub(super) const THEMES: [&str; 22] = [
    "password", "phrase", "pin", "code", "secret", "token", "key", "recovery", "account", "lock", "open",
    "proof", "login", "user", "change", "public", "talk", "is", "to", "of", "digit", "common",
];

/// A set of themes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Themes(u32);

impl Themes {
    /// The themes that name a secret.
    pub(super) const NAMES: Themes = Themes(0x1FF);
    /// The mark of a word that is part of a value.
    pub(super) const VALUE: Themes = Themes(1 << 31);
    /// The themes that suggest a secret: its names, and what it unlocks or proves. Words for opening ("use", "put") are
    /// too common.
    pub(super) const SPEAKING: Themes =
        Themes(0x1FF | 1 << Theme::Lock as u32 | 1 << Theme::Login as u32 | 1 << Theme::Proof as u32);
    /// The themes that a word keeps when it becomes part of a phrase.
    pub(super) const PLACES: Themes = Themes(1 << Theme::Lock as u32 | 1 << Theme::Login as u32);

    pub(super) fn has(self, theme: Theme) -> bool {
        self.0 & (1 << theme as u32) != 0
    }

    /// Returns whether a word only connects other words.
    pub(super) fn is_joining(self) -> bool {
        self.has(Theme::Is) || self.has(Theme::To) || self.has(Theme::Of)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn with(self, other: Themes) -> Themes {
        Themes(self.0 | other.0)
    }

    pub(super) fn only(self, other: Themes) -> Themes {
        Themes(self.0 & other.0)
    }

    /// Returns the indexes of the themes in [`THEMES`].
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        (0..THEMES.len()).filter(move |index| self.0 & (1 << index) != 0)
    }
}

/// The maximum length of a word that is looked up, in bytes. A run of letters can be as long as a text, and many
/// spans can lie in it.
pub(super) const WORD_BYTES_MAX: usize = 64;
/// Maximum length in characters of a lexicon word in a script without spaces.
const UNSPACED_MAX: usize = 12;

/// A word of a phrase, and whether it is a stem, which other letters can follow.
type Part = (String, bool);

struct Lexicon {
    words: FxHashMap<String, Themes>,
    stems: Trie,
    /// The last parts of compounds, from the last character to the first.
    endings: Trie,
    /// Phrases, by the first two characters of their first word.
    phrases: FxHashMap<Start, Vec<(Vec<Part>, Themes)>>,
    /// The first characters of all entries.
    starts: FxHashSet<char>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::read(include_str!("lexicon.txt")));

impl Lexicon {
    fn read(table: &str) -> Lexicon {
        let mut lexicon = Lexicon {
            words: FxHashMap::default(),
            stems: Trie::default(),
            endings: Trie::default(),
            phrases: FxHashMap::default(),
            starts: FxHashSet::default(),
        };
        let mut theme = Themes::default();
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            match line.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
                Some(name) => {
                    let index = THEMES.iter().position(|known| *known == name).expect("a theme");
                    theme = Themes(1 << index);
                }
                None => line.split_whitespace().for_each(|entry| lexicon.add(entry, theme)),
            }
        }
        lexicon
    }

    fn add(&mut self, entry: &str, theme: Themes) {
        self.starts.extend(entry.chars().next());
        if entry.contains('_') {
            let part = |part: &str| (fold(part.trim_end_matches('*')).into_owned(), part.ends_with('*'));
            let parts: Vec<Part> = entry.split('_').map(part).collect();
            self.phrases.entry(start(&parts[0].0)).or_default().push((parts, theme));
            return;
        }
        let word = fold(entry.trim_matches('*'));
        if entry.ends_with('*') {
            self.stems.add(word.chars(), theme);
        }
        if entry.starts_with('*') {
            self.endings.add(word.chars().rev(), theme);
        }
        let known = self.words.entry(word.into_owned()).or_default();
        *known = known.with(theme);
    }
}

/// Words that are looked up one character after another, until none of them continues so.
#[derive(Default)]
struct Trie {
    /// The children of each node, and the themes of the word that ends there.
    nodes: FxHashMap<(u32, char), (u32, Themes)>,
}

impl Trie {
    fn add(&mut self, word: impl Iterator<Item = char>, themes: Themes) {
        let mut end = (0, ' ');
        let mut node = 0;
        for c in word {
            end = (node, c);
            let next = u32::try_from(self.nodes.len() + 1).unwrap_or(u32::MAX);
            node = self.nodes.entry(end).or_insert((next, Themes::default())).0;
        }
        if let Some((_, known)) = self.nodes.get_mut(&end) {
            *known = known.with(themes);
        }
    }

    /// Returns the themes of the longest entry of at least `least` and at most `most` characters that a word begins
    /// with.
    fn longest(&self, word: impl Iterator<Item = char>, least: usize, most: usize) -> Option<Themes> {
        let (mut node, mut longest) = (0, None);
        for (at, c) in word.take(most).enumerate() {
            let Some((next, themes)) = self.nodes.get(&(node, c)) else { break };
            node = *next;
            if at + 1 >= least && !themes.is_empty() {
                longest = Some(*themes);
            }
        }
        longest
    }
}

/// The key of a phrase: the first two characters of its first word.
type Start = (Option<char>, Option<char>);

fn start(word: &str) -> Start {
    let mut characters = word.chars();
    (characters.next(), characters.next())
}

/// Returns the themes of a folded word. Exact words take precedence over stems, and stems over endings and
/// misspellings.
pub(super) fn themes(word: &str) -> Themes {
    if word.len() > WORD_BYTES_MAX {
        return Themes::default();
    }
    if let Some(known) = LEXICON.words.get(word) {
        return *known;
    }
    let count = word.chars().count();
    let stem = LEXICON.stems.longest(word.chars(), 2, count.saturating_sub(1));
    let ending = || LEXICON.endings.longest(word.chars().rev(), 1, count.saturating_sub(2));
    stem.or_else(ending).unwrap_or_else(|| misspelt(word))
}

/// Returns the password theme for a word for "password" with one letter missing, added, replaced, or two
/// swapped.
fn misspelt(word: &str) -> Themes {
    const NAMES: [&str; 7] =
        ["password", "passwort", "wachtwoord", "contrasena", "passphrase", "kennwort", "passcode"];
    let is_near = |name: &&str| {
        let (name, word) = (name.as_bytes(), word.as_bytes());
        let before = name.iter().zip(word).take_while(|(a, b)| a == b).count();
        let after = name.iter().rev().zip(word.iter().rev()).take_while(|(a, b)| a == b).count();
        let shorter = name.len().min(word.len());
        let is_swapped = name.len() == word.len() && before + after + 2 == shorter;
        before > 1
            && name.len().abs_diff(word.len()) <= 1
            && (before + after + 1 >= shorter || is_swapped)
            && before + after + 2 >= name.len().max(word.len())
    };
    if word.len() >= 6 && NAMES.iter().any(is_near) {
        Themes(1 << Theme::Password as u32)
    } else {
        Themes::default()
    }
}

/// Returns the length in words of the longest phrase at the start, and its themes. Takes folded words by
/// index.
pub(super) fn phrase<'w>(words: impl Fn(usize) -> Option<&'w str>) -> Option<(usize, Themes)> {
    let first = words(0)?;
    let known = LEXICON.phrases.get(&start(first))?;
    let mut best: Option<(usize, Themes)> = None;
    for (parts, themes) in known {
        let fits = parts.iter().enumerate().all(|(at, (part, is_stem))| {
            words(at).is_some_and(|word| word == part || *is_stem && word.starts_with(part.as_str()))
        });
        match &mut best {
            Some((length, known)) if fits && *length == parts.len() => *known = known.with(*themes),
            Some((length, _)) if *length >= parts.len() => {}
            _ if fits => best = Some((parts.len(), *themes)),
            _ => {}
        }
    }
    best
}

/// Returns the length in bytes of the longest lexicon word at the start of a text in a script without spaces.
pub(super) fn unspaced(text: &str) -> Option<usize> {
    if !text.starts_with(|c| LEXICON.starts.contains(&c)) {
        return None;
    }
    let ends: Vec<usize> = text.char_indices().take(UNSPACED_MAX).map(|(at, c)| at + c.len_utf8()).collect();
    ends.into_iter().rev().find(|end| LEXICON.words.contains_key(&text[..*end]))
}

/// Returns whether a word is too common to be a secret.
pub(super) fn is_common(word: &str) -> bool {
    if word.len() > WORD_BYTES_MAX {
        return false;
    }
    let folded = fold(word.trim_matches(|c: char| !c.is_alphanumeric()));
    LEXICON.words.get(&*folded).is_some_and(|themes| themes.has(Theme::Common))
}

/// Returns whether a word is a spelled-out digit.
pub(super) fn is_digit_word(word: &str) -> bool {
    word.len() <= WORD_BYTES_MAX
        && LEXICON.words.get(&*fold(word)).is_some_and(|themes| themes.has(Theme::Digit))
}

/// Returns whether a character belongs to a script without spaces between words. Includes Korean, where
/// particles attach to words.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{E00}'..='\u{E7F}' | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}')
}

/// Normalizes a word for comparison: lower case, without diacritics.
pub(super) fn fold(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase()) {
        return Cow::Borrowed(word);
    }
    if word.is_ascii() {
        return Cow::Owned(word.to_ascii_lowercase());
    }
    let mut folded = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            'ß' => folded.push_str("ss"),
            'ı' | 'İ' => folded.push('i'),
            'ł' | 'Ł' => folded.push('l'),
            'ø' | 'Ø' => folded.push('o'),
            'đ' | 'Đ' => folded.push('d'),
            '’' => folded.push('\''),
            '\u{300}'..='\u{36F}' => {}
            c if c < '\u{530}' || ('\u{1E00}'..'\u{2000}').contains(&c) => {
                folded.extend(c.to_lowercase().nfd().filter(|c| !('\u{300}'..='\u{36F}').contains(c)));
            }
            c => folded.push(c),
        }
    }
    Cow::Owned(folded)
}
