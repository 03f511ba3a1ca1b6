//! Counting tokens.

/// What a message costs beside its content, in tokens: its role, and what marks its ends.
pub const MESSAGE_TOKENS: usize = 4;
/// So many ASCII characters are taken for one token.
const ASCII_PER_TOKEN: usize = 4;

/// What counts tokens. The empty text has none.
pub trait Tokens {
    /// How many tokens a text has.
    fn count(&self, text: &str) -> usize;
}

/// Tokens by the number of characters: one for each four of ASCII, rounded up, and one for each other character.
///
/// Of English prose that is about right, and of other writing rather more than a tokenizer counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Estimate;

impl Tokens for Estimate {
    fn count(&self, text: &str) -> usize {
        let ascii = text.bytes().filter(u8::is_ascii).count();
        // Of a character that is not ASCII the first byte alone is none that goes on.
        let others = text.bytes().filter(|byte| !byte.is_ascii() && byte & 0xC0 != 0x80).count();
        ascii.div_ceil(ASCII_PER_TOKEN) + others
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn characters_are_estimated() {
        assert_eq!(Estimate.count(""), 0);
        assert_eq!(Estimate.count("abcd"), 1);
        assert_eq!(Estimate.count("abcde"), 2);
        assert_eq!(Estimate.count("日本"), 2);
        assert_eq!(Estimate.count("é"), 1);
        assert_eq!(Estimate.count("a🦀"), 2);
    }

    proptest! {
        /// The budget relies on it: a text has no more tokens than its pieces together.
        #[test]
        fn a_whole_has_no_more_than_its_pieces(a in "\\PC*", b in "\\PC*") {
            let pieces = Estimate.count(&a) + Estimate.count(&b);
            prop_assert!(Estimate.count(&(a + &b)) <= pieces);
        }
    }
}
