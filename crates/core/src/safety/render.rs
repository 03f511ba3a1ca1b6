//! Renders a text for a model so that it cannot close its delimiter or speak in another role.
//!
//! A text is normalised first ([`plain`]): every line end becomes `\n`, and invisible characters are removed.
//! Then tokens of roles and templates keep their words and lose the characters that make them active:
//! `<|im_start|>` becomes `‹¦im_start¦›`, a fence of backticks one of apostrophes, the colon of `Human:` at
//! the start of a line a ratio sign, and the bracket of a line that begins like a prompt's trigger a round
//! one. Patterns match the folded text, so full-width forms and other spaces make no difference.
//!
//! **Invariant:** rendering the output again changes nothing; a text without any of this is not copied.
//! **Invariant:** the time is linear in the length of the text.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::fold::{Folded, is_invisible};

#[cfg(test)]
mod tests;

/// Tokens of roles, templates and delimiters. Only words ignore case: to fold the classes of Unicode takes longer than
/// everything else of the pattern.
const TOKENS: &str = r"<\|(?:[^|<>\[\]`\n]{1,60}\|>)?|\[{1,2}/?(?i:INST|TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS|SYSTEM_PROMPT)\]{1,2}|<</?(?i:SYS)>>|</?\s{0,3}(?:[A-Za-z]{1,10}:)?(?i:system|assistant|human|user|developer|memor(?:y|ies)|memtape|tools?|functions?|invoke|parameter|instructions?|context|think(?:ing)?|thoughts?|reasoning|reflection|scratchpad|start_of_turn|end_of_turn|s|bos|eos)(?:[_:-][A-Za-z_:-]{1,30})?(?:[\s/>]|$)|`{3,}";
/// The characters that may precede a line's text: spaces, Markdown marks, combining characters.
const INDENT: &str = r"(?:[^\S\n]|[>*#_~|\p{M}\p{Cf}])*";
/// A role at the start of a line.
const ROLES: &str = r"(?i:human|assistant|system|user|developer|tool)[^\S\n]*[*_]*[^\S\n]*";
/// A heading of a template's section, at the start of a line.
const HEADINGS: &str = r"#+[^\S\n]*(?i:instructions?|input|response|context)[^\S\n]*[*_]*[^\S\n]*";
/// The beginning of a prompt's trigger, after its bracket.
const HEADS: &str = r"\s*(?:(?i:message)\s+(?i:from)|(?i:perch)\s+(?i:tick)|(?i:scheduled)\s+(?i:job))";
/// The brackets that read like that of a trigger.
const BRACKETS: [char; 6] = ['[', '\u{3010}', '\u{3014}', '\u{27E6}', '\u{2045}', '\u{300C}'];

/// Disarms the tokens of roles and templates in a text, and keeps it readable.
#[must_use]
pub fn neutralise(text: &str) -> Cow<'_, str> {
    static TOKEN: LazyLock<Regex> = LazyLock::new(|| Regex::new(TOKENS).expect("a pattern"));
    static START: LazyLock<Regex> = LazyLock::new(|| {
        let brackets = regex::escape(&BRACKETS.iter().collect::<String>());
        let starts =
            format!("(?m)^{INDENT}(?:(?:{ROLES}|{HEADINGS})(?P<colon>:)|(?P<bracket>[{brackets}]){HEADS})");
        Regex::new(&starts).expect("a pattern")
    });
    let text = plain(text);
    let text = then(text, |text| {
        let folded = Folded::new(text);
        // Each token has one of these, and each role or heading ends with a colon or begins with a bracket. Compiling the
        // patterns takes longer than most texts do.
        if !folded.text().contains(['<', '[', '`']) {
            return Cow::Borrowed(text);
        }
        let tokens = TOKEN.find_iter(folded.text()).map(|token| folded.place(&token.range()));
        replaced(text, tokens, harmless)
    });
    then(text, |text| {
        let folded = Folded::new(text);
        if !folded.text().contains(':') && !folded.text().contains(BRACKETS) {
            return Cow::Borrowed(text);
        }
        let signs = START.captures_iter(folded.text()).filter_map(|start| {
            let sign = start.name("colon").or_else(|| start.name("bracket"))?;
            Some(folded.place(&sign.range()))
        });
        replaced(text, signs, harmless_sign)
    })
}

/// Returns the disarmed text on one line: runs of white space become one space.
#[must_use]
pub fn neutral_line(text: &str) -> String {
    let line = plain(text).split_whitespace().collect::<Vec<_>>().join(" ");
    neutralise(&line).into_owned()
}

/// Returns a text folded for comparison: without invisible characters, full-width forms as ASCII.
#[must_use]
pub fn folded(text: &str) -> String {
    Folded::new(&plain(text)).text().to_owned()
}

/// Normalises a text: line ends become `\n`, other control characters spaces, and invisible characters are
/// removed, except for joiners within letters and emoji of other scripts.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    let is_plain = |b: u8| matches!(b, b' '..=b'~' | b'\n' | b'\t');
    if text.bytes().all(is_plain) || text.chars().all(|c| plain_char(c) == Some(c) && !is_invisible(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    // A joiner is kept between two letters or emoji that are not ASCII.
    let (mut before, mut joiner) = (None, None);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c == '\r' && chars.peek().is_some_and(|(_, next)| *next == '\n') {
            continue;
        }
        if let Some(flag) = flag(&text[at..]) {
            out.push_str(flag);
            (before, joiner) = (Some(c), None);
            while chars.next_if(|(next, _)| *next < at + flag.len()).is_some() {}
            continue;
        }
        if is_invisible(c) {
            match c {
                '\u{200C}' | '\u{200D}' if before.is_some() => joiner = joiner.or(Some(c)),
                // A variation selector applies to the character before; after ASCII, only in a key such as
                // `1️⃣`.
                '\u{FE00}'..='\u{FE0F}' if joiner.is_none() => {
                    let is_key = chars.peek().is_some_and(|(_, next)| *next == '\u{20E3}');
                    let is_first = !out.ends_with(|last| matches!(last, '\u{FE00}'..='\u{FE0F}'));
                    if is_first && (before.is_some() || is_key) {
                        out.push(c);
                    }
                }
                _ => {}
            }
            continue;
        }
        let c = plain_char(c).unwrap_or('\n');
        let joins = (!c.is_ascii() && !c.is_whitespace() && super::fold::narrow(c) == c).then_some(c);
        if let Some(joiner) = joiner.take().filter(|_| joins.is_some()) {
            out.push(joiner);
        }
        before = joins;
        out.push(c);
    }
    if out == text { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

/// Returns the character to keep; `None` for a line end other than `\n`.
fn plain_char(c: char) -> Option<char> {
    match c {
        '\n' | '\t' => Some(c),
        '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => None,
        '\u{2800}' => Some(' '),
        c if c.is_control() => Some(' '),
        c => Some(c),
    }
}

/// Returns the regional flag that begins a text, which is written in letters of the tag block.
fn flag(text: &str) -> Option<&str> {
    let tags = text.strip_prefix('\u{1F3F4}')?;
    let region: usize = (tags.chars())
        .take_while(|c| matches!(c, '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}'))
        .take(6)
        .map(char::len_utf8)
        .sum();
    let is_flag = region > 0 && tags[region..].starts_with('\u{E007F}');
    is_flag.then(|| &text[..'\u{1F3F4}'.len_utf8() + region + '\u{E007F}'.len_utf8()])
}

/// Replaces parts of a text.
fn replaced(
    text: &str,
    places: impl Iterator<Item = std::ops::Range<usize>>,
    by: impl Fn(&str) -> String,
) -> Cow<'_, str> {
    let (mut out, mut from) = (String::new(), 0);
    for place in places {
        out.push_str(&text[from..place.start]);
        out.push_str(&by(&text[place.clone()]));
        from = place.end;
    }
    if from == 0 { Cow::Borrowed(text) } else { Cow::Owned(out + &text[from..]) }
}

/// Returns a text that cannot end its enclosing block; `end` is how the closing tag begins, like `</memory`,
/// in lower case.
#[must_use]
pub fn enclosed(text: &str, end: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let lower = text.to_ascii_lowercase();
    let mut from = 0;
    while let Some(at) = lower[from..].find(end) {
        out.push_str(&text[from..from + at]);
        out.push_str("&lt;/");
        from += at + "</".len();
    }
    out.push_str(&text[from..]);
    out
}

/// Returns whether a text holds letters of the tag block outside of flags.
pub(super) fn has_hidden_tags(text: &str) -> bool {
    let is_tag = |c: char| matches!(c, '\u{E0000}'..='\u{E007F}');
    text.match_indices(is_tag).next().is_some() && {
        let tags = |text: &str| text.chars().filter(|c| is_tag(*c)).count();
        tags(text) != tags(&plain(text))
    }
}

fn harmless(token: &str) -> String {
    let other = |c: char| match c {
        '<' | '\u{FF1C}' => '‹',
        '>' | '\u{FF1E}' => '›',
        '[' | '\u{FF3B}' => '(',
        ']' | '\u{FF3D}' => ')',
        '|' | '\u{FF5C}' => '¦',
        '`' | '\u{FF40}' => '\'',
        c => c,
    };
    token.chars().map(other).collect()
}

/// Returns the harmless form of the character that makes a role or a trigger.
fn harmless_sign(sign: &str) -> String {
    if sign.ends_with([':', '\u{FF1A}']) { "\u{2236}".into() } else { "(".into() }
}

/// Applies a step to a text; copies it only if the step changes it.
fn then<'t>(text: Cow<'t, str>, step: impl Fn(&str) -> Cow<'_, str>) -> Cow<'t, str> {
    match step(&text) {
        Cow::Owned(changed) => Cow::Owned(changed),
        Cow::Borrowed(_) => text,
    }
}
