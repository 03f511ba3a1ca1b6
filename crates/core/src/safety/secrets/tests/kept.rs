//! Texts that resemble secrets and are kept.

use super::stay;
use crate::safety::secrets::{find, redact};

#[test]
fn words_and_numbers_of_daily_life_stay() {
    let texts = [
        "sk-learn-contrib-extras",
        "sk-folding-cube-spinner",
        "checkout sk-learn-experiment-2026-a",
        "sk-learn-notes-2026-spring.md",
        "secret_garden_reading_notes_chapter_one",
        "pypi-server-is-running",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16",
        "GPIO pin 17-27",
        "access code 200",
        "password: str",
        "def login(password: str) -> Token:",
        "API_KEY=$MY_KEY",
        "api_key = os.environ[\"API_KEY\"]",
        "password: <your-password>",
        "password: ****",
        "the error code is 10060",
        "use promo code SPRING2026",
        "partition key = customerId",
        "commit 49ae58b560b2a64450eeb9f3c70f685727ee22a6 fixes the token bug",
    ];
    let changed: Vec<_> =
        texts.iter().map(|text| redact(text)).filter(|text| text.contains("[redacted")).collect();
    assert!(changed.is_empty(), "{changed:#?}");
}

#[test]
fn talk_about_secrets_stays() {
    let texts = [
        "password is too long",
        "the password policy",
        "I forgot my password",
        "what is the password?",
        "the password is stored in the vault",
        "my password is safe",
        "password reset is broken",
        "the password is the same as last year",
        "password must be at least 8 characters",
        "the pin is mine",
        "pin this message",
        "my pin is wrong",
        "pinned 2 messages",
        "das Passwort ist falsch",
        "mein Passwort ist abgelaufen",
        "Passwort vergessen",
        "la clave es trabajar duro",
        "la clave del éxito es la paciencia",
        "la contraseña es incorrecta",
        "le mot de passe est trop court",
        "mot de passe oublié",
        "密码是什么",
        "密码是错的",
        "我忘了密码",
        "the key is under the mat",
        "a token of my love",
        "the token is expired",
        "siempre validar el token",
        "the secret is to keep going",
        "the bearer of good news",
        "Bearer responsibilities include lifting",
        "press the key: enter",
        "task-force-meeting-tomorrow-morning",
        "a risk-averse-person-like-me",
        "order 4111 1111 1111 1112",
        "call me at +49 30 1234 5678",
        "at 1700000000000 ms",
        "see https://example.org:8080/a@b",
        "mail me@example.org",
        "https://example.org/@user",
        "DE89 and DE12",
        "commit a1b2c3d4e5f60718293a4b5c6d7e8f9012345678",
        "7d444840-9dc0-11d1-b245-5ffdce74fad2",
        "2025-01-30 10:20:30",
        "compass: north",
        "the clave rhythm: 3-2",
    ];
    let changed: Vec<_> =
        texts.iter().map(|text| redact(text)).filter(|text| text.contains("[redacted")).collect();
    assert!(changed.is_empty(), "{changed:#?}");
}

#[test]
fn names_with_a_number_are_no_secrets_by_themselves() {
    for text in [
        "- raspberrypi4 neu aufgesetzt",
        "- PlayStation5 verkaufen",
        "## Hochzeit2027",
        "PlayStation5",
        "Raspberrypi4",
        "- PostgreSQL16 upgrade",
        "- Microsoft365 Abo",
        "- Immobilienscout24 Suchauftrag",
        "- Assignment2 submit",
        "- spring-boot3 migration",
        "- sommerfest2026 Planung",
    ] {
        assert_eq!(find(text), [], "{text}");
    }
    // A word that suggests a secret makes one of it.
    assert_ne!(find("my password is Sommerfest2026"), []);
}

#[test]
fn words_of_equal_length_are_a_sentence() {
    stay(&[
        "Ich mache jetzt jeden Abend Sport.",
        "Ich wohne jetzt unten links.",
        "ich fahre jetzt einen Tesla",
        "ich kaufe jetzt einen Tisch",
        "ich nehme jetzt keine Milch",
        "ich lerne jetzt jeden Abend Cello",
        "Ich nutze jetzt immer Emacs",
        "ich trage jetzt keine Jeans",
        "Today Maria loves black coffee",
        "Mike says Lena will join",
        "Ahora quiero comer menos Pizza",
        "Elles aiment aussi Paris",
        "Marco beve molto latte",
    ]);
    // Groups of random letters, or with a digit, are none.
    for text in ["app password kqzv btrm xwpl hdsn", "WLAN-Schlüssel: Qm4d 9TzR x2Lp 7Hqa"] {
        assert_ne!(find(text), [], "{text}");
    }
}

#[test]
fn refs_of_memories_stay() {
    stay(&[
        "check ledger:401cce7d4864a689 again",
        "the wallet entry is ledger:5d1f0b2e9c7a4483@2, paid in cash",
        "see statements:401cce7d4864a689@3 and zone:01cce7d4864a6894",
        "notes:401cce7d4864a689@12 replaces files:1c9cce7d4864a689",
        "blocks:401cce7d4864a689, messages:401cce7d4864a689",
    ]);
    assert_ne!(find("api_token:401cce7d4864a689"), []);
}

#[test]
fn names_with_versions_and_signs_stay() {
    stay(&[
        "We use Python3.11",
        "The API works with Postgres16.2",
        "fixed in memtape#123",
        "moved to Berlin/Mitte1",
        "works with AT&T-Mobile",
        "see [[Other Note#Heading]]",
        "uses Spring-Boot3",
        "her friends: Zoë&Max",
        "meets with Bob+Alice",
        "met with Jean-Luc1",
        "works with Next.js15",
        "works with React@18.2",
        "works with Node#20",
        "tool1x6, editor10, tool0x4",
    ]);
}

#[test]
fn illnesses_states_and_amounts_stay() {
    stay(&[
        "ich habe eine Gluten-Unverträglichkeit",
        "Ich hab Typ-1-Diabetes, brauch ein Frühstück mit wenig Kohlenhydraten",
        "Uhrzeiten bitte immer im 24-Stunden-Format",
        "bitte sprechen Sie mich mit „Herr Doktor Ehninger“ an",
        "Das WLAN ist schlecht.",
        "the phone is charging",
        "Mon passeport est périmé",
        "I send her two hundred pound every month",
        "Meine Werkstatt macht erst um sieben auf",
    ]);
}

#[test]
fn times_counts_and_years_stay() {
    stay(&[
        "my alarm is set for 0630",
        "alarm at 0615 every day",
        "Der Alarm geht um 0645",
        "Der Code ist 1200 Zeilen lang",
        "The code freeze starts on 0112",
        "Türcode hab ich vergessen, 1200 Leute wohnen hier",
        "Das Buch \"Der Da Vinci Code\" von 2003",
        "unlock the bootloader of the Pixel 2016",
        "Alarmanlage vom Nachbarn piept seit 2200",
        "Meine Schuhgröße ist 4711",
        "ledger account 4711",
    ]);
    // The same digits with a word that makes them a secret.
    for text in
        ["the alarm code is 0630", "Der Code der Alarmanlage ist 0645", "Die PIN von meinem Handy ist 4711"]
    {
        assert_ne!(find(text), [], "{text}");
    }
}

#[test]
fn talk_about_passwords_and_passphrases_stays() {
    stay(&[
        "passphrase means several words",
        "Das Kennwort der Losung war Freiheit",
        "Passkeys statt Passwörter benutzen",
        "Das Passwort hab ich im Safe, lies dazu Kapitel7",
    ]);
}

#[test]
fn the_number_of_lines_makes_no_secret_of_them() {
    for (from, line) in [(1000, "- eN: N"), (2001, "row N: N"), (7000, "lot N : N"), (9990, "N pears")] {
        let lines: Vec<String> = (from..from + 40).map(|n: i32| line.replace('N', &n.to_string())).collect();
        stay(&[&lines.join("\n")]);
    }
}

#[test]
fn telephone_and_room_numbers_are_no_pins() {
    for text in [
        "Mi número de teléfono es 600123456",
        "Mi número de teléfono es 600 123 456",
        "Mi móvil es 600 123 456",
        "Mi teléfono es 600123456",
        "Il mio numero di telefono è 3331234567",
        "Il mio numero di camera è 4711",
        "My phone number is 5550123456",
        "Festnetz: 0761 987654",
        "Handy: 0151 23456789",
        "- Handy: 0170 1234567",
        "**Handy:** 0170 1234567",
        "Handy: 0170 1234567, Arbeit: 0761 987654",
        "Handy: 0170 1234567, Büro: 0761 987654",
        "Móvil: 612 345 678, fijo: 91 555 12 34",
        "Festnetz: 07 61/98 76 54",
    ] {
        assert_eq!(redact(text), text);
    }
    for text in [
        "my phone PIN is 4711",
        "il pin del telefono è 4711",
        "the code of the phone is 998877",
        "Büro: PIN 4711",
        "Tresor: 761 987",
    ] {
        assert_ne!(redact(text), text);
    }
}

#[test]
fn the_key_to_something_is_no_password() {
    for text in ["La clave es escuchar", "la clave está en madrugar", "La clave es no rendirse"] {
        assert_eq!(redact(text), text);
    }
    for text in ["la clave es perro7", "la clave del wifi es manzana7"] {
        assert_ne!(redact(text), text);
    }
}

#[test]
fn a_word_for_a_placeholder_stands_alone() {
    for text in ["password: here4you", "password: example77", "Passwort: placeholder2"] {
        assert!(redact(text).ends_with("[redacted:password]"), "{}", redact(text));
    }
    for text in
        ["password: your-password-here", "password: example", "api_key: sk-example-1234", "token: <here>"]
    {
        assert_eq!(redact(text), text);
    }
}
