//! Folding of words: lower case, and one spelling for those that differ in accents.

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

use crate::han;

/// Returns a word in lower case without accents, except ä, ö and ü, which other words lack; `ß` becomes `ss`, and
/// traditional Chinese characters become simplified ones. Kana is unchanged: its marks tell words apart, such as "が" and "か".
#[must_use]
pub fn word(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(word.len());
    for c in word.chars().flat_map(char::to_lowercase) {
        letter(c, |c| folded.push(c));
    }
    folded
}

/// Passes on the folded form of a letter in lower case.
pub fn letter(c: char, mut push: impl FnMut(char)) {
    match c {
        'a'..='z' | 'ä' | 'ö' | 'ü' => push(c),
        'ß' => ['s', 's'].into_iter().for_each(push),
        'œ' => ['o', 'e'].into_iter().for_each(push),
        '’' | '‘' | 'ʼ' | '´' => push('\''),
        c if han::is_han(c) => push(han::simplified(c)),
        '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' => push(c),
        c => decompose_compatible(c, |c| {
            if !is_combining_mark(c) {
                c.to_lowercase().for_each(&mut push);
            }
        }),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_that_differ_in_accents_have_one_spelling() {
        for (word, expected) in [
            ("Café", "cafe"),
            ("Größe", "grösse"),
            ("Сегодняшний", "сегодняшнии"),
            ("Ёлка", "елка"),
            ("電話", "电话"),
            ("がっこうでパンを", "がっこうでパンを"),
            ("ｶﾒﾗ", "カメラ"),
            ("３日", "3日"),
        ] {
            assert_eq!(super::word(word), expected);
        }
    }
}
