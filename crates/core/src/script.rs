//! Scripts that write no spaces between words.

use unicode_normalization::char::is_combining_mark;

/// Returns whether a character is a letter or mark of a script without spaces, or of Hangul, whose words take
/// endings.
#[rustfmt::skip]
pub(crate) fn is_unspaced(c: char) -> bool {
    // Thai and Lao; Myanmar and Jamo; Khmer; Tai; Han, kana, Bopomofo and Yi with all between; rest.
    matches!(u32::from(c), 0xE00..=0xEFF | 0x1000..=0x109F | 0x1100..=0x11FF | 0x1780..=0x17FF
        | 0x1950..=0x19DF | 0x1A20..=0x1AAF | 0x2E80..=0xA4CF | 0xA960..=0xA97F | 0xA9E0..=0xA9FF
        | 0xAA60..=0xAADF | 0xAC00..=0xD7FF | 0xF900..=0xFAFF | 0x1_AFF0..=0x1_B2FF
        | 0x2_0000..=0x3_FFFF) && (c.is_alphabetic() || is_combining_mark(c))
}
