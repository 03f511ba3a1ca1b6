//! Tables of what texts become, and the module's invariants over any text.
#![allow(
    clippy::needless_pass_by_value,
    clippy::needless_raw_string_hashes,
    reason = "expect-test is used and writes its tables so"
)]

mod kept;
mod shapes;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use super::*;

/// Compares what each text becomes.
fn check(texts: &[&str], expected: Expect) {
    let line = |text: &&str| {
        assert_invariants(text);
        let of_windows = text.replace('\n', "\r\n");
        assert_eq!(redact(&of_windows).replace("\r\n", "\n"), redact(text));
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
    "https://hooks\\.slack\\.com/services/T[A-Z0-9]{8}/B[A-Z0-9]{8}/[A-Za-z0-9]{24}",
    "[sr]k_(live|test)_[A-Za-z0-9]{24}",
    "sk-[A-Za-z0-9]{48}",
    "sk-proj-[A-Za-z0-9_-]{60}",
    "sk-ant-api03-[A-Za-z0-9_-]{93}AA",
    "AIza[A-Za-z0-9_-]{35}",
    "ya29\\.[A-Za-z0-9_-]{60}",
    "[0-9]{8,10}:AA[A-Za-z0-9_-]{33}",
    "[MNO][A-Za-z0-9]{23}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27}",
    "https://discord\\.com/api/webhooks/[0-9]{18}/[A-Za-z0-9_-]{68}",
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
    fn issued_credentials_are_redacted(
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
}

/// The trained model may miss a few of the values; the sentence around them is kept.
#[test]
fn values_called_passwords_are_redacted() {
    const CASES: usize = 400;
    let name = prop::sample::select(vec![
        "my password is ",
        "password: ",
        "passwd=",
        "the passphrase for the vault is ",
        "Passwort: ",
        "mein Kennwort lautet ",
        "mi contraseña es ",
        "la clave del wifi es ",
        "le mot de passe est ",
        "le mdp du wifi c'est ",
        "密码是",
        "口令：",
        "DB_PASSWORD=",
        "pwd is ",
    ]);
    let cases = (name, "[A-Za-z]{3,8}[0-9_#+]{1,2}[A-Za-z0-9]{4,12}", "( [a-z]{1,8}){0,4}");
    let mut runner = TestRunner::deterministic();
    let (mut gone, mut kept) = (0, 0);
    for _ in 0..CASES {
        let (name, value, after) = cases.new_tree(&mut runner).expect("a case").current();
        let redacted = redact(&format!("{name}{value}{after}")).into_owned();
        gone += usize::from(!redacted.contains(&value));
        kept += usize::from(redacted.ends_with(&after));
    }
    assert!(gone * 100 >= CASES * 98 && kept * 100 >= CASES * 95, "{gone} gone, {kept} kept of {CASES}");
}

#[test]
fn named_secrets() {
    check(
        &[
            "my wifi password is tangerine-Falcon-88, type it in for me?",
            "ssh root@203.0.113.9, password is Moth-lamp-71. don't tell anyone haha",
            "the password for the wifi is tangerine",
            "password: hunter2",
            "Password = \"correct horse battery staple\" and so on",
            "{\"user\": \"me\", \"password\": \"a\\\"b c\", \"x\": 1}",
            "change my password to Blue$Moon9 please",
            "passphrase: 'two words'",
            "I use the pin 9032 for all of my cards, so just put that",
            "PIN: 1234",
            "the door code is 4471# for the courier",
            "ssh root@203.0.113.9, Passwort Motte-Lampe-71, aber pssst",
            "Paypal ist mit meiner Mail und dem Kennwort Sommer!Regen_2044, kannst du",
            "merk dir, dass das Admin-Passwort hunter2 lautet.",
            "das Passwort fürs WLAN ist „Sonne im Mai“",
            "la clave del wifi es gatito-0000 y el router",
            "mi contraseña del banco es Perrito0000! no la olvides",
            "le mdp du wifi c'est chouette-0000. La box",
            "mot de passe : soleil",
            "测试库密码是 Abc12345!demo 别外传啊",
            "密码：Abc123，别外传",
            "口令是“芝麻开门”",
            "密码六个8",
            "api key for staging: sk-fake-9aX2mQ77LdPz04TTbeY1, please use that",
            "export OPENAI_API_KEY=sk-test-0000000000000000 记住这个",
            "DB_PASSWORD=abc\nSTRIPE_SECRET='x y'\nNAME=me",
            "client_secret: 8f14e45fceea167a",
            "token: ghp_000000000000000000000000000000000000",
            "here's the recovery phrase in case i lose it again: anchor velvet pony drift lemon cactus orbit tunnel",
        ],
        expect![[r#"
            my wifi password is [redacted:password], type it in for me?
            ssh root@203.0.113.9, password is [redacted:password]. don't tell anyone haha
            the password for the wifi is [redacted:password]
            password: [redacted:password]
            Password = "[redacted:password]" and so on
            {"user": "me", "password": "[redacted:password]", "x": 1}
            change my password to [redacted:password] please
            passphrase: '[redacted:password]'
            I use the pin [redacted:pin] for all of my cards, so just put that
            PIN: [redacted:pin]
            the door code is [redacted:pin] for the courier
            ssh root@203.0.113.9, Passwort [redacted:password], aber pssst
            Paypal ist mit meiner Mail und dem Kennwort [redacted:password], kannst du
            merk dir, dass das Admin-Passwort [redacted:password] lautet.
            das Passwort fürs WLAN ist „[redacted:password]“
            la clave del wifi es [redacted:secret] y el router
            mi contraseña del banco es [redacted:password] no la olvides
            le mdp du wifi c'est [redacted:password]. La box
            mot de passe : [redacted:password]
            测试库密码是 [redacted:password] 别外传啊
            密码：[redacted:password]，别外传
            口令是“[redacted:password]”
            密码[redacted:pin]
            api key for staging: [redacted:openai-key], please use that
            export OPENAI_API_KEY=[redacted:openai-key] 记住这个
            DB_PASSWORD=[redacted:password]⏎STRIPE_SECRET='[redacted:secret]'⏎NAME=me
            client_secret: [redacted:secret]
            token: [redacted:github-token]
            here's the recovery phrase in case i lose it again: [redacted:recovery-phrase]
        "#]],
    );
}

#[test]
fn names_and_values_are_found_in_many_layouts() {
    check(
        &[
            "pw: Sommer-Zelt4",
            "**Password:** Sommer-Zelt4",
            "- password: Sommer-Zelt4",
            "Sommer-Zelt4 is my password",
            "my password changed to Sommer-Zelt4 today",
            "password -> Sommer-Zelt4",
            "{\"password\":[\"Sommer-Zelt4\"]}",
            "{\"pw\":\"Sommer-Zelt4\"}",
            "wifi_password: Sommer-Zelt4",
            "the passphrase is correct horse battery staple",
            "| user | password |\n|---|---|\n| ana | Sommer-Zelt4 |",
            "curl -u ana:Sommer-Zelt4 https://a.example",
            "mysql -u root -pSommer-Zelt4 shop",
            "{\"auths\":{\"r.example\":{\"auth\":\"YW5hOlNvbW1lci1aZWx0NA==\"}}}",
            "client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlFb3dJQkFBS0NBUUVBClhYWFgK",
            "Cookie: theme=dark; sessionid=fmvjchm1p6j9wgpuz5yycheeb0mi216b",
            "https://b.example/o?X-Amz-Expires=9&X-Amz-Signature=36f38402f195de966760cf209a73a94613e660cd50a78c951e5fa25d3c8d5d6d",
            "password%3DSommer-Zelt4",
            "my seed is legal winner thank year wave sausage worth useful legal winner thank yellow",
            "1. legal 2. winner 3. thank 4. year 5. wave 6. sausage 7. worth 8. useful 9. legal 10. winner 11. thank 12. yellow",
            "la password è Sommer-Zelt4",
            "a senha é Sommer-Zelt4",
            "het wachtwoord is Sommer-Zelt4",
            "пароль: Sommer-Zelt4",
            "パスワードはSommer-Zelt4です",
            "hasło to Sommer-Zelt4",
            "şifre Sommer-Zelt4",
            "비밀번호는 Sommer-Zelt4 입니다",
            "I prefer window seats. And my password is Sommer-Zelt4",
        ],
        expect![[r#"
            pw: [redacted:password]
            **Password:** [redacted:password]
            - password: [redacted:password]
            [redacted:password] is my password
            my password changed to [redacted:password] today
            password -> [redacted:password]
            {"password":["[redacted:password]"]}
            {"pw":"[redacted:password]"}
            wifi_password: [redacted:password]
            the passphrase is [redacted:password]
            | user | password |⏎|---|---|⏎| ana | [redacted:password] |
            curl -u ana:[redacted:password] https://a.example
            mysql -u root -p[redacted:password] shop
            {"auths":{"r.example":{"auth":"[redacted:encoded-secret]"}}}
            client-key-data: [redacted:encoded-secret]
            Cookie: theme=dark; sessionid=[redacted:cookie]
            https://b.example/o?X-Amz-Expires=9&X-Amz-Signature=[redacted:url-token]
            [redacted:encoded-secret]
            my seed is [redacted:recovery-phrase]
            1. [redacted:recovery-phrase]
            la password è [redacted:password]
            a senha é [redacted:password]
            het wachtwoord is [redacted:password]
            пароль: [redacted:password]
            パスワードは[redacted:password]です
            hasło to [redacted:password]
            şifre [redacted:password]
            비밀번호는 [redacted:password] 입니다
            I prefer window seats. And my password is [redacted:password]
        "#]],
    );
}

/// Names in a row, each of which could be the value of the one before.
#[test]
fn takes_linear_time() {
    for bit in [
        "password:",
        "password is ",
        "clave:",
        "API_KEY=",
        "token ",
        "://a:",
        "4111 ",
        "-----BEGIN ",
        "eyJ",
        "1234 code ",
        "mysql -p",
        "redis-cli vault login x",
        "abandon ability ",
        "a@b.cd:",
        "?a=b&",
        "Cookie: a=",
        "%41",
        "密码是",
        "--password ",
        "| password | x |\n",
        "door 1234 code ",
        "aGVsbG8gd29ybGQ=",
    ] {
        let text = bit.repeat(20_000 / bit.len());
        let begun = std::time::Instant::now();
        let _ = redact(&text);
        assert!(begun.elapsed().as_secs() < 60, "{bit}: {:?}", begun.elapsed());
    }
}

/// The texts of `evals/secrets`: how many of those with secrets must be found, and how many look-alikes may be
/// redacted. The weights were learned from these texts, so the figures detect a loss and do not measure quality on
/// other texts.
const FLOORS: &[(&str, usize, usize)] = &[
    ("dev-everyday-2", 141, 2),
    ("dev-handovers", 232, 3),
    ("dev-many-languages", 242, 4),
    ("dev-operators-2", 142, 4),
    ("train-agents", 135, 4),
    ("train-developers", 246, 2),
    ("train-everyday", 243, 2),
    ("train-families", 140, 2),
    ("train-office", 125, 4),
    ("train-ordinary", 65, 3),
    ("train-platform", 137, 2),
    ("train-remarks", 126, 4),
];

#[test]
fn most_secrets_are_found_and_most_look_alikes_are_kept() {
    for (name, found_min, false_max) in FLOORS {
        let file = format!("{}/../../evals/secrets/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let (mut found, mut wrong) = (0, 0);
        for line in std::fs::read_to_string(file).expect("the file is part of the project").lines() {
            let line: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
            let text = line["text"].as_str().expect("a text");
            let secrets = line["secrets"].as_array().expect("a list");
            assert_invariants(text);
            let redacted = redact(text);
            let is_left = |value: &serde_json::Value| redacted.contains(value.as_str().expect("a value"));
            found += usize::from(!secrets.is_empty() && !secrets.iter().any(is_left));
            wrong += usize::from(secrets.is_empty() && redacted != text);
        }
        assert!(found >= *found_min && wrong <= *false_max, "{name}: {found} found, {wrong} false");
    }
}

/// Asserts that nothing in the texts is redacted.
#[track_caller]
fn stay(texts: &[&str]) {
    let changed: Vec<_> =
        texts.iter().map(|text| redact(text)).filter(|text| text.contains("[redacted")).collect();
    assert!(changed.is_empty(), "{changed:#?}");
}

#[test]
fn a_password_that_was_changed_is_found_with_the_one_before() {
    for (text, expected) in [
        (
            "the password was changed from Otter1 to Otter2",
            "the password was changed from [redacted:password] to [redacted:password]",
        ),
        ("my password was reset to heron-77.", "my password was reset to [redacted:password]"),
        ("the password was changed from time to time", "the password was changed from time to time"),
        ("my password was changed to something better", "my password was changed to something better"),
    ] {
        assert_eq!(redact(text).trim_end_matches('.'), expected);
    }
}

#[test]
fn passwords_of_accounts_are_found_in_sentences() {
    check(
        &[
            "Passwort für Netflix ist banane7",
            "Passwort für Netflix ist banane7 und für Spotify kirsche8",
            "Passwort für Netflix ist banane7, für Spotify ist es kirsche8",
            "Passwörter: Netflix banane7, Spotify kirsche8",
            "Das Passwort vom WLAN ist hase42",
            "the password for our wifi is banana7",
            "The password for Netflix is banana7",
            "Netflix password is banana7, Spotify cherry8",
            "hunter2 is my password",
            "la contraseña de Netflix es manzana7",
            "le mot de passe du wifi c'est neige12",
            "2FA backup codes: 8392-1029, 2930-1928",
            "recovery code 8392-1029-2930",
        ],
        expect![[r#"
            Passwort für Netflix ist [redacted:password]
            Passwort für Netflix ist [redacted:password] und für Spotify [redacted:password]
            Passwort für Netflix ist [redacted:password], für Spotify ist es [redacted:password]
            Passwörter: Netflix [redacted:password], Spotify [redacted:password]
            Das Passwort vom WLAN ist [redacted:password]
            the password for our wifi is [redacted:password]
            The password for Netflix is [redacted:password]
            Netflix password is [redacted:password], Spotify [redacted:password]
            [redacted:password] is my password
            la contraseña de Netflix es [redacted:password]
            le mot de passe du wifi c'est [redacted:password]
            2FA backup codes: [redacted:recovery-code], [redacted:recovery-code]
            recovery code [redacted:recovery-code]
        "#]],
    );
}

#[test]
fn what_a_text_repeats_of_another_is_redacted() {
    for (of, text, expected) in [
        ("mein passwort ist katze77", "ok, katze77 gemerkt", "ok, [redacted:password] gemerkt"),
        ("the door code is 4471", "4471, not 44712 or A4471", "[redacted:pin], not 44712 or A4471"),
        ("password: [redacted:password]", "[redacted:password]", "[redacted:password]"),
        ("I like tea", "tea", "tea"),
    ] {
        assert_eq!(redact_repeated(text, of), expected);
    }
}

#[test]
fn a_key_is_found_without_a_word_beside_it() {
    let rest = "q7Kd9xZ2mWvR4tYbN8sLcF3hJ6pE1A2B";
    for prefix in [
        "dapi", "ATBB", "ATATT3", "ATCTT3", "AKC", "EZAK", "EZTK", "patkey", "sha256~", "PMAK-", "ntn_",
        "hvs.", "glsa_",
    ] {
        let key = format!("{prefix}{rest}");
        assert_eq!(redact(&key), "[redacted:api-token]", "{key}");
        assert_eq!(redact(&format!("Bitbucket {key} works")), "Bitbucket [redacted:api-token] works");
    }
    assert_eq!(redact("dapi4f3a9c1e5b2d4f6088aa13cc9e77d201"), "[redacted:api-token]");
}

#[test]
fn a_label_above_its_value_is_one_with_the_line_ends_of_windows() {
    for (text, value) in [
        ("Password:\r\ntulip77", "tulip77"),
        ("Passwort:\r\nGartenzwerg", "Gartenzwerg"),
        ("- Wifi\r\n  - Name: Fuchsbau\r\n  - Code: apfelkuchen", "apfelkuchen"),
        ("## Passwords\r\n- Netflix: tulip77\r\n- Mail: rose\r\n- Bank: 5538", "5538"),
    ] {
        assert_invariants(text);
        let (redacted, unix) = (redact(text), text.replace("\r\n", "\n"));
        assert!(!redacted.contains(value), "{redacted:?}");
        assert_eq!(redacted.replace("\r\n", "\n"), redact(&unix));
    }
}
