//! Classifies the look of a value and distinguishes it from ordinary words, identifiers and everyday numbers.
//!
//! The variants of [`Look`] are ordered: a later one looks more like a secret and needs less evidence from
//! the context.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

use super::AUTOMATON_MAX;

/// The look of a text without white space, in order of increasing similarity to a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Look {
    /// Never a secret: a placeholder, a variable, code, an address, a date.
    Reference,
    /// A word, or words joined as in prose.
    Word,
    /// Digits, possibly in groups.
    Number,
    /// Words joined in a way that prose does not use: `orecchiette.e.rape`.
    Joined,
    /// A few digits and letters, as on a keypad: `84A15`, `2285#`.
    Short,
    /// Letters and digits: `mangoTree_1988`.
    Mixed,
    /// Letters and signs, or letters and digits that alternate as in random text.
    Strong,
}

/// Signs that are frequent in passwords and rare inside words.
const SIGNS: &str = "!#$%&*+=@^~|?€£§;\\";
/// Words of configuration and code that occur in the position of a value.
const KEYWORDS: &str = "str string text bool boolean int integer number bytes bytea byte any object array none null nil undefined \
    true false required optional yes no on off varchar char uuid secretstring option vec self this password passwd pwd token \
    secret key type basic bearer digest prompt interactive file env stdin hidden masked redacted removed omitted deleted \
    empty unset example placeholder todo tbd n/a changed unknown ok default auto sensitive input hash hashed ask prohibit-password \
    scram-sha-256 bcrypt argon2id argon2 plaintext plain encrypted write read jwt oauth oauth2 oidc saml totp hotp webauthn \
    passkey passkeys 1password bitwarden keepass lastpass keychain keyring vault write_only current-password new-password one-time-code";

/// Returns the look of a text without white space. Punctuation around it does not make it look like a secret.
pub(super) fn look(value: &str) -> Look {
    if is_reference(value) {
        return Look::Reference;
    }
    let counts = Counts::of(value);
    if counts.letters == 0 && counts.digits == 0 {
        return Look::Reference;
    }
    if counts.letters == 0 {
        return if counts.signs == 0
            || value.trim_matches(['#', '*']).bytes().all(|b| b.is_ascii_digit() || b"-. ".contains(&b))
        {
            if value.contains(['#', '*']) { Look::Short } else { Look::Number }
        } else if counts.digits >= 4 && value.bytes().all(|b| b.is_ascii_digit() || b"#*-. +".contains(&b)) {
            Look::Short
        } else {
            Look::Reference
        };
    }
    let inner = value.trim_matches(|c: char| !c.is_alphanumeric());
    let has_sign = inner.contains(|c| SIGNS.contains(c));
    if has_sign && (counts.digits > 0 || counts.letters >= 6) && value.len() >= 6 {
        return Look::Strong;
    }
    if counts.digits > 0 {
        if is_random(value) {
            return Look::Strong;
        }
        return if value.chars().count() <= 7 && counts.digits >= 2 || value.len() < 6 {
            Look::Short
        } else {
            Look::Mixed
        };
    }
    if value.ends_with(['!', '*', '#', '$', '%']) && counts.letters >= 6 {
        return Look::Word;
    }
    let joints = inner.chars().filter(|c| ".-_".contains(*c)).count();
    let is_joined = humps(inner) >= HUMPS_MIN
        || inner.contains('_')
        || joints >= 3
        || inner.contains('.') && joints >= 1 && !inner.contains("..");
    if is_joined { Look::Joined } else { Look::Word }
}

/// Number of capitals after small letters from which an identifier is joined words.
pub(super) const HUMPS_MIN: usize = 3;

/// Returns the number of capitals after small letters.
pub(super) fn humps(value: &str) -> usize {
    let is_hump = |pair: &&[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
    value.as_bytes().windows(2).filter(is_hump).count()
}

/// Number of characters of each class.
struct Counts {
    letters: usize,
    digits: usize,
    signs: usize,
}

impl Counts {
    fn of(value: &str) -> Counts {
        let mut counts = Counts { letters: 0, digits: 0, signs: 0 };
        for c in value.chars() {
            match c {
                c if c.is_ascii_digit() => counts.digits += 1,
                c if c.is_alphabetic() => counts.letters += 1,
                c if SIGNS.contains(c) => counts.signs += 1,
                _ => {}
            }
        }
        counts
    }
}

/// Returns whether letters and digits (or upper and lower case) alternate as often as in random text, like a
/// key, a token or base64.
pub(super) fn is_random(value: &str) -> bool {
    let class = |c: char| match c {
        '0'..='9' => 1,
        'a'..='z' => 2,
        'A'..='Z' => 3,
        _ => 0,
    };
    let classes: Vec<u8> = value.chars().map(class).filter(|class| *class > 0).collect();
    let changes = classes.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let digits = classes.iter().filter(|class| **class == 1).count();
    classes.len() >= 12 && digits >= 2 && changes * 10 >= classes.len() * 3
        || classes.len() >= 20 && digits >= 1 && changes * 10 >= classes.len() * 2
}

/// Returns whether a text looks like an issued key: long, and random, hexadecimal or a UUID.
pub(super) fn is_issued(value: &str) -> bool {
    static SHAPE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[A-Za-z0-9_.~+/:-]{16,}={0,2}$"));
    value.len() <= 4096
        && SHAPE.is_match(value)
        && (is_random(value) || is_hex(value) || is_uuid(value))
        && !is_reference(value)
}

/// Returns whether a text consists of at least 12 hexadecimal digits, like a digest.
pub(super) fn is_hex(value: &str) -> bool {
    let digits = value.strip_prefix("0x").unwrap_or(value);
    digits.len() >= 12
        && digits.bytes().all(|b| b.is_ascii_hexdigit())
        && digits.bytes().any(|b| b.is_ascii_digit())
}

/// Returns whether a text is a UUID.
pub(super) fn is_uuid(value: &str) -> bool {
    value.len() == 36
        && value.bytes().enumerate().all(|(at, b)| match at {
            8 | 13 | 18 | 23 => b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}

fn pattern(pattern: &str) -> Regex {
    RegexBuilder::new(pattern).dfa_size_limit(AUTOMATON_MAX).build().expect("a pattern")
}

/// Returns whether a text is a placeholder for a value, or has a form that no secret has.
pub(super) fn is_reference(value: &str) -> bool {
    // Forms without a sign or a digit, and masks.
    static PLAIN: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"(?i)^(?:new|await|return|function|lambda|def|your(?:pass|tok|key|api|sec)[a-z]*|[*x•.…_#?·●-]+",
            r"|.*(?:\*{4}|x{5}|•{3}|\.{3}|…).*|.*(?:^|[^a-z0-9])(?:example|placeholder|redacted|here|goes-here)(?:[^a-z0-9].*)?)$"
        ))
    });
    // Each form has a sign or a digit. The value is in lower case: to ignore case takes half as long again to compile.
    static PATTERNS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"^(?:",
            // Variables and templates of shells and languages.
            r"\$[a-z_][a-z0-9_:]*|\$[({].*|%[a-z_]+%|%\([a-z_]+\)s?|\{\{.*|#?\{[a-z_. ]*\}?|<[^>]*>?|@[a-z_]+|:[a-z_]+|&[a-z]+;?|\\\(.*",
            // Calls, indexes, paths of fields.
            r"|[a-z_][a-z0-9_.:>-]*[(\[].*|(?:this|self|process|os|env|config|data|var|local|params|req|request|ctx|args|settings|secrets|options|props|state|vault|module|each)[.>:?-].*",
            // URLs, paths, public keys, email addresses, file and host names.
            r"|[a-z][a-z0-9+.-]*://.*|/[a-z0-9._-]+/.*|\.{1,2}/.*|~/.*|[a-z]:\\.*|arn:.*|op:.*|sha(?:1|256|384|512)[:-].*|age1.*|ssh-.*",
            r"|[^@\s]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}|www\..*|\.[a-z][a-z0-9._-]*",
            r"|[a-z0-9._/-]+\.(?:md|txt|ya?ml|json|toml|ini|conf|cfg|env|sh|py|rs|js|jsx|tsx?|go|java|kt|rb|php|html?|css|pem|key|p12|pfx|crt|cer|jks|kdbx|gpg|pdf|docx?|xlsx?|csv|png|jpe?g|gif|svg|zip|gz|tgz|tar|log|sql|lock|so|exe|app|com|org|net|io|dev|internal|local|lan|de|fr|it|es|nl|pl|ru|jp|kr|cn|tr|uk|br|eu|xml|properties|service|corp|home|test|invalid|sock|socket|d|safetensors|onnx|bin|h|c|cpp)(?::[0-9]+)?",
            // Placeholders.
            r"|.*(?:^|[^a-z])(?:your|my|meine?|dein|ihr|votre|mon|tu|sua|il tuo|jouw|twoje|ваш)[_-](?:[a-z_-]+).*",
            // Regular expressions.
            r"|.*(?:\[[0a]-[9zf]|\\[sbwd]|\{[0-9]+,).*|/.*[(\\].*",
            // Dates, times, amounts, versions, network addresses.
            r"|[0-9]{1,4}[/.][0-9]{1,2}[/.][0-9]{1,4}|(?:19|20)[0-9]{2}-[0-9]{1,2}-[0-9]{1,2}.*|[0-9]{1,2}[:.h][0-9]{2}(?::[0-9]{2})?|[0-9]{1,2}[/.][0-9]{1,2}|[0-9]+[.,][0-9]+|v?[0-9]+(?:\.[0-9]+){2,}(?:[-+.][a-z0-9.]+)?|v[0-9]+|[0-9.]+/[0-9]+",
            r"|[€$£¥₽₺₩][0-9.,]+|[0-9.,]+(?:€|\$|£|¥|%|°c?|k|km|mg|ml|cl|kg|g|gb|mb|kb|tb|px|cm|mm|m|h|min|ms|s|am|pm|th|st|nd|rd|er|ème|º|ª|€uro|zł|руб)|[0-9]{1,2}-[0-9]{1,2}|[0-9]+x[0-9]+(?:x[0-9]+)?|[0-9]{1,3}\+",
            r")$"
        ))
    });
    static WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| KEYWORDS.split_whitespace().collect());
    let is_address = value.len() == 42 && value.starts_with("0x");
    if value.contains("[redacted") || value.is_empty() || is_address {
        return true;
    }
    if value.len() > 512 {
        return false;
    }
    let lower = value.to_lowercase();
    WORDS.contains(lower.as_str())
        || PLAIN.is_match(value)
        || !value.chars().all(char::is_alphabetic) && PATTERNS.is_match(&lower)
        || names_itself(value)
}

/// Returns whether a text is an identifier that names a secret, like `db_password` or `user.passwordHash`.
fn names_itself(value: &str) -> bool {
    static NAMES: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?i)passw|pass_|_pass|secret|token|credential|api_?key|pwd$|passphrase"));
    let is_identifier = value.bytes().all(|b| b.is_ascii_alphabetic() || b"_.-:?".contains(&b));
    is_identifier && value.len() >= 5 && NAMES.is_match(value)
}

/// Returns whether a text is an identifier that people mention openly: a version, a standard, a ticket
/// number, a name with a number, a digest.
pub(super) fn is_public(value: &str) -> bool {
    static PATTERNS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"^(?:[A-Z]{2,10}-[0-9]+(?:-[0-9]+)?|(?i:cve|rfc|iso|din|en|iec|isbn|pep|ms|kb|bcp)-?[0-9:-]+",
            r"|(?i:sha|md|aes|rsa|utf|x|base|win|windows|ios|android|ipv|http|tls|ssl|oauth|ed|curve|argon|blake|mp|usb|web|wpa|wifi|python|java|node|postgres|pg|php|es|h|log|es|cp|iso|arm|amd|x86_|k|s|ec|int|uint|float|u|i|f|id_ed|id_rsa)-?_?[0-9]{1,5}(?:[_.-]?[A-Za-z]*)?",
            r"|[a-z]{1,4}(?:-[a-z]{1,4})?-?[0-9]{1,3}|[0-9]+[a-z]{1,3}|[A-Za-z]{1,6}[0-9]{1,2}|[A-Z][0-9]+\.[0-9]+|AAAA[A-Za-z0-9+/=]+|0x[0-9a-fA-F]{40}|[a-z]+:[0-9]+|[a-z]+(?:\.[a-z]+)+\.[A-Z][A-Za-z]+",
            r"|[a-z0-9-]+(?:\.[a-z0-9-]+)+:[0-9]+|[a-z0-9._-]+@[a-z0-9.-]+",
            r"|[A-Z]{1,4}[0-9]{0,2}|[A-Z0-9]{1,3}|[0-9]{1,2}(?:[A-Z]{1,2})|\+?[0-9]{10,})$"
        ))
    });
    is_uuid(value) || is_hex(value) || PATTERNS.is_match(value)
}

/// Returns whether digits and letters alternate as in a keypad code: `62A9`, `C58B`, `3110B`.
pub(super) fn is_keypad(value: &str) -> bool {
    let bytes = value.as_bytes();
    let changes =
        bytes.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    let is_keys = |b: u8| b.is_ascii_digit() || b.is_ascii_uppercase() || b == b'#' || b == b'*';
    (4..=8).contains(&bytes.len())
        && bytes.iter().all(|b| is_keys(*b))
        && digits(value) >= 2
        && (changes >= 2 || bytes[0].is_ascii_digit() && changes == 1 || !bytes[0].is_ascii_alphanumeric())
}

/// Returns whether digits are grouped like the combination of a lock: `0-8-1-5`, `22-07-35`.
pub(super) fn is_wheels(value: &str) -> bool {
    let groups: Vec<&str> = value.split('-').collect();
    let of = |length: usize| {
        groups.iter().all(|group| group.len() == length && group.bytes().all(|b| b.is_ascii_digit()))
    };
    (3..=6).contains(&groups.len()) && of(1) || (3..=4).contains(&groups.len()) && of(2)
}

/// Returns the number of digits.
pub(super) fn digits(value: &str) -> usize {
    value.bytes().filter(u8::is_ascii_digit).count()
}

/// Returns the range between quotation marks, if an opening one is at `start`.
pub(super) fn quoted(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = &text[start..];
    let open = rest.chars().next()?;
    let closing: &[char] = match open {
        '"' | '\'' | '`' => &[open],
        '“' | '„' => &['”', '“', '"'],
        '‘' | '‚' => &['’', '‘'],
        '«' => &['»'],
        '»' => &['«'],
        '「' => &['」'],
        '『' => &['』'],
        _ => return None,
    };
    let inside = start + open.len_utf8();
    let mut is_escaped = false;
    for (at, c) in text[inside..].char_indices().take(200) {
        if c == '\n' {
            return None;
        }
        if !is_escaped && closing.contains(&c) {
            return (at > 0).then_some(inside..inside + at);
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    None
}

/// Removes the trailing punctuation that belongs to the sentence.
pub(super) fn trim(word: &str) -> &str {
    let word =
        if word.ends_with("**") || word.ends_with("__") { word.trim_end_matches(['*', '_']) } else { word };
    let closes = |c: char| {
        matches!(
            c,
            '.' | ','
                | ';'
                | ':'
                | ')'
                | ']'
                | '}'
                | '>'
                | '"'
                | '\''
                | '`'
                | '”'
                | '“'
                | '’'
                | '»'
                | '」'
                | '』'
                | '。'
                | '、'
                | '…'
                | '，'
                | '；'
                | '！'
                | '？'
                | '（'
                | '）'
                | '【'
                | '】'
        )
    };
    word.trim_end_matches(closes).trim_end_matches(['?', ')'])
}
