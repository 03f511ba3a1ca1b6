//! Classifies values by shape for the features of the model.

use super::lexicon::{is_common, is_unspaced};
use super::value::{
    HUMPS_MIN, Look, digits, humps, is_hex, is_issued, is_keypad, is_public, is_random, is_uuid, is_wheels,
    look,
};
use super::wallet::is_address;

/// Maximum number of letters in a word, in bytes.
const LETTERS_MAX: usize = 64;

/// The shape of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Shape {
    Common,
    Word,
    Title,
    Upper,
    Native,
    Joined,
    Digits3,
    Digits4,
    Year,
    Digits5,
    Digits7,
    Digits9,
    Digits13,
    Groups,
    Keypad,
    Short,
    Mixed,
    MixedPublic,
    Strong,
    Random,
    Hex,
    Uuid,
    Phrase,
    Prose,
    Spelled,
    Serial,
    Numbered,
    Versioned,
}

/// Groups of shapes for which context has a similar meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Group {
    Words,
    Joined,
    Number,
    Keys,
    Mix,
    Noise,
    Sentence,
}

impl Shape {
    /// Returns the shape of a text without white space. `None` if it cannot be a secret.
    pub(super) fn of(value: &str) -> Option<Shape> {
        let count = value.chars().count();
        let colour = value.strip_prefix('#').filter(|rest| matches!(rest.len(), 3 | 6 | 8));
        if count < 3
            || value.contains("[redacted")
            || is_address(value)
            || colour.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_hexdigit()))
        {
            return None;
        }
        if value.bytes().all(|b| b.is_ascii_digit()) {
            return Some(match count {
                3 => Shape::Digits3,
                4 if value.starts_with("19") || value.starts_with("20") => Shape::Year,
                4 => Shape::Digits4,
                5..=6 => Shape::Digits5,
                7..=8 => Shape::Digits7,
                9..=12 => Shape::Digits9,
                _ => Shape::Digits13,
            });
        }
        if value.chars().all(char::is_alphabetic) {
            return Shape::of_letters(value);
        }
        let shape = match look(value) {
            Look::Reference => return None,
            _ if is_uuid(value) => Shape::Uuid,
            _ if is_hex(value) => Shape::Hex,
            Look::Number if is_wheels(value) => Shape::Groups,
            Look::Number if digits(value) < 3 => return None,
            Look::Number => Shape::Groups,
            Look::Short if is_keypad(value) || value.contains(['#', '*']) => Shape::Keypad,
            Look::Short if is_numbered_word(value) => Shape::Numbered,
            Look::Short if is_public(value) => Shape::MixedPublic,
            Look::Short => Shape::Short,
            Look::Joined => Shape::Joined,
            Look::Word if is_common(value) || is_contracted(value) => Shape::Common,
            Look::Word if value.contains(['-', '.', '_', '\'', '/']) => Shape::Joined,
            Look::Word => Shape::Title,
            _ if count >= 16 && (is_random(value) || is_issued(value)) => Shape::Random,
            _ if is_numbered_word(value) => Shape::Numbered,
            _ if is_versioned(value) => Shape::Versioned,
            _ if is_public(value) => Shape::MixedPublic,
            _ if is_serial(value) => Shape::Serial,
            Look::Mixed => Shape::Mixed,
            Look::Strong => Shape::Strong,
        };
        Some(shape)
    }

    fn of_letters(value: &str) -> Option<Shape> {
        Some(match () {
            () if value.len() > LETTERS_MAX => Shape::Random,
            () if is_common(value) => Shape::Common,
            () if value.starts_with(is_unspaced) => Shape::Native,
            () if value.len() >= 20 && is_random(value) => Shape::Random,
            () if look(value) == Look::Reference => return None,
            () if look(value) == Look::Joined => Shape::Joined,
            () if value.chars().all(char::is_uppercase) => Shape::Upper,
            () if value.starts_with(char::is_uppercase) => Shape::Title,
            () => Shape::Word,
        })
    }

    pub(super) fn group(self) -> Group {
        match self {
            Self::Common | Self::Word | Self::Title | Self::Upper | Self::Native => Group::Words,
            Self::Joined => Group::Joined,
            Self::Digits3
            | Self::Digits4
            | Self::Year
            | Self::Digits5
            | Self::Digits7
            | Self::Digits9
            | Self::Digits13
            | Self::Groups
            | Self::Spelled => Group::Number,
            Self::Keypad | Self::Short | Self::MixedPublic | Self::Serial | Self::Versioned => Group::Keys,
            Self::Mixed | Self::Strong | Self::Numbered => Group::Mix,
            Self::Random | Self::Hex | Self::Uuid => Group::Noise,
            Self::Phrase | Self::Prose => Group::Sentence,
        }
    }
}

/// Returns whether a value can only have a shape of [`Group::Words`], or none: letters, in at most three humps.
pub(super) fn is_plain_word(value: &str) -> bool {
    value.len() <= LETTERS_MAX && value.chars().all(char::is_alphabetic) && humps(value) < HUMPS_MIN
}

/// Returns whether a value is a name with a number: `PlayStation5`, `sommerfest2026`, `spring-boot3`. As the first word
/// of an item or a heading, without a word that suggests a secret, it is hardly ever a password.
pub(super) fn is_numbered_word(value: &str) -> bool {
    let name = value.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = value.len() - name.len();
    let (mut letters, mut hump, mut was_capital) = (0, 0, false);
    for c in name.chars() {
        if c != '-' && !c.is_alphabetic() {
            return false;
        }
        // Each part has at least three letters, which random text seldom does. Capitals in a row are one part.
        if c == '-' || c.is_uppercase() && !was_capital {
            if (1..3).contains(&(letters - hump)) {
                return false;
            }
            hump = letters;
        }
        letters += usize::from(c != '-');
        was_capital = c.is_uppercase();
    }
    (1..=4).contains(&digits) && letters >= 4 && letters - hump >= 3
}

/// Returns whether a value is a contraction: `l'alarme`, `don't`.
fn is_contracted(value: &str) -> bool {
    value.contains(['\'', '’']) && value.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’'))
}

/// Returns whether a value looks like a serial number: only capitals, digits and hyphens.
fn is_serial(value: &str) -> bool {
    value.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-')
}

/// Returns whether a value is a name with a version that has a point: `Python3.11`, `React@18.2`.
fn is_versioned(value: &str) -> bool {
    let name = value.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let version = &value[name.len()..];
    let is_name = name.chars().all(|c| c.is_alphabetic() || ".-@#".contains(c))
        && name.starts_with(char::is_alphabetic);
    is_name
        && version.len() <= 8
        && !version.starts_with('.')
        && version.contains('.')
        && !version.ends_with('.')
}
