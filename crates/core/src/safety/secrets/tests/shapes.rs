//! Secrets that are recognized by their shape.

use expect_test::expect;

use super::check;
use crate::safety::secrets::{How, SHAPES, redact};

#[test]
fn social_security_numbers_and_second_passwords_are_found() {
    for (text, expected) in [
        ("my SSN is 219-09-9999", "my SSN is [redacted:social-security-number]"),
        ("Social Security number: 536 90 4399", "Social Security number: [redacted:social-security-number]"),
        ("my ssn is not 000-12-3456", "my ssn is not 000-12-3456"),
        ("call 219-09-9999", "call 219-09-9999"),
        ("passwords: Otter-77 and Heron-88", "passwords: [redacted:password] and [redacted:password]"),
        ("rules for passwords: letters and digits", "rules for passwords: letters and digits"),
    ] {
        assert_eq!(redact(text), expected);
    }
}

#[test]
fn shaped_secrets() {
    check(
        &[
            "postgres://me:p@ss@db.example/x and redis://:abc@h:6379/0",
            "Server=h;Database=d;User Id=u;Password=p1rate!;Encrypt=true",
            "Authorization: Bearer abc",
            "authorization: basic dXNlcjpwYXNz",
            "curl -H 'Authorization: Bearer abc.def'",
            "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            "card 4111 1111 1111 1111 exp 09/29",
            "4111111111111111 and 3782-822463-10005",
            "IBAN DE89 3704 0044 0532 0130 00 bitte, gb82west12345698765432",
            "ghp_FAKE0a\u{200B}B1cD2eF3gH4iJ5kL6mN7oP8qR9",
            "ｇｈｐ_FAKE0aB1cD2eF3gH4iJ5kL6mN7oP8qR9",
            "４１１１ １１１１ １１１１ １１１１",
            "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- and more",
            "-----BEGIN OPENSSH PRIVATE KEY-----\nabc and no end",
            "[redacted:password] stays, password: [redacted:password].",
        ],
        expect![[r#"
            postgres://me:[redacted:url-password]@db.example/x and redis://:[redacted:url-password]@h:6379/0
            Server=h;Database=d;User Id=u;Password=[redacted:password];Encrypt=true
            Authorization: Bearer [redacted:authorization]
            authorization: basic [redacted:authorization]
            curl -H 'Authorization: Bearer [redacted:authorization]'
            aws_secret_access_key = [redacted:aws-secret-key]
            card [redacted:card-number] exp 09/29
            [redacted:card-number] and [redacted:card-number]
            IBAN [redacted:iban] bitte, [redacted:iban]
            [redacted:github-token]
            [redacted:github-token]
            [redacted:card-number]
            [redacted:private-key] and more
            [redacted:private-key]
            [redacted:password] stays, password: [redacted:password].
        "#]],
    );
}

#[test]
fn no_shape_has_a_boundary_of_unicode() {
    for shape in SHAPES {
        let pattern = match shape.how {
            How::Pattern(pattern) | How::Value(pattern) => pattern,
            How::Scan(_) => "",
        };
        for pattern in [shape.hint, pattern] {
            assert!(!pattern.replace(r"(?-u:\b)", "").contains(r"\b"), "{}: {pattern}", shape.kind);
        }
    }
}
