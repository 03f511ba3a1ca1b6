//! Purpose: secrets that a name in code or configuration is given: `DB_PASSWORD=…`, `"apiKey": "…"`, `<password>…`.
//!
//! A name is an identifier whose last word is one of a secret (`storePassword`, `api_key`, `client-key-data`), so
//! `password_file` and `tokenUrl` are none. A value is judged by its look and by how sure the name is.
//!
//! **Invariant:** an identifier and its value are read once, so all together take linear time.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::value::{Look, digits, is_common, is_issued, is_public, is_random, look, quoted};

/// Occurs in each name of a secret.
pub(super) const HINT: &str = r"(?i)pass|pwd|pw|secret|token|key|auth|cred|psk|session|sess|sid|dockerconfigjson|passphrase|kennwort|senha|mdp|contrase|wachtwoord|parola|haslo|sifre";

/// So many bytes of a value are judged; what follows them up to white space is taken with it.
const VALUE_MAX: usize = 160;
/// So long an identifier is at most.
const NAME_MAX: usize = 80;

/// How sure a name is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    /// A password: any text may be one.
    Password,
    /// A key or a token: long, and no word.
    Key,
    /// What may be a key: only what is issued is taken.
    Issued,
}

/// Finds the values of names of passwords.
pub(super) fn passwords(text: &str, add: &mut dyn FnMut(Range<usize>)) {
    assigned(text, &mut |range, name| {
        if name == Name::Password {
            add(range);
        }
    });
}

/// Finds the values of names of keys, tokens and sessions.
pub(super) fn keys(text: &str, add: &mut dyn FnMut(Range<usize>)) {
    assigned(text, &mut |range, name| {
        if name != Name::Password {
            add(range);
        }
    });
}

fn assigned(text: &str, add: &mut dyn FnMut(Range<usize>, Name)) {
    static NAMES: LazyLock<Regex> = LazyLock::new(|| Regex::new(HINT).expect("a pattern"));
    let mut end = 0;
    for found in NAMES.find_iter(text) {
        if found.start() < end {
            continue;
        }
        let identifier = identifier(text, found.range(), end);
        end = identifier.end;
        let word = &text[identifier.clone()];
        let Some(name) = name(word) else { continue };
        let Some(sign) = sign(text, &identifier) else { continue };
        let Some((mut range, is_quoted)) = value(text, sign.start, &sign) else { continue };
        let is_setting =
            sign.sign == "=" && text[..identifier.start].chars().next_back().is_none_or(|c| c == '\n');
        if !is_quoted
            && is_setting
            && let Some(end) = phrase(text, &range)
        {
            range.end = end;
        }
        let is_sure = is_constant(word) && sign.sign.contains('=');
        // A word with others behind it is prose.
        let rest = text[range.end..].trim_start_matches([' ', '\t']);
        let is_prose = !is_quoted
            && !is_sure
            && look(&text[range.clone()]) == Look::Word
            && !text[range.clone()].contains(' ')
            && !rest.split_whitespace().next().is_some_and(|next| next.contains('='))
            && (rest.len() < text.len() - range.end
                && !rest.is_empty()
                && !rest.starts_with(['\n', '\r', ',', ';', '}', '#', '/', '-', '\\', '|']));
        if !is_prose && takes(name, &text[range.clone()], is_quoted, is_sure) {
            let is_cut = range.len() + 8 >= VALUE_MAX && !is_quoted;
            let after = if is_cut {
                text[range.end..].find(char::is_whitespace).map_or(text.len(), |at| range.end + at)
            } else {
                range.end
            };
            end = end.max(after);
            add(range.start..after, name);
        }
    }
}

/// Where a value of several words ends, that is all of its line.
fn phrase(text: &str, first: &Range<usize>) -> Option<usize> {
    let line = text[first.start..].split(['\n', '\r']).next()?;
    let is_word = |word: &str| word.chars().all(char::is_alphanumeric) && !is_common(word);
    let count = line.split(' ').count();
    let is_word_first = look(&text[first.clone()]) == Look::Word;
    (is_word_first && (2..=8).contains(&count) && line.split(' ').all(is_word))
        .then_some(first.start + line.len())
}

/// Tells whether an identifier is written as constants and variables of an environment are.
fn is_constant(identifier: &str) -> bool {
    identifier.contains('_')
        && identifier.bytes().any(|b| b.is_ascii_uppercase())
        && !identifier.bytes().any(|b| b.is_ascii_lowercase())
}

/// The identifier around a place, not beginning before `from`.
fn identifier(text: &str, found: Range<usize>, from: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let is_part = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    let mut start = found.start;
    while start > from && found.start - start < NAME_MAX && is_part(bytes[start - 1]) {
        start -= 1;
    }
    let mut end = found.end;
    while end < bytes.len() && end - found.end < NAME_MAX && is_part(bytes[end]) {
        end += 1;
    }
    while end > found.end && matches!(bytes[end - 1], b'-' | b'.') {
        end -= 1;
    }
    start..end
}

/// The words of an identifier, in lower case.
fn words(identifier: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut last = ' ';
    for c in identifier.chars() {
        let begins = c.is_ascii_uppercase() && last.is_ascii_lowercase();
        if !c.is_ascii_alphanumeric() || begins {
            words.push(String::new());
        }
        if c.is_ascii_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(c.to_ascii_lowercase());
        }
        last = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Last words of the names of passwords.
const PASSWORDS: &[&str] = &[
    "password",
    "passwd",
    "passwort",
    "kennwort",
    "pwd",
    "pass",
    "passphrase",
    "passcode",
    "psk",
    "pw",
    "senha",
    "mdp",
    "requirepass",
    "masterauth",
    "rootpw",
    "userpass",
    "storepass",
    "keypass",
    "dbpass",
    "dbpassword",
    "userpassword",
    "adminpassword",
    "storepassword",
    "keypassword",
    "keystorepass",
    "sshpass",
    "contrasena",
    "kennwort",
    "wachtwoord",
    "parola",
    "haslo",
    "sifre",
    "parole",
];
/// Last words of the names of keys.
const KEYS: &[&str] = &[
    "secret",
    "token",
    "apikey",
    "authtoken",
    "accesstoken",
    "secretkey",
    "accesskey",
    "privatekey",
    "credential",
    "credentials",
    "apitoken",
    "clientsecret",
    "dockerconfigjson",
    "authkey",
    "apisecret",
    "appsecret",
    "jwtsecret",
    "presharedkey",
];
/// Words before "key" that make it a secret one.
const BEFORE_KEY: &[&str] = &[
    "api",
    "access",
    "secret",
    "private",
    "enc",
    "encryption",
    "signing",
    "master",
    "app",
    "auth",
    "account",
    "shared",
    "service",
    "license",
    "routing",
    "storage",
    "webhook",
    "session",
    "jwt",
    "client",
    "deploy",
    "role",
    "hmac",
    "aes",
    "preshared",
    "recovery",
    "integration",
    "subscription",
    "project",
    "write",
    "admin",
    "ssh",
    "security",
    "consumer",
    "stripe",
    "openai",
    "sendgrid",
    "ingest",
    "logged",
    "salt",
];
/// Words that may follow the last word of a name.
const AFTER: &[&str] = &[
    "value",
    "base64",
    "b64",
    "data",
    "plain",
    "plaintext",
    "text",
    "current",
    "default",
    "old",
    "new",
    "prod",
    "production",
    "dev",
    "staging",
    "test",
    "live",
    "1",
    "2",
    "3",
    "hex",
];
/// Words before a name that make it none of a secret.
const BEFORE_PUBLIC: &[&str] = &[
    "public", "proxy", "fastcgi", "uwsgi", "no", "show", "reset", "forgot", "require", "csrf", "next",
    "grant", "page",
];

/// How sure an identifier names a secret, if it does.
fn name(identifier: &str) -> Option<Name> {
    let words = words(identifier);
    let mut length = words.len();
    while length > 1 && AFTER.contains(&words[length - 1].as_str()) {
        length -= 1;
    }
    let last = words.get(length.checked_sub(1)?)?.as_str();
    let before = length.checked_sub(2).map_or("", |index| words[index].as_str());
    if BEFORE_PUBLIC.contains(&before) {
        return None;
    }
    let ends_so = ["password", "passwd", "passphrase"].iter().any(|end| last.ends_with(end));
    match last {
        _ if ends_so || PASSWORDS.contains(&last) => Some(Name::Password),
        _ if KEYS.contains(&last) => Some(Name::Key),
        "key" if BEFORE_KEY.contains(&before) => Some(Name::Key),
        "id" if before == "secret" => Some(Name::Key),
        "auth" | "session" | "sid" | "sessionid" | "sessid" | "jsessionid" | "phpsessid"
        | "authorization" | "key" | "cookie" => Some(Name::Issued),
        _ if last.ends_with("sessionid") || last.ends_with("sessid") => Some(Name::Issued),
        _ => None,
    }
}

/// What stands between a name and its value, and where the value begins.
struct Sign<'t> {
    sign: &'t str,
    start: usize,
}

fn sign<'t>(text: &'t str, identifier: &Range<usize>) -> Option<Sign<'t>> {
    let bytes = text.as_bytes();
    let mut at = identifier.end;
    let before = identifier.start.checked_sub(2).map(|at| bytes[at]);
    let is_symbol = before.is_none_or(|b| !b.is_ascii_alphanumeric());
    let is_resource = identifier.start > 0 && bytes[identifier.start - 1] == b':' && !is_symbol;
    let is_quoted = identifier.start > 0 && matches!(bytes[identifier.start - 1], b'"' | b'\'' | b'`' | b':');
    let is_argument = is_quoted && identifier.start > 1 && bytes[identifier.start - 2] == b'(';
    let is_element = identifier.start > 0 && bytes[identifier.start - 1] == b'<';
    // The quotation mark of the name, which is escaped in JSON within JSON.
    while at < bytes.len()
        && at - identifier.end < 3
        && matches!(bytes[at], b'"' | b'\'' | b']' | b'\\' | b'`')
    {
        at += 1;
    }
    let spaces = |mut at: usize| {
        let from = at;
        while at < bytes.len() && at - from < 24 && matches!(bytes[at], b' ' | b'\t') {
            at += 1;
        }
        at
    };
    let signed = spaces(at);
    let rest = &text[signed..];
    let signs = ["=>", ":=", "=", ":"];
    let sign = match signs.iter().find(|sign| rest.starts_with(**sign)) {
        Some(sign) => sign,
        None if is_element && rest.starts_with('>') => ">",
        None if is_argument && rest.starts_with(',') => ",",
        None if signed > at && rest.starts_with(['"', '\'']) => " ",
        None if signed > at
            && is_constant(&text[identifier.clone()])
            && is_issued(rest.split_whitespace().next()?) =>
        {
            " "
        }
        None => return None,
    };
    // A comparison with a text says what the text is.
    if is_resource && sign == ":" {
        return None;
    }
    if rest.starts_with("==") {
        let value = rest.trim_start_matches(['=', ' ']);
        return value
            .starts_with(['"', '\''])
            .then(|| Sign { sign: "==", start: signed + rest.len() - value.len() });
    }
    let after = signed + if sign == " " { 0 } else { sign.len() };
    let mut start = if sign == ">" { after } else { spaces(after) };
    // A list of one, a prefix of bytes, an escaped quotation mark.
    for open in ["[", "b\"", "b'", "r\"", "u'", "\\"] {
        if text[start..].starts_with(open) && !open.starts_with(['b', 'r', 'u']) {
            start = spaces(start + 1);
        } else if text[start..].starts_with(open) {
            start += 1;
        }
    }
    let is_bare = sign == ",";
    (!is_bare || text[start..].starts_with(['"', '\'']))
        .then_some(Sign { sign: &text[signed..signed + sign.trim().len()], start })
}

/// The value at a place, and whether it is quoted.
fn value(text: &str, start: usize, sign: &Sign<'_>) -> Option<(Range<usize>, bool)> {
    if let Some(range) = quoted(text, start) {
        let inner = text[range.clone()].trim_end_matches('\\').len();
        return (inner > 0).then_some((range.start..range.start + inner, true));
    }
    let rest = &text[start..];
    if rest.starts_with(['"', '\'', '(']) {
        return None;
    }
    let ends: &[char] = match sign.sign {
        ">" => &['<', '\n'],
        "=" => &[' ', '\t', '\n', '\r', '&', '"', '\'', ')', '>'],
        _ => &[' ', '\t', '\n', '\r', ',', '"', ')', '}', ']'],
    };
    let end = rest
        .char_indices()
        .find(|(at, c)| *at >= VALUE_MAX || ends.contains(c))
        .map_or(rest.len(), |(at, _)| at);
    let mut value = &rest[..end];
    // The next setting of a connection string.
    static NEXT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[;,][A-Za-z][A-Za-z_ ]{1,32}=").expect("a pattern"));
    if let Some(next) = NEXT.find(value) {
        value = &value[..next.start()];
    }
    let value = value.trim_end_matches([';', ',', '.', '\\', '`', '}', ']']);
    (!value.is_empty()).then_some((start..start + value.len(), false))
}

/// Tells whether a value is that of a name.
fn takes(name: Name, value: &str, is_quoted: bool, is_sure: bool) -> bool {
    let look = look(value);
    if look == Look::Reference
        || value.starts_with(char::is_whitespace)
        || value.starts_with(['$', '(', '{', '<']) && !value.contains(|c: char| c.is_ascii_digit())
    {
        return false;
    }
    let has_space = value.contains(char::is_whitespace);
    let is_prose = has_space && value.split_whitespace().any(is_common);
    match name {
        Name::Password => match look {
            Look::Word => {
                value.chars().count() >= 3
                    && !is_common(value)
                    && (!is_prose || is_sure)
                    && !value.ends_with(':')
            }
            Look::Number => digits(value) >= 4 || is_quoted && digits(value) >= 3,
            Look::Joined => !is_prose,
            _ => !is_prose || is_sure,
        },
        Name::Key if is_sure => {
            !is_common(value) && value.len() >= 3 && (look != Look::Number || digits(value) >= 6)
        }
        Name::Key => match look {
            Look::Mixed | Look::Strong => {
                value.len() >= 8 && !is_prose && (!is_public(value) || is_issued(value))
            }
            _ => false,
        },
        Name::Issued => is_issued(value) && (is_random(value) || value.len() >= 20),
    }
}
