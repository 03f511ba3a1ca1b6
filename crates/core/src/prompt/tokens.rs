//! Counts tokens.

/// The tokens of a message besides its content: its role and the marks at its ends.
pub const MESSAGE_TOKENS: usize = 4;
/// The number of ASCII characters that count as one token.
const ASCII_PER_TOKEN: usize = 4;

/// Counts tokens. The empty text has none.
pub trait Tokens {
    /// Returns the number of tokens in a text.
    fn count(&self, text: &str) -> usize;
}

/// Estimates tokens by characters: one for every four ASCII characters, rounded up, and one for every other.
///
/// This is about right for English prose, and tends to overestimate other text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Estimate;

impl Tokens for Estimate {
    fn count(&self, text: &str) -> usize {
        let ascii = text.bytes().filter(u8::is_ascii).count();
        // Counts only the first byte of each character that is not ASCII.
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
        /// The budget relies on this: a text has no more tokens than its pieces together.
        #[test]
        fn a_whole_has_no_more_than_its_pieces(a in "\\PC*", b in "\\PC*") {
            let pieces = Estimate.count(&a) + Estimate.count(&b);
            prop_assert!(Estimate.count(&(a + &b)) <= pieces);
        }
    }
}
