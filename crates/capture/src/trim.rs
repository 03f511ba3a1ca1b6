//! Trims words without content from the ends of a clause.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// Returns a range extended by the spaces beside it.
pub(super) fn with_spaces(text: &str, range: Range<usize>) -> Range<usize> {
    let before = usize::from(text[..range.start].ends_with(' '));
    range.start - before..range.end + usize::from(text[range.end..].starts_with(' '))
}

/// Returns the range of a clause without leading marks and openers. What a group of their pattern matches is none of them.
pub(super) fn trim_start(text: &str, range: Range<usize>, openers: &Regex) -> Range<usize> {
    let mut range = range;
    loop {
        let part = &text[range.clone()];
        let found = openers.captures(part);
        let next = found.as_ref().and_then(|found| found.get(1));
        let skipped = match found.as_ref().and_then(|found| found.get(0)) {
            Some(opener) => {
                next.map_or(opener.end() - usize::from(opener.as_str().ends_with(' ')), |next| next.start())
            }
            None => {
                let token = part.trim_start_matches(' ').split(' ').next().unwrap_or_default();
                let spaces = part.len() - part.trim_start_matches(' ').len();
                if token.is_empty() || says(token) { 0 } else { spaces + token.len() }
            }
        };
        if skipped == 0 {
            return range;
        }
        range.start += skipped;
    }
}

/// How a Chinese or Japanese clause names somebody, up to the last characters of the name.
static NAMES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("(?:叫|姓|名字是|名前は)[^ ,]{0,4}$").expect("a pattern"));

/// Returns the range of a clause without trailing marks and closers. The end of a name is none.
pub(super) fn trim_end(text: &str, range: Range<usize>, closers: &Regex) -> Range<usize> {
    let mut range = range;
    loop {
        let part = &text[range.clone()];
        let closer = closers.find(part).filter(|closer| !NAMES.is_match(&part[..closer.start()]));
        let end = match closer {
            Some(closer) => closer.start() + usize::from(closer.as_str().starts_with(' ')),
            None => {
                let text = part.trim_end_matches(' ');
                let token = text.rsplit(' ').next().unwrap_or_default();
                if token.is_empty() || says(token) { part.len() } else { text.len() - token.len() }
            }
        };
        if end == part.len() {
            return range;
        }
        range.end = range.start + end;
    }
}

/// Returns whether a token contains a letter or digit, or stands for a quotation.
fn says(token: &str) -> bool {
    token == "\"" || token.contains(char::is_alphanumeric)
}
