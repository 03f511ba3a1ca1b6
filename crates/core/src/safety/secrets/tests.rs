//! Tables of what texts become, and the module's invariants over any text.
#![allow(
    clippy::needless_pass_by_value,
    clippy::needless_raw_string_hashes,
    reason = "expect-test is used and writes its tables so"
)]

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

/// Compares what each text becomes.
fn check(texts: &[&str], expected: Expect) {
    let line = |text: &&str| {
        assert_invariants(text);
        format!("{}\n", redact(text).replace('\n', "⏎"))
    };
    expected.assert_eq(&texts.iter().map(line).collect::<String>());
}

/// Asserts all that holds for any text.
fn assert_invariants(text: &str) {
    let finds = find(text);
    let mut end = 0;
    for Found { range, .. } in &finds {
        assert!(end <= range.start && range.start < range.end, "{text:?}: {finds:?}");
        assert!(!text[range.clone()].is_empty());
        end = range.end;
    }
    let once = redact(text);
    assert_eq!(find(&once), [], "{text:?} became {once:?}");
    assert_eq!(redact(&once), once);
    assert_eq!(finds.is_empty(), once == text);
}

/// Patterns of what issuers hand out, to be planted.
const ISSUED: &[&str] = &[
    "A[KS]IA[A-Z0-9]{16}",
    "gh[opusr]_[A-Za-z0-9]{36}",
    "github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}",
    "glpat-[A-Za-z0-9_-]{20}",
    "xox[abprs]-[0-9]{12}-[0-9]{12}-[A-Za-z0-9]{24}",
    "https://hooks.slack.com/services/T[A-Z0-9]{8}/B[A-Z0-9]{8}/[A-Za-z0-9]{24}",
    "[sr]k_(live|test)_[A-Za-z0-9]{24}",
    "sk-[A-Za-z0-9]{48}",
    "sk-proj-[A-Za-z0-9_-]{60}",
    "sk-ant-api03-[A-Za-z0-9_-]{93}AA",
    "AIza[A-Za-z0-9_-]{35}",
    "ya29\\.[A-Za-z0-9_-]{60}",
    "[0-9]{8,10}:AA[A-Za-z0-9_-]{33}",
    "[MNO][A-Za-z0-9]{23}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27}",
    "https://discord.com/api/webhooks/[0-9]{18}/[A-Za-z0-9_-]{68}",
    "npm_[A-Za-z0-9]{36}",
    "pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{60}",
    "hf_[A-Za-z]{34}",
    "SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}",
    "(SK|AC)[0-9a-f]{32}",
    "key-[0-9a-z]{32}",
    "dop_v1_[0-9a-f]{64}",
    "sq0atp-[A-Za-z0-9_-]{22}",
    "shpat_[0-9a-f]{32}",
    "eyJ[A-Za-z0-9_-]{20}\\.eyJ[A-Za-z0-9_-]{40}\\.[A-Za-z0-9_-]{43}",
    "-----BEGIN (RSA |OPENSSH |EC |)PRIVATE KEY-----\n[A-Za-z0-9+/]{64}\n-----END PRIVATE KEY-----",
];

proptest! {
    #[test]
    fn any_text_is_safe(text in "\\PC{0,200}") {
        assert_invariants(&text);
    }

    #[test]
    fn bits_of_secrets_are_safe(bits in prop::collection::vec(prop::sample::select(vec![
        "password", "pwd", " is ", ": ", "=", "\"", "'", " ", "clave", "密码", "是", "[redacted:", "password]", "]",
        "4111 1111 1111 1111", "sk-", "abcdefgh1234567890", "://", "a:b@", "@", "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----", "DE89 3704 0044 0532 0130 00", "\u{200B}", "：", "API_KEY", ";", "\n", "ü",
        "Bearer ", "Authorization: ", "pin", "1234", "token", "the", "mdp", "c'est ", "eyJ", ".", "，",
    ]), 0..24)) {
        assert_invariants(&bits.concat());
    }

    #[test]
    fn what_was_issued_is_gone(
        before in "[\\PC\n]{0,40}",
        after in "[\\PC\n]{0,40}",
        (shape, secret) in prop::sample::select(ISSUED).prop_flat_map(|shape| {
            (Just(shape), prop::string::string_regex(shape).expect("a pattern"))
        }),
    ) {
        let text = format!("{before} {secret} {after}");
        assert_invariants(&text);
        let redacted = redact(&text);
        let value = secret.rsplit('/').next().unwrap_or(&secret);
        prop_assert!(!redacted.contains(value), "{shape}: {redacted}");
    }

    #[test]
    fn what_is_called_a_password_is_gone(
        name in prop::sample::select(vec![
            "my password is ", "password: ", "passwd=", "the passphrase for the vault is ", "Passwort: ",
            "mein Kennwort lautet ", "mi contraseña es ", "la clave del wifi es ", "le mot de passe est ",
            "le mdp du wifi c'est ", "密码是", "口令：", "DB_PASSWORD=", "pwd is ",
        ]),
        value in "[A-Za-z]{3,8}[0-9_#+]{1,2}[A-Za-z0-9]{4,12}",
        after in "( [a-z]{1,8}){0,4}",
    ) {
        let text = format!("{name}{value}{after}");
        let redacted = redact(&text).into_owned();
        prop_assert!(!redacted.contains(&value), "{redacted}");
        prop_assert!(redacted.ends_with(&after));
    }
}
