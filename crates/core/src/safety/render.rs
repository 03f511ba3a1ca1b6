//! Purpose: shows a text to a model so that it cannot close what it is shown in, nor speak in another role.
//!
//! Tokens of roles and templates keep their words and lose the signs that give them power: `<|im_start|>` becomes
//! `‹¦im_start¦›`, a fence of backticks one of apostrophes, the colon of `Human:` at the start of a line a ratio
//! sign, the bracket of a line that would begin as a prompt's trigger does a round one. Letters of the tag block, which
//! no reader sees, are left out, save in flags.
//!
//! **Invariant:** what comes out changes no more; and a text without any of this is not copied.
//! **Invariant:** any text takes time in proportion to its length.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

#[cfg(test)]
mod tests;

/// Tokens of roles, templates and delimiters.
const TOKENS: &str = r"(?i)<[|\x{FF5C}](?:[^|\x{FF5C}<>\[\]`\n]{1,60}[|\x{FF5C}]>)?|\[{1,2}/?(?:INST|TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS|SYSTEM_PROMPT)\]{1,2}|<</?SYS>>|</?\s{0,3}(?:[a-z]{1,10}:)?(?:system|assistant|human|user|developer|memor(?:y|ies)|memtape|tool|function|invoke|parameter|instructions?|context|start_of_turn|end_of_turn|s|bos|eos)(?:[_:-][a-z_:-]{1,30})?(?:[\s/>]|$)|`{3,}";
/// A role at the start of a line.
const ROLES: &str = r"(?im)^([ \t>*#_\r]*(?:human|assistant|system|user|developer|tool)[ \t*_]*)[:\x{FF1A}]";
/// What a prompt's trigger begins with, at the start of a line.
const HEADS: &str = r"(?im)^([^\S\n]*)[\[\x{FF3B}\x{3010}](\s*(?:message from|perch tick|scheduled job))";
/// A flag of a region, which is kept, or a letter of the tag block.
const TAGS: &str = r"(\x{1F3F4}[\x{E0030}-\x{E0039}\x{E0061}-\x{E007A}]{1,6}\x{E007F})|[\x{E0000}-\x{E007F}]";

/// Makes the tokens of roles and templates in a text harmless, and leaves it readable.
#[must_use]
pub fn neutralise(text: &str) -> Cow<'_, str> {
    static TOKEN: LazyLock<Regex> = LazyLock::new(|| Regex::new(TOKENS).expect("a pattern"));
    static ROLE: LazyLock<Regex> = LazyLock::new(|| Regex::new(ROLES).expect("a pattern"));
    static HEAD: LazyLock<Regex> = LazyLock::new(|| Regex::new(HEADS).expect("a pattern"));
    let text = without_tags(text);
    let text = then(text, |text| TOKEN.replace_all(text, |token: &Captures<'_>| harmless(&token[0])));
    let text = then(text, |text| HEAD.replace_all(text, "$1($2"));
    then(text, |text| ROLE.replace_all(text, "$1\u{2236}"))
}

/// A text that cannot end the block it stands in, whoever wrote it: `end` is how that ends, as `</memory`, in small
/// letters.
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

/// Tells whether a text holds letters of the tag block that are no flag.
pub(super) fn has_hidden_tags(text: &str) -> bool {
    matches!(without_tags(text), Cow::Owned(_))
}

fn without_tags(text: &str) -> Cow<'_, str> {
    static TAG: LazyLock<Regex> = LazyLock::new(|| Regex::new(TAGS).expect("a pattern"));
    let is_hidden = |tags: Captures<'_>| tags.get(1).is_none();
    if text.is_ascii() || !TAG.captures_iter(text).any(is_hidden) {
        return Cow::Borrowed(text);
    }
    TAG.replace_all(text, "$1")
}

fn harmless(token: &str) -> String {
    let other = |c: char| match c {
        '<' => '‹',
        '>' => '›',
        '[' => '(',
        ']' => ')',
        '|' | '\u{FF5C}' => '¦',
        '`' => '\'',
        c => c,
    };
    token.chars().map(other).collect()
}

/// Goes on with a text, which is copied only when it changes.
fn then<'t>(text: Cow<'t, str>, step: impl Fn(&str) -> Cow<'_, str>) -> Cow<'t, str> {
    match step(&text) {
        Cow::Owned(changed) => Cow::Owned(changed),
        Cow::Borrowed(_) => text,
    }
}
