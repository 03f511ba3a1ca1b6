//! Finds secrets in URLs and headers: user information, query parameters that sign or authorize, cookies.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::value::{Look, is_hex, is_issued, is_random, is_reference, is_uuid, look};

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern")
}

/// Finds the credentials after the word "bearer": at least 12 characters, with a digit.
pub(super) fn bearer(text: &str, add: &mut dyn FnMut(Range<usize>)) {
    static BEARER: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?i)(?:^|[^a-z])bearer\s{1,4}([a-z0-9._~+/=-]{12,})"));
    let values = BEARER.captures_iter(text).filter_map(|captures| captures.get(1));
    for value in values.filter(|value| value.as_str().contains(|c: char| c.is_ascii_digit())) {
        add(value.range());
    }
}

/// Finds the password in the user information of a URL, or a token in place of the user.
pub(super) fn user_information(text: &str, add: &mut dyn FnMut(Range<usize>)) {
    let mut read = 0;
    for (start, _) in text.match_indices("://") {
        let from = start + 3;
        // The user information of an Ethereum node URL is its public key.
        if from < read || text[..start].ends_with("enode") {
            continue;
        }
        let rest = &text[from..];
        // The host follows the last `@`, because a password can contain one as well.
        let mut end = 0;
        let mut at_sign = None;
        for (at, c) in rest.char_indices().take(300) {
            if c.is_whitespace() || "/?\"'<>`".contains(c) && at_sign.is_some() || c == '"' || c == '`' {
                break;
            }
            if c == '/' && !rest[at..].chars().take(40).take_while(|c| !c.is_whitespace()).any(|c| c == '@') {
                break;
            }
            if c == '@' {
                at_sign = Some(at);
            }
            end = at + c.len_utf8();
        }
        read = from + end;
        let Some(at_sign) = at_sign.filter(|at| *at < end) else { continue };
        let user = &rest[..at_sign];
        match user.find(':') {
            Some(colon) => {
                let password = &user[colon + 1..];
                let is_port = password.split('/').next().is_some_and(|port| {
                    !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) && password.contains('/')
                });
                if !password.is_empty() && !is_port && !is_placeholder(password) {
                    add(from + colon + 1..from + at_sign);
                }
            }
            None if user.len() >= 20 && is_issued(user) => add(from..from + at_sign),
            None => {}
        }
    }
}

fn is_placeholder(password: &str) -> bool {
    is_reference(password)
        && (password.starts_with(['$', '<', '{', '%', '*', '['])
            || password.contains("...")
            || password.contains('…')
            || !password.contains(|c: char| c.is_ascii_digit() || "!@#".contains(c)))
}

/// Finds query parameters that sign or authorize, and the secret path segment of one-time links.
pub(super) fn parameters(text: &str, add: &mut dyn FnMut(Range<usize>)) {
    static PARAMETER: LazyLock<Regex> =
        LazyLock::new(|| pattern(r#"[?&;]([A-Za-z][A-Za-z0-9_.-]{0,40})=([^&\s"'#<>`\\]{3,})"#));
    static LINK: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)://[^\s]+?/[a-z-]{0,16}(?:magic|reset|login|log-in|signin|sign-in|invite|verify|confirm|token|activate|recover|share|auth|unlock|join|access|valid)[a-z-]{0,16}/([A-Za-z0-9_-]{16,})",
        )
    });
    // Most texts have neither, and then neither pattern is compiled.
    if text.contains('=') {
        for found in PARAMETER.captures_iter(text) {
            let (Some(name), Some(value)) = (found.get(1), found.get(2)) else { continue };
            if is_secret(name.as_str(), value.as_str()) {
                add(value.range());
            }
        }
    }
    if text.contains("://") {
        for found in LINK.captures_iter(text).filter_map(|found| found.get(1)) {
            if is_random(found.as_str()) || is_uuid(found.as_str()) || is_hex(found.as_str()) {
                add(found.range());
            }
        }
    }
}

/// Names of parameters that contain a password.
const PASSWORDS: &[&str] = &[
    "password",
    "pass",
    "passwd",
    "pwd",
    "pw",
    "secret",
    "client_secret",
    "passphrase",
    "senha",
    "clave",
    "mdp",
];
/// Names of parameters that sign or authorize, if their value is random.
const TOKENS: &[&str] = &[
    "token",
    "access_token",
    "auth_token",
    "auth",
    "key",
    "api_key",
    "apikey",
    "sig",
    "signature",
    "jeton",
    "t",
    "k",
    "hash",
    "ticket",
    "otp",
    "code",
    "session",
    "sid",
    "sessionid",
    "jwt",
    "id_token",
    "refresh_token",
    "reset",
    "reset_token",
    "confirmation_token",
    "invite",
    "hmac",
    "sv_token",
    "x-amz-signature",
    "x-amz-security-token",
    "x-goog-signature",
    "awsaccesskeyid",
    "subscription-key",
    "access_key",
    "magic",
    "nonce_key",
    "verify",
    "confirm",
    "ticket_token",
    "sas",
    "st",
    "share",
    "resourcekey",
    "oobcode",
    "uuid_token",
    "credential",
    "h",
    "s",
    "u_token",
    "login_token",
    "link",
    "secret_key",
    "tok",
    "webhook",
    "hook",
];

fn is_secret(name: &str, value: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let decoded = percent_encoding::percent_decode_str(value).decode_utf8_lossy();
    if is_reference(&decoded) || value.starts_with(['$', '{', '<']) {
        return false;
    }
    if PASSWORDS.contains(&name.as_str()) {
        return true;
    }
    let is_token = TOKENS.contains(&name.as_str())
        || name.ends_with("token")
        || name.ends_with("secret")
        || name.ends_with("signature")
        || name.ends_with("apikey")
        || name.ends_with("api_key");
    is_token && value.len() >= 12 && (is_random(&decoded) || is_hex(&decoded) || is_uuid(&decoded))
}

/// Finds the values of cookies that are sessions or tokens, as opposed to preferences.
pub(super) fn cookies(text: &str, add: &mut dyn FnMut(Range<usize>)) {
    static HEADER: LazyLock<Regex> =
        LazyLock::new(|| pattern(r#"(?i)cookies?["']?\s{0,3}[:=]\s{0,3}["']?([^\n\r"]+)"#));
    static PAIR: LazyLock<Regex> = LazyLock::new(|| pattern(r#"([A-Za-z0-9_.%-]{1,80})=([^;\s,"']{3,})"#));
    for header in HEADER.captures_iter(text).filter_map(|found| found.get(1)) {
        for pair in PAIR.captures_iter(header.as_str()) {
            let (Some(name), Some(value)) = (pair.get(1), pair.get(2)) else { continue };
            let is_session =
                ["sess", "sid", "auth", "token", "login", "remember", "jwt", "csrf", "xsrf", "sso"]
                    .iter()
                    .any(|part| name.as_str().to_ascii_lowercase().contains(part));
            let is_long = value.len() >= 12 && (is_issued(value.as_str()) || is_random(value.as_str()));
            if is_long || is_session && value.len() >= 6 && look(value.as_str()) >= Look::Short {
                add(header.start() + value.start()..header.start() + value.end());
            }
        }
    }
}
