//! Purpose: the words by which people name a secret, and those around it, of all languages at once (`lexicon.txt`).

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization as _;

/// What a word says of a value near it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Theme {
    /// A password.
    Password,
    /// A password of several words, or the answer to a question.
    Phrase,
    /// A number that is a secret by its name: a PIN, a door code, a one-time code.
    Pin,
    /// A number that may be a secret.
    Code,
    /// A key or a token that is a secret by its name.
    Secret,
    /// A token, a session, a secret: often of code.
    Token,
    /// A key of any kind.
    Key,
    /// What restores an account or a wallet.
    Recovery,
    /// The number of an account or a card.
    Account,
    /// A thing that is locked.
    Lock,
    /// What one does with a code.
    Open,
    /// What a one-time code is for, and by which way it comes.
    Proof,
    /// Where somebody logs in.
    Login,
    /// Who logs in, and other fields that are no secret.
    User,
    /// One thing took the place of another.
    #[allow(dead_code, reason = "the table has it, by its place")]
    Change,
    /// What a number or a code belongs to that is no secret.
    Public,
    /// What is said about secrets without giving one.
    Talk,
    /// A verb like "is".
    Is,
    /// A word like "to" or "with".
    To,
    /// An article or a preposition.
    Of,
    /// A digit.
    Digit,
    /// A word too common to be a secret.
    Common,
}

/// The names of the themes in `lexicon.txt` and `weights.txt`, in the order of [`Theme`].
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
    /// What marks a word of a value.
    pub(super) const VALUE: Themes = Themes(1 << 31);
    /// The themes that speak of secrets, or of what they open.
    pub(super) const SPEAKING: Themes = Themes(
        0x1FF
            | 1 << Theme::Lock as u32
            | 1 << Theme::Open as u32
            | 1 << Theme::Login as u32
            | 1 << Theme::Proof as u32,
    );
    /// What is left of a word that others after it turn into a part of their name.
    pub(super) const PLACES: Themes = Themes(1 << Theme::Lock as u32 | 1 << Theme::Login as u32);

    pub(super) fn has(self, theme: Theme) -> bool {
        self.0 & (1 << theme as u32) != 0
    }

    /// Tells whether a word only joins others.
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

    /// The places of the themes in [`THEMES`].
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        (0..THEMES.len()).filter(move |index| self.0 & (1 << index) != 0)
    }
}

/// So many characters a word of a writing without spaces has at most.
const UNSPACED_MAX: usize = 12;

/// A word of a phrase; a stem lets letters follow.
type Part = (String, bool);

struct Lexicon {
    words: HashMap<String, Themes>,
    stems: HashMap<String, Themes>,
    endings: HashMap<String, Themes>,
    /// Phrases by the first characters of their first word.
    phrases: HashMap<String, Vec<(Vec<Part>, Themes)>>,
    /// The first characters of words.
    starts: HashSet<char>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::read(include_str!("lexicon.txt")));

impl Lexicon {
    fn read(table: &str) -> Lexicon {
        let mut lexicon = Lexicon {
            words: HashMap::new(),
            stems: HashMap::new(),
            endings: HashMap::new(),
            phrases: HashMap::new(),
            starts: HashSet::new(),
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
            let part = |part: &str| (fold(part.trim_end_matches('*')), part.ends_with('*'));
            let parts: Vec<Part> = entry.split('_').map(part).collect();
            self.phrases.entry(start(&parts[0].0)).or_default().push((parts, theme));
            return;
        }
        let word = fold(entry.trim_matches('*'));
        let insert = |table: &mut HashMap<String, Themes>| {
            let known = table.entry(word.clone()).or_default();
            *known = known.with(theme);
        };
        if entry.ends_with('*') {
            insert(&mut self.stems);
        }
        if entry.starts_with('*') {
            insert(&mut self.endings);
        }
        insert(&mut self.words);
    }
}

/// The first characters of a word, by which phrases are kept.
fn start(word: &str) -> String {
    word.chars().take(2).collect()
}

/// Returns the themes of a folded word.
pub(super) fn themes(word: &str) -> Themes {
    if word.len() > 64 {
        return Themes::default();
    }
    if let Some(known) = LEXICON.words.get(word) {
        return *known;
    }
    let places: Vec<usize> = word.char_indices().map(|(at, _)| at).skip(2).collect();
    let stem = places.iter().rev().find_map(|at| LEXICON.stems.get(&word[..*at]));
    let ending = || places.iter().find_map(|at| LEXICON.endings.get(&word[*at..]));
    stem.or_else(ending).copied().unwrap_or_else(|| misspelt(word))
}

/// The theme of a password's name with one letter too few, too many or another.
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
    if word.len() >= 6 && NAMES.iter().any(|name| is_near(&name)) {
        Themes(1 << Theme::Password as u32)
    } else {
        Themes::default()
    }
}

/// Returns how many words from the start are a phrase, and its themes. Takes the folded words.
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

/// Returns how many bytes at the start of a text without spaces between words are a word of the tables.
pub(super) fn unspaced(text: &str) -> Option<usize> {
    if !text.starts_with(|c| LEXICON.starts.contains(&c)) {
        return None;
    }
    let ends: Vec<usize> = text.char_indices().take(UNSPACED_MAX).map(|(at, c)| at + c.len_utf8()).collect();
    ends.into_iter().rev().find(|end| LEXICON.words.contains_key(&text[..*end]))
}

/// Tells whether a word is too common to be a secret.
pub(super) fn is_common(word: &str) -> bool {
    let folded = fold(word.trim_matches(|c: char| !c.is_alphanumeric()));
    LEXICON.words.get(&folded).is_some_and(|themes| themes.has(Theme::Common))
}

/// Tells whether a word is that of a digit.
pub(super) fn is_digit_word(word: &str) -> bool {
    LEXICON.words.get(&fold(word)).is_some_and(|themes| themes.has(Theme::Digit))
}

/// Tells whether a character is of a writing without spaces between words (for this, Korean particles too).
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{E00}'..='\u{E7F}' | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}')
}

/// Returns a word as it is compared: in lower case, without diacritics.
pub(super) fn fold(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
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
    folded
}
