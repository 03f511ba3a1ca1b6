//! The two Japanese syllabaries.

/// Returns whether a letter is of one of the two Japanese syllabaries.
#[must_use]
pub fn is_kana(c: char) -> bool {
    is_hiragana(c) || is_katakana(c)
}

pub(crate) fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{309F}')
}

/// The dot between the words of a name is no letter.
pub(crate) fn is_katakana(c: char) -> bool {
    matches!(c, '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' | '\u{FF66}'..='\u{FF9D}')
}
